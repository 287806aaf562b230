/* regroup.c - sorts lanes, and chooses one of each warp.
 *
 * In the order of the sorted lanes, each 32 form a group. There is always a choice that takes one
 * lane from each warp and one from each group, since both have 32 lanes (a regular bipartite graph
 * has a perfect matching). It is found warp by warp; a later warp may send an earlier one to
 * another of its groups.
 */
#include "regroup.h"
#include "lanes.h"
#include "schedule.h"
#include "trace_words.h"

#include <stdlib.h>
#include <string.h>

struct lane_way {
    uint64_t blocks; /* a hash of the gathered basic blocks that it came to */
    uint64_t steps;  /* in them, instructions */
    uint32_t warp, lane;
};

struct regrouping {
    const struct module *module;
    const bool *gathered;
    struct lane_way *ways; /* of all lanes, sorted */
    lane_mask *visited;    /* by basic block: the warp's lanes that have been there */
    uint32_t warps;
    uint32_t *lane_of; /* by warp and group: 1 + the warp's lane in it; 0 without */
    uint32_t *warp_of; /* by group: 1 + the warp that has it; 0 without */
    bool *tried;       /* by group, in this search */
};

lane_mask regroup_lanes(const struct warp_trace *trace, uint32_t word, uint32_t *change)
{
    while (*change + 1 < trace->change_count && trace->changes[*change + 1].at <= word)
        (*change)++;
    return *change < trace->change_count ? trace->changes[*change].lanes : ALL_LANES;
}

/* --- What lanes do ---------------------------------------------------------------------------- */

static void add_visit(struct regrouping *regrouping, struct lane_way *ways, uint32_t id,
                      lane_mask lanes)
{
    const struct function *function = function_of_block(regrouping->module, id);
    uint32_t steps = function->blocks[id - function->first_block_id].count;
    uint64_t hash = (id + 1) * UINT64_C(0x9E3779B97F4A7C15);
    lane_mask fresh = lanes & ~regrouping->visited[id];
    regrouping->visited[id] |= lanes;
    FOR_ACTIVE (lane, lanes)
        ways[lane].steps += steps;
    FOR_ACTIVE (lane, fresh)
        ways[lane].blocks ^= hash ^ hash >> 29;
}

static void look_at_warp(struct regrouping *regrouping, const struct warp_trace *trace,
                         uint32_t warp)
{
    struct lane_way *ways = regrouping->ways + (size_t)warp * WARP_LANES;
    struct trace_item item;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        ways[lane] = (struct lane_way){.warp = warp, .lane = lane};
    memset(regrouping->visited, 0, regrouping->module->block_count * sizeof(lane_mask));
    for (uint32_t at = 0, word = 0, change = 0; trace_next(trace, &at, &item); word = at)
        if (item.tag == TRACE_ENTER && regrouping->gathered[item.value])
            add_visit(regrouping, ways, item.value, regroup_lanes(trace, word, &change));
}

static int by_way(const void *a, const void *b)
{
    const struct lane_way *x = a, *y = b;
    if (x->blocks != y->blocks)
        return x->blocks < y->blocks ? -1 : 1;
    if (x->steps != y->steps)
        return x->steps < y->steps ? -1 : 1;
    return x->warp != y->warp ? (x->warp > y->warp) - (x->warp < y->warp)
                              : (x->lane > y->lane) - (x->lane < y->lane);
}

/* --- One lane of each warp -------------------------------------------------------------------- */

/* Find a group for the warp; others may have to move on to another. */
static bool place(struct regrouping *regrouping, uint32_t warp)
{
    for (uint32_t group = 0; group < regrouping->warps; group++) {
        if (!regrouping->lane_of[warp * regrouping->warps + group] || regrouping->tried[group])
            continue;
        regrouping->tried[group] = true;
        uint32_t holder = regrouping->warp_of[group];
        if (holder && !place(regrouping, holder - 1))
            continue;
        regrouping->warp_of[group] = warp + 1;
        return true;
    }
    return false;
}

static void choose(struct regrouping *regrouping, int8_t *chosen)
{
    uint32_t warps = regrouping->warps;
    for (uint32_t i = 0; i < warps * WARP_LANES; i++) {
        const struct lane_way *way = &regrouping->ways[i];
        regrouping->lane_of[way->warp * warps + i / WARP_LANES] = way->lane + 1;
    }
    for (uint32_t warp = 0; warp < warps; warp++) {
        memset(regrouping->tried, 0, warps);
        place(regrouping, warp);
    }
    for (uint32_t group = 0; group < warps; group++) {
        uint32_t warp = regrouping->warp_of[group] - 1;
        chosen[warp] = (int8_t)(regrouping->lane_of[warp * warps + group] - 1);
    }
}

bool regroup(const struct module *module, const struct block_trace *block, const bool *gathered,
             int8_t *chosen)
{
    size_t warps = block->warp_count;
    struct regrouping regrouping = {
        .module = module, .gathered = gathered, .warps = block->warp_count};
    regrouping.ways = calloc(warps * WARP_LANES, sizeof *regrouping.ways);
    regrouping.visited = calloc(module->block_count + 1, sizeof *regrouping.visited);
    regrouping.lane_of = calloc(warps * warps, sizeof *regrouping.lane_of);
    regrouping.warp_of = calloc(warps, sizeof *regrouping.warp_of);
    regrouping.tried = calloc(warps, sizeof *regrouping.tried);
    bool made = regrouping.ways && regrouping.visited && regrouping.lane_of && regrouping.warp_of &&
                regrouping.tried;
    for (uint32_t i = 0; made && i < warps; i++)
        look_at_warp(&regrouping, &block->warps[i], i);
    if (made) {
        qsort(regrouping.ways, warps * WARP_LANES, sizeof *regrouping.ways, by_way);
        choose(&regrouping, chosen);
    }
    free(regrouping.ways);
    free(regrouping.visited);
    free(regrouping.lane_of);
    free(regrouping.warp_of);
    free(regrouping.tried);
    return made;
}
