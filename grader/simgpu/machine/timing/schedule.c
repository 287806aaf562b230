/* schedule.c - orders the ops of a basic block as ptxas would.
 *
 * PTX is in the order of the source: a load, then what uses it. ptxas moves loads up, so that their
 * latencies overlap, and fuses operations that one instruction can do. Without that, a model would
 * find latency where a device has none. So: fuse; then list scheduling, an op a cycle, the longest
 * chain of latencies first, within what registers and memory order allow.
 */
#include "schedule_internal.h"
#include "module_model.h"
#include "opcode.h"
#include "spills.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 384 };
/* The latency that is assumed of a load when ops are ordered, in cycles; the real one comes from
 * the replay. */
enum { LOAD_LATENCY = 60, SHARED_LATENCY = 30 };

/* --- Registers -------------------------------------------------------------------------------- */

static void note(uint32_t *list, uint32_t *count, uint32_t reg)
{
    if (*count < MOST_REGISTERS)
        list[(*count)++] = reg;
}

static void note_register(void *owner, uint32_t reg, bool is_written)
{
    struct used *used = owner;
    if (is_written)
        note(used->writes, &used->write_count, reg);
    else
        note(used->reads, &used->read_count, reg);
}

static void find_registers(const struct builder *builder, uint32_t index, struct used *used)
{
    const struct op *op = &builder->function->ops[index];
    bool takes_carry = op->row->flags & OP_TAKES_CARRY;
    used->read_count = used->write_count = 0;
    opcode_visit_registers(op->row, &builder->syntax->instructions[index], note_register, used);
    if (takes_carry)
        note(used->reads, &used->read_count, builder->carry);
    if (op->row->flags & OP_LEAVES_CARRY || (takes_carry && op->kind)) /* .cc */
        note(used->writes, &used->write_count, builder->carry);
}

bool keep_registers(struct builder *builder, struct timed_op *op, const struct used *used)
{
    struct schedule *schedule = builder->schedule;
    op->registers = (uint32_t)builder->register_count;
    size_t needed = op->registers + used->read_count + used->write_count;
    if (needed >= builder->register_room) { /* also for none: there is something to point to */
        size_t room = 2 * needed + 256;
        uint32_t *grown = realloc(schedule->registers, room * sizeof *grown);
        if (!grown)
            return false;
        schedule->registers = grown;
        builder->register_room = room;
    }
    memcpy(schedule->registers + op->registers, used->reads, used->read_count * sizeof(uint32_t));
    memcpy(schedule->registers + op->registers + used->read_count, used->writes,
           used->write_count * sizeof(uint32_t));
    op->reads = (uint8_t)used->read_count;
    op->writes = (uint8_t)used->write_count;
    builder->register_count = needed;
    return true;
}

/* --- Ordering --------------------------------------------------------------------------------- */

/* Why one op of a window must come after another. */
struct edge {
    uint32_t to, next;
    uint32_t cycles;
};

struct window {
    struct builder *builder;
    uint32_t first, count;
    struct edge *edges;
    uint32_t edge_count, edge_room;
    uint32_t head[WINDOW];     /* first edge of each op, or NOBODY */
    uint32_t blockers[WINDOW]; /* ops that must come before and have not */
    uint32_t rank[WINDOW];     /* cycles from its issue to the window's end */
    uint32_t earliest[WINDOW];
    uint32_t order[WINDOW];
    uint32_t place[WINDOW]; /* in the machine code, */
    bool is_placed;         /* if that is known */
    bool done[WINDOW], failed;
};

static void connect(struct window *window, uint32_t from, uint32_t to, uint32_t cycles)
{
    if (window->edge_count == window->edge_room) {
        uint32_t room = window->edge_room ? 2 * window->edge_room : 1024;
        struct edge *grown = realloc(window->edges, room * sizeof *grown);
        if (!grown) {
            window->failed = true;
            return;
        }
        window->edges = grown;
        window->edge_room = room;
    }
    window->edges[window->edge_count] = (struct edge){to, window->head[from], cycles};
    window->head[from] = window->edge_count++;
    window->blockers[to]++;
}

/* The function's op that a timed one stands for: copies in unrolled loops have the same. */
static uint32_t index_of(const struct builder *builder, uint32_t timed)
{
    return builder->schedule->ops[timed].id - builder->function->first_op_id;
}

static uint8_t space_of(const struct builder *builder, uint32_t timed)
{
    return builder->function->ops[index_of(builder, timed)].space;
}

static uint32_t expected_latency(const struct builder *builder, uint32_t timed)
{
    const struct timed_op *op = &builder->schedule->ops[timed];
    if (op->cost.kind == COST_MEMORY)
        return space_of(builder, timed) == SPACE_SHARED ? SHARED_LATENCY : LOAD_LATENCY;
    return op->cost.latency_cycles;
}

/* Registers: read after write, write after read and write. */
static void connect_registers(struct window *window, uint32_t later)
{
    const struct schedule *schedule = window->builder->schedule;
    const struct timed_op *b = &schedule->ops[window->first + later];
    for (uint32_t earlier = later; earlier-- > 0;) {
        const struct timed_op *a = &schedule->ops[window->first + earlier];
        const uint32_t *a_registers = schedule->registers + a->registers;
        const uint32_t *b_registers = schedule->registers + b->registers;
        uint32_t wait = NOBODY;
        for (uint32_t i = 0; i < (uint32_t)a->reads + a->writes; i++)
            for (uint32_t j = 0; j < (uint32_t)b->reads + b->writes; j++)
                if (a_registers[i] == b_registers[j] && (i >= a->reads || j >= b->reads))
                    wait = i >= a->reads && j < b->reads
                               ? expected_latency(window->builder, window->first + earlier)
                           : wait == NOBODY ? 0
                                            : wait;
        if (wait != NOBODY)
            connect(window, earlier, later, wait);
    }
}

static bool touches_memory(const struct timed_op *op)
{
    return op->cost.kind == COST_MEMORY || op->cost.kind == COST_COPY ||
           op->cost.kind == COST_BULK || op->cost.kind == COST_ARRIVAL ||
           op->cost.kind == COST_PHASE || op->cost.kind == COST_SLEEP;
}

static bool is_load(const struct builder *builder, uint32_t timed)
{
    return builder->function->ops[index_of(builder, timed)].row->flags & OP_LOADS;
}

static bool orders_memory(const struct op_cost *cost)
{
    return cost->kind == COST_COMMIT || cost->kind == COST_WAIT || cost->kind == COST_FENCE;
}

/* Memory: loads pass loads, and read-only ones pass everything. */
static void connect_memory(struct window *window, uint32_t later)
{
    struct builder *builder = window->builder;
    const struct timed_op *timed = builder->schedule->ops + window->first;
    if (orders_memory(&timed[later].cost)) {
        for (uint32_t earlier = 0; earlier < later; earlier++)
            connect(window, earlier, later, 0);
        return;
    }
    for (uint32_t earlier = 0; earlier < later; earlier++) {
        bool fence = orders_memory(&timed[earlier].cost);
        bool loads =
            is_load(builder, window->first + earlier) && is_load(builder, window->first + later);
        uint8_t one = space_of(builder, window->first + earlier);
        uint8_t other = space_of(builder, window->first + later);
        bool same = one == other || one == SPACE_GENERIC || other == SPACE_GENERIC;
        if (touches_memory(&timed[later]) &&
            (fence || (touches_memory(&timed[earlier]) && !loads && same)))
            connect(window, earlier, later, 0);
    }
}

static void rank(struct window *window)
{
    for (uint32_t i = window->count; i-- > 0;) {
        window->rank[i] = expected_latency(window->builder, window->first + i);
        for (uint32_t e = window->head[i]; e != NOBODY; e = window->edges[e].next) {
            uint32_t through = window->edges[e].cycles + window->rank[window->edges[e].to];
            window->rank[i] = through > window->rank[i] ? through : window->rank[i];
        }
    }
}

/* Of the ops that could come next, the one that ptxas put first. */
static uint32_t next_by_place(const struct window *window)
{
    uint32_t best = NOBODY;
    for (uint32_t i = 0; i < window->count; i++)
        if (!window->done[i] && !window->blockers[i] &&
            (best == NOBODY || window->place[i] < window->place[best]))
            best = i;
    return best;
}

/* The op to come next: of those that could start now, the one with the longest chain of latencies
 * after it; else the one that can start first. */
static uint32_t next_op(const struct window *window, uint32_t now)
{
    uint32_t best = NOBODY;
    for (uint32_t i = 0; i < window->count; i++) {
        if (window->done[i] || window->blockers[i])
            continue;
        if (best == NOBODY) {
            best = i;
            continue;
        }
        bool i_now = window->earliest[i] <= now, best_now = window->earliest[best] <= now;
        if (i_now != best_now ? i_now
            : i_now           ? window->rank[i] > window->rank[best]
                              : window->earliest[i] < window->earliest[best])
            best = i;
    }
    return best;
}

static void order(struct window *window)
{
    uint32_t now = 0;
    for (uint32_t place = 0; place < window->count; place++) {
        uint32_t chosen = window->is_placed ? next_by_place(window) : next_op(window, now);
        const struct op_cost *cost = &window->builder->schedule->ops[window->first + chosen].cost;
        window->done[chosen] = true;
        window->order[place] = chosen;
        now = now > window->earliest[chosen] ? now : window->earliest[chosen];
        for (uint32_t e = window->head[chosen]; e != NOBODY; e = window->edges[e].next) {
            uint32_t to = window->edges[e].to, ready = now + window->edges[e].cycles;
            window->blockers[to]--;
            window->earliest[to] = ready > window->earliest[to] ? ready : window->earliest[to];
        }
        now += cost_issues(cost);
    }
}

static void reorder(struct window *window)
{
    static const uint32_t MOST_BYTES = WINDOW * sizeof(struct timed_op);
    struct timed_op *ops = window->builder->schedule->ops + window->first;
    struct timed_op *copy = malloc(MOST_BYTES);
    if (!copy)
        return;
    memcpy(copy, ops, window->count * sizeof *ops);
    for (uint32_t i = 0; i < window->count; i++)
        ops[i] = copy[window->order[i]];
    free(copy);
}

/* The branch at the end of a basic block stays there. */
static void schedule_window(struct window *window, uint32_t first, uint32_t count)
{
    const struct schedule *schedule = window->builder->schedule;
    uint32_t last = first + count - 1;
    if (schedule->ops[last].cost.kind == COST_BRANCH)
        count--;
    if (count < 2)
        return;
    window->first = first;
    window->count = count;
    window->edge_count = 0;
    memset(window->head, 0xFF, sizeof window->head);
    memset(window->blockers, 0, sizeof window->blockers);
    memset(window->earliest, 0, sizeof window->earliest);
    memset(window->done, 0, sizeof window->done);
    for (uint32_t later = 0; later < count; later++) {
        connect_registers(window, later);
        connect_memory(window, later);
    }
    if (window->failed)
        return;
    rank(window);
    window->is_placed = find_places(window->builder, window->first, window->count, window->place);
    order(window);
    reorder(window);
}

/* --- A function ------------------------------------------------------------------------------- */

/* A predicate that guards instructions or a branch is waited for longer than one that is an
 * operand: this shows in the cycles that the machine code gives each instruction to wait. */
static void lengthen_guards(struct builder *builder)
{
    const struct function *function = builder->function;
    const struct ptx_instruction *syntax = builder->syntax->instructions;
    uint16_t least = builder->profile->model->guard_cycles;
    for (uint32_t i = 0; i < function->op_count; i++) {
        uint32_t writer = syntax[i].guarded ? builder->writer[syntax[i].guard] : NOBODY;
        if (writer < SEVERAL && cost_issues(&builder->schedule->ops[writer].cost) > 0 &&
            builder->schedule->ops[writer].cost.latency_cycles < least)
            builder->schedule->ops[writer].cost.latency_cycles = least;
    }
}

static void attach_spills(struct builder *builder)
{
    const struct function *function = builder->function;
    for (uint32_t i = 0; i < function->spill_count; i++) {
        struct timed_op *op = &builder->schedule->ops[function->spills[i].op];
        if (op->spill_count++ == 0)
            op->first_spill = i;
    }
}

/* An array for which the machine code has no frame is kept in registers (sort_local). */
static bool is_in_registers(const struct function *function, const struct op *op,
                            enum cost_kind kind)
{
    return kind == COST_MEMORY && op->space == SPACE_LOCAL && function->is_kernel &&
           function->ptxas_registers && function->ptxas_local_bytes == 0;
}

/* A tree of selections picks the word that is meant (pair_window_before). */
static struct op_cost cost_of_choice(uint32_t words)
{
    enum { MOST = 32 };
    uint32_t selections = words < 2 ? 1 : words / 2;
    return (struct op_cost){.alu = (uint8_t)(selections < MOST ? selections : MOST),
                            .latency_cycles = 10};
}

static bool fill_ops(struct builder *builder)
{
    const struct function *function = builder->function;
    struct schedule *schedule = builder->schedule;
    for (uint32_t i = 0; i < function->op_count; i++) {
        const struct op *op = &function->ops[i];
        struct timed_op *timed = &schedule->ops[i];
        struct used used;
        *timed = (struct timed_op){.id = op->id, .memory = NO_MEMORY};
        timed->cost =
            cost_of(op, &builder->syntax->instructions[i], function->is_kernel, builder->profile);
        if (is_in_registers(function, op, timed->cost.kind))
            timed->cost = cost_of_choice(function->local_bytes / 4);
        if (function->port_waits)
            timed->cost.port_cycles = (float)timed->cost.fma * function->port_waits[i];
        timed->awaits_copies = op->run == copy_arrive;
        timed->groups_left = timed->cost.kind == COST_WAIT ? (uint8_t)op->offset : 0;
        find_registers(builder, i, &used);
        if (!keep_registers(builder, timed, &used))
            return false;
        for (uint32_t j = 0; j < used.read_count; j++)
            builder->uses[used.reads[j]]++;
        for (uint32_t j = 0; j < used.write_count; j++)
            builder->writer[used.writes[j]] =
                builder->writer[used.writes[j]] == NOBODY ? i : SEVERAL;
    }
    return true;
}

static void number_accesses(struct schedule *schedule, struct timed_block *block)
{
    uint16_t accesses = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        if (touches_memory(&schedule->ops[i]) && accesses < NO_MEMORY)
            schedule->access[i] = (struct timed_access){schedule->ops[i].memory = accesses++,
                                                        schedule->ops[i].cost.past_l1};
        else
            schedule->access[i].number = NO_MEMORY;
    block->accesses = accesses;
}

static void schedule_block(struct window *window, const struct timed_block *block)
{
    for (uint32_t at = 0; at < block->count; at += WINDOW) {
        uint32_t left = block->count - at;
        schedule_window(window, block->first + at, left < WINDOW ? left : WINDOW);
    }
}

static bool build(struct builder *builder)
{
    const struct function *function = builder->function;
    struct schedule *schedule = builder->schedule;
    struct window *window = calloc(1, sizeof *window);
    if (!window || !fill_ops(builder)) {
        free(window);
        return false;
    }
    attach_spills(builder);
    lengthen_guards(builder);
    fuse(builder);
    window->builder = builder;
    for (uint32_t b = 0; b < function->block_count; b++) {
        schedule->blocks[b].first = function->blocks[b].first;
        schedule->blocks[b].count = function->blocks[b].count;
        number_accesses(schedule, &schedule->blocks[b]);
    }
    classify_branches(builder);
    uint32_t ops = schedule->op_count;
    bool ok = unroll_loops(builder, &ops) && join_blocks(builder, &ops);
    for (uint32_t b = 0; ok && b < function->block_count; b++) {
        schedule_block(window, &schedule->blocks[b]);
        if (schedule->unrolled[b].count)
            schedule_block(window, &schedule->unrolled[b]);
        if (schedule->joined[b].count)
            schedule_block(window, &schedule->joined[b]);
    }
    free(window->edges);
    free(window);
    return ok;
}

void schedule_free(struct schedule *schedule)
{
    if (!schedule)
        return;
    free(schedule->ops);
    free(schedule->blocks);
    free(schedule->joined);
    free(schedule->unrolled);
    free(schedule->registers);
    free(schedule->access);
    free(schedule);
}

static struct schedule *schedule_new(const struct function *function,
                                     const struct sim_profile *profile)
{
    const struct ptx_function *syntax = &function->module->syntax->functions[function->index];
    struct builder builder = {.function = function, .syntax = syntax, .profile = profile};
    struct schedule *schedule = builder.schedule = calloc(1, sizeof *schedule);
    if (!schedule)
        return NULL;
    builder.carry = (uint32_t)syntax->register_count;
    schedule->op_count = function->op_count;
    schedule->block_count = function->block_count;
    schedule->register_count = builder.carry + 1;
    schedule->ops = calloc(function->op_count + 1, sizeof *schedule->ops);
    schedule->blocks = calloc(function->block_count + 1, sizeof *schedule->blocks);
    schedule->joined = calloc(function->block_count + 1, sizeof *schedule->joined);
    schedule->unrolled = calloc(function->block_count + 1, sizeof *schedule->unrolled);
    schedule->access = calloc(function->op_count + 1, sizeof *schedule->access);
    builder.uses = calloc(schedule->register_count, sizeof *builder.uses);
    builder.writer = malloc(schedule->register_count * sizeof *builder.writer);
    bool ok = schedule->ops && schedule->blocks && schedule->joined && schedule->unrolled &&
              schedule->access && builder.uses && builder.writer;
    if (ok) {
        memset(builder.writer, 0xFF, schedule->register_count * sizeof *builder.writer);
        ok = build(&builder);
    }
    free(builder.uses);
    free(builder.writer);
    if (ok)
        return schedule;
    schedule_free(schedule);
    return NULL;
}

const struct schedule *schedule_of(const struct function *function,
                                   const struct sim_profile *profile)
{
    struct module_model *model = module_model_of(function->module);
    if (!model)
        return NULL;
    struct schedule **own = &model->schedules[function->index];
    if (!*own)
        *own = schedule_new(function, profile);
    return *own;
}

const struct schedule *schedule_made(const struct function *function)
{
    const struct module_model *model = module_model_of(function->module);
    return model ? model->schedules[function->index] : NULL;
}
