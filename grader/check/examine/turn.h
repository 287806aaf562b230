/* turn.h - who may use the GPU, when several checks of a course run at a time.
 *
 * Checks share the device as long as they look at results only. One that times has it alone; and
 * one at a time may fill its memory. There are three files, locked with flock, so that a turn ends
 * with the process that has it: all who use the device lock NAME, shared or alone; who waits for
 * that locks NAME.door, one at a time, so that no other passes it; who fills the memory locks
 * NAME.memory.
 *
 * Order of calls: turn_open, turn_share, any of the others, turn_close. Without a name all of them
 * do nothing: a simulated device is each check's own.
 */
#ifndef EXAMINE_TURN_H
#define EXAMINE_TURN_H

#include <stdbool.h>

struct turn {
    int device, door, memory;      /* descriptors; -1 without */
    double waited_seconds;         /* in all */
};

/* name: of the first file, "" for none. Where it cannot be made, there are no turns either. */
void turn_open(struct turn *turn, const char *name);
/* Use the device, and let others use it. */
void turn_share(struct turn *turn);
/* Use it alone. What was shared before is given up while waiting. */
void turn_alone(struct turn *turn);
/* Fill the device's memory, or be done with that. */
void turn_take_memory(struct turn *turn);
void turn_give_memory(struct turn *turn);
void turn_close(struct turn *turn);

#endif
