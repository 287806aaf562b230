/* barriers.c - warps that wait for each other in the replay: at the block's barriers, generation
 * after generation, and at the phases of mbarriers. The trace says how many warps each waits for.
 */
#include "multiprocessor_internal.h"

static void release_barrier(struct machine_state *state, struct running_block *block,
                            uint32_t generation, double time)
{
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct timed_warp *warp = &state->warps[block->first_warp + i];
        if (warp->state != STATE_AT_BARRIER || warp->generation != generation)
            continue;
        warp->state = STATE_RUNS;
        warp->ready = time;
        multiprocessor_charge(state, warp, warp->waits_for, SIM_WAIT_BARRIER, time);
        multiprocessor_prepare(state, warp);
    }
}

/* One more of those that the barrier waits for has arrived; the last lets all go. */
static void count_arrived(struct machine_state *state, const struct timed_warp *warp,
                          uint32_t generation, double arrived)
{
    struct running_block *block = &state->blocks[warp->block];
    const struct block_trace *trace = &state->traces->blocks[warp->block];
    block->latest[generation] = later(block->latest[generation], arrived);
    if (++block->arrived[generation] >= trace->barrier_warps[generation])
        release_barrier(state, block, generation,
                        block->latest[generation] + state->model->release_cycles);
}

static void count_arrival(struct machine_state *state, const struct timed_warp *warp,
                          uint32_t generation, double now)
{
    count_arrived(state, warp, generation, hierarchy_arrive(state->hierarchy, now));
}

void barrier_arrive(struct machine_state *state, struct timed_warp *warp, const struct timed_op *op,
                    double now)
{
    warp->waits_for = op->id;
    if (warp->generation >= state->traces->blocks[warp->block].barrier_count) {
        multiprocessor_prepare(state, warp);
        return;
    }
    warp->state = STATE_AT_BARRIER;
    if (op->cost.of_cluster) /* assumed to take as long as an access: no figure is published */
        now += state->launch->context->machine->profile.cluster_latency_cycles;
    count_arrival(state, warp, warp->generation, now);
}

/* The phase that an operation on an mbarrier belongs to; NO_BARRIER when the trace has none, or has
 * instead the time for which it waited in vain. */
static uint32_t phase_of(const struct timed_warp *warp, const struct timed_op *op)
{
    const struct warp_trace *trace = warp->trace;
    uint32_t at = op->memory == NO_MEMORY ? 0 : warp->access[op->memory];
    bool has = at && at + 2 < trace->count && trace->words[at + 1] >> 24 != TRACE_SLEEP;
    return has ? trace->words[at + 2] : NO_BARRIER;
}

void barrier_arrive_at_phase(struct machine_state *state, struct timed_warp *warp,
                             const struct timed_op *op, double now)
{
    uint32_t phase = phase_of(warp, op);
    if (phase >= state->traces->blocks[warp->block].barrier_count)
        return;
    count_arrival(state, warp, phase, op->awaits_copies ? later(now, warp->copies.ready) : now);
}

void barrier_bytes_come(struct machine_state *state, const struct timed_warp *warp, uint32_t phase,
                        double when)
{
    if (phase < state->traces->blocks[warp->block].barrier_count)
        count_arrived(state, warp, phase, when);
}

bool barrier_wait_for_phase(struct machine_state *state, struct timed_warp *warp,
                            const struct timed_op *op)
{
    const struct running_block *block = &state->blocks[warp->block];
    const struct block_trace *trace = &state->traces->blocks[warp->block];
    uint32_t phase = phase_of(warp, op);
    if (phase >= trace->barrier_count)
        return false;
    warp->waits_for = op->id;
    if (block->arrived[phase] < trace->barrier_warps[phase]) {
        warp->state = STATE_AT_BARRIER;
        warp->generation = phase;
        return true;
    }
    warp->ready = later(warp->ready, block->latest[phase] + state->model->release_cycles);
    multiprocessor_charge(state, warp, op->id, SIM_WAIT_BARRIER, warp->ready);
    return false;
}

void barrier_release_any(struct machine_state *state)
{
    for (uint32_t i = 0; i < state->warp_count; i++) {
        struct timed_warp *warp = &state->warps[i];
        if (warp->state == STATE_AT_BARRIER) {
            struct running_block *block = &state->blocks[warp->block];
            release_barrier(state, block, warp->generation,
                            block->latest[warp->generation] + state->model->release_cycles);
            return;
        }
    }
}
