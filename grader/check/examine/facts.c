/* facts.c - counts of a launch and of a line, in the terms that mistakes claim. */
#include "check/examine/facts.h"

#include "check/record.h"
#include "simgpu/machine/machine.h"

#include <math.h>
#include <string.h>

enum { WARP_LANES = 32, SECTOR_BYTES = 32 };

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* Bytes per lane in one request, over the lanes that took part. */
static double width(const struct simgpu_access *access)
{
    return share((double)access->bytes, (double)access->lanes);
}

static void set(json_t *object, const char *name, double value)
{
    if (isfinite(value))
        json_object_set_new(object, name, json_real(value));
}

/* --- The launch ------------------------------------------------------------------------------- */

static const struct simgpu_launch *longest(const struct simgpu_report *report)
{
    const struct simgpu_launch *found = NULL;
    for (size_t i = 0; i < report->launch_count; i++)
        if (!found || report->launches[i].modelled_ns > found->modelled_ns)
            found = &report->launches[i];
    return found;
}

static double product(const uint32_t sides[3])
{
    return (double)sides[0] * sides[1] * sides[2];
}

static double requests(const struct simgpu_access *access)
{
    return (double)access->requests;
}

/* Blocks go to multiprocessors in turn, so a small grid leaves the last ones with fewer or none. */
static double resident_blocks(const struct simgpu_launch *launch, double multiprocessors)
{
    return fmin(launch->blocks_per_multiprocessor, ceil((double)launch->blocks / multiprocessors));
}

static void note_little(const struct simgpu_report *report, const struct simgpu_launch *launch,
                        struct judge_kernel *kernel)
{
    double bytes = launch->dram_read_bytes + launch->dram_write_bytes;
    kernel->under_way_bytes = share(bytes, launch->modelled_ns) * report->dram_latency_ns;
    kernel->needed_bytes = report->dram_bytes_per_s * 1e-9 * report->dram_latency_ns;
}

static bool is_bound_by_arithmetic(const struct simgpu_launch *launch)
{
    static const char *const PARTS[] = {SIM_BOUND_ISSUE,   SIM_BOUND_FP32, SIM_BOUND_INTEGER,
                                        SIM_BOUND_SPECIAL, SIM_BOUND_FP64, SIM_BOUND_TENSOR};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (strcmp(launch->bound, PARTS[i]) == 0)
            return true;
    return false;
}

static double waits(const struct simgpu_launch *launch, enum sim_wait wait)
{
    double ns = 0;
    for (size_t i = 0; i < launch->line_count; i++)
        ns += launch->lines[i].modelled_ns[wait];
    return share(ns, launch->modelled_ns);
}

static struct judge_kernel kernel_of(const struct simgpu_report *report,
                                     const struct simgpu_launch *launch)
{
    double all = (double)launch->warp_instructions, spilled = 0;
    double warps = ceil(product(launch->block) / WARP_LANES);
    for (size_t i = 0; i < launch->line_count; i++)
        spilled += (double)launch->lines[i].spilled_words;
    struct judge_kernel kernel = {
        .blocks = product(launch->grid),
        .block_threads = product(launch->block),
        .multiprocessors = report->multiprocessors,
        .warps = warps * resident_blocks(launch, report->multiprocessors),
        .most_warps = report->warps,
        .registers = launch->registers,
        .shared_bytes = launch->shared_bytes,
        .shared_requests = requests(&launch->shared_load) + requests(&launch->shared_store) +
                           requests(&launch->shared_atomic),
        .spilled_words = spilled,
        .local_requests = requests(&launch->local_load) + requests(&launch->local_store),
        .load_width = width(&launch->global_load),
        .store_width = width(&launch->global_store),
        .stored_bytes = (double)launch->global_store.distinct_bytes,
        .branches = share((double)launch->branches, all),
        .divergent = share((double)launch->divergent, (double)launch->branches),
        .memory_wait = waits(launch, SIM_WAIT_MEMORY),
        .barrier_wait = waits(launch, SIM_WAIT_BARRIER),
        .arithmetic_bound = is_bound_by_arithmetic(launch),
        .dealing_bound = strcmp(launch->bound, SIM_BOUND_DEALING) == 0,
        .sectors_gain = share(launch->gain_ns[SIM_MEND_SECTORS], launch->modelled_ns),
        .wavefronts_gain = share(launch->gain_ns[SIM_MEND_WAVEFRONTS], launch->modelled_ns),
        .lanes_gain = share(launch->gain_ns[SIM_MEND_LANES], launch->modelled_ns),
    };
    note_little(report, launch, &kernel);
    return kernel;
}

json_t *facts_of_kernel(const struct simgpu_report *report)
{
    const struct simgpu_launch *launch = longest(report);
    if (!launch)
        return json_null();
    struct judge_kernel kernel = kernel_of(report, launch);
    bool by_grid =
        resident_blocks(launch, report->multiprocessors) < launch->blocks_per_multiprocessor;
    json_t *object = json_pack("{s:s, s:s}", "limit", by_grid ? "grid" : launch->occupancy_limit,
                               "device", report->device);
#define SET(name) set(object, #name, kernel.name);
    JUDGE_KERNEL_FACTS(SET)
#undef SET
    return object;
}

/* --- The line --------------------------------------------------------------------------------- */

json_t *facts_of_line(const struct simgpu_line *line)
{
    const struct judge_line facts = {
        .load_width = width(&line->global_load),
        .store_width = width(&line->global_store),
        .load_apart = (double)line->global_load.neighbour_bytes,
        .store_apart = (double)line->global_store.neighbour_bytes,
        .lanes = share((double)line->lanes_on, (double)line->warp_instructions),
        .branches = (double)line->branches,
        .divergent = (double)line->divergent,
        .barriers = (double)line->barriers,
        .shared_requests = requests(&line->shared_load) + requests(&line->shared_store) +
                           requests(&line->shared_atomic),
        .spilled_words = (double)line->spilled_words,
    };
    json_t *object = json_object();
#define SET(name) set(object, #name, facts.name);
    JUDGE_LINE_FACTS(SET)
#undef SET
    return object;
}

/* --- Back ------------------------------------------------------------------------------------- */

void facts_read_kernel(const json_t *facts, struct judge_kernel *kernel)
{
#define READ(name) kernel->name = record_real(facts, #name);
    JUDGE_KERNEL_FACTS(READ)
#undef READ
}

void facts_read_line(const json_t *facts, struct judge_line *line)
{
#define READ(name) line->name = record_real(facts, #name);
    JUDGE_LINE_FACTS(READ)
#undef READ
}
