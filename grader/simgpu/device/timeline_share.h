/* timeline_share.h - how kernels share the device.
 *
 * A kernel's blocks begin in rounds: as many as fit next to those that run (timeline_places.h). A
 * round runs for the time that the kernel takes alone, divided by the number of rounds that it
 * needs alone. It runs longer where the running kernels together want more DRAM or more issue slots
 * than there are: then each gets what it wants or an equal part, whichever is less. A scheduler
 * issues for its warps in turn, so those of one kernel also wait for those of others.
 */
#ifndef TIMELINE_SHARE_H
#define TIMELINE_SHARE_H

#include "timeline_places.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The resources that running blocks share. */
enum timeline_supply { SUPPLY_DRAM, SUPPLY_ISSUE, SUPPLIES };

struct timeline_share {
    double blocks; /* of the grid */
    double fit;    /* blocks that the whole device can hold at once */
    struct timeline_block block;
    double supply[SUPPLIES]; /* part of the device's that the kernel uses alone */
};

/* Blocks of an item that began together. */
struct timeline_round {
    uint32_t item;
    unsigned blocks;
    unsigned char *on; /* each multiprocessor */
    double left_ns;    /* at a rate of 1 */
    double rate;
};

/* The kernels that are ready, in that order, and their running blocks. */
struct timeline_sharing {
    struct timeline_places places;
    unsigned scheduler_warps; /* that a scheduler can hold */
    struct timeline_ready {
        uint32_t item;
        const struct timeline_share *share;
        double alone_ns;
        unsigned blocks, waiting, running;
    } * ready;
    size_t ready_first, ready_count, ready_room; /* those from first on */
    size_t begun;                                /* ready ones before this may have begun */
    struct timeline_round *rounds;
    size_t round_count, round_room;
};

/* False without memory. */
bool sharing_open(struct timeline_sharing *sharing, unsigned multiprocessors,
                  unsigned scheduler_warps);
/* An item is ready to run. False if memory is exhausted, as for the next function. */
bool sharing_add(struct timeline_sharing *sharing, uint32_t item,
                 const struct timeline_share *share, double alone_ns);
/* Begin the blocks that fit, and compute all rates. began is called for each item whose first
 * blocks begin. */
bool sharing_begin(struct timeline_sharing *sharing, void (*began)(void *of, uint32_t item),
                   void *of);
/* The time from now until the next round ends; infinity if nothing runs. */
double sharing_next_ns(const struct timeline_sharing *sharing);
/* Let time pass, up to the next end. */
void sharing_pass(struct timeline_sharing *sharing, double passed_ns);
/* Remove a round that has ended; *item is its item, and *is_last says whether it was the item's
 * last one. False if there is none. */
bool sharing_take(struct timeline_sharing *sharing, uint32_t *item, bool *is_last);
void sharing_free(struct timeline_sharing *sharing);

#endif
