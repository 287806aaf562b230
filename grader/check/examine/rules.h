/* rules.h - are the rules of a contract kept on the GPU itself? A call is captured into a graph in
 * its own process, and the nodes of that graph are counted.
 *
 * What a call launches is counted without any word of the submission's on the simulated device,
 * from the same PTX. This is about a submission that does otherwise on a GPU, because a condition
 * in its host code has another answer there, or by a call that the simulated device knows as
 * another one: the counts are told by the process that it runs in, so they hold honest work to the
 * contract, and nobody who lies. What a liar cannot escape is the time of all that the device does
 * (rule.h), and that no library lies in the sandbox but the lesson's.
 */
#ifndef EXAMINE_RULES_H
#define EXAMINE_RULES_H

#include "check/examine/sets.h"

/* Of the case that the sets are for: first the reference's call, which has to be one that can be
 * captured, or nothing is asked; then the submission's, in lab->link. Both runners listen, and have
 * been shown their sides. False with a finding: a rule is broken, or a runner failed. */
bool rules_hold(struct lab *lab, const struct sets *sets, struct link *reference,
                struct finding *finding);

#endif
