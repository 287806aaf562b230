/* result.c - what a launch did: the workers' counters, folded to instructions and totals. */
#include "observers.h"
#include "opcode.h"
#include "sample.h"
#include "spills.h"
#include "spin.h"

#include <stdlib.h>
#include <string.h>

/* What the blocks that worker stands for would have counted. */
static struct sim_access_counters scaled(const struct worker *worker,
                                         struct sim_access_counters counters)
{
#define MACHINE_COUNTER(name, meaning) counters.name = sample_scale(worker, counters.name);
#define ACCESS_COUNTER(name, memory, meaning) MACHINE_COUNTER(name, meaning)
#include "access_counters.def"
    return counters;
}

static void add_access(struct sim_access_counters *to, const struct sim_access_counters *from)
{
    example_merge_neighbours(to, from);
#define MACHINE_COUNTER(name, meaning) to->name += from->name;
#define ACCESS_COUNTER(name, memory, meaning) MACHINE_COUNTER(name, meaning)
#include "access_counters.def"
}

/* Of equal requests, the one of the earlier block counts: the result is then the same for any
 * number of workers. */
static bool is_worse(const struct site *a, const struct site *b)
{
    if (a->example.beyond != b->example.beyond)
        return a->example.beyond > b->example.beyond;
    return a->example.block < b->example.block;
}

/* The sum over the workers of one op's accesses to shared memory, or to all other memory; *class
 * gets their kind. */
static struct sim_access_counters accesses(const struct launch *launch, uint32_t op, bool shared,
                                           enum sim_access_class *class,
                                           const struct sim_request **example)
{
    static const enum sim_access_class CLASSES[] = {[ACCESS_LOAD] = SIM_ACCESS_LOAD,
                                                    [ACCESS_STORE] = SIM_ACCESS_STORE,
                                                    [ACCESS_ATOMIC] = SIM_ACCESS_ATOMIC,
                                                    [ACCESS_REDUCTION] = SIM_ACCESS_REDUCTION};
    struct sim_access_counters sum = {0};
    const struct site *worst = NULL;
    *class = SIM_ACCESS_NONE;
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        const struct site *site = launch->workers[i].sites[2 * op + shared];
        if (!site || !site->counters.requests)
            continue;
        *class = CLASSES[site->kind];
        const struct sim_access_counters counted = scaled(&launch->workers[i], site->counters);
        add_access(&sum, &counted);
        if (site->example.kept && (!worst || is_worse(site, worst)))
            worst = site;
    }
    *example = worst ? &worst->example.request : NULL;
    return sum;
}

static struct block_counters entries(const struct launch *launch, uint32_t block)
{
    struct block_counters sum = {0};
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        const struct worker *worker = &launch->workers[i];
        sum.entries += sample_scale(worker, worker->blocks[block].entries);
        sum.lanes += sample_scale(worker, worker->blocks[block].lanes);
    }
    return sum;
}

static enum sim_op_class class_of(const struct op *op, const struct opcode *opcode,
                                  bool used_shared)
{
    if (opcode->class != SIM_OP_GLOBAL)
        return opcode->class;
    if (op->space == SPACE_LOCAL)
        return SIM_OP_LOCAL;
    if (op->space == SPACE_CONST)
        return SIM_OP_CONST;
    return used_shared || op->space == SPACE_SHARED ? SIM_OP_SHARED : SIM_OP_GLOBAL;
}

/* The totals that accesses of that class belong to. */
static struct sim_access_counters *total_of(struct sim_totals *totals, enum sim_access_class class,
                                            bool shared, bool local)
{
    switch (class) {
    case SIM_ACCESS_LOAD:
        return shared ? &totals->shared_load : local ? &totals->local_load : &totals->global_load;
    case SIM_ACCESS_STORE:
        return shared  ? &totals->shared_store
               : local ? &totals->local_store
                       : &totals->global_store;
    case SIM_ACCESS_ATOMIC: return shared ? &totals->shared_atomic : &totals->global_atomic;
    default: return shared ? &totals->shared_atomic : &totals->global_reduction;
    }
}

static void fill_op(const struct launch *launch, const struct op *op,
                    const struct block_counters *block, struct sim_op_counters *counters)
{
    const struct module *module = launch->function->module;
    const struct op_info *info = &module->ops[op->id];
    const struct opcode *opcode = opcode_at(info->row);
    const struct sim_line *inlined = module->lines + module->line_count;
    *counters =
        (struct sim_op_counters){.id = op->id,
                                 .mnemonic = opcode->mnemonic,
                                 .row = info->row,
                                 .line = module->lines[info->location],
                                 .inlined = inlined[info->location],
                                 .ptx_line = info->ptx_line,
                                 .executions = block->entries,
                                 .spilled_words = spills_at(module, op->id) * block->entries,
                                 .lanes = block->lanes,
                                 .lanes_on = block->lanes};
    counters->memory =
        accesses(launch, op->id, false, &counters->access, &counters->memory_example);
    counters->shared =
        accesses(launch, op->id, true, &counters->shared_access, &counters->shared_example);
    counters->class = class_of(op, opcode, counters->shared.requests > counters->memory.requests);
    if (info->is_branch && op->guard != NO_REGISTER)
        counters->branches = block->entries;
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        const struct worker *worker = &launch->workers[i];
        counters->divergent += sample_scale(worker, worker->divergent[op->id]);
        if (!info->is_branch) /* a branch not taken is not switched off */
            counters->lanes_on -= sample_scale(worker, worker->guarded_off[op->id]);
    }
}

static void add_totals(struct sim_totals *totals, const struct sim_op_counters *counters)
{
    totals->warp_inst += counters->executions;
    totals->thread_inst += counters->lanes;
    totals->thread_inst_pred_on += counters->lanes_on;
    totals->branches += counters->branches;
    totals->divergent_branches += counters->divergent;
    totals->by_class[counters->class] += counters->executions;
    if (counters->access != SIM_ACCESS_NONE && counters->class != SIM_OP_CONST)
        add_access(total_of(totals, counters->access, false, counters->class == SIM_OP_LOCAL),
                   &counters->memory);
    bool copies =
        counters->shared_access == SIM_ACCESS_STORE && counters->access == SIM_ACCESS_LOAD;
    if (copies)
        add_access(&totals->shared_copy, &counters->shared);
    else if (counters->shared_access != SIM_ACCESS_NONE)
        add_access(total_of(totals, counters->shared_access, true, false), &counters->shared);
}

static size_t fold_function(struct launch *launch, const struct function *function, size_t count)
{
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct basic_block *block = &function->blocks[b];
        struct block_counters sum = entries(launch, block->id);
        for (uint32_t i = 0; sum.entries && i < block->count; i++) {
            struct sim_op_counters *counters = &launch->ops[count++];
            fill_op(launch, &function->ops[block->first + i], &sum, counters);
            add_totals(&launch->result.totals, counters);
        }
    }
    return count;
}

/* The time that passed while all blocks waited for the clock, which the model has not seen: it is
 * charged to the op at which they waited. */
static void add_waits(struct launch *launch)
{
    double waited_ns = 0;
    for (uint32_t w = 0; w < launch->worker_count; w++)
        for (size_t i = 0; launch->workers[w].skipped_by && i < launch->result.op_count; i++) {
            struct sim_op_counters *counters = &launch->ops[i];
            double ns = (double)launch->workers[w].skipped_by[counters->id] / TICKS_PER_NS;
            counters->modelled_ns[SIM_WAIT_RESULT] += ns;
            waited_ns += ns;
        }
    if (waited_ns > launch->result.modelled_ns)
        launch->result.bound = "waiting for the clock";
    launch->result.modelled_ns += waited_ns;
}

const struct sim_launch_result *sim_launch_result(struct launch *launch)
{
    const struct module *module = launch->function->module;
    struct sim_launch_result *result = &launch->result;
    if (!launch->config.count)
        return NULL;
    if (launch->ops)
        return result;
    sample_weigh(launch);
    launch->ops = calloc(module->op_count + 1, sizeof *launch->ops);
    if (!launch->ops)
        return NULL;
    result->kernel = launch->function->name;
    result->config = launch->config;
    result->ops = launch->ops;
    result->shared_bytes = launch->shared_bytes;
    result->registers = launch->function->ptxas_registers;
    result->blocks_per_multiprocessor =
        sim_occupancy(launch->context, launch->function, launch->block_threads,
                      launch->config.dynamic_shared_bytes, &result->occupancy_limit);
    for (uint32_t i = 0; i < module->function_count; i++)
        result->op_count = fold_function(launch, &module->functions[i], result->op_count);
    for (uint32_t i = 0; i < launch->worker_count; i++)
        result->totals.barriers += sample_scale(&launch->workers[i], launch->workers[i].barriers);
    if (launch->faulted) { /* how long it would have taken is unknown */
        result->bound = "stopped by a fault";
        return result;
    }
    if (!observers_result(launch))
        return NULL;
    add_waits(launch);
    return result;
}
