/* trace.c - an observer that writes down what the warps of a few blocks do, for the timing model.
 *
 * traces.c says which blocks. The traces of long warps are cut off; what the warps go on to do is
 * taken to be like what they did (estimate.c).
 */
#include "cluster.h"
#include "fetched.h"
#include "lanes.h"
#include "module_model.h"
#include "observers.h"
#include "sample.h"
#include "timing.h"

#include <stdlib.h>
#include <string.h>

/* --- Writing ---------------------------------------------------------------------------------- */

static void put(struct warp_trace *trace, uint32_t word)
{
    if (trace->count == trace->room) {
        uint32_t room = trace->room ? 2 * trace->room : 256;
        uint32_t *grown = realloc(trace->words, room * sizeof *grown);
        if (!grown) { /* a shorter trace is a trace, too */
            trace->cut = true;
            return;
        }
        trace->words = grown;
        trace->room = room;
    }
    trace->words[trace->count++] = word;
}

/* The trace of the block of that number; NULL when it is not traced. */
static struct block_trace *trace_of(const struct traces *traces, uint64_t number)
{
    if (!traces)
        return NULL;
    for (uint32_t i = 0; traces->numbers && i < traces->count; i++)
        if (traces->numbers[i] == number)
            return &traces->blocks[i];
    uint64_t turn = number / traces->stride;
    bool has_turn = number % traces->stride == traces->first && turn < traces->count;
    return !traces->numbers && has_turn ? &traces->blocks[turn] : NULL;
}

/* What is traced of a block; NULL when it is not. */
static struct block_trace *block_trace_of(const struct block *block)
{
    return block->own[OBSERVER_trace];
}

/* Of a warp; NULL when it is not, or no longer. */
static struct warp_trace *warp_trace_of(const struct warp *warp)
{
    bool is_followed = warp->followed >> OBSERVER_trace & 1;
    return is_followed ? &block_trace_of(warp->block)->warps[warp->index] : NULL;
}

static void trace_block_begin(struct block *block)
{
    struct block_trace *trace = trace_of(block->launch->traces, block->number);
    block->own[OBSERVER_trace] = trace;
    if (trace)
        trace->started = true;
}

static uint32_t trace_follows(const struct block *block)
{
    return block_trace_of(block) ? UINT32_MAX : 0;
}

static void trace_block_end(struct block *block)
{
    struct traces *traces = block->launch->traces;
    uint64_t steps = 0, longest = 0;
    if (!traces)
        return;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        uint64_t own = sample_warp_steps(&block->warps[i]);
        steps += own;
        longest = own > longest ? own : longest;
    }
    struct tally *tally = &traces->tallies[block->worker->index];
    tally->dealt_steps[block->number % traces->stride] += steps;
    if (longest > tally->longest_steps) {
        tally->longest_steps = longest;
        tally->longest_block = block->number;
    }
    struct block_trace *trace = block_trace_of(block);
    for (uint32_t i = 0; trace && i < block->warp_count; i++)
        trace->warps[i].all_steps = sample_warp_steps(&block->warps[i]);
}

/* Note which lanes run the next word. */
static void note_lanes(struct warp_trace *trace, lane_mask lanes)
{
    if (trace->change_count && trace->changes[trace->change_count - 1].lanes == lanes)
        return;
    if (trace->change_count == trace->change_room) {
        uint32_t room = trace->change_room ? 2 * trace->change_room : 8;
        struct lane_change *grown = realloc(trace->changes, room * sizeof *grown);
        if (!grown) {
            trace->cut = true;
            return;
        }
        trace->changes = grown;
        trace->change_room = room;
    }
    trace->changes[trace->change_count++] = (struct lane_change){trace->count, lanes};
}

/* The other warps of its block are followed to where all meet next. If each were followed as long
 * as it may be, the last turns would be those of the warps that do least between two barriers,
 * without the others. */
static void cut_off(struct warp *warp, struct warp_trace *trace)
{
    struct block_trace *block = block_trace_of(warp->block);
    trace->cut = true;
    observer_leaves(warp, OBSERVER_trace);
    if (block->barriers_together == NO_BARRIER)
        block->barriers_together = block->barrier_count;
}

static void trace_entered(struct warp *warp, const struct basic_block *block)
{
    struct warp_trace *trace = warp_trace_of(warp);
    if (trace->cut || trace->steps + block->count > trace->most_steps) {
        cut_off(warp, trace);
        return;
    }
    trace->steps += block->count;
    note_lanes(trace, warp->split->mask);
    put(trace, TRACE_ENTER << TRACE_TAG_SHIFT | block->id);
}

/* The block waits and will run again. */
static void trace_left(struct warp *warp, const struct basic_block *block)
{
    struct warp_trace *trace = warp_trace_of(warp);
    trace->steps -= block->count;
    trace->count--;
    if (trace->change_count && trace->changes[trace->change_count - 1].at == trace->count)
        trace->change_count--;
}

/* The number of a barrier that so many warps come to; NO_BARRIER without memory. */
static uint32_t new_barrier(struct block_trace *trace, uint32_t warps)
{
    if (trace->barrier_count == trace->barrier_room) {
        uint32_t room = trace->barrier_room ? 2 * trace->barrier_room : 64;
        uint32_t *grown = realloc(trace->barrier_warps, room * sizeof *grown);
        if (!grown)
            return NO_BARRIER;
        trace->barrier_warps = grown;
        trace->barrier_room = room;
    }
    trace->barrier_warps[trace->barrier_count] = warps;
    return trace->barrier_count++;
}

static void trace_barrier(struct block *block, uint32_t barrier, const lane_mask *arrived,
                          bool of_all)
{
    struct block_trace *trace = block_trace_of(block);
    uint32_t warps = 0;
    (void)of_all;
    for (uint32_t i = 0; trace && i < block->warp_count; i++)
        warps += arrived[i] != 0;
    if (trace)
        trace->latest[barrier] = new_barrier(trace, warps);
}

static void trace_passed(struct warp *warp, uint32_t barrier)
{
    const struct block_trace *block = block_trace_of(warp->block);
    uint32_t number = block->latest[barrier];
    bool all_meet = number != NO_BARRIER && block->barrier_warps[number] == block->warp_count;
    if (all_meet && block->barriers_together != NO_BARRIER && number >= block->barriers_together)
        cut_off(warp, warp_trace_of(warp));
    else
        put(warp_trace_of(warp), TRACE_BARRIER << TRACE_TAG_SHIFT | number);
}

/* In the replay, the block's own warps wait for each other, and for the latency to other
 * multiprocessors: the warps of its peers are taken to arrive when they do. */
static void trace_cluster_met(struct block *block)
{
    struct block_trace *trace = block_trace_of(block);
    uint32_t warps = 0;
    for (uint32_t i = 0; trace && i < block->warp_count; i++)
        warps += block->warps[i].cluster_arrived != 0;
    if (trace)
        trace->latest_of_cluster = new_barrier(trace, warps);
}

static void trace_cluster_wait(struct warp *warp, lane_mask lanes)
{
    struct warp_trace *trace = warp_trace_of(warp);
    (void)lanes;
    if (trace)
        put(trace,
            TRACE_BARRIER << TRACE_TAG_SHIFT | block_trace_of(warp->block)->latest_of_cluster);
}

/* --- Mbarriers -------------------------------------------------------------------------------- */

/* The mbarrier at that offset, made when it is first met; NULL when there are too many. */
static struct traced_mbarrier *find_mbarrier(struct block_trace *trace, uint64_t offset)
{
    struct traced_mbarrier *found = trace->mbarriers;
    while (found < trace->mbarriers + trace->mbarrier_count && found->offset != offset)
        found++;
    if (found == trace->mbarriers + MOST_MBARRIERS)
        return NULL;
    if (found == trace->mbarriers + trace->mbarrier_count) {
        *found = (struct traced_mbarrier){offset, NO_BARRIER, NO_BARRIER};
        trace->mbarrier_count++;
    }
    return found;
}

static void put_phase(struct warp_trace *trace, const struct op *op, enum trace_how how,
                      uint32_t barrier)
{
    put(trace, TRACE_ACCESS << TRACE_TAG_SHIFT | op->id);
    put(trace, trace_pack(how, 0, 1));
    put(trace, barrier);
}

static void trace_phase_arrival(struct warp *warp, const struct op *op, uint64_t offset)
{
    struct warp_trace *own = warp_trace_of(warp);
    struct block_trace *trace = block_trace_of(warp->block);
    bool is_own = offset < CLUSTER_STRIDE; /* the replay knows nothing of peers' mbarriers */
    struct traced_mbarrier *mbarrier = own && is_own ? find_mbarrier(trace, offset) : NULL;
    if (mbarrier && mbarrier->phase == NO_BARRIER)
        mbarrier->phase = new_barrier(trace, 0);
    if (!mbarrier || mbarrier->phase == NO_BARRIER)
        return;
    trace->barrier_warps[mbarrier->phase]++;
    put_phase(own, op, TRACE_ARRIVAL, mbarrier->phase);
}

static void trace_phase_over(struct block *block, uint64_t offset)
{
    struct block_trace *trace = block_trace_of(block);
    struct traced_mbarrier *mbarrier = trace ? find_mbarrier(trace, offset) : NULL;
    if (!mbarrier)
        return;
    mbarrier->over = mbarrier->phase;
    mbarrier->phase = NO_BARRIER;
}

static void trace_phase_passed(struct warp *warp, const struct op *op, uint64_t offset)
{
    struct warp_trace *own = warp_trace_of(warp);
    struct traced_mbarrier *mbarrier =
        own ? find_mbarrier(block_trace_of(warp->block), offset) : NULL;
    if (mbarrier && mbarrier->over != NO_BARRIER)
        put_phase(own, op, TRACE_PHASE, mbarrier->over);
}

static void trace_slept(struct warp *warp, const struct op *op, uint32_t ns)
{
    struct warp_trace *own = warp_trace_of(warp);
    if (own)
        put_phase(own, op, TRACE_SLEEP, ns);
}

/* --- Accesses --------------------------------------------------------------------------------- */

/* The lines an access touches, each with its sectors: line number << 4 | a bit a sector. */
struct lines {
    uint32_t line[4 * WARP_LANES];
    uint32_t count;
};

static void add_sector(struct lines *lines, uint64_t sector)
{
    uint32_t line = (uint32_t)(sector / LINE_SECTORS) & TRACE_VALUE;
    uint32_t bit = UINT32_C(1) << sector % LINE_SECTORS;
    for (uint32_t i = lines->count; i-- > 0;)
        if (lines->line[i] >> LINE_SECTORS == line) {
            lines->line[i] |= bit;
            return;
        }
    if (lines->count < 4 * WARP_LANES)
        lines->line[lines->count++] = line << LINE_SECTORS | bit;
}

/* The place of an access to global memory. */
static uint64_t place_of(const struct access *access)
{
    return memory_place(block_launch(access->warp)->context->machine->memory, access->base);
}

static void global_lines(const struct access *access, struct lines *lines)
{
    uint64_t base = place_of(access);
    if (access->shape->contiguous || access->shape->uniform) {
        uint64_t last = base + (uint64_t)access->shape->highest + access->bytes - 1;
        for (uint64_t at = base / SECTOR_BYTES; at <= last / SECTOR_BYTES; at++)
            add_sector(lines, at);
        return;
    }
    FOR_ACTIVE (lane, access->active)
        add_sector(lines, (base + (uint64_t)access->shape->delta[lane]) / SECTOR_BYTES);
}

/* Word w of local memory is a line: one word of each lane. The frames of warps come one after the
 * other; later blocks use the frames of blocks that are done. */
static void local_lines(const struct access *access, struct lines *lines)
{
    enum { FRAMES_AT = 1 << 26 };
    const struct warp *warp = access->warp;
    const struct traces *traces = block_launch(warp)->traces;
    uint64_t block = (uint64_t)(block_trace_of(warp->block) - traces->blocks) % traces->resident;
    uint64_t slot = block * block_launch(warp)->warp_count + warp->index;
    uint64_t frame = FRAMES_AT + slot * (warp->local_bytes / 4 + 1);
    FOR_ACTIVE (lane, access->active)
        for (uint32_t word = 0; word < (access->bytes + 3) / 4; word++) {
            uint64_t at = (access->base + (uint64_t)access->shape->delta[lane]) / 4 + word;
            add_sector(lines, (frame + at) * LINE_SECTORS + (uint64_t)lane / 8);
        }
}

static uint32_t distinct_addresses(const struct access *access)
{
    uint32_t count = 0;
    lane_mask left = access->active;
    while (left) {
        int64_t delta = access->shape->delta[__builtin_ctz(left)];
        left &= ~MASK_OF(access->shape->delta[lane] == delta);
        count++;
    }
    return count;
}

/* How many lanes are at the busiest address: the L2 takes them one after the other. */
static uint32_t busiest_address(const struct access *access)
{
    uint32_t busiest = 0;
    lane_mask left = access->active;
    while (left) {
        int64_t delta = access->shape->delta[__builtin_ctz(left)];
        lane_mask same = MASK_OF(access->shape->delta[lane] == delta) & left;
        uint32_t lanes = (uint32_t)__builtin_popcount(same);
        busiest = lanes > busiest ? lanes : busiest;
        left &= ~same;
    }
    return busiest;
}

/* Is a sector left with bytes that no lane writes? (Bytes that are written twice count twice: this
 * is a guess.) */
static bool in_part(const struct access *access, const struct lines *lines)
{
    uint32_t sectors = 0, lanes = (uint32_t)__builtin_popcount(access->active);
    for (uint32_t i = 0; i < lines->count; i++)
        sectors += (uint32_t)__builtin_popcount(lines->line[i] & ((1 << LINE_SECTORS) - 1));
    return lanes * access->bytes < sectors * SECTOR_BYTES;
}

/* Note the low bits of the addresses at which the op was seen to load from shared memory. The
 * worker keeps them until the launch has ended: a module does not change while a kernel runs. */
static void note_loading(const struct access *access, uint8_t bits)
{
    const struct launch *launch = block_launch(access->warp);
    struct tally *tally = &launch->traces->tallies[access->warp->worker->index];
    if (!tally->seen)
        tally->seen = calloc(launch->function->module->op_count + 1, sizeof *tally->seen);
    if (tally->seen)
        tally->seen[access->op->id] |= SEEN_LOADING | bits;
}

/* For a word load that could be merged with its neighbours (fuse.c), note the passes of a load of
 * two and of four words. */
static void widen(const struct access *access, struct lines *lines)
{
    uint8_t bits = 0;
    FOR_ACTIVE (lane, access->active)
        bits |= (uint8_t)(access->base + (uint64_t)access->shape->delta[lane]) & SEEN_ADDRESS_BITS;
    note_loading(access, bits);
    for (uint32_t bytes = 8; bytes <= 16 && bits % bytes == 0; bytes *= 2) {
        struct access wide = *access;
        wide.bytes = (uint8_t)bytes;
        lines->line[lines->count++] = banks_wavefronts(&wide);
    }
}

/* How often L1 looks for a line: an access of 8 or 16 bytes a lane comes to it in two or four
 * parts, of 16 and 8 lanes. On an H200 a row of 64 floats for each of 16 lanes, by float4, takes 40
 * cycles a pair of loads, with its own line in each part (mm_own_transpose_1024x64). */
static uint32_t lookups_of(const struct access *access, const struct lines *lines)
{
    int part = access->bytes >= 16 ? 8 : access->bytes == 8 ? 16 : WARP_LANES;
    if (access->shape->contiguous || access->shape->uniform || part == WARP_LANES)
        return lines->count;
    uint32_t lookups = 0;
    for (int first = 0; first < WARP_LANES; first += part) {
        struct lines own = {.count = 0};
        FOR_ACTIVE (lane, access->active & ((lane_mask)((UINT64_C(1) << part) - 1) << first))
            add_sector(&own, (access->base + (uint64_t)access->shape->delta[lane]) / SECTOR_BYTES);
        lookups += own.count;
    }
    return lookups > lines->count ? lookups : lines->count;
}

/* What L1 hands on to the lanes, in words of a sector's size: lanes at one address share it. */
static uint32_t words_of_sectors(const struct access *access)
{
    uint32_t lanes = access->shape->uniform ? 1 : (uint32_t)__builtin_popcount(access->active);
    return (lanes * access->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

/* Whole sectors that lanes touch travel between multiprocessors. */
static uint32_t cluster_sectors(const struct access *access)
{
    struct lines lines;
    uint32_t sectors = 0;
    lines.count = 0;
    global_lines(access, &lines);
    for (uint32_t i = 0; i < lines.count; i++)
        sectors += (uint32_t)__builtin_popcount(lines.line[i] & ((1 << LINE_SECTORS) - 1));
    return sectors;
}

static void trace_access(const struct access *access, struct site *site)
{
    struct warp_trace *trace = warp_trace_of(access->warp);
    if (access->space == SPACE_PARAM || access->op->is_mbarrier)
        return;
    struct lines lines;
    lines.count = 0; /* the rest of it is written before it is read */
    bool writes = access->kind != ACCESS_LOAD;
    uint32_t passes = 0, again = 0;
    enum trace_how how = writes ? TRACE_WRITE : TRACE_READ;
    if (access->space == SPACE_SHARED) {
        how = TRACE_SHARED;
        passes = access->op->for_all ? 1 : site->wavefronts.count;
        if (!writes && access->bytes == 4)
            widen(access, &lines);
    } else if (access->space == SPACE_CLUSTER) {
        how = TRACE_CLUSTER;
        passes = cluster_sectors(access);
    } else if (access->space == SPACE_CONST) {
        how = TRACE_CONSTANT;
        passes = distinct_addresses(access);
    } else if (access->space == SPACE_LOCAL) {
        how = writes ? TRACE_LOCAL_WRITE : TRACE_LOCAL_READ;
        local_lines(access, &lines);
    } else {
        global_lines(access, &lines);
        again = trace_pack_again(lookups_of(access, &lines), lines.count);
        if (!writes)
            passes = words_of_sectors(access);
        if (access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION) {
            how = access->kind == ACCESS_ATOMIC ? TRACE_ATOMIC : TRACE_REDUCE;
            passes = access->op->for_all ? 1 : busiest_address(access);
        } else if (access->allocation && is_over_bus(access->allocation)) {
            how = writes ? TRACE_HOST_WRITE : TRACE_HOST_READ;
        } else if (writes && in_part(access, &lines)) {
            how = access->bytes == 16 ? TRACE_WRITE_QUADS_IN_PART : TRACE_WRITE_IN_PART;
        }
    }
    put(trace, TRACE_ACCESS << TRACE_TAG_SHIFT | access->op->id);
    put(trace, trace_pack(how, passes, lines.count) | again);
    for (uint32_t i = 0; i < lines.count; i++)
        put(trace, lines.line[i]);
}

/* --- The observer ----------------------------------------------------------------------------- */

static bool trace_wants(const struct launch *launch)
{
    return launch->config.count;
}

/* A launch runs untraced when memory is exhausted. */
static bool trace_launch_begin(struct launch *launch)
{
    if (!launch->sample || !launch->config.sampling.untimed)
        launch->traces = traces_new(launch);
    return !launch->traces || !launch->sample || traces_ask_for(launch->traces, &launch->asked);
}

static void trace_launch_end(struct launch *launch)
{
    traces_tell_seen(launch);
}

static void trace_launch_free(struct launch *launch)
{
    fetched_free(launch);
    traces_free(launch->traces);
    free(launch->asked.numbers);
}

const struct observer observer_trace = {
    .name = "trace",
    .looks_at = LOOKS_AT_TRAFFIC,
    .wants = trace_wants,
    .launch_begin = trace_launch_begin,
    .launch_end = trace_launch_end,
    .launch_free = trace_launch_free,
    .result = model_time,
    .block_begin = trace_block_begin,
    .block_end = trace_block_end,
    .follows = trace_follows,
    .entered = trace_entered,
    .left = trace_left,
    .access = trace_access,
    .barrier = trace_barrier,
    .passed = trace_passed,
    .cluster_met = trace_cluster_met,
    .cluster_wait = trace_cluster_wait,
    .phase_arrival = trace_phase_arrival,
    .phase_over = trace_phase_over,
    .phase_passed = trace_phase_passed,
    .slept = trace_slept,
};
