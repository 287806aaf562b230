/* timeline_places.h - which multiprocessor a block gets, and what is left of each.
 *
 * A block goes to the multiprocessor that could hold the most such blocks, as on GPUs (Gilman and
 * others, "Demystifying the placement policies of the NVIDIA GPU thread block scheduler for
 * concurrent kernels", 2020). A multiprocessor's memory is split between L1 and shared memory as
 * its first block wants it, until it is idle again: a block that needs more shared memory than that
 * has to wait, even if only a single small block runs there.
 */
#ifndef TIMELINE_PLACES_H
#define TIMELINE_PLACES_H

#include <stdbool.h>

/* What a block occupies of its multiprocessor. */
enum timeline_place { PLACE_WARPS, PLACE_REGISTERS, PLACE_SHARED, PLACE_BLOCKS, PLACES };

struct timeline_block {
    double place[PLACES]; /* part of a multiprocessor that it takes */
    double split;         /* part of the most shared memory that is split off if it comes first */
};

struct timeline_places {
    struct timeline_multiprocessor {
        double used[PLACES], split;
        unsigned blocks;
    } * each;
    unsigned *room; /* on each multiprocessor, for the block that was asked for last */
    unsigned count;
};

/* False if memory is exhausted. */
bool places_open(struct timeline_places *places, unsigned count);
/* How many such blocks fit. */
unsigned places_room(struct timeline_places *places, const struct timeline_block *block);
/* Place this many of the blocks that places_room was asked about, on[i] of them on multiprocessor
 * i. */
void places_take(struct timeline_places *places, const struct timeline_block *block,
                 unsigned blocks, unsigned char *on);
/* These blocks have ended. */
void places_give(struct timeline_places *places, const struct timeline_block *block,
                 const unsigned char *on);
void places_close(struct timeline_places *places);

#endif
