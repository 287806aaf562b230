/* rules.h - are the rules of a contract kept on the GPU itself? A call is captured into a graph in
 * its own process, and the nodes of that graph are counted.
 *
 * On the simulated device a call's launches are counted from the same PTX, without trusting the
 * submission. This file is about a submission that does something else on a GPU, because a
 * condition in its host code differs there, or because the simulated device confuses one of its
 * calls with another. The counts come from the submission's own process, so they test honest code,
 * but not code that lies. Such code still cannot hide the time of what the device does (rule.h),
 * and the sandbox has no library but the lesson's.
 */
#ifndef EXAMINE_RULES_H
#define EXAMINE_RULES_H

#include "check/examine/sets.h"

/* For the case of the sets: first captures the reference's call, and stops there if that is not
 * possible; then the submission's, in lab->link. Both runners listen, and have been shown their
 * sides. False with a finding: a rule is broken, or a runner failed. */
bool rules_hold(struct lab *lab, const struct sets *sets, struct link *reference,
                struct finding *finding);

#endif
