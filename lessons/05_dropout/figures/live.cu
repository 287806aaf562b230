// live.cu - the kernel of this lesson's live figure (lessons/site/live/js/dropout.js).
#include "contracts/05_dropout.h"

namespace solution {
#include "../../../solutions/05_dropout/dropout.cu"
}

// What one element of one layer uses, and what it gets.
struct use {
    uint4 counter;
    uint2 key;
    uint32_t word, kept;
};

// A block for each layer, a thread for each element. An element is kept if its word is at least
// that of p.
extern "C" __global__ void masks(struct use *uses, uint64_t seed, uint64_t step, uint64_t first,
                                 unsigned words_of_their_own, uint32_t least)
{
    uint32_t layer = blockIdx.x;
    uint64_t i = first + threadIdx.x;
    uint64_t mixed = (step << 32) ^ layer ^ i;
    struct use one;
    one.counter = make_uint4((uint32_t)mixed, (uint32_t)(mixed >> 32), 0, 0);
    one.key = make_uint2((uint32_t)seed, 0);
    if (words_of_their_own) {
        one.counter = make_uint4((uint32_t)i, (uint32_t)(i >> 32), (uint32_t)step,
                                 (uint32_t)(step >> 32));
        one.key.y = layer;
    }
    one.word = solution::philox(one.counter, one.key).x;
    one.kept = one.word >= least;
    uses[layer * blockDim.x + threadIdx.x] = one;
}
