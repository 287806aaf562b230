/* cache.h - the L1 of a multiprocessor, or its share of L2: lines of 128 bytes, each with 4 sectors
 * that come one by one; the least recently used line of a set makes room. */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_WAYS = 8 };

struct cache_line {
    uint32_t line;    /* its number; valid if sectors is not 0 */
    uint32_t sectors; /* a bit each: those that are here, or on their way */
    double ready;     /* when the latest of them arrives */
    uint64_t used;    /* when it was last asked for, by the cache's count */
};

struct cache {
    struct cache_line *lines;
    uint32_t sets;
    uint64_t count;
};

bool cache_init(struct cache *cache, uint32_t bytes);
void cache_free(struct cache *cache);

/* Those of the line's sectors that are here already; the line is then the latest used, and its
 * sectors will be here by the time the caller puts into (*entry)->ready. With keep false a line
 * that is not here is not given a place, and *entry may be NULL. */
uint32_t cache_look_up(struct cache *cache, uint32_t line, uint32_t sectors, bool keep,
                       struct cache_line **entry);

#endif
