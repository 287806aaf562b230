/* global_races.c - observes global memory for accesses of one launch that nothing orders, byte by
 * byte: between blocks, warps of a block, and lanes of a warp.
 *
 * Threads of one block are ordered by what orders them in shared memory (races.c, clocks.c). In
 * most kernels nothing orders blocks. Then a byte that one block writes and another touches is a
 * race in whatever order they run, so several workers may run them at once; which race is told is
 * decided when all have ended, so that it is always the same one. In a kernel with fences, or with
 * atomics whose answers it uses, and in a cooperative launch, grid_order.h says what comes before
 * what; one worker runs its blocks, always in the same order, and the first race ends it.
 *
 * Each launch is watched by itself: its end orders it before everything that comes after. Launches
 * that nothing orders are held against each other by the device, which asks for their extents
 * (extent.c); what the host does meanwhile is not watched. Next: global_marks.c.
 */
#include "global_races.h"
#include "findings.h"
#include "lanes.h"
#include "queue.h"
#include "sample.h"

#include <stdlib.h>

static bool global_races_begin(struct launch *launch)
{
    struct global_races *races = launch->global_races = calloc(1, sizeof *races);
    if (!races)
        return false;
    pthread_mutex_init(&races->lock, NULL);
    races->launch = line_pool_begin(launch->context->machine->line_pool);
    races->shares_lines = launch->worker_count > 1;
    if (launch->config.cooperative || launch->function->orders_blocks ||
        launch->cluster_blocks > 1) {
        races->order = grid_order_new(launch->block_count, launch->warp_count);
        return races->order != NULL;
    }
    return true;
}

static void global_races_free(struct launch *launch)
{
    struct global_races *races = launch->global_races;
    if (!races)
        return;
    areas_free(launch);
    grid_order_free(races->order);
    pthread_mutex_destroy(&races->lock);
    free(races);
    launch->global_races = NULL;
}

void global_races_fence(struct warp *warp)
{
    struct block *block = warp->block;
    struct shadow *shadow = block->race_shadow;
    struct global_races *races = block->launch->global_races;
    if (races->order &&
        !grid_order_fence(races->order, block->number, warp->index, &shadow->clocks))
        global_races_short(races);
}

/* --- Accesses --------------------------------------------------------------------------------- */

/* The area of a piece of an access whose lanes fall into several allocations. */
static struct area *area_by_address(const struct access *access, uint64_t address)
{
    struct launch *launch = block_launch(access->warp);
    struct allocation *allocation = memory_find(launch->context, address);
    return allocation ? area_of(launch, allocation) : NULL;
}

/* Most accesses soon go on to the next lines, and those that an earlier launch used have left the
 * caches: handling this many lines takes about as long as fetching one. */
enum { AHEAD = 8 };

static bool visit_piece(const struct access *access, uint32_t what, const struct piece *piece,
                        struct area *area)
{
    struct launch *launch = block_launch(access->warp);
    uint64_t base = access->base - access->base % LINE_BYTES;
    uint64_t address = base + (uint64_t)((int64_t)piece->line * LINE_BYTES);
    if (!area)
        area = area_by_address(access, address + 4 * (uint64_t)__builtin_ctz(piece->words));
    struct line *line = area ? line_at(launch, area, address - area->address) : NULL;
    if (!line) {
        global_races_short(launch->global_races);
        return true;
    }
    __builtin_prefetch(line + AHEAD, 1);
    return marks_visit(access, what, piece, line, address);
}

static __attribute__((noinline)) struct pieces *pieces_new(const struct access *access)
{
    struct pieces *pieces = calloc(1, sizeof *pieces);
    if (pieces)
        pieces->what = mark_what_of(access);
    else
        global_races_short(block_launch(access->warp)->global_races);
    return pieces;
}

/* The pieces of the access: mostly those of one before. */
static const struct piece_list *pieces_of(const struct access *access, struct site *site)
{
    uint32_t offset = access->base % LINE_BYTES;
    const struct piece_list *list = &site->pieces->list[offset / (LINE_BYTES / 2)];
    if (list->age == access->shape->age && list->offset == offset && list->bytes == access->bytes)
        return list;
    return pieces_make(access, site);
}

/* Of a sampled launch, what comes last on a device may run first: see queue.h. */
static bool is_out_of_order(const struct access *access)
{
    const struct launch *launch = block_launch(access->warp);
    return launch->sample && access->allocation &&
           queue_holds(sample_queue(launch->sample), access->allocation);
}

static void global_races_access(const struct access *access, struct site *site)
{
    const struct allocation *allocation = access->allocation;
    struct pieces *pieces = site->pieces;
    if (is_out_of_order(access))
        return;
    if (!pieces && !(pieces = site->pieces = pieces_new(access)))
        return;
    const struct piece_list *list = pieces_of(access, site);
    if (allocation && (!pieces->area || pieces->area->address != allocation->address))
        pieces->area = area_of(block_launch(access->warp), allocation);
    struct area *area = allocation ? pieces->area : NULL;
    for (uint32_t i = 0; i < list->count; i++)
        if (!visit_piece(access, pieces->what, &list->piece[i], area))
            return;
}

/* --- Findings --------------------------------------------------------------------------------- */

static bool is_earlier(const struct finding *kept, const struct finding *finding)
{
    return kept->found && kept->second.block <= finding->second.block;
}

static void keep_lowest(struct global_races *races, const struct finding *finding)
{
    struct finding *kept = finding->is_remark ? &races->remark : &races->race;
    pthread_mutex_lock(&races->lock);
    if (!is_earlier(kept, finding))
        *kept = *finding;
    pthread_mutex_unlock(&races->lock);
}

/* True when the launch goes on: then it is noted with what else is found. */
static bool tell(struct launch *launch, const struct finding *finding)
{
    const struct finding_pair pair = {SIM_FAULT_RACE, finding->second.op, finding->first.op};
    struct sim_fault fault;
    report_tell(launch, finding, &fault);
    if (launch->config.keep_going && findings_add(launch, &pair, finding->second.block, &fault))
        return true;
    fault_record(launch, &fault);
    return false;
}

bool global_races_found(struct launch *launch, const struct finding *finding)
{
    struct global_races *races = launch->global_races;
    if (!races->order) {
        keep_lowest(races, finding);
        return true;
    }
    if (finding->is_remark) {
        races->remark = races->remark.found ? races->remark : *finding;
        return true;
    }
    return tell(launch, finding);
}

/* Races between blocks are reported first: they may be the cause of races within a block. */
static struct finding first_of(const struct launch *launch, bool is_remark)
{
    const struct global_races *races = launch->global_races;
    struct finding between = {0};
    if (races->any_marked)
        between = report_find(launch, is_remark);
    return between.found ? between : is_remark ? races->remark : races->race;
}

static void global_races_end(struct launch *launch)
{
    struct global_races *races = launch->global_races;
    struct finding race = first_of(launch, false);
    if (!launch->faulted && race.found)
        tell(launch, &race);
    struct finding remark = launch->faulted ? race : first_of(launch, true);
    if (!launch->faulted && remark.found)
        report_tell(launch, &remark, &races->remarked);
}

const struct sim_fault *sim_launch_remark(const struct launch *launch)
{
    const struct global_races *races = launch->global_races;
    return races && races->remarked.kind ? &races->remarked : NULL;
}

static bool global_races_wants(const struct launch *launch)
{
    return launch->config.checks & SIM_CHECK_RACES;
}

const struct observer observer_global_races = {
    .name = "global races",
    .spaces = 1 << SPACE_GLOBAL,
    .looks_at = LOOKS_AT_ORDER,
    .wants = global_races_wants,
    .launch_begin = global_races_begin,
    .launch_end = global_races_end,
    .launch_free = global_races_free,
    .access = global_races_access,
};
