/* sample.c - see sample.h: which blocks run, and what they wrote.
 *
 * The output of a launch of which only some blocks run has gaps. Blocks that read what others wrote
 * may read a gap: so atomics and ordered loads are noted when they are executed, and so is a later
 * launch that reads such memory (access.c). A result that is right in spite of this has proved
 * itself.
 */
#include "sample.h"
#include "cluster.h"
#include "drawn_pattern.h"
#include "heard.h"
#include "store_ledger.h"
#include "opcode.h"
#include "scout.h"

#include <stdlib.h>
#include <string.h>

enum { TRACED, PLACES = 27, GROUPS = 1 + PLACES + 2 };
/* Up to FEW_BLOCKS blocks all run; and at most one in MOST_DRAWN of a grid's blocks is drawn. */
enum { FEW_BLOCKS = 32, MOST_DRAWN = 4 };
/* A group with this part of the grid is a large one. Where none of its blocks is traced, at least
 * LEAST_OF_LARGE of them run, if they are not far too long. */
enum { LARGE_PART = 4, LEAST_OF_LARGE = 4 };
/* Blocks of each group but the largest; and thread instructions that any block may take. */
enum { OF_AN_EDGE = 4, BLOCK_STEPS = 1 << 24 };
/* Where a few blocks take DEARER times the budget, these few must do. */
enum { DEARER = 4, LEAST_BLOCKS = 2 };
/* Where chance is to choose among all blocks, more of them run, up to DEAREST times the budget. */
enum { LEAST_ANYWHERE = 8, DEAREST = 8 };
/* Blocks that begin and are abandoned, and the thread instructions that each of them may take
 * before that. */
enum { BEGUN = 64, BEGUN_STEPS = 1 << 18 };
/* Blocks that are unlike all others (scout.h). */
enum { MOST_ODD = 8 };

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
    bool has_begun;   /* are there two last groups: blocks that begin, and odd ones? */
    bool has_scouted; /* are the odd ones known? */
    uint32_t left;    /* blocks of the last group that were left */
    struct heard *heard;
    struct ledger *ledger; /* of what scouts saw; NULL before, or without memory */
    struct sim_sampled told;
};

/* --- Groups ----------------------------------------------------------------------------------- */

/* Where blocks form clusters, a cluster takes the place of a block in everything that is chosen and
 * counted here. This is how many there are along each axis, */
static void units_of(const struct launch *launch, uint32_t grid[3])
{
    for (int axis = 0; axis < 3; axis++)
        grid[axis] = launch->config.grid[axis] / launch->cluster[axis];
}

/* and this how many in all. */
static uint64_t unit_count(const struct launch *launch)
{
    return launch->block_count / launch->cluster_blocks;
}

static uint32_t parts_of(uint32_t blocks)
{
    return blocks < 3 ? blocks : 3;
}

static uint32_t part_of(uint32_t index, uint32_t blocks)
{
    if (blocks < 3)
        return index;
    return index == 0 ? 0 : index == blocks - 1 ? 2 : 1;
}

static uint32_t group_of(const struct sample *sample, const struct launch *launch, uint64_t number)
{
    uint32_t grid[3];
    units_of(launch, grid);
    uint32_t x = part_of((uint32_t)(number % grid[0]), grid[0]);
    uint32_t y = part_of((uint32_t)(number / grid[0] % grid[1]), grid[1]);
    uint32_t z = part_of((uint32_t)(number / grid[0] / grid[1]), grid[2]);
    return 1 + (z * sample->parts[1] + y) * sample->parts[0] + x;
}

/* The blocks of a group: the first one, and how many there are along each axis. */
static void bounds_of(const struct sample *sample, const struct launch *launch, uint32_t group,
                      uint32_t first[3], uint32_t extent[3])
{
    uint32_t rest = group - 1, grid[3];
    units_of(launch, grid);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t blocks = grid[axis], part = rest % sample->parts[axis];
        rest /= sample->parts[axis];
        bool is_middle = blocks >= 3 && part == 1;
        first[axis] = blocks >= 3 && part == 2 ? blocks - 1 : part;
        extent[axis] = is_middle ? blocks - 2 : 1;
    }
}

struct sample *sample_new(const struct launch *launch)
{
    const struct sim_sampling *asked = &launch->config.sampling;
    uint32_t grid[3];
    if (!asked->blocks || unit_count(launch) <= FEW_BLOCKS)
        return NULL;
    struct sample *sample = calloc(1, sizeof *sample);
    units_of(launch, grid);
    for (int axis = 0; sample && axis < 3; axis++)
        sample->parts[axis] = parts_of(grid[axis]);
    if (sample)
        sample->has_begun = asked->anywhere;
    if (sample && !(sample->heard = heard_new())) {
        free(sample);
        return NULL;
    }
    return sample;
}

void sample_free(struct sample *sample)
{
    for (int i = 0; sample && i < GROUPS; i++)
        free(sample->groups[i].numbers);
    if (sample) {
        free(sample->stretches);
        heard_free(sample->heard);
        ledger_free(sample->ledger);
    }
    free(sample);
}

struct heard *sample_heard(const struct sample *sample)
{
    return sample->heard;
}

struct ledger *sample_ledger(const struct sample *sample)
{
    return sample->ledger;
}

/* Groups of traced blocks and of places; then come blocks that begin, and odd ones. */
static uint32_t groups_that_stand(const struct sample *sample)
{
    return 1 + sample->parts[0] * sample->parts[1] * sample->parts[2];
}

uint32_t sample_workers(const struct sample *sample)
{
    return groups_that_stand(sample) + (sample->has_begun ? 2 : 0);
}

static bool is_begun(const struct sample *sample, const struct group *group)
{
    return sample->has_begun && group == &sample->groups[groups_that_stand(sample)];
}

static bool is_odd(const struct sample *sample, const struct group *group)
{
    return sample->has_begun && group == &sample->groups[groups_that_stand(sample) + 1];
}

/* --- Choosing --------------------------------------------------------------------------------- */

static bool add(struct group *group, uint64_t number)
{
    for (uint32_t i = 0; i < group->count; i++)
        if (group->numbers[i] == number)
            return true;
    if (group->count == group->room) {
        uint32_t room = group->room ? 2 * group->room : 64;
        uint64_t *grown = realloc(group->numbers, room * sizeof *grown);
        if (!grown)
            return false;
        group->numbers = grown;
        group->room = room;
    }
    group->numbers[group->count++] = number;
    return true;
}

static bool is_of(const struct group *group, uint64_t number)
{
    for (uint32_t i = 0; i < group->count; i++)
        if (group->numbers[i] == number)
            return true;
    return false;
}

static bool is_traced(const struct sample *sample, uint64_t number)
{
    return is_of(&sample->groups[TRACED], number);
}

uint64_t sample_random(uint64_t *state)
{
    uint64_t word = sim_stream_word(*state, 0);
    *state += UINT64_C(0x9E3779B97F4A7C15); /* the generator's step */
    return word;
}

/* Any block of the group. */
static uint64_t any_of(const struct sample *sample, const struct launch *launch, uint32_t group,
                       uint64_t *random)
{
    uint32_t first[3], extent[3], grid[3];
    units_of(launch, grid);
    bounds_of(sample, launch, group, first, extent);
    for (int axis = 0; axis < 3; axis++)
        first[axis] += (uint32_t)(sample_random(random) % extent[axis]);
    return ((uint64_t)first[2] * grid[1] + first[1]) * grid[0] + first[0];
}

/* By chance alone. Blocks drawn from a large part of the grid are evidence of the blocks that did
 * not run; of edges so many run that they would count for too much. */
static bool draw_group(struct sample *sample, const struct launch *launch, uint32_t index,
                       uint32_t wanted, uint64_t *random)
{
    struct group *group = &sample->groups[index];
    bool ok = true;
    bool is_large = LARGE_PART * group->size >= unit_count(launch);
    group->least = is_large && !launch->asked.count ? LEAST_OF_LARGE : 1;
    group->drawn_from = group->count;
    for (uint32_t tries = 0; ok && tries < 8 * wanted && group->count < wanted; tries++) {
        uint64_t number = any_of(sample, launch, index, random);
        if (!is_traced(sample, number))
            ok = add(group, number);
    }
    group->drawn_to = is_large ? group->count : group->drawn_from;
    return ok;
}

/* Blocks at those parts of the grid where the launch's configuration expects something, and their
 * neighbours. */
static bool add_wanted(struct sample *sample, const struct launch *launch)
{
    bool ok = true;
    for (int i = 0; i < SIM_SAMPLE_PLACES; i++) {
        double part = launch->config.sampling.around[i];
        uint64_t block = (uint64_t)(part * (double)launch->block_count);
        uint64_t middle = part > 0 && part < 1 ? cluster_of(launch, block) : 0;
        for (uint64_t number = middle - 1; part > 0 && part < 1 && number != middle + 2; number++)
            if (number < unit_count(launch) && !is_traced(sample, number))
                ok &= add(&sample->groups[group_of(sample, launch, number)], number);
    }
    return ok;
}

/* The part of the grid past the last place where something is expected: indices there are the
 * largest. Where blocks are so long that only two or three of a group run, one from there is among
 * them: any one, since none is traced. It does not count as drawn, because chance did not choose
 * among all blocks. */
static bool add_far(struct sample *sample, const struct launch *launch, uint32_t largest,
                    uint64_t *random)
{
    double far = 0;
    for (int i = 0; i < SIM_SAMPLE_PLACES; i++) {
        double part = launch->config.sampling.around[i];
        far = part < 1 && part > far ? part : far;
    }
    uint64_t first = far > 0 ? cluster_of(launch, (uint64_t)(far * (double)launch->block_count)) + 1
                             : unit_count(launch);
    if (launch->asked.count || first >= unit_count(launch))
        return true;
    for (int tries = 0; tries < 8; tries++) {
        uint64_t number = first + sample_random(random) % (unit_count(launch) - first);
        if (group_of(sample, launch, number) == largest)
            return add(&sample->groups[largest], number);
    }
    return true;
}

static bool add_traced(struct sample *sample, const struct launch *launch)
{
    struct group *group = &sample->groups[TRACED];
    bool ok = true;
    const struct asked_blocks *asked = &launch->asked;
    for (uint32_t i = 0; i < asked->count; i++)
        ok &= add(group, cluster_of(launch, asked->numbers[i]));
    group->size = group->count;
    if (asked->are_drawn)
        group->drawn_to = group->count;
    group->least = asked->count && asked->at_once < group->count ? asked->at_once : group->count;
    return ok;
}

/* Only blocks that are not chosen already, since none may run twice. */
static bool add_begun(struct sample *sample, const struct launch *launch, uint64_t *random)
{
    struct group *begun = &sample->groups[groups_that_stand(sample)];
    bool ok = true;
    for (uint32_t tries = 0; ok && tries < 2 * BEGUN && begun->count < BEGUN; tries++) {
        uint64_t number = sample_random(random) % unit_count(launch);
        if (!is_traced(sample, number) &&
            !is_of(&sample->groups[group_of(sample, launch, number)], number))
            ok = add(begun, number);
    }
    begun->drawn_to = begun->count;
    return ok;
}

bool sample_draw(struct sample *sample, const struct launch *launch)
{
    uint64_t random = launch->config.sampling.seed, largest = 0;
    uint32_t largest_at = 1;
    if (!add_traced(sample, launch))
        return false;
    for (uint32_t i = 1; i < groups_that_stand(sample); i++) {
        uint32_t first[3], extent[3];
        bounds_of(sample, launch, i, first, extent);
        sample->groups[i].size = (uint64_t)extent[0] * extent[1] * extent[2];
        if (sample->groups[i].size > largest) {
            largest = sample->groups[i].size;
            largest_at = i;
        }
    }
    for (uint32_t i = 0; i < sample->groups[TRACED].count; i++)
        sample->groups[group_of(sample, launch, sample->groups[TRACED].numbers[i])].size--;
    bool ok = add_far(sample, launch, largest_at, &random);
    uint64_t most = unit_count(launch) / MOST_DRAWN, wanted = launch->config.sampling.blocks;
    for (uint32_t i = 1; ok && i < groups_that_stand(sample); i++)
        ok = draw_group(sample, launch, i,
                        i == largest_at ? (uint32_t)(wanted < most ? wanted : most) : OF_AN_EDGE,
                        &random);
    ok = ok && add_wanted(sample, launch);
    return ok && (!sample->has_begun || add_begun(sample, launch, &random));
}

/* Blocks that scouts find, if no other group has them: they stand for themselves alone. A scout is
 * a single block, so there are none where blocks form clusters. */
static void add_odd(struct worker *worker, struct group *odd)
{
    const struct launch *launch = worker->launch;
    struct sample *sample = launch->sample;
    const struct group *begun = &sample->groups[groups_that_stand(sample)];
    uint64_t numbers[MOST_ODD];
    uint32_t count = 0;
    if (launch->cluster_blocks <= 1) {
        sample->ledger = ledger_new(launch->context);
        count = scout_blocks(worker, sample->ledger, numbers, MOST_ODD);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct group *of = &sample->groups[group_of(sample, launch, numbers[i])];
        if (is_traced(sample, numbers[i]) || is_of(of, numbers[i]) || is_of(begun, numbers[i]))
            continue;
        if (add(odd, numbers[i]) && of->size > of->ran)
            of->size--;
    }
    odd->size = odd->count;
    odd->least = 1;
    sample->has_scouted = true;
}

/* --- Refusing --------------------------------------------------------------------------------- */

const char *sample_refusal(const struct launch *launch)
{
    const struct sim_launch_config *config = &launch->config;
    if (!config->sampling.most_steps)
        return NULL;
    if (atomic_load(&launch->context->machine->steps) > config->sampling.most_steps)
        return "it takes too many launches";
    return NULL;
}

/* Memory that is only read holds nothing to wait for. Where an input is written as well, heard.c
 * sees what a block reads of others. */
const char *sample_doubt(const struct access *access, const struct allocation *allocation)
{
    bool is_input = allocation->pieces && !allocation->is_output;
    if (access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION)
        return "its blocks use atomics on memory they share";
    if (access->kind == ACCESS_LOAD && op_is_strong(access->op) && !is_input)
        return "its blocks may wait for each other";
    return NULL;
}

/* --- Running ---------------------------------------------------------------------------------- */

static uint64_t all_steps(const struct launch *launch)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < launch->worker_count; i++)
        steps += launch->workers[i].steps;
    return steps * WARP_LANES;
}

static uint64_t blocks_run(const struct sample *sample)
{
    uint64_t ran = 0;
    for (int i = 0; i < GROUPS; i++)
        ran += sample->groups[i].ran;
    return ran;
}

/* The group that most of the grid belongs to. Where no block is traced, a few blocks of the edges
 * cannot replace it, since they may not write as its blocks do. */
static const struct group *largest_of(const struct sample *sample)
{
    const struct group *largest = &sample->groups[TRACED + 1];
    for (uint32_t i = TRACED + 1; i < groups_that_stand(sample); i++)
        if (sample->groups[i].size > largest->size)
            largest = &sample->groups[i];
    return largest;
}

static bool is_too_much(const struct launch *launch)
{
    const struct sim_sampling *asked = &launch->config.sampling;
    uint64_t steps = all_steps(launch), ran = blocks_run(launch->sample);
    bool needs_more = asked->anywhere && steps < DEAREST * asked->steps;
    return steps > DEARER * asked->steps && ran >= (needs_more ? LEAST_ANYWHERE : LEAST_BLOCKS);
}

/* Of the blocks that begin, as many are wanted as bring the blocks run to BEGUN, within a budget of
 * steps. */
static bool have_enough_begun(const struct worker *worker)
{
    const struct sample *sample = worker->launch->sample;
    return blocks_run(sample) >= BEGUN ||
           worker->steps * WARP_LANES > (uint64_t)BEGUN * BEGUN_STEPS;
}

bool sample_take(struct worker *worker, uint64_t *number)
{
    const struct launch *launch = worker->launch;
    struct sample *sample = launch->sample;
    struct group *group = &sample->groups[worker->index];
    if (is_odd(sample, group) && !sample->has_scouted)
        add_odd(worker, group);
    bool enough = all_steps(launch) > launch->config.sampling.steps && group->ran >= group->least;
    bool has_turn = group->ran > 0 || (!is_odd(sample, group) &&
                                       (launch->asked.count || group != largest_of(sample)));
    if (group->ran == group->count ||
        (is_begun(sample, group) ? have_enough_begun(worker)
                                 : enough || (has_turn && is_too_much(launch))))
        return false;
    *number = group->numbers[group->ran++];
    sample->block_first = sample->count;
    sample->began_at = worker->steps;
    if (worker->resident_count == 0)
        heard_forget(sample->heard);
    return true;
}

bool sample_leaves(struct worker *worker)
{
    struct sample *sample = worker->launch->sample;
    if (!is_begun(sample, &sample->groups[worker->index]) || sample->count > sample->block_first ||
        (worker->steps - sample->began_at) * WARP_LANES <= BEGUN_STEPS)
        return false;
    sample->left++;
    return true;
}

bool sample_is_over(const struct worker *worker)
{
    const struct launch *launch = worker->launch;
    const struct group *group = &launch->sample->groups[worker->index];
    uint64_t each = launch->config.step_budget / unit_count(launch) + BLOCK_STEPS;
    return launch->config.step_budget && worker->steps * WARP_LANES > each * group->ran;
}

/* Where blocks are so long that some groups had no turn, the traced blocks stand for those groups,
 * too, or else the blocks of the largest group do. */
void sample_weigh(struct launch *launch)
{
    uint64_t without_turn = 0;
    uint32_t in_place = 0;
    for (uint32_t i = 0; launch->sample && i < launch->worker_count; i++) {
        const struct group *group = &launch->sample->groups[i];
        if (is_begun(launch->sample, group)) {
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
            in_place = (uint32_t)(largest_of(launch->sample) - launch->sample->groups);
        launch->workers[in_place].stands_for += without_turn;
    }
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
                                     .worker = block->worker->index};
    return made;
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
}

const struct sim_sampled *sim_launch_sampled(struct launch *launch)
{
    struct sample *sample = launch->sample;
    if (!sample)
        return NULL;
    sample_weigh(launch);
    for (size_t i = 0; i < sample->count; i++) {
        const struct worker *worker = &launch->workers[sample->stretches[i].worker];
        sample->stretches[i].weight = (double)worker->stands_for / (double)worker->ran;
    }
    uint64_t each = launch->cluster_blocks;
    sample->told = (struct sim_sampled){.ran = each * (blocks_run(sample) - sample->left),
                                        .left = each * sample->left,
                                        .of = launch->block_count,
                                        .stretches = sample->stretches,
                                        .stretch_count = sample->count,
                                        .has_lost = sample->has_lost};
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
