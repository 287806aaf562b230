/* draws.c - see draws.h. */
#include "draws.h"
#include "lanes.h"
#include "queue.h"
#include "sample.h"

void draws_begin(struct draws *draws, const struct launch *launch)
{
    draws->queue =
        queue_is_used(sample_queue(launch->sample)) ? sample_queue(launch->sample) : NULL;
    draws->drawn = draws->read = 0;
}

static uint64_t address_of(struct warp *warp, const struct op *op, int lane)
{
    if (op->src_bytes == 8) {
        SOURCE(uint64_t, base, 0);
        return base[lane] + (uint64_t)op->offset;
    }
    SOURCE(uint32_t, base, 0);
    return base[lane] + (uint32_t)op->offset;
}

static bool is_one(lane_mask active)
{
    return !(active & (active - 1));
}

static void put(struct warp *warp, const struct op *op, lane_mask active, uint32_t to,
                uint64_t value)
{
    FOR_ACTIVE (lane, active)
        memcpy((char *)reg(warp, to) + (size_t)lane * op->dst_bytes, &value, op->dst_bytes);
}

bool draws_give(struct draws *draws, struct warp *warp, const struct op *op, lane_mask active)
{
    const struct launch *launch = block_launch(warp);
    if (!draws->queue || !is_one(active) || op->dst == NO_REGISTER || op->dst_bytes > 8)
        return false;
    int counter =
        queue_foresee(draws->queue, warp, op, active, address_of(warp, op, __builtin_ctz(active)));
    if (counter < 0)
        return false;
    const struct queue_slot *slot = queue_slot(draws->queue);
    bool is_of_slot = slot->is_known ? (uint32_t)counter == slot->counter : draws->learns;
    draws->latest = draws->ends ? queue_last_value(draws->queue, launch, (uint32_t)counter)
                                : queue_value(draws->queue, launch, (uint32_t)counter,
                                              warp->block->number, is_of_slot ? draws->drawn : 0);
    draws->counter = (uint32_t)counter;
    draws->is_odd |= is_of_slot && slot->is_known && draws->read != draws->drawn;
    draws->drawn += is_of_slot;
    put(warp, op, active, op->dst, draws->latest);
    return true;
}

void draws_pass(struct draws *draws, struct warp *warp, const struct op *op, lane_mask active)
{
    struct queue_slot *slot = draws->queue ? queue_slot(draws->queue) : NULL;
    uint64_t value = 0;
    if (!draws->learns || !slot || slot->is_known || !draws->drawn || !is_one(active) ||
        op->count != 1 || op->dst_bytes > 8)
        return;
    int lane = __builtin_ctz(active);
    memcpy(&value, (char *)reg(warp, op->list[0]) + (size_t)lane * op->dst_bytes, op->dst_bytes);
    if (value == draws->latest)
        *slot = (struct queue_slot){true, address_of(warp, op, lane), op->bytes, draws->counter};
}

bool draws_bring(struct draws *draws, struct warp *warp, const struct op *op, lane_mask active)
{
    const struct queue_slot *slot = draws->queue ? queue_slot(draws->queue) : NULL;
    if (!slot || !slot->is_known || op->space != SPACE_SHARED || op->count != 1 ||
        op->bytes != slot->bytes || address_of(warp, op, __builtin_ctz(active)) != slot->address)
        return false;
    uint32_t to = op->list ? op->list[0] : op->dst;
    uint64_t value = draws->ends ? draws->latest
                                 : queue_value(draws->queue, block_launch(warp), slot->counter,
                                               warp->block->number, draws->read);
    draws->read++;
    put(warp, op, active, to, value);
    return true;
}

void draws_note_store(struct draws *draws, struct warp *warp, const struct op *op, lane_mask active)
{
    if (!draws->ends || !draws->queue || !is_one(active) || op->count != 1)
        return;
    int lane = __builtin_ctz(active);
    int counter = queue_counter(draws->queue, address_of(warp, op, lane), op->bytes);
    uint64_t value = 0;
    memcpy(&value, (char *)reg(warp, op->list[0]) + (size_t)lane * op->dst_bytes, op->bytes);
    if (counter >= 0)
        queue_note_set(draws->queue, (uint32_t)counter, value);
}
