/* sample.c - see sample.h: which blocks run.
 *
 * The output of a launch of which only some blocks run has gaps. Blocks that read what others wrote
 * may read a gap: so atomics and ordered loads are noted when they are executed, and so is a later
 * launch that reads such memory (access.c). A result that is right in spite of this has proved
 * itself.
 */
#include "sample_internal.h"
#include "cluster.h"
#include "cut.h"
#include "drawn_pattern.h"
#include "heard.h"
#include "store_ledger.h"
#include "opcode.h"
#include "queue.h"
#include "scout.h"
#include "shares.h"
#include "strata.h"
#include "twins.h"

#include <stdlib.h>
#include <string.h>

/* Up to FEW_BLOCKS blocks all run; and at most one in MOST_DRAWN of a grid's blocks is drawn. */
enum { FEW_BLOCKS = 32, MOST_DRAWN = 4 };
/* A group with this part of the grid is a large one. Where none of its blocks is traced, at least
 * LEAST_OF_LARGE of them run, if they are not far too long. */
enum { LARGE_PART = 4, LEAST_OF_LARGE = 4 };
/* Blocks of each group but the largest; and thread instructions that any block may take, as one
 * that does the work of hundreds: half a thousand steps for each of 256 x 512 elements are 2^26. */
enum { OF_AN_EDGE = 4, BLOCK_STEPS = 1 << 28 };
/* Where a few blocks take DEARER times the budget, these few must do. */
enum { DEARER = 4, LEAST_BLOCKS = 2 };
/* Where chance is to choose among all blocks, more of them run, up to DEAREST times the budget. */
enum { LEAST_ANYWHERE = 8, DEAREST = 8 };
/* Where one of MIXED blocks of the largest group stores nothing, and others do, LEAST_MIXED of it
 * run, unless so many take DEAREST times the budget: the share of either is then known to a
 * seventh. */
enum { MIXED = 16, LEAST_MIXED = 48 };
/* Blocks that begin and are abandoned, and the thread instructions that each of them may take
 * before that. */
enum { BEGUN = 64, BEGUN_STEPS = 1 << 18 };
/* Blocks that are unlike all others (scout.h). */
enum { MOST_ODD = 8 };
/* Blocks that store to the places of one that runs (twins.h), of which so many run even if all take
 * long. */
enum { MOST_TWINS = 64, LEAST_TWINS = 2 };

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

uint32_t group_of(const struct sample *sample, const struct launch *launch, uint64_t number)
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
    if (sample && (!(sample->heard = heard_new()) || !(sample->queue = queue_new()) ||
                   !(sample->cut = cut_new()))) {
        sample_free(sample);
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
        if (sample->heard)
            heard_free(sample->heard);
        queue_free(sample->queue);
        cut_free(sample->cut);
        ledger_free(sample->ledger);
    }
    free(sample);
}

struct heard *sample_heard(const struct sample *sample)
{
    return sample->heard;
}

struct queue *sample_queue(const struct sample *sample)
{
    return sample->queue;
}

struct ledger *sample_ledger(const struct sample *sample)
{
    return sample->ledger;
}

/* Groups of traced blocks and of places; then come blocks that begin, odd ones, and twins. */
uint32_t groups_that_stand(const struct sample *sample)
{
    return 1 + sample->parts[0] * sample->parts[1] * sample->parts[2];
}

uint32_t sample_workers(const struct sample *sample)
{
    return groups_that_stand(sample) + (sample->has_begun ? 2 : 0) + 1;
}

bool group_is_begun(const struct sample *sample, const struct group *group)
{
    return sample->has_begun && group == &sample->groups[groups_that_stand(sample)];
}

static bool is_odd(const struct sample *sample, const struct group *group)
{
    return sample->has_begun && group == &sample->groups[groups_that_stand(sample) + 1];
}

static bool are_twins(const struct sample *sample, const struct group *group)
{
    return group == &sample->groups[sample_workers(sample) - 1];
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

bool group_has(const struct group *group, uint64_t number)
{
    return is_among(group->numbers, group->count, number);
}

bool group_ran(const struct group *group, uint64_t number)
{
    return is_among(group->numbers, group->ran, number);
}

static bool is_traced(const struct sample *sample, uint64_t number)
{
    return group_has(&sample->groups[TRACED], number);
}

uint64_t sample_random(uint64_t *state)
{
    uint64_t word = sim_stream_word(*state, 0);
    *state += UINT64_C(0x9E3779B97F4A7C15); /* the generator's step */
    return word;
}

/* The block of that number among those of the group. */
static uint64_t block_of(const struct sample *sample, const struct launch *launch, uint32_t group,
                         uint64_t number)
{
    uint32_t first[3], extent[3], grid[3];
    units_of(launch, grid);
    bounds_of(sample, launch, group, first, extent);
    uint64_t x = first[0] + number % extent[0], y = first[1] + number / extent[0] % extent[1];
    uint64_t z = first[2] + number / extent[0] / extent[1];
    return (z * grid[1] + y) * grid[0] + x;
}

static uint64_t size_of(const struct sample *sample, const struct launch *launch, uint32_t group)
{
    uint32_t first[3], extent[3];
    bounds_of(sample, launch, group, first, extent);
    return (uint64_t)extent[0] * extent[1] * extent[2];
}

/* By chance alone; in a launch that is timed in order, one from each part of the group, so that the
 * share of those that are idle is about right. Blocks drawn from a large part of the grid are
 * evidence of the blocks that did not run; of edges so many run that they would count for too
 * much. */
static bool draw_group(struct sample *sample, const struct launch *launch, uint32_t index,
                       uint32_t wanted, uint64_t *random)
{
    struct group *group = &sample->groups[index];
    bool ok = true;
    bool is_large = LARGE_PART * group->size >= unit_count(launch);
    group->least = is_large && !launch->asked.count ? LEAST_OF_LARGE : 1;
    group->drawn_from = group->count;
    uint64_t size = size_of(sample, launch, index);
    bool is_even = launch->asked.count && !launch->config.sampling.anywhere;
    struct strata strata = strata_of(size, wanted, random);
    for (uint32_t tries = 0; ok && tries < 8 * wanted && group->count < wanted; tries++) {
        uint64_t number =
            block_of(sample, launch, index,
                     is_even ? strata_draw(&strata, random) : sample_random(random) % size);
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
            !group_has(&sample->groups[group_of(sample, launch, number)], number))
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
        sample->groups[i].size = size_of(sample, launch, i);
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

static void make_ledger(struct sample *sample, const struct launch *launch)
{
    ledger_free(sample->ledger);
    sample->ledger = ledger_new(launch->context);
}

static void exchange(uint64_t *a, uint64_t *b)
{
    uint64_t first = *a;
    *a = *b;
    *b = first;
}

/* Where blocks are cut off, one more block, which is not. */
static void add_whole(struct sample *sample, const struct launch *launch, struct group *odd)
{
    uint64_t random = launch->config.sampling.seed ^ UINT64_C(0x77686F6C65);
    for (int tries = 0; tries < 64 && !sample->has_whole; tries++) {
        uint64_t number = sample_random(&random) % unit_count(launch);
        struct group *of = &sample->groups[group_of(sample, launch, number)];
        const struct group *begun = &sample->groups[groups_that_stand(sample)];
        if (is_traced(sample, number) || group_ran(of, number) || group_has(begun, number))
            continue;
        sample->has_whole = add(odd, number);
        sample->whole = number;
        of->size -= of->size > of->ran;
    }
    if (sample->has_whole) /* it runs, and another one */
        exchange(&odd->numbers[odd->count - 1], &odd->numbers[0]);
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
        bool is_kept = cut_shares(sample->cut);
        if (!is_kept)
            make_ledger(sample, launch);
        count = scout_blocks(worker, is_kept ? NULL : sample->ledger, numbers, MOST_ODD);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct group *of = &sample->groups[group_of(sample, launch, numbers[i])];
        if (is_traced(sample, numbers[i]) || group_has(of, numbers[i]) ||
            group_has(begun, numbers[i]))
            continue;
        if (add(odd, numbers[i]) && of->size > of->ran)
            of->size--;
    }
    if (sample->cut_off)
        add_whole(sample, launch, odd);
    odd->size = odd->count;
    odd->least = sample->has_whole ? 2 : 1;
    sample->has_scouted = true;
}

/* The blocks that ran so far. */
static uint32_t list_run(const struct sample *sample, uint64_t *numbers, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < GROUPS; i++)
        for (uint32_t j = 0; j < sample->groups[i].ran && count < room; j++)
            numbers[count++] = sample->groups[i].numbers[j];
    return count;
}

/* Blocks that seem to store where one of those that ran does: they stand for themselves alone, and
 * what they store says whether it is so. */
static void add_twins(struct worker *worker, struct group *group)
{
    const struct launch *launch = worker->launch;
    struct sample *sample = launch->sample;
    uint64_t ran[TWINS_MOST_RUN], numbers[MOST_TWINS];
    struct twins twins = {.numbers = numbers, .most = MOST_TWINS};
    if (launch->cluster_blocks <= 1)
        twins_find(worker, ran, list_run(sample, ran, TWINS_MOST_RUN), &twins);
    for (uint32_t i = 0; i < twins.count; i++) {
        uint64_t number = numbers[twins.count - 1 - i]; /* the idle ones take no time */
        struct group *of = &sample->groups[group_of(sample, launch, number)];
        if (i < twins.idle)
            sample->idle[sample->idle_count++] = number;
        if (add(group, number) && of->size > of->ran)
            of->size--;
    }
    group->size = group->count;
    group->least = LEAST_TWINS + twins.busy + twins.idle;
    sample->twins = twins.share;
    sample->has_twins = true;
}

/* --- Refusing --------------------------------------------------------------------------------- */

const char *sample_refusal(const struct launch *launch)
{
    const struct sim_launch_config *config = &launch->config;
    if (!config->sampling.most_steps)
        return NULL;
    if (atomic_load(&launch->context->machine->steps) > config->sampling.most_steps)
        return SIM_TOO_MANY;
    return NULL;
}

/* Memory that is only read holds nothing to wait for. Where an input is written as well, heard.c
 * sees what a block reads of others; and atomics that give what they find are for queue.c. */
const char *sample_doubt(const struct access *access, const struct allocation *allocation)
{
    bool is_input = allocation->pieces && !allocation->is_output;
    if (access->kind == ACCESS_REDUCTION)
        return SIM_SHARED_ATOMICS;
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

uint64_t sample_blocks_run(const struct sample *sample)
{
    uint64_t ran = 0;
    for (int i = 0; i < GROUPS; i++)
        ran += sample->groups[i].ran;
    return ran;
}

/* The group that most of the grid belongs to. Where no block is traced, a few blocks of the edges
 * cannot replace it, since they may not write as its blocks do. */
const struct group *group_largest(const struct sample *sample)
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
    uint64_t steps = all_steps(launch), ran = sample_blocks_run(launch->sample);
    bool needs_more = asked->anywhere && steps < DEAREST * asked->steps;
    return steps > DEARER * asked->steps && ran >= (needs_more ? LEAST_ANYWHERE : LEAST_BLOCKS);
}

/* Of the blocks that begin, as many are wanted as bring the blocks run to BEGUN, within a budget of
 * steps. */
static bool have_enough_begun(const struct worker *worker)
{
    const struct sample *sample = worker->launch->sample;
    return sample_blocks_run(sample) >= BEGUN ||
           worker->steps * WARP_LANES > (uint64_t)BEGUN * BEGUN_STEPS;
}

static bool is_seen(const struct sample *sample, size_t before, uint64_t block)
{
    for (size_t i = 0; i < before; i++)
        if (sample->stretches[i].block == block)
            return true;
    return false;
}

/* Blocks of the group, and traced ones, that stored anything. */
static uint32_t count_writers(const struct sample *sample, const struct group *group)
{
    uint32_t writers = 0;
    for (size_t i = 0; i < sample->count; i++) {
        const struct group *of = &sample->groups[sample->stretches[i].kind];
        if (of == group || of == &sample->groups[TRACED])
            writers += !is_seen(sample, i, sample->stretches[i].block);
    }
    return writers;
}

/* Does the group that most of the grid belongs to have blocks that store and blocks that do not, so
 * that a few cannot stand for it? */
static bool wants_more(const struct launch *launch, const struct group *group)
{
    const struct sample *sample = launch->sample;
    uint64_t all = sample_blocks_run(sample), budget = DEAREST * launch->config.sampling.steps;
    if (group != group_largest(sample) || group->ran >= LEAST_MIXED || all == 0 ||
        all_steps(launch) >= budget || all_steps(launch) / all * LEAST_MIXED > budget)
        return false;
    uint32_t ran = group->ran + sample->groups[TRACED].ran, writers = count_writers(sample, group);
    return writers > 0 && MIXED * (ran - writers) >= ran;
}

bool sample_take(struct worker *worker, uint64_t *number)
{
    const struct launch *launch = worker->launch;
    struct sample *sample = launch->sample;
    struct group *group = &sample->groups[worker->index];
    if (is_odd(sample, group) && !sample->has_scouted)
        add_odd(worker, group);
    if (are_twins(sample, group) && !sample->has_twins)
        add_twins(worker, group);
    bool enough = all_steps(launch) > launch->config.sampling.steps && group->ran >= group->least;
    bool stands = !is_odd(sample, group) && !are_twins(sample, group);
    bool has_turn =
        group->ran > 0 || (stands && (launch->asked.count || group != group_largest(sample)));
    if (group->ran == group->count ||
        (group_is_begun(sample, group)
             ? have_enough_begun(worker)
             : (enough || (has_turn && is_too_much(launch))) && !wants_more(launch, group)))
        return false;
    *number = group->numbers[group->ran++];
    sample->block_first = sample->count;
    sample->began_at = worker->steps;
    if (worker->resident_count == 0)
        heard_forget(sample->heard);
    cut_block_begins(sample->cut, worker, sample->has_whole && *number == sample->whole);
    return true;
}

bool sample_leaves(struct worker *worker)
{
    struct sample *sample = worker->launch->sample;
    if (!group_is_begun(sample, &sample->groups[worker->index]) ||
        sample->count > sample->block_first ||
        (worker->steps - sample->began_at) * WARP_LANES <= BEGUN_STEPS)
        return false;
    sample->left++;
    return true;
}

/* A ledger is kept where it is asked whether some block writes each element: of a launch whose
 * blocks chance chose, or whose time is not asked for. */
static void find_shares(struct worker *worker)
{
    const struct launch *launch = worker->launch;
    struct sample *sample = launch->sample;
    bool is_kept = sample->has_begun || launch->config.sampling.untimed;
    if (is_kept)
        make_ledger(sample, launch);
    cut_find_shares(sample->cut, worker, is_kept ? sample->ledger : NULL);
}

bool sample_cuts(struct worker *worker)
{
    struct sample *sample = worker->launch->sample;
    uint64_t bytes = 0;
    if (worker->launch->cluster_blocks > 1 || worker->resident_count != 1 || sample->has_lost)
        return false;
    for (size_t i = sample->block_first; i < sample->count; i++)
        bytes += sample->stretches[i].bytes;
    if (!cut_is_due(sample->cut, worker, bytes) || heard_is_open(sample->heard))
        return false;
    if (cut_asks(sample->cut))
        find_shares(worker);
    bool is_cut = cut_off(sample->cut, worker);
    sample->cut_off += is_cut;
    sample->since[worker->index] += is_cut ? cut_since(sample->cut, worker) : 0;
    return is_cut;
}

void sample_ends(struct worker *worker)
{
    struct queue *queue = sample_queue(worker->launch->sample);
    if (!queue_is_settled(queue, worker->launch))
        shares_free(shares_find(worker, NULL));
    queue_launch_end(queue, worker->launch);
}

uint64_t sample_warp_steps(const struct warp *warp)
{
    const struct sample *sample = block_launch(warp)->sample;
    return sample && warp->status != WARP_DONE
               ? cut_all_steps(sample->cut, warp->worker, warp->block->number, warp->steps)
               : warp->steps;
}

uint64_t sample_spared(const struct launch *launch)
{
    return cut_spared(launch->sample->cut);
}

bool sample_is_over(const struct worker *worker)
{
    const struct launch *launch = worker->launch;
    const struct group *group = &launch->sample->groups[worker->index];
    uint64_t each = launch->config.step_budget / unit_count(launch) + BLOCK_STEPS;
    return launch->config.step_budget && worker->steps * WARP_LANES > each * group->ran;
}
