/* touches.h - when the blocks of a launch touched global memory, for a sample of its lines.
 *
 * The machine runs blocks one after the other; a device runs as many at once as it holds, a wave.
 * So the time of a touch is virtual: the number of its block's wave, and how many instructions its
 * warp had done. Blocks of a wave that touch a line at the same virtual time do so side by side.
 *
 * Lines are sampled by a hash of their address: all touches of a line are kept, or none. The more
 * there are, the fewer lines are kept; which ones they are does not depend on the number of
 * workers.
 */
#ifndef SIM_TOUCHES_H
#define SIM_TOUCHES_H

#include "observers.h"

enum { TOUCH_PIECE_BYTES = 64, TOUCH_LINE_BYTES = 128 }; /* what DRAM moves; what L2 keeps */

struct touch {
    uint64_t wave_steps; /* wave << 40 | steps of its warp */
    uint64_t piece;      /* address / TOUCH_PIECE_BYTES */
    uint32_t op;         /* its id */
    bool again;          /* its block had touched the piece before */
    bool stores;         /* and does not want what was there */
};

/* Of all touches, those of a share of the lines, sorted by piece, then by time. */
struct touch_sample {
    struct touch *touches;
    size_t count;
    double share; /* of all lines */
};

static inline uint64_t touch_wave(const struct touch *touch)
{
    return touch->wave_steps >> 40;
}

/* What all workers kept. Nothing when memory is exhausted, or the launch is sampled (sample.h):
 * then most blocks never ran. The caller frees touches. */
struct touch_sample touches_collect(const struct launch *launch);

#endif
