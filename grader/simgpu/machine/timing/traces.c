/* traces.c - the traces of one launch: whose they are, and what is added up of all blocks.
 *
 * The blocks are those that one multiprocessor would get first: the device deals blocks out like
 * cards, so it gets every stride-th. Which one depends on the seed. If a kernel that does less in
 * its first blocks is to be caught, the blocks are drawn from all turns of that multiprocessor.
 * Next: trace.c, which writes.
 */
#include "module_model.h"
#include "sample.h"
#include "strata.h"
#include "timing.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of this many turns of a full multiprocessor, and warp instructions of all of them. */
enum { TURNS = 3, MOST_STEPS = 320 * 1024, LEAST_STEPS_A_WARP = 256 };

static uint64_t blocks_of_one(const struct launch *launch)
{
    uint64_t multiprocessors = launch->context->machine->profile.multiprocessors;
    return (launch->block_count + multiprocessors - 1) / multiprocessors;
}

static bool block_trace_init(struct block_trace *block, uint32_t warps, uint64_t most_steps)
{
    block->warp_count = warps;
    block->barriers_together = NO_BARRIER;
    block->warps = calloc(warps, sizeof *block->warps);
    for (uint32_t i = 0; block->warps && i < warps; i++)
        block->warps[i].most_steps = most_steps;
    return block->warps != NULL;
}

/* A row of totals for each worker, and one for the sum. Rows begin a cache line of their own, so
 * that no worker's counting takes another's away. */
static bool make_tallies(struct traces *traces, uint32_t workers)
{
    enum { LINE_COUNTERS = 64 / sizeof(uint64_t) };
    size_t row = (traces->stride + LINE_COUNTERS - 1) / LINE_COUNTERS * LINE_COUNTERS;
    size_t bytes = row * (workers + 1) * sizeof(uint64_t);
    traces->tallies = calloc(workers, sizeof *traces->tallies);
    traces->tally_count = workers;
    traces->dealt_steps = aligned_alloc(64, bytes);
    if (!traces->tallies || !traces->dealt_steps)
        return false;
    memset(traces->dealt_steps, 0, bytes);
    for (uint32_t i = 0; i < workers; i++)
        traces->tallies[i] = (struct tally){.dealt_steps = traces->dealt_steps + (i + 1) * row};
    return true;
}

/* May the launch's blocks draw all its work from a counter (drawn.h)? Then the first block is the
 * one to look at. The kernel's code is not examined for this: it may contain what it never
 * executes. */
static bool may_draw(const struct launch *launch, uint64_t resident)
{
    uint64_t multiprocessors = launch->context->machine->profile.multiprocessors;
    return !launch->sample && launch->block_count <= resident * multiprocessors;
}

/* One of the multiprocessors that get most blocks. */
static uint64_t draw_multiprocessor(const struct launch *launch, uint64_t multiprocessors)
{
    const struct sim_launch_config *config = &launch->config;
    uint64_t seed = config->seed + 3 * config->approximation_seed + 7 * config->sampling.seed;
    uint64_t last_turn = launch->block_count % multiprocessors;
    seed *= UINT64_C(0x9E3779B97F4A7C15);
    return (seed >> 32) % (last_turn ? last_turn : multiprocessors);
}

/* Of a grid whose blocks are all there from the start, one multiprocessor is looked at. */
static bool some_wait_for_places(const struct traces *traces)
{
    return traces->count > traces->resident;
}

/* Draw blocks from the whole grid, or from the multiprocessor's. However few of them run, they come
 * evenly from all of it: where only its first blocks have work, so do about as many of these. Those
 * of a multiprocessor may be of one sort, such as all with even numbers. False without memory. */
static bool draw_numbers(struct traces *traces, const struct launch *launch)
{
    uint64_t random = launch->config.sampling.seed ^ UINT64_C(0x7475726E73);
    bool of_grid = some_wait_for_places(traces);
    uint64_t range = of_grid ? launch->block_count : blocks_of_one(launch);
    struct strata strata = strata_of(range, traces->count, &random);
    traces->numbers = malloc((traces->count + 1) * sizeof *traces->numbers);
    for (uint64_t i = 0; traces->numbers && i < traces->count; i++) {
        uint64_t drawn = strata_draw(&strata, &random);
        traces->numbers[i] = of_grid ? drawn : traces->first + drawn * traces->stride;
    }
    return traces->numbers;
}

bool traces_ask_for(const struct traces *traces, struct asked_blocks *asked)
{
    asked->numbers = malloc((traces->count + 1) * sizeof *asked->numbers);
    for (uint32_t i = 0; asked->numbers && i < traces->count; i++)
        asked->numbers[i] = traces_number(traces, i);
    asked->count = traces->count;
    asked->at_once = traces->resident;
    asked->are_drawn = traces->numbers;
    asked->are_of_grid = traces->numbers && some_wait_for_places(traces);
    return asked->numbers;
}

struct traces *traces_new(const struct launch *launch)
{
    struct traces *traces = calloc(1, sizeof *traces);
    unsigned resident = sim_occupancy(launch->context, launch->function, launch->block_threads,
                                      launch->config.dynamic_shared_bytes, NULL);
    uint64_t blocks = blocks_of_one(launch);
    if (!traces || resident == 0) {
        free(traces);
        return NULL;
    }
    traces->stride = launch->context->machine->profile.multiprocessors;
    traces->first = may_draw(launch, resident) ? 0 : draw_multiprocessor(launch, traces->stride);
    traces->resident = resident;
    traces->atomics_left = 1;
    traces->count = (uint32_t)(blocks < TURNS * resident ? blocks : TURNS * resident);
    traces->blocks = calloc(traces->count, sizeof *traces->blocks);
    uint32_t first = traces->count < resident ? traces->count : resident;
    for (uint32_t i = 0; traces->blocks && i < traces->count; i++) {
        uint32_t sharing = (i < first ? first : TURNS * resident) * launch->warp_count;
        uint64_t most = MOST_STEPS / sharing;
        if (!block_trace_init(&traces->blocks[i], launch->warp_count,
                              most < LEAST_STEPS_A_WARP ? LEAST_STEPS_A_WARP : most)) {
            traces_free(traces);
            return NULL;
        }
    }
    bool anywhere = launch->sample && launch->config.sampling.anywhere;
    if (!traces->blocks || !make_tallies(traces, launch->worker_count) ||
        (anywhere && !draw_numbers(traces, launch))) {
        traces_free(traces);
        return NULL;
    }
    return traces;
}

void traces_free(struct traces *traces)
{
    for (uint32_t i = 0; traces && traces->blocks && i < traces->count; i++) {
        struct block_trace *block = &traces->blocks[i];
        for (uint32_t j = 0; block->warps && j < block->warp_count; j++) {
            free(block->warps[j].words);
            free(block->warps[j].changes);
        }
        free(block->warps);
        free(block->barrier_warps);
    }
    if (traces) {
        free(traces->blocks);
        free(traces->numbers);
        for (uint32_t i = 0; traces->tallies && i < traces->tally_count; i++)
            free(traces->tallies[i].seen);
        free(traces->tallies);
        free(traces->dealt_steps);
    }
    free(traces);
}

/* Of equally long warps, that of the first block counts, whichever worker ran it. */
void traces_add_up(struct traces *traces)
{
    for (uint32_t i = 0; i < traces->tally_count; i++) {
        const struct tally *tally = &traces->tallies[i];
        for (uint64_t j = 0; j < traces->stride; j++)
            traces->dealt_steps[j] += tally->dealt_steps[j];
        if (tally->longest_steps > traces->longest_steps ||
            (tally->longest_steps == traces->longest_steps &&
             tally->longest_block < traces->longest_block)) {
            traces->longest_steps = tally->longest_steps;
            traces->longest_block = tally->longest_block;
        }
    }
}

void traces_tell_seen(const struct launch *launch)
{
    const struct traces *traces = launch->traces;
    for (uint32_t i = 0; traces && i < traces->tally_count; i++)
        if (traces->tallies[i].seen)
            module_model_saw(launch->function->module, traces->tallies[i].seen);
}
