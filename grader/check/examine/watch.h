/* watch.h - what the grader itself sees of a GPU's time: a clock, and whether the device has other
 * work.
 *
 * Nothing here trusts a submission. The answer rests only on a watched kernel and a clock (rule.h),
 * so a test of timing brings its own: grader/tests/scripted/.
 */
#ifndef EXAMINE_WATCH_H
#define EXAMINE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The clock by which windows are timed; its origin is arbitrary. */
int64_t watch_clock_ns(void);

/* A GPU runs one process's work at a time, in slices of 2.4 ms on an H200. So if a kernel of ours
 * starts late, or pauses in between, the device had other work to do, whichever process it belongs
 * to. */
struct watched {
    double duration_ns; /* of the kernel, by the device's clock */
    double late_ns;     /* from the call to its start and from its end to our return */
    double gap_ns;      /* its longest pause */
};
/* Returns when the device is done. False: the device refuses. */
bool watch_device(double duration_ns, struct watched *seen);

#ifdef __cplusplus
}
#endif

#endif
