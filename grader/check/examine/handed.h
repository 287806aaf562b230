/* handed.h - the file that one process of a case hands to the next: judge_call.file. It goes
 * through the grader, in memory that has no name. */
#ifndef EXAMINE_HANDED_H
#define EXAMINE_HANDED_H

#include "check/examine/lab.h"

/* 0 when nothing was handed on. */
uint64_t handed_bytes(const struct lab *lab);
/* What the judge makes of it before the next process gets it, where the case says so
 * (judge_case.tampers). False, with a finding, when that cannot be done. */
bool handed_tamper(const struct lab *lab, const struct judge_case *problem,
                   struct finding *finding);

#endif
