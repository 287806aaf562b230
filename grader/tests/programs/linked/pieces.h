// pieces.h - what main.cu and other.cu know of each other.
#ifndef PIECES_H
#define PIECES_H

#include "../program.h"

typedef int operation(int);
extern __device__ int calls;
extern __constant__ int weights[4];
extern __device__ operation *table[2];
__device__ int weighted(int x);

// One variable, though both pieces define it.
template <class T> __device__ T shared_total;

// Both pieces bring this function along.
template <class T> __device__ __noinline__ T add_to_total(T x)
{
    return atomicAdd(&shared_total<T>, x) + x;
}

void set_weights(const int *h_weights);
void launch_other(int *d_out);

#endif
