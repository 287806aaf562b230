/* multiprocessor.c - runs traces on the schedulers and units of one multiprocessor.
 *
 * Every warp belongs to one scheduler. A scheduler issues at most an instruction a cycle, from any
 * of its warps whose next op is ready: its registers have arrived and its unit is free. The loop
 * below finds, over and over, the op that can issue first; the cycles in between, in which nothing
 * happens, cost nothing to simulate.
 *
 * A warp that waits notes for which op and why: this gives the cost of each source line (see
 * ledger.h).
 */
#include "fetched.h"
#include "multiprocessor_internal.h"
#include "spills.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEVER = 1e30;

/* Predicated instructions that no lane wants are issued all the same, and those that would touch
 * memory pass through L1. */
static void switch_off(struct machine_state *state, struct timed_warp *warp,
                       const struct timed_block *block)
{
    double *issue_free = &state->issue_free[warp->scheduler];
    uint32_t op = warp->schedule->ops[block->first].id;
    *issue_free = later(*issue_free, warp->issued_at + 1) + block->issues;
    warp->ready = later(warp->ready, *issue_free);
    state->replay->issued += block->issues;
    state->hierarchy->asker = &state->replay->ops[op].asked;
    hierarchy_pass(state->hierarchy, *issue_free, block->accesses);
}

/* What ptxas keeps of the op's registers in local memory: a word of a warp's frame is a line. Later
 * warps have the frames of those that are done. */
static void spill(struct machine_state *state, struct timed_warp *warp, const struct timed_op *op)
{
    enum { SPILLS_AT = 1 << 27, ALL_SECTORS = (1 << LINE_SECTORS) - 1 };
    const struct spill *spills = warp->function->spills + op->first_spill;
    uint32_t frame = state->launch->function->ptxas_local_bytes / 4 + 1;
    uint32_t slots = state->traces->resident * state->launch->warp_count;
    uint32_t first = SPILLS_AT + (uint32_t)(warp - state->warps) % slots * frame;
    state->hierarchy->asker = &state->replay->ops[op->id].asked;
    for (uint32_t i = 0; i < op->spill_count; i++) {
        uint32_t lines[4], word = (uint32_t)spills[i].offset_bytes / 4 % frame;
        for (uint32_t j = 0; j < spills[i].words; j++)
            lines[j] = (first + word + j) << LINE_SECTORS | ALL_SECTORS;
        double now = later(warp->ready, state->issue_free[warp->scheduler]);
        state->issue_free[warp->scheduler] += 1;
        state->replay->issued++;
        double through =
            hierarchy_spill(state->hierarchy, now, spills[i].stores, lines, spills[i].words);
        multiprocessor_charge(state, warp, op->id, SIM_WAIT_MEMORY, through);
        warp->ready = later(warp->ready, through);
    }
}

/* Go to the next basic block of the trace; false at its end. */
static bool enter_block(struct machine_state *state, struct timed_warp *warp)
{
    const struct warp_trace *trace = warp->trace;
    if (warp->at >= trace->count)
        return false;
    uint32_t word = trace->words[warp->at++], id = word & TRACE_VALUE;
    const struct function *function = function_of_block(state->launch->function->module, id);
    const struct schedule *schedule =
        schedule_of(function, &state->launch->context->machine->profile);
    uint32_t index = id - function->first_block_id;
    if (!schedule || index >= schedule->block_count ||
        !timed_warp_reserve_registers(warp, schedule->register_count)) {
        state->failed = true;
        return false;
    }
    if (warp->schedule && !timed_warp_follows(warp, schedule, index))
        warp->ready = later(warp->ready, warp->issued_at + state->model->branch_cycles);
    else if (warp->schedule && index == warp->basic_index + 2)
        switch_off(state, warp, &schedule->blocks[index - 1]);
    bool unrolled = schedule->unrolled[index].count && timed_warp_repeats(warp, word, UNROLL);
    warp->function = function;
    warp->schedule = schedule;
    warp->basic_index = index;
    warp->basic_block = unrolled ? &schedule->unrolled[index] : &schedule->blocks[index];
    warp->next = 0;
    warp->present = 1;
    bool ok;
    if (schedule->joined[index].count) {
        warp->basic_block = &schedule->joined[index];
        warp->basic_index = index + schedule->joined[index].members - 1;
        ok = timed_warp_find_joined(warp, function, index);
    } else
        ok = timed_warp_find_accesses(warp, function, unrolled ? UNROLL : 1);
    state->failed |= !ok;
    return !state->failed;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/* A warp goes to the scheduler with the fewest warps: where warps of blocks leave early, no
 * scheduler stays idle (half_leave). */
static uint32_t choose_scheduler(struct machine_state *state)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < state->units.schedulers; i++)
        if (state->warps_of[i] < state->warps_of[best])
            best = i;
    state->warps_of[best]++;
    return best;
}

static void start_block(struct machine_state *state, double now)
{
    uint32_t index = state->next_block++;
    const struct block_trace *trace = &state->traces->blocks[index];
    struct running_block *block = &state->blocks[index];
    double start = now > state->dispatch_free ? now : state->dispatch_free;
    state->dispatch_free = start + state->block_interval;
    state->replay->start[index] = start;
    *block = (struct running_block){.first_warp = state->warp_count,
                                    .warp_count = trace->warp_count,
                                    .left = trace->warp_count};
    block->arrived = calloc(trace->barrier_count + 1, sizeof *block->arrived);
    block->latest = calloc(trace->barrier_count + 1, sizeof *block->latest);
    state->failed |= !block->arrived || !block->latest;
    for (uint32_t i = 0; i < trace->warp_count && !state->failed; i++) {
        struct timed_warp *warp = &state->warps[state->warp_count];
        *warp = (struct timed_warp){.trace = &trace->warps[i],
                                    .block = index,
                                    .scheduler = choose_scheduler(state),
                                    .ready = start,
                                    .issued_at = start,
                                    .charged = start,
                                    .drained = start};
        struct timed_queue *queue = &state->queues[warp->scheduler];
        queue->active[queue->count++] = state->warp_count++;
        state->active_count++;
        multiprocessor_prepare(state, warp);
    }
}

static void finish_warp(struct machine_state *state, struct timed_warp *warp)
{
    struct running_block *block = &state->blocks[warp->block];
    double *finish = &state->replay->finish[warp->block];
    double end = later(warp->issued_at + 1, warp->drained);
    block->left_at = later(block->left_at, later(warp->issued_at + 1, warp->left_at));
    multiprocessor_charge(state, warp, warp->drained_by, SIM_WAIT_MEMORY, warp->drained);
    warp->state = STATE_DONE;
    state->active_count--;
    timed_warp_end(warp);
    state->warps_of[warp->scheduler]--;
    *finish = end > *finish ? end : *finish;
    if (--block->left == 0 && state->next_block < state->block_count)
        start_block(state, block->left_at + state->model->block_cycles +
                               state->model->block_cycles_a_warp * state->traces->resident *
                                   state->launch->warp_count);
}

/* --- Before an op ----------------------------------------------------------------------------- */

/* Count an op as done; remember the cycle at which half of all ops are done. */
static void count_op(struct machine_state *state, const struct timed_warp *warp,
                     const struct timed_op *op, double now)
{
    if (!(warp->present >> op->member & 1))
        return; /* the warp did not enter its basic block */
    struct replay *replay = state->replay;
    replay->ops[op->id].executions++;
    if (++state->ops_done * 2 <= state->ops_expected) {
        replay->half_cycles = later(replay->half_cycles, now);
        if ((state->ops_done + 1) * 2 > state->ops_expected)
            memcpy(replay->half_ops, replay->ops, replay->op_count * sizeof *replay->ops);
    }
}

void multiprocessor_prepare(struct machine_state *state, struct timed_warp *warp)
{
    state->queues[warp->scheduler].changed = true;
    for (;;) {
        while (!warp->basic_block || warp->next == warp->basic_block->count)
            if (!enter_block(state, warp)) {
                finish_warp(state, warp);
                return;
            }
        const struct timed_op *op = timed_warp_next_op(warp);
        uint32_t writer = op->id;
        double ready = timed_warp_registers_ready(warp, op, &writer);
        if (op->spill_count && !state->traces->keeps_registers)
            spill(state, warp, op);
        if (cost_issues(&op->cost) == 0) {
            timed_warp_set_results(warp, op, ready, writer);
            count_op(state, warp, op, warp->issued_at);
            warp->next++;
            continue;
        }
        const struct timed_copies *copies = op->cost.of_bulk ? &warp->bulk : &warp->copies;
        if (op->cost.kind == COST_WAIT && copies->group_count > op->groups_left) {
            uint32_t group = copies->group_count - 1 - op->groups_left;
            writer = copies->groups[group] > ready ? copies->group_by[group] : writer;
            ready = later(ready, copies->groups[group]);
        }
        bool waits = ready > warp->ready;
        warp->waits_for = waits ? writer : op->id;
        warp->why = waits ? state->replay->ops[writer].brings : SIM_WAIT_ISSUE;
        warp->ready = later(warp->ready, ready);
        return;
    }
}

/* --- Issuing ---------------------------------------------------------------------------------- */

/* The first cycle in which the warp's op could issue. */
static double issue_time(const struct machine_state *state, const struct timed_warp *warp)
{
    double time = later(warp->ready, state->issue_free[warp->scheduler]);
    return units_ready(&state->units, &timed_warp_next_op(warp)->cost, warp->scheduler, time);
}

/* The accesses of one op; those that follow in the trace under the same op belong to it, too. */
static double access_memory(struct machine_state *state, struct timed_warp *warp,
                            const struct timed_op *op, double now)
{
    double *issue_free = &state->issue_free[warp->scheduler];
    *issue_free -= state->model->piece_issues;
    warp->loads += op->writes > 0;
    state->hierarchy->held = 0;
    state->hierarchy->turn = (uint64_t)(warp - state->warps) << 32 | warp->loads;
    const struct warp_trace *trace = warp->trace;
    uint32_t at = op->memory == NO_MEMORY ? 0 : warp->access[op->memory];
    double ready = now;
    if (!(warp->present >> op->member & 1))
        hierarchy_pass(state->hierarchy, now, 1);
    while (at && at < trace->count &&
           trace->words[at] == (TRACE_ACCESS << TRACE_TAG_SHIFT | op->id)) {
        uint32_t packed = trace->words[at + 1], lines = packed & TRACE_LINES;
        uint32_t passes = packed >> 12 & 0xFFF, wider = op->merged_words / 4;
        if (op->merged_words && lines > wider)
            passes = trace->words[at + 2 + wider];
        double through = hierarchy_access(state->hierarchy, now, packed, passes,
                                          trace->words + at + 2, op->cost.past_l1);
        if (packed >> 24 == TRACE_SHARED)
            state->replay->ops[op->id].passes += passes;
        for (uint32_t i = 0; trace_is_plain(packed >> 24) && i < lines; i++)
            state->replay->ops[op->id].sectors +=
                __builtin_popcount(trace->words[at + 2 + i] & ((1 << LINE_SECTORS) - 1));
        ready = later(ready, through);
        at += 2 + lines;
        *issue_free += state->model->piece_issues;
    }
    *issue_free = later(*issue_free, now + 1);
    if (ready > warp->drained) {
        warp->drained = ready;
        warp->drained_by = op->id;
    }
    bool stores = op->writes == 0 && op->cost.kind != COST_COPY;
    warp->left_at = later(warp->left_at, stores ? ready - state->hierarchy->l2_latency : ready);
    return ready;
}

/* A cp.async: a warp that waits for it waits for its group. */
static void copy(struct machine_state *state, struct timed_warp *warp, const struct timed_op *op,
                 double now)
{
    timed_copies_add(&warp->copies, op->id, access_memory(state, warp, op, now));
}

/* Does the op let its warp sleep: a nanosleep, or a try_wait whose phase was not over? */
static bool sleeps(const struct timed_warp *warp, const struct timed_op *op)
{
    const struct warp_trace *trace = warp->trace;
    uint32_t at = op->memory == NO_MEMORY ? 0 : warp->access[op->memory];
    return op->cost.kind == COST_SLEEP ||
           (op->cost.kind == COST_PHASE && at && at + 2 < trace->count &&
            trace->words[at + 1] >> 24 == TRACE_SLEEP);
}

/* And for how long. */
static double slept_cycles(const struct machine_state *state, const struct timed_warp *warp,
                           const struct timed_op *op)
{
    const struct warp_trace *trace = warp->trace;
    uint32_t at = op->memory == NO_MEMORY ? 0 : warp->access[op->memory];
    double ns = at && at + 2 < trace->count ? trace->words[at + 2] : 0;
    return ns * state->launch->context->machine->profile.clock_mhz * 1e-3;
}

/* The warp's op is about to be issued: what did the warp do since its last one? */
static void charge_issue(struct machine_state *state, struct timed_warp *warp,
                         const struct timed_op *op, double now)
{
    bool turn = state->issue_free[warp->scheduler] >= now;
    multiprocessor_charge(state, warp, warp->waits_for, warp->why, warp->ready);
    multiprocessor_charge(state, warp, op->id, turn ? SIM_WAIT_TURN : SIM_WAIT_UNIT, now);
    multiprocessor_charge(state, warp, op->id, SIM_WAIT_ISSUE, now + cost_issues(&op->cost));
}

/* Which kind of wait it is, to the ledger, to wait for the op's result. */
static enum sim_wait brings(const struct timed_op *op, const struct op_cycles *cycles)
{
    bool asks =
        op->cost.kind == COST_MEMORY || op->cost.kind == COST_COPY || op->cost.kind == COST_BULK;
    if (op->cost.kind == COST_EXCHANGE || (asks && cycles->asked.shared))
        return SIM_WAIT_SHARED;
    return asks ? SIM_WAIT_MEMORY : SIM_WAIT_RESULT;
}

/* Warps that wait for each other at barriers reach a line together with their block: either the
 * block is early, and all its warps wait for DRAM, or it is late, and none does. So the share is
 * one of the stretches between two barriers. A share of nearly 1 means a block's own data, with a
 * few ends in lines of its neighbours: the block waits each time (mean_of_rows_64x100003). */
static double early_or_late(const struct timed_warp *warp, double share)
{
    static const double GOLDEN = 0.6180339887, NEARLY_ALL = 0.9;
    double now = warp->generation * share + GOLDEN * warp->block, next = now + share;
    return share < 0 || share > NEARLY_ALL ? share : floor(next) > floor(now);
}

/* How many of the op's requests wait for DRAM. Where a trace was cut off, the replay is all there
 * is: what happens in it stands for the whole launch. */
static void set_late(const struct machine_state *state, const struct timed_warp *warp,
                     const struct timed_op *op)
{
    const struct fetched *fetched = state->launch->fetched;
    bool is_first = warp->block < state->traces->resident;
    enum fetched_when when = state->is_cut ? FETCHED_EVER
                             : is_first    ? FETCHED_FIRST_WAVE
                                           : FETCHED_LATER;
    state->hierarchy->late = fetched ? (double)fetched->late[op->id][when] : -1;
    if (state->traces->blocks[warp->block].barrier_count > 0)
        state->hierarchy->late = early_or_late(warp, state->hierarchy->late);
    state->hierarchy->late_again = fetched ? (double)fetched->late[op->id][FETCHED_AGAIN] : -1;
}

/* A store may hold up its warp (write_lines in hierarchy.c). */
static void hold(struct machine_state *state, struct timed_warp *warp, const struct timed_op *op)
{
    if (state->hierarchy->held <= warp->ready)
        return;
    warp->ready = state->hierarchy->held;
    multiprocessor_charge(state, warp, op->id, SIM_WAIT_MEMORY, warp->ready);
}

static void issue(struct machine_state *state, struct timed_warp *warp, double now)
{
    const struct timed_op *op = timed_warp_next_op(warp);
    struct op_cycles *cycles = &state->replay->ops[op->id];
    double issues = cost_issues(&op->cost);
    double ready = now + op->cost.latency_cycles + (double)op->cost.port_cycles;
    state->queues[warp->scheduler].changed = true;
    charge_issue(state, warp, op, now);
    state->issue_free[warp->scheduler] = now + issues;
    state->hierarchy->asker = &cycles->asked;
    state->hierarchy->block = warp->block;
    set_late(state, warp, op);
    state->replay->issued += issues;
    count_op(state, warp, op, now);
    units_use(&state->units, &op->cost, warp->scheduler, now);
    if (op->cost.kind == COST_MEMORY)
        ready = access_memory(state, warp, op, now) + op->cost.latency_cycles;
    else if (op->cost.kind == COST_EXCHANGE)
        ready = hierarchy_exchange(state->hierarchy, now);
    else if (op->cost.kind == COST_COPY)
        copy(state, warp, op, now);
    else if (op->cost.kind == COST_COMMIT)
        timed_copies_commit(op->cost.of_bulk ? &warp->bulk : &warp->copies);
    else if (op->cost.kind == COST_BULK)
        bulk_copy_in_time(state, warp, op, now);
    else if (op->cost.kind == COST_ARRIVAL)
        barrier_arrive_at_phase(state, warp, op, now);
    else if (op->cost.kind == COST_FENCE)
        ready = later(now, warp->drained) + op->cost.latency_cycles;
    else if (sleeps(warp, op))
        ready = now + slept_cycles(state, warp, op);
    cycles->brings = brings(op, cycles);
    timed_warp_set_results(warp, op, ready, op->id);
    warp->issued_at = now + issues - 1;
    state->replay->issue_end = later(state->replay->issue_end, warp->issued_at);
    warp->ready = now + issues - 1 + state->model->same_warp_cycles;
    if (op->cost.kind == COST_MEMORY)
        hold(state, warp, op);
    if (op->cost.kind == COST_FENCE || sleeps(warp, op)) {
        warp->ready = ready;
        multiprocessor_charge(state, warp, op->id, SIM_WAIT_RESULT, ready);
    }
    if (op->cost.extra) {
        state->control_free =
            later(state->control_free, now) + state->model->control_cycles * op->cost.extra;
        warp->ready = later(warp->ready, state->control_free);
    }
    warp->next++;
    if (op->cost.kind == COST_BARRIER)
        barrier_arrive(state, warp, op, now);
    else if (op->cost.kind != COST_PHASE || !barrier_wait_for_phase(state, warp, op))
        multiprocessor_prepare(state, warp);
}

/* --- The loop --------------------------------------------------------------------------------- */

/* Of one scheduler's warps, the one whose op can issue first; of several, the oldest. */
static void look_at_queue(struct machine_state *state, struct timed_queue *queue)
{
    double free = state->issue_free[queue - state->queues];
    uint32_t kept = 0;
    queue->first = NULL;
    queue->at = NEVER;
    queue->changed = false;
    for (uint32_t i = 0; i < queue->count; i++) {
        struct timed_warp *warp = &state->warps[queue->active[i]];
        if (warp->state == STATE_DONE)
            continue;
        queue->active[kept++] = queue->active[i];
        if (warp->state != STATE_RUNS)
            continue;
        if (later(warp->ready, free) >= queue->at)
            continue; /* its unit can only make it later */
        double at = issue_time(state, warp);
        if (at < queue->at) {
            queue->at = at;
            queue->first = warp;
        }
        if (queue->at == free && kept == i + 1)
            return; /* no other can be earlier */
    }
    queue->count = kept;
}

/* The same for all schedulers; NULL when all warps wait at barriers. What a warp does changes
 * nothing for warps of other schedulers, unless it lets them go on. */
static struct timed_warp *pick(struct machine_state *state, double *time)
{
    struct timed_warp *best = NULL;
    *time = NEVER;
    for (uint32_t i = 0; i < state->units.schedulers; i++) {
        struct timed_queue *queue = &state->queues[i];
        if (queue->changed)
            look_at_queue(state, queue);
        if (queue->first && (queue->at < *time || (queue->at == *time && queue->first < best))) {
            *time = queue->at;
            best = queue->first;
        }
    }
    return best;
}

static void run(struct machine_state *state, uint32_t count)
{
    uint32_t first = count < state->traces->resident ? count : state->traces->resident;
    for (uint32_t i = 0; i < first && !state->failed; i++)
        start_block(state, 0);
    while (state->active_count && !state->failed) {
        double time;
        struct timed_warp *warp = pick(state, &time);
        if (warp)
            issue(state, warp, time);
        else if (state->active_count)
            barrier_release_any(state);
    }
}

static bool replay_init(struct replay *replay, const struct launch *launch, uint32_t count)
{
    *replay = (struct replay){0};
    replay->start = calloc(count, sizeof *replay->start);
    replay->finish = calloc(count, sizeof *replay->finish);
    replay->op_count = launch->function->module->op_count + 1;
    replay->ops = calloc(replay->op_count, sizeof *replay->ops);
    replay->half_ops = calloc(replay->op_count, sizeof *replay->half_ops);
    return replay->start && replay->finish && replay->ops && replay->half_ops;
}

void replay_free(struct replay *replay)
{
    free(replay->start);
    free(replay->finish);
    free(replay->ops);
    free(replay->half_ops);
}

static bool state_init(struct machine_state *state, const struct launch *launch, uint32_t count)
{
    const struct sim_profile *profile = &launch->context->machine->profile;
    uint32_t warps = count * launch->warp_count;
    state->launch = launch;
    state->model = profile->model;
    state->traces = launch->traces;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < launch->traces->blocks[i].warp_count; j++) {
            state->ops_expected += launch->traces->blocks[i].warps[j].steps;
            state->is_cut |= launch->traces->blocks[i].warps[j].cut;
        }
    state->block_count = count;
    units_init(&state->units, profile);
    state->warps = calloc(warps, sizeof *state->warps);
    state->blocks = calloc(count, sizeof *state->blocks);
    uint32_t *active = calloc((size_t)warps * MOST_SCHEDULERS, sizeof *active);
    for (uint32_t i = 0; active && i < MOST_SCHEDULERS; i++)
        state->queues[i].active = active + (size_t)i * warps;
    return state->warps && active && state->blocks;
}

bool replay_run(struct replay *replay, const struct launch *launch, uint32_t count,
                double block_interval, struct hierarchy *hierarchy)
{
    struct machine_state state = {
        .replay = replay, .hierarchy = hierarchy, .block_interval = block_interval};
    bool ok = replay_init(replay, launch, count) && state_init(&state, launch, count);
    if (ok)
        run(&state, count);
    for (uint32_t i = 0; i < count && ok; i++)
        replay->cycles = later(replay->cycles, replay->finish[i]);
    memcpy(replay->busy, state.units.busy, sizeof replay->busy);
    for (uint32_t i = 0; i < state.warp_count; i++)
        timed_warp_end(&state.warps[i]);
    for (uint32_t i = 0; state.blocks && i < count; i++) {
        free(state.blocks[i].arrived);
        free(state.blocks[i].latest);
    }
    free(state.warps);
    free(state.queues[0].active);
    free(state.blocks);
    return ok && !state.failed;
}
