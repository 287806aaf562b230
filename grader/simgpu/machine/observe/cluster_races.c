/* cluster_races.c - observes shared memory that the blocks of a cluster share, for accesses of
 * different blocks that nothing orders. Accesses of one block are checked by races.c.
 *
 * What orders blocks of a cluster: their barrier, arrivals at mbarriers and waits for them, fences.
 * Each is a numbered fence of the grid (grid_order.h) for the thread that releases, and the thread
 * that acquires has seen all fences so far: that orders a little more than a device has to, so no
 * false race is reported. Only launches in clusters are watched like this, and they have one
 * worker.
 *
 * A word remembers its last write and the reads of a few threads, each with the bytes it touched.
 */
#include "cluster.h"
#include "global_races.h"
#include "grid_order.h"
#include "lanes.h"
#include "opcode.h"
#include "races.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WORD_BYTES = 4, READS = 4 };

struct mark_of_word {
    uint32_t age;      /* of the shadow when it was left; another: there is none */
    uint32_t op, time; /* time: of the warp, in its block's clocks */
    uint8_t rank, warp, lane;
    uint8_t bytes : 4, is_strong : 1;
};

struct cluster_shadow {
    uint32_t age;   /* another for each cluster */
    uint32_t met;   /* the latest fence when the cluster's barrier was complete, */
    uint32_t phase; /* and when a phase of an mbarrier here was over */
    struct watched_word {
        struct mark_of_word write, reads[READS];
    } words[];
};

static bool cluster_races_block_make(struct block *block)
{
    size_t words = block->shared_bytes / WORD_BYTES + 1;
    block->cluster_shadow =
        calloc(1, sizeof *block->cluster_shadow + words * sizeof(struct watched_word));
    return block->cluster_shadow != NULL;
}

static void cluster_races_block_begin(struct block *block)
{
    block->cluster_shadow->age++;
    block->cluster_shadow->met = block->cluster_shadow->phase = 0;
}

static void cluster_races_block_free(struct block *block)
{
    free(block->cluster_shadow);
}

/* --- What orders blocks ----------------------------------------------------------------------- */

static struct grid_order *order_of(const struct block *block)
{
    return block->launch->global_races->order;
}

static struct clocks *clocks_of(const struct block *block)
{
    return &((struct shadow *)block->race_shadow)->clocks;
}

void cluster_races_release(struct warp *warp)
{
    if (warp->block->cluster_shadow)
        global_races_fence(warp);
}

/* The fences so far may be seen by others: no later fence may share their numbers. */
static uint32_t latest(struct block *block)
{
    struct grid_order *order = order_of(block);
    uint32_t number = grid_order_latest(order);
    for (uint32_t rank = 0; rank < block->cluster->size; rank++)
        grid_order_publish(order, block->cluster->blocks[rank]->number, number);
    return number;
}

static void acquire(struct warp *warp, uint32_t number)
{
    struct far *far = &clocks_of(warp->block)->far[warp->index];
    far->acquired = number > far->acquired ? number : far->acquired;
}

void cluster_races_acquire(struct warp *warp)
{
    if (warp->block->cluster_shadow)
        acquire(warp, latest(warp->block));
}

void cluster_races_acquire_met(struct warp *warp)
{
    if (warp->block->cluster_shadow)
        acquire(warp, warp->block->cluster_shadow->met);
}

void cluster_races_acquire_phase(struct warp *warp)
{
    if (warp->block->cluster_shadow)
        acquire(warp, warp->block->cluster_shadow->phase);
}

static void cluster_races_met(struct block *block)
{
    block->cluster_shadow->met = latest(block);
}

static void cluster_races_phase_over(struct block *block, uint64_t offset)
{
    (void)offset;
    block->cluster_shadow->phase = latest(block);
}

/* --- One word --------------------------------------------------------------------------------- */

static bool is_strong(const struct access *access)
{
    return access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION ||
           op_is_strong(access->op);
}

/* Does the mark come before what the access does now? */
static bool is_before(const struct access *access, const struct mark_of_word *mark)
{
    const struct warp *warp = access->warp;
    const struct block *peer = warp->block->cluster->blocks[mark->rank];
    return grid_order_covers(order_of(warp->block), peer->number, mark->warp, mark->time,
                             clocks_of(warp->block)->far[warp->index].acquired);
}

/* Does the access change anything? A store of the value that is there already does not. */
static bool changes(const struct access *access, int lane)
{
    const struct op *op = access->op;
    if (op->run != store)
        return true;
    for (uint32_t i = 0; i < op->count; i++)
        if (memcmp((const unsigned char *)reg(access->warp, op->list[i]) +
                       (size_t)lane * op->dst_bytes,
                   access->host + access->shape->delta[lane] + (size_t)i * op->bytes,
                   op->bytes) != 0)
            return true;
    return false;
}

struct visit { /* of a word by a lane */
    const struct access *access;
    int lane;
    const struct block *home; /* whose word it is */
    uint64_t offset;          /* of the access, in there */
    struct mark_of_word me;
};

static bool races_with(const struct visit *visit, const struct mark_of_word *mark, uint32_t age)
{
    return mark->age == age && mark->rank != visit->me.rank && mark->bytes & visit->me.bytes &&
           !(mark->is_strong && visit->me.is_strong) && !is_before(visit->access, mark);
}

static void report(const struct visit *visit, const struct mark_of_word *mark, bool was_write)
{
    const struct access *access = visit->access;
    const struct warp *warp = access->warp;
    const struct block *peer = warp->block->cluster->blocks[mark->rank];
    uint32_t other[3];
    fault_thread(&peer->warps[mark->warp], mark->lane, other);
    fault_raise_between(access->warp, access->op, SIM_FAULT_RACE, visit->lane, mark->op, other,
                        "put a cluster.sync() between the two, or an arrival at an mbarrier and "
                        "the wait for it",
                        "%s shared memory of block %u of its cluster at offset %" PRIu64 ", which "
                        "thread (%u,%u,%u) of block %u %s at line %u with no barrier of the "
                        "cluster in between",
                        access->kind == ACCESS_LOAD    ? "reads"
                        : access->kind == ACCESS_STORE ? "writes"
                                                       : "updates",
                        visit->home->rank, visit->offset, other[0], other[1], other[2], mark->rank,
                        !was_write        ? "read"
                        : mark->is_strong ? "updated"
                                          : "wrote",
                        fault_line_of(warp, mark->op)->line);
}

/* Room for the read: the place of the block's own earlier read, of an old one, or the last
 * place. */
static struct mark_of_word *place_of(const struct visit *visit, struct watched_word *word,
                                     uint32_t age)
{
    uint32_t at = READS - 1;
    for (uint32_t i = READS; i-- > 0;)
        if (word->reads[i].age != age)
            at = i;
    for (uint32_t i = 0; i < READS; i++)
        if (word->reads[i].age == age && word->reads[i].rank == visit->me.rank)
            return &word->reads[i];
    return &word->reads[at];
}

/* False after a fault. */
static bool visit_word(const struct visit *visit, struct watched_word *word, uint32_t age)
{
    bool writes = visit->access->kind != ACCESS_LOAD, reads = visit->access->kind != ACCESS_STORE;
    if (races_with(visit, &word->write, age)) {
        report(visit, &word->write, true);
        return false;
    }
    for (int i = 0; writes && i < READS; i++)
        if (races_with(visit, &word->reads[i], age)) {
            report(visit, &word->reads[i], false);
            return false;
        }
    if (writes) {
        memset(word->reads, 0, sizeof word->reads);
        word->write = visit->me;
    } else if (reads) {
        *place_of(visit, word, age) = visit->me;
    }
    return true;
}

/* --- One access ------------------------------------------------------------------------------- */

/* False after a fault. */
static bool visit_lane(const struct access *access, int lane)
{
    struct warp *warp = access->warp;
    uint64_t offset = access->base + (uint64_t)access->shape->delta[lane];
    const struct block *home =
        access->space == SPACE_SHARED ? warp->block : cluster_block_at(warp->block, &offset);
    struct cluster_shadow *shadow = home->cluster_shadow;
    struct visit visit = {.access = access, .lane = lane, .home = home, .offset = offset};
    visit.me = (struct mark_of_word){.age = shadow->age,
                                     .op = access->op->id,
                                     .time = clocks_now(clocks_of(warp->block), warp->index),
                                     .rank = (uint8_t)warp->block->rank,
                                     .warp = (uint8_t)warp->index,
                                     .lane = (uint8_t)lane,
                                     .is_strong = is_strong(access)};
    if (access->kind == ACCESS_STORE && !changes(access, lane))
        return true;
    for (uint64_t at = offset, end = offset + access->bytes; at < end;) {
        uint64_t next = at / WORD_BYTES * WORD_BYTES + WORD_BYTES, stop = next < end ? next : end;
        visit.me.bytes = (uint8_t)(((1u << (stop - at)) - 1) << at % WORD_BYTES);
        if (!visit_word(&visit, &shadow->words[at / WORD_BYTES], shadow->age))
            return false;
        at = stop;
    }
    return true;
}

static void cluster_races_access(const struct access *access, struct site *site)
{
    (void)site;
    FOR_ACTIVE (lane, access->active)
        if (!visit_lane(access, lane))
            return;
}

static bool cluster_races_wants(const struct launch *launch)
{
    return launch->config.checks & SIM_CHECK_RACES && launch->cluster_blocks > 1;
}

const struct observer observer_cluster_races = {
    .name = "cluster races",
    .spaces = 1 << SPACE_SHARED | 1 << SPACE_CLUSTER,
    .looks_at = LOOKS_AT_ORDER,
    .wants = cluster_races_wants,
    .block_make = cluster_races_block_make,
    .block_begin = cluster_races_block_begin,
    .block_free = cluster_races_block_free,
    .access = cluster_races_access,
    .cluster_met = cluster_races_met,
    .phase_over = cluster_races_phase_over,
};
