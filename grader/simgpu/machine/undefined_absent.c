/* undefined_absent.c - what a lane gets from one that takes no part in a shuffle: undefined, and no
 * fault before something hangs on it. The last lanes of a block of 20 threads often get such values
 * and drop them.
 */
#include "undefined.h"

void undefined_from_absent(struct warp *warp, lane_mask lanes, const int *from)
{
    struct undefined *undefined = warp->undefined;
    undefined->brought = lanes;
    FOR_ACTIVE(lane, lanes)
    undefined->address[lane] = (uint64_t)from[lane];
    warp->doubt = true;
    warp->run_end = NULL;
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
    FOR_ACTIVE(lane, lanes)
    outcome.origin[lane] = (struct origin){.op = op, .line = line,
                                           .address = undefined->address[lane],
                                           .space = FROM_LANE, .lane = (uint8_t)lane,
                                           .bytes = (uint8_t)bytes};
    undefined_put(warp, undefined_place(warp, op->dst), bytes, lanes, &outcome);
}
