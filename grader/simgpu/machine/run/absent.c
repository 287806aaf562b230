/* absent.c - see absent.h.
 *
 * The barrier is one word (cooperative_groups/details/sync.h). A block adds 1 to it, the first
 * block adds 2^31 less the number of all others. Together they add 2^31, so a block that has
 * arrived waits until the highest bit has flipped.
 */
#include "absent.h"
#include "machine_internal.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>

#define HIGHEST (UINT32_C(1) << 31)

struct absent {
    uint64_t block;      /* the one under way, counted from 1; 0: none yet */
    uint64_t met;        /* times that it has arrived */
    bool arrived;        /* and has not looked since */
    uint32_t then;       /* what it has to find if it added what it should */
    unsigned char *cell; /* the barrier's word; NULL before the first block arrives */
    bool has_ended;      /* some block has; it arrived this many times: */
    uint64_t met_by_first;
};

struct absent *absent_new(void)
{
    return calloc(1, sizeof(struct absent));
}

void absent_free(struct absent *absent)
{
    free(absent);
}

static void doubt(const struct launch *launch, const char *why)
{
    sim_note_unsampled(launch->context->machine, why);
}

static void misused(const struct launch *launch)
{
    doubt(launch, SIM_SHARED_ATOMICS);
}

static uint32_t adds(const struct launch *launch, uint64_t block)
{
    return block ? 1 : HIGHEST - (uint32_t)(launch->block_count - 1);
}

/* What the blocks that arrive before this one have added; how many they are is drawn. */
static uint32_t come_before(const struct launch *launch, uint64_t block, uint64_t met)
{
    uint64_t random = launch->config.sampling.seed + (met << 32), count = launch->block_count;
    uint64_t turn_of_first = sample_random(&random) % count;
    random += block;
    uint64_t turn = block ? sample_random(&random) % count : turn_of_first;
    if (turn > turn_of_first)
        return adds(launch, 0) + (uint32_t)turn - 1;
    return (uint32_t)(block && turn == count - 1 ? turn - 1 : turn);
}

static uint32_t base_of(uint64_t met)
{
    return met % 2 ? HIGHEST : 0;
}

static void put(unsigned char *cell, uint32_t value)
{
    memcpy(cell, &value, sizeof value);
}

/* Has the block added what it should? Then all others come, too. */
static void let_go(struct absent *absent, const struct launch *launch)
{
    uint32_t now;
    if (!absent->arrived)
        return;
    memcpy(&now, absent->cell, sizeof now);
    if (now != absent->then)
        misused(launch);
    absent->arrived = false;
    put(absent->cell, base_of(absent->met));
}

static void arrive(struct absent *absent, const struct launch *launch, uint64_t block)
{
    let_go(absent, launch);
    uint32_t before = base_of(absent->met) + come_before(launch, block, absent->met);
    put(absent->cell, before);
    absent->then = before + adds(launch, block);
    absent->arrived = true;
    absent->met++;
}

/* Scouts and trials, which no observer watches, come to no barrier. */
static bool is_tried(const struct warp *warp)
{
    return warp->worker->watchers == &NO_WATCHERS;
}

void absent_access(const struct access *access)
{
    const struct launch *launch = block_launch(access->warp);
    struct absent *absent = launch->absent;
    const struct block *block = access->warp->block;
    if (is_tried(access->warp))
        return;
    if (absent->block != block->number + 1) {
        absent->block = block->number + 1;
        absent->met = 0;
        absent->arrived = false;
    }
    bool is_cell = access->bytes == sizeof(uint32_t) && !(access->active & (access->active - 1)) &&
                   (!absent->cell || access->host == absent->cell);
    if (is_cell && access->kind == ACCESS_ATOMIC) {
        absent->cell = access->host;
        arrive(absent, launch, block->number);
    } else if (is_cell && access->kind == ACCESS_LOAD && absent->met) {
        let_go(absent, launch);
    } else {
        misused(launch);
    }
}

void absent_block_end(const struct block *block)
{
    struct absent *absent = block->launch->absent;
    if (!absent)
        return;
    bool has_met = absent->block == block->number + 1;
    uint64_t met = has_met ? absent->met : 0;
    if (has_met)
        let_go(absent, block->launch);
    if (absent->has_ended && met != absent->met_by_first)
        doubt(block->launch, "its blocks do not all come to a grid-wide barrier equally often");
    absent->has_ended = true;
    absent->met_by_first = met;
}
