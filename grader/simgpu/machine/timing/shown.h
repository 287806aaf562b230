/* shown.h - how much of a launch its traces show. */
#ifndef SIM_SHOWN_H
#define SIM_SHOWN_H

#include "timing.h"

/* How many blocks are worth replaying. */
uint32_t traces_to_replay(const struct traces *traces);
/* Warp instructions of the first count blocks. */
struct trace_steps {
    double traced, all;
};
struct trace_steps traces_steps(const struct traces *traces, uint32_t count);

#endif
