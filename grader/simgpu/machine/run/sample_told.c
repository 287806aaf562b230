/* sample_told.c - see sample.h: how many blocks each block that ran stands for, and what they
 * wrote. */
#include "sample_internal.h"
#include "cluster.h"
#include "cut.h"
#include "drawn_pattern.h"
#include "lanes.h"
#include "shares.h"
#include "store_ledger.h"

#include <math.h>
#include <stdlib.h>

/* Blocks of one place are taken to be alike if they store as much as others there, but for this
 * share: one tile of eight. */
static const double DIFFERENCE = 1.0 / 8;

/* --- What they stand for ---------------------------------------------------------------------- */

/* What the worker's blocks have stored. */
static uint64_t bytes_of(const struct sample *sample, uint32_t worker)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < sample->count; i++)
        bytes += sample->stretches[i].kind == worker ? sample->stretches[i].bytes : 0;
    return bytes;
}

/* As many as the worker's steps are worth: of a tile that has been begun nothing is stored yet,
 * though its first steps were counted. */
static uint64_t bytes_worth(const struct launch *launch, uint32_t worker)
{
    const struct sample *sample = launch->sample;
    uint64_t stored =
        group_is_begun(sample, &sample->groups[worker]) ? 0 : bytes_of(sample, worker);
    double since = (double)sample->since[worker];
    double steps = (double)launch->workers[worker].steps;
    return since > 0 && since < steps ? (uint64_t)((double)stored * steps / (steps - since))
                                      : stored;
}

/* What all blocks of each group store. */
static void add_up_groups(const struct launch *launch, const struct shares *shares,
                          uint64_t of_group[GROUPS])
{
    const struct sample *sample = launch->sample;
    uint32_t odd_at = groups_that_stand(sample) + 1;
    for (uint64_t number = 0; number < launch->block_count; number++) {
        uint32_t group = group_has(&sample->groups[TRACED], number) ? TRACED
                         : group_ran(&sample->groups[odd_at], number)
                             ? odd_at
                             : group_of(sample, launch, number);
        of_group[group] += shares_of_block(shares, number);
    }
}

/* Where blocks were cut off, workers stand for bytes that are stored, not for blocks. */
static void weigh_by_shares(struct launch *launch, const struct shares *shares)
{
    uint64_t of_group[GROUPS] = {0}, without_turn = 0;
    uint32_t place = launch->worker_count;
    add_up_groups(launch, shares, of_group);
    for (uint32_t i = launch->worker_count; i-- > 0;) {
        struct worker *worker = &launch->workers[i];
        uint64_t stored = bytes_worth(launch, i);
        worker->stands_for = stored ? of_group[i] : 0;
        worker->ran = stored ? stored : 1;
        without_turn += stored ? 0 : of_group[i];
        place = stored ? i : place;
    }
    if (place < launch->worker_count)
        launch->workers[place].stands_for += without_turn;
}

/* Warp instructions for each byte that the worker's blocks store. */
static double pace_of(const struct launch *launch, uint32_t worker)
{
    double stored = (double)bytes_worth(launch, worker);
    return stored > 0 ? (double)launch->workers[worker].steps / stored : 0;
}

/* How much longer the tiles of the block that went on take than those of traced blocks, which are
 * first ones. */
static double later_tiles(const struct launch *launch)
{
    double first = pace_of(launch, TRACED);
    double all =
        launch->sample->has_whole ? pace_of(launch, groups_that_stand(launch->sample) + 1) : first;
    return first > 0 && all > first ? all / first : 1;
}

double sample_busiest(const struct launch *launch, uint64_t stride, uint64_t own)
{
    const struct shares *shares = cut_shares(launch->sample->cut);
    uint64_t of_own = 0, most = 0;
    for (uint64_t i = 0; shares && i < stride; i++) {
        uint64_t bytes = 0;
        for (uint64_t number = i; number < launch->block_count; number += stride)
            bytes += shares_of_block(shares, number);
        of_own = i == own ? bytes : of_own;
        most = bytes > most ? bytes : most;
    }
    return of_own ? (double)most / (double)of_own * later_tiles(launch) : 0;
}

/* Where blocks are so long that some groups had no turn, the traced blocks stand for those groups,
 * too, or else the blocks of the largest group do. */
static void weigh_groups(struct launch *launch)
{
    uint64_t without_turn = 0;
    uint32_t in_place = 0;
    for (uint32_t i = 0; launch->sample && i < launch->worker_count; i++) {
        const struct group *group = &launch->sample->groups[i];
        if (group_is_begun(launch->sample, group)) {
            launch->workers[i].stands_for = 0;
            continue;
        }
        without_turn += group->ran ? 0 : group->size;
        if (group->ran)
            launch->workers[i].stands_for = group->size > group->ran ? group->size : group->ran;
        if (group->ran)
            launch->workers[i].ran = group->ran;
    }
    if (without_turn) {
        if (!launch->sample->groups[TRACED].ran)
            in_place = (uint32_t)(group_largest(launch->sample) - launch->sample->groups);
        launch->workers[in_place].stands_for += without_turn;
    }
}

/* Of a kind: those that ran, and how many they stand for. */
struct kind {
    double ran, stands_for;
};

static double weight_of(const struct kind *kind)
{
    return kind->stands_for / kind->ran;
}

static uint32_t place_of(const struct launch *launch, uint32_t traced)
{
    return group_of(launch->sample, launch, launch->sample->groups[TRACED].numbers[traced]);
}

/* Did chance choose the traced blocks, of the whole grid? Shares weigh them by what they store. */
static bool are_drawn(const struct launch *launch)
{
    const struct sample *sample = launch->sample;
    return launch->asked.are_of_grid && sample->groups[TRACED].ran && !cut_shares(sample->cut);
}

/* Of traced blocks that chance chose, each is as good a sample of its place as any other block that
 * was drawn there. So it stands for the others together with these, and not for itself alone: where
 * few of a large place ran besides, they may all be idle by chance. */
static void find_kinds(const struct launch *launch, struct kind *kinds)
{
    const struct sample *sample = launch->sample;
    for (uint32_t i = 0; i < launch->worker_count; i++)
        if (sample->groups[i].ran)
            kinds[i] = (struct kind){.ran = (double)launch->workers[i].ran,
                                     .stands_for = (double)launch->workers[i].stands_for};
    for (uint32_t i = 0; are_drawn(launch) && i < sample->groups[TRACED].ran; i++) {
        struct kind *place = &kinds[place_of(launch, i)];
        place->ran++;
        place->stands_for += weight_of(&kinds[TRACED]);
    }
}

/* Do the traced blocks of the largest place store other than the other blocks that ran there? */
static bool place_differs(const struct launch *launch)
{
    const struct sample *sample = launch->sample;
    const struct group *place = group_largest(sample);
    double traced = 0, bytes[2] = {0};
    for (uint32_t i = 0; i < sample->groups[TRACED].ran; i++)
        traced += &sample->groups[place_of(launch, i)] == place;
    for (size_t i = 0; i < sample->count; i++) {
        uint64_t number = cluster_of(launch, sample->stretches[i].block);
        bool is_traced = group_has(&sample->groups[TRACED], number);
        if (&sample->groups[group_of(sample, launch, number)] == place &&
            (is_traced || group_ran(place, number)))
            bytes[is_traced] += (double)sample->stretches[i].bytes;
    }
    double own = bytes[0] / fmax(place->ran, 1), of_traced = bytes[1] / fmax(traced, 1);
    return traced > 0 && fabs(of_traced - own) > DIFFERENCE * fmax(of_traced, own);
}

/* The counts of a place's blocks are exact if these are alike, and traced blocks stand for
 * themselves. If they are not alike, more blocks are better than the right place of each. */
static void weigh_by_kinds(struct launch *launch)
{
    struct kind kinds[GROUPS] = {{0}};
    double of_traced = 0;
    find_kinds(launch, kinds);
    for (uint32_t i = 0; i < launch->sample->groups[TRACED].ran; i++)
        of_traced += weight_of(&kinds[place_of(launch, i)]);
    for (uint32_t i = TRACED + 1; i < groups_that_stand(launch->sample); i++)
        if (launch->sample->groups[i].ran)
            launch->workers[i].stands_for =
                (uint64_t)(launch->sample->groups[i].ran * weight_of(&kinds[i]) + 0.5);
    launch->workers[TRACED].stands_for = (uint64_t)(of_traced + 0.5);
}

/* Each group by itself; false if by its shares of what is stored. */
static bool weigh_each(struct launch *launch)
{
    const struct shares *shares = launch->sample ? cut_shares(launch->sample->cut) : NULL;
    if (shares)
        weigh_by_shares(launch, shares);
    else
        weigh_groups(launch);
    return !shares;
}

void sample_weigh(struct launch *launch)
{
    if (weigh_each(launch) && launch->sample && are_drawn(launch) && place_differs(launch))
        weigh_by_kinds(launch);
}

/* --- What they wrote -------------------------------------------------------------------------- */

static struct sim_stretch *new_stretch(struct sample *sample)
{
    if (sample->count == sample->room) {
        size_t room = sample->room ? 2 * sample->room : 256;
        struct sim_stretch *grown = realloc(sample->stretches, room * sizeof *grown);
        if (!grown)
            return NULL;
        sample->stretches = grown;
        sample->room = room;
    }
    return &sample->stretches[sample->count++];
}

static bool was_drawn(const struct group *group)
{
    return group->ran > group->drawn_from && group->ran <= group->drawn_to;
}

/* The stretch of the current block in that allocation; NULL when memory is exhausted. */
static struct sim_stretch *stretch_of(struct sample *sample, const struct access *access)
{
    const struct block *block = access->warp->block;
    uint64_t address = access->allocation->address;
    for (size_t i = sample->block_first; i < sample->count; i++)
        if (sample->stretches[i].address == address && sample->stretches[i].block == block->number)
            return &sample->stretches[i];
    struct sim_stretch *made = new_stretch(sample);
    if (made)
        *made = (struct sim_stretch){.block = block->number,
                                     .address = address,
                                     .low = UINT64_MAX,
                                     .drawn = was_drawn(&sample->groups[block->worker->index]),
                                     .kind = block->worker->index};
    return made;
}

/* The same for stores to the same places, in whatever order they come: those of a block add up. */
static uint64_t print_of(const struct access *access)
{
    uint64_t print = 0;
    if (access->shape->contiguous)
        return sim_stream_word(access->base, (uint64_t)WARP_LANES * access->bytes);
    FOR_ACTIVE (lane, access->active)
        print +=
            sim_stream_word(access->base + (uint64_t)access->shape->delta[lane], access->bytes);
    return print;
}

static void sample_access(const struct access *access, struct site *site)
{
    struct sample *sample = block_launch(access->warp)->sample;
    (void)site;
    if (access->kind == ACCESS_LOAD || (access->allocation && !access->allocation->pieces))
        return;
    struct sim_stretch *stretch = access->allocation ? stretch_of(sample, access) : NULL;
    if (!stretch) {
        sample->has_lost = true;
        return;
    }
    uint64_t base = access->base - access->allocation->address;
    uint64_t low = base + (uint64_t)access->shape->lowest;
    uint64_t high = base + (uint64_t)access->shape->highest + access->bytes;
    stretch->low = low < stretch->low ? low : stretch->low;
    stretch->high = high > stretch->high ? high : stretch->high;
    stretch->bytes += (uint64_t)__builtin_popcount(access->active) * access->bytes;
    stretch->print += print_of(access);
}

/* Some whose first threads store nothing have run: did they store nothing at all? */
static bool are_idle(const struct sample *sample)
{
    for (uint32_t i = 0; i < sample->idle_count; i++)
        for (size_t j = 0; j < sample->count; j++)
            if (sample->stretches[j].block == sample->idle[i])
                return false;
    return true;
}

/* Traced blocks of a kind with their place, if chance chose them. */
static void weigh_stretches(struct launch *launch)
{
    struct sample *sample = launch->sample;
    struct kind kinds[GROUPS] = {{0}};
    weigh_each(launch);
    find_kinds(launch, kinds);
    for (size_t i = 0; i < sample->count; i++) {
        struct sim_stretch *stretch = &sample->stretches[i];
        uint64_t number = cluster_of(launch, stretch->block);
        if (are_drawn(launch) && group_has(&sample->groups[TRACED], number))
            stretch->kind = group_of(sample, launch, number);
        stretch->weight = weight_of(&kinds[stretch->kind]);
        stretch->kind_blocks = (uint64_t)(kinds[stretch->kind].stands_for + 0.5);
    }
}

const struct sim_sampled *sim_launch_sampled(struct launch *launch)
{
    struct sample *sample = launch->sample;
    if (!sample)
        return NULL;
    weigh_stretches(launch);
    sample_weigh(launch);
    uint64_t each = launch->cluster_blocks;
    sample->told = (struct sim_sampled){.ran = each * (sample_blocks_run(sample) - sample->left),
                                        .left = each * sample->left,
                                        .cut_off = sample->cut_off,
                                        .of = launch->block_count,
                                        .twins = sample->twins,
                                        .stretches = sample->stretches,
                                        .stretch_count = sample->count,
                                        .has_lost = sample->has_lost};
    sample->told.twins.idle = are_idle(sample) ? sample->twins.idle : 0;
    sample->told.written = ledger_written(sample->ledger, &sample->told.written_count);
    for (int i = 0; i < GROUPS; i++) {
        const struct group *group = &sample->groups[i];
        if (group->drawn_to > group->drawn_from && group->ran > group->drawn_from)
            sample->told.drawn +=
                (group->ran < group->drawn_to ? group->ran : group->drawn_to) - group->drawn_from;
    }
    sample->told.drawn = each * (sample->told.drawn - sample->left);
    return &sample->told;
}

static bool is_sampled(const struct launch *launch)
{
    return launch->sample;
}

const struct observer observer_sample = {.name = "sample",
                                         .spaces = 1 << SPACE_GLOBAL,
                                         .looks_at = LOOKS_AT_PLACES,
                                         .wants = is_sampled,
                                         .access = sample_access};
