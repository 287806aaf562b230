// warps.cu - lanes that exchange values and share memory with each other only.
#include "correct.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace warps {

namespace cg = cooperative_groups;
enum { LANES = 32 };
const unsigned ALL = 0xffffffff;

typedef void kernel(const int *in, int *out);

static ints run(kernel *launch, const ints &in, size_t out_count, unsigned threads = LANES)
{
    device_ints d_in(in), d_out(out_count);
    CHECK(cudaMemset(d_out, 0, out_count * sizeof(int)));
    launch<<<1, threads>>>(d_in, d_out);
    return d_out.values();
}

__global__ void neighbours_after_syncwarp(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    __syncwarp();
    out[i] = s_row[i ^ 1];
}

CORRECT(neighbours_after_syncwarp)
{
    ints in = numbers(LANES);
    return run(neighbours_after_syncwarp, in, LANES) ==
           made_of(LANES, [&](int i) { return in[i ^ 1]; });
}

__global__ void shifted_in_place(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    __syncwarp();
    for (int step = 0; step < 5; step++) {
        int next = s_row[(i + 1) % LANES];
        __syncwarp();
        s_row[i] = next;
        __syncwarp();
    }
    out[i] = s_row[i];
}

CORRECT(shifted_in_place)
{
    ints in = numbers(LANES);
    return run(shifted_in_place, in, LANES) ==
           made_of(LANES, [&](int i) { return in[(i + 5) % LANES]; });
}

__global__ void tree_in_shared_memory(const int *in, int *out)
{
    __shared__ int s_sum[2 * LANES];
    unsigned i = threadIdx.x;
    s_sum[i] = in[i];
    s_sum[i + LANES] = in[i + LANES];
    __syncwarp();
    for (unsigned half = LANES; half > 0; half /= 2) {
        int sum = i < half ? s_sum[i] + s_sum[i + half] : 0;
        __syncwarp();
        if (i < half)
            s_sum[i] = sum;
        __syncwarp();
    }
    if (i == 0)
        *out = s_sum[0];
}

CORRECT(tree_in_shared_memory)
{
    ints in = numbers(2 * LANES);
    return run(tree_in_shared_memory, in, 1)[0] == sum_of(in);
}

/* Lanes beyond the half read nothing that is written, so one __syncwarp() a level is enough. */
__global__ void tree_of_active_halves(const int *in, int *out)
{
    __shared__ int s_sum[2 * LANES];
    unsigned i = threadIdx.x;
    s_sum[i] = in[i];
    s_sum[i + LANES] = in[i + LANES];
    for (unsigned half = LANES; half > 0; half /= 2) {
        __syncwarp();
        if (i < half)
            s_sum[i] += s_sum[i + half];
    }
    if (i == 0)
        *out = s_sum[0];
}

CORRECT(tree_of_active_halves)
{
    ints in = numbers(2 * LANES);
    return run(tree_of_active_halves, in, 1)[0] == sum_of(in);
}

__global__ void sum_by_shuffle_down(const int *in, int *out)
{
    int sum = in[threadIdx.x];
    for (int by = LANES / 2; by > 0; by /= 2)
        sum += __shfl_down_sync(ALL, sum, by);
    if (threadIdx.x == 0)
        *out = sum;
}

CORRECT(sum_by_shuffle_down)
{
    ints in = numbers(LANES);
    return run(sum_by_shuffle_down, in, 1)[0] == sum_of(in);
}

__global__ void sum_of_half_a_warp(const int *in, int *out)
{
    if (threadIdx.x < 16) {
        int sum = in[threadIdx.x];
        for (int by = 8; by > 0; by /= 2)
            sum += __shfl_down_sync(0xffff, sum, by);
        if (threadIdx.x == 0)
            *out = sum;
    }
}

CORRECT(sum_of_half_a_warp)
{
    ints in = numbers(16);
    return run(sum_of_half_a_warp, in, 1)[0] == sum_of(in);
}

__global__ void sum_by_ballot_mask(const int *in, int *out)
{
    bool has = threadIdx.x < 24;
    unsigned mask = __ballot_sync(ALL, has);
    if (has) {
        int sum = in[threadIdx.x];
        for (int by = 8; by > 0; by /= 2)
            sum += __shfl_down_sync(mask, sum, by);
        if (threadIdx.x == 0)
            *out = sum;
    }
}

CORRECT(sum_by_ballot_mask)
{
    ints in = numbers(24);
    int sum = 0;
    for (int i = 0; i < 16; i++)
        sum += in[i];
    return run(sum_by_ballot_mask, in, 1)[0] == sum;
}

__global__ void butterfly(const int *in, int *out)
{
    int sum = in[threadIdx.x];
    for (int by = 1; by < LANES; by *= 2)
        sum += __shfl_xor_sync(ALL, sum, by);
    out[threadIdx.x] = sum;
}

CORRECT(butterfly)
{
    ints in = numbers(LANES);
    return run(butterfly, in, LANES) == ints(LANES, sum_of(in));
}

__global__ void butterflies_of_eight(const int *in, int *out)
{
    int sum = in[threadIdx.x];
    for (int by = 1; by < 8; by *= 2)
        sum += __shfl_xor_sync(ALL, sum, by, 8);
    out[threadIdx.x] = sum;
}

CORRECT(butterflies_of_eight)
{
    ints in = numbers(LANES);
    return run(butterflies_of_eight, in, LANES) == made_of(LANES, [&](int i) {
               int sum = 0;
               for (int k = 0; k < 8; k++)
                   sum += in[i / 8 * 8 + k];
               return sum;
           });
}

__global__ void scan_by_shuffle_up(const int *in, int *out)
{
    int sum = in[threadIdx.x];
    for (unsigned by = 1; by < LANES; by *= 2) {
        int below = __shfl_up_sync(ALL, sum, by);
        if (threadIdx.x >= by)
            sum += below;
    }
    out[threadIdx.x] = sum;
}

CORRECT(scan_by_shuffle_up)
{
    ints in = numbers(LANES), sums = in;
    for (int i = 1; i < LANES; i++)
        sums[i] += sums[i - 1];
    return run(scan_by_shuffle_up, in, LANES) == sums;
}

__global__ void each_side_its_own_mask(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    if (i < 12)
        out[i] = __shfl_sync(0x00000fff, in[i], 11 - (int)i);
    else
        out[i] = __shfl_sync(0xfffff000, in[i], 43 - (int)i);
}

CORRECT(each_side_its_own_mask)
{
    ints in = numbers(LANES);
    return run(each_side_its_own_mask, in, LANES) ==
           made_of(LANES, [&](int i) { return in[i < 12 ? 11 - i : 43 - i]; });
}

__global__ void a_mask_for_each_quarter(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x, mask = 0xffu << (i & 24);
    s_row[i] = in[i];
    __syncwarp(mask);
    out[i] = s_row[i ^ 7] + __shfl_xor_sync(mask, in[i], 4);
}

CORRECT(a_mask_for_each_quarter)
{
    ints in = numbers(LANES);
    return run(a_mask_for_each_quarter, in, LANES) ==
           made_of(LANES, [&](int i) { return in[i ^ 7] + in[i ^ 4]; });
}

__global__ void even_lanes_meet(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    out[i] = 0;
    if (i % 2 == 0) {
        s_row[i] = in[i];
        __syncwarp(0x55555555);
        out[i] = s_row[(i + 2) % LANES];
    }
}

CORRECT(even_lanes_meet)
{
    ints in = numbers(LANES);
    return run(even_lanes_meet, in, LANES) ==
           made_of(LANES, [&](int i) { return i % 2 ? 0 : in[(i + 2) % LANES]; });
}

/* Half meets half, and then all: what one half wrote first the other may read. */
__global__ void halves_and_then_all(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    __syncwarp(i < 16 ? 0x0000ffffu : 0xffff0000u);
    int near = s_row[i ^ 8];
    __syncwarp();
    out[i] = near + s_row[i ^ 16];
}

CORRECT(halves_and_then_all)
{
    ints in = numbers(LANES);
    return run(halves_and_then_all, in, LANES) ==
           made_of(LANES, [&](int i) { return in[i ^ 8] + in[i ^ 16]; });
}

/* Pairs meet, then pairs of pairs: each hands on what it knows of the others. */
__global__ void rings_that_widen(const int *in, int *out)
{
    __shared__ int s_sum[LANES];
    unsigned i = threadIdx.x;
    s_sum[i] = in[i];
    for (unsigned size = 2; size <= LANES; size *= 2) {
        unsigned mask = (size == LANES ? ALL : (1u << size) - 1) << (i / size * size);
        __syncwarp(mask);
        int sum = s_sum[i] + s_sum[i ^ (size / 2)];
        __syncwarp(mask);
        s_sum[i] = sum;
    }
    out[i] = s_sum[i];
}

CORRECT(rings_that_widen)
{
    ints in = numbers(LANES);
    return run(rings_that_widen, in, LANES) == ints(LANES, sum_of(in));
}

__global__ void one_place_by_active_mask(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    if (in[i] % 3 == 0) {
        unsigned active = __activemask();
        int leader = __ffs((int)active) - 1;
        int place = 0;
        if ((int)i == leader)
            place = atomicAdd(out, __popc(active));
        place = __shfl_sync(active, place, leader);
        out[1 + place + __popc(active & ((1u << i) - 1))] = in[i];
    }
}

CORRECT(one_place_by_active_mask)
{
    ints in = numbers(LANES), out = run(one_place_by_active_mask, in, LANES + 1);
    int count = 0, sum = 0, found = 0;
    for (int value : in)
        if (value % 3 == 0) {
            count++;
            sum += value;
        }
    for (int k = 1; k <= count; k++)
        found += out[k];
    return out[0] == count && found == sum;
}

__global__ void votes(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = (int)__ballot_sync(ALL, in[i] > 50) ^ (__any_sync(ALL, in[i] > 98) ? 1 : 0) ^
             (__all_sync(ALL, in[i] >= 0) ? 2 : 0);
}

CORRECT(votes)
{
    ints in = numbers(LANES);
    unsigned ballot = 0, any = 0;
    for (int i = 0; i < LANES; i++) {
        ballot |= in[i] > 50 ? 1u << i : 0;
        any |= in[i] > 98;
    }
    return run(votes, in, LANES) == ints(LANES, (int)(ballot ^ any ^ 2));
}

__global__ void equals_find_each_other(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = __popc(__match_any_sync(ALL, in[i] / 25));
}

CORRECT(equals_find_each_other)
{
    ints in = numbers(LANES);
    return run(equals_find_each_other, in, LANES) == made_of(LANES, [&](int i) {
               int count = 0;
               for (int value : in)
                   count += value / 25 == in[i] / 25;
               return count;
           });
}

__global__ void reductions_in_hardware(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = __reduce_add_sync(ALL, in[i]) - __reduce_max_sync(ALL, in[i]) +
             __reduce_min_sync(ALL, in[i]);
}

CORRECT(reductions_in_hardware)
{
    ints in = numbers(LANES);
    int least = in[0], most = in[0];
    for (int value : in) {
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    return run(reductions_in_hardware, in, LANES) == ints(LANES, sum_of(in) - most + least);
}

__global__ void tiles_of_four(const int *in, int *out)
{
    cg::thread_block_tile<4> tile = cg::tiled_partition<4>(cg::this_thread_block());
    __shared__ int s_row[2 * LANES];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    tile.sync();
    int sum = s_row[i ^ 3];
    for (int by = 2; by > 0; by /= 2)
        sum += tile.shfl_xor(sum, by);
    out[i] = sum;
}

CORRECT(tiles_of_four)
{
    ints in = numbers(2 * LANES);
    return run(tiles_of_four, in, 2 * LANES, 2 * LANES) == made_of(2 * LANES, [&](int i) {
               int first = i / 4 * 4;
               return in[first] + in[first + 1] + in[first + 2] + in[first + 3];
           });
}

__global__ void tiles_vote(const int *in, int *out)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    unsigned i = threadIdx.x;
    out[i] = (int)tile.ballot(in[i] & 1) + (tile.any(in[i] > 90) ? 1000 : 0);
}

CORRECT(tiles_vote)
{
    ints in = numbers(LANES);
    return run(tiles_vote, in, LANES) == made_of(LANES, [&](int i) {
               int votes = 0, any = 0;
               for (int k = 0; k < 8; k++) {
                   votes |= (in[i / 8 * 8 + k] & 1) << k;
                   any |= in[i / 8 * 8 + k] > 90;
               }
               return votes + (any ? 1000 : 0);
           });
}

__global__ void tiles_that_part(const int *in, int *out)
{
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    unsigned i = threadIdx.x;
    int value = in[i];
    if (tile.meta_group_rank() == 0)
        value = tile.shfl(value, 3);
    else
        value = tile.shfl_down(value, 1);
    out[i] = value;
}

CORRECT(tiles_that_part)
{
    ints in = numbers(LANES);
    return run(tiles_that_part, in, LANES) == made_of(LANES, [&](int i) {
               return i < 16 ? in[3] : in[i == 31 ? 31 : i + 1];
           });
}

__global__ void coalesced_group_of_a_branch(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = -1;
    if (in[i] % 2) {
        cg::coalesced_group odd = cg::coalesced_threads();
        out[i] = odd.shfl(in[i], odd.size() - 1 - odd.thread_rank());
    }
}

CORRECT(coalesced_group_of_a_branch)
{
    ints in = numbers(LANES), odd;
    for (int value : in)
        if (value % 2)
            odd.push_back(value);
    ints out = run(coalesced_group_of_a_branch, in, LANES);
    size_t rank = 0;
    for (int i = 0; i < LANES; i++)
        if (out[i] != (in[i] % 2 ? odd[odd.size() - 1 - rank] : -1))
            return false;
        else
            rank += in[i] % 2;
    return true;
}

__global__ void reduce_and_scan_of_a_group(const int *in, int *out)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned i = threadIdx.x;
    out[i] = cg::reduce(warp, in[i], cg::plus<int>()) - cg::exclusive_scan(warp, in[i]);
}

CORRECT(reduce_and_scan_of_a_group)
{
    ints in = numbers(LANES);
    return run(reduce_and_scan_of_a_group, in, LANES) == made_of(LANES, [&](int i) {
               int rest = 0;
               for (int k = i; k < LANES; k++)
                   rest += in[k];
               return rest;
           });
}

__global__ void early_return_of_whole_warps(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    if (i >= LANES)
        return;
    int sum = in[i];
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(ALL, sum, by);
    out[i] = sum;
}

CORRECT(early_return_of_whole_warps)
{
    ints in = numbers(LANES);
    return run(early_return_of_whole_warps, in, LANES, 3 * LANES) == ints(LANES, sum_of(in));
}

/* Lanes that have left may be named by a mask; only their values are nobody's. */
__global__ void left_lanes_are_not_asked(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    if (i >= 20)
        return;
    out[i] = __shfl_sync(ALL, in[i], ((int)i + 1) % 20) + __popc(__ballot_sync(ALL, in[i] > 10));
}

CORRECT(left_lanes_are_not_asked)
{
    ints in = numbers(20);
    int large = 0;
    for (int value : in)
        large += value > 10;
    return run(left_lanes_are_not_asked, in, 20) ==
           made_of(20, [&](int i) { return in[(i + 1) % 20] + large; });
}

__global__ void last_warp_of_twenty(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    __shared__ int s_row[52];
    s_row[i] = in[i];
    __syncwarp();
    out[i] = s_row[i ^ 1] + __reduce_add_sync(__activemask(), 1);
}

CORRECT(last_warp_of_twenty)
{
    ints in = numbers(52);
    return run(last_warp_of_twenty, in, 52, 52) ==
           made_of(52, [&](int i) { return in[i ^ 1] + (i < 32 ? 32 : 20); });
}

__global__ void sides_exchange_by_shuffle(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    int other;
    if (i & 1)
        other = __shfl_xor_sync(ALL, in[i] + 1, 1);
    else
        other = __shfl_xor_sync(ALL, in[i] - 1, 1);
    out[i] = other;
}

CORRECT(sides_exchange_by_shuffle)
{
    ints in = numbers(LANES);
    return run(sides_exchange_by_shuffle, in, LANES) ==
           made_of(LANES, [&](int i) { return in[i ^ 1] + (i & 1 ? -1 : 1); });
}

__global__ void a_lane_broadcasts_through_memory(const int *in, int *out)
{
    __shared__ int s_best;
    unsigned i = threadIdx.x;
    for (int round = 0; round < 3; round++) {
        if (i == (unsigned)round * 7)
            s_best = in[i];
        __syncwarp();
        out[round * LANES + i] = s_best;
        __syncwarp();
    }
}

CORRECT(a_lane_broadcasts_through_memory)
{
    ints in = numbers(LANES);
    return run(a_lane_broadcasts_through_memory, in, 3 * LANES) ==
           made_of(3 * LANES, [&](int i) { return in[i / LANES * 7]; });
}

__global__ void a_row_for_each_warp(const int *in, int *out)
{
    __shared__ int s_rows[4][LANES + 1];
    unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    s_rows[warp][lane] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = s_rows[warp][LANES - 1 - lane];
}

CORRECT(a_row_for_each_warp)
{
    ints in = numbers(4 * LANES);
    return run(a_row_for_each_warp, in, 4 * LANES, 4 * LANES) ==
           made_of(4 * LANES, [&](int i) { return in[i / LANES * LANES + LANES - 1 - i % LANES]; });
}

__global__ void odd_even_sort_of_a_warp(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    int mine = in[i];
    for (int step = 0; step < LANES; step++) {
        int partner = (int)(i + step) % 2 ? (int)i - 1 : (int)i + 1;
        bool has = partner >= 0 && partner < LANES;
        int other = __shfl_sync(ALL, mine, has ? partner : (int)i);
        if (has)
            mine = partner > (int)i ? min(mine, other) : max(mine, other);
    }
    out[i] = mine;
}

CORRECT(odd_even_sort_of_a_warp)
{
    ints out = run(odd_even_sort_of_a_warp, numbers(LANES), LANES);
    for (int i = 1; i < LANES; i++)
        if (out[i - 1] > out[i])
            return false;
    return sum_of(out) == sum_of(numbers(LANES));
}

__global__ void zero_seen_before_all_add(const int *in, int *out)
{
    __shared__ int s_sum;
    unsigned i = threadIdx.x;
    if (i == 0)
        s_sum = 0;
    __syncwarp();
    atomicAdd(&s_sum, in[i]);
    __syncwarp();
    out[i] = s_sum;
}

CORRECT(zero_seen_before_all_add)
{
    ints in = numbers(LANES);
    return run(zero_seen_before_all_add, in, LANES) ==
           made_of(LANES, [&](int) { return sum_of(in); });
}

/* Lanes of the second branch wait at its beginning, until those of the first need them. */
__global__ void halves_meet_from_two_branches(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    volatile int *row = out;
    if (in[i] < 50) {
        row[i] = in[i] + 1;
        __syncwarp();
    }
    __threadfence_block();
    if (in[i] >= 50) {
        row[i] = in[i] - 1;
        __syncwarp();
    }
    int other = row[i ^ 1];
    __syncwarp();
    row[i] = other;
}

CORRECT(halves_meet_from_two_branches)
{
    ints in = numbers(LANES);
    return run(halves_meet_from_two_branches, in, LANES) == made_of(LANES, [&](int i) {
               return in[i ^ 1] < 50 ? in[i ^ 1] + 1 : in[i ^ 1] - 1;
           });
}

__global__ void branches_vote_and_exchange(const int *in, int *out)
{
    unsigned i = threadIdx.x, votes = 0;
    int other = 0;
    if (i < 16) {
        if (i % 3 == 0) { // the next branch has the others of this half
            out[i] = 1;
            votes = __ballot_sync(0xffff, in[i] > 50);
        }
        __threadfence_block();
        if (i % 3 != 0) {
            out[i] = 2;
            votes = __ballot_sync(0xffff, in[i] > 50);
        }
    }
    __syncthreads();
    if (i & 1)
        other = __shfl_xor_sync(ALL, in[i], 1);
    __threadfence_block();
    if (!(i & 1))
        other = __shfl_xor_sync(ALL, in[i], 1); // may be done before the others look at theirs
    out[i] = (int)__popc(votes) + other;
}

CORRECT(branches_vote_and_exchange)
{
    ints in = numbers(LANES);
    int yes = 0;
    for (int i = 0; i < 16; i++)
        yes += in[i] > 50;
    return run(branches_vote_and_exchange, in, LANES) ==
           made_of(LANES, [&](int i) { return in[i ^ 1] + (i < 16 ? yes : 0); });
}

/* nvcc unrolls the loop: its copies, and the remainder's, have instructions of their own. */
__global__ void fewer_lanes_each_round(const int *in, int *out)
{
    unsigned i = threadIdx.x, rest = __ballot_sync(ALL, in[i] > 0);
    int count = in[i], sum = 0;
    while (count > 0) {
        sum += __shfl_sync(rest, count, __ffs((int)rest) - 1);
        --count;
        rest = __ballot_sync(rest, count > 0);
    }
    out[i] = sum;
}

CORRECT(fewer_lanes_each_round)
{
    ints in = made_of(LANES, [](int i) { return i * 5 % 11; }), expected(LANES, 0), left = in;
    for (bool any = true; any;) {
        int lead = 0;
        while (lead < LANES && left[lead] <= 0)
            lead++;
        any = lead < LANES;
        ints before = left;
        for (int i = 0; any && i < LANES; i++)
            if (before[i] > 0) {
                expected[i] += before[lead];
                left[i]--;
            }
    }
    return run(fewer_lanes_each_round, in, LANES) == expected;
}

/* barrier.sync is not aligned: lanes of a warp may come to several of it. */
__global__ void two_unaligned_barriers(const int *in, int *out)
{
    __shared__ int s_row[LANES];
    unsigned i = threadIdx.x;
    if (in[i] & 1) {
        s_row[i] = in[i] * 2;
        asm volatile("barrier.sync 0;" ::: "memory");
        out[i] = s_row[i ^ 1] + 1;
    } else {
        s_row[i] = in[i] * 3;
        asm volatile("barrier.sync 0;" ::: "memory");
        out[i] = s_row[i ^ 1] - 1;
    }
}

CORRECT(two_unaligned_barriers)
{
    ints in = numbers(LANES);
    return run(two_unaligned_barriers, in, LANES) == made_of(LANES, [&](int i) {
               return in[i ^ 1] * (in[i ^ 1] & 1 ? 2 : 3) + (in[i] & 1 ? 1 : -1);
           });
}

} // namespace warps
