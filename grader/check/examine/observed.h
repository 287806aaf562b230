/* observed.h - what was not observed is not proved. */
#ifndef EXAMINE_OBSERVED_H
#define EXAMINE_OBSERVED_H

#include "check/examine/figures.h"
#include "check/examine/lab.h"

/* Did the device observe the work of a case: something that ran, took time and wrote as many bytes
 * as the outputs have, and the runner's own waits? False, with a finding. */
bool observed(const struct lab *lab, const struct judge_case *problem,
              const struct simgpu_report *report, const struct figures *figures,
              struct finding *finding);

/* Where only some blocks ran: do the blocks, each weighted by the number that it represents, store
 * about as much as the outputs have? If not, this proves only that they cannot represent all: where
 * one block does the work of hundreds, too few of that kind are often drawn. */
bool observed_stand_for_all(const struct lab *lab, const struct judge_case *problem,
                            const struct simgpu_report *report);

#endif
