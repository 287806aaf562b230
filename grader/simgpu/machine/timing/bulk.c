/* bulk.c - bulk copies in the replay. A thread hands one to the copy engine with a single
 * instruction and goes on; the engine asks L2 for line after line, past L1's tags, and moves them
 * through shared memory. Threads wait for it at the mbarrier where the bytes are counted, or for
 * their groups of copies.
 */
#include "multiprocessor_internal.h"
#include "trace_words.h"

/* One access of the copy, as traced: when it is through. */
static double move(struct machine_state *state, const struct timed_op *op,
                   const struct trace_item *item, double now)
{
    struct op_cycles *cycles = &state->replay->ops[op->id];
    double through = hierarchy_access(state->hierarchy, now, item->words[1], item->passes,
                                      item->lines, op->cost.past_l1);
    if (item->how == TRACE_SHARED)
        cycles->passes += item->passes;
    if (trace_is_plain(item->how))
        cycles->sectors += trace_sectors(item->lines, item->count);
    return through;
}

void bulk_copy_in_time(struct machine_state *state, struct timed_warp *warp,
                       const struct timed_op *op, double now)
{
    uint32_t at = op->memory == NO_MEMORY ? 0 : warp->access[op->memory];
    double ready = now;
    struct trace_item item;
    while (at && trace_next(warp->trace, &at, &item) && item.tag == TRACE_ACCESS &&
           item.value == op->id)
        if (item.how != TRACE_ARRIVAL) {
            ready = later(ready, move(state, op, &item, now) + state->model->engine_cycles);
        } else {
            barrier_bytes_come(state, warp, item.lines[0], ready);
            ready = now;
        }
    timed_copies_add(&warp->bulk, op->id, ready);
    if (ready > warp->drained) {
        warp->drained = ready;
        warp->drained_by = op->id;
    }
    warp->left_at = later(warp->left_at, ready);
}
