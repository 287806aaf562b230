// Lesson 5, stateless dropout. First `make notes`, and read build/notes/05_dropout.html.
// What the launchers must do: common/contracts/05_dropout.h
// Judge it with: make check-lesson5        Stuck? make hint-lesson5
#include "contracts/05_dropout.h"

// A random word need not be stored, and neither need a generator: it is a function of where it is
// used. Philox is that function. It mixes a counter, which is different for every use, with a key.

enum { BLOCK_THREADS = 256, PHILOX_ROUNDS = 10 };

// Philox4x32-10, as in Random123: each round multiplies two words, crosses the halves over, and
// moves the key on by two odd constants (the golden ratio and sqrt(3) - 1).
static __device__ uint4 philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        uint64_t x = (uint64_t)0xD2511F53u * counter.x;
        uint64_t z = (uint64_t)0xCD9E8D57u * counter.z;
        counter = make_uint4((uint32_t)(z >> 32) ^ counter.y ^ key.x, (uint32_t)z,
                             (uint32_t)(x >> 32) ^ counter.w ^ key.y, (uint32_t)x);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

// What is the same for all elements of a call.
struct dropout {
    uint32_t threshold;   // words below it drop their element
    float scale;          // of those that stay
    uint2 key;
    const uint64_t *step; // on the device: a graph replays the pointer, not the number
};

// quest: begin
// TODO: one kernel that draws its words where it uses them, four at a time, and stores nothing
// but y. Roughly 30 lines, in place of all these.
//
// As it is: generators are set up, each draws four words into memory, and a third kernel reads
// them. A launcher may not allocate, so words and generators pass through static buffers, a chunk
// of elements at a time (and two streams that did this at once would spoil each other's words).
static const int64_t CHUNK_ELEMENTS = 1 << 21;

struct generator {
    uint4 counter;
    uint2 key;
};

static __device__ struct generator d_generator[CHUNK_ELEMENTS / 4];
static __device__ uint32_t d_word[CHUNK_ELEMENTS];

static __global__ void set_up(struct dropout dropout, int64_t first_quad, int64_t quads)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= quads)
        return;
    uint64_t quad = (uint64_t)(first_quad + i), step = *dropout.step;
    d_generator[i].counter = make_uint4((uint32_t)quad, (uint32_t)(quad >> 32), (uint32_t)step,
                                        (uint32_t)(step >> 32));
    d_generator[i].key = dropout.key;
}

static __global__ void draw(int64_t quads)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i < quads)
        ((uint4 *)d_word)[i] = philox(d_generator[i].counter, d_generator[i].key);
}

static __global__ void keep_or_drop(const float *x, float *y, int64_t elements,
                                    struct dropout dropout)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i < elements)
        y[i] = d_word[i] >= dropout.threshold ? x[i] * dropout.scale : 0.0f;
}

static unsigned blocks_for(int64_t threads)
{
    return (unsigned)((threads + BLOCK_THREADS - 1) / BLOCK_THREADS);
}

static cudaError_t apply(const float *x, float *y, int64_t n, const struct dropout &dropout,
                         cudaStream_t stream)
{
    for (int64_t first = 0; first < n; first += CHUNK_ELEMENTS) {
        int64_t elements = n - first < CHUNK_ELEMENTS ? n - first : CHUNK_ELEMENTS;
        int64_t quads = (elements + 3) / 4;
        set_up<<<blocks_for(quads), BLOCK_THREADS, 0, stream>>>(dropout, first / 4, quads);
        draw<<<blocks_for(quads), BLOCK_THREADS, 0, stream>>>(quads);
        keep_or_drop<<<blocks_for(elements), BLOCK_THREADS, 0, stream>>>(x + first, y + first,
                                                                         elements, dropout);
    }
    return cudaGetLastError();
}
// quest: end

// Dropout is linear in x, so what the backward pass does to gradients is what the forward pass
// does to values: the same function, with the same mask.
static cudaError_t launch(const float *x, float *y, int64_t n, float p, struct quest_rng_key key,
                          const uint64_t *d_step, cudaStream_t stream)
{
    if (n < 0 || !(p >= 0.0f && p <= 1.0f))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    if (p == 1.0f) // its threshold would be 2^32, one more than a word can hold
        return cudaMemsetAsync(y, 0, (size_t)n * sizeof *y, stream);
    struct dropout dropout;
    dropout.threshold = (uint32_t)((double)p * 0x1p32);
    dropout.scale = 1.0f / (1.0f - p);
    dropout.key = make_uint2(key.seed, key.layer);
    dropout.step = d_step;
    return apply(x, y, n, dropout, stream);
}

cudaError_t lesson5_dropout_fwd(const float *x, float *y, int64_t n, float p,
                                struct quest_rng_key key, const uint64_t *d_step,
                                cudaStream_t stream)
{
    return launch(x, y, n, p, key, d_step, stream);
}

cudaError_t lesson5_dropout_bwd(const float *gy, float *gx, int64_t n, float p,
                                struct quest_rng_key key, const uint64_t *d_step,
                                cudaStream_t stream)
{
    return launch(gy, gx, n, p, key, d_step, stream);
}
