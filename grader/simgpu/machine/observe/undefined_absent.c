/* undefined_absent.c - what a lane gets from one that takes no part in a shuffle: it is undefined,
 * and no fault until something depends on it. The last lanes of a block of 20 threads often get
 * such values and drop them.
 */
#include "undefined.h"

void undefined_from_absent(struct warp *warp, lane_mask lanes, const int *from)
{
    struct undefined *undefined = warp->undefined;
    undefined->brought = lanes;
    FOR_ACTIVE (lane, lanes)
        undefined->address[lane] = (uint64_t)from[lane];
    warp->doubt = true;
    warp->run_end = NULL;
}

/* The last warp of a block may have fewer lanes than 32. */
static bool exists(const struct warp *warp, uint64_t lane)
{
    return warp->index * WARP_LANES + lane < block_launch(warp)->block_threads;
}

void undefined_take_absent(struct warp *warp, const struct op *op, lane_mask active)
{
    const struct undefined *undefined = warp->undefined;
    const struct sim_line *line = fault_own_line(warp, op);
    struct outcome outcome;
    lane_mask lanes = active & undefined->brought;
    unsigned bytes = undefined_info(warp, op)->result_bytes;
    if (op->dst == NO_REGISTER)
        return;
    memset(outcome.bits, 0xFF, sizeof outcome.bits);
    FOR_ACTIVE (lane, lanes)
        outcome.origin[lane] = (struct origin){
            .op = op,
            .line = line,
            .address = undefined->address[lane],
            .space = exists(warp, undefined->address[lane]) ? FROM_LANE : FROM_NO_LANE,
            .lane = (uint8_t)lane,
            .bytes = (uint8_t)bytes};
    undefined_put(warp, undefined_place(warp, op->dst), bytes, lanes, &outcome);
}
