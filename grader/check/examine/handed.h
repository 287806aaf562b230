/* handed.h - the file that one process of a case hands to the next: judge_call.file. It goes
 * through the grader, in memory without a name. Each process has a file of its own (link_spec), so
 * one that is still there cannot see what the next one gets, or tell it anything. */
#ifndef EXAMINE_HANDED_H
#define EXAMINE_HANDED_H

#include "check/examine/lab.h"

/* Give what one process left to the next, changed by the judge if the case says so
 * (judge_case.tampers); lab.handed_bytes is its size, 0 if it left nothing. False, with a finding,
 * when that is not possible. */
bool handed_on(struct lab *lab, const struct link *from, const struct link *to,
               const struct judge_case *problem, struct finding *finding);

#endif
