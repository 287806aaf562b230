/* clocks.h - what warps, and lanes of a warp, have seen of each other's time.
 *
 * A warp's own time goes on with every barrier, warp sync and fence it passes. An access at time t
 * of warp w comes before one of warp v if v has seen w's time t: barriers hand on what each of the
 * warps that meet has seen (vector clocks, as in Lamport, and in FastTrack by Flanagan and Freund,
 * 2009). Within a warp the same holds for lanes. Fences hand on through the block: what a fence
 * puts down, each later fence picks up. That orders a little more than a device has to, so no false
 * race is reported.
 *
 * Of the fences of the whole grid, which are numbered, a warp knows two numbers that travel with
 * its clock: grid_order.h says what they mean.
 */
#ifndef SIM_CLOCKS_H
#define SIM_CLOCKS_H

#include "machine_internal.h"

struct lane_clocks {                       /* of the lanes of one warp */
    uint32_t whole;                        /* when all met last */
    bool apart;                            /* some have met without the others, or fenced */
    uint32_t seen[WARP_LANES][WARP_LANES]; /* of the second by the first; if apart */
    uint32_t fenced[WARP_LANES];           /* what fences have put down; if apart */
};

struct far { /* of the grid's fences: up to which one is seen; the latest that comes before */
    uint32_t acquired, released;
};

struct clocks {
    uint32_t warp_count;
    uint32_t (*seen)[MOST_WARPS];           /* of the second warp by the first */
    struct lane_clocks *lanes;              /* by warp */
    uint32_t arrived[BARRIERS][MOST_WARPS]; /* what warps saw that came without waiting */
    uint32_t fenced[MOST_WARPS];
    struct far far[MOST_WARPS];                   /* by warp */
    struct far far_arrived[BARRIERS], far_fenced; /* as arrived and fenced */
};

bool clocks_init(struct clocks *clocks, uint32_t warp_count);
void clocks_free(struct clocks *clocks);
void clocks_start(struct clocks *clocks);

/* Lanes arrived[w] of warp w, of live[w] that run, meet at a barrier of the block. */
void clocks_barrier(struct clocks *clocks, uint32_t id, const lane_mask *arrived,
                    const lane_mask *live);
void clocks_arrive(struct clocks *clocks, uint32_t warp, uint32_t id);
void clocks_sync(struct clocks *clocks, uint32_t warp, lane_mask lanes, lane_mask live);
/* Half a fence each: put down; pick up. */
void clocks_release(struct clocks *clocks, uint32_t warp, lane_mask lanes);
void clocks_acquire(struct clocks *clocks, uint32_t warp, lane_mask lanes);
/* A release in two steps: what comes before it is read off now, and put down when it is due. */
void clocks_read(struct clocks *clocks, uint32_t warp, struct clock_reading *reading);
void clocks_put_down(struct clocks *clocks, uint32_t warp, lane_mask lanes,
                     const struct clock_reading *reading);

static inline uint32_t clocks_now(const struct clocks *clocks, uint32_t warp)
{
    return clocks->seen[warp][warp];
}

/* How much of other's time warp has seen. */
static inline uint32_t clocks_seen(const struct clocks *clocks, uint32_t warp, uint32_t other)
{
    return clocks->seen[warp][other];
}

/* Has lane of warp met other since time? */
static inline bool clocks_met(const struct clocks *clocks, uint32_t warp, int lane, int other,
                              uint32_t time)
{
    const struct lane_clocks *lanes = &clocks->lanes[warp];
    return lanes->whole > time || (lanes->apart && lanes->seen[lane][other] > time);
}

#endif
