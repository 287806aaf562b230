/* torture.h - what the parts of the torture test of lesson 6's cache share.
 *
 * The parent (main.c) touches no device. It runs each trial (trials.c, files.c) in a process of its
 * own, so that one that crashes or hangs is one failed trial; trials that need rivals or a victim
 * start more of them. A trial ends by fail(), or by returning.
 *
 * What is counted: cublasLtMatmulAlgoGetHeuristic, cublasLtMatmulAlgoCheck and cublasLtCreate
 * (count.c), as the contract speaks of them. Two things are compared: every element of Y with sums
 * in double, and the memory around Y and around the workspace with what was there before.
 */
#ifndef TORTURE_H
#define TORTURE_H

#include "contracts/06_gemm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- A trial (main.c) ------------------------------------------------------------------------- */

struct trial {
    const char *name;              /* "keys" */
    const char *title;             /* what the report says */
    void (*run)(const char *file); /* file: a name that is free, in a folder of the trial's own */
};
extern const struct trial TRIALS[];
extern const size_t TRIAL_COUNT;

/* The trial has failed: says why, and ends the process. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What the report adds to a trial that went well. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Start another process that runs that trial; returns its process id. */
int start_process(const char *trial, const char *file);
/* Wait for it. False if it failed (it has said why) or crashed; killed ones are no failure. */
bool end_process(int process);

uint64_t drawn(void); /* random word, from SEED and the trial's name */
static inline uint64_t drawn_below(uint64_t limit)
{
    return drawn() % limit;
}

/* --- The submission (products.c) -------------------------------------------------------------- */

struct submission {
    cudaError_t (*create)(struct lesson6_context **, void *, size_t);
    cudaError_t (*gemm)(struct lesson6_context *, enum lesson6_type, const void *, const void *,
                        const void *, void *, const struct quest_gemm *, cudaStream_t);
    cudaError_t (*save)(struct lesson6_context *, const char *);
    cudaError_t (*load)(struct lesson6_context *, const char *);
    cudaError_t (*destroy)(struct lesson6_context *);
};
extern struct submission submission;
void submission_open(const char *path); /* loads it; fails the trial if it cannot */

/* Counted since the process began (count.c). */
extern unsigned long questions, checks, handles;

/* --- Products (products.c) -------------------------------------------------------------------- */

/* A kind of problem: everything that a key has to have in it. */
struct kind {
    struct quest_gemm gemm;
    enum lesson6_type type;
    int off_a, off_b, off_y; /* elements past a multiple of 256 bytes */
};

/* Run the product in a context, at a random place in device memory. Fails the trial if an error
 * comes back, if Y is wrong, or if memory next to it was written. */
void product_run(struct lesson6_context *context, const struct kind *kind);
/* The same, but no question may be asked; why says why its kind is known. */
void product_known(struct lesson6_context *context, const struct kind *kind, const char *why);

/* Kinds that each differ from the first one in one thing; and as many others as are wanted. */
size_t kinds_alike(struct kind *kinds, size_t room);
struct kind kind_number(size_t i);
/* A kind whose sums are worth splitting. */
struct kind kind_long(void);

/* A context with this many bytes of workspace, in the middle of other memory. */
struct room {
    struct lesson6_context *context;
    unsigned char *memory;
    size_t bytes;
};
struct room room_open(size_t workspace_bytes);
/* Fails the trial when memory next to the workspace was written. */
void room_close(struct room *room);

#endif
