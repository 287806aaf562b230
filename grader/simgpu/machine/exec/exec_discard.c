/* exec_discard.c - discard.L2 (PTX ISA 9.7.9): the lines hold anything from then on.
 *
 * The manual calls it "a weak write of an unstable indeterminate value". So here it is a write by
 * the thread, of values that the launch's seed draws: a kernel is found out that still relies on
 * the old contents, that races with the write, or that discards memory which is not its own.
 */
#include "access.h"
#include "drawn_pattern.h"
#include "lanes.h"
#include "opcode.h"

#include <inttypes.h>

static void discard_line(struct warp *warp, const struct op *op, int lane, uint64_t address)
{
    const struct sim_launch_config *config = &block_launch(warp)->config;
    uint64_t state = config->seed + config->approximation_seed + config->sampling.seed + address;
    struct access access;
    struct shape shape;
    if (address % LINE_BYTES) {
        fault_raise(warp, op, SIM_FAULT_MISALIGNED, lane,
                    "discards 0x%" PRIx64 ", which is not a multiple of %d", address, LINE_BYTES);
        return;
    }
    if (!access_bulk_begin(&access, &shape, warp, op, lane, ACCESS_STORE, SPACE_GLOBAL, address,
                           LINE_BYTES) ||
        !access_bulk_tell_one(&access))
        return;
    for (uint32_t at = 0; at < LINE_BYTES; at += sizeof(uint64_t)) {
        uint64_t word = sim_stream_word(state, at);
        memcpy(access.host + at, &word, sizeof word);
    }
}

static void discard_at(struct warp *warp, const struct op *op, lane_mask active, enum space space,
                       const uint64_t *address)
{
    if (space != SPACE_GLOBAL)
        return;
    FOR_ACTIVE (lane, active)
        if (!block_launch(warp)->faulted)
            discard_line(warp, op, lane, address[lane]);
}

HANDLER(discard)
{
    access_by_space(warp, op, active, discard_at);
}
