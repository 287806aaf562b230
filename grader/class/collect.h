/* collect.h - the job after the jobs of a run: what was judged comes into the gradebook, and what
 * was left is judged again (slurm.h).
 *
 * A task without a record was not judged, whatever the reason: its node died, its time was up. It
 * is submitted again, at most twice; then the mark stays undecided, and says why. A verdict is
 * never asked for twice.
 */
#ifndef CLASS_COLLECT_H
#define CLASS_COLLECT_H

#include "check/course.h"
#include "lib/terminal.h"

/* The exit status: 0, also when tasks were submitted again or are left undecided. */
int grade_collect(const struct course *course, const char *out, const struct terminal *terminal);

#endif
