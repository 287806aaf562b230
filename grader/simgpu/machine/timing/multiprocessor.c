/* multiprocessor.c - runs traces on the schedulers and units of one multiprocessor.
 *
 * Every warp belongs to one scheduler. A scheduler issues at most an instruction a cycle, from any
 * of its warps whose next op is ready: its registers have arrived and its unit is free. What the
 * loop below does is to find, over and over, the op that can issue first; the cycles in between,
 * in which nothing happens, cost nothing to simulate.
 *
 * A warp that waits notes for which op: that is how a source line learns what it costs.
 */
#include "multiprocessor.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SCHEDULERS = 8, MOST_GROUPS = 16 };
static const double BRANCH_CYCLES = 7, BARRIER_CYCLES = 18, BLOCK_CYCLES = 200;
/* From one instruction to the next of the same warp (fma_8_chains_1_warp). */
static const double SAME_WARP_CYCLES = 1.6;
/* The one unit for branches of a multiprocessor: a BSSY, BSYNC or indexed branch (eight_ways). */
static const double CONTROL_CYCLES = 2.6;
/* What an instruction that moves a matrix piece by piece adds for each (tensor_from_global). */
static const double PIECE_ISSUES = 2;
static const double NEVER = 1e30;

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* --- Warps ------------------------------------------------------------------------------------ */

enum state { STATE_RUNS, STATE_AT_BARRIER, STATE_DONE };

struct timed_warp {
    const struct warp_trace *trace;
    uint32_t at;                   /* next word of the trace */
    uint32_t block;                /* index of its timed block */
    uint32_t scheduler;
    enum state state;
    const struct schedule *schedule;
    const struct timed_block *basic_block;
    uint32_t basic_index;          /* its index in the function */
    uint32_t next;                 /* op of the basic block to issue next */
    uint32_t *access;              /* by number of access: its word in the trace, or 0 */
    uint32_t access_room;
    uint32_t generation;           /* of the barrier it comes to */
    double ready;                  /* when the next op's registers are there */
    double issued_at;              /* the latest op */
    uint32_t waits_for;            /* op id: what ready depends on */
    double *register_ready;        /* by register number */
    uint32_t *register_writer;     /* op id */
    uint32_t register_count;
    double copies_ready, groups[MOST_GROUPS];
    uint32_t group_count;
    double drained;                /* when its latest access is through */
};

struct running_block {
    uint32_t first_warp, warp_count, left;
    uint32_t *arrived;             /* by generation of a barrier */
    double *latest;
};

struct machine_state {
    const struct launch *launch;
    const struct traces *traces;
    struct hierarchy *hierarchy;
    struct replay *replay;
    struct timed_warp *warps;
    struct running_block *blocks;
    uint32_t block_count, next_block, warp_count;
    uint32_t *active, active_count; /* warps that are not done */
    uint32_t schedulers;
    double issue_free[MOST_SCHEDULERS], unit_free[UNITS][MOST_SCHEDULERS];
    double light_free[MOST_SCHEDULERS]; /* the lighter half of the FMA unit */
    double fma_cycles, alu_cycles, xu_cycles, fp64_cycles;
    double control_free;           /* when the unit for branches is */
    double dispatch_free, block_interval;
    uint64_t ops_done, ops_expected;
    bool failed;
};

static bool reserve_registers(struct timed_warp *warp, uint32_t count)
{
    if (count <= warp->register_count)
        return true;
    double *ready = realloc(warp->register_ready, count * sizeof *ready);
    if (ready)
        warp->register_ready = ready;
    uint32_t *writer = realloc(warp->register_writer, count * sizeof *writer);
    if (writer)
        warp->register_writer = writer;
    if (!ready || !writer)
        return false;
    memset(ready + warp->register_count, 0, (count - warp->register_count) * sizeof *ready);
    memset(writer + warp->register_count, 0, (count - warp->register_count) * sizeof *writer);
    warp->register_count = count;
    return true;
}

static bool reserve_accesses(struct timed_warp *warp, uint32_t count)
{
    if (count > warp->access_room) {
        uint32_t *grown = realloc(warp->access, 2 * count * sizeof *grown);
        if (!grown)
            return false;
        warp->access = grown;
        warp->access_room = 2 * count;
    }
    return true;
}

/* Where each access of the basic block that starts stands in the trace; of turns times the block,
 * one behind the other. */
static bool find_accesses(struct timed_warp *warp, const struct function *function, uint32_t turns)
{
    const struct warp_trace *trace = warp->trace;
    uint32_t each = warp->schedule->blocks[warp->basic_index].accesses, turn = 0;
    if (!reserve_accesses(warp, turns * each + 1))
        return false;
    memset(warp->access, 0, turns * each * sizeof *warp->access);
    while (warp->at < trace->count) {
        uint32_t word = trace->words[warp->at], tag = word >> TRACE_TAG_SHIFT;
        if (tag == TRACE_ENTER && ++turn == turns)
            break;
        if (tag == TRACE_ENTER) {
            warp->at++;
            continue;
        }
        if (tag == TRACE_BARRIER) {
            warp->generation = word & TRACE_VALUE;
            warp->at++;
            continue;
        }
        uint32_t op = (word & TRACE_VALUE) - function->first_op_id;
        uint16_t number = op < function->op_count ? warp->schedule->access[op].number : NO_MEMORY;
        if (number < each && !warp->access[turn * each + number])
            warp->access[turn * each + number] = warp->at;
        warp->at += 2 + (trace->words[warp->at + 1] & 0xFFF);
    }
    return true;
}

/* Does the warp go through the same basic block so often, from here on? */
static bool repeats(const struct timed_warp *warp, uint32_t enter, uint32_t turns)
{
    const struct warp_trace *trace = warp->trace;
    for (uint32_t at = warp->at; turns > 1 && at < trace->count;) {
        uint32_t word = trace->words[at], tag = word >> TRACE_TAG_SHIFT;
        if (tag == TRACE_ENTER && word != enter)
            return false;
        turns -= tag == TRACE_ENTER;
        at += tag == TRACE_ACCESS ? 2 + (trace->words[at + 1] & 0xFFF) : 1;
    }
    return turns == 1;
}

/* Does basic block index come behind the warp's without a branch? */
static bool follows(const struct timed_warp *warp, const struct schedule *schedule, uint32_t index)
{
    if (warp->schedule != schedule || index <= warp->basic_index)
        return false;
    return index == warp->basic_index + 1 ||
           (schedule->blocks[warp->basic_index].predicated && index <= warp->basic_index + 2);
}

/* Predicated instructions that no lane wants are issued all the same. */
static void switch_off(struct machine_state *state, struct timed_warp *warp, uint32_t issues)
{
    double *issue_free = &state->issue_free[warp->scheduler];
    *issue_free = later(*issue_free, warp->issued_at + 1) + issues;
    warp->ready = later(warp->ready, *issue_free);
    state->replay->issued += issues;
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
        !reserve_registers(warp, schedule->register_count)) {
        state->failed = true;
        return false;
    }
    if (warp->schedule && !follows(warp, schedule, index))
        warp->ready = later(warp->ready, warp->issued_at + BRANCH_CYCLES);
    else if (warp->schedule && index == warp->basic_index + 2)
        switch_off(state, warp, schedule->blocks[index - 1].issues);
    bool unrolled = schedule->unrolled[index].count && repeats(warp, word, UNROLL);
    warp->schedule = schedule;
    warp->basic_index = index;
    warp->basic_block = unrolled ? &schedule->unrolled[index] : &schedule->blocks[index];
    warp->next = 0;
    if (!find_accesses(warp, function, unrolled ? UNROLL : 1))
        state->failed = true;
    if (function->ptxas_local_bytes > function->local_bytes)
        warp->ready = later(warp->ready, hierarchy_spill(state->hierarchy, warp->ready,
                            (function->ptxas_local_bytes - function->local_bytes) / 4));
    return !state->failed;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void prepare(struct machine_state *state, struct timed_warp *warp);

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
                                    .scheduler = state->warp_count % state->schedulers,
                                    .ready = start,
                                    .issued_at = start,
                                    .drained = start};
        state->active[state->active_count++] = state->warp_count++;
        prepare(state, warp);
    }
}

static void finish_warp(struct machine_state *state, struct timed_warp *warp)
{
    struct running_block *block = &state->blocks[warp->block];
    double *finish = &state->replay->finish[warp->block];
    double end = later(warp->issued_at + 1, warp->drained);
    warp->state = STATE_DONE;
    free(warp->register_ready);
    free(warp->register_writer);
    free(warp->access);
    warp->register_ready = NULL;
    warp->register_writer = NULL;
    warp->access = NULL;
    *finish = end > *finish ? end : *finish;
    if (--block->left == 0 && state->next_block < state->block_count)
        start_block(state, *finish + BLOCK_CYCLES);
}

/* --- Before an op ----------------------------------------------------------------------------- */

static const struct timed_op *next_op(const struct timed_warp *warp)
{
    return &warp->schedule->ops[warp->basic_block->first + warp->next];
}

/* When all registers of the op are there, and who writes the latest. */
static double registers_ready(const struct timed_warp *warp, const struct timed_op *op,
                              uint32_t *writer)
{
    const uint32_t *registers = warp->schedule->registers + op->registers;
    double ready = 0;
    for (uint32_t i = 0; i < (uint32_t)op->reads + op->writes; i++)
        if (warp->register_ready[registers[i]] > ready) {
            ready = warp->register_ready[registers[i]];
            *writer = warp->register_writer[registers[i]];
        }
    return ready;
}

static void set_results(struct timed_warp *warp, const struct timed_op *op, double ready,
                        uint32_t writer)
{
    const uint32_t *registers = warp->schedule->registers + op->registers + op->reads;
    for (uint32_t i = 0; i < op->writes; i++) {
        warp->register_ready[registers[i]] = ready;
        warp->register_writer[registers[i]] = writer;
    }
}

/* An op is done with: half of all are behind us, or not yet. */
static void count_op(struct machine_state *state, double now)
{
    if (++state->ops_done * 2 <= state->ops_expected)
        state->replay->half_cycles = later(state->replay->half_cycles, now);
}

/* Find the next op that costs anything, and when its registers are ready. */
static void prepare(struct machine_state *state, struct timed_warp *warp)
{
    for (;;) {
        while (!warp->basic_block || warp->next == warp->basic_block->count)
            if (!enter_block(state, warp)) {
                finish_warp(state, warp);
                return;
            }
        const struct timed_op *op = next_op(warp);
        uint32_t writer = op->id;
        double ready = registers_ready(warp, op, &writer);
        if (cost_issues(&op->cost) == 0) {
            set_results(warp, op, ready, writer);
            count_op(state, warp->issued_at);
            warp->next++;
            continue;
        }
        if (op->cost.kind == COST_WAIT && warp->group_count > op->groups_left) {
            double group = warp->groups[warp->group_count - 1 - op->groups_left];
            ready = group > ready ? group : ready;
        }
        warp->waits_for = ready > warp->ready ? writer : op->id;
        warp->ready = ready > warp->ready ? ready : warp->ready;
        return;
    }
}

/* --- Issuing ---------------------------------------------------------------------------------- */

/* The first cycle in which the warp's op could issue. */
static double issue_time(const struct machine_state *state, const struct timed_warp *warp)
{
    const struct op_cost *cost = &next_op(warp)->cost;
    uint32_t s = warp->scheduler;
    double time = later(warp->ready, state->issue_free[s]);
    if (cost->xu)
        time = later(time, state->unit_free[UNIT_XU][s]);
    else if (cost->fp64)
        time = later(time, state->unit_free[UNIT_FP64][s]);
    else if (cost->imad)
        time = later(time, state->unit_free[UNIT_FMA][s]);
    else if (cost->alu)
        time = later(time, state->unit_free[UNIT_ALU][s]);
    else if (cost->fma) {
        double heavy = state->unit_free[UNIT_FMA][s], light = state->light_free[s];
        time = later(time, heavy < light ? heavy : light);
    } else if (cost->either) {
        double heavy = state->unit_free[UNIT_FMA][s], alu = state->unit_free[UNIT_ALU][s];
        time = later(time, heavy < alu ? heavy : alu);
    }
    if (cost->tensor_cycles > 0)
        time = later(time, state->unit_free[UNIT_TENSOR][s]);
    return time;
}

static void use_unit(struct machine_state *state, enum unit unit, double *free, double now,
                     double cycles)
{
    *free = later(*free, now) + cycles;
    state->replay->busy[unit] += cycles / state->schedulers;
}

static void use_units(struct machine_state *state, const struct op_cost *cost, uint32_t s,
                      double now)
{
    double *heavy = &state->unit_free[UNIT_FMA][s], *light = &state->light_free[s];
    double *alu = &state->unit_free[UNIT_ALU][s];
    for (unsigned i = 0; i < cost->fma; i++)
        use_unit(state, UNIT_FMA, *heavy <= *light ? heavy : light, now, state->fma_cycles);
    for (unsigned i = 0; i < cost->imad; i++)
        use_unit(state, UNIT_FMA, heavy, now, state->fma_cycles);
    for (unsigned i = 0; i < cost->alu; i++)
        use_unit(state, UNIT_ALU, alu, now, state->alu_cycles);
    for (unsigned i = 0; i < cost->either; i++)
        if (*heavy < *alu)
            use_unit(state, UNIT_FMA, heavy, now, state->fma_cycles);
        else
            use_unit(state, UNIT_ALU, alu, now, state->alu_cycles);
    for (unsigned i = 0; i < cost->xu; i++)
        use_unit(state, UNIT_XU, &state->unit_free[UNIT_XU][s], now, state->xu_cycles);
    for (unsigned i = 0; i < cost->fp64; i++)
        use_unit(state, UNIT_FP64, &state->unit_free[UNIT_FP64][s], now, state->fp64_cycles);
    if (cost->tensor_cycles > 0)
        use_unit(state, UNIT_TENSOR, &state->unit_free[UNIT_TENSOR][s], now,
                 (double)cost->tensor_cycles);
}

/* The accesses of one op; those that follow in the trace under the same op belong to it, too. */
static double access_memory(struct machine_state *state, struct timed_warp *warp,
                            const struct timed_op *op, double now)
{
    double *issue_free = &state->issue_free[warp->scheduler];
    *issue_free -= PIECE_ISSUES;
    const struct warp_trace *trace = warp->trace;
    uint32_t at = op->memory == NO_MEMORY ? 0 : warp->access[op->memory];
    double ready = now;
    while (at && at < trace->count &&
           trace->words[at] == (TRACE_ACCESS << TRACE_TAG_SHIFT | op->id)) {
        uint32_t packed = trace->words[at + 1], lines = packed & 0xFFF;
        uint32_t passes = packed >> 12 & 0xFFF, wider = op->merged_words / 4;
        if (op->merged_words && lines > wider)
            passes = trace->words[at + 2 + wider];
        double through = hierarchy_access(state->hierarchy, now, packed >> 24, passes,
                                          trace->words + at + 2, lines, op->cost.past_l1);
        ready = later(ready, through);
        at += 2 + lines;
        *issue_free += PIECE_ISSUES;
    }
    *issue_free = later(*issue_free, now + 1);
    warp->drained = later(warp->drained, ready);
    return ready;
}

static void release_barrier(struct machine_state *state, struct running_block *block,
                            uint32_t generation, double time)
{
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct timed_warp *warp = &state->warps[block->first_warp + i];
        if (warp->state != STATE_AT_BARRIER || warp->generation != generation)
            continue;
        warp->state = STATE_RUNS;
        warp->ready = time;
        state->replay->stall[warp->waits_for] += time - warp->issued_at - 1;
        prepare(state, warp);
    }
}

static void arrive(struct machine_state *state, struct timed_warp *warp, const struct timed_op *op,
                   double now)
{
    struct running_block *block = &state->blocks[warp->block];
    const struct block_trace *trace = &state->traces->blocks[warp->block];
    uint32_t generation = warp->generation;
    warp->waits_for = op->id;
    if (generation >= trace->barrier_count) {
        prepare(state, warp);
        return;
    }
    warp->state = STATE_AT_BARRIER;
    now = hierarchy_arrive(state->hierarchy, now);
    block->latest[generation] = later(block->latest[generation], now);
    if (++block->arrived[generation] >= trace->barrier_warps[generation])
        release_barrier(state, block, generation, block->latest[generation] + BARRIER_CYCLES);
}

static void issue(struct machine_state *state, struct timed_warp *warp, double now)
{
    const struct timed_op *op = next_op(warp);
    unsigned issues = cost_issues(&op->cost);
    double ready = now + op->cost.latency_cycles;
    state->replay->stall[warp->waits_for] += later(0, now - warp->issued_at - 1);
    state->issue_free[warp->scheduler] = now + issues;
    state->replay->issued += issues;
    count_op(state, now);
    use_units(state, &op->cost, warp->scheduler, now);
    if (op->cost.kind == COST_MEMORY)
        ready = access_memory(state, warp, op, now);
    else if (op->cost.kind == COST_EXCHANGE)
        ready = hierarchy_exchange(state->hierarchy, now);
    else if (op->cost.kind == COST_COPY)
        warp->copies_ready = later(warp->copies_ready, access_memory(state, warp, op, now));
    else if (op->cost.kind == COST_COMMIT) {
        if (warp->group_count == MOST_GROUPS)
            memmove(warp->groups, warp->groups + 1, --warp->group_count * sizeof *warp->groups);
        warp->groups[warp->group_count++] = warp->copies_ready;
    }
    set_results(warp, op, ready, op->id);
    warp->issued_at = now + issues - 1;
    state->replay->issue_end = later(state->replay->issue_end, warp->issued_at);
    warp->ready = now + issues - 1 + SAME_WARP_CYCLES;
    if (op->cost.extra) {
        state->control_free = later(state->control_free, now) + CONTROL_CYCLES * op->cost.extra;
        warp->ready = later(warp->ready, state->control_free);
    }
    warp->next++;
    if (op->cost.kind == COST_BARRIER)
        arrive(state, warp, op, now);
    else
        prepare(state, warp);
}

/* --- The loop --------------------------------------------------------------------------------- */

/* The warp whose op can issue first, the oldest of several; NULL when all wait at barriers. */
static struct timed_warp *pick(struct machine_state *state, double *time)
{
    struct timed_warp *best = NULL;
    uint32_t kept = 0;
    *time = NEVER;
    for (uint32_t i = 0; i < state->active_count; i++) {
        struct timed_warp *warp = &state->warps[state->active[i]];
        if (warp->state == STATE_DONE)
            continue;
        state->active[kept++] = state->active[i];
        if (warp->state != STATE_RUNS)
            continue;
        double at = issue_time(state, warp);
        if (at < *time) {
            *time = at;
            best = warp;
        }
    }
    state->active_count = kept;
    return best;
}

/* Traces that were cut off leave warps at barriers that the others never reach. */
static void release_all(struct machine_state *state)
{
    for (uint32_t i = 0; i < state->active_count; i++) {
        struct timed_warp *warp = &state->warps[state->active[i]];
        if (warp->state == STATE_AT_BARRIER) {
            const struct running_block *block = &state->blocks[warp->block];
            release_barrier(state, &state->blocks[warp->block], warp->generation,
                            block->latest[warp->generation] + BARRIER_CYCLES);
            return;
        }
    }
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
            release_all(state);
    }
}

static bool replay_init(struct replay *replay, const struct launch *launch, uint32_t count)
{
    *replay = (struct replay){.op_count = launch->function->module->op_count};
    replay->start = calloc(count, sizeof *replay->start);
    replay->finish = calloc(count, sizeof *replay->finish);
    replay->stall = calloc(replay->op_count + 1, sizeof *replay->stall);
    return replay->start && replay->finish && replay->stall;
}

void replay_free(struct replay *replay)
{
    free(replay->start);
    free(replay->finish);
    free(replay->stall);
}

static bool state_init(struct machine_state *state, const struct launch *launch, uint32_t count)
{
    const struct sim_profile *profile = &launch->context->machine->profile;
    uint32_t warps = count * launch->warp_count;
    double scheduler_lanes = 1.0 / profile->schedulers;
    state->launch = launch;
    state->traces = launch->traces;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < launch->traces->blocks[i].warp_count; j++)
            state->ops_expected += launch->traces->blocks[i].warps[j].steps;
    state->block_count = count;
    state->schedulers = profile->schedulers < MOST_SCHEDULERS ? profile->schedulers : MOST_SCHEDULERS;
    state->fma_cycles = 2 * WARP_LANES / (profile->fp32_lanes * scheduler_lanes); /* of a half */
    state->alu_cycles = WARP_LANES / (profile->int_lanes * scheduler_lanes);
    state->xu_cycles = WARP_LANES / (profile->sfu_lanes * scheduler_lanes);
    state->fp64_cycles = WARP_LANES / (profile->fp64_lanes * scheduler_lanes);
    state->warps = calloc(warps, sizeof *state->warps);
    state->active = calloc(warps, sizeof *state->active);
    state->blocks = calloc(count, sizeof *state->blocks);
    return state->warps && state->active && state->blocks;
}

bool replay_run(struct replay *replay, const struct launch *launch, uint32_t count,
                double block_interval, struct hierarchy *hierarchy)
{
    struct machine_state state = {.replay = replay, .hierarchy = hierarchy,
                                  .block_interval = block_interval};
    bool ok = replay_init(replay, launch, count) && state_init(&state, launch, count);
    if (ok)
        run(&state, count);
    for (uint32_t i = 0; i < count && ok; i++)
        replay->cycles = later(replay->cycles, replay->finish[i]);
    for (uint32_t i = 0; i < state.warp_count; i++) {
        free(state.warps[i].register_ready);
        free(state.warps[i].register_writer);
        free(state.warps[i].access);
    }
    for (uint32_t i = 0; state.blocks && i < count; i++) {
        free(state.blocks[i].arrived);
        free(state.blocks[i].latest);
    }
    free(state.warps);
    free(state.active);
    free(state.blocks);
    return ok && !state.failed;
}
