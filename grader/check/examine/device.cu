/* device.cu - see device.h. */
#include "check/examine/device.h"

#include "check/examine/data.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { THREADS = 256, MOST_BLOCKS = 1 << 14 };

static unsigned blocks_for(uint64_t count)
{
    uint64_t blocks = (count + THREADS - 1) / THREADS;
    return (unsigned)(blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks);
}

static __device__ uint64_t first_of_thread(void)
{
    return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
}

static __device__ uint64_t all_threads(void)
{
    return gridDim.x * (uint64_t)blockDim.x;
}

/* --- Searches --------------------------------------------------------------------------------- */

struct finds {                     /* of one thread, then of all of them */
    unsigned long long count, first, last;
};

static __device__ void note(struct finds *own, uint64_t i)
{
    own->first = own->count ? own->first : i;
    own->last = i;
    own->count++;
}

static __device__ void tell(const struct finds *own, struct finds *all)
{
    if (own->count == 0)
        return;
    atomicAdd(&all->count, own->count);
    atomicMin(&all->first, own->first);
    atomicMax(&all->last, own->last);
}

/* Results of searches, on the device; made at the first search and kept. */
static struct finds *searches;

static __global__ void forget(struct finds *all)
{
    all[threadIdx.x] = {0, ~0ull, 0};
}

bool device_search_begin(void)
{
    if (!searches &&
        cudaMalloc((void **)&searches, DEVICE_MOST_SEARCHES * sizeof *searches) != cudaSuccess)
        return false;
    forget<<<1, DEVICE_MOST_SEARCHES>>>(searches);
    return cudaGetLastError() == cudaSuccess;
}

bool device_search_end(size_t count, struct device_found *found)
{
    static struct finds finds[DEVICE_MOST_SEARCHES];
    if (cudaMemcpy(finds, searches, count * sizeof *finds, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    for (size_t i = 0; i < count; i++)
        found[i] = {finds[i].count, finds[i].first, finds[i].last};
    return true;
}

static __global__ void look_for_poison(const unsigned char *memory, uint64_t count,
                                       unsigned element_bytes, unsigned char poison,
                                       struct finds *all)
{
    struct finds own = {0, 0, 0};
    for (uint64_t i = first_of_thread(); i < count; i += all_threads()) {
        bool is_poison = true;
        for (unsigned byte = 0; byte < element_bytes && is_poison; byte++)
            is_poison = memory[i * element_bytes + byte] == poison;
        if (is_poison)
            note(&own, i);
    }
    tell(&own, all);
}

/* As above, for elements that are words at aligned addresses. */
static __global__ void look_for_poisoned_words(const unsigned *memory, uint64_t count,
                                               unsigned poison, struct finds *all)
{
    struct finds own = {0, 0, 0};
    for (uint64_t i = first_of_thread(); i < count; i += all_threads())
        if (memory[i] == poison)
            note(&own, i);
    tell(&own, all);
}

bool device_find_unwritten(const void *memory, uint64_t count, uint64_t element_bytes,
                           unsigned char poison, struct device_found *found)
{
    if (!device_search_begin())
        return false;
    if (element_bytes == sizeof(unsigned) && (uintptr_t)memory % sizeof(unsigned) == 0)
        look_for_poisoned_words<<<blocks_for(count), THREADS>>>(
            (const unsigned *)memory, count, poison * 0x01010101u, searches);
    else
        look_for_poison<<<blocks_for(count), THREADS>>>((const unsigned char *)memory, count,
                                                        (unsigned)element_bytes, poison, searches);
    return cudaGetLastError() == cudaSuccess && device_search_end(1, found);
}

/* --- Comparing -------------------------------------------------------------------------------- */

static __device__ double value_of(float element) { return element; }
static __device__ double value_of(__half element) { return __half2float(element); }
static __device__ double value_of(__nv_bfloat16 element) { return __bfloat162float(element); }
static __device__ double value_of(uint64_t element) { return (double)element; }
static __device__ double value_of(uint32_t element) { return element; }
static __device__ double value_of(uint8_t element) { return element; }

template <class Element> static __device__ bool same_bits(const Element *a, const Element *b)
{
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    bool same = true;
    for (unsigned byte = 0; byte < sizeof(Element); byte++)
        same = same && x[byte] == y[byte];
    return same;
}

/* The same as compare_equal (compare.h). */
static __device__ bool are_like(double got, double wanted, double allowed)
{
    if (isnan(wanted))
        return isnan(got);
    if (isinf(wanted) || isinf(got))
        return got == wanted;
    return fabs(got - wanted) <= allowed;
}

template <class Element>
static __global__ void look_for_unlike(const Element *got, const Element *wanted, uint64_t count,
                                       double share, double scale, struct finds *all)
{
    struct finds own = {0, 0, 0};
    for (uint64_t i = first_of_thread(); i < count; i += all_threads()) {
        Element mine = got[i], other = wanted[i];
        if (same_bits(&mine, &other))
            continue;
        double have = value_of(mine), want = value_of(other);
        if (!are_like(have, want, share * (fabs(want) + scale)))
            note(&own, i);
    }
    tell(&own, all);
}

template <class Element>
static void find_unlike(const void *got, const void *wanted, uint64_t count, double share,
                        double scale, struct finds *all)
{
    look_for_unlike<<<blocks_for(count), THREADS>>>((const Element *)got, (const Element *)wanted,
                                                    count, share, scale, all);
}

bool device_search_unlike(size_t search, const void *got, const void *wanted, enum judge_type type,
                          uint64_t count, double share, double scale)
{
    static void (*const FIND[])(const void *, const void *, uint64_t, double, double,
                                struct finds *) = {
        find_unlike<float>,    find_unlike<__half>,   find_unlike<__nv_bfloat16>,
        find_unlike<uint32_t>, find_unlike<uint64_t>, find_unlike<uint8_t>}; /* as judge_type */
    FIND[type](got, wanted, count, share, scale, searches + search);
    return cudaGetLastError() == cudaSuccess;
}

bool device_find_unlike(const void *got, const void *wanted, enum judge_type type, uint64_t count,
                        double share, double scale, struct device_found *found)
{
    return device_search_begin() &&
           device_search_unlike(0, got, wanted, type, count, share, scale) &&
           device_search_end(1, found);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static __device__ float value_of_word(enum judge_data data, uint64_t word)
{
    return data == JUDGE_DATA_INTEGERS ? data_small_integer(word) : data_uniform(word);
}

/* Element i of the stream, as fill_f32, fill_narrow and fill_words (data.c) make it. */
static __device__ void draw_element(float *to, enum judge_data data, uint64_t seed, uint64_t i)
{
    *to = value_of_word(data, data_word(seed, i));
}

static __device__ void draw_element(__half *to, enum judge_data data, uint64_t seed, uint64_t i)
{
    *to = __float2half_rn(value_of_word(data, data_word(seed, i)));
}

static __device__ void draw_element(__nv_bfloat16 *to, enum judge_data data, uint64_t seed,
                                    uint64_t i)
{
    *to = __float2bfloat16_rn(value_of_word(data, data_word(seed, i)));
}

template <class Word>
static __device__ void draw_element(Word *to, enum judge_data, uint64_t seed, uint64_t i)
{
    const unsigned in_word = sizeof(uint64_t) / sizeof(Word);
    *to = (Word)(data_word(seed, i / in_word) >> i % in_word * (8 * sizeof(Word)) % 64);
}

template <class Element>
static __global__ void draw(Element *first, Element *second, uint64_t count, enum judge_data data,
                            uint64_t seed)
{
    for (uint64_t i = first_of_thread(); i < count; i += all_threads()) {
        Element element;
        draw_element(&element, data, seed, i);
        first[i] = element;
        if (second)
            second[i] = element;
    }
}

template <class Element>
static void fill(void *first, void *second, uint64_t count, enum judge_data data, uint64_t seed)
{
    draw<<<blocks_for(count), THREADS>>>((Element *)first, (Element *)second, count, data, seed);
}

static bool is_float(enum judge_type type)
{
    return type == JUDGE_F32 || type == JUDGE_F16 || type == JUDGE_BF16;
}

bool device_fills(enum judge_type type, enum judge_data data)
{
    return !is_float(type) || data == JUDGE_DATA_UNIFORM || data == JUDGE_DATA_INTEGERS;
}

bool device_fill(void *first, void *second, enum judge_type type, enum judge_data data,
                 uint64_t count, uint64_t seed)
{
    static void (*const FILL[])(void *, void *, uint64_t, enum judge_data, uint64_t) = {
        fill<float>,    fill<__half>,   fill<__nv_bfloat16>,
        fill<uint32_t>, fill<uint64_t>, fill<uint8_t>}; /* as judge_type */
    FILL[type](first, second, count, data, seed);
    return cudaGetLastError() == cudaSuccess;
}
