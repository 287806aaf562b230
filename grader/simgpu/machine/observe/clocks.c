/* clocks.c - vector clocks of the warps of a block, and of the lanes of a warp: clocks.h. */
#include "clocks.h"
#include "lanes.h"

#include <stdlib.h>

bool clocks_init(struct clocks *clocks, uint32_t warp_count)
{
    clocks->warp_count = warp_count;
    clocks->seen = calloc(warp_count, sizeof *clocks->seen);
    clocks->lanes = calloc(warp_count, sizeof *clocks->lanes);
    return clocks->seen && clocks->lanes;
}

void clocks_free(struct clocks *clocks)
{
    free(clocks->seen);
    free(clocks->lanes);
}

void clocks_start(struct clocks *clocks)
{
    memset(clocks->seen, 0, clocks->warp_count * sizeof *clocks->seen);
    memset(clocks->arrived, 0, sizeof clocks->arrived);
    memset(clocks->fenced, 0, sizeof clocks->fenced);
    memset(clocks->far, 0, sizeof clocks->far);
    memset(clocks->far_arrived, 0, sizeof clocks->far_arrived);
    clocks->far_fenced = (struct far){0};
    for (uint32_t w = 0; w < clocks->warp_count; w++) {
        clocks->seen[w][w] = 1;
        clocks->lanes[w].whole = 0;
        clocks->lanes[w].apart = false;
    }
}

static void learn(uint32_t *known, const uint32_t *more)
{
    FOR_LANES known[lane] = more[lane] > known[lane] ? more[lane] : known[lane];
}
_Static_assert((int)MOST_WARPS == (int)WARP_LANES, "learn serves both kinds of clocks");

static void learn_far(struct far *known, const struct far *more)
{
    known->acquired = more->acquired > known->acquired ? more->acquired : known->acquired;
    known->released = more->released > known->released ? more->released : known->released;
}

/* Lane clocks are used only once they say more than whole does. */
static struct lane_clocks *lanes_apart(struct clocks *clocks, uint32_t warp)
{
    struct lane_clocks *lanes = &clocks->lanes[warp];
    if (!lanes->apart) {
        memset(lanes->seen, 0, sizeof lanes->seen);
        memset(lanes->fenced, 0, sizeof lanes->fenced);
        lanes->apart = true;
    }
    return lanes;
}

void clocks_sync(struct clocks *clocks, uint32_t warp, lane_mask met, lane_mask live)
{
    uint32_t now = ++clocks->seen[warp][warp], known[WARP_LANES] = {0};
    if ((live & ~met) == 0) {
        clocks->lanes[warp].whole = now;
        return;
    }
    struct lane_clocks *lanes = lanes_apart(clocks, warp);
    FOR_ACTIVE (lane, met)
        learn(known, lanes->seen[lane]);
    FOR_ACTIVE (lane, met)
        known[lane] = now;
    FOR_ACTIVE (lane, met)
        memcpy(lanes->seen[lane], known, sizeof known);
}

void clocks_barrier(struct clocks *clocks, uint32_t id, const lane_mask *arrived,
                    const lane_mask *live)
{
    uint32_t known[MOST_WARPS];
    struct far far = clocks->far_arrived[id];
    memcpy(known, clocks->arrived[id], sizeof known);
    memset(clocks->arrived[id], 0, sizeof known);
    clocks->far_arrived[id] = (struct far){0};
    for (uint32_t w = 0; w < clocks->warp_count; w++)
        if (arrived[w]) {
            learn(known, clocks->seen[w]);
            learn_far(&far, &clocks->far[w]);
        }
    for (uint32_t w = 0; w < clocks->warp_count; w++) {
        if (!arrived[w])
            continue;
        memcpy(clocks->seen[w], known, sizeof known);
        clocks->far[w] = far;
        clocks_sync(clocks, w, arrived[w], live[w]);
    }
}

void clocks_arrive(struct clocks *clocks, uint32_t warp, uint32_t id)
{
    learn(clocks->arrived[id], clocks->seen[warp]);
    learn_far(&clocks->far_arrived[id], &clocks->far[warp]);
    clocks->seen[warp][warp]++;
}

void clocks_acquire(struct clocks *clocks, uint32_t warp, lane_mask fencing)
{
    struct lane_clocks *lanes = lanes_apart(clocks, warp);
    learn(clocks->seen[warp], clocks->fenced);
    learn_far(&clocks->far[warp], &clocks->far_fenced);
    FOR_ACTIVE (lane, fencing)
        learn(lanes->seen[lane], lanes->fenced);
}

void clocks_read(struct clocks *clocks, uint32_t warp, struct clock_reading *reading)
{
    uint32_t *seen = clocks->seen[warp];
    memcpy(reading->seen, seen, sizeof reading->seen);
    reading->far_acquired = clocks->far[warp].acquired;
    reading->far_released = clocks->far[warp].released;
    reading->now = ++seen[warp];
}

void clocks_put_down(struct clocks *clocks, uint32_t warp, lane_mask fencing,
                     const struct clock_reading *reading)
{
    struct lane_clocks *lanes = lanes_apart(clocks, warp);
    struct far far = {reading->far_acquired, reading->far_released};
    learn(clocks->fenced, reading->seen);
    learn_far(&clocks->far_fenced, &far);
    FOR_ACTIVE (lane, fencing)
        if (lanes->fenced[lane] < reading->now)
            lanes->fenced[lane] = reading->now;
}

void clocks_release(struct clocks *clocks, uint32_t warp, lane_mask fencing)
{
    struct clock_reading now;
    clocks_read(clocks, warp, &now);
    clocks_put_down(clocks, warp, fencing, &now);
}
