/* every_case.h - what a contract says of every call, held in the small cases, too.
 *
 * Most bars are for the timed cases. One launch, no allocation, no copy may be broken in small
 * cases alone: by a second launch for the rest that no tile divides, by a copy of what is not
 * aligned. So the small cases are counted as well, and the first that breaks such a bar
 * (judge_bar.every_case) is kept until the timed cases have been judged. What a contract says of
 * those calls alone that find something made is held in cases that prepare it
 * (judge_bar.when_prepared).
 */
#ifndef EXAMINE_EVERY_CASE_H
#define EXAMINE_EVERY_CASE_H

#include "check/examine/lab.h"

/* The last launch was that of a small case, and right. */
void every_case_note(struct lab *lab, const struct judge_case *problem);
/* The same of two calls that nobody waited between. The wait of the runner's own that follows is
 * one, and may be missing: code of the submission in the same process can make it do nothing, and
 * wait in its place. Then the first of the two calls was still waited for. */
void every_case_note_two(struct lab *lab, const struct judge_case *problem);
/* False, with a finding, when a case that was noted breaks a bar for every case. */
bool every_case_holds(const struct lab *lab, struct finding *finding);
/* False, with a finding, when the call of a case that was reported breaks one. */
bool every_case_holds_in(const struct lab *lab, const struct judge_case *problem,
                         const struct simgpu_report *report, struct finding *finding);

#endif
