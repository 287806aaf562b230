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

#endif
