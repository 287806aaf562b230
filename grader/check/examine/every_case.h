/* every_case.h - a contract's rules for every call, also tested in the small cases.
 *
 * Most bars are for the timed cases. "One launch, no allocation, no copy" may be broken in small
 * cases alone: by a second launch for the remainder that no tile covers, or by a copy of unaligned
 * data. So the small cases are counted as well, and the first that breaks such a bar
 * (judge_bar.every_case) is kept until the timed cases have been judged. If a rule holds only for
 * calls after a preparation, cases that prepare test it (judge_bar.when_prepared).
 */
#ifndef EXAMINE_EVERY_CASE_H
#define EXAMINE_EVERY_CASE_H

#include "check/examine/lab.h"

/* Note that the last launch was of a small case, and was right. */
void every_case_note(struct lab *lab, const struct judge_case *problem);
/* The same for two calls without a wait of the grader's between them. The runner waits once after
 * them, and even that wait may be missing: the submission's code in the same process can disable
 * it, and wait instead. In that case the submission still waited for the first of the two calls. */
void every_case_note_two(struct lab *lab, const struct judge_case *problem);
/* False, with a finding, when a noted case misses a bar for every case. */
bool every_case_holds(const struct lab *lab, struct finding *finding);
/* False, with a finding, when the reported call of a case misses one. */
bool every_case_holds_in(const struct lab *lab, const struct judge_case *problem,
                         const struct simgpu_report *report, struct finding *finding);

#endif
