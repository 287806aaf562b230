/* sample_internal.h - what the files of a sampled launch share: sample.c, which chooses blocks, and
 * sample_told.c, which says what they stand for and what they wrote. */
#ifndef SIM_SAMPLE_INTERNAL_H
#define SIM_SAMPLE_INTERNAL_H

#include "sample.h"

#include "twins.h"

/* Traced blocks, and those of each place; then come blocks that begin, odd ones, and twins. */
enum { TRACED, PLACES = 27, GROUPS = 1 + PLACES + 3 };

struct group {
    uint64_t size;     /* blocks that are of it */
    uint64_t *numbers; /* those that may run, in this order */
    uint32_t count, room, ran, least;
    uint32_t drawn_from, drawn_to; /* those of numbers that chance chose */
};

struct sample {
    struct group groups[GROUPS];
    uint32_t parts[3]; /* of each axis: at most 3 */
    struct sim_stretch *stretches;
    size_t count, room, block_first; /* block_first: where those of the block under way begin */
    bool has_lost;                   /* a stretch: no memory, or no one buffer */
    uint64_t began_at;               /* steps of the worker when the block under way began */
    bool has_begun;         /* are there two groups more: blocks that begin, and odd ones? */
    bool has_scouted;       /* are the odd ones known? */
    bool has_twins;         /* are those of the last group known? */
    uint32_t left;          /* blocks of the group that begins that were left */
    uint32_t cut_off;       /* of any group: cut.h */
    uint64_t since[GROUPS]; /* steps of those, from the last store on */
    uint64_t whole;         /* the block that goes on, if has_whole */
    bool has_whole;
    struct heard *heard;
    struct queue *queue;
    struct cut *cut;
    struct ledger *ledger; /* of what scouts saw; NULL before, or without memory */
    struct sim_twins twins;
    uint64_t idle[TWINS_MOST_IDLE]; /* blocks that seem to store nothing */
    uint32_t idle_count;
    struct sim_sampled told;
};

/* Groups of traced blocks and of places. */
uint32_t groups_that_stand(const struct sample *sample);
uint32_t group_of(const struct sample *sample, const struct launch *launch, uint64_t number);
bool group_is_begun(const struct sample *sample, const struct group *group);
bool group_has(const struct group *group, uint64_t number);
bool group_ran(const struct group *group, uint64_t number);
/* The group that most of the grid belongs to. */
const struct group *group_largest(const struct sample *sample);
uint64_t sample_blocks_run(const struct sample *sample);

#endif
