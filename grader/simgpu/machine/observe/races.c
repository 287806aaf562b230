/* races.c - observes shared memory for accesses that nothing orders.
 *
 * Two accesses of a byte race when they come from different threads, at least one writes, and
 * nothing orders them. What orders them: a barrier both warps pass in between; for two lanes of one
 * warp a __syncwarp() both take part in (lanes may run apart since Volta, so running the same
 * instruction is not enough); a fence of the one and then a fence of the other (clocks.c). Strong
 * accesses - atomics, and volatile ones of different warps - do not race with each other: that is
 * how flags are made. A store of the value that is there already changes nothing, and is let pass.
 *
 * Each unit - a word; a half or a byte, once the block has touched so little - remembers its last
 * write, the plain one that strong ones have covered since, and the reads of two warps, the first
 * and the latest other. A trace is tagged with epoch * 32 + warp; the epoch counts barriers that
 * the whole block passed, so an older tag cannot race and costs one comparison. The tag of a unit
 * that a cp.async is still to write is above all others: any access to such a unit is missing a
 * wait.
 *
 * Most reads come in epochs without writes (a tile is filled, a barrier, all read it, a barrier).
 * Such reads are only listed; they are entered at the words if a thread does write before the epoch
 * is over. This halves the cost of the check in a tiled matmul.
 *
 * Here are the blocks and what orders them, and the ways to look at 32 words at once. Next:
 * race_word.c, which looks at one unit for one lane.
 */
#include "lanes.h"
#include "opcode.h"
#include "races.h"

#include <stdlib.h>
#include <string.h>

/* --- Life ------------------------------------------------------------------------------------- */

static uint32_t *traces_at(struct traces *traces, uint32_t *memory, size_t units)
{
    *traces = (struct traces){memory, memory + units, memory + 2 * units, memory + 3 * units};
    return memory + 4 * units;
}

static bool make_traces(struct shadow *shadow, size_t units)
{
    uint32_t *memory = calloc(UNIT_TRACES * units, sizeof(uint32_t[4]));
    if (!memory)
        return false;
    shadow->units = units;
    shadow->memory = memory;
    uint32_t *next = traces_at(&shadow->write, memory, units);
    next = traces_at(&shadow->covered, next, units);
    next = traces_at(&shadow->read, next, units);
    traces_at(&shadow->other_read, next, units);
    return true;
}

static bool races_block_make(struct block *block)
{
    struct shadow *shadow = block->race_shadow = worker_alloc(1, sizeof *shadow);
    if (!shadow)
        return false;
    shadow->unit_bytes = 4;
    shadow->kept = worker_alloc(MOST_KEPT, sizeof *shadow->kept);
    shadow->patterns =
        aligned_alloc(_Alignof(struct read_pattern), MOST_PATTERNS * sizeof *shadow->patterns);
    if (!shadow->kept || !shadow->patterns || /* rows of 32 words may end late */
        !make_traces(shadow, block->shared_bytes / 4 + 1 + WARP_LANES))
        return false;
    return clocks_init(&shadow->clocks, block->warp_count);
}

static void races_block_free(struct block *block)
{
    struct shadow *shadow = block->race_shadow;
    if (!shadow)
        return;
    clocks_free(&shadow->clocks);
    free(shadow->kept);
    free(shadow->patterns);
    free(shadow->memory);
    free(shadow);
}

static void forget_reads(struct shadow *shadow)
{
    shadow->kept_count = shadow->pattern_count = 0;
    shadow->round++;
}

static void races_block_begin(struct block *block)
{
    struct shadow *shadow = block->race_shadow;
    bool start_over = shadow->epoch >= PENDING / MOST_WARPS - 1 || shadow->pending;
    if (start_over) {
        memset(shadow->memory, 0, UNIT_TRACES * shadow->units * sizeof(uint32_t[4]));
        shadow->epoch = shadow->written_epoch = 0;
        shadow->pending = 0;
    }
    forget_reads(shadow);
    shadow->epoch++; /* the last block's accesses are older than all of this one's */
    clocks_start(&shadow->clocks);
}

/* --- What orders accesses --------------------------------------------------------------------- */

/* Threads that have ended count as arrived at a barrier of all, and at no other. */
static void races_barrier(struct block *block, uint32_t id, const lane_mask *arrived, bool of_all)
{
    struct shadow *shadow = block->race_shadow;
    lane_mask live[MOST_WARPS] = {0};
    bool whole = true;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        live[w] = warp_live(&block->warps[w]);
        whole &= (live[w] & ~arrived[w]) == 0 && (of_all || arrived[w]);
    }
    clocks_barrier(&shadow->clocks, id, arrived, live);
    shadow->epoch += whole;
    if (!whole)
        return;
    forget_reads(shadow); /* any write from now on comes after these reads */
    fault_release(block); /* what was open is decided */
}

static void races_arrive(struct warp *warp, uint32_t id)
{
    struct shadow *shadow = warp->block->race_shadow;
    clocks_arrive(&shadow->clocks, warp->index, id);
}

static void races_warp_sync(struct warp *warp, lane_mask lanes)
{
    struct shadow *shadow = warp->block->race_shadow;
    clocks_sync(&shadow->clocks, warp->index, lanes, warp_live(warp));
}

static void races_fence(struct warp *warp, const struct op *op, lane_mask lanes)
{
    struct shadow *shadow = warp->block->race_shadow;
    clocks_acquire(&shadow->clocks, warp->index, lanes);
    if (!op->in_block) {
        cluster_races_acquire(warp);
        global_races_fence(warp);
    }
    clocks_release(&shadow->clocks, warp->index, lanes);
}

static void races_release(struct warp *warp, lane_mask lanes)
{
    struct shadow *shadow = warp->block->race_shadow;
    cluster_races_release(warp);
    clocks_release(&shadow->clocks, warp->index, lanes);
}

static void races_acquire(struct warp *warp, lane_mask lanes)
{
    struct shadow *shadow = warp->block->race_shadow;
    clocks_acquire(&shadow->clocks, warp->index, lanes);
    cluster_races_acquire_phase(warp);
}

static void races_cluster_arrive(struct warp *warp, const struct op *op, lane_mask lanes)
{
    if (!op->kind)
        races_release(warp, lanes);
}

static void races_cluster_wait(struct warp *warp, lane_mask lanes)
{
    struct shadow *shadow = warp->block->race_shadow;
    clocks_acquire(&shadow->clocks, warp->index, lanes);
    cluster_races_acquire_met(warp);
}

/* --- One access ------------------------------------------------------------------------------- */

/* One lane for each address, and which lanes it stands for. */
static lane_mask distinct_lanes(const struct access *access, struct site *site)
{
    if (site->distinct.age == access->shape->age)
        return site->distinct.lanes;
    lane_mask rest = access->active, lanes = 0;
    while (rest) {
        int first = __builtin_ctz(rest);
        int64_t delta = access->shape->delta[first];
        lane_mask sharers = MASK_OF(access->shape->delta[lane] == delta) & access->active;
        lanes |= UINT32_C(1) << first;
        site->distinct.sharers[first] = sharers;
        rest &= ~sharers;
    }
    site->distinct.age = access->shape->age;
    return site->distinct.lanes = lanes;
}

/* The same of a compact shape, whose words lie within 32 from the lowest on: the lanes at each. */
static const lane_mask *lanes_by_word(const struct access *access, struct site *site)
{
    lane_mask *by_word = site->distinct.by_word;
    if (site->distinct.by_word_age == access->shape->age)
        return by_word;
    memset(by_word, 0, sizeof site->distinct.by_word);
    FOR_ACTIVE (lane, access->active)
        by_word[access->shape->pick[lane]] |= UINT32_C(1) << lane;
    site->distinct.by_word_age = access->shape->age;
    return by_word;
}

/* How many units bytes are. A unit is 1, 2 or 4 bytes: shifting is much faster than dividing. */
static inline size_t units_in(const struct shadow *shadow, uint64_t bytes)
{
    return (size_t)(bytes >> __builtin_ctz(shadow->unit_bytes));
}

/* The first unit that a lane touches. */
static inline size_t unit_of(const struct access *access, int lane)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    return units_in(shadow, access->base + (uint64_t)access->shape->delta[lane]);
}

/* The traces of the words that lanes touch become those of this access; `where` says which words.
 * All at once, as vectors of 32 words. */
static void leave_row(const struct traces *traces, size_t first, const lane_mask *lanes,
                      const uint32_t *where, uint32_t tag, uint32_t time, uint32_t what)
{
    uint32_t *tags = traces->tag + first, *times = traces->time + first;
    uint32_t *whats = traces->what + first, *masks = traces->lanes + first;
    FOR_LANES
    {
        bool here = where[lane];
        bool joins = tags[lane] == tag && times[lane] == time;
        masks[lane] = here ? lanes[lane] | (joins ? masks[lane] : 0) : masks[lane];
        tags[lane] = here ? tag : tags[lane];
        times[lane] = here ? time : times[lane];
        whats[lane] = here ? what : whats[lane];
    }
}

/* Enter a read at its words. False, with nothing done, when one of them was written in this
 * epoch. */
static __attribute__((noinline)) bool leave_read_row(struct shadow *shadow,
                                                     const struct read_row *row)
{
    uint32_t oldest = shadow->epoch * MOST_WARPS, tag = row->tag;
    const uint32_t *write_tag = shadow->write.tag + row->first;
    const uint32_t *read_tag = shadow->read.tag + row->first;
    VECTOR uint32_t own[WARP_LANES], others[WARP_LANES];
    const lane_mask *lanes = row->pattern->lanes;
    uint32_t what = row->pattern->what, written = 0, any_own = 0, any_others = 0;
    FOR_LANES
    {
        uint32_t touched = lanes[lane] ? UINT32_MAX : 0;
        uint32_t is_own = read_tag[lane] < oldest || read_tag[lane] == tag ? touched : 0;
        written |= write_tag[lane] >= oldest ? touched : 0;
        any_own |= own[lane] = is_own;
        any_others |= others[lane] = touched & ~is_own;
    }
    if (written)
        return false;
    if (any_own)
        leave_row(&shadow->read, row->first, lanes, own, tag, row->time, what);
    if (any_others)
        leave_row(&shadow->other_read, row->first, lanes, others, tag, row->time, what);
    return true;
}

/* Enter the listed reads at their words. */
static __attribute__((noinline)) void settle_reads(struct shadow *shadow)
{
    for (uint32_t i = 0; i < shadow->kept_count; i++)
        leave_read_row(shadow, &shadow->kept[i]);
    forget_reads(shadow);
}

/* The pattern of the read: mostly the one that its site has kept since the last barrier. */
static const struct read_pattern *pattern_of(struct shadow *shadow, const struct access *access,
                                             struct site *site)
{
    if (site->kept.by == shadow && site->kept.round == shadow->round &&
        site->kept.age == access->shape->age)
        return site->kept.pattern;
    if (shadow->pattern_count == MOST_PATTERNS)
        settle_reads(shadow);
    struct read_pattern *pattern = &shadow->patterns[shadow->pattern_count++];
    memcpy(pattern->lanes, lanes_by_word(access, site), sizeof pattern->lanes);
    pattern->what = race_what(access);
    site->kept.by = shadow;
    site->kept.pattern = pattern;
    site->kept.round = shadow->round;
    site->kept.age = access->shape->age;
    return pattern;
}

/* A read of words within 32, none of which was written since the last barrier. */
static bool read_row_quietly(const struct access *access, struct site *site)
{
    struct shadow *shadow = access->warp->block->race_shadow;
    uint32_t warp = access->warp->index;
    bool nobody_wrote = shadow->written_epoch != shadow->epoch && shadow->pending == 0;
    if (shadow->kept_count == MOST_KEPT)
        settle_reads(shadow);
    const struct read_pattern *pattern = pattern_of(shadow, access, site);
    struct read_row *row = &shadow->kept[shadow->kept_count];
    row->pattern = pattern;
    row->first = (uint32_t)((int64_t)access->base + access->shape->lowest) / 4;
    row->tag = shadow->epoch * MOST_WARPS + warp;
    row->time = clocks_now(&shadow->clocks, warp);
    shadow->kept_count += nobody_wrote;
    return nobody_wrote || leave_read_row(shadow, row);
}

/* Reads of words that were not written since the last barrier, as almost all are: no closer look is
 * needed. False when a unit was written, and each lane must be looked at. */
static bool read_quietly(const struct access *access, struct site *site)
{
    struct shadow *shadow = access->warp->block->race_shadow;
    const struct shape *shape = access->shape;
    uint32_t unit_bytes = shadow->unit_bytes;
    size_t units = units_in(shadow, access->bytes);
    uint32_t oldest = shadow->epoch * MOST_WARPS, fresh = 0;
    if (access->bytes == 4 && unit_bytes == 4 && shape->compact)
        return read_row_quietly(access, site);
    settle_reads(shadow);
    lane_mask lanes = distinct_lanes(access, site);
    FOR_ACTIVE (lane, lanes)
        for (size_t i = 0, first = unit_of(access, lane); i < units; i++)
            fresh |= shadow->write.tag[first + i] >= oldest;
    if (fresh)
        return false;
    uint32_t what = race_what(access);
    FOR_ACTIVE (lane, lanes)
        for (size_t i = 0, first = unit_of(access, lane); i < units; i++)
            race_leave_read(access, first + i, site->distinct.sharers[lane], what);
    return true;
}

/* A store of one word a lane, within 32 words that no thread has touched since the last barrier. */
static bool store_quietly(const struct access *access, struct site *site)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    const struct shape *shape = access->shape;
    if (access->op->run != store || access->bytes != 4 || shadow->unit_bytes != 4 ||
        !shape->compact)
        return false;
    const lane_mask *lanes = lanes_by_word(access, site);
    size_t first = (size_t)((int64_t)access->base + shape->lowest) / 4;
    uint32_t warp = access->warp->index, oldest = shadow->epoch * MOST_WARPS, met = 0;
    const uint32_t *write_tag = shadow->write.tag + first, *read_tag = shadow->read.tag + first;
    FOR_LANES
    {
        uint32_t written = write_tag[lane] >= oldest ? lanes[lane] : 0;
        uint32_t read = read_tag[lane] >= oldest ? lanes[lane] : 0;
        met |= written | read | (lanes[lane] & (lanes[lane] - 1));
    }
    if (met)
        return false;
    leave_row(&shadow->write, first, lanes, lanes, oldest + warp, clocks_now(&shadow->clocks, warp),
              race_what(access));
    return true;
}

static void before_write(struct shadow *shadow)
{
    settle_reads(shadow);
    shadow->written_epoch = shadow->epoch;
}

/* Each lane, and each of its units, by itself. */
static __attribute__((noinline)) void visit_lanes(const struct access *access)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    const size_t units = units_in(shadow, access->bytes);
    FOR_ACTIVE (lane, access->active)
        for (size_t i = 0, first = unit_of(access, lane); i < units; i++)
            if (!race_visit(access, lane, first + i))
                return;
}

static void refine_one(const struct traces *to, const struct traces *from, size_t unit, size_t old)
{
    to->tag[unit] = from->tag[old];
    to->time[unit] = from->time[old];
    to->what[unit] = from->what[old];
    to->lanes[unit] = from->lanes[old];
}

/* Less than a unit is accessed: from now on, each smaller unit remembers what the larger did. */
static __attribute__((noinline)) bool refine(struct shadow *shadow, uint32_t unit_bytes)
{
    struct shadow old = *shadow;
    size_t parts = shadow->unit_bytes / unit_bytes;
    settle_reads(shadow);
    if (!make_traces(shadow, old.units * parts))
        return false;
    for (size_t unit = 0; unit < shadow->units; unit++) {
        refine_one(&shadow->write, &old.write, unit, unit / parts);
        refine_one(&shadow->covered, &old.covered, unit, unit / parts);
        refine_one(&shadow->read, &old.read, unit, unit / parts);
        refine_one(&shadow->other_read, &old.other_read, unit, unit / parts);
    }
    shadow->pending *= parts;
    shadow->unit_bytes = unit_bytes;
    free(old.memory);
    return true;
}

static void races_access(const struct access *access, struct site *site)
{
    if (access->op->orders)
        races_fence(access->warp, access->op, access->active);
    if (access->space != SPACE_SHARED)
        return;
    struct shadow *shadow = access->warp->block->race_shadow;
    if (access->bytes < shadow->unit_bytes && !refine(shadow, access->bytes)) {
        fault_raise_launch(block_launch(access->warp), SIM_FAULT_HOST_MEMORY,
                           "there is no room to watch bytes of its shared memory");
        return;
    }
    if (access->kind != ACCESS_LOAD)
        before_write(shadow);
    if (access->kind == ACCESS_LOAD && op_is_bulk(access->op))
        settle_reads(shadow);
    bool quiet =
        !op_is_bulk(access->op) &&
        (access->kind == ACCESS_LOAD ? read_quietly(access, site)
                                     : access->kind == ACCESS_STORE && store_quietly(access, site));
    if (!quiet)
        visit_lanes(access);
}

/* --- Copies that arrive ----------------------------------------------------------------------- */

static void races_issued(struct warp *warp, struct copy *arrival)
{
    struct shadow *shadow = warp->block->race_shadow;
    clocks_read(&shadow->clocks, warp->index, &arrival->issued);
}

static void races_arrived(struct warp *warp, const struct copy *arrival)
{
    struct shadow *shadow = warp->block->race_shadow;
    clocks_put_down(&shadow->clocks, warp->index, arrival->active, &arrival->issued);
}

/* A copy comes before the arrival that stands for it, and before nothing that its thread does
 * later. */
static void races_copied(struct warp *warp, const struct copy *copy, const struct copy *arrival)
{
    struct shadow *shadow = warp->block->race_shadow;
    struct traces *write = &shadow->write;
    before_write(shadow);
    FOR_ACTIVE (lane, copy->active)
        for (size_t unit = copy->shared[lane] / shadow->unit_bytes;
             unit < (copy->shared[lane] + copy->bytes) / shadow->unit_bytes; unit++) {
            if (write->tag[unit] != (PENDING | warp->index))
                continue;
            write->tag[unit] = shadow->epoch * MOST_WARPS + warp->index;
            write->time[unit] =
                arrival ? arrival->issued.now - 1 : clocks_now(&shadow->clocks, warp->index);
            shadow->pending--;
        }
}

/* --- Bulk copies ------------------------------------------------------------------------------ */

/* The copy's trace in a unit is no longer that of a copy under way. False if another trace is
 * there. */
static bool settle_copied(struct shadow *shadow, const struct traces *traces, size_t unit,
                          const struct bulk_copy *copy, uint32_t time)
{
    uint32_t warp = copy->warp->index;
    if (traces->tag[unit] != (PENDING | warp) || traces->what[unit] >> OP_SHIFT != copy->op->id)
        return false;
    traces->tag[unit] = shadow->epoch * MOST_WARPS + warp;
    traces->time[unit] = time;
    shadow->pending--;
    return true;
}

/* The copy is done now, not when it was asked for: a barrier in between has shown its bytes to no
 * thread. Threads that wait at the mbarrier, or meet a thread that has, see them. */
static void races_bulk_done(const struct bulk_copy *copy)
{
    struct shadow *shadow = copy->warp->block->race_shadow;
    uint32_t unit_bytes = shadow->unit_bytes, warp = copy->warp->index;
    uint32_t time = clocks_now(&shadow->clocks, warp);
    before_write(shadow);
    bool comes = copy->op->run != bulk_store && copy->home == copy->warp->block;
    for (uint32_t at = 0; comes && at < copy->bytes; at += unit_bytes)
        settle_copied(shadow, &shadow->write, (copy->to + at) / unit_bytes, copy, time);
    for (uint32_t at = 0; copy->op->run != bulk_load && at < copy->bytes; at += unit_bytes) {
        size_t unit = (copy->from + at) / unit_bytes;
        if (!settle_copied(shadow, &shadow->read, unit, copy, time))
            settle_copied(shadow, &shadow->other_read, unit, copy, time);
    }
    if (copy->mbarrier != NO_MBARRIER) {
        cluster_races_release(copy->warp);
        clocks_release(&shadow->clocks, warp, UINT32_C(1) << copy->lane);
    }
}

static void races_bulk_left(const struct bulk_copy *copy)
{
    bool loads = copy->mbarrier != NO_MBARRIER;
    fault_report(copy->warp, copy->op, SIM_FAULT_MISSING_WAIT, copy->lane,
                 "copies %u bytes %s shared memory in bulk, and no thread waits for that before "
                 "the block ends (%s)",
                 copy->bytes, loads ? "into" : "out of",
                 loads ? "mbarrier.try_wait" : "cp.async.bulk.wait_group.read");
}

static bool races_wants(const struct launch *launch)
{
    return launch->config.checks & SIM_CHECK_RACES;
}

const struct observer observer_races = {
    .name = "races",
    .spaces = 1 << SPACE_SHARED,
    .spaces_of_orders = ALL_SPACES,
    .looks_at = LOOKS_AT_ORDER,
    .wants = races_wants,
    .block_make = races_block_make,
    .block_begin = races_block_begin,
    .block_free = races_block_free,
    .access = races_access,
    .barrier = races_barrier,
    .arrive = races_arrive,
    .warp_sync = races_warp_sync,
    .fence = races_fence,
    .release = races_release,
    .acquire = races_acquire,
    .issued = races_issued,
    .arrived = races_arrived,
    .copied = races_copied,
    .bulk_done = races_bulk_done,
    .bulk_left = races_bulk_left,
    .cluster_arrive = races_cluster_arrive,
    .cluster_wait = races_cluster_wait,
};
