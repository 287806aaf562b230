/* gather.c - which basic blocks would run less often if the lanes that part on a line were put
 * together into whole warps, and how often they still would.
 *
 * Two kinds of blocks depend on the line: those that hold instructions of it themselves, and those
 * between a branch of it that splits warps and the convergence point of its paths. Blocks are
 * numbered in the order of the program, so these are the ones numbered in between; for a backward
 * branch, the loop. Blocks with a barrier stay as they are: each warp has to come to it. regroup.c
 * says which warps still run the others.
 */
#include "mend.h"
#include "sample.h"

static double share_of_lanes(const struct launch *launch, const struct basic_block *block)
{
    uint64_t entries = 0, lanes = 0;
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        const struct worker *worker = &launch->workers[i];
        entries += sample_scale(worker, worker->blocks[block->id].entries);
        lanes += sample_scale(worker, worker->blocks[block->id].lanes);
    }
    return entries ? (double)lanes / (WARP_LANES * (double)entries) : 1;
}

static bool has_barrier(const struct function *function, const struct basic_block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        if (function->ops[block->first + i].row->class == SIM_OP_BARRIER)
            return true;
    return false;
}

static void gather(const struct mend *mend, const struct function *function, uint32_t index)
{
    const struct basic_block *block = &function->blocks[index];
    if (!has_barrier(function, block))
        mend->block_share[block->id] = share_of_lanes(mend->launch, block);
}

static bool splits(const struct launch *launch, uint32_t op)
{
    uint64_t divergent = 0;
    for (uint32_t i = 0; i < launch->worker_count; i++)
        divergent += launch->workers[i].divergent[op];
    return divergent != 0;
}

/* The blocks between the branch at the end of that block and its convergence point. */
static void gather_between(const struct mend *mend, const struct function *function, uint32_t index,
                           const struct op *branch)
{
    uint32_t join = function->blocks[index].join;
    uint32_t end = join == EXIT_BLOCK ? function->block_count : join;
    uint32_t first = branch->target <= index ? branch->target : index + 1;
    for (uint32_t i = first; i < end; i++)
        gather(mend, function, i);
}

static void look_at_block(const struct mend *mend, const struct function *function, uint32_t index)
{
    const struct basic_block *block = &function->blocks[index];
    const struct module *module = mend->launch->function->module;
    for (uint32_t i = 0; i < block->count; i++) {
        const struct op *op = &function->ops[block->first + i];
        if (!mend->ops[op->id])
            continue;
        gather(mend, function, index);
        if (module->ops[op->id].is_branch && splits(mend->launch, op->id))
            gather_between(mend, function, index, op);
    }
}

void mend_gather(const struct mend *mend)
{
    const struct module *module = mend->launch->function->module;
    for (uint32_t i = 0; i < module->block_count; i++)
        mend->block_share[i] = 1;
    for (uint32_t f = 0; mend->kind == SIM_MEND_LANES && f < module->function_count; f++)
        for (uint32_t b = 0; b < module->functions[f].block_count; b++)
            look_at_block(mend, &module->functions[f], b);
}
