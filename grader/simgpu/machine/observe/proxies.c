/* proxies.c - observes shared memory that is copied away in bulk: what threads have written there
 * must have been fenced.
 *
 * The copy engine reads through another proxy than threads (PTX ISA 8.1, async proxy). It sees what
 * a thread has written only if a fence.proxy.async lies between that and the copy: one of the
 * thread that wrote, or of the one that asks for the copy. A barrier alone does not do.
 *
 * A word remembers the thread that wrote it last, and when; a thread, when it last fenced. That a
 * thread which asks, and fences for others, has met them before is left to races.c. Copies that
 * come in bulk need no fence.
 */
#include "lanes.h"
#include "observers.h"
#include "opcode.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WORD_BYTES = 4, NEVER = 0 };

struct written {
    uint32_t time; /* NEVER: not since the block began, or by a copy in bulk */
    uint32_t op;
    uint16_t thread;
};

struct proxies {
    uint32_t now;     /* counts writes and fences */
    uint32_t *fenced; /* by thread: when it last did */
    size_t threads, words;
    struct written word[];
};

static struct proxies *proxies_of(const struct block *block)
{
    return block->own[OBSERVER_proxies];
}

static bool proxies_block_make(struct block *block)
{
    size_t words = block->shared_bytes / WORD_BYTES + 1;
    struct proxies *proxies = calloc(1, sizeof *proxies + words * sizeof proxies->word[0]);
    if (!proxies)
        return false;
    proxies->words = words;
    proxies->threads = (size_t)block->warp_count * WARP_LANES;
    proxies->fenced = calloc(proxies->threads, sizeof *proxies->fenced);
    block->own[OBSERVER_proxies] = proxies;
    return proxies->fenced != NULL;
}

static void proxies_block_begin(struct block *block)
{
    struct proxies *proxies = proxies_of(block);
    proxies->now = NEVER;
    memset(proxies->fenced, 0, proxies->threads * sizeof *proxies->fenced);
    memset(proxies->word, 0, proxies->words * sizeof *proxies->word);
}

static void proxies_block_free(struct block *block)
{
    if (proxies_of(block))
        free(proxies_of(block)->fenced);
    free(proxies_of(block));
}

static uint16_t thread_of(const struct warp *warp, int lane)
{
    return (uint16_t)(warp->index * WARP_LANES + (uint32_t)lane);
}

static void proxies_access(const struct access *access, struct site *site)
{
    struct proxies *proxies = proxies_of(access->warp->block);
    (void)site;
    if (access->kind == ACCESS_LOAD)
        return;
    uint32_t now = op_is_bulk(access->op) ? NEVER : ++proxies->now;
    FOR_ACTIVE (lane, access->active) {
        uint64_t first = access->base + (uint64_t)access->shape->delta[lane];
        for (uint64_t word = first / WORD_BYTES; word * WORD_BYTES < first + access->bytes; word++)
            proxies->word[word] =
                (struct written){now, access->op->id, thread_of(access->warp, lane)};
    }
}

static void proxies_proxy_fence(struct warp *warp, lane_mask lanes)
{
    struct proxies *proxies = proxies_of(warp->block);
    proxies->now++;
    FOR_ACTIVE (lane, lanes)
        proxies->fenced[thread_of(warp, lane)] = proxies->now;
}

static void tell(const struct access *read, uint64_t word, const struct written *written)
{
    struct warp *warp = read->warp;
    uint32_t other[3];
    fault_thread(&warp->block->warps[written->thread / WARP_LANES], written->thread % WARP_LANES,
                 other);
    fault_raise_between(warp, read->op, SIM_FAULT_MISSING_FENCE, __builtin_ctz(read->active),
                        written->op, other, NULL,
                        "copies shared memory in bulk at offset %" PRIu64
                        ", which thread (%u,%u,%u) wrote, without fence.proxy.async in between",
                        word * WORD_BYTES, other[0], other[1], other[2]);
}

static void proxies_bulk_asked(const struct access *read, const struct access *write)
{
    const struct proxies *proxies = proxies_of(read->warp->block);
    uint32_t fenced = proxies->fenced[thread_of(read->warp, __builtin_ctz(read->active))];
    (void)write;
    if (read->space != SPACE_SHARED)
        return;
    for (uint64_t word = read->base / WORD_BYTES; word * WORD_BYTES < read->base + read->bytes;
         word++) {
        const struct written *written = &proxies->word[word];
        if (written->time > fenced && written->time > proxies->fenced[written->thread]) {
            tell(read, word, written);
            return;
        }
    }
}

/* Blocks of a cluster may write each other's shared memory, of which this one is not told. */
static bool proxies_wants(const struct launch *launch)
{
    return launch->config.checks & SIM_CHECK_RACES && launch->function->copies_in_bulk &&
           launch->cluster_blocks <= 1;
}

const struct observer observer_proxies = {.name = "proxies",
                                          .spaces = 1 << SPACE_SHARED,
                                          .looks_at = LOOKS_AT_ORDER,
                                          .wants = proxies_wants,
                                          .block_make = proxies_block_make,
                                          .block_begin = proxies_block_begin,
                                          .block_free = proxies_block_free,
                                          .access = proxies_access,
                                          .proxy_fence = proxies_proxy_fence,
                                          .bulk_asked = proxies_bulk_asked};
