/* calls.h - what all calls of the launchers together have shown, in any case.
 *
 * The small cases may be examined by another process than the timed ones (check/halves.h). So this
 * is asked of each process, about its own calls.
 */
#ifndef EXAMINE_CALLS_H
#define EXAMINE_CALLS_H

#include "check/examine/lab.h"

/* Do the calls keep the contract's rules for every call (every_case.h), and take little host time
 * (host.h)? False with a finding; then what else the outcome says is added to said. */
bool calls_hold(struct lab *lab, json_t *said, struct finding *finding);
/* What an outcome says about a finding on a rule for every call: which rule, and in which case. */
void calls_say_broken(const struct finding *finding, json_t *said);

#endif
