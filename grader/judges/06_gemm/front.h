/* front.h - lesson 6, in the runner: stands in front of cuBLASLt, as a program does whose names are
 * found before the library's.
 *
 * It passes every call on. In a script it turns some down, as a library does that finds no memory
 * or has no algorithm; it counts what was made and is not destroyed yet; and it holds the pointers
 * of a product to what was promised of them when its algorithm was asked for. Of the runtime it
 * turns down what tells a device's name.
 */
#ifndef JUDGE_GEMM_FRONT_H
#define JUDGE_GEMM_FRONT_H

#include <cublasLt.h>
#include <stdbool.h>
#include <stdint.h>

/* What is turned down; a case has it in judge_case.real. */
enum front_down {
    NOTHING_DOWN,
    HANDLES_DOWN,
    DESCRIPTIONS_DOWN,
    LAYOUTS_DOWN,
    PREFERENCES_DOWN,
    EPILOGUES_DOWN,
    ANSWERS_DOWN,
    PRODUCTS_DOWN
};

/* What the library was promised of A, B and D when it named an algorithm: multiples of so many
 * bytes. */
struct promise {
    cublasLtMatmulAlgo_t algo;
    uint32_t bytes[3];
};

struct front {
    enum front_down down;
    long alive;                  /* handles and descriptions */
    long calls;                  /* of lesson6_gemm, by gemm_ask() */
    long questions;              /* for algorithms that the library was to name */
    struct promise promises[64]; /* of the call under way */
    int promise_count;
    bool is_nameless; /* no function tells which device this is */
    bool is_broken;   /* a product ran whose pointers keep none of its algorithm's promises */
};
extern struct front front;

/* The function of that name in cuBLASLt itself; NULL where that is not loaded. */
void *behind_front(const char *name);

#endif
