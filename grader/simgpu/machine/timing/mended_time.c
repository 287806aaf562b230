/* mended_time.c - models a launch again from mended traces, with the totals and the footprint that
 * go with them. Everything else, the other lines' counters too, is what it was. */
#include "estimate.h"
#include "fetched.h"
#include "mend.h"
#include "schedule.h"
#include "thin.h"

#include <stdlib.h>
#include <string.h>

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

/* What the totals of the launch would be. read_share: the share of the sectors that the line reads
 * which is left when a block reads each once. */
static void mend_totals(const struct mend *mend, struct launch *mended, double read_share)
{
    struct sim_totals *totals = &mended->result.totals;
    for (size_t i = 0; i < mended->result.op_count; i++) {
        struct sim_op_counters *op = &mended->ops[i];
        uint64_t before = op->memory.sectors;
        if (mend->ops[op->id] && mend->kind == SIM_MEND_WAVEFRONTS)
            op->shared.wavefronts = op->shared.ideal_wavefronts;
        if (!mend->ops[op->id] || op->class == SIM_OP_LOCAL || op->class == SIM_OP_CONST ||
            op->access == SIM_ACCESS_NONE)
            continue;
        if (mend_is_of_sectors(mend->kind, op->access))
            op->memory.sectors = op->memory.ideal_sectors;
        if (mend->kind == SIM_MEND_BYTES && op->access == SIM_ACCESS_LOAD)
            op->memory.sectors = (uint64_t)(read_share * (double)before);
        if (mend_leaves_out(mend->kind, op->access))
            op->memory.sectors = (uint64_t)(mend->share * (double)before);
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

/* Blocks that were not traced may use the part of a sector that traced ones leave: at least the
 * bytes that all requests together asked for have to move. */
static void mend_footprint(const struct mend *mend, const struct traced_sectors *before,
                           const struct traced_sectors *after, struct footprint_bytes *touched)
{
    const struct sim_totals *totals = &mend->launch->result.totals;
    bool fewer_reads = mend_leaves_out(mend->kind, SIM_ACCESS_LOAD);
    bool fewer_writes = mend_leaves_out(mend->kind, SIM_ACCESS_STORE);
    double least_read = (fewer_reads ? mend->share : 1) *
                        limited(part(totals->global_load.distinct_bytes, touched->read), 0);
    double least = (fewer_writes ? mend->share : 1) *
                   limited(part(totals->global_store.distinct_bytes, touched->written), 0);
    double read = limited(part(after->read, before->read), least_read);
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

/* What DRAM still reads again when the mended line no longer reads anything again. The caller frees
 * the copy. */
static double *spare_again(const struct mend *mend)
{
    const struct launch *launch = mend->launch;
    size_t bytes = (launch->function->module->op_count + 1) * sizeof(double);
    double *again = launch->fetched ? malloc(bytes) : NULL;
    if (again)
        memcpy(again, launch->fetched->again_bytes, bytes);
    for (size_t i = 0; again && i < launch->result.op_count; i++)
        if (mend->ops[launch->ops[i].id] && mend_leaves_out(mend->kind, SIM_ACCESS_LOAD))
            again[launch->ops[i].id] = 0;
    return again;
}

double mended_time(const struct mend *mend, const struct traced_sectors *before,
                   const struct footprint_bytes *footprint)
{
    double time_ns = 0;
    const struct launch *launch = mend->launch;
    struct launch mended = *launch;
    struct traced_sectors after;
    struct footprint_bytes touched = *footprint;
    struct fetched fetched = {launch->fetched ? launch->fetched->late : NULL, spare_again(mend)};
    mended.fetched = fetched.again_bytes ? &fetched : NULL;
    size_t ops_bytes = launch->result.op_count * sizeof *mended.ops;
    mended.ops = malloc(ops_bytes + 1);
    mended.traces = mended_traces(mend);
    if (mended.ops && mended.traces && traced_sectors(mended.traces, &after)) {
        memcpy(mended.ops, launch->ops, ops_bytes);
        mended.result.ops = mended.ops;
        if (mend->kind == SIM_MEND_ATOMICS)
            mended.traces->atomics_left =
                part(traced_atomics(mended.traces), traced_atomics(launch->traces));
        mend_totals(
            mend, &mended,
            part(traced_reads(mended.traces, mend->ops), traced_reads(launch->traces, mend->ops)));
        if (mend->kind == SIM_MEND_LANES)
            mend_executions(mend, &mended);
        mend_footprint(mend, before, &after, &touched);
        if (thin(mend) && model_launch(&mended, &touched))
            time_ns = mended.result.modelled_ns;
        thin_undo(mend);
    }
    mended_traces_free(mended.traces);
    free(mended.ops);
    free(fetched.again_bytes);
    return time_ns;
}
