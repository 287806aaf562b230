/* scout.c - see scout.h. */
#include "scout.h"
#include "sample.h"
#include "store_ledger.h"
#include "walk.h"

#include <stdlib.h>

/* Warp instructions for all warps together, a tenth of a second; for the first warp of each block;
 * and for each other warp. A start costs as much as some instructions. */
enum { MOST_STEPS = 24 << 20, STEPS_OF_FIRST = 1024, STEPS_OF_OTHERS = 8192, START_STEPS = 16 };
/* Where all warps together end within STEPS_OF_ALL, each is followed to its end; TRIED warps are
 * tried first, to find out, and none of them may take longer than STEPS_OF_ONE. */
enum { STEPS_OF_ALL = 96 << 20, TRIED = 64, STEPS_OF_ONE = 1 << 16 };
/* An outcome in one of RARE warps, or fewer, is rare; fewer than LEAST_WARPS warps say nothing. */
enum { RARE = 512, LEAST_WARPS = 512 };

/* In how many warps a comparison was false, and true, for any lane; the last of these warps, and
 * the block of the first. */
struct outcome {
    uint32_t count[2], last[2];
    uint64_t first[2];
};

struct scout {
    struct walk walk;
    struct outcome *outcomes; /* by op id */
    uint32_t warps;           /* that were gone through */
    uint64_t steps;
};

/* --- Outcomes --------------------------------------------------------------------------------- */

static void note_outcome(struct walk *walk, struct warp *warp, const struct op *op,
                         lane_mask active)
{
    struct scout *scout = (struct scout *)walk; /* which begins with it */
    struct outcome *outcome = &scout->outcomes[op->id];
    lane_mask is_true = op->dst == NO_REGISTER ? 0 : *predicate(warp, op->dst) & active;
    const bool any[2] = {is_true != active, is_true != 0};
    for (int i = 0; i < 2 && op->dst != NO_REGISTER; i++) {
        if (!any[i] || (outcome->count[i] && outcome->last[i] == scout->warps))
            continue;
        if (outcome->count[i]++ == 0)
            outcome->first[i] = warp->block->number;
        outcome->last[i] = scout->warps;
    }
}

/* --- All of them ------------------------------------------------------------------------------ */

/* The block whose outcome is the rarest of those not yet named. */
static bool next_rarest(const struct scout *scout, uint64_t *numbers, uint32_t count)
{
    uint32_t least = scout->warps / RARE;
    bool found = false;
    uint32_t ops = scout->walk.worker->launch->function->module->op_count;
    for (uint32_t i = 0; i < 2 * ops; i++) {
        const struct outcome *outcome = &scout->outcomes[i / 2];
        uint32_t times = outcome->count[i % 2];
        if (times == 0 || times > least || is_among(numbers, count, outcome->first[i % 2]))
            continue;
        least = found && times == least ? least : times;
        numbers[count] = outcome->first[i % 2];
        found = true;
    }
    return found;
}

static void note_one(struct scout *scout, uint32_t index)
{
    scout->steps += START_STEPS + scout->walk.block->warps[index].steps;
    scout->warps++;
}

/* Has it come to its end? */
static bool go_through(struct scout *scout, uint64_t number, uint32_t index, uint64_t most)
{
    bool has_ended = walk_through(&scout->walk, number, index, most);
    note_one(scout, index);
    return has_ended;
}

/* One warp of each block, then another one of each, until the steps are spent. */
static void go_through_many(struct scout *scout, struct order order)
{
    uint32_t warps = scout->walk.worker->launch->warp_count;
    for (uint32_t round = 0; round < warps; round++)
        for (uint64_t i = 0; i < order.count && scout->steps < MOST_STEPS; i++) {
            go_through(scout, order.at, (uint32_t)((order.at + round) % warps),
                       round ? STEPS_OF_OTHERS : STEPS_OF_FIRST);
            order.at = (order.at + order.step) % order.count;
        }
}

/* Do those that are tried end, and would the steps of all warps stay within what all may take? */
static bool may_all_end(struct scout *scout, struct order order)
{
    const struct launch *launch = scout->walk.worker->launch;
    uint64_t tried = order.count < TRIED ? order.count : TRIED;
    for (uint64_t i = 0; i < tried; i++) {
        if (!go_through(scout, order.at, (uint32_t)(order.at % launch->warp_count), STEPS_OF_ONE) ||
            ledger_is_spoilt(scout->walk.ledger))
            return false;
        order.at = (order.at + order.step) % order.count;
    }
    return scout->steps / tried * order.count * launch->warp_count <= STEPS_OF_ALL;
}

/* To the end. */
static void go_through_all(struct scout *scout, struct order order)
{
    uint32_t warps = scout->walk.worker->launch->warp_count;
    for (uint64_t i = 0; i < order.count; i++, order.at = (order.at + order.step) % order.count)
        for (uint32_t warp = 0; warp < warps; warp++) {
            if (scout->steps > 2 * (uint64_t)STEPS_OF_ALL) {
                ledger_spoil(scout->walk.ledger);
                return;
            }
            if (!go_through(scout, order.at, warp, STEPS_OF_ONE))
                ledger_spoil(scout->walk.ledger);
        }
}

static void go(struct scout *scout)
{
    const struct order order = walk_order(scout->walk.worker->launch);
    if (may_all_end(scout, order)) {
        go_through_all(scout, order);
    } else {
        ledger_spoil(scout->walk.ledger);
        go_through_many(scout, order);
    }
}

uint32_t scout_blocks(struct worker *worker, struct ledger *ledger, uint64_t *numbers,
                      uint32_t most)
{
    const struct module *module = worker->launch->function->module;
    struct scout scout = {.outcomes = calloc(module->op_count + 1, sizeof *scout.outcomes)};
    bool has_memory = walk_begin(&scout.walk, worker, ledger, NULL) && scout.outcomes;
    uint32_t found = 0;
    scout.walk.compared = note_outcome;
    if (has_memory) {
        walk_leave_out_data(&scout.walk);
        go(&scout);
    } else
        ledger_spoil(ledger);
    walk_end(&scout.walk);
    while (has_memory && scout.warps >= LEAST_WARPS && found < most &&
           next_rarest(&scout, numbers, found))
        found++;
    free(scout.outcomes);
    return found;
}

/* --- A lane for a block ----------------------------------------------------------------------- */

static bool go_through_lanes(struct scout *scout, struct block_print *prints, uint32_t count)
{
    const uint32_t *grid = scout->walk.worker->launch->config.grid;
    struct block_lanes lanes = {.prints = prints};
    for (uint32_t i = 0; i < count; i++) {
        lanes.index[0][i] = (uint32_t)(prints[i].number % grid[0]);
        lanes.index[1][i] = (uint32_t)(prints[i].number / grid[0] % grid[1]);
        lanes.index[2][i] = (uint32_t)(prints[i].number / grid[0] / grid[1]);
    }
    bool has_ended = walk_through_lanes(&scout->walk, &lanes, count, STEPS_OF_ONE);
    note_one(scout, 0);
    for (uint32_t i = 0; i < count; i++)
        prints[i].is_known = has_ended;
    return !lanes.is_spoilt;
}

void scout_first_threads(struct worker *worker, struct block_print *prints, uint32_t count,
                         uint64_t most)
{
    struct scout scout = {0};
    bool goes_on = walk_begin(&scout.walk, worker, NULL, NULL);
    if (goes_on)
        walk_leave_out_data(&scout.walk);
    for (uint32_t i = 0; i < count; i++)
        prints[i] = (struct block_print){.number = prints[i].number, .lowest = UINT64_MAX};
    for (uint32_t i = 0; i < count && goes_on && scout.steps < most; i += WARP_LANES)
        goes_on =
            go_through_lanes(&scout, prints + i, count - i < WARP_LANES ? count - i : WARP_LANES);
    walk_end(&scout.walk);
}
