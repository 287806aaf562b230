/* trace.c - what the warps of a few blocks do, written down for the timing model.
 *
 * The blocks are those that one multiprocessor would get first: the device deals blocks out like
 * cards, so it gets every stride-th. Which one depends on the seed. Where a kernel that does less
 * in its first blocks is to be caught, they are drawn from all turns of that multiprocessor. Long
 * warps are cut off; what they would have gone on to do is taken to be like what they did
 * (estimate.c).
 */
#include "cluster.h"
#include "lanes.h"
#include "observers.h"
#include "opcode.h"
#include "sample.h"
#include "timing.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of this many turns of a full multiprocessor, and warp instructions of all of them. */
enum { TURNS = 3, MOST_STEPS = 320 * 1024, LEAST_STEPS_A_WARP = 256 };

/* --- Life ------------------------------------------------------------------------------------- */

static uint64_t blocks_of_one(const struct launch *launch)
{
    uint64_t multiprocessors = launch->context->machine->profile.multiprocessors;
    return (launch->block_count + multiprocessors - 1) / multiprocessors;
}

static bool block_trace_init(struct block_trace *block, uint32_t warps, uint64_t most_steps)
{
    block->warp_count = warps;
    block->warps = calloc(warps, sizeof *block->warps);
    for (uint32_t i = 0; block->warps && i < warps; i++)
        block->warps[i].most_steps = most_steps;
    return block->warps != NULL;
}

/* A row of totals for each worker, and one for the sum. Rows begin a cache line of their own, so
 * that no worker's counting takes another's away. */
static bool make_tallies(struct traces *traces, uint32_t workers)
{
    enum { LINE_COUNTERS = 64 / sizeof(uint64_t) };
    size_t row = (traces->stride + LINE_COUNTERS - 1) / LINE_COUNTERS * LINE_COUNTERS;
    size_t bytes = row * (workers + 1) * sizeof(uint64_t);
    traces->tallies = calloc(workers, sizeof *traces->tallies);
    traces->tally_count = workers;
    traces->dealt_steps = aligned_alloc(64, bytes);
    if (!traces->tallies || !traces->dealt_steps)
        return false;
    memset(traces->dealt_steps, 0, bytes);
    for (uint32_t i = 0; i < workers; i++)
        traces->tallies[i] = (struct tally){.dealt_steps = traces->dealt_steps + (i + 1) * row};
    return true;
}

/* May the launch's blocks draw all its work from a counter (drawn.h)? Then the first block is the
 * one to look at. What the kernel's text says does not matter: it may have what it never does. */
static bool may_draw(const struct launch *launch, uint64_t resident)
{
    uint64_t multiprocessors = launch->context->machine->profile.multiprocessors;
    return !launch->sample && launch->block_count <= resident * multiprocessors;
}

/* One of those that get most blocks. */
static uint64_t draw_multiprocessor(const struct launch *launch, uint64_t multiprocessors)
{
    const struct sim_launch_config *config = &launch->config;
    uint64_t seed = config->seed + 3 * config->approximation_seed + 7 * config->sampling.seed;
    uint64_t last_turn = launch->block_count % multiprocessors;
    seed *= UINT64_C(0x9E3779B97F4A7C15);
    return (seed >> 32) % (last_turn ? last_turn : multiprocessors);
}

/* Turns of all that the multiprocessor has, one of each part of them, in any order: however few of
 * these blocks run, they come from the whole grid. False without memory. */
static bool draw_turns(struct traces *traces, const struct launch *launch)
{
    uint64_t turns = blocks_of_one(launch), count = traces->count;
    uint64_t random = launch->config.sampling.seed ^ UINT64_C(0x7475726E73);
    traces->turns = malloc((count + 1) * sizeof *traces->turns);
    for (uint64_t i = 0; traces->turns && i < count; i++) {
        uint64_t from = i * turns / count, to = (i + 1) * turns / count;
        uint64_t turn = from + sample_random(&random) % (to - from);
        uint64_t at = sample_random(&random) % (i + 1);
        traces->turns[i] = traces->turns[at];
        traces->turns[at] = turn;
    }
    return traces->turns;
}

struct traces *traces_new(const struct launch *launch)
{
    struct traces *traces = calloc(1, sizeof *traces);
    unsigned resident = sim_occupancy(launch->context, launch->function, launch->block_threads,
                                      launch->config.dynamic_shared_bytes, NULL);
    uint64_t blocks = blocks_of_one(launch);
    if (!traces || resident == 0) {
        free(traces);
        return NULL;
    }
    traces->stride = launch->context->machine->profile.multiprocessors;
    traces->first =
        may_draw(launch, resident) ? 0 : draw_multiprocessor(launch, traces->stride);
    traces->resident = resident;
    traces->atomics_left = 1;
    traces->count = (uint32_t)(blocks < TURNS * resident ? blocks : TURNS * resident);
    traces->blocks = calloc(traces->count, sizeof *traces->blocks);
    uint32_t first = traces->count < resident ? traces->count : resident;
    for (uint32_t i = 0; traces->blocks && i < traces->count; i++) {
        uint32_t sharing = (i < first ? first : TURNS * resident) * launch->warp_count;
        uint64_t most = MOST_STEPS / sharing;
        if (!block_trace_init(&traces->blocks[i], launch->warp_count,
                              most < LEAST_STEPS_A_WARP ? LEAST_STEPS_A_WARP : most)) {
            traces_free(traces);
            return NULL;
        }
    }
    bool anywhere = launch->sample && launch->config.sampling.anywhere;
    if (!traces->blocks || !make_tallies(traces, launch->worker_count) ||
        (anywhere && !draw_turns(traces, launch))) {
        traces_free(traces);
        return NULL;
    }
    return traces;
}

void traces_free(struct traces *traces)
{
    for (uint32_t i = 0; traces && traces->blocks && i < traces->count; i++) {
        struct block_trace *block = &traces->blocks[i];
        for (uint32_t j = 0; block->warps && j < block->warp_count; j++) {
            free(block->warps[j].words);
            free(block->warps[j].changes);
        }
        free(block->warps);
        free(block->barrier_warps);
    }
    if (traces) {
        free(traces->blocks);
        free(traces->turns);
        free(traces->tallies);
        free(traces->dealt_steps);
    }
    free(traces);
}

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
    if (!traces || number % traces->stride != traces->first)
        return NULL;
    uint64_t turn = number / traces->stride;
    if (!traces->turns)
        return turn < traces->count ? &traces->blocks[turn] : NULL;
    for (uint32_t i = 0; i < traces->count; i++)
        if (traces->turns[i] == turn)
            return &traces->blocks[i];
    return NULL;
}

void trace_block_start(struct block *block)
{
    block->trace = trace_of(block->launch->traces, block->number);
    for (uint32_t i = 0; i < block->warp_count; i++)
        block->warps[i].trace = block->trace ? &block->trace->warps[i] : NULL;
    if (block->trace)
        block->trace->started = true;
}

void trace_block_end(struct block *block)
{
    struct traces *traces = block->launch->traces;
    uint64_t steps = 0, longest = 0;
    if (!traces)
        return;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        steps += block->warps[i].steps;
        longest = block->warps[i].steps > longest ? block->warps[i].steps : longest;
    }
    struct tally *tally = &traces->tallies[block->worker->index];
    tally->dealt_steps[block->number % traces->stride] += steps;
    if (longest > tally->longest_steps) {
        tally->longest_steps = longest;
        tally->longest_block = block->number;
    }
    for (uint32_t i = 0; block->trace && i < block->warp_count; i++)
        block->trace->warps[i].all_steps = block->warps[i].steps;
}

/* Of warps that are equally long the first block's counts, whichever worker it fell to. */
void traces_add_up(struct traces *traces)
{
    for (uint32_t i = 0; i < traces->tally_count; i++) {
        const struct tally *tally = &traces->tallies[i];
        for (uint64_t j = 0; j < traces->stride; j++)
            traces->dealt_steps[j] += tally->dealt_steps[j];
        if (tally->longest_steps > traces->longest_steps ||
            (tally->longest_steps == traces->longest_steps &&
             tally->longest_block < traces->longest_block)) {
            traces->longest_steps = tally->longest_steps;
            traces->longest_block = tally->longest_block;
        }
    }
}

/* The next word is run by those lanes. */
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

void trace_enter(struct warp *warp, const struct basic_block *block)
{
    struct warp_trace *trace = warp->trace;
    if (trace->cut || trace->steps + block->count > trace->most_steps) {
        trace->cut = true;
        warp->trace = NULL;
        return;
    }
    trace->steps += block->count;
    note_lanes(trace, warp->split->mask);
    put(trace, TRACE_ENTER << TRACE_TAG_SHIFT | block->id);
}

void trace_leave(struct warp *warp, const struct basic_block *block)
{
    struct warp_trace *trace = warp->trace;
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

void trace_barrier_done(struct block *block, uint32_t barrier, const lane_mask *arrived)
{
    uint32_t warps = 0;
    for (uint32_t i = 0; i < block->warp_count; i++)
        warps += arrived[i] != 0;
    block->trace->latest[barrier] = new_barrier(block->trace, warps);
}

void trace_barrier_passed(struct warp *warp, uint32_t barrier)
{
    put(warp->trace, TRACE_BARRIER << TRACE_TAG_SHIFT | warp->block->trace->latest[barrier]);
}

/* The replay has the block's own warps wait for each other, for as long as the way to other
 * multiprocessors takes: those of its peers come when they do. */
void trace_cluster_met(struct block *block)
{
    uint32_t warps = 0;
    if (!block->trace)
        return;
    for (uint32_t i = 0; i < block->warp_count; i++)
        warps += block->warps[i].cluster_arrived != 0;
    block->trace->latest_of_cluster = new_barrier(block->trace, warps);
}

void trace_cluster_passed(struct warp *warp)
{
    if (warp->trace)
        put(warp->trace,
            TRACE_BARRIER << TRACE_TAG_SHIFT | warp->block->trace->latest_of_cluster);
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

void trace_arrival(struct warp *warp, const struct op *op, uint64_t offset)
{
    struct block_trace *trace = warp->block->trace;
    bool is_own = offset < CLUSTER_STRIDE; /* of peers' mbarriers the replay knows nothing */
    struct traced_mbarrier *mbarrier =
        warp->trace && is_own ? find_mbarrier(trace, offset) : NULL;
    if (mbarrier && mbarrier->phase == NO_BARRIER)
        mbarrier->phase = new_barrier(trace, 0);
    if (!mbarrier || mbarrier->phase == NO_BARRIER)
        return;
    trace->barrier_warps[mbarrier->phase]++;
    put_phase(warp->trace, op, TRACE_ARRIVAL, mbarrier->phase);
}

void trace_phase_over(struct block *block, uint64_t offset)
{
    struct traced_mbarrier *mbarrier = block->trace ? find_mbarrier(block->trace, offset) : NULL;
    if (!mbarrier)
        return;
    mbarrier->over = mbarrier->phase;
    mbarrier->phase = NO_BARRIER;
}

void trace_phase_passed(struct warp *warp, const struct op *op, uint64_t offset)
{
    struct traced_mbarrier *mbarrier =
        warp->trace ? find_mbarrier(warp->block->trace, offset) : NULL;
    if (mbarrier && mbarrier->over != NO_BARRIER)
        put_phase(warp->trace, op, TRACE_PHASE, mbarrier->over);
}

void trace_sleep(struct warp *warp, const struct op *op, uint32_t ns)
{
    put_phase(warp->trace, op, TRACE_SLEEP, ns);
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

static void global_lines(const struct access *access, struct lines *lines)
{
    if (access->shape->contiguous || access->shape->uniform) {
        uint64_t last = access->base + (uint64_t)access->shape->highest + access->bytes - 1;
        for (uint64_t at = access->base / SECTOR_BYTES; at <= last / SECTOR_BYTES; at++)
            add_sector(lines, at);
        return;
    }
    FOR_ACTIVE(lane, access->active)
    add_sector(lines, (access->base + (uint64_t)access->shape->delta[lane]) / SECTOR_BYTES);
}

/* Word w of local memory is a line: one word of each lane. Warps have frames one after the other;
 * those of later blocks are those of blocks that are done. */
static void local_lines(const struct access *access, struct lines *lines)
{
    enum { FRAMES_AT = 1 << 26 };
    const struct warp *warp = access->warp;
    const struct traces *traces = block_launch(warp)->traces;
    uint64_t block = (uint64_t)(warp->block->trace - traces->blocks) % traces->resident;
    uint64_t slot = block * block_launch(warp)->warp_count + warp->index;
    uint64_t frame = FRAMES_AT + slot * (warp->local_bytes / 4 + 1);
    FOR_ACTIVE(lane, access->active)
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

/* Lanes on the busiest address: the L2 takes them one after the other. */
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

/* Is a sector left with bytes that nobody writes? (Or written twice: as good a guess.) */
static bool in_part(const struct access *access, const struct lines *lines)
{
    uint32_t sectors = 0, lanes = (uint32_t)__builtin_popcount(access->active);
    for (uint32_t i = 0; i < lines->count; i++)
        sectors += (uint32_t)__builtin_popcount(lines->line[i] & ((1 << LINE_SECTORS) - 1));
    return lanes * access->bytes < sectors * SECTOR_BYTES;
}

/* Of a word load that could be merged with its neighbours (fuse.c): the passes of a load of two and
 * of four words. */
static void widen(const struct access *access, struct lines *lines)
{
    const struct launch *launch = block_launch(access->warp);
    struct op_info *info = &launch->function->module->ops[access->op->id];
    uint8_t bits = 0;
    FOR_ACTIVE(lane, access->active)
    bits |= (uint8_t)(access->base + (uint64_t)access->shape->delta[lane]) & 0xF;
    if (bits & ~info->address_bits)
        __atomic_fetch_or(&info->address_bits, bits, __ATOMIC_RELAXED);
    info->was_loaded = true;
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
        FOR_ACTIVE(lane, access->active & ((lane_mask)((UINT64_C(1) << part) - 1) << first))
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

/* Between multiprocessors go the sectors that lanes touch. */
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

void trace_access(const struct access *access, struct site *site)
{
    struct warp_trace *trace = access->warp->trace;
    if (!trace || access->space == SPACE_PARAM || access->op->is_mbarrier)
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
            passes = busiest_address(access);
        } else if (writes && in_part(access, &lines)) {
            how = access->bytes == 16 ? TRACE_WRITE_QUADS_IN_PART : TRACE_WRITE_IN_PART;
        }
    }
    put(trace, TRACE_ACCESS << TRACE_TAG_SHIFT | access->op->id);
    put(trace, trace_pack(how, passes, lines.count) | again);
    for (uint32_t i = 0; i < lines.count; i++)
        put(trace, lines.line[i]);
}
