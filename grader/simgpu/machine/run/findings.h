/* findings.h - faults of a launch that goes on in spite of them; see findings.c. */
#ifndef SIM_FINDINGS_H
#define SIM_FINDINGS_H

#include "machine_internal.h"

struct finding_pair {
    enum sim_fault_kind kind;
    uint32_t op, other; /* ids; other: of the other party, or of op again */
};

/* Count a fault of a pair that is known. False, with nothing done, if the pair is new, or was found
 * only in higher blocks so far: findings_add is then to be called with the fault's text. */
bool findings_again(struct launch *launch, const struct finding_pair *pair, uint64_t block);
/* False when there is no room: the launch has to end then. */
bool findings_add(struct launch *launch, const struct finding_pair *pair, uint64_t block,
                  const struct sim_fault *fault);

#endif
