/* ordinary.h - makes the runner look like any program, before a submission is loaded into it.
 *
 * A submission that recognised the grader's process by its name, arguments or descriptor numbers
 * could be right there and nowhere else. The name of a student's own program cannot be known, so
 * this process gets a drawn name. Its own descriptors get drawn numbers, too, where a program that
 * opens a few files has none.
 */
#ifndef RUNNER_ORDINARY_H
#define RUNNER_ORDINARY_H

#include "runner/protocol.h"

#include <stdbool.h>

/* Takes a drawn name, and removes the process's arguments from its memory: they must not be read
 * afterwards. */
void ordinary_name(int argc, char **argv);

/* Moves the grader's descriptors, except RUNNER_DEVICE_FD, which the device's client looks for:
 * number i is now at[i]. Programs that this one starts do not get them. */
bool ordinary_move(int at[RUNNER_FDS]);

#endif
