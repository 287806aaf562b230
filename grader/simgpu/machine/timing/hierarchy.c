/* hierarchy.c - L1, shared memory, L2 and DRAM as queues: each request waits until the part is
 * free, keeps it busy for as long as its bytes take, and comes back after the part's latency.
 *
 * The device's profile (struct sim_model) says how long all that takes.
 */
#include "hierarchy.h"

#include <math.h>
#include <string.h>

enum { SECTOR_WORDS = SECTOR_BYTES / 4 };

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* What such a request costs the L2. */
static const struct sim_l2_cost *l2_cost(const struct hierarchy *hierarchy, enum trace_how how)
{
    const struct sim_model *model = hierarchy->model;
    switch (how) {
    case TRACE_WRITE: return &model->l2_write;
    case TRACE_WRITE_IN_PART: return &model->l2_write_in_part;
    case TRACE_WRITE_QUADS_IN_PART: return &model->l2_write_in_part;
    case TRACE_REDUCE: return &model->l2_reduce;
    case TRACE_ATOMIC: return &model->l2_atomic;
    default: return &model->l2_read;
    }
}

/* Keep a part busy for the asker; returns when it is through. */
static double serve(struct hierarchy *hierarchy, enum server server, double now, double cycles)
{
    double start = hierarchy->free[server] > now ? hierarchy->free[server] : now;
    hierarchy->busy[server] += cycles;
    hierarchy->asker->busy[server] += cycles;
    hierarchy->queued[server] = start - now;
    return hierarchy->free[server] = start + cycles;
}

static uint32_t count_sectors(uint32_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors & ((1 << LINE_SECTORS) - 1));
}

/* A request for sectors of one line to the L2; returns when L2 has served it. */
static double ask_l2(struct hierarchy *hierarchy, double now, enum trace_how how, uint32_t sectors)
{
    const struct sim_l2_cost *cost = l2_cost(hierarchy, how);
    double bytes = cost->line + cost->sector * sectors;
    bytes = bytes > cost->least ? bytes : cost->least;
    return serve(hierarchy, SERVER_L2, now, bytes / hierarchy->l2_bytes_per_cycle);
}

/* How far the next line lies from this multiprocessor, from -1 to 1: lines are scattered. It
 * follows from the number of the request, since the model must not depend on where a program's
 * memory happens to lie. */
static double next_distance(struct hierarchy *hierarchy)
{
    return (double)(++hierarchy->fetches * UINT32_C(0x9E3779B9) >> 16) / 32768 - 1;
}

/* Cycles over which the load of DRAM is averaged: all since the first request, up to a window. */
static double averaged_over(const struct sim_model *model, double now)
{
    enum { LEAST_PART = 10 }; /* of the window: less than that says little */
    return fmin(fmax(now, model->dram_window / LEAST_PART), model->dram_window);
}

/* DRAM moves so many bytes; returns when it is through with all that it was asked for so far. */
static double ask_dram(struct hierarchy *hierarchy, double now, double bytes)
{
    double cycles = bytes / hierarchy->dram_bytes_per_cycle;
    double window = averaged_over(hierarchy->model, now), passed = now - hierarchy->dram_noted;
    if (passed > 0) {
        hierarchy->dram_load *= exp(-passed / window);
        hierarchy->dram_noted = now;
    }
    hierarchy->dram_load += cycles / window;
    return serve(hierarchy, SERVER_DRAM, now, cycles);
}

/* Cycles of DRAM's work on writes that it may put off. A launch that keeps DRAM busy fills the room
 * in L2 at once. One that writes in bursts and computes in between has its multiprocessor's share
 * of the room, and that of the others, which write at other times. */
static double put_off(const struct hierarchy *hierarchy, double now)
{
    double load = hierarchy->busy[SERVER_DRAM] / fmax(now, 1);
    return hierarchy->room * fmax(1 / fmax(load, 1e-3) - 2, 0);
}

/* Reads pass writes that DRAM puts off. */
static double read_dram(struct hierarchy *hierarchy, double now, double bytes)
{
    double may_wait = put_off(hierarchy, now), before = hierarchy->free[SERVER_DRAM] - may_wait;
    double start = fmax(fmax(now, hierarchy->read_free), before);
    ask_dram(hierarchy, now, bytes);
    hierarchy->queued[SERVER_DRAM] = start - now;
    return hierarchy->read_free = start + bytes / hierarchy->dram_bytes_per_cycle;
}

/* What is written is through when L2 has room for it. */
static double write_dram(struct hierarchy *hierarchy, double now, double bytes)
{
    double may_wait = put_off(hierarchy, now);
    return fmax(ask_dram(hierarchy, now, bytes) - may_wait, now);
}

/* How long a read waits in DRAM for lines that are written back: in proportion to DRAM's load, and
 * as in a queue whose customers come at random, load / (1 - load), since DRAM turns to writing at
 * any time. A DRAM that only reads keeps its requests in order (ask_dram): read_only_64M. */
static double wait_for_writes(const struct hierarchy *hierarchy)
{
    double load = fmin(hierarchy->dram_load, 1), full = fmin(load, hierarchy->model->fullest);
    return hierarchy->behind_writes * load + hierarchy->behind_turns * full / (1 - full);
}

/* The share of such requests that wait for DRAM. */
static double late_share(const struct hierarchy *hierarchy, bool is_fresh)
{
    double late = is_fresh ? hierarchy->late : hierarchy->late_again;
    return late >= 0 ? late : hierarchy->dram_share;
}

/* --- What L2 loses ---------------------------------------------------------------------------- */

bool hierarchy_limit_l2(struct hierarchy *hierarchy, double bytes)
{
    return cache_init(&hierarchy->l2, (uint32_t)bytes);
}

/* A line's sectors come to L2. Of those that had been there before, so many are lost. */
static uint32_t lost_by_l2(struct hierarchy *hierarchy, uint32_t line, uint32_t before)
{
    enum { ALL_SECTORS = (1 << LINE_SECTORS) - 1 };
    struct cache_line *entry;
    if (!hierarchy->l2.lines)
        return 0;
    uint32_t here =
        cache_look_up(&hierarchy->l2, line >> LINE_SECTORS, line & ALL_SECTORS, true, &entry);
    return count_sectors(before & ~here);
}

/* A load of sectors, of which L1 has none and these are fresh: what DRAM moves, in bytes at full
 * speed, because L2 has lost others. A piece is moved for each, from anywhere. fetched.c knows of
 * losses, too, and these are in dram_bytes_read. */
static double load_again(struct hierarchy *hierarchy, uint32_t line, uint32_t fresh)
{
    double lost = lost_by_l2(hierarchy, pieces_of_sectors(line), line & ~fresh);
    hierarchy->known_again += hierarchy->again_share * count_sectors(fresh);
    double unknown = larger(lost - hierarchy->known_again, 0);
    hierarchy->known_again -= lost - unknown;
    hierarchy->read_again += unknown;
    return 2 * SECTOR_BYTES * unknown * (1 + hierarchy->model->scattered_longer);
}

/* The same of a store of some bytes of sectors. A sector that was lost has been written to DRAM,
 * and is read from there to be completed; each time without its neighbours. L2 takes no other store
 * meanwhile: chunks of 64 floats, written as quads, take as long as their requests to L2 and what
 * DRAM moves again together. */
static double fill_again(struct hierarchy *hierarchy, double now, enum trace_how how, uint32_t line)
{
    enum { FAR_AWAY = 31 }; /* a launch has no line of its own so far from this one */
    if (!hierarchy->l2.lines)
        return 0;
    uint32_t fresh = sector_set_add(&hierarchy->stored, line);
    for (uint32_t i = 1; how == TRACE_WRITE_QUADS_IN_PART && i < hierarchy->model->quad_places; i++)
        lost_by_l2(hierarchy, line ^ i << FAR_AWAY, 0);
    double lost = lost_by_l2(hierarchy, line, line & ~fresh);
    double bytes = 2 * lost * SECTOR_BYTES * (2 + hierarchy->model->lone_longer);
    hierarchy->filled_again += lost;
    serve(hierarchy, SERVER_L2, now, bytes / hierarchy->dram_bytes_per_cycle);
    return bytes;
}

/* Bytes of DRAM, as above, for a store of such a line. */
static double store_again(struct hierarchy *hierarchy, double now, enum trace_how how,
                          uint32_t line)
{
    if (how == TRACE_WRITE_IN_PART || how == TRACE_WRITE_QUADS_IN_PART)
        return fill_again(hierarchy, now, how, line);
    return lost_by_l2(hierarchy, line, 0);
}

/* --- Loads and stores ------------------------------------------------------------------------- */

/* Sectors of one line from L2, or from beyond it. */
static double fetch(struct hierarchy *hierarchy, double now, enum trace_how how, uint32_t line)
{
    uint32_t sectors = count_sectors(line);
    uint32_t fresh = sector_set_add(&hierarchy->asked_for, pieces_of_sectors(line)) & line;
    double far = 1 + hierarchy->spread * next_distance(hierarchy);
    double arrives = ask_l2(hierarchy, now, how, sectors) + far * hierarchy->l2_latency;
    if (how == TRACE_LOCAL_READ)
        return arrives; /* L1 has evicted it: it has not left L2 */
    double again = load_again(hierarchy, line, fresh);
    double moved =
        (how == TRACE_ATOMIC ? sectors : count_sectors(fresh)) * hierarchy->dram_bytes_read;
    double through = read_dram(hierarchy, now, moved + again);
    double from_dram = through + far * (hierarchy->dram_latency + wait_for_writes(hierarchy));
    double *debt = &hierarchy->asker->dram_debt;
    *debt += again > 0 ? 1 : late_share(hierarchy, fresh);
    bool goes_on = *debt >= 1;
    *debt -= goes_on;
    bool waits = goes_on && from_dram > arrives;
    hierarchy->queued[waits ? SERVER_L2 : SERVER_DRAM] = 0; /* both are asked at once */
    return waits ? from_dram : arrives;
}

/* Sectors of one line of the host's memory. */
static double cross_bus(struct hierarchy *hierarchy, double now, uint32_t line)
{
    double bytes = bus_bytes(hierarchy->model, count_sectors(line), 1);
    return serve(hierarchy, SERVER_UP, now, bytes / hierarchy->up_bytes_per_cycle) +
           hierarchy->bus_latency;
}

/* Nobody waits for a store to the host, but the launch ends when it is on its way. */
static double write_host(struct hierarchy *hierarchy, double now, const uint32_t *lines,
                         uint32_t count)
{
    double bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += bus_bytes(hierarchy->model, count_sectors(lines[i]), 1);
    return serve(hierarchy, SERVER_DOWN, now, bytes / hierarchy->down_bytes_per_cycle);
}

/* Note a request to L2 for the line. A line that is asked for more often replaces another in the
 * table. */
static void note_request(struct hierarchy *hierarchy, uint32_t line, uint32_t sectors)
{
    struct hot_line *hot = &hierarchy->hot[(line ^ line >> 8 ^ line >> 16) % HOT_LINES];
    if (hot->line != line || hot->requests == 0) {
        if (hot->requests > 0 && --hot->requests > 0)
            return;
        *hot = (struct hot_line){.line = line, .block = UINT32_MAX};
    }
    hot->blocks += hot->block != hierarchy->block;
    hot->block = hierarchy->block;
    hot->requests++;
    hot->asked++;
    hot->sectors += sectors;
}

double hierarchy_hottest(const struct hierarchy *hierarchy, uint32_t least_blocks)
{
    double most = 0;
    for (uint32_t i = 0; i < HOT_LINES; i++) {
        const struct hot_line *hot = &hierarchy->hot[i];
        if (hot->blocks < least_blocks || hot->requests == 0)
            continue;
        double turns = larger(hierarchy->model->hot_sector_turns * hot->sectors / hot->asked, 1);
        most = larger(most, turns * hot->requests);
    }
    return most;
}

static double read_lines(struct hierarchy *hierarchy, double now, enum trace_how how,
                         const uint32_t *lines, uint32_t count, bool past_l1)
{
    double ready = now + hierarchy->model->l1_latency;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sectors = lines[i] & ((1 << LINE_SECTORS) - 1), here = 0;
        struct cache_line *entry = NULL;
        if (!past_l1)
            here = cache_look_up(&hierarchy->l1, lines[i] >> LINE_SECTORS, sectors, true, &entry);
        double arrives = now + hierarchy->model->l1_latency;
        if (sectors != here && how == TRACE_HOST_READ) {
            arrives = cross_bus(hierarchy, now, lines[i] & ~here);
        } else if (sectors != here) {
            note_request(hierarchy, lines[i] >> LINE_SECTORS, count_sectors(lines[i] & ~here));
            arrives = fetch(hierarchy, now, how, lines[i] & ~here);
        }
        if (entry && entry->ready > arrives)
            arrives = entry->ready;
        if (entry)
            entry->ready = arrives;
        ready = arrives > ready ? arrives : ready;
    }
    return ready;
}

/* The store that has not left yet and that another one of its line can join, or NULL. A store can
 * join those of other warps, and those of its own warp unless that has loaded something in between
 * (axpby_four_in_a_row_64M, sum_in_runs_of_2_48M). */
static struct merging *merging_with(struct hierarchy *hierarchy, double now, uint32_t line)
{
    for (uint32_t i = 0; i < MERGING_LINES; i++) {
        struct merging *merging = &hierarchy->merging[i];
        bool same_warp = merging->turn >> 32 == hierarchy->turn >> 32;
        if (merging->line >> LINE_SECTORS == line >> LINE_SECTORS && now < merging->until &&
            (!same_warp || merging->turn == hierarchy->turn))
            return merging;
    }
    return NULL;
}

/* A store of some bytes of a line's sectors joins one that waits for L2, or waits itself. One of 16
 * bytes a lane never joins another: L1 takes it in four parts, and when the next store comes to a
 * line, the last one has left (lts__t_requests_srcunit_tex_op_write of sixteen_in_a_row, lesson 5).
 */
static double write_in_part(struct hierarchy *hierarchy, double now, uint32_t line)
{
    struct merging *with = merging_with(hierarchy, now, line);
    if (with && (line & ~with->line) == 0)
        return with->until;
    double through = ask_l2(hierarchy, now, TRACE_WRITE_IN_PART, count_sectors(line));
    if (with)
        line |= with->line;
    else
        with = &hierarchy->merging[hierarchy->next_merging++ % MERGING_LINES];
    *with = (struct merging){line, hierarchy->turn, through};
    return through;
}

/* No warp waits for a store, but the launch ends only when all stores are through; and what DRAM
 * cannot take in time fills the queues in front of it. Where L2 loses lines, it matters that warps
 * take turns: one that stores quads in part goes on when L2 has taken them (write_in_part), as
 * misses of such stores in L2 show, and those of words do not. */
static double write_lines(struct hierarchy *hierarchy, double now, enum trace_how how,
                          const uint32_t *lines, uint32_t count)
{
    double moved = 0, through = now;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sectors = count_sectors(lines[i]);
        moved += store_again(hierarchy, now, how, lines[i]);
        through = how == TRACE_WRITE_IN_PART ? write_in_part(hierarchy, now, lines[i])
                                             : ask_l2(hierarchy, now, how, sectors);
        moved += sectors * hierarchy->dram_bytes_written;
    }
    if (how == TRACE_WRITE_QUADS_IN_PART && hierarchy->l2.lines)
        hierarchy->held = through;
    double to_dram = write_dram(hierarchy, now, moved);
    hierarchy->queued[to_dram > through ? SERVER_L2 : SERVER_DRAM] = 0;
    return (through > to_dram ? through : to_dram) + hierarchy->l2_latency;
}

/* What is stored to local memory stays in L1, and goes to L2 all the same, every time: in each of
 * the 29 launches that store much there, l2_write_sectors has all of sectors_local_st. */
static double write_local(struct hierarchy *hierarchy, double now, const uint32_t *lines,
                          uint32_t count)
{
    struct cache_line *entry;
    double through = now;
    for (uint32_t i = 0; i < count; i++) {
        cache_look_up(&hierarchy->l1, lines[i] >> LINE_SECTORS,
                      lines[i] & ((1 << LINE_SECTORS) - 1), true, &entry);
        through = ask_l2(hierarchy, now, TRACE_WRITE, count_sectors(lines[i]));
    }
    return through;
}

/* How long an access of such lines keeps L1 busy: it finds lines and it moves sectors, or only the
 * wanted part of sectors of which lanes want little (pair_coalesce_runs_before). */
static double l1_cycles(const struct sim_model *model, uint32_t packed, uint32_t words,
                        const uint32_t *lines)
{
    enum trace_how how = packed >> 24;
    uint32_t count = packed & TRACE_LINES;
    if (how == TRACE_LOCAL_READ || how == TRACE_LOCAL_WRITE)
        return model->local_cycles + model->local_line_cycles * count;
    double sectors = 0, finding = model->l1_line_cycles * trace_lookups(packed);
    for (uint32_t i = 0; i < count; i++)
        sectors += count_sectors(lines[i]);
    if (how == TRACE_READ && words < sectors)
        sectors = words;
    double moving = model->sector_cycles * sectors, longer = moving > finding ? moving : finding;
    return longer > model->l1_least_cycles ? longer : model->l1_least_cycles;
}

/* --- What a warp asks for --------------------------------------------------------------------- */

static void start(struct hierarchy *hierarchy, bool shared)
{
    hierarchy->asker->shared = shared;
    memset(hierarchy->queued, 0, sizeof hierarchy->queued);
}

/* An access that is through at ready. */
static double finish(struct hierarchy *hierarchy, double now, double ready)
{
    hierarchy->asker->latency += ready - now;
    for (int i = 0; i < SERVERS; i++)
        hierarchy->asker->queued[i] += hierarchy->queued[i];
    return ready;
}

void hierarchy_free(struct hierarchy *hierarchy)
{
    cache_free(&hierarchy->l1);
    cache_free(&hierarchy->l2);
    sector_set_free(&hierarchy->stored);
    sector_set_free(&hierarchy->asked_for);
}

void hierarchy_pass(struct hierarchy *hierarchy, double now, uint32_t accesses)
{
    serve(hierarchy, SERVER_L1, now, hierarchy->model->l1_least_cycles * accesses);
}

double hierarchy_exchange(struct hierarchy *hierarchy, double now)
{
    start(hierarchy, true);
    double served = serve(hierarchy, SERVER_L1, now, 1);
    return finish(hierarchy, now, served + hierarchy->model->shared_latency);
}

double hierarchy_arrive(struct hierarchy *hierarchy, double now)
{
    return serve(hierarchy, SERVER_BARRIER, now, hierarchy->model->barrier_cycles);
}

static double access_lines(struct hierarchy *hierarchy, double now, uint32_t packed,
                           uint32_t passes, const uint32_t *lines, bool past_l1)
{
    const struct sim_model *model = hierarchy->model;
    enum trace_how how = packed >> 24;
    uint32_t count = packed & TRACE_LINES;
    if (how == TRACE_SHARED)
        return serve(hierarchy, SERVER_L1, now, passes) + model->shared_latency;
    if (how == TRACE_CLUSTER) /* the owner's shared memory does its part of that */
        return serve(hierarchy, SERVER_CLUSTER, now,
                     SECTOR_BYTES * passes / hierarchy->cluster_bytes_per_cycle) +
               hierarchy->cluster_latency;
    if (how == TRACE_CONSTANT)
        return serve(hierarchy, SERVER_CONSTANT, now, model->constant_cycles * passes) +
               model->constant_latency;
    now = serve(hierarchy, SERVER_L1, now, l1_cycles(model, packed, passes, lines));
    if ((how == TRACE_REDUCE || how == TRACE_ATOMIC) && hierarchy->first_atomic == 0)
        hierarchy->first_atomic = now;
    switch (how) {
    case TRACE_HOST_WRITE: return write_host(hierarchy, now, lines, count);
    case TRACE_READ:
    case TRACE_HOST_READ:
    case TRACE_LOCAL_READ: return read_lines(hierarchy, now, how, lines, count, past_l1);
    case TRACE_ATOMIC: return read_lines(hierarchy, now, how, lines, count, true);
    case TRACE_LOCAL_WRITE: return write_local(hierarchy, now, lines, count);
    default: return write_lines(hierarchy, now, how, lines, count);
    }
}

/* What has been evicted from L1 comes back from L2, never from DRAM. */
static double reload(struct hierarchy *hierarchy, double now, const uint32_t *lines, uint32_t count)
{
    double ready = now;
    for (uint32_t i = 0; i < count; i++) {
        struct cache_line *entry;
        uint32_t sectors = lines[i] & ((1 << LINE_SECTORS) - 1);
        uint32_t here =
            cache_look_up(&hierarchy->l1, lines[i] >> LINE_SECTORS, sectors, true, &entry);
        if (here != sectors)
            ready = ask_l2(hierarchy, now, TRACE_LOCAL_READ, count_sectors(sectors & ~here));
    }
    return ready;
}

double hierarchy_spill(struct hierarchy *hierarchy, double now, bool stores, const uint32_t *lines,
                       uint32_t count)
{
    const struct sim_model *model = hierarchy->model;
    start(hierarchy, false);
    double through =
        serve(hierarchy, SERVER_L1, now, model->spill_cycles + model->local_line_cycles * count);
    if (!stores)
        through = reload(hierarchy, through, lines, count);
    else
        through =
            larger(through, write_local(hierarchy, through, lines, count) - hierarchy->l2_latency);
    return finish(hierarchy, now, through);
}

double hierarchy_access(struct hierarchy *hierarchy, double now, uint32_t packed, uint32_t passes,
                        const uint32_t *lines, bool past_l1)
{
    enum trace_how how = packed >> 24;
    start(hierarchy, how == TRACE_SHARED || how == TRACE_CLUSTER);
    if (how == TRACE_SPARED)
        return now;
    return finish(hierarchy, now, access_lines(hierarchy, now, packed, passes, lines, past_l1));
}

/* --- Accesses that were only counted ---------------------------------------------------------- */

/* Stores in part that find each other's lines on their way to L2 may go there as one. */
static bool may_merge(enum trace_how how, const struct counted *counted)
{
    return how == TRACE_WRITE_IN_PART && counted->lines <= MERGING_LINES * counted->requests;
}

void hierarchy_price(const struct hierarchy *hierarchy, enum trace_how how,
                     const struct counted *counted, double busy[SERVERS])
{
    const struct sim_model *model = hierarchy->model;
    const struct sim_l2_cost *cost =
        how == TRACE_LOCAL_WRITE ? &model->l2_write : l2_cost(hierarchy, how);
    if (how == TRACE_LOCAL_READ || how == TRACE_LOCAL_WRITE) {
        busy[SERVER_L1] +=
            model->local_cycles * counted->requests + model->local_line_cycles * counted->lines;
        if (how == TRACE_LOCAL_WRITE)
            busy[SERVER_L2] += (cost->line * counted->lines + cost->sector * counted->sectors) /
                               hierarchy->l2_bytes_per_cycle;
        return;
    }
    bool reads = how == TRACE_READ;
    double moved = reads && counted->words < counted->sectors ? counted->words : counted->sectors;
    double in_l1 = larger(model->sector_cycles * moved, model->l1_line_cycles * counted->lines);
    double share = reads ? counted->from_l2 : may_merge(how, counted) ? 1.0 / SECTOR_WORDS : 1;
    double bytes = larger(cost->line * counted->lines + cost->sector * counted->sectors,
                          cost->least * counted->lines);
    double dram = reads ? hierarchy->dram_bytes_read : hierarchy->dram_bytes_written;
    busy[SERVER_L1] += larger(in_l1, model->l1_least_cycles * counted->requests);
    busy[SERVER_L2] += share * bytes / hierarchy->l2_bytes_per_cycle;
    busy[SERVER_DRAM] += share * counted->sectors * dram / hierarchy->dram_bytes_per_cycle;
}
