// grader_kernels.cu - a GPU draws and compares for the grader (check/examine/device.h) as the host
// would.
#include "check/examine/device.cu"
#include "check/examine/watch.cu"

#include "program.h"

#include <cmath>
#include <cstring>
#include <vector>

enum { COUNT = 70001, LAST = COUNT - 1 };

template <class T> struct both {
    std::vector<T> host;
    T *device;
    explicit both(T value) : host(COUNT, value) { CHECK(cudaMalloc(&device, COUNT * sizeof(T))); }
    ~both() { cudaFree(device); }
    const T *sent() const
    {
        CHECK(cudaMemcpy(device, host.data(), COUNT * sizeof(T), cudaMemcpyHostToDevice));
        return device;
    }
};

// What data_fill makes of that stream, by its own words.
static bool is_drawn(float value, uint64_t word, judge_data data)
{
    return value == (data == JUDGE_DATA_INTEGERS ? data_small_integer(word) : data_uniform(word));
}

template <class T> static void fill_both(both<T> &one, both<T> &two, judge_type type,
                                         judge_data data, uint64_t seed)
{
    EXPECT(device_fills(type, data));
    EXPECT(device_fill(one.device, two.device, type, data, COUNT, seed));
    for (both<T> *filled : {&one, &two})
        CHECK(cudaMemcpy(filled->host.data(), filled->device, COUNT * sizeof(T),
                         cudaMemcpyDeviceToHost));
    EXPECT(memcmp(one.host.data(), two.host.data(), COUNT * sizeof(T)) == 0);
}

static void draws_as_the_host_does()
{
    const uint64_t seed = 0x123456789abcdef0;
    both<float> one(0), two(0);
    both<__half> half(0), other_half(0);
    both<uint8_t> bytes(0), other_bytes(0);
    for (judge_data data : {JUDGE_DATA_UNIFORM, JUDGE_DATA_INTEGERS}) {
        fill_both(one, two, JUDGE_F32, data, seed);
        for (uint64_t i = 0; i < COUNT; i++)
            EXPECT(is_drawn(one.host[i], data_word(seed, i), data));
    }
    fill_both(half, other_half, JUDGE_F16, JUDGE_DATA_UNIFORM, seed);
    for (uint64_t i = 0; i < COUNT; i++)
        EXPECT(__half2float(half.host[i]) ==
               __half2float(__float2half_rn(data_uniform(data_word(seed, i)))));
    fill_both(bytes, other_bytes, JUDGE_U8, JUDGE_DATA_UNIFORM, seed);
    for (uint64_t i = 0; i < COUNT; i++)
        EXPECT(bytes.host[i] == (uint8_t)(data_word(seed, i / 8) >> i % 8 * 8));
    EXPECT(!device_fills(JUDGE_F32, JUDGE_DATA_SPECIALS));
}

// Several searches at a time do not meet.
static void searches_side_by_side()
{
    both<float> got(1), wanted(1);
    got.host[3] = 2;
    got.host[LAST] = 2;
    device_found found[2];
    EXPECT(device_search_begin());
    EXPECT(device_search_unlike(0, wanted.sent(), wanted.device, JUDGE_F32, COUNT, 0, 0));
    EXPECT(device_search_unlike(1, got.sent(), wanted.device, JUDGE_F32, COUNT, 0, 0));
    EXPECT(device_search_end(2, found));
    EXPECT(found[0].count == 0);
    EXPECT(found[1].count == 2 && found[1].first == 3 && found[1].last == LAST);
}

static void watches_the_clock()
{
    watched seen;
    EXPECT(watch_device(1000, &seen));
    EXPECT(seen.duration_ns >= 0 && seen.gap_ns <= seen.duration_ns);
}

template <class T> static void finds_what_is_unwritten(unsigned char poison)
{
    device_found found;
    both<T> memory(T(0));
    T unwritten;
    memset(&unwritten, poison, sizeof unwritten);
    EXPECT(device_find_unwritten(memory.sent(), COUNT, sizeof(T), poison, &found));
    EXPECT(found.count == 0);
    memory.host[7] = memory.host[300] = memory.host[LAST] = unwritten;
    EXPECT(device_find_unwritten(memory.sent(), COUNT, sizeof(T), poison, &found));
    EXPECT(found.count == 3 && found.first == 7 && found.last == LAST);
    EXPECT(device_find_unwritten(memory.device + 1, LAST, sizeof(T), poison, &found));
    EXPECT(found.count == 3 && found.first == 6);
}

// A word that is part poison is written, and so is one whose poison lies across two.
static void part_of_an_element_is_no_element()
{
    device_found found;
    both<float> memory(0);
    memset((char *)&memory.host[5] + 2, 0xFF, sizeof(float));
    EXPECT(device_find_unwritten(memory.sent(), COUNT, sizeof(float), 0xFF, &found));
    EXPECT(found.count == 0);
    EXPECT(device_find_unwritten((char *)memory.device + 2, LAST, sizeof(float), 0xFF, &found));
    EXPECT(found.count == 1 && found.first == 5);
}

template <class T>
static void finds_what_is_unlike(judge_type type, T near, T far, double share, double scale)
{
    device_found found;
    both<T> got(T(1)), wanted(T(1));
    got.host[3] = near;
    EXPECT(device_find_unlike(got.sent(), wanted.sent(), type, COUNT, share, scale, &found));
    EXPECT(found.count == 0);
    got.host[9] = got.host[LAST] = far;
    EXPECT(device_find_unlike(got.sent(), wanted.device, type, COUNT, share, scale, &found));
    EXPECT(found.count == 2 && found.first == 9 && found.last == LAST);
}

static void specials_are_like_their_own_kind()
{
    const float kinds[] = {NAN, INFINITY, -INFINITY, 1};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            device_found found;
            both<float> got(kinds[i]), wanted(kinds[j]);
            EXPECT(device_find_unlike(got.sent(), wanted.sent(), JUDGE_F32, COUNT, 0.5, 1, &found));
            EXPECT(found.count == (i == j ? 0 : COUNT));
        }
    device_found found;
    both<float> zero(0.0f), negative(-0.0f);
    EXPECT(device_find_unlike(zero.sent(), negative.sent(), JUDGE_F32, COUNT, 0, 0, &found));
    EXPECT(found.count == 0);
}

int main()
{
    draws_as_the_host_does();
    finds_what_is_unwritten<float>(0xFF);
    finds_what_is_unwritten<uint16_t>(0xFF);
    finds_what_is_unwritten<uint64_t>(0x5A);
    finds_what_is_unwritten<uint8_t>(0x5A);
    part_of_an_element_is_no_element();
    finds_what_is_unlike<float>(JUDGE_F32, 1.00001f, 1.01f, 0x1p-16, 1);
    finds_what_is_unlike<__half>(JUDGE_F16, __float2half(1.004f), __float2half(1.1f), 0x1p-8, 1);
    finds_what_is_unlike<__nv_bfloat16>(JUDGE_BF16, __float2bfloat16(1.03f),
                                        __float2bfloat16(1.5f), 0x1p-5, 1);
    finds_what_is_unlike<uint32_t>(JUDGE_U32, 1, 2, 0, 0);
    finds_what_is_unlike<uint64_t>(JUDGE_U64, 1, 2, 0, 0);
    finds_what_is_unlike<uint8_t>(JUDGE_U8, 1, 2, 0, 0);
    specials_are_like_their_own_kind();
    searches_side_by_side();
    watches_the_clock();
    return 0;
}
