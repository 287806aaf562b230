/* watch.c - tells somebody outside, step by step, what one warp of a launch does. */
#include "machine_internal.h"

#include <string.h>

bool watch_wants(const struct warp *warp)
{
    const struct sim_watch *watch = &block_launch(warp)->config.watch;
    return warp->index == watch->warp &&
           memcmp(warp->block->index, watch->block, sizeof watch->block) == 0;
}

uint32_t watch_depth(const struct warp *warp)
{
    uint32_t depth = 0;
    for (uint32_t parent = warp->split->parent; parent != NO_SPLIT;
         parent = warp->splits[parent].parent)
        depth++;
    return depth;
}

void watch_step(struct warp *warp, const struct op *op, lane_mask live, lane_mask mask,
                lane_mask active, uint32_t depth)
{
    const struct launch *launch = block_launch(warp);
    const struct module *module = launch->function->module;
    const struct op_info *info = &module->ops[op->id];
    const struct sim_step step = {.number = warp->watched_steps++,
                                  .line = module->lines[info->location],
                                  .ptx_line = info->ptx_line,
                                  .live = live,
                                  .mask = mask & live,
                                  .active = active & live,
                                  .depth = depth};
    warp->watched = launch->config.watch.step(launch->config.watch.context, &step);
}
