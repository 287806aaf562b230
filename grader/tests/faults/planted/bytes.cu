// bytes.cu - bytes and halves of words in shared memory that two threads touch.
#include "planted.h"

namespace bytes {

enum { THREADS = 64 };

static int *zeros()
{
    int *at;
    CHECK(cudaMalloc(&at, 4096));
    CHECK(cudaMemset(at, 0, 4096));
    return at;
}

// fault a_byte_of_a_word: shared memory race
//     out[threadIdx.x] = s_row[65];
//     ^
// other
//     s_row[threadIdx.x + 62] = (char)(threadIdx.x + 1);
//     ^
// says at offset 65, which thread (3,0,0) wrote
__global__ void a_byte_of_a_word(int *out)
{
    __shared__ char s_row[2 * THREADS];
    s_row[threadIdx.x + 62] = (char)(threadIdx.x + 1);
    out[threadIdx.x] = s_row[65];
}

PLANTED(a_byte_of_a_word)
{
    a_byte_of_a_word<<<1, THREADS>>>(zeros());
}

// fault the_halves_next_to_each_other: shared memory race
//     out[threadIdx.x] = s_row[threadIdx.x ^ 1];
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (1,0,0)
//     s_row[threadIdx.x] = (short)in[threadIdx.x];
//     ^
// says reads shared memory at offset 2, which
__global__ void the_halves_next_to_each_other(const int *in, int *out)
{
    __shared__ short s_row[THREADS];
    s_row[threadIdx.x] = (short)in[threadIdx.x];
    out[threadIdx.x] = s_row[threadIdx.x ^ 1];
}

PLANTED(the_halves_next_to_each_other)
{
    the_halves_next_to_each_other<<<1, THREADS>>>(zeros(), zeros());
}

// fault bytes_after_words: shared memory race
//     s_row.word[threadIdx.x] = in[threadIdx.x] + 1;
//     ^
// other
//     s_row.byte[4 * (threadIdx.x ^ 32) + 2] = 7;
//     ^
// says at offset 130, which thread (0,0,0) wrote
__global__ void bytes_after_words(const int *in, int *out)
{
    __shared__ union {
        int word[THREADS];
        char byte[4 * THREADS];
    } s_row;
    s_row.word[threadIdx.x] = in[threadIdx.x] + 1;
    s_row.byte[4 * (threadIdx.x ^ 32) + 2] = 7;
    __syncthreads();
    out[threadIdx.x] = s_row.word[threadIdx.x];
}

PLANTED(bytes_after_words)
{
    bytes_after_words<<<1, THREADS>>>(zeros(), zeros());
}

} // namespace bytes
