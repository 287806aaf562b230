/* queue.c - see queue.h. */
#include "queue.h"
#include "allocation.h"
#include "lanes.h"
#include "machine_internal.h"
#include "opcode.h"
#include "sample.h"

#include <stdlib.h>

/* Counters of a launch; and blocks that have to end before a counter is taken to wrap. */
enum { MOST_COUNTERS = 4, LEAST_ENDED = 8 };

struct counter {
    struct allocation *allocation;
    unsigned char *host;
    uint64_t address, first; /* what the launch found there */
    uint64_t by;             /* what is added; or where it wraps */
    uint32_t bytes;
    bool wraps;
    uint64_t draws;       /* of the block under way */
    uint64_t least, most; /* of blocks that have ended: the indices of their last draws */
    uint64_t total;       /* draws of all blocks; 0: not known */
    bool is_set;          /* by the block that comes last, to this: */
    uint64_t set_to;
};

struct queue {
    struct counter counters[MOST_COUNTERS];
    uint32_t count;
    bool is_refused;
    uint64_t begun;       /* the block that ran first, counted from 1; 0: none has drawn yet */
    uint64_t block;       /* the one under way, likewise */
    bool comes_last, set; /* it has had the last turn of all; and has set a counter */
    uint64_t ended;       /* blocks */
    uint32_t drawer;      /* the warp that drew, counted from 1; */
    bool has_drawers;     /* another one did, too */
    struct queue_slot slot;
};

struct queue *queue_new(void)
{
    return calloc(1, sizeof(struct queue));
}

void queue_free(struct queue *queue)
{
    free(queue);
}

static void doubt(struct queue *queue, const struct launch *launch)
{
    queue->is_refused = true;
    sim_note_unsampled(launch->context->machine, SIM_SHARED_ATOMICS);
}

static uint64_t value_at(const unsigned char *host, uint32_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, host, bytes);
    return value;
}

/* --- Counters --------------------------------------------------------------------------------- */

static bool overlaps(const struct counter *counter, uint64_t address, uint32_t bytes)
{
    return address < counter->address + counter->bytes && counter->address < address + bytes;
}

static struct counter *counter_at(struct queue *queue, uint64_t address, uint32_t bytes)
{
    for (uint32_t i = 0; i < queue->count; i++)
        if (overlaps(&queue->counters[i], address, bytes))
            return &queue->counters[i];
    return NULL;
}

bool queue_holds(const struct queue *queue, const struct allocation *allocation)
{
    for (uint32_t i = 0; i < queue->count; i++)
        if (queue->counters[i].allocation == allocation)
            return true;
    return false;
}

/* Is it a variable of the program, of which this launch has used nothing else so far? */
static bool is_fresh(const struct queue *queue, const struct launch *launch,
                     const struct allocation *allocation)
{
    bool is_used = allocation->told_by == launch->serial || allocation->heard_by == launch->serial;
    return allocation->kind == SIM_MEMORY_MODULE && (!is_used || queue_holds(queue, allocation));
}

/* One lane's atomic. */
struct draw {
    struct allocation *allocation;
    unsigned char *host;
    uint64_t address, by;
    uint32_t bytes;
    bool wraps;
};

/* A counter that none has drawn from before; NULL if it cannot be one. */
static struct counter *new_counter(struct queue *queue, const struct launch *launch,
                                   const struct draw *draw)
{
    uint64_t first = value_at(draw->host, draw->bytes);
    if (queue->ended || queue->count == MOST_COUNTERS || (draw->wraps && first > draw->by) ||
        !is_fresh(queue, launch, draw->allocation))
        return NULL;
    struct counter *counter = &queue->counters[queue->count++];
    *counter = (struct counter){.allocation = draw->allocation,
                                .host = draw->host,
                                .address = draw->address,
                                .first = first,
                                .by = draw->by,
                                .bytes = draw->bytes,
                                .wraps = draw->wraps,
                                .least = UINT64_MAX};
    return counter;
}

static struct counter *counter_of(struct queue *queue, const struct launch *launch,
                                  const struct draw *draw)
{
    struct counter *counter = counter_at(queue, draw->address, draw->bytes);
    if (!counter)
        return new_counter(queue, launch, draw);
    return counter->address == draw->address && counter->bytes == draw->bytes &&
                   counter->by == draw->by && counter->wraps == draw->wraps
               ? counter
               : NULL;
}

/* --- Draws ------------------------------------------------------------------------------------ */

/* Scouts and trials, which no observer watches, draw nothing. */
static bool is_tried(const struct warp *warp)
{
    return warp->worker->watchers == &NO_WATCHERS;
}

/* As blocks start; but the last turn is that of the block which ran first. */
static uint64_t turn_of(const struct queue *queue, const struct launch *launch, uint64_t block)
{
    uint64_t last = launch->block_count - 1, first_to_run = queue->begun - 1;
    return block == first_to_run ? last : block == last ? first_to_run : block;
}

/* What the draw of that index finds. */
static uint64_t value_of(const struct counter *counter, uint64_t index)
{
    return counter->wraps ? (counter->first + index) % (counter->by + 1)
                          : counter->first + counter->by * index;
}

static void begin_block(struct queue *queue, uint64_t block)
{
    if (queue->block == block + 1)
        return;
    queue->block = block + 1;
    queue->begun = queue->begun ? queue->begun : block + 1;
    queue->comes_last = queue->set = false;
    for (uint32_t i = 0; i < queue->count; i++)
        queue->counters[i].draws = 0;
}

static bool is_of_integers(const struct op *op)
{
    return op->run == atom_u32 || op->run == atom_s32 || op->run == atom_u64 || op->run == atom_s64;
}

/* Does the op add to a counter? What it adds, or where it wraps, is an operand. */
static bool find_draw(const struct launch *launch, struct warp *warp, const struct op *op,
                      lane_mask active, uint64_t address, struct draw *draw)
{
    struct allocation *allocation = memory_find(launch->context, address);
    uint32_t bytes = op->dst_bytes, lane = (uint32_t)__builtin_ctz(active);
    if (!allocation || (active & (active - 1)) || launch->cluster_blocks > 1 || launch->absent ||
        !is_of_integers(op) || (op->kind != COMBINE_ADD && op->kind != COMBINE_INCREMENT) ||
        address + bytes > allocation->address + allocation->size_bytes)
        return false;
    const unsigned char *of_lanes = reg(warp, op->src[1]);
    *draw = (struct draw){.allocation = allocation,
                          .host = memory_host(launch->context->machine->memory, address),
                          .address = address,
                          .by = value_at(of_lanes + lane * bytes, bytes),
                          .bytes = bytes,
                          .wraps = op->kind == COMBINE_INCREMENT};
    return true;
}

void queue_draw(const struct access *access)
{
    struct launch *launch = block_launch(access->warp);
    struct queue *queue = sample_queue(launch->sample);
    uint64_t block = access->warp->block->number;
    if (is_tried(access->warp) || queue->is_refused)
        return;
    begin_block(queue, block);
    struct draw draw;
    struct counter *counter = !queue->set && find_draw(launch, access->warp, access->op,
                                                       access->active, access->base, &draw)
                                  ? counter_of(queue, launch, &draw)
                                  : NULL;
    if (!counter) {
        doubt(queue, launch);
        return;
    }
    uint64_t turn = turn_of(queue, launch, block);
    uint64_t value = value_of(counter, turn + counter->draws++ * launch->block_count);
    queue->has_drawers |= queue->drawer && queue->drawer != access->warp->index + 1;
    queue->drawer = access->warp->index + 1;
    queue->comes_last |= turn + 1 == launch->block_count;
    memcpy(counter->host, &value, counter->bytes);
}

/* --- Other accesses --------------------------------------------------------------------------- */

/* Only the block that comes last may set a counter. */
static void touch_counter(struct queue *queue, const struct access *access, struct counter *counter,
                          uint64_t address)
{
    bool is_whole = counter->address == address && counter->bytes == access->bytes;
    if (access->kind != ACCESS_STORE || !is_whole || !queue->comes_last ||
        queue->block != access->warp->block->number + 1) {
        doubt(queue, block_launch(access->warp));
        return;
    }
    counter->is_set = queue->set = true;
}

void queue_touch(struct queue *queue, const struct access *access)
{
    if (!queue->count || access->kind == ACCESS_ATOMIC ||
        (access->allocation && !queue_holds(queue, access->allocation)))
        return;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        struct counter *counter = counter_at(queue, address, access->bytes);
        if (counter)
            touch_counter(queue, access, counter, address);
    }
}

/* --- For walks -------------------------------------------------------------------------------- */

bool queue_is_used(const struct queue *queue)
{
    return queue->count && !queue->is_refused;
}

bool queue_drawer(const struct queue *queue, uint32_t *warp)
{
    *warp = queue->drawer - 1;
    return queue_is_used(queue) && !queue->has_drawers;
}

uint64_t queue_last(const struct queue *queue)
{
    return queue->begun - 1;
}

int queue_counter(const struct queue *queue, uint64_t address, uint32_t bytes)
{
    for (uint32_t i = 0; i < queue->count; i++)
        if (queue->counters[i].address == address && queue->counters[i].bytes == bytes)
            return (int)i;
    return -1;
}

int queue_foresee(struct queue *queue, struct warp *warp, const struct op *op, lane_mask active,
                  uint64_t address)
{
    struct draw draw;
    const struct counter *counter = find_draw(block_launch(warp), warp, op, active, address, &draw)
                                        ? counter_of(queue, block_launch(warp), &draw)
                                        : NULL;
    return counter ? (int)(counter - queue->counters) : -1;
}

uint64_t queue_value(const struct queue *queue, const struct launch *launch, uint32_t counter,
                     uint64_t block, uint64_t draws)
{
    return value_of(&queue->counters[counter],
                    turn_of(queue, launch, block) + draws * launch->block_count);
}

struct queue_slot *queue_slot(struct queue *queue)
{
    return &queue->slot;
}

void queue_note_total(struct queue *queue, uint32_t counter, uint64_t draws)
{
    queue->counters[counter].total = draws;
}

void queue_note_set(struct queue *queue, uint32_t counter, uint64_t value)
{
    queue->counters[counter].is_set = true;
    queue->counters[counter].set_to = value;
}

uint64_t queue_last_value(const struct queue *queue, const struct launch *launch, uint32_t counter)
{
    const struct counter *of = &queue->counters[counter];
    return value_of(of, (of->total ? of->total : launch->block_count) - 1);
}

/* --- Ends ------------------------------------------------------------------------------------- */

static void end_block(struct queue *queue, struct counter *counter, const struct block *block)
{
    uint64_t count = block->launch->block_count;
    uint64_t last = turn_of(queue, block->launch, block->number) + (counter->draws - 1) * count;
    counter->least = last < counter->least ? last : counter->least;
    counter->most = last > counter->most ? last : counter->most;
    if (counter->draws == 0 || counter->most - counter->least >= count)
        doubt(queue, block->launch);
    if (queue->set && counter->is_set)
        counter->set_to = value_at(counter->host, counter->bytes);
}

void queue_block_end(struct queue *queue, const struct block *block)
{
    queue->ended++;
    if (!queue->count || queue->is_refused)
        return;
    if (queue->block != block->number + 1)
        doubt(queue, block->launch);
    for (uint32_t i = 0; i < queue->count; i++)
        end_block(queue, &queue->counters[i], block);
}

/* May the last draw of all have set it back? The last ones of blocks are within one round. */
static bool has_wrapped(const struct queue *queue, const struct counter *counter, uint64_t blocks)
{
    if (counter->total)
        return counter->wraps && counter->first == 0 && counter->total == counter->by + 1;
    return counter->wraps && counter->first == 0 && queue->ended >= LEAST_ENDED &&
           counter->most <= counter->by && counter->by - counter->least < blocks;
}

bool queue_is_settled(const struct queue *queue, const struct launch *launch)
{
    bool is_settled = true;
    for (uint32_t i = 0; i < queue->count && !queue->is_refused; i++)
        is_settled &= queue->counters[i].is_set ||
                      has_wrapped(queue, &queue->counters[i], launch->block_count);
    return is_settled;
}

void queue_launch_end(struct queue *queue, struct launch *launch)
{
    for (uint32_t i = 0; i < queue->count && !queue->is_refused; i++) {
        struct counter *counter = &queue->counters[i];
        uint64_t value = counter->is_set ? counter->set_to : counter->first;
        if (!counter->is_set && !has_wrapped(queue, counter, launch->block_count))
            continue;
        memcpy(counter->host, &value, counter->bytes);
        if (counter->allocation->sampled_by == launch->serial)
            counter->allocation->sampled_by = 0;
    }
}
