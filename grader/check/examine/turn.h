/* turn.h - which check may use the GPU when several checks of a course run at the same time.
 *
 * Checks share the device as long as they need only results. One that measures time has it alone;
 * and only one at a time may fill its memory. There are three files, locked with flock, so that a
 * turn ends with its process. A process that uses the device locks NAME, shared or exclusively; one
 * that waits for that locks NAME.door, so that no other overtakes it; one that fills the memory
 * locks NAME.memory.
 *
 * Order of calls: turn_open, turn_share, any of the others, turn_close. Without a name all of them
 * do nothing: each check has a simulated device of its own.
 */
#ifndef EXAMINE_TURN_H
#define EXAMINE_TURN_H

#include <stdbool.h>

struct turn {
    int device, door, memory; /* descriptors; -1 without */
    double waited_seconds;    /* in all */
};

/* name: of the first file, "" for none. Where it cannot be made, there are no turns either. */
void turn_open(struct turn *turn, const char *name);
/* Use the device, and let others use it. */
void turn_share(struct turn *turn);
/* Use it alone. A shared turn is given up while waiting. */
void turn_alone(struct turn *turn);
/* Begin to fill the device's memory, or end that. */
void turn_take_memory(struct turn *turn);
void turn_give_memory(struct turn *turn);
void turn_close(struct turn *turn);

#endif
