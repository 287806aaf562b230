/* again.h - a verdict that takes no points is believed only if the submission did not cause it.
 *
 * A stage ends with DEVICE or INTERNAL when something of the grader's own failed: memory for a
 * case, a copy, a process. A submission can cause that, or just claim it, by keeping all memory of
 * the device, filling the machine with processes, or saying that there is no device. So the grader
 * tests the machine after the submission's process has ended: it uses the device itself, and takes
 * the reference through the same stage. If that fails, the verdict stands. If not, the submission's
 * stage runs once more; if it fails again, while everything works without it, the verdict is
 * DISTURBS. In the same way a submission's process that fails is not blamed if the reference's
 * fails too. (If the device, or this process, does not survive the submission: ../road_again.c.)
 */
#ifndef EXAMINE_AGAIN_H
#define EXAMINE_AGAIN_H

#include "check/examine/lab.h"

typedef json_t *again_stage(struct lab *lab, void *context);

/* Run a stage, and run it once more if the rule above says so. Returns its outcome; stage makes it,
 * and may be called several times. */
json_t *again_run(struct lab *lab, again_stage *stage, void *context);

#endif
