/* cache.c - a cache by sets and ways; see cache.h. */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 128 };

bool cache_init(struct cache *cache, uint32_t bytes)
{
    uint32_t sets = bytes / (CACHE_WAYS * LINE_BYTES);
    *cache = (struct cache){.sets = sets ? sets : 1};
    cache->lines = calloc((size_t)cache->sets * CACHE_WAYS, sizeof *cache->lines);
    return cache->lines != NULL;
}

void cache_free(struct cache *cache)
{
    free(cache->lines);
}

/* Addresses a power of two apart must not all meet in one set. */
static uint32_t set_of(const struct cache *cache, uint32_t line)
{
    uint32_t mixed = line ^ line >> 7 ^ line >> 13 ^ line >> 19;
    return mixed % cache->sets;
}

uint32_t cache_look_up(struct cache *cache, uint32_t line, uint32_t sectors, bool keep,
                       struct cache_line **entry)
{
    struct cache_line *set = &cache->lines[(size_t)set_of(cache, line) * CACHE_WAYS], *oldest = set;
    cache->count++;
    for (int way = 0; way < CACHE_WAYS; way++) {
        if (set[way].sectors && set[way].line == line) {
            uint32_t here = set[way].sectors & sectors;
            set[way].used = cache->count;
            if (keep)
                set[way].sectors |= sectors;
            *entry = &set[way];
            return here;
        }
        if (set[way].used < oldest->used)
            oldest = &set[way];
    }
    *entry = NULL;
    if (keep) {
        *oldest = (struct cache_line){.line = line, .sectors = sectors, .used = cache->count};
        *entry = oldest;
    }
    return 0;
}
