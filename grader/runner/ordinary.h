/* ordinary.h - lets the runner look like any program, before a submission is loaded into it.
 *
 * Who could tell the grader's process by its name, its words or the numbers of its descriptors,
 * could be right there and nowhere else. A student's own program has a name that nobody knows, so
 * this one has a name that is drawn; its own descriptors lie where a program that opens a few files
 * has none, at numbers that are drawn too.
 */
#ifndef RUNNER_ORDINARY_H
#define RUNNER_ORDINARY_H

#include "runner/protocol.h"

#include <stdbool.h>

/* Takes a name that is drawn, and takes the words that the process was started with out of its
 * memory: they must not be read afterwards. */
void ordinary_name(int argc, char **argv);

/* Moves the grader's descriptors but RUNNER_DEVICE_FD, which the device's client looks for: at[i]
 * is where number i lies now. Programs that this one starts do not get them. */
bool ordinary_move(int at[RUNNER_FDS]);

#endif
