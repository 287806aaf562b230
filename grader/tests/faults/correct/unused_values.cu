// unused_values.cu - values that nobody has written, read and then thrown away: selected away,
// masked out, shuffled to lanes that do not look, held in tiles that are filled in part.
#include "correct.h"

#include <cuda_fp16.h>

namespace unused_values {

enum { THREADS = 64, WARPS = THREADS / 32, TILE = 16 };

static ints twice(const ints &in)
{
    return made_of(in.size(), [&](int i) { return 2 * in[i]; });
}

// The scan of shfl_scan: lanes whose warp does not exist read sums[lane], and add it to nothing.
__global__ void sums_of_warps_that_are_not(const int *in, int *out)
{
    __shared__ int s_sums[32];
    int i = threadIdx.x, lane = i % 32, value = in[i];
    for (int by = 1; by < 32; by *= 2) {
        int below = __shfl_up_sync(0xffffffff, value, by);
        value += lane >= by ? below : 0;
    }
    if (lane == 31)
        s_sums[i / 32] = value;
    __syncthreads();
    if (i < 32) {
        int sum = s_sums[lane];
        for (int by = 1; by < WARPS; by *= 2) {
            int below = __shfl_up_sync(0xffffffff, sum, by);
            sum += lane >= by ? below : 0;
        }
        s_sums[lane] = sum;
    }
    __syncthreads();
    out[i] = value + (i >= 32 ? s_sums[i / 32 - 1] : 0);
}

CORRECT(sums_of_warps_that_are_not)
{
    ints in = numbers(THREADS), sums(THREADS);
    for (int i = 0; i < THREADS; i++)
        sums[i] = in[i] + (i ? sums[i - 1] : 0);
    device_ints d_in(in), d_out(THREADS);
    sums_of_warps_that_are_not<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == sums;
}

__global__ void loaded_before_the_test(const int *in, int *out, int count)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    if (i < count)
        s_row[i] = in[i];
    __syncthreads();
    int value = s_row[i];
    if (i < count)
        out[i] = 2 * value;
}

CORRECT(loaded_before_the_test)
{
    ints in = numbers(50);
    device_ints d_in(in), d_out(50);
    loaded_before_the_test<<<1, THREADS>>>(d_in, d_out, 50);
    return d_out.values() == twice(in);
}

__global__ void selected_away(const int *in, int *out, int count)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    if (i < count)
        s_row[i] = in[i];
    __syncthreads();
    out[i] = i < count ? 2 * s_row[i] : 0;
}

CORRECT(selected_away)
{
    ints in = numbers(50);
    device_ints d_in(in), d_out(THREADS);
    selected_away<<<1, THREADS>>>(d_in, d_out, 50);
    return d_out.values() == made_of(THREADS, [&](int i) { return i < 50 ? 2 * in[i] : 0; });
}

__global__ void masked_by_product(const int *in, int *out, int count)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x, is_inside = i < count;
    if (is_inside)
        s_row[i] = in[i];
    __syncthreads();
    out[i] = is_inside * s_row[i];
}

CORRECT(masked_by_product)
{
    ints in = numbers(40);
    device_ints d_in(in), d_out(THREADS);
    masked_by_product<<<1, THREADS>>>(d_in, d_out, 40);
    return d_out.values() == made_of(THREADS, [&](int i) { return i < 40 ? in[i] : 0; });
}

__global__ void masked_by_bits(const int *in, int *out, int count)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x, mask = -(i < count);
    if (i < count)
        s_row[i] = in[i];
    __syncthreads();
    out[i] = (s_row[i] & mask) | (~mask & 7);
}

CORRECT(masked_by_bits)
{
    ints in = numbers(40);
    device_ints d_in(in), d_out(THREADS);
    masked_by_bits<<<1, THREADS>>>(d_in, d_out, 40);
    return d_out.values() == made_of(THREADS, [&](int i) { return i < 40 ? in[i] : 7; });
}

// Rows and columns past the matrix are multiplied like the others, and never stored.
__global__ void tile_filled_in_part(const int *a, const int *b, int *c, int n)
{
    __shared__ int s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, sum = 0;
    if (x < n && y < n) {
        s_a[y][x] = a[y * n + x];
        s_b[y][x] = b[y * n + x];
    }
    __syncthreads();
    for (int k = 0; k < n; k++)
        sum += s_a[y][k] * s_b[k][x];
    if (x < n && y < n)
        c[y * n + x] = sum;
}

CORRECT(tile_filled_in_part)
{
    const int n = 11;
    ints a = numbers(n * n), b = numbers(n * n);
    device_ints d_a(a), d_b(b), d_c(n * n);
    tile_filled_in_part<<<1, dim3(TILE, TILE)>>>(d_a, d_b, d_c, n);
    return d_c.values() == made_of(n * n, [&](int i) {
               int sum = 0;
               for (int k = 0; k < n; k++)
                   sum += a[i / n * n + k] * b[k * n + i % n];
               return sum;
           });
}

__global__ void transposed_at_the_edge(const int *in, int *out, int rows, int columns)
{
    __shared__ int s_tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    if (x < columns && y < rows)
        s_tile[y][x] = in[y * columns + x];
    __syncthreads();
    int value = s_tile[x][y];
    if (x < rows && y < columns)
        out[y * rows + x] = value;
}

CORRECT(transposed_at_the_edge)
{
    const int rows = 13, columns = 9;
    ints in = numbers(rows * columns);
    device_ints d_in(in), d_out(rows * columns);
    transposed_at_the_edge<<<1, dim3(TILE, TILE)>>>(d_in, d_out, rows, columns);
    return d_out.values() == made_of(rows * columns, [&](int i) {
               return in[i % rows * columns + i / rows];
           });
}

__global__ void shuffled_to_lanes_that_do_not_look(const int *in, int *out, int count)
{
    __shared__ int s_row[32];
    int i = threadIdx.x;
    if (i < count)
        s_row[i] = in[i];
    __syncwarp();
    int next = __shfl_down_sync(0xffffffff, s_row[i], 1);
    if (i + 1 < count)
        out[i] = next;
}

CORRECT(shuffled_to_lanes_that_do_not_look)
{
    ints in = numbers(20);
    device_ints d_in(in), d_out(19);
    shuffled_to_lanes_that_do_not_look<<<1, 32>>>(d_in, d_out, 20);
    return d_out.values() == made_of(19, [&](int i) { return in[i + 1]; });
}

__global__ void voted_without_them(const int *in, int *out, int count)
{
    __shared__ int s_row[32];
    int i = threadIdx.x;
    if (i < count)
        s_row[i] = in[i];
    __syncwarp();
    bool large = s_row[i] > 50;
    unsigned lanes = __ballot_sync(0xffffffff, large) & ((1u << count) - 1);
    if (i == 0)
        *out = __popc(lanes);
}

CORRECT(voted_without_them)
{
    ints in = numbers(20);
    int large = 0;
    for (int value : in)
        large += value > 50;
    device_ints d_in(in), d_out(1);
    voted_without_them<<<1, 32>>>(d_in, d_out, 20);
    return d_out.values()[0] == large;
}

__global__ void any_is_settled(const int *in, int *out)
{
    __shared__ int s_row[32];
    int i = threadIdx.x;
    if (i < 8)
        s_row[i] = in[i];
    __syncwarp();
    bool yes = i < 8 ? true : s_row[i] > 50;
    out[i] = __any_sync(0xffffffff, yes);
}

CORRECT(any_is_settled)
{
    device_ints d_in(numbers(8)), d_out(32);
    any_is_settled<<<1, 32>>>(d_in, d_out);
    return d_out.values() == ints(32, 1);
}

// A plane before the first one is kept in a register and never used.
__global__ void plane_before_the_first(const int *in, int *out, int planes)
{
    int i = threadIdx.x;
    int behind = in[i], here = in[THREADS + i];
    for (int k = 1; k + 1 < planes; k++) {
        int ahead = in[(k + 1) * THREADS + i];
        out[k * THREADS + i] = k == 1 ? here + ahead : behind + here + ahead;
        behind = here;
        here = ahead;
    }
}

CORRECT(plane_before_the_first)
{
    const int planes = 5;
    ints in = numbers(planes * THREADS);
    device_ints d_in(planes * THREADS), d_out(ints(planes * THREADS, 0));
    CHECK(cudaMemcpy(d_in + THREADS, in.data() + THREADS, (planes - 1) * THREADS * sizeof(int),
                     cudaMemcpyHostToDevice));
    plane_before_the_first<<<1, THREADS>>>(d_in, d_out, planes);
    return d_out.values() == made_of(planes * THREADS, [&](int i) {
               int k = i / THREADS;
               if (k == 0 || k == planes - 1)
                   return 0;
               return (k == 1 ? 0 : in[i - THREADS]) + in[i] + in[i + THREADS];
           });
}

__global__ void exchanged_before_it_was_written(int *out)
{
    __shared__ int s_flag;
    if (threadIdx.x == 0)
        atomicExch(&s_flag, 5);
    __syncthreads();
    out[threadIdx.x] = s_flag;
}

CORRECT(exchanged_before_it_was_written)
{
    device_ints d_out(THREADS);
    exchanged_before_it_was_written<<<1, THREADS>>>(d_out);
    return d_out.values() == ints(THREADS, 5);
}

__global__ void stored_by_exchange(const int *in, int *out)
{
    atomicExch(&out[threadIdx.x], in[threadIdx.x]);
}

CORRECT(stored_by_exchange)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    stored_by_exchange<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == in;
}

__global__ void lists_built_by_exchange(int *head, int *next)
{
    int i = threadIdx.x;
    next[i] = atomicExch(head, i);
}

CORRECT(lists_built_by_exchange)
{
    device_ints d_head(ints(1, -1)), d_next(THREADS);
    lists_built_by_exchange<<<1, THREADS>>>(d_head, d_next);
    ints next = d_next.values();
    int length = 0;
    for (int at = d_head.values()[0]; at >= 0; at = next[at])
        length++;
    return length == THREADS;
}

__global__ void halves_of_a_pair(const __half2 *in, int *out)
{
    __shared__ __half2 s_pairs[THREADS];
    int i = threadIdx.x;
    ((__half *)s_pairs)[2 * i] = __low2half(in[i]);
    __syncthreads();
    __half2 pair = __hadd2(s_pairs[i], s_pairs[i]);
    out[i] = (int)__half2float(__low2half(pair));
}

CORRECT(halves_of_a_pair)
{
    std::vector<__half2> in(THREADS);
    for (int i = 0; i < THREADS; i++)
        in[i] = __floats2half2_rn((float)i, -1.0f);
    device_array<__half2> d_in(in);
    device_ints d_out(THREADS);
    halves_of_a_pair<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return 2 * i; });
}

__global__ void vector_past_what_is_written(const int *in, int *out, int count)
{
    __shared__ int4 s_fours[THREADS / 4];
    int i = threadIdx.x;
    if (i < count)
        ((int *)s_fours)[i] = in[i];
    __syncthreads();
    if (i >= THREADS / 4)
        return;
    int4 four = s_fours[i];
    for (int k = 0; k < 4; k++)
        if (4 * i + k < count)
            out[4 * i + k] = 2 * (k == 0 ? four.x : k == 1 ? four.y : k == 2 ? four.z : four.w);
}

CORRECT(vector_past_what_is_written)
{
    ints in = numbers(53);
    device_ints d_in(in), d_out(53);
    vector_past_what_is_written<<<1, THREADS>>>(d_in, d_out, 53);
    return d_out.values() == twice(in);
}

__global__ void halo_of_the_last_block(const int *in, int *out, int count)
{
    __shared__ int s_row[THREADS + 2];
    int i = blockIdx.x * THREADS + threadIdx.x, at = threadIdx.x + 1;
    if (i < count)
        s_row[at] = in[i];
    if (threadIdx.x == 0 && i > 0)
        s_row[0] = in[i - 1];
    if (threadIdx.x == THREADS - 1 && i + 1 < count)
        s_row[THREADS + 1] = in[i + 1];
    __syncthreads();
    int left = s_row[at - 1], right = s_row[at + 1], sum = left + right;
    if (i > 0 && i + 1 < count)
        out[i] = sum;
}

CORRECT(halo_of_the_last_block)
{
    ints in = numbers(100);
    device_ints d_in(in), d_out(ints(100, 0));
    halo_of_the_last_block<<<2, THREADS>>>(d_in, d_out, 100);
    return d_out.values() == made_of(100, [&](int i) {
               return i > 0 && i < 99 ? in[i - 1] + in[i + 1] : 0;
           });
}

// The last of an odd number of threads has no neighbour, and does not use what it gets.
__global__ void neighbours_of_21(const int *in, int *out)
{
    int i = threadIdx.x;
    int next = __shfl_xor_sync(0xffffffff, in[i], 1), last = __shfl_sync(0xffffffff, in[i], i + 3);
    out[i] = in[i] + (i == 20 ? 0 : next) + (i + 3 < 21 ? last : 0);
}

CORRECT(neighbours_of_21)
{
    ints in = numbers(21);
    device_ints d_in(in), d_out(21);
    neighbours_of_21<<<1, 21>>>(d_in, d_out);
    return d_out.values() == made_of(21, [&](int i) {
               return in[i] + (i == 20 ? 0 : in[i ^ 1]) + (i + 3 < 21 ? in[i + 3] : 0);
           });
}

__global__ void sum_of_twenty(const int *in, int *out)
{
    int i = threadIdx.x, sum = in[i];
    for (int by = 16; by; by /= 2) {
        int other = __shfl_down_sync(0xffffffff, sum, by);
        if (i + by < 20)
            sum += other;
    }
    if (i == 0)
        *out = sum;
}

CORRECT(sum_of_twenty)
{
    ints in = numbers(20);
    int sum = 0;
    for (int value : in)
        sum += value;
    device_ints d_in(in), d_out(1);
    sum_of_twenty<<<1, 20>>>(d_in, d_out);
    return d_out.values()[0] == sum;
}

// Words of characters: those after the end are read, and the place of the first 0 hangs on none.
__device__ int length_of(const unsigned *words)
{
    for (int i = 0;; i++) {
        unsigned zeros = (words[i] - 0x01010101u) & ~words[i] & 0x80808080u;
        if (zeros)
            return 4 * i + (__ffs((int)zeros) - 1) / 8;
    }
}

__global__ void lengths_by_words(int *out)
{
    __shared__ unsigned s_words[THREADS][8];
    int i = threadIdx.x;
    char *text = (char *)s_words[i];
    for (int k = 0; k < i % 30; k++)
        text[k] = (char)('a' + k % 26);
    text[i % 30] = 0;
    int length = length_of(s_words[i]), most = length;
    for (int by = 16; by; by /= 2)
        most = max(most, __shfl_xor_sync(0xffffffff, most, by));
    out[i] = length < most ? length : most + 100;
}

CORRECT(lengths_by_words)
{
    device_ints d_out(THREADS);
    lengths_by_words<<<1, THREADS>>>(d_out);
    return d_out.values() ==
           made_of(THREADS, [](int i) { return i % 30 < 29 ? i % 30 : 129; });
}

} // namespace unused_values
