/* sector_set.h - a set of sectors, each given by its line of 128 bytes and its bit there, as in
 * traces. */
#ifndef SIM_SECTOR_SET_H
#define SIM_SECTOR_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sector_set {
    uint32_t *words;    /* line << 4 | a bit a sector; 0 where there is none */
    size_t room, lines; /* room is a power of two, or 0 */
    uint64_t sectors;   /* in the set */
    bool failed;        /* memory was exhausted: sectors are missing */
};

/* A line as a trace has it, with both sectors of each piece of which it has one. */
static inline uint32_t pieces_of_sectors(uint32_t word)
{
    return word | (word & 0x5) << 1 | (word & 0xA) >> 1;
}

/* word is a line as a trace has it. Adds its sectors and returns those that were not there. A set
 * of zeros is empty; the caller frees. */
uint32_t sector_set_add(struct sector_set *set, uint32_t word);
/* Those of word's sectors that are not in the set. */
uint32_t sector_set_missing(const struct sector_set *set, uint32_t word);
/* Pieces of two sectors, of which DRAM moves no less, with a sector in the set. */
uint64_t sector_set_pieces(const struct sector_set *set);
void sector_set_clear(struct sector_set *set);
void sector_set_free(struct sector_set *set);

#endif
