/* watch.h - what the grader itself sees of a GPU's time: a clock, and whether the device is alone.
 *
 * Nothing here takes a word of a submission's. What a watched kernel and a clock can say is all
 * that the answer rests on (rule.h), so a test of that road brings its own: grader/tests/scripted/.
 */
#ifndef EXAMINE_WATCH_H
#define EXAMINE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The clock that windows are timed by, from some moment on. */
int64_t watch_clock_ns(void);

/* A GPU runs one process's work at a time, in slices of 2.4 ms on an H200. So a kernel of ours that
 * starts late, or stands still in between, shows that the device had other work to do; and it sees
 * that whoever's work it is. */
struct watched {
    double duration_ns;            /* of the kernel, by the device's clock */
    double late_ns;                /* from the call to its start and from its end to our return */
    double gap_ns;                 /* the longest time that it stood still */
};
/* Returns when the device is done. False: the device refuses. */
bool watch_device(double duration_ns, struct watched *seen);

#ifdef __cplusplus
}
#endif

#endif
