/* watch.c - tells the machine's wrapper, step by step, what one warp of a launch does. */
#include "machine_internal.h"

#include <stdlib.h>
#include <string.h>

static bool watch_wants(const struct launch *launch)
{
    return launch->config.watch.step;
}

/* What is kept is the number of steps so far. */
static bool watch_launch_begin(struct launch *launch)
{
    launch->own[OBSERVER_watch] = calloc(1, sizeof(uint64_t));
    return launch->own[OBSERVER_watch];
}

static void watch_launch_free(struct launch *launch)
{
    free(launch->own[OBSERVER_watch]);
}

static uint32_t watch_follows(const struct block *block)
{
    const struct sim_watch *watch = &block->launch->config.watch;
    bool is_block = memcmp(block->index, watch->block, sizeof watch->block) == 0;
    return is_block && watch->warp < MOST_WARPS ? UINT32_C(1) << watch->warp : 0;
}

static void watch_step(struct warp *warp, const struct step *step)
{
    const struct launch *launch = block_launch(warp);
    const struct module *module = launch->function->module;
    const struct op_info *info = &module->ops[step->op->id];
    uint64_t *steps = launch->own[OBSERVER_watch];
    const struct sim_step told = {.number = (*steps)++,
                                  .line = module->lines[info->location],
                                  .ptx_line = info->ptx_line,
                                  .live = step->live,
                                  .mask = step->mask & step->live,
                                  .active = step->active & step->live,
                                  .depth = step->depth};
    if (!launch->config.watch.step(launch->config.watch.context, &told))
        observer_leaves(warp, OBSERVER_watch);
}

const struct observer observer_watch = {.name = "watch",
                                        .wants = watch_wants,
                                        .launch_begin = watch_launch_begin,
                                        .launch_free = watch_launch_free,
                                        .follows = watch_follows,
                                        .step = watch_step};
