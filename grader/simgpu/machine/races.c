/* races.c - observes shared memory for accesses that no barrier keeps apart.
 *
 * Two accesses of a word race when they come from different threads, at least one writes, and
 * nothing orders them. What orders them: a barrier both warps pass in between; for two lanes of
 * one warp a __syncwarp both take part in (lanes may run apart since Volta, so running the same
 * instruction is not enough).
 *
 * Each word remembers its last write and its last read, with a tag: epoch * 1024 + thread. The epoch
 * counts barriers that the whole block passed, so an older tag cannot race and costs one
 * comparison. Within an epoch the times of barriers of parts of the block, and of warp syncs,
 * decide: time[w] of a warp is how much of warp w's time it has seen.
 */
#include "lanes.h"
#include "observers.h"

#include <stdlib.h>

enum { THREADS = 1024 };

struct trace { /* the last access of one kind to one word */
    uint32_t tag;   /* epoch * THREADS + thread; 0 for none: epochs start at 1 */
    uint32_t time;  /* of the accessing warp */
    uint32_t op;    /* id */
    uint32_t bytes; /* a bit for each byte of the word */
};

struct shadow {
    uint32_t epoch;
    size_t words;
    struct trace *write, *read; /* by word */
};

bool races_block_init(struct block *block)
{
    struct shadow *shadow = block->race_shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return false;
    shadow->words = block->shared_bytes / 4 + 5;
    shadow->write = calloc(2 * shadow->words, sizeof *shadow->write);
    shadow->read = shadow->write + shadow->words;
    return shadow->write != NULL;
}

void races_block_free(struct block *block)
{
    struct shadow *shadow = block->race_shadow;
    if (shadow)
        free(shadow->write);
    free(shadow);
}

void races_block_start(struct block *block)
{
    struct shadow *shadow = block->race_shadow;
    if (shadow->epoch >= UINT32_MAX / THREADS - 1)
        shadow->epoch = 0;
    if (shadow->epoch == 0)
        memset(shadow->write, 0, 2 * shadow->words * sizeof *shadow->write);
    shadow->epoch++; /* the last block's accesses are older than all of this one's */
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < block->warp_count; i++)
            warp->clock[i] = i == w ? 1 : 0;
        for (int lane = 0; lane < WARP_LANES; lane++)
            warp->lane_time[lane] = 0;
    }
}

/* All that arrived know what any of them knew; then each one's own time goes on. */
void races_barrier(struct block *block, const lane_mask *arrived)
{
    struct shadow *shadow = block->race_shadow;
    uint32_t known[MOST_WARPS] = {0};
    bool whole = true;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        if (!arrived[w]) {
            whole &= warp_live(&block->warps[w]) == 0;
            continue;
        }
        for (uint32_t i = 0; i < block->warp_count; i++)
            known[i] = block->warps[w].clock[i] > known[i] ? block->warps[w].clock[i] : known[i];
    }
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        if (!arrived[w])
            continue;
        memcpy(warp->clock, known, sizeof known);
        warp->clock[w]++;
        FOR_ACTIVE(lane, arrived[w])
        warp->lane_time[lane] = warp->clock[w];
    }
    shadow->epoch += whole;
}

void races_warp_sync(struct warp *warp, lane_mask lanes)
{
    uint32_t now = ++warp->clock[warp->index];
    FOR_ACTIVE(lane, lanes)
    warp->lane_time[lane] = now;
}

/* Did thread's access at time come before what lane of warp does now? A warp that has met warp w
 * knows w's time up to that meeting. */
static bool ordered(const struct warp *warp, int lane, uint32_t thread, uint32_t time)
{
    uint32_t other = thread / WARP_LANES;
    if (other != warp->index)
        return warp->clock[other] >= time;
    return warp->lane_time[lane] > time && warp->lane_time[thread % WARP_LANES] > time;
}

static void report(const struct access *access, int lane, const struct trace *trace, size_t word,
                   const char *theirs)
{
    struct warp *warp = access->warp;
    uint32_t thread = trace->tag % THREADS, other[3];
    fault_thread(&warp->block->warps[thread / WARP_LANES], (int)(thread % WARP_LANES), other);
    fault_raise_race(warp, access->op, lane, trace->op, other,
                     access->kind == ACCESS_LOAD ? "reads" : "writes", theirs, word * 4);
}

/* Does an access of lane now race with the one in trace? */
static bool conflicts(const struct access *access, int lane, const struct trace *trace,
                      uint32_t bytes, uint32_t epoch)
{
    uint32_t me = access->warp->index * WARP_LANES + (uint32_t)lane;
    return trace->tag / THREADS == epoch && trace->tag % THREADS != me &&
           (trace->bytes & bytes) && !ordered(access->warp, lane, trace->tag % THREADS, trace->time);
}

/* What an access of lane leaves behind. */
static struct trace trace_of(const struct access *access, int lane, uint32_t bytes, uint32_t epoch)
{
    const struct warp *warp = access->warp;
    return (struct trace){epoch * THREADS + warp->index * WARP_LANES + (uint32_t)lane,
                          warp->clock[warp->index], access->op->id, bytes};
}

/* False when a race was found. Atomics do not race with each other: they leave no trace. */
static bool visit(const struct access *access, int lane, size_t word, uint32_t bytes)
{
    struct shadow *shadow = access->warp->block->race_shadow;
    bool writes = access->kind != ACCESS_LOAD;
    if (conflicts(access, lane, &shadow->write[word], bytes, shadow->epoch)) {
        report(access, lane, &shadow->write[word], word, "wrote");
        return false;
    }
    if (writes && conflicts(access, lane, &shadow->read[word], bytes, shadow->epoch)) {
        report(access, lane, &shadow->read[word], word, "read");
        return false;
    }
    if (access->kind == ACCESS_LOAD || access->kind == ACCESS_STORE)
        (writes ? shadow->write : shadow->read)[word] =
            trace_of(access, lane, bytes, shadow->epoch);
    return true;
}

/* One lane for each address: what the others read, they read with it. */
static lane_mask distinct_lanes(const struct access *access, struct site *site)
{
    if (site->distinct.age == access->shape->age)
        return site->distinct.lanes;
    lane_mask rest = access->active, lanes = 0;
    while (rest) {
        int first = __builtin_ctz(rest);
        int64_t delta = access->shape->delta[first];
        lanes |= UINT32_C(1) << first;
        rest &= ~MASK_OF(access->shape->delta[lane] == delta);
    }
    site->distinct.age = access->shape->age;
    return site->distinct.lanes = lanes;
}

/* Reads of whole words that nobody wrote since the last barrier, as almost all are: no need to
 * look closer. False when one was written, and each lane must be looked at. */
static bool read_quietly(const struct access *access, struct site *site)
{
    struct shadow *shadow = access->warp->block->race_shadow;
    const struct trace *write = &shadow->write[access->base / 4];
    struct trace *read = &shadow->read[access->base / 4];
    uint32_t oldest = shadow->epoch * THREADS, fresh = 0;
    if (access->kind != ACCESS_LOAD || access->bytes != 4 || !access->shape->is_near)
        return false;
    lane_mask lanes = distinct_lanes(access, site);
    FOR_ACTIVE(lane, lanes)
    fresh |= write[access->shape->near[lane] / 4].tag >= oldest;
    if (fresh)
        return false;
    const struct trace trace = trace_of(access, 0, 15, shadow->epoch);
    FOR_ACTIVE(lane, lanes)
    {
        struct trace *word = &read[access->shape->near[lane] / 4];
        *word = trace;
        word->tag += (uint32_t)lane;
    }
    return true;
}

void races_access(const struct access *access, struct site *site)
{
    if (access->space != SPACE_SHARED || read_quietly(access, site))
        return;
    FOR_ACTIVE(lane, access->active)
    {
        uint64_t offset = access->base + (uint64_t)access->shape->delta[lane];
        if (access->bytes < 4) {
            uint32_t bytes = ((1u << access->bytes) - 1) << offset % 4;
            if (!visit(access, lane, offset / 4, bytes))
                return;
            continue;
        }
        for (uint32_t i = 0; i < access->bytes / 4; i++)
            if (!visit(access, lane, offset / 4 + i, 15))
                return;
    }
}
