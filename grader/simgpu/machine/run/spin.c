/* spin.c - warps that only wait: for memory that others write, or for the clock.
 *
 * A split that comes back to where it was with the same values in all registers, and has only read
 * meanwhile, will do so for ever unless what it reads changes. So it is parked until that happens:
 * from then on polling takes no time and is not counted. What counts of each wait are the polls
 * until it is parked, which are MOST_ASKED in one turn (warp.c), and the last poll, which finds
 * what the split waits for. Whether a change ends the wait is tried out, too; if it does not, the
 * split stays parked.
 *
 * The clock counts as something that is read. When the loop comes back to the same values while the
 * clock stands, the time at which it ends is found by trying later ones.
 */
#include "spin.h"
#include "split.h"

#include <stdlib.h>
#include <string.h>

/* After a trial that found more than waiting, this many turns pass before the next trial; twice as
 * many each time. */
enum { MOST_PAUSE = 64 };
/* Rounds after which a loop must come back to the same values, when it reads the same. */
enum { MOST_ROUNDS = 4 };
/* Local memory of a warp that is worth keeping a copy of. */
enum { MOST_LOCAL_BYTES = 1 << 20 };
/* The longest wait for the clock that is looked for, in ticks. */
#define MOST_TICKS (UINT64_C(1) << 48)

static struct spin *room_for(struct warp *warp, uint32_t i)
{
    if (warp->spin_room < warp->split_room) {
        struct spin **grown = realloc(warp->spins, warp->split_room * sizeof *grown);
        if (!grown)
            return NULL;
        memset(grown + warp->spin_room, 0, (warp->split_room - warp->spin_room) * sizeof *grown);
        warp->spins = grown;
        warp->spin_room = warp->split_room;
    }
    if (!warp->spins[i])
        warp->spins[i] = calloc(1, sizeof *warp->spins[i]);
    return warp->spins[i];
}

const struct spin *spin_of(const struct warp *warp, uint32_t i)
{
    return warp->spins[i];
}

void spin_free(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->spin_room; i++)
        if (warp->spins[i]) {
            free(warp->spins[i]->cells);
            free(warp->spins[i]);
        }
    free(warp->spins);
}

void spin_scratch_free(struct worker *worker)
{
    if (!worker->scratch)
        return;
    snapshot_free(&worker->scratch->first);
    snapshot_free(&worker->scratch->second);
    free(worker->scratch);
}

static struct spin_scratch *scratch_of(struct worker *worker)
{
    if (!worker->scratch)
        worker->scratch = calloc(1, sizeof *worker->scratch);
    return worker->scratch;
}

/* --- The clock -------------------------------------------------------------------------------- */

/* Would the loop still go round this many ticks from now? The state it starts from is kept. It may
 * take some rounds until what the clock says comes to where it is asked. */
static bool goes_on_after(struct warp *warp, uint32_t index, const struct snapshot *state,
                          uint64_t ticks)
{
    struct worker *worker = warp->worker;
    struct spin unused = {0};
    bool reads_clock, goes_on = true;
    worker->skipped_ticks += ticks;
    for (int round = 0; round < MOST_ROUNDS && goes_on; round++)
        goes_on = trial_goes_round(warp, index, &unused, &reads_clock);
    worker->skipped_ticks -= ticks;
    snapshot_restore(state, warp);
    free(unused.cells);
    return goes_on;
}

/* How many ticks from now the loop ends; SPIN_NEVER when it does not. */
static uint64_t ticks_to_end(struct warp *warp, uint32_t index, const struct snapshot *state)
{
    uint64_t low = 0, high = 1;
    while (goes_on_after(warp, index, state, high)) {
        low = high;
        high *= 2;
        if (high > MOST_TICKS)
            return SPIN_NEVER;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (goes_on_after(warp, index, state, middle))
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Does split index, which is the current one, only wait? If so, spin says for what; otherwise all
 * is as it was. */
static bool only_waits(struct warp *warp, uint32_t index, struct spin *spin)
{
    struct spin_scratch *scratch = scratch_of(warp->worker);
    bool reads_clock = false, waits = false;
    if (!scratch || !snapshot_take(&scratch->first, warp))
        return false;
    const struct snapshot *state = &scratch->first;
    for (int round = 0; round < MOST_ROUNDS && !waits; round++) {
        if (round > 0) { /* it still had to do with what it read before */
            state = &scratch->second;
            if (!snapshot_take(&scratch->second, warp))
                break;
        }
        if (!trial_goes_round(warp, index, spin, &reads_clock))
            break;
        waits = snapshot_is_of(state, warp);
    }
    uint64_t ticks = SPIN_NEVER;
    if (waits && !block_launch(warp)->faulted) {
        snapshot_restore(state, warp); /* its steps and turns are not this trial's */
        ticks = reads_clock ? ticks_to_end(warp, index, state) : SPIN_NEVER;
    }
    if (!waits || block_launch(warp)->faulted || (!spin->count && ticks == SPIN_NEVER)) {
        snapshot_restore(&scratch->first, warp);
        return false;
    }
    spin->wake_ticks = ticks == SPIN_NEVER ? SPIN_NEVER : clock_now(warp->worker) + ticks;
    return true;
}

static bool has_come(const struct warp *warp, const struct spin *spin)
{
    if (spin->wake_ticks != SPIN_NEVER && clock_now(warp->worker) >= spin->wake_ticks)
        return true;
    for (uint32_t i = 0; i < spin->count; i++)
        if (memcmp(spin->cells[i].at, spin->cells[i].value, spin->cells[i].bytes) != 0)
            return true;
    return false;
}

/* --- Parking ---------------------------------------------------------------------------------- */

void spin_try(struct warp *warp)
{
    uint32_t index = warp->current;
    if (warp->spin_pause > 0) {
        warp->spin_pause--;
        return;
    }
    struct spin *spin = room_for(warp, index);
    if (!spin || (size_t)warp->local_bytes * WARP_LANES > MOST_LOCAL_BYTES)
        return;
    if (!only_waits(warp, index, spin)) {
        warp->spin_next_pause =
            warp->spin_next_pause < MOST_PAUSE ? 2 * warp->spin_next_pause + 1 : MOST_PAUSE;
        warp->spin_pause = warp->spin_next_pause;
        return;
    }
    warp->spin_next_pause = 0;
    warp->split->state = SPLIT_SPINS;
    warp->spinning++;
    if (split_next(warp) == NO_SPLIT)
        warp->status = WARP_WAITS;
}

static void recheck(struct warp *warp, uint32_t i)
{
    enum warp_status status = warp->status;
    uint32_t back = warp->current;
    warp->splits[i].state = SPLIT_RUNS;
    warp->status = WARP_READY;
    split_enter(warp, i);
    if (!only_waits(warp, i, warp->spins[i])) {
        warp->spinning--;
        return;
    }
    warp->splits[i].state = SPLIT_SPINS;
    warp->status = status;
    split_enter(warp, back);
}

void spin_recheck(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->split_count; i++)
        if (warp->splits[i].state == SPLIT_SPINS && has_come(warp, warp->spins[i]))
            recheck(warp, i);
}
