/* program.h - how the programs here check themselves: the first thing that is wrong is reported
 * with its place, and ends the program with 1. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <cstdio>
#include <cstdlib>

/* A call that must succeed. */
#define CHECK(call)                                                                           \
    do {                                                                                      \
        cudaError_t error_ = (call);                                                          \
        if (error_ != cudaSuccess) {                                                          \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
            exit(1);                                                                          \
        }                                                                                     \
    } while (0)

/* A call that must fail with this error; it is not remembered. */
#define FAILS(call, expected)                                                 \
    do {                                                                      \
        cudaError_t error_ = (call);                                          \
        if (error_ != (expected)) {                                           \
            printf("%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorName(error_), cudaGetErrorName(expected));     \
            exit(1);                                                          \
        }                                                                     \
        cudaGetLastError();                                                   \
    } while (0)

#define EXPECT(condition)                                                  \
    do {                                                                   \
        if (!(condition)) {                                                \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                       \
        }                                                                  \
    } while (0)

#endif
