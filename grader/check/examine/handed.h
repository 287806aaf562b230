/* handed.h - the file that one process of a case hands to the next: judge_call.file. It goes
 * through the grader, in memory without a name. */
#ifndef EXAMINE_HANDED_H
#define EXAMINE_HANDED_H

#include "check/examine/lab.h"

/* 0 when nothing was passed on. */
uint64_t handed_bytes(const struct lab *lab);
/* Let the judge change it before the next process gets it, if the case says so
 * (judge_case.tampers). False, with a finding, when that is not possible. */
bool handed_tamper(const struct lab *lab, const struct judge_case *problem,
                   struct finding *finding);

#endif
