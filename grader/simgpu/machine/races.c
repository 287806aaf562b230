/* races.c - observes shared memory for accesses that no barrier keeps apart.
 *
 * Two accesses of a word race when they come from different threads, at least one writes, and
 * nothing orders them. What orders them: a barrier both warps pass in between; for two lanes of
 * one warp a __syncwarp both take part in (lanes may run apart since Volta, so running the same
 * instruction is not enough).
 *
 * Each word remembers its last write and its last read as a tag: epoch * 1024 + thread. The epoch
 * counts barriers that the whole block passed, so an older tag cannot race and costs one
 * comparison. Within an epoch the times of barriers of parts of the block, and of warp syncs,
 * decide: time[w] of a warp is how much of warp w's time it has seen.
 */
#include "lanes.h"
#include "observers.h"

#include <stdlib.h>

enum { THREADS = 1024 };

struct trace { /* the last access of one kind, word by word */
    uint32_t *tag;   /* epoch * THREADS + thread; 0 for none: epochs start at 1 */
    uint32_t *time;  /* of the accessing warp */
    uint32_t *op;    /* id */
    uint8_t *bytes;  /* a bit for each byte of the word */
};

struct shadow {
    uint32_t epoch;
    struct trace write, read;
    void *memory;
    size_t words;
};

static void place_trace(struct trace *trace, uint32_t **words, uint8_t **bytes, size_t count)
{
    trace->tag = *words;
    trace->time = *words + count;
    trace->op = *words + 2 * count;
    trace->bytes = *bytes;
    *words += 3 * count;
    *bytes += count;
}

bool races_block_init(struct block *block)
{
    size_t words = block->shared_bytes / 4 + 5;
    struct shadow *shadow = calloc(1, sizeof *shadow);
    uint32_t *memory = calloc(words, 6 * sizeof(uint32_t) + 2);
    block->race_shadow = shadow;
    if (!shadow || !memory) {
        free(memory);
        return false;
    }
    uint32_t *next = memory;
    uint8_t *bytes = (uint8_t *)(memory + 6 * words);
    shadow->memory = memory;
    shadow->words = words;
    place_trace(&shadow->write, &next, &bytes, words);
    place_trace(&shadow->read, &next, &bytes, words);
    return true;
}

void races_block_free(struct block *block)
{
    struct shadow *shadow = block->race_shadow;
    if (shadow)
        free(shadow->memory);
    free(shadow);
}

void races_block_start(struct block *block)
{
    struct shadow *shadow = block->race_shadow;
    if (shadow->epoch >= UINT32_MAX / THREADS - 1)
        shadow->epoch = 0;
    if (shadow->epoch == 0)
        memset(shadow->memory, 0, shadow->words * (6 * sizeof(uint32_t) + 2));
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
    uint32_t thread = trace->tag[word] % THREADS, other[3];
    fault_thread(&warp->block->warps[thread / WARP_LANES], (int)(thread % WARP_LANES), other);
    fault_raise_race(warp, access->op, lane, trace->op[word], other,
                     access->kind == ACCESS_LOAD ? "reads" : "writes", theirs, word * 4);
}

/* Does an access of lane now race with what trace remembers of word? */
static bool conflicts(const struct access *access, int lane, const struct trace *trace,
                      size_t word, uint8_t bytes, uint32_t epoch)
{
    uint32_t tag = trace->tag[word], me = access->warp->index * WARP_LANES + (uint32_t)lane;
    return tag / THREADS == epoch && tag % THREADS != me && (trace->bytes[word] & bytes) &&
           !ordered(access->warp, lane, tag % THREADS, trace->time[word]);
}

static void remember(const struct access *access, int lane, struct trace *trace, size_t word,
                     uint8_t bytes, uint32_t epoch)
{
    uint32_t me = access->warp->index * WARP_LANES + (uint32_t)lane;
    trace->tag[word] = epoch * THREADS + me;
    trace->time[word] = access->warp->clock[access->warp->index];
    trace->op[word] = access->op->id;
    trace->bytes[word] = bytes;
}

/* False when a race was found. */
static bool visit(const struct access *access, int lane, size_t word, uint8_t bytes)
{
    struct shadow *shadow = access->warp->block->race_shadow;
    uint32_t epoch = shadow->epoch;
    bool writes = access->kind != ACCESS_LOAD;
    bool is_atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    /* atomics do not race with each other: they leave no trace as writes of their own */
    if (conflicts(access, lane, &shadow->write, word, bytes, epoch)) {
        report(access, lane, &shadow->write, word, "wrote");
        return false;
    }
    if (writes && conflicts(access, lane, &shadow->read, word, bytes, epoch)) {
        report(access, lane, &shadow->read, word, "read");
        return false;
    }
    if (!is_atomic)
        remember(access, lane, writes ? &shadow->write : &shadow->read, word, bytes, epoch);
    return true;
}

void races_access(const struct access *access, struct site *site)
{
    (void)site;
    if (access->space != SPACE_SHARED)
        return;
    FOR_ACTIVE(lane, access->active)
    {
        uint64_t offset = access->base + (uint64_t)access->shape->delta[lane];
        if (access->bytes < 4) {
            uint8_t bytes = (uint8_t)(((1u << access->bytes) - 1) << offset % 4);
            if (!visit(access, lane, offset / 4, bytes))
                return;
            continue;
        }
        for (uint32_t i = 0; i < access->bytes / 4; i++)
            if (!visit(access, lane, offset / 4 + i, 15))
                return;
    }
}
