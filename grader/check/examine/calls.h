/* calls.h - what all calls of the launchers together have shown, whatever the case.
 *
 * The small cases may be examined by another process than the timed ones (check/halves.h). So this
 * is asked of each process, about its own calls.
 */
#ifndef EXAMINE_CALLS_H
#define EXAMINE_CALLS_H

#include "check/examine/lab.h"

/* Do they keep what a contract says of every call (every_case.h), and take the host little time
 * (host.h)? False with a finding; then what the outcome says besides is added to said. */
bool calls_hold(struct lab *lab, json_t *said, struct finding *finding);
/* What an outcome says of a finding about a rule for every call: which one, and in which case. */
void calls_say_broken(const struct finding *finding, json_t *said);

#endif
