/* front.h - lesson 6, in the runner: functions in front of cuBLASLt's, whose names are found before
 * the library's.
 *
 * They pass every call on. In a script they make some calls fail, as a library does that finds no
 * memory or has no algorithm. They count objects that were made and not yet destroyed, and check
 * the pointers of a product against what was promised of them when its algorithm was asked for. Of
 * the runtime's functions, those that tell a device's name can be made to fail.
 */
#ifndef JUDGE_GEMM_FRONT_H
#define JUDGE_GEMM_FRONT_H

#include <cublasLt.h>
#include <stdbool.h>
#include <stdint.h>

/* Which calls fail; a case has this in judge_case.real. */
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

/* The alignments in bytes that the library was promised for A, B and D when it named an
 * algorithm. */
struct promise {
    cublasLtMatmulAlgo_t algo;
    uint32_t bytes[3];
};

struct front {
    enum front_down down;
    long alive;                  /* handles and descriptions */
    long calls;                  /* of lesson6_gemm, by gemm_ask() */
    long questions;              /* for algorithms that the library was to name */
    struct promise promises[64]; /* of the current call */
    int promise_count;
    double multiplied; /* m n k of all products that were handed on */
    long room;         /* 0, or 1 + how many more products are handed on: others are turned down */
    bool is_nameless;  /* no function tells which device this is */
    bool is_broken;    /* a product ran whose pointers keep none of its algorithm's promises */
};
extern struct front front;

/* The function of that name in cuBLASLt itself; NULL where that is not loaded. */
void *behind_front(const char *name);

#endif
