/* special.c - special registers (PTX ISA 10) and the functions nvcc leaves to the device. */
#include "drawn_pattern.h"
#include "lanes.h"
#include "opcode.h"
#include "prime_to.h"
#include "spin.h"

#include <stdlib.h>

/* clang-format off */
static const struct {
    const char *name;
    enum special special;
} NAMES[] = {
    {"%tid", SPECIAL_TID}, {"%ntid", SPECIAL_NTID}, {"%ctaid", SPECIAL_CTAID},
    {"%nctaid", SPECIAL_NCTAID}, {"%laneid", SPECIAL_LANEID}, {"%warpid", SPECIAL_WARPID},
    {"%nwarpid", SPECIAL_NWARPID}, {"%smid", SPECIAL_SMID}, {"%nsmid", SPECIAL_NSMID},
    {"%gridid", SPECIAL_GRIDID}, {"%clock", SPECIAL_CLOCK}, {"%clock_hi", SPECIAL_CLOCK_HI},
    {"%clock64", SPECIAL_CLOCK64}, {"%globaltimer", SPECIAL_GLOBALTIMER},
    {"%globaltimer_lo", SPECIAL_GLOBALTIMER_LO}, {"%globaltimer_hi", SPECIAL_GLOBALTIMER_HI},
    {"%lanemask_eq", SPECIAL_LANEMASK_EQ}, {"%lanemask_lt", SPECIAL_LANEMASK_LT},
    {"%lanemask_le", SPECIAL_LANEMASK_LE}, {"%lanemask_gt", SPECIAL_LANEMASK_GT},
    {"%lanemask_ge", SPECIAL_LANEMASK_GE}, {"%dynamic_smem_size", SPECIAL_DYNAMIC_SHARED},
    {"%total_smem_size", SPECIAL_TOTAL_SHARED},
    {"%reserved_smem_offset_1", SPECIAL_RESERVED_SHARED},
    /* a launch without clusters is one of clusters of one block */
    {"%clusterid", SPECIAL_CLUSTERID}, {"%nclusterid", SPECIAL_NCLUSTERID},
    {"%cluster_ctaid", SPECIAL_CLUSTER_CTAID}, {"%cluster_nctaid", SPECIAL_CLUSTER_NCTAID},
    {"%cluster_ctarank", SPECIAL_CLUSTER_RANK}, {"%cluster_nctarank", SPECIAL_CLUSTER_SIZE},
    {"%is_explicit_cluster", SPECIAL_IN_CLUSTER},
};
/* clang-format on */

enum special special_named(const char *name, uint32_t component, int64_t *number)
{
    if (strncmp(name, "%envreg", 7) == 0) {
        *number = atoi(name + 7);
        return SPECIAL_ENVREG;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i].name, name) == 0) {
            bool three = NAMES[i].special <= SPECIAL_CLUSTER_NCTAID;
            if (three && component == 3)
                return SPECIAL_ZERO; /* the w of a dim3 */
            return NAMES[i].special + (three ? component : 0);
        }
    return SPECIAL_UNKNOWN;
}

/* The simulated clock has to rise, and about as fast as a device's does for a warp alone, since
 * programs wait by it. These are the cycles from one instruction to the next, and those of reading
 * the clock. */
enum { STEP_TICKS = 4, READ_TICKS = 20 };

static __attribute__((noinline)) uint64_t clock_ticks(struct warp *warp)
{
    struct worker *worker = warp->worker;
    warp_asks(warp);
    uint64_t reads = worker->clock_stands ? worker->clock_reads + 1 : ++worker->clock_reads;
    return STEP_TICKS * (worker->steps + warp->steps) + READ_TICKS * reads + worker->skipped_ticks;
}

uint64_t clock_now(const struct worker *worker)
{
    return STEP_TICKS * worker->steps + READ_TICKS * worker->clock_reads + worker->skipped_ticks;
}

static uint64_t timer_ns(struct warp *warp)
{
    return block_launch(warp)->config.start_ns + clock_ticks(warp) / TICKS_PER_NS;
}

/* A device's clock has counted for days when a kernel begins: ours has since some moment of the
 * last weeks, by the time of day. Where no time of day was set, it begins at 0. */
static uint64_t clock_shown(struct warp *warp)
{
    const uint64_t WEEKS_NS = UINT64_C(1) << 50;
    uint64_t before_ns = block_launch(warp)->config.start_ns % WEEKS_NS;
    return before_ns * TICKS_PER_NS + clock_ticks(warp);
}

/* Words 1 and 2 of the environment hold the address of a cooperative grid's workspace, which
 * grid.sync() in cooperative_groups.h finds its barrier in. */
static uint64_t environment(const struct warp *warp, int64_t number)
{
    uint64_t workspace = block_launch(warp)->grid_sync_workspace;
    return number == 1 ? workspace >> 32 : number == 2 ? (uint32_t)workspace : 0;
}

/* A program may ask where a block runs, but must not rely on it. In the plain order, blocks are
 * dealt out in turn, and warps are numbered as in their block. With a seed a block may run
 * anywhere, as on a device: the number of the multiprocessor and the slots of the block's warps are
 * drawn. Blocks of one multiprocessor stay together. */
static uint64_t drawn_for(const struct launch *launch, uint64_t what)
{
    const struct sim_launch_config *config = &launch->config;
    uint64_t seed = config->seed + 3 * config->approximation_seed + 7 * config->sampling.seed;
    return seed ? sim_stream_word(seed, what) >> 16 : 0;
}

/* The number of a launch. With a seed, each block sees a different one: a kernel that is slow only
 * in every second launch might otherwise be timed in the other. No correct program depends on the
 * number. */
static uint64_t launch_number(const struct block *block)
{
    const uint64_t WHAT = 2 + block->number, MOST_BEFORE = 0xFFFF;
    return block->launch->serial + (drawn_for(block->launch, WHAT) & MOST_BEFORE);
}

/* The block's place, multiplied by a number that is coprime to the count of multiprocessors, and
 * shifted. */
static uint64_t multiprocessor_of(const struct block *block)
{
    uint64_t count = block->launch->context->machine->profile.multiprocessors;
    uint64_t at = block->number % count, drawn = drawn_for(block->launch, 0);
    uint64_t step = prime_to(count, 1 + drawn % count);
    return drawn ? (at * step + drawn / count) % count : at;
}

static uint64_t slot_of(const struct warp *warp)
{
    const struct launch *launch = block_launch(warp);
    const struct sim_profile *profile = &launch->context->machine->profile;
    uint64_t drawn = drawn_for(launch, 1), slots = profile->warps / launch->warp_count;
    uint64_t turn = warp->block->number / profile->multiprocessors;
    uint64_t first = drawn && slots ? (turn + drawn) % slots * launch->warp_count : 0;
    return first + warp->index;
}

/* A lane that stands for a block of its own is that block's first thread. */
static int lane_in_block(const struct warp *warp, int lane)
{
    return warp->block->lanes ? 0 : lane;
}

static uint32_t block_index(const struct warp *warp, unsigned axis, int lane)
{
    const struct block_lanes *lanes = warp->block->lanes;
    return lanes ? lanes->index[axis][lane] : warp->block->index[axis];
}

/* clang-format off */
static uint64_t value_of(struct warp *warp, const struct op *op, int lane)
{
    const struct launch *launch = block_launch(warp);
    const struct sim_profile *profile = &launch->context->machine->profile;
    unsigned axis = op->kind % 3;
    int own = lane_in_block(warp, lane);
    switch (op->kind) {
    case SPECIAL_TID: case SPECIAL_TID + 1: case SPECIAL_TID + 2: return warp->tid[axis][lane];
    case SPECIAL_NTID: case SPECIAL_NTID + 1: case SPECIAL_NTID + 2:
        return launch->config.block[axis];
    case SPECIAL_CTAID: case SPECIAL_CTAID + 1: case SPECIAL_CTAID + 2:
        return block_index(warp, axis, lane);
    case SPECIAL_NCTAID: case SPECIAL_NCTAID + 1: case SPECIAL_NCTAID + 2:
        return launch->config.grid[axis];
    case SPECIAL_CLUSTERID: case SPECIAL_CLUSTERID + 1: case SPECIAL_CLUSTERID + 2:
        return block_index(warp, axis, lane) / launch->cluster[axis];
    case SPECIAL_NCLUSTERID: case SPECIAL_NCLUSTERID + 1: case SPECIAL_NCLUSTERID + 2:
        return launch->config.grid[axis] / launch->cluster[axis];
    case SPECIAL_CLUSTER_CTAID: case SPECIAL_CLUSTER_CTAID + 1: case SPECIAL_CLUSTER_CTAID + 2:
        return warp->block->index[axis] % launch->cluster[axis];
    case SPECIAL_CLUSTER_NCTAID: case SPECIAL_CLUSTER_NCTAID + 1: case SPECIAL_CLUSTER_NCTAID + 2:
        return launch->cluster[axis];
    case SPECIAL_CLUSTER_RANK: return warp->block->rank;
    case SPECIAL_CLUSTER_SIZE: return launch->cluster_blocks;
    case SPECIAL_IN_CLUSTER: return launch->is_clustered;
    case SPECIAL_LANEID: return (uint64_t)own;
    case SPECIAL_WARPID: return slot_of(warp);
    case SPECIAL_NWARPID: return profile->warps;
    case SPECIAL_SMID: return multiprocessor_of(warp->block);
    case SPECIAL_NSMID: return profile->multiprocessors;
    case SPECIAL_GRIDID: return launch_number(warp->block);
    case SPECIAL_CLOCK: return (uint32_t)clock_shown(warp);
    case SPECIAL_CLOCK_HI: return clock_shown(warp) >> 32;
    case SPECIAL_CLOCK64: return clock_shown(warp);
    case SPECIAL_GLOBALTIMER: return timer_ns(warp);
    case SPECIAL_GLOBALTIMER_LO: return (uint32_t)timer_ns(warp);
    case SPECIAL_GLOBALTIMER_HI: return timer_ns(warp) >> 32;
    case SPECIAL_LANEMASK_EQ: return UINT32_C(1) << own;
    case SPECIAL_LANEMASK_LT: return (UINT32_C(1) << own) - 1;
    case SPECIAL_LANEMASK_LE: return (UINT64_C(2) << own) - 1;
    case SPECIAL_LANEMASK_GT: return (uint32_t)(UINT64_MAX << (own + 1));
    case SPECIAL_LANEMASK_GE: return (uint32_t)(UINT64_MAX << own);
    case SPECIAL_DYNAMIC_SHARED: return launch->config.dynamic_shared_bytes;
    case SPECIAL_TOTAL_SHARED: /* in units of an allocation: 128 bytes on an H200 */
        return (launch->shared_bytes - launch->reserved_bytes + 127) / 128 * 128;
    case SPECIAL_RESERVED_SHARED: return launch->shared_bytes - launch->reserved_bytes;
    case SPECIAL_ENVREG: return environment(warp, op->offset);
    default: return 0;
    }
}
/* clang-format on */

_Static_assert(SPECIAL_TID % 3 == 0, "value_of takes the axis from the number");

/* Which special registers differ from lane to lane. */
static bool is_per_lane(uint8_t special)
{
    return special < SPECIAL_NTID || special == SPECIAL_LANEID ||
           (special >= SPECIAL_LANEMASK_EQ && special <= SPECIAL_LANEMASK_GE);
}

static __attribute__((noinline)) void mov_per_lane(struct warp *warp, const struct op *op,
                                                   lane_mask active)
{
    VECTOR uint64_t values[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
        values[lane] = value_of(warp, op, lane);
    if (op->dst_bytes == 8)
        WRITE_LANES(uint64_t, values[lane]);
    else if (op->dst_bytes == 4)
        WRITE_LANES(uint32_t, values[lane]);
    else
        WRITE_LANES(uint16_t, values[lane]);
}

/* Nearly every kernel begins with threadIdx, blockDim and blockIdx: these take a fast path. */
HANDLER(mov_special)
{
    uint64_t same;
    unsigned axis = op->kind % 3;
    if (op->dst == NO_REGISTER)
        return;
    if (op->kind < SPECIAL_NTID && op->dst_bytes == 4 && covers(warp, active)) {
        memcpy(reg(warp, op->dst), warp->tid[axis], WARP_LANES * sizeof(uint32_t));
        return;
    }
    if (is_per_lane(op->kind) || warp->block->lanes) {
        mov_per_lane(warp, op, active);
        return;
    }
    if (op->kind - axis == SPECIAL_CTAID)
        same = warp->block->index[axis];
    else if (op->kind - axis == SPECIAL_NTID)
        same = block_launch(warp)->config.block[axis];
    else
        same = value_of(warp, op, 0);
    spread_lanes(warp, op->dst, active, same, op->dst_bytes);
}

/* Before PTX 2.0, special registers had 16 bits, and cvt read them. */
HANDLER(cvt_special)
{
    VECTOR uint64_t values[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
        values[lane] = value_of(warp, op, lane) & 0xFFFF;
    if (op->dst_bytes == 8)
        WRITE_LANES(uint64_t, values[lane]);
    else
        WRITE_LANES(uint32_t, values[lane]);
}

HANDLER(mov_special_pred)
{
    WRITE_PREDICATE(op->dst, value_of(warp, op, 0) ? ALL_LANES : 0);
}

enum intrinsic intrinsic_named(const char *name)
{
    static const struct {
        const char *name;
        enum intrinsic intrinsic;
    } INTRINSICS[] = {{"vprintf", INTRINSIC_PRINTF},
                      {"__assertfail", INTRINSIC_ASSERT},
                      {"malloc", INTRINSIC_MALLOC},
                      {"free", INTRINSIC_FREE},
                      {"cudaGraphSetConditional", INTRINSIC_SET_CONDITION}};
    for (size_t i = 0; i < sizeof INTRINSICS / sizeof *INTRINSICS; i++)
        if (strcmp(INTRINSICS[i].name, name) == 0)
            return INTRINSICS[i].intrinsic;
    return INTRINSIC_NONE;
}
