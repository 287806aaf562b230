/* estimate.c - from the cycles of one multiprocessor's first blocks to the time of a launch.
 *
 * Blocks on one multiprocessor share it: what counts is how often a new one can start once all
 * places are taken. That rate, times the blocks there are, plus the first filling and the last
 * emptying, is the time of multiprocessor 0, which always has as many blocks as any. Besides, there
 * are limits of the whole device: blocks dealt out one by one, atomics that all want one address,
 * and the bytes that DRAM and the bus have to move.
 */
#include "drawn.h"
#include "estimate.h"
#include "fetched.h"
#include "filled.h"
#include "likeness.h"
#include "multiprocessor.h"
#include "opcode.h"
#include "rest.h"
#include "sample.h"
#include "schedule.h"
#include "shown.h"
#include "traffic.h"

#include <math.h>

struct estimate {
    struct launch *launch;
    const struct sim_profile *profile;
    const struct sim_model *model; /* the profile's */
    struct sim_launch_result *result;
    double active;      /* multiprocessors with anything to do */
    double blocks_each; /* most blocks of a multiprocessor */
    uint32_t l1_bytes;
    double clock_mhz;
    double l2_read_sectors, l2_written_sectors;
    double read_once;     /* of sectors read, the share that must come from L2 */
    double fresh_sectors; /* read by multiprocessors that had not asked for their pieces */
    double dram_read_time, dram_write_time; /* bytes at full speed that would take as long */
    double dram_share;                      /* see hierarchy.h */
    double l2_share;                        /* bytes that L2 keeps for a multiprocessor; 0: all */
    double host_read_bytes, host_written_bytes; /* over the bus: bus_bytes */
    double written_back; /* of what is written, the share that leaves L2 meanwhile */
};

/* --- Before the replay ------------------------------------------------------------------------ */

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

static double at_most(double value, double most)
{
    return value < most ? value : most;
}

/* What shared memory leaves of the L1. It takes one of the sizes that a multiprocessor can be set
 * to; not the smallest ones if many blocks are resident (the profiler's shared_config_bytes). */
static uint32_t l1_bytes(const struct estimate *estimate)
{
    const struct sim_profile *profile = estimate->profile;
    const struct sim_model *model = estimate->model;
    uint64_t block = estimate->launch->shared_bytes + profile->shared_bytes_reserved;
    uint64_t resident = estimate->result->blocks_per_multiprocessor, size = 0;
    uint64_t least = resident * model->shared_each_kib;
    least = least < model->shared_least_kib ? least : model->shared_least_kib;
    for (const uint16_t *kib = model->shared_sizes_kib; *kib; kib++)
        if (size < block * resident || size < least * 1024)
            size = *kib * UINT64_C(1024);
    uint64_t left = profile->l1_bytes > size ? profile->l1_bytes - size : 0;
    return (uint32_t)at_least((double)left, model->l1_least_kib * 1024);
}

/* Bytes that DRAM reads again because L2 has lost them. */
static double read_again(const struct estimate *estimate)
{
    const struct launch *launch = estimate->launch;
    double bytes = 0;
    for (size_t i = 0; launch->fetched && i < launch->result.op_count; i++)
        bytes += launch->fetched->again_bytes[launch->ops[i].id];
    return bytes;
}

static void time_dram(struct estimate *estimate, const struct footprint_bytes *touched,
                      const struct traffic *traffic)
{
    double read = (double)touched->read, pieces = read / (2 * SECTOR_BYTES);
    double reads = at_least(estimate->l2_read_sectors, 1);
    double writes = at_least(
        estimate->l2_written_sectors + (double)estimate->result->totals.global_atomic.sectors, 1);
    /* What is asked for again and again gathers in L2, and goes to DRAM in order. */
    double once = at_most((double)touched->read / SECTOR_BYTES / reads, 1);
    double written_once = at_most((double)touched->written / SECTOR_BYTES / writes, 1);
    double again = read_again(estimate);
    double longer = estimate->model->scattered_longer;
    double write_longer = 1 + longer * traffic->scattered_writes * written_once;
    estimate->dram_read_time = read * (1 + longer * traffic->scattered_reads * once) +
                               again * (1 + longer * traffic->scattered_reads);
    double moved = (double)touched->written_moved + (double)touched->filled_moved;
    double lone = moved - (double)touched->written - (double)touched->filled;
    moved -= at_most((double)touched->filled, estimate->model->fills_kept_bytes);
    estimate->dram_write_time = (moved + estimate->model->lone_longer * lone) * write_longer;
    double pieces_a_line = at_least(traffic->sectors_per_line / 2, 1);
    double lines = reads / traffic->sectors_per_line;
    estimate->dram_share =
        at_most((pieces + again / (2 * SECTOR_BYTES)) / pieces_a_line / lines, 1);
}

/* What L2 keeps for one multiprocessor, or 0 where it loses nothing that comes again. Lines that
 * several multiprocessors read are kept for all of them. */
static double l2_share(const struct estimate *estimate, const struct footprint_bytes *touched,
                       const struct traffic *traffic)
{
    double kept = estimate->model->open_share * (double)estimate->profile->l2_bytes;
    double all = (double)touched->read + (double)touched->written_moved;
    bool again = traffic->l1_misses > traffic->fresh || traffic->writes_in_part;
    double fresh = estimate->fresh_sectors * SECTOR_BYTES;
    double sharers = at_least(fresh / at_least((double)touched->read, 1), 1);
    sharers = at_most(sharers, estimate->active); /* atomics ask for the same again and again */
    return again && all > kept ? kept * sharers / estimate->active : 0;
}

/* Sectors of device memory, of so many. */
static double but_host(uint64_t sectors, uint64_t host)
{
    return at_least((double)sectors - (double)host, 0);
}

/* What goes through L2 and DRAM, and over the bus. */
static bool count_traffic(struct estimate *estimate, const struct footprint_bytes *touched)
{
    const struct launch *launch = estimate->launch;
    struct sim_launch_result *result = estimate->result;
    const struct sim_totals *totals = &result->totals;
    struct traffic traffic;
    if (!traffic_look(&traffic, launch, estimate->l1_bytes))
        return false;
    double loads = but_host(totals->global_load.sectors, touched->host_read);
    estimate->l2_read_sectors = loads * traffic.l1_misses + (double)totals->global_atomic.sectors;
    estimate->fresh_sectors = loads * traffic.fresh + (double)totals->global_atomic.sectors;
    estimate->l2_written_sectors = but_host(totals->global_store.sectors, touched->host_written) +
                                   (double)totals->global_reduction.sectors;
    estimate->read_once =
        at_most((double)touched->read / (2 * SECTOR_BYTES) / at_least(loads, 1), 1);
    estimate->host_read_bytes =
        bus_bytes(estimate->model, (double)touched->host_read, (double)touched->host_read_lines) *
        traffic.host_misses;
    estimate->host_written_bytes = bus_bytes(estimate->model, (double)touched->host_written,
                                             (double)touched->host_written_lines);
    double kept = estimate->model->dirty_share * (double)estimate->profile->l2_bytes;
    result->dram_read_bytes =
        (double)touched->read + read_again(estimate) +
        at_least((double)touched->filled - estimate->model->fills_kept_bytes, 0);
    result->dram_write_bytes = at_least((double)touched->written - kept, 0);
    estimate->written_back = result->dram_write_bytes / at_least((double)touched->written, 1);
    result->l2_bytes = SECTOR_BYTES * (estimate->l2_read_sectors + estimate->l2_written_sectors);
    estimate->l2_share = l2_share(estimate, touched, &traffic);
    time_dram(estimate, touched, &traffic);
    return true;
}

static bool make_hierarchy(const struct estimate *estimate, struct hierarchy *hierarchy)
{
    const struct sim_profile *profile = estimate->profile;
    double cycles_per_s = estimate->clock_mhz * 1e6, ns_to_cycles = estimate->clock_mhz * 1e-3;
    double l2 = profile->l2_bytes_per_s / cycles_per_s / estimate->active;
    double dram = profile->dram_bytes_per_s / cycles_per_s / estimate->active;
    double writes = at_least(
        estimate->l2_written_sectors + (double)estimate->result->totals.global_atomic.sectors, 1);
    double fresh = at_least(estimate->fresh_sectors, 1);
    double waits = estimate->written_back * ns_to_cycles; /* cycles a ns, where DRAM writes */
    double kept = estimate->model->dirty_share * (double)profile->l2_bytes / estimate->active;
    *hierarchy = (struct hierarchy){
        .model = estimate->model,
        .l2_bytes_per_cycle = l2 < 64 ? l2 : 64,
        .dram_bytes_per_cycle = dram < 64 ? dram : 64,
        .room = kept / dram,
        .dram_share = estimate->dram_share,
        .dram_bytes_read = estimate->dram_read_time / fresh,
        .again_share = read_again(estimate) / SECTOR_BYTES / fresh,
        .dram_bytes_written = estimate->dram_write_time / writes,
        .up_bytes_per_cycle = estimate->model->bus_read_bytes_per_ns / ns_to_cycles,
        .down_bytes_per_cycle = estimate->model->bus_written_bytes_per_ns / ns_to_cycles,
        .bus_latency = estimate->model->bus_ns * ns_to_cycles,
        .cluster_latency = profile->cluster_latency_cycles,
        .cluster_bytes_per_cycle = profile->cluster_bytes,
        .behind_writes = estimate->model->write_back_ns * waits,
        .behind_turns = estimate->model->turn_ns * waits,
        .l2_latency = profile->l2_latency_ns * ns_to_cycles,
        .dram_latency = profile->dram_latency_ns * ns_to_cycles,
        .spread = estimate->model->latency_spread,
    };
    return cache_init(&hierarchy->l1, estimate->l1_bytes) &&
           (estimate->l2_share == 0 || hierarchy_limit_l2(hierarchy, estimate->l2_share));
}

/* --- After it --------------------------------------------------------------------------------- */

static double mean(const double *values, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / count : 0;
}

static double busiest_unit(const struct replay *replay, const struct hierarchy *hierarchy,
                           unsigned schedulers)
{
    double busiest = replay->issued / schedulers;
    for (int i = 0; i < UNITS; i++)
        busiest = at_least(busiest, replay->busy[i]);
    for (int i = 0; i < SERVERS; i++)
        busiest = at_least(busiest, hierarchy->busy[i]);
    return busiest / at_least(replay->cycles, 1);
}

/* Cycles for each traced step of the second half. */
static double late_pace(const struct replay *replay, double traced)
{
    return (replay->cycles - replay->half_cycles) / (traced / 2);
}

/* 0 where nothing is written, 1 where half as much is as is read, or more. */
static double writes_as_well(const struct estimate *estimate)
{
    return at_most(2 * estimate->dram_write_time / at_least(estimate->dram_read_time, 1), 1);
}

/* Cycles that DRAM works for a block, at least: the last blocks of a replay may end faster one
 * after the other, while their stores wait in queues. */
static double dram_cycles(const struct estimate *estimate, const struct hierarchy *hierarchy,
                          uint32_t count)
{
    double most = estimate->model->most_of_dram; /* by reads alone */
    double rate = most + (1 - most) * writes_as_well(estimate);
    return hierarchy->busy[SERVER_DRAM] / rate / count;
}

/* Cycles until all blocks of the multiprocessor are through. */
static double all_cycles(const struct estimate *estimate, const struct replay *replay,
                         const struct hierarchy *hierarchy, uint32_t count)
{
    const struct traces *traces = estimate->launch->traces;
    uint32_t resident = traces->resident;
    double blocks = estimate->blocks_each;
    struct trace_steps steps = traces_steps(traces, count);
    if (steps.all == steps.traced) {
        if (count >= blocks)
            return replay->cycles;
        double interval = replay->cycles / count;
        if (count >= 3 * resident) {
            const double *end = replay->start + count;
            interval =
                (mean(end - resident, resident) - mean(end - 2 * resident, resident)) / resident;
        }
        interval = at_least(interval, dram_cycles(estimate, hierarchy, count));
        double like = likeness_of_others(estimate->launch, replay, count);
        double dealt =
            estimate->model->dispatch_ns * estimate->clock_mhz * 1e-3 * (double)traces->stride;
        double idle = at_least(1 - like, 0) * dealt; /* they come after the others */
        return replay->cycles + (blocks - count) * (interval * like + idle);
    }
    double turn =
        replay->half_cycles + (steps.all - steps.traced / 2) * late_pace(replay, steps.traced);
    double turns = floor(blocks / count), rest = blocks / count - turns;
    double busy = busiest_unit(replay, hierarchy, estimate->profile->schedulers);
    return turn * (turns + (rest > 0 ? busy * rest + (1 - busy) : 0));
}

/* What the traces of long warps lack takes at least as long as the counters imply. */
static double with_rest(const struct estimate *estimate, const struct replay *replay,
                        const struct hierarchy *hierarchy, uint32_t count, double cycles)
{
    const struct launch *launch = estimate->launch;
    struct rest rest = {.launch = launch, .replay = replay, .hierarchy = hierarchy};
    struct trace_steps steps = traces_steps(launch->traces, count);
    double more = late_pace(replay, steps.traced) * (steps.all - steps.traced);
    rest.active = estimate->active;
    rest.turns = (double)launch->block_count / estimate->active / count;
    rest.read_once = estimate->read_once;
    return more > 0 ? rest_cycles(&rest, more / (replay->cycles + more), cycles) : cycles;
}

/* For a sampled launch whose blocks are all there from the start: the warp instructions of the
 * busiest multiprocessor, relative to those of the traced one, which is one of them. Blocks of a
 * kind that has one for each multiprocessor are together on some. */
static double sampled_imbalance(const struct launch *launch)
{
    const struct worker *workers = launch->workers;
    double sum = 0, most = 0, traced = (double)workers[0].steps;
    traced = at_least(traced, 1) / at_least((double)workers[0].ran, 1);
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        sum += (double)sample_scale(&workers[i], workers[i].steps);
        if (workers[i].ran && workers[i].stands_for >= launch->traces->stride)
            most = at_least(most, (double)workers[i].steps / (double)workers[i].ran);
    }
    return at_least(at_least(most, sum / (double)launch->block_count) / traced, 1);
}

/* Multiprocessor 0 may have less to do than others. Blocks that are all there from the start stay
 * where they are, and the busiest multiprocessor ends last; later ones go where a place is free. */
static double imbalance(const struct estimate *estimate, const struct replay *replay,
                        uint32_t count)
{
    const struct launch *launch = estimate->launch;
    const struct traces *traces = launch->traces;
    bool all_there = launch->block_count <= traces->resident * traces->stride;
    double busiest =
        launch->sample && all_there ? sample_busiest(launch, traces->stride, traces->first) : 0;
    if (busiest > 0)
        return busiest;
    if (launch->sample) /* which multiprocessor gets most is unknown; likeness() has the rest */
        return all_there ? sampled_imbalance(launch) : 1;
    double own = at_least((double)traces->dealt_steps[traces->first], 1), most = 0, sum = 0;
    for (uint64_t i = 0; i < traces->stride; i++) {
        sum += (double)traces->dealt_steps[i];
        most = at_least(most, (double)traces->dealt_steps[i]);
    }
    if (all_there)
        return at_least(most / own, likeness_of_all(launch, replay, count));
    return sum / (double)launch->block_count / (own / estimate->blocks_each);
}

/* Cycles for a warp instruction of a block's longest warp, in the fastest block. */
static double fastest_pace(const struct traces *traces, const struct replay *replay, uint32_t count)
{
    double fastest = replay->cycles;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t steps = 1;
        for (uint32_t j = 0; j < traces->blocks[i].warp_count; j++)
            if (traces->blocks[i].warps[j].steps > steps)
                steps = traces->blocks[i].warps[j].steps;
        fastest = at_most(fastest, (replay->finish[i] - replay->start[i]) / (double)steps);
    }
    return fastest;
}

/* The blocks that the deal gives to one multiprocessor may be heavier than others. On the device
 * they are spread over several, and the heaviest ends last: after the mean of what it takes alone
 * and what it takes among its like (heavy_by_deal_132, heavy_by_deal_33). */
static double end_of_heaviest(const struct estimate *estimate, const struct replay *replay,
                              uint32_t count, double cycles)
{
    double longest = 0;
    for (uint32_t i = 0; i < count; i++)
        longest = at_least(longest, replay->finish[i] - replay->start[i]);
    struct hierarchy hierarchy = {0};
    struct replay alone = {0};
    if (longest > cycles && make_hierarchy(estimate, &hierarchy) &&
        replay_run(&alone, estimate->launch, 1, 0, &hierarchy))
        cycles = at_least(cycles, (longest + at_most(alone.cycles, longest)) / 2);
    replay_free(&alone);
    hierarchy_free(&hierarchy);
    return cycles;
}

/* Warp instructions of the longest warp in a block, as far as it was traced or in all. */
static uint64_t longest_in(const struct block_trace *block, bool in_all)
{
    uint64_t longest = 0;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        uint64_t steps = in_all ? block->warps[i].all_steps : block->warps[i].steps;
        longest = steps > longest ? steps : longest;
    }
    return longest;
}

/* Is a warp much longer than those of the first block that was traced? Or, if the first block is
 * the one that has it, than the part that was replayed, and than those of another block? */
static bool has_much_longer(const struct traces *traces, uint32_t count)
{
    uint64_t replayed = 0, shortest = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t steps = longest_in(&traces->blocks[i], false);
        uint64_t all = longest_in(&traces->blocks[i], true);
        replayed = steps > replayed ? steps : replayed;
        shortest = all < shortest ? all : shortest;
    }
    return traces->longest_steps >= 2 * longest_in(&traces->blocks[0], true) ||
           (traces->longest_steps >= 2 * replayed && traces->longest_steps >= 2 * shortest);
}

/* Such a warp runs on when the others are done, as fast as a block that is alone. */
static double end_of_longest(const struct estimate *estimate, const struct replay *replay,
                             uint32_t count, double cycles)
{
    const struct launch *launch = estimate->launch;
    const struct traces *traces = launch->traces;
    uint64_t steps = longest_in(&traces->blocks[0], false);
    if (!has_much_longer(traces, count))
        return cycles;
    struct hierarchy hierarchy = {0};
    struct replay alone = {0};
    bool made = make_hierarchy(estimate, &hierarchy);
    hierarchy.spread = 0; /* it averages out in a long warp, but not in the traced part of it */
    if (made && replay_run(&alone, launch, 1, 0, &hierarchy)) {
        double pace = (alone.issue_end - alone.half_cycles) / ((double)steps / 2);
        pace = at_most(pace, fastest_pace(traces, replay, count));
        bool all_there = launch->block_count <= traces->resident * traces->stride;
        double part = (double)traces->longest_block / (double)launch->block_count;
        double end = (all_there ? 0 : cycles * part) + pace * (double)traces->longest_steps;
        cycles = at_least(cycles, end);
    }
    replay_free(&alone);
    hierarchy_free(&hierarchy);
    return cycles;
}

/* A DRAM that is full serves multiprocessors unevenly where it is written to as well. Blocks that
 * are all there from the start cannot make up for that: the launch ends with the slowest. The more
 * blocks follow each other, the more of them go to the faster ones. */
static double unevenly_served(const struct estimate *estimate, const struct replay *replay,
                              const struct hierarchy *hierarchy)
{
    const struct sim_model *model = estimate->model;
    double load = hierarchy->busy[SERVER_DRAM] / at_least(replay->cycles, 1);
    double full = (load - model->served_evenly_to) / (1 - model->served_evenly_to);
    double turns = at_least(estimate->blocks_each / estimate->launch->traces->resident, 1);
    double uneven = model->served_unevenly * at_least(at_most(full, 1), 0);
    return 1 + uneven * writes_as_well(estimate) / sqrt(turns);
}

/* Requests to L2 for one line that all blocks want, on the whole device. */
static double crowd_at_line(const struct estimate *estimate, const struct hierarchy *hierarchy,
                            uint32_t count)
{
    double blocks = (double)estimate->launch->block_count;
    if (count < 2)
        return 0;
    double requests = hierarchy_hottest(hierarchy, count);
    struct trace_steps steps = traces_steps(estimate->launch->traces, count);
    return requests / count * blocks * steps.all / at_least(steps.traced, 1);
}

/* Calls of printf, by lanes. */
static double count_prints(const struct estimate *estimate)
{
    const struct sim_launch_result *result = estimate->result;
    const struct module *module = estimate->launch->function->module;
    double prints = 0;
    for (size_t i = 0; i < result->op_count; i++) {
        const struct function *function = function_of_op(module, result->ops[i].id);
        const struct op *op = &function->ops[result->ops[i].id - function->first_op_id];
        if (op->run == call_intrinsic &&
            module->functions[op->target].intrinsic == INTRINSIC_PRINTF)
            prints += (double)result->ops[i].lanes_on;
    }
    return prints;
}

struct part {
    const char *name;
    double ns;
};

/* The part that was busy longest. If no part was busy for this share of the time, latency bounds
 * the launch: Nsight Compute's speed-of-light rule draws the line there, too. */
static const double BUSY = 0.6;

static const char *what_bounds(const struct part *parts, size_t count, double ns)
{
    size_t longest = 0;
    for (size_t i = 1; i < count; i++)
        if (parts[i].ns > parts[longest].ns)
            longest = i;
    return parts[longest].ns > BUSY * ns ? parts[longest].name : "latency";
}

/* A few blocks may leave stores waiting in queues; all of them together cannot. */
static double least_dram_ns(const struct estimate *estimate)
{
    double bytes = estimate->result->dram_read_bytes + estimate->result->dram_write_bytes;
    return bytes / (estimate->model->most_of_dram * estimate->profile->dram_bytes_per_s) * 1e9;
}

/* What goes over the bus, each direction on its own. In the replay, a multiprocessor has all of the
 * bus: it may be the only one that reads what the host has prepared, or they all read. A slice of
 * the device has its share. */
static double host_ns(const struct estimate *estimate)
{
    const struct sim_model *model = estimate->model;
    const struct sim_profile *whole = &estimate->launch->context->machine->whole;
    double share = (double)estimate->profile->multiprocessors / whole->multiprocessors;
    return at_least(estimate->host_read_bytes / model->bus_read_bytes_per_ns,
                    estimate->host_written_bytes / model->bus_written_bytes_per_ns) /
           share;
}

/* What DRAM moves because L2 has lost it, if all blocks lose as much as those of the replay. */
static void count_lost(struct estimate *estimate, const struct hierarchy *hierarchy, uint32_t count)
{
    struct trace_steps steps = traces_steps(estimate->launch->traces, count);
    double blocks = (double)estimate->launch->block_count / count;
    double bytes = SECTOR_BYTES * blocks * steps.all / at_least(steps.traced, 1);
    estimate->result->dram_read_bytes += bytes * (hierarchy->read_again + hierarchy->filled_again);
    estimate->result->dram_write_bytes += bytes * hierarchy->filled_again;
}

static void conclude(struct estimate *estimate, const struct replay *replay,
                     const struct hierarchy *hierarchy, uint32_t count)
{
    const struct sim_profile *profile = estimate->profile;
    const struct launch *launch = estimate->launch;
    count_lost(estimate, hierarchy, count);
    double cycles = all_cycles(estimate, replay, hierarchy, count);
    cycles *= imbalance(estimate, replay, count) * unevenly_served(estimate, replay, hierarchy);
    cycles = with_rest(estimate, replay, hierarchy, count, cycles);
    cycles = end_of_heaviest(estimate, replay, count, cycles);
    cycles = end_of_longest(estimate, replay, count, cycles);
    double cycle_ns = 1e3 / estimate->clock_mhz, scale = cycles / at_least(replay->cycles, 1);
    double unit_ns = scale * cycle_ns;
    double dealt_ns = estimate->model->dispatch_ns * (double)launch->block_count;
    double crowded_ns = launch->traces->atomics_left * contention_ns(launch);
    double same_line_ns = estimate->model->same_line_ns * crowd_at_line(estimate, hierarchy, count);
    double printed_ns = estimate->model->print_ns * count_prints(estimate);
    double around_ns = estimate->model->start_ns + estimate->model->last_ends_later_ns *
                                                       estimate->active / profile->multiprocessors;
    /* Atomics at the end of blocks that are all there from the start come all at once. */
    double crowd_ends_ns = hierarchy->first_atomic * cycle_ns + crowded_ns;
    double work_ns = at_least(at_least(cycles * cycle_ns + around_ns, dealt_ns), crowd_ends_ns);
    work_ns = at_least(at_least(work_ns, same_line_ns), printed_ns);
    double bus_ns = host_ns(estimate);
    work_ns = at_least(at_least(work_ns, least_dram_ns(estimate)), bus_ns);
    const struct part parts[] = {
        {"DRAM", hierarchy->busy[SERVER_DRAM] * unit_ns},
        {"L2", hierarchy->busy[SERVER_L2] * unit_ns},
        {"L1 and shared memory", hierarchy->busy[SERVER_L1] * unit_ns},
        {"shared memory of other blocks", hierarchy->busy[SERVER_CLUSTER] * unit_ns},
        {"constant memory", hierarchy->busy[SERVER_CONSTANT] * unit_ns},
        {SIM_BOUND_FP32, replay->busy[UNIT_FMA] * unit_ns / 2},
        {SIM_BOUND_INTEGER, replay->busy[UNIT_ALU] * unit_ns},
        {SIM_BOUND_SPECIAL, replay->busy[UNIT_XU] * unit_ns},
        {SIM_BOUND_FP64, replay->busy[UNIT_FP64] * unit_ns},
        {SIM_BOUND_TENSOR, replay->busy[UNIT_TENSOR] * unit_ns},
        {SIM_BOUND_ISSUE, replay->issued / profile->schedulers * unit_ns},
        {SIM_BOUND_DEALING, dealt_ns},
        {"atomics in one place", crowded_ns},
        {"one line of L2", same_line_ns},
        {"printf", printed_ns},
        {"the bus to the host's memory", bus_ns},
    };
    estimate->result->bound = what_bounds(parts, sizeof parts / sizeof *parts, work_ns);
    estimate->result->modelled_ns = profile->launch_ns + work_ns;
    ledger_close(replay->ops, estimate->launch, estimate->result->modelled_ns);
}

static bool model_as_traced(struct launch *launch, const struct footprint_bytes *touched)
{
    struct sim_launch_result *result = &launch->result;
    const struct sim_profile *profile = &launch->context->machine->profile;
    struct estimate estimate = {
        .launch = launch, .profile = profile, .model = profile->model, .result = result};
    estimate.active = launch->block_count < profile->multiprocessors ? (double)launch->block_count
                                                                     : profile->multiprocessors;
    estimate.blocks_each = ceil((double)launch->block_count / profile->multiprocessors);
    bool tensor = result->totals.by_class[SIM_OP_TENSOR] && profile->tensor_clock_mhz;
    estimate.clock_mhz = tensor ? profile->tensor_clock_mhz : profile->clock_mhz;
    estimate.l1_bytes = l1_bytes(&estimate);
    struct hierarchy hierarchy = {0};
    struct replay replay = {0};
    uint32_t count = launch->traces ? traces_to_replay(launch->traces) : 0;
    double interval = estimate.model->dispatch_ns * estimate.active * estimate.clock_mhz * 1e-3;
    bool ok = count && count_traffic(&estimate, touched) && make_hierarchy(&estimate, &hierarchy) &&
              replay_run(&replay, launch, count, interval, &hierarchy);
    if (ok)
        conclude(&estimate, &replay, &hierarchy, count);
    replay_free(&replay);
    hierarchy_free(&hierarchy);
    return ok;
}

bool model_launch(struct launch *launch, const struct footprint_bytes *touched)
{
    struct traces *traced = launch->traces, *even = traced ? drawn_evenly(launch) : NULL;
    struct traces *filled = traced ? filled_up(launch) : NULL;
    launch->traces = even ? even : filled ? filled : traced;
    bool ok = model_as_traced(launch, touched);
    launch->traces = traced;
    drawn_free(even);
    filled_free(filled);
    return ok;
}

/* A launch whose time is not asked for has counters all the same. */
bool model_time(struct launch *launch)
{
    if (launch->sample && launch->config.sampling.untimed) {
        launch->result.bound = "not asked for";
        return true;
    }
    struct footprint_bytes touched = footprint_sum(launch);
    if (launch->traces)
        traces_add_up(launch->traces);
    fetched_find(launch);
    return model_launch(launch, &touched);
}
