/* shuffle.h - which lane a lane of shfl gets its value from (PTX ISA 9.7.9.6). */
#ifndef SIM_SHUFFLE_H
#define SIM_SHUFFLE_H

#include "opcode.h"

enum shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

static inline enum shuffle shuffle_mode(const struct op *op)
{
    return op->run == shfl_up     ? SHUFFLE_UP
           : op->run == shfl_down ? SHUFFLE_DOWN
           : op->run == shfl_bfly ? SHUFFLE_BFLY
                                  : SHUFFLE_IDX;
}

/* clang-format off */
/* Operand c packs the segment mask in bits 8..12 and the clamp in bits 0..4. A lane whose source
 * lies outside its segment keeps its own value and gets a false predicate. */
static inline int shuffle_source(enum shuffle mode, int lane, uint32_t b, uint32_t c, bool *valid)
{
    int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31), by = (int)(b & 31);
    int most = (lane & segment) | (clamp & ~segment), from = lane;
    switch (mode) {
    case SHUFFLE_UP: from = lane - by; *valid = from >= most; break;
    case SHUFFLE_DOWN: from = lane + by; *valid = from <= most; break;
    case SHUFFLE_BFLY: from = lane ^ by; *valid = from <= most; break;
    case SHUFFLE_IDX: from = (lane & segment) | (by & ~segment); *valid = from <= most; break;
    }
    return *valid ? from : lane;
}
/* clang-format on */

#endif
