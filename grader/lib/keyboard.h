/* keyboard.h - single keys from the terminal, as they are pressed.
 *
 * While it is open nothing is echoed, and Ctrl-C and Ctrl-Z are keys as well, so that the program
 * that reads them alone decides what ends, and make, which started it, does not. One a process.
 */
#ifndef LIB_KEYBOARD_H
#define LIB_KEYBOARD_H

#include <stdbool.h>

enum { KEY_NONE = -1, KEY_END = 4, KEY_INTERRUPT = 3, KEY_SUSPEND = 26 }; /* Ctrl-D, C, Z */

/* Standard input has to be a terminal; false if it is none. */
bool keyboard_open(void);
/* The terminal as it was before. */
void keyboard_close(void);
/* The next key, or KEY_NONE after so many milliseconds or a signal; KEY_END if the terminal is
 * gone. What a special key sends is left out. */
int keyboard_key(int most_ms);
/* Stop the whole job, as Ctrl-Z does elsewhere; returns when it goes on. */
void keyboard_suspend(void);

#endif
