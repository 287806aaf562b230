/* grid_order.c - the numbered fences of a launch, and what each covers: grid_order.h. */
#include "grid_order.h"

#include <stdlib.h>
#include <string.h>

struct fence_log { /* of one block: entries of a number and a time for each warp, rising */
    uint32_t count, room;
    bool is_published; /* others may have acquired the latest */
    uint32_t entries[];
};

struct grid_order {
    uint32_t fences; /* the number of the latest */
    uint32_t warp_count;
    uint64_t block_count;
    struct fence_log **logs; /* by block; NULL while it has passed none */
};

struct grid_order *grid_order_new(uint64_t block_count, uint32_t warp_count)
{
    struct grid_order *order = calloc(1, sizeof *order);
    if (!order)
        return NULL;
    order->warp_count = warp_count;
    order->block_count = block_count;
    order->logs = calloc(block_count, sizeof *order->logs);
    if (order->logs)
        return order;
    free(order);
    return NULL;
}

void grid_order_free(struct grid_order *order)
{
    if (!order)
        return;
    for (uint64_t i = 0; i < order->block_count; i++)
        free(order->logs[i]);
    free(order->logs);
    free(order);
}

static uint32_t *entry(const struct grid_order *order, struct fence_log *log, uint32_t i)
{
    return log->entries + (size_t)i * (1 + order->warp_count);
}

/* Room for one more entry, which starts as a copy of the latest. */
static struct fence_log *grow(struct grid_order *order, uint64_t block)
{
    struct fence_log *log = order->logs[block];
    size_t entry_bytes = (1 + order->warp_count) * sizeof(uint32_t);
    uint32_t count = log ? log->count : 0;
    if (!log || count == log->room) {
        uint32_t room = count ? 2 * count : 1;
        log = realloc(log, sizeof *log + room * entry_bytes);
        if (!log)
            return NULL;
        log->room = room;
        order->logs[block] = log;
    }
    if (count)
        memcpy(entry(order, log, count), entry(order, log, count - 1), entry_bytes);
    else
        memset(log->entries, 0, entry_bytes);
    log->count = count + 1;
    return log;
}

/* May a fence of the warp share the latest number? Yes, if no thread can have acquired that number
 * yet, and the warp has acquired none that is higher. So a thread that waits in a loop with a fence
 * adds no entries. */
static bool may_share(const struct grid_order *order, struct fence_log *log,
                      const struct far *known)
{
    return log && !log->is_published && *entry(order, log, log->count - 1) > known->acquired;
}

bool grid_order_fence(struct grid_order *order, uint64_t block, uint32_t warp,
                      struct clocks *clocks)
{
    struct fence_log *log = order->logs[block];
    if (!may_share(order, log, &clocks->far[warp])) {
        log = grow(order, block);
        if (!log)
            return false;
        log->is_published = false;
        *entry(order, log, log->count - 1) = ++order->fences;
    }
    uint32_t *last = entry(order, log, log->count - 1);
    for (uint32_t w = 0; w < order->warp_count; w++) {
        uint32_t seen = clocks_seen(clocks, warp, w);
        last[1 + w] = seen > last[1 + w] ? seen : last[1 + w];
    }
    clocks->far[warp].released = *last;
    return true;
}

void grid_order_publish(struct grid_order *order, uint64_t block, uint32_t released)
{
    struct fence_log *log = order->logs[block];
    if (log && released >= *entry(order, log, log->count - 1))
        log->is_published = true;
}

uint32_t grid_order_latest(const struct grid_order *order)
{
    return order->fences;
}

bool grid_order_covers(const struct grid_order *order, uint64_t block, uint32_t warp, uint32_t time,
                       uint32_t acquired)
{
    struct fence_log *log = order->logs[block];
    uint32_t low = 0, high = log ? log->count : 0;
    while (low < high) { /* the first entry that covers it */
        uint32_t middle = low + (high - low) / 2;
        if (entry(order, log, middle)[1 + warp] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return log && low < log->count && *entry(order, log, low) <= acquired;
}
