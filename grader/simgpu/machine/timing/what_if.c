/* what_if.c - the same launch with one source line as good as can be: which lines are worth asking
 * for, and what the model says then.
 *
 * The launch is modelled again from mended traces (mend.c), with the totals and the footprint that
 * go with them. Everything else, the other lines' counters too, is what it was.
 */
#include "estimate.h"
#include "mend.h"
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

/* A line that takes less of the time than this gains less than anybody would notice. */
static const double LEAST_SHARE = 0.02;
/* A line that needs nearly all of what it spends has nothing to mend. */
static const double LEAST_WASTE = 0.05;

/* A line of the source, as far as the launch ran it. */
struct suspect {
    const struct sim_line *line;
    double ns, barrier_ns;         /* its part of the modelled time */
    uint64_t spilled;              /* words */
    bool answers_for_spills;       /* no line has more of them */
    bool splits;                   /* warps, at a branch */
    double sectors, ideal_sectors, wavefronts, ideal_wavefronts, lanes, lanes_needed;
    bool reads;                    /* global memory */
};

/* --- Suspects --------------------------------------------------------------------------------- */

static bool same_line(const struct sim_line *a, const struct sim_line *b)
{
    return a->line == b->line && (a->file == b->file || strcmp(a->file, b->file) == 0);
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

static void add_op(struct suspect *suspect, const struct sim_op_counters *op)
{
    for (int wait = 0; wait < SIM_WAITS; wait++)
        suspect->ns += op->modelled_ns[wait];
    suspect->barrier_ns += op->modelled_ns[SIM_WAIT_BARRIER];
    if (op->class != SIM_OP_LOCAL && op->class != SIM_OP_CONST) {
        suspect->sectors += (double)op->memory.sectors;
        suspect->ideal_sectors += (double)op->memory.ideal_sectors;
        suspect->reads |= op->access == SIM_ACCESS_LOAD;
    }
    suspect->wavefronts += (double)op->shared.wavefronts;
    suspect->ideal_wavefronts += (double)op->shared.ideal_wavefronts;
    suspect->splits |= op->divergent != 0;
    suspect->spilled += op->spilled_words;
    suspect->lanes += (double)(WARP_LANES * op->executions);
    suspect->lanes_needed += (double)op->lanes;
}

static bool wastes(double spent, double needed)
{
    return spent > 0 && (spent - needed) / spent > LEAST_WASTE;
}

/* May that mend of the line be worth anything? Its part of the time is no bound: what waits behind
 * its requests is charged to other lines, too. */
static bool may_gain(const struct suspect *suspect, enum sim_mend mend, double launch_ns)
{
    bool long_enough = suspect->ns > LEAST_SHARE * launch_ns;
    switch (mend) {
    case SIM_MEND_SECTORS: return long_enough && wastes(suspect->sectors, suspect->ideal_sectors);
    case SIM_MEND_WAVEFRONTS:
        return long_enough && wastes(suspect->wavefronts, suspect->ideal_wavefronts);
    case SIM_MEND_LANES:
        return suspect->splits ||
               (long_enough && wastes(suspect->lanes, suspect->lanes_needed));
    case SIM_MEND_BYTES: return long_enough && suspect->reads;
    case SIM_MEND_SPILLS: return suspect->answers_for_spills;
    case SIM_MEND_BARRIERS: return suspect->barrier_ns > LEAST_SHARE * launch_ns;
    default: return false;
    }
}

static int longest_first(const void *a, const void *b)
{
    double x = ((const struct suspect *)a)->ns, y = ((const struct suspect *)b)->ns;
    return (x < y) - (x > y);
}

/* Registers that are spilled on one line are mostly needed on others, so all spills go together:
 * the line with most of them answers for all. */
static void choose_spilling(struct suspect *suspects, size_t count)
{
    size_t most = 0;
    for (size_t i = 1; i < count; i++)
        if (suspects[i].spilled > suspects[most].spilled)
            most = i;
    if (count)
        suspects[most].answers_for_spills = suspects[most].spilled != 0;
}

/* --- One mend --------------------------------------------------------------------------------- */

static void exchange(uint64_t *total, uint64_t before, uint64_t after)
{
    *total = *total - before + after;
}

static struct sim_access_counters *global_total(struct sim_totals *totals,
                                                enum sim_access_class class)
{
    switch (class) {
    case SIM_ACCESS_LOAD: return &totals->global_load;
    case SIM_ACCESS_STORE: return &totals->global_store;
    case SIM_ACCESS_ATOMIC: return &totals->global_atomic;
    default: return &totals->global_reduction;
    }
}

/* What the totals of the launch would be. read_share: of the sectors that the line reads, those
 * that are left when a block reads each once. */
static void mend_totals(const struct mend *mend, struct launch *mended, double read_share)
{
    struct sim_totals *totals = &mended->result.totals;
    for (size_t i = 0; i < mended->result.op_count; i++) {
        struct sim_op_counters *op = &mended->ops[i];
        uint64_t before = op->memory.sectors;
        if (!mend->ops[op->id] || op->class == SIM_OP_LOCAL || op->class == SIM_OP_CONST ||
            op->access == SIM_ACCESS_NONE)
            continue;
        if (mend->kind == SIM_MEND_SECTORS)
            op->memory.sectors = op->memory.ideal_sectors;
        if (mend->kind == SIM_MEND_BYTES && op->access == SIM_ACCESS_LOAD)
            op->memory.sectors = (uint64_t)(read_share * (double)before);
        exchange(&global_total(totals, op->access)->sectors, before, op->memory.sectors);
    }
}

static const struct basic_block *block_of_op(const struct function *function, uint32_t op)
{
    const struct basic_block *block = function->blocks;
    while (op - function->first_op_id >= block->first + block->count)
        block++;
    return block;
}

/* Basic blocks whose lanes are gathered into whole warps run less often. */
static void mend_executions(const struct mend *mend, struct launch *mended)
{
    const struct module *module = mended->function->module;
    for (size_t i = 0; i < mended->result.op_count; i++) {
        struct sim_op_counters *op = &mended->ops[i];
        const struct function *function = function_of_op(module, op->id);
        double share = mend->block_share[block_of_op(function, op->id)->id];
        op->executions = (uint64_t)((double)op->executions * share);
    }
}

static uint64_t scaled(uint64_t bytes, double share)
{
    return (uint64_t)((double)bytes * share);
}

static double limited(double share, double least)
{
    share = share < 1 ? share : 1;
    return share > least ? share : least;
}

static double part(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 1;
}

/* Blocks that were not traced may use what traced ones leave of a sector: at least what all
 * requests asked for together has to move. */
static void mend_footprint(const struct launch *launch, const struct traced_sectors *before,
                           const struct traced_sectors *after, struct footprint_bytes *touched)
{
    const struct sim_totals *totals = &launch->result.totals;
    double read = limited(part(after->read, before->read),
                          limited(part(totals->global_load.distinct_bytes, touched->read), 0));
    double least = limited(part(totals->global_store.distinct_bytes, touched->written), 0);
    double written = limited(part(after->written, before->written), least);
    double pieces = limited(part(after->written_pieces, before->written_pieces), 0);
    double lines = limited(part(after->read_lines, before->read_lines), 0);
    double filled = limited(part(after->written_in_part, before->written_in_part), 0);
    touched->read = scaled(touched->read, read);
    touched->read_lines = scaled(touched->read_lines, lines);
    touched->written = scaled(touched->written, written);
    touched->written_moved = scaled(touched->written_moved, pieces);
    if (touched->written_moved < touched->written)
        touched->written_moved = touched->written;
    touched->filled = scaled(touched->filled, filled);
    touched->filled_moved = scaled(touched->filled_moved, filled);
}

/* Sectors that the line's loads ask for, in all traces. */
static uint64_t asked_by_line(const struct traces *traces, const bool *ops)
{
    uint64_t sectors = 0;
    for (uint32_t i = 0; i < traces->count; i++)
        for (uint32_t j = 0; j < traces->blocks[i].warp_count; j++)
            sectors += trace_read_sectors(&traces->blocks[i].warps[j], ops);
    return sectors;
}

/* The modelled time with the line mended; 0 when memory is exhausted. */
static double time_mended(const struct launch *launch, const struct mend *mend,
                          const struct traced_sectors *before)
{
    double time_ns = 0;
    struct launch mended = *launch;
    struct traced_sectors after;
    struct footprint_bytes touched = footprint_sum(launch);
    size_t ops_bytes = launch->result.op_count * sizeof *mended.ops;
    mended.ops = malloc(ops_bytes + 1);
    mended.traces = mended_traces(mend);
    if (mended.ops && mended.traces && traced_sectors(mended.traces, &after)) {
        memcpy(mended.ops, launch->ops, ops_bytes);
        mended.result.ops = mended.ops;
        mend_totals(mend, &mended, part(asked_by_line(mended.traces, mend->ops),
                                        asked_by_line(launch->traces, mend->ops)));
        if (mend->kind == SIM_MEND_LANES)
            mend_executions(mend, &mended);
        mend_footprint(launch, before, &after, &touched);
        if (model_launch(&mended, &touched))
            time_ns = mended.result.modelled_ns;
    }
    mended_traces_free(mended.traces);
    free(mended.ops);
    return time_ns;
}

/* --- All of them ------------------------------------------------------------------------------ */

static void mark_ops(const struct launch *launch, const struct sim_line *line, bool *ops)
{
    for (size_t i = 0; i < launch->result.op_count; i++)
        ops[launch->ops[i].id] = same_line(&launch->ops[i].line, line);
}

static size_t ask(const struct launch *launch, const struct suspect *suspects, size_t count,
                  struct sim_what_if *found, size_t room)
{
    struct traced_sectors before;
    size_t known = 0;
    const struct module *module = launch->function->module;
    bool *ops = calloc(module->op_count + 1, sizeof *ops);
    double *shares = malloc((module->block_count + 1) * sizeof *shares);
    bool ready = ops && shares && traced_sectors(launch->traces, &before);
    for (size_t i = 0; i < count && ready; i++) {
        mark_ops(launch, suspects[i].line, ops);
        for (int kind = 0; kind < SIM_MENDS && known < room; kind++) {
            const struct mend mend = {(enum sim_mend)kind, launch, ops, shares};
            if (!may_gain(&suspects[i], mend.kind, launch->result.modelled_ns))
                continue;
            mend_gather(&mend);
            double time_ns = time_mended(launch, &mend, &before);
            if (time_ns > 0)
                found[known++] = (struct sim_what_if){*suspects[i].line, mend.kind, time_ns};
        }
    }
    free(ops);
    free(shares);
    return known;
}

size_t sim_launch_what_if(struct launch *launch, struct sim_what_if *found, size_t room)
{
    const struct sim_launch_result *result = sim_launch_result(launch);
    if (!result || !launch->traces || launch->faulted || result->modelled_ns <= 0)
        return 0;
    struct suspect *suspects = calloc(result->op_count + 1, sizeof *suspects);
    size_t count = 0;
    for (size_t i = 0; suspects && i < result->op_count; i++)
        if (launch->ops[i].line.line)
            add_op(suspect_at(suspects, &count, &launch->ops[i].line), &launch->ops[i]);
    if (suspects)
        qsort(suspects, count, sizeof *suspects, longest_first);
    if (suspects)
        choose_spilling(suspects, count);
    size_t known = suspects ? ask(launch, suspects, count, found, room) : 0;
    free(suspects);
    return known;
}
