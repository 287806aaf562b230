// structures.cu - structures that are copied with their padding and with members that nobody has
// set; bit fields and unions; local arrays that are filled in part. make faults runs these a second
// time as nvcc -G builds them: there a structure goes through local memory, a few bytes at a time.
#include "correct.h"

#include <cstdint>
#include <curand_kernel.h>

namespace structures {

enum { THREADS = 64 };

struct padded {
    char kind;
    int value;
    char last;
};

__global__ void fill_padded(padded *out)
{
    int i = threadIdx.x;
    out[i].kind = (char)i;
    out[i].value = 10 * i;
    out[i].last = 1;
}

__global__ void copy_padded(const padded *in, padded *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

CORRECT(padding_of_a_structure)
{
    device_array<padded> d_in(THREADS), d_out(THREADS);
    fill_padded<<<1, THREADS>>>(d_in);
    copy_padded<<<1, THREADS>>>(d_in, d_out);
    std::vector<padded> out = d_out.values();
    bool right = true;
    for (int i = 0; i < THREADS; i++)
        right &= out[i].kind == (char)i && out[i].value == 10 * i && out[i].last == 1;
    return right;
}

__global__ void copy_by_way_of_shared(const padded *in, padded *out)
{
    __shared__ padded s_all[THREADS];
    int i = threadIdx.x;
    s_all[i] = in[i];
    __syncthreads();
    padded mine = s_all[THREADS - 1 - i];
    mine.last = 2;
    out[i] = mine;
}

CORRECT(padding_by_way_of_shared_memory)
{
    device_array<padded> d_in(THREADS), d_out(THREADS);
    fill_padded<<<1, THREADS>>>(d_in);
    copy_by_way_of_shared<<<1, THREADS>>>(d_in, d_out);
    std::vector<padded> out = d_out.values();
    bool right = true;
    for (int i = 0; i < THREADS; i++)
        right &= out[i].value == 10 * (THREADS - 1 - i) && out[i].last == 2;
    return right;
}

struct loose {
    char kind;
    int value;
    short part;
    double wide;
};

/* As cooperative copies do it: the structures of all threads are so many words. */
template <class word> __global__ void copied_by_the_block(word *out)
{
    __shared__ loose s_all[THREADS];
    unsigned i = threadIdx.x;
    s_all[i].kind = (char)i;
    s_all[i].value = 2 * (int)i;
    s_all[i].part = (short)(3 * i);
    s_all[i].wide = i + 0.5;
    __syncthreads();
    for (unsigned k = i; k < sizeof s_all / sizeof(word); k += THREADS)
        out[k] = ((const word *)s_all)[k];
}

template <class word> static bool is_copied_by_the_block()
{
    device_array<loose> d_out(THREADS);
    copied_by_the_block<<<1, THREADS>>>((word *)(loose *)d_out);
    std::vector<loose> out = d_out.values();
    bool right = true;
    for (int i = 0; i < THREADS; i++)
        right &= out[i].kind == i && out[i].value == 2 * i && out[i].part == 3 * i &&
                 out[i].wide == i + 0.5;
    return right;
}

CORRECT(structures_copied_as_words)
{
    return is_copied_by_the_block<int>();
}

CORRECT(structures_copied_as_bytes)
{
    return is_copied_by_the_block<char>();
}

struct state {
    unsigned seed, count;
    float spare; /* nobody sets it before has_spare */
    double wide_spare;
    int has_spare;
};

__global__ void make_states(state *states)
{
    int i = threadIdx.x;
    states[i].seed = (unsigned)i;
    states[i].count = 0;
    states[i].has_spare = 0;
}

__global__ void step_states(state *states, int *out)
{
    state mine = states[threadIdx.x];
    mine.seed = mine.seed * 1664525u + 1013904223u;
    mine.count++;
    if (mine.has_spare)
        mine.seed += (unsigned)mine.spare;
    out[threadIdx.x] = (int)(mine.seed >> 16);
    states[threadIdx.x] = mine;
}

CORRECT(members_that_nobody_has_set)
{
    device_array<state> d_states(THREADS);
    device_ints d_out(THREADS);
    make_states<<<1, THREADS>>>(d_states);
    for (int i = 0; i < 3; i++)
        step_states<<<1, THREADS>>>(d_states, d_out);
    return d_out.values() == made_of(THREADS, [](int i) {
               unsigned seed = (unsigned)i;
               for (int k = 0; k < 3; k++)
                   seed = seed * 1664525u + 1013904223u;
               return (int)(seed >> 16);
           });
}

template <class State> __global__ void seed(State *states)
{
    curand_init(42, threadIdx.x, 0, &states[threadIdx.x]);
}

template <class State> __global__ void draw(State *states, float *out)
{
    State mine = states[threadIdx.x];
    float sum = curand_uniform(&mine);
    sum += curand_uniform(&mine);
    out[threadIdx.x] = sum;
    states[threadIdx.x] = mine;
}

template <class State> static bool draws_alike()
{
    device_array<State> d_states(THREADS);
    device_array<float> d_out(THREADS);
    seed<<<1, THREADS>>>((State *)d_states);
    draw<<<1, THREADS>>>((State *)d_states, (float *)d_out);
    draw<<<1, THREADS>>>((State *)d_states, (float *)d_out);
    std::vector<float> out = d_out.values();
    bool right = true;
    for (float value : out)
        right &= value > 0 && value <= 2;
    return right;
}

CORRECT(generator_of_philox)
{
    return draws_alike<curandStatePhilox4_32_10_t>();
}

CORRECT(generator_of_xorwow)
{
    return draws_alike<curandState>();
}

__global__ void draw_normal(curandStatePhilox4_32_10_t *states, float *out)
{
    curandStatePhilox4_32_10_t mine = states[threadIdx.x];
    out[threadIdx.x] = curand_normal(&mine);
    states[threadIdx.x] = mine;
}

CORRECT(generator_with_a_spare_number)
{
    device_array<curandStatePhilox4_32_10_t> d_states(THREADS);
    device_array<float> d_out(THREADS);
    seed<<<1, THREADS>>>((curandStatePhilox4_32_10_t *)d_states);
    draw_normal<<<1, THREADS>>>(d_states, d_out);
    draw_normal<<<1, THREADS>>>(d_states, d_out);
    std::vector<float> out = d_out.values();
    return out[0] > -20 && out[0] < 20;
}

struct fields {
    unsigned low : 3, middle : 9, high : 20;
};

__global__ void set_some_fields(fields *all)
{
    all[threadIdx.x].low = threadIdx.x % 8;
    all[threadIdx.x].middle = threadIdx.x * 3;
}

__global__ void use_some_fields(const fields *all, int *out)
{
    out[threadIdx.x] = all[threadIdx.x].low + 10 * all[threadIdx.x].middle;
}

CORRECT(bit_fields_set_one_by_one)
{
    device_array<fields> d_all(THREADS);
    device_ints d_out(THREADS);
    set_some_fields<<<1, THREADS>>>(d_all);
    use_some_fields<<<1, THREADS>>>(d_all, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return i % 8 + 30 * i; });
}

__global__ void fields_in_a_word(int *out)
{
    __shared__ unsigned s_flags[THREADS];
    int i = threadIdx.x;
    s_flags[i] = (s_flags[i] & ~3u) | (i & 3);
    __syncthreads();
    out[i] = s_flags[i ^ 1] & 3;
}

CORRECT(two_bits_of_a_word)
{
    device_ints d_out(THREADS);
    fields_in_a_word<<<1, THREADS>>>(d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return (i ^ 1) & 3; });
}

union either {
    long long whole;
    struct {
        int low, high;
    } parts;
    unsigned char bytes[8];
};

__global__ void use_one_part(either *all, int *out)
{
    int i = threadIdx.x;
    either mine = all[i];
    mine.parts.low = i;
    all[i] = mine;
    out[i] = (int)(mine.whole & 0xffffffff) + mine.bytes[1];
}

CORRECT(one_part_of_a_union)
{
    device_array<either> d_all(THREADS);
    device_ints d_out(THREADS);
    use_one_part<<<1, THREADS>>>(d_all, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return i; });
}

__global__ void first_few_of_an_array(const int *in, int *out, int count)
{
    int kept[8], i = threadIdx.x, used = 0;
    for (int k = 0; k < count; k++)
        if (in[k] > i)
            kept[used++ % 8] = in[k];
    int sum = 0;
    for (int k = 0; k < used && k < 8; k++)
        sum += kept[k];
    out[i] = sum;
}

CORRECT(first_few_of_a_local_array)
{
    ints in = numbers(6);
    device_ints d_in(in), d_out(THREADS);
    first_few_of_an_array<<<1, THREADS>>>(d_in, d_out, 6);
    return d_out.values() == made_of(THREADS, [&](int i) {
               int sum = 0;
               for (int value : in)
                   sum += value > i ? value : 0;
               return sum;
           });
}

struct shape {
    int count;
    int points[6];
};

__device__ __noinline__ shape smaller(shape from, int by)
{
    shape made;
    made.count = from.count - by;
    for (int i = 0; i < made.count; i++)
        made.points[i] = from.points[i];
    return made;
}

__global__ void passed_by_value(int *out)
{
    shape mine;
    mine.count = 3 + threadIdx.x % 2;
    for (int i = 0; i < mine.count; i++)
        mine.points[i] = i + threadIdx.x;
    shape less = smaller(mine, 1);
    int sum = 0;
    for (int i = 0; i < less.count; i++)
        sum += less.points[i];
    out[threadIdx.x] = sum;
}

CORRECT(structures_passed_by_value)
{
    device_ints d_out(THREADS);
    passed_by_value<<<1, THREADS>>>(d_out);
    return d_out.values() == made_of(THREADS, [](int i) {
               int count = 2 + i % 2;
               return count * i + count * (count - 1) / 2;
           });
}

__global__ void store_shapes(shape *all)
{
    shape mine;
    mine.count = 2;
    mine.points[0] = threadIdx.x;
    mine.points[1] = 5;
    all[threadIdx.x] = mine;
}

__global__ void sum_shapes(const shape *all, int *out)
{
    const shape &mine = all[threadIdx.x];
    int sum = 0;
    for (int i = 0; i < mine.count; i++)
        sum += mine.points[i];
    out[threadIdx.x] = sum;
}

CORRECT(structures_stored_whole)
{
    device_array<shape> d_all(THREADS);
    device_ints d_out(THREADS);
    store_shapes<<<1, THREADS>>>(d_all);
    sum_shapes<<<1, THREADS>>>(d_all, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return i + 5; });
}

struct large {
    int words[60];
};

__global__ void write_even_words(large *all)
{
    for (int i = 0; i < 60; i += 2)
        all[threadIdx.x].words[i] = i;
}

__global__ void copy_large(const large *in, large *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

CORRECT(large_structures_copied_in_a_loop)
{
    device_array<large> d_in(4), d_out(4);
    write_even_words<<<1, 4>>>(d_in);
    copy_large<<<1, 4>>>(d_in, d_out);
    std::vector<large> out = d_out.values();
    return out[3].words[58] == 58 && out[0].words[2] == 2;
}

struct alignas(16) particle {
    float x, y, z; /* and four bytes that nobody writes */
};

__global__ void make_particles(particle *all)
{
    all[threadIdx.x].x = 1.0f;
    all[threadIdx.x].y = 2.0f;
    all[threadIdx.x].z = (float)threadIdx.x;
}

__global__ void move_particles(particle *all, int *out)
{
    __shared__ particle s_all[THREADS];
    int i = threadIdx.x;
    s_all[i] = all[i];
    __syncthreads();
    particle other = s_all[i ^ 1];
    other.x += 1.0f;
    all[i] = other;
    out[i] = (int)(other.x + other.z);
}

CORRECT(fours_with_three_members)
{
    device_array<particle> d_all(THREADS);
    device_ints d_out(THREADS);
    make_particles<<<1, THREADS>>>(d_all);
    move_particles<<<1, THREADS>>>(d_all, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return 2 + (i ^ 1); });
}

__global__ void swap_bytes(const padded *in, padded *out)
{
    const unsigned char *from = (const unsigned char *)&in[threadIdx.x];
    unsigned char *to = (unsigned char *)&out[threadIdx.x];
    for (size_t i = 0; i < sizeof(padded); i++)
        to[i] = from[i];
}

CORRECT(structures_copied_byte_by_byte)
{
    device_array<padded> d_in(THREADS), d_out(THREADS);
    fill_padded<<<1, THREADS>>>(d_in);
    swap_bytes<<<1, THREADS>>>(d_in, d_out);
    return d_out.values()[7].value == 70;
}

} // namespace structures
