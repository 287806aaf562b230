/* admitted.h - which device code the programs that are judged may load.
 *
 * A module comes to the device from the memory of its program, which can change what the compiler
 * made: remove the machine code, which shows registers and spills, or use another kernel's. So the
 * grader says what it built, and nothing else is loaded.
 */
#ifndef ADMITTED_H
#define ADMITTED_H

#include "device.h"

/* Let that library's device code be loaded; from the first one on, no other. False without memory.
 * A library has the device code that nvcc writes: one container, which fills its section. */
bool admitted_add(struct device *device, const unsigned char *library, size_t size_bytes);
/* What is wrong with a module of the client's, in a sentence; NULL when it may be loaded. */
const char *admitted_refusal(const struct client *client, const void *image, size_t size_bytes);

#endif
