/* again.h - a verdict that takes no points is believed only when it is not the submission's doing.
 *
 * A stage ends with DEVICE or INTERNAL when something of the grader's own failed: memory for a
 * case, a copy, a process. A submission can bring that about, or just say so: it keeps all memory
 * of the device, fills the machine with processes, claims that there is no device. So the grader
 * asks the machine, with the submission's process gone: it uses the device itself, and takes the
 * reference through the same stage. If that fails, the verdict stands. If not, the submission's
 * stage runs once more; and what fails again, while all works without it, is DISTURBS, its own. In
 * the same way a process that does not come through is not blamed where the reference's does not.
 * (Where the device, or this process, does not survive the submission: ../road_again.c.)
 */
#ifndef EXAMINE_AGAIN_H
#define EXAMINE_AGAIN_H

#include "check/examine/lab.h"

typedef json_t *again_stage(struct lab *lab, void *context);

/* Run a stage, and once more where the lines above say so. Returns its outcome; stage makes it, and
 * may be called several times. */
json_t *again_run(struct lab *lab, again_stage *stage, void *context);

#endif
