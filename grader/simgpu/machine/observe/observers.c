/* observers.c - which observers watch a launch, and when they are told of more than accesses. */
#include "heard.h"
#include "observers.h"
#include "sample.h"
#include "timing/fetched.h"
#include "timing/timing.h"
#include "touches.h"
#include "undefined.h"

#include <assert.h>

enum { ALL_SPACES = (1 << SPACES) - 1 };

/* spaces: a bit for each, 1 << SPACE_GLOBAL and so on. */
static void watch(struct watchers *watchers, const char *name, unsigned spaces,
                  enum looks_at looks_at,
                  void (*access)(const struct access *, struct site *))
{
    for (int space = 0; space < SPACES; space++)
        if (spaces >> space & 1) {
            assert(watchers->count[space] < MOST_OBSERVERS);
            watchers->by_space[space][watchers->count[space]++] =
                (struct observer){name, access, looks_at};
        }
}

bool observers_launch_init(struct launch *launch)
{
    if (launch->config.checks & SIM_CHECK_INITIALISED)
        watch(&launch->watchers, "initialised", ALL_SPACES, LOOKS_AT_VALUES,
              initialised_access);
    if (launch->config.checks & SIM_CHECK_RACES) {
        watch(&launch->watchers, "races", ALL_SPACES, LOOKS_AT_ORDER,
              races_access); /* atomics order, too */
        watch(&launch->watchers, "global races", 1 << SPACE_GLOBAL, LOOKS_AT_ORDER,
              global_races_access);
        if (launch->config.may_begin_early)
            watch(&launch->watchers, "early", 1 << SPACE_GLOBAL, LOOKS_AT_ORDER, early_access);
        if (launch->cluster_blocks > 1)
            watch(&launch->watchers, "cluster races", 1 << SPACE_SHARED | 1 << SPACE_CLUSTER,
                  LOOKS_AT_ORDER, cluster_races_access);
        if (!global_races_init(launch))
            return false;
    }
    if (launch->sample) {
        watch(&launch->watchers, "sample", 1 << SPACE_GLOBAL, LOOKS_AT_PLACES, sample_access);
        watch(&launch->watchers, "heard", 1 << SPACE_GLOBAL, LOOKS_AT_PLACES, heard_access);
    }
    if (!launch->config.count)
        return true;
    const unsigned shared = 1 << SPACE_SHARED | 1 << SPACE_CLUSTER;
    watch(&launch->watchers, "sectors", ALL_SPACES & ~(shared | 1 << SPACE_PARAM),
          LOOKS_AT_TRAFFIC, sectors_access);
    watch(&launch->watchers, "banks", shared, LOOKS_AT_TRAFFIC, banks_access);
    watch(&launch->watchers, "footprint", 1 << SPACE_GLOBAL, LOOKS_AT_TRAFFIC, footprint_access);
    if (!launch->sample)
        watch(&launch->watchers, "touches", 1 << SPACE_GLOBAL, LOOKS_AT_TRAFFIC, touches_access);
    watch(&launch->watchers, "contention", 1 << SPACE_GLOBAL, LOOKS_AT_TRAFFIC,
          contention_access);
    if (!launch->sample || !launch->config.sampling.untimed)
        launch->traces = traces_new(launch);
    return true;
}

void observers_launch_free(struct launch *launch)
{
    footprint_free(launch);
    contention_free(launch);
    touches_free(launch);
    fetched_free(launch);
    traces_free(launch->traces);
    global_races_free(launch);
}

void observers_launch_end(struct launch *launch)
{
    if (launch->global_races)
        global_races_end(launch);
}

bool observers_block_init(struct block *block)
{
    unsigned checks = block->launch->config.checks;
    return (!(checks & SIM_CHECK_INITIALISED) || initialised_block_init(block)) &&
           (!(checks & SIM_CHECK_RACES) ||
            (races_block_init(block) && (block->launch->cluster_blocks == 1 ||
                                         cluster_races_block_init(block))));
}

void observers_block_free(struct block *block)
{
    initialised_block_free(block);
    races_block_free(block);
    cluster_races_block_free(block);
}

void observers_block_start(struct block *block)
{
    if (block->shared_written)
        initialised_block_start(block);
    if (block->race_shadow)
        races_block_start(block);
    if (block->cluster_shadow)
        cluster_races_block_start(block);
}

void observers_block_end(struct block *block)
{
    fault_release(block);
}

void observers_barrier(struct block *block, uint32_t id, const lane_mask *arrived, bool of_all)
{
    if (block->launch->config.may_begin_early)
        early_barrier(block, arrived);
    if (block->race_shadow && races_barrier(block, id, arrived, of_all))
        fault_release(block);
}

void observers_arrive(struct warp *warp, uint32_t id)
{
    if (warp->block->race_shadow)
        races_arrive(warp, id);
}

void observers_warp_sync(struct warp *warp, lane_mask lanes)
{
    if (warp->block->race_shadow)
        races_warp_sync(warp, lanes);
}

void observers_fence(struct warp *warp, const struct op *op, lane_mask lanes)
{
    if (warp->block->race_shadow)
        races_fence(warp, op, lanes);
}

void observers_shuffled_absent(struct warp *warp, lane_mask lanes, const int *from)
{
    if (warp->undefined)
        undefined_from_absent(warp, lanes, from);
}

void observers_release(struct warp *warp, lane_mask lanes)
{
    if (warp->block->race_shadow)
        races_release(warp, lanes);
}

void observers_acquire(struct warp *warp, lane_mask lanes)
{
    if (warp->block->race_shadow)
        races_acquire(warp, lanes);
}

void observers_cluster_arrive(struct warp *warp, const struct op *op, lane_mask lanes)
{
    if (warp->block->race_shadow && !op->kind)
        races_release(warp, lanes);
}

void observers_cluster_wait(struct warp *warp, lane_mask lanes)
{
    if (warp->block->race_shadow)
        races_cluster_wait(warp, lanes);
}

void observers_cluster_met(struct block *block)
{
    if (block->cluster_shadow)
        cluster_races_met(block);
}

void observers_phase_over(struct block *block)
{
    if (block->cluster_shadow)
        cluster_races_phase_over(block);
}

void observers_issued(struct warp *warp, struct copy *arrival)
{
    if (warp->block->race_shadow)
        races_issued(warp, arrival);
}

void observers_arrived(struct warp *warp, const struct copy *arrival)
{
    if (warp->block->race_shadow)
        races_arrived(warp, arrival);
}

void observers_bulk_done(const struct bulk_copy *copy)
{
    if (copy->warp->block->race_shadow)
        races_bulk_done(copy);
}

void observers_bulk_left(const struct bulk_copy *copy)
{
    if (copy->warp->block->race_shadow)
        races_bulk_left(copy);
}

void observers_copied(struct warp *warp, const struct copy *copy, const struct copy *arrival)
{
    if (warp->block->race_shadow)
        races_copied(warp, copy, arrival);
}
