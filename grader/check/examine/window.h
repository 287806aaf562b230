/* window.h - a window around each call of a launcher: the simulated device's (simgpu.h).
 *
 * While shut, it stops every program but this one, so that the launcher finds what is written then,
 * and what is read then is what the launcher left. While open, it lets the processes of one runner
 * work. On a GPU there is no window: all of these calls succeed and do nothing.
 *
 * Stages need not call these: lab_run does.
 */
#ifndef EXAMINE_WINDOW_H
#define EXAMINE_WINDOW_H

#include "check/examine/lab.h"

enum window_edge { WINDOW_BEFORE, WINDOW_AFTER }; /* of the call */

/* Every program may work; the work of link's program is reported from now on. link may be NULL. */
bool window_release(struct lab *lab, const struct link *link);
/* False, with a finding, when link's program had work on the device at that moment: work that
 * crosses the edge of a call is not part of it. */
bool window_shut(struct lab *lab, const struct link *link, enum window_edge edge,
                 struct finding *finding);
/* The work of link's program is reported from now on, and no other program may work. */
bool window_open(struct lab *lab, const struct link *link, struct finding *finding);
/* On a GPU: end the processes that are stopped now, at once. */
void window_end(struct lab *lab);

#endif
