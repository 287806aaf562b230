/* sector_set.c - a hash table of lines, open addressing. */
#include "sector_set.h"

#include <stdlib.h>
#include <string.h>

enum { SECTOR_BITS = 4, SECTOR_MASK = (1 << SECTOR_BITS) - 1, FIRST_ROOM = 1024 };

/* Where line is, or the free place for it. */
static uint32_t *find(uint32_t *words, size_t room, uint32_t line)
{
    size_t at = (line * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (room - 1);
    while (words[at] && words[at] >> SECTOR_BITS != line)
        at = (at + 1) & (room - 1);
    return &words[at];
}

static bool grow(struct sector_set *set)
{
    size_t room = set->room ? 2 * set->room : FIRST_ROOM;
    uint32_t *words = calloc(room, sizeof *words);
    if (!words)
        return false;
    for (size_t i = 0; i < set->room; i++)
        if (set->words[i])
            *find(words, room, set->words[i] >> SECTOR_BITS) = set->words[i];
    free(set->words);
    set->words = words;
    set->room = room;
    return true;
}

uint32_t sector_set_add(struct sector_set *set, uint32_t word)
{
    if (2 * (set->lines + 1) > set->room && !grow(set)) {
        set->failed = true;
        return 0;
    }
    uint32_t *place = find(set->words, set->room, word >> SECTOR_BITS);
    uint32_t fresh = word & SECTOR_MASK & ~*place;
    set->lines += *place == 0;
    *place |= word;
    set->sectors += (unsigned)__builtin_popcount(fresh);
    return fresh;
}

uint32_t sector_set_missing(const struct sector_set *set, uint32_t word)
{
    uint32_t there = set->room ? *find(set->words, set->room, word >> SECTOR_BITS) : 0;
    return word & SECTOR_MASK & ~there;
}

uint64_t sector_set_pieces(const struct sector_set *set)
{
    uint64_t pieces = 0;
    for (size_t i = 0; i < set->room; i++)
        pieces += ((set->words[i] & 0x3) != 0) + ((set->words[i] & 0xC) != 0);
    return pieces;
}

void sector_set_clear(struct sector_set *set)
{
    if (set->words)
        memset(set->words, 0, set->room * sizeof *set->words);
    set->lines = 0;
    set->sectors = 0;
}

void sector_set_free(struct sector_set *set)
{
    free(set->words);
}
