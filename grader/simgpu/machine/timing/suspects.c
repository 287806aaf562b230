/* suspects.c - adds up what each source line spends, and what it would need. */
#include "suspects.h"
#include "sector_set.h"
#include "trace_words.h"

#include <stdlib.h>
#include <string.h>

/* A mend of a line that takes less of the time than this gains too little to notice. */
static const double LEAST_SHARE = 0.02;
/* A line that needs nearly all of what it spends has nothing to mend. */
static const double LEAST_WASTE = 0.05;

static bool same_line(const struct sim_line *a, const struct sim_line *b)
{
    return a->line == b->line && (a->file == b->file || strcmp(a->file, b->file) == 0);
}

/* Lanes may part because of what a call passes to a function as well as because of what the
 * function does with it. */
static bool is_called_from(const struct module *module, uint32_t op, const struct sim_line *line)
{
    uint32_t at = module->callers[module->ops[op].location];
    while (at && !same_line(&module->lines[at], line))
        at = module->callers[at];
    return at != 0;
}

bool suspect_has_op(const struct suspect *suspect, enum sim_mend mend, const struct module *module,
                    uint32_t op)
{
    return !suspect->line || mend == SIM_MEND_SPILLS ||
           same_line(suspect->line, &module->lines[module->ops[op].location]) ||
           (mend == SIM_MEND_LANES && is_called_from(module, op, suspect->line));
}

bool suspect_is_line(const struct suspect *suspect, const struct sim_line *line)
{
    return suspect->line ? line->line && same_line(suspect->line, line) : !line->line;
}

static struct suspect *suspect_at(struct suspect *suspects, size_t *count,
                                  const struct sim_line *line)
{
    for (size_t i = *count; i-- > 0;)
        if (same_line(suspects[i].line, line))
            return &suspects[i];
    suspects[*count] = (struct suspect){.line = line};
    return &suspects[(*count)++];
}

static void add_waste(struct waste *waste, uint64_t spent, uint64_t needed)
{
    waste->spent += (double)spent;
    waste->needed += (double)needed;
}

/* reads: of its own, as add_reads has them. */
static void add_op(struct suspect *suspect, const struct sim_op_counters *op,
                   const struct waste *reads)
{
    suspect->reads.spent += reads->spent;
    suspect->reads.needed += reads->needed;
    for (int wait = 0; wait < SIM_WAITS; wait++)
        suspect->ns += op->modelled_ns[wait];
    suspect->barrier_ns += op->modelled_ns[SIM_WAIT_BARRIER];
    if (op->class != SIM_OP_LOCAL && op->class != SIM_OP_CONST) {
        struct waste *sectors = op->access == SIM_ACCESS_LOAD    ? &suspect->loads
                                : op->access == SIM_ACCESS_STORE ? &suspect->stores
                                                                 : &suspect->other;
        add_waste(sectors, op->memory.sectors, op->memory.ideal_sectors);
    }
    add_waste(&suspect->wavefronts, op->shared.wavefronts, op->shared.ideal_wavefronts);
    add_waste(&suspect->lanes, WARP_LANES * op->executions, op->lanes);
    suspect->splits |= op->divergent != 0;
    suspect->local += op->spilled_words;
    if (op->class == SIM_OP_LOCAL)
        suspect->local += op->memory.requests;
    if (op->access == SIM_ACCESS_ATOMIC || op->access == SIM_ACCESS_REDUCTION)
        add_waste(&suspect->atomics, op->memory.bytes, op->memory.distinct_bytes);
}

static int longest_first(const void *a, const void *b)
{
    double x = ((const struct suspect *)a)->ns, y = ((const struct suspect *)b)->ns;
    return (x < y) - (x > y);
}

/* Registers that are spilled on one line are mostly needed on others, and an array is written on
 * one and read on another, so all of it goes together: the line with most answers for all. */
static void choose_local(struct suspect *suspects, size_t count)
{
    size_t most = 0;
    for (size_t i = 1; i < count; i++)
        if (suspects[i].local > suspects[most].local)
            most = i;
    if (count)
        suspects[most].answers_for_local = suspects[most].local != 0;
}

/* A line is itself suspect if lanes part, or some are switched off, in what it calls. */
static void add_callers(struct suspect *suspects, size_t *count, const struct module *module,
                        const struct sim_op_counters *op)
{
    for (uint32_t at = module->callers[module->ops[op->id].location]; at;
         at = module->callers[at]) {
        struct suspect *caller = suspect_at(suspects, count, &module->lines[at]);
        caller->splits |= op->divergent != 0;
        add_waste(&caller->lanes, WARP_LANES * op->executions, op->lanes);
    }
}

/* Sectors that the op asked for, and those of them that its block had not yet asked for. */
static void add_reads(struct waste *reads, struct sector_set *seen, const struct warp_trace *trace)
{
    struct trace_item item;
    for (uint32_t at = 0; trace_next(trace, &at, &item);) {
        bool reads_global = item.tag == TRACE_ACCESS && item.how == TRACE_READ;
        for (uint32_t i = 0; reads_global && i < item.count; i++) {
            uint32_t fresh = sector_set_add(seen, item.lines[i]);
            add_waste(&reads[item.value], trace_sectors(&item.lines[i], 1),
                      trace_sectors(&fresh, 1));
        }
    }
}

/* By op id, of the blocks that were traced; the caller frees. NULL without memory. */
static struct waste *find_reads(const struct launch *launch)
{
    const struct traces *traces = launch->traces;
    struct sector_set seen = {0};
    struct waste *reads = calloc(launch->function->module->op_count + 1, sizeof *reads);
    for (uint32_t i = 0; reads && traces && i < traces->count; i++) {
        sector_set_clear(&seen);
        for (uint32_t j = 0; j < traces->blocks[i].warp_count; j++)
            add_reads(reads, &seen, &traces->blocks[i].warps[j]);
    }
    sector_set_free(&seen);
    return reads;
}

/* The lines of all ops, and their sum; returns how many lines. */
static size_t add_ops(const struct launch *launch, const struct waste *reads,
                      struct suspect *suspects, struct suspect *all)
{
    const struct module *module = launch->function->module;
    size_t count = 0;
    for (size_t i = 0; i < launch->result.op_count; i++) {
        const struct sim_op_counters *op = &launch->ops[i];
        add_op(all, op, &reads[op->id]);
        if (!op->line.line)
            continue;
        add_op(suspect_at(suspects, &count, &op->line), op, &reads[op->id]);
        add_callers(suspects, &count, module, op);
    }
    return count;
}

size_t suspects_find(const struct launch *launch, struct suspect **suspects, struct suspect *all)
{
    size_t count = 0, room = launch->function->module->line_count + 1;
    struct waste *reads = find_reads(launch);
    *all = (struct suspect){.line = NULL};
    *suspects = calloc(room, sizeof **suspects);
    if (*suspects && reads) {
        count = add_ops(launch, reads, *suspects, all);
        all->answers_for_local = all->local != 0;
        qsort(*suspects, count, sizeof **suspects, longest_first);
        choose_local(*suspects, count);
    }
    free(reads);
    return count;
}

/* --- What may be worth it --------------------------------------------------------------------- */

static bool is_wasteful(const struct waste *waste)
{
    return waste->spent > 0 && (waste->spent - waste->needed) / waste->spent > LEAST_WASTE;
}

/* Its part of the time is no bound: time that others wait in queues for its requests is charged to
 * other lines, too. */
bool suspect_may_gain(const struct suspect *suspect, enum sim_mend mend, double launch_ns)
{
    bool long_enough = suspect->ns > LEAST_SHARE * launch_ns;
    bool loads = is_wasteful(&suspect->loads), stores = is_wasteful(&suspect->stores);
    switch (mend) {
    case SIM_MEND_SECTORS: return long_enough && (loads || stores || is_wasteful(&suspect->other));
    case SIM_MEND_LOAD_SECTORS: return long_enough && loads;
    case SIM_MEND_STORE_SECTORS: return long_enough && stores;
    case SIM_MEND_WAVEFRONTS: return long_enough && is_wasteful(&suspect->wavefronts);
    case SIM_MEND_LANES: return suspect->splits || (long_enough && is_wasteful(&suspect->lanes));
    case SIM_MEND_BYTES: return long_enough && is_wasteful(&suspect->reads);
    case SIM_MEND_SPILLS: return suspect->answers_for_local;
    case SIM_MEND_ATOMICS: return is_wasteful(&suspect->atomics);
    case SIM_MEND_BARRIERS: return suspect->barrier_ns > LEAST_SHARE * launch_ns;
    default: return false;
    }
}

static bool same_waste(const struct waste *a, const struct waste *b)
{
    return a->spent - a->needed == b->spent - b->needed;
}

bool suspect_has_all(const struct suspect *suspect, const struct suspect *all, enum sim_mend mend)
{
    bool loads = same_waste(&suspect->loads, &all->loads);
    bool stores = same_waste(&suspect->stores, &all->stores);
    switch (mend) {
    case SIM_MEND_SECTORS: return loads && stores && same_waste(&suspect->other, &all->other);
    case SIM_MEND_LOAD_SECTORS: return loads;
    case SIM_MEND_STORE_SECTORS: return stores;
    case SIM_MEND_WAVEFRONTS: return same_waste(&suspect->wavefronts, &all->wavefronts);
    case SIM_MEND_ATOMICS: return same_waste(&suspect->atomics, &all->atomics);
    case SIM_MEND_BYTES: return suspect->loads.spent == all->loads.spent;
    case SIM_MEND_SPILLS: return true;
    default: return false;
    }
}
