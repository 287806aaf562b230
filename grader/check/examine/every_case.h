/* every_case.h - what a contract says of every call, tested in the small cases, too.
 *
 * Most bars are for the timed cases. "One launch, no allocation, no copy" may be broken in small
 * cases alone: by a second launch for the remainder that no tile covers, or by a copy of unaligned
 * data. So the small cases are counted as well, and the first that breaks such a bar
 * (judge_bar.every_case) is kept until the timed cases have been judged. If a contract says
 * something only of calls after a preparation, cases that prepare test it
 * (judge_bar.when_prepared).
 */
#ifndef EXAMINE_EVERY_CASE_H
#define EXAMINE_EVERY_CASE_H

#include "check/examine/lab.h"

/* Note that the last launch was that of a small case, and right. */
void every_case_note(struct lab *lab, const struct judge_case *problem);
/* The same for two calls without a wait of the grader's between them. The runner waits once after
 * them, and even that may be missing: code of the submission in the same process can disable it,
 * and wait instead. Then there was still a wait for the first of the two calls. */
void every_case_note_two(struct lab *lab, const struct judge_case *problem);
/* False, with a finding, when a case that was noted breaks a bar for every case. */
bool every_case_holds(const struct lab *lab, struct finding *finding);
/* False, with a finding, when the call of a case that was reported breaks one. */
bool every_case_holds_in(const struct lab *lab, const struct judge_case *problem,
                         const struct simgpu_report *report, struct finding *finding);

#endif
