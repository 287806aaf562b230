/* machine_internal.h - the nouns of the machine, as its own files see them.
 *
 * What is constant once a module is loaded (program.h):  op, basic_block, function, module
 * What moves while a kernel runs:                        worker > block > warp > split
 *
 *     program.h    ops, basic blocks, functions, modules
 *     allocation.h allocations, and who may touch them
 *     site.h       one access of a warp, and what its op remembers
 *     warp.h       32 lanes that step together, the splits they part into
 *     block.h      warps that share memory and barriers
 *     launch.h     a kernel under way, its workers and counters
 *     sample.h     one of which some blocks run and stand for the others
 *     observer.h   how to watch a launch; tell.h, how observers are told
 *
 * A warp is 32 lanes that step together. Every register of a warp is a vector of 32 values, one
 * a lane, so an operation is one loop over 32 lanes (which the compiler turns into a few vector
 * instructions). A predicate is one 32-bit mask. Lanes that disagree about a branch become two
 * splits of the warp, which wait for each other where their paths meet again: see split.c.
 *
 * Reading order: program.h, warp.h, warp.c, split.c, block.c, grid.c; then exec_integer.c and the
 * other exec_ files for what each operation does; memory.c and access.c for what a load touches.
 */
#ifndef SIM_MACHINE_INTERNAL_H
#define SIM_MACHINE_INTERNAL_H

#include "tell.h"

/* --- fault.c --------------------------------------------------------------------------------- */

/* Record the first fault of a launch and stop it. lane may be -1 for the whole warp. */
void fault_raise(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same for a fault that no device would stop at. True when the launch goes on, as one with
 * keep_going does; op is then carried out as well as possible. */
bool fault_report(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same for the launch as a whole, where there is no instruction to name. */
void fault_raise_launch(struct launch *launch, enum sim_fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, for a fault that is filled in already. */
void fault_record(struct launch *launch, const struct sim_fault *fault);

/* The same, with the other party of a race: op other_op (an id) of other_thread. advice may be NULL
 * for that of the kind. */
void fault_raise_between(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                         uint32_t other_op, const uint32_t *other_thread, const char *advice,
                         const char *format, ...) __attribute__((format(printf, 8, 9)));
/* A value that read->lane read from unwritten memory at read->line decides something in op for
 * lane. If it was read from shared memory, the fault is held back, to see whether the read turns
 * out to be part of a race (a thread writes there before the next barrier); fault_release records
 * it. A block holds only the first such fault, and anything else that goes wrong in the block
 * meanwhile is attributed to it. */
struct fault_read {
    enum sim_fault_kind kind;
    const struct op *op;
    const struct sim_line *line;
    int lane;
    bool of_shared;
};
void fault_raise_undefined(struct warp *warp, const struct op *op, int lane,
                           const struct fault_read *read, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void fault_release(struct block *block);
void fault_thread(const struct warp *warp, int lane, uint32_t *thread);
/* Where op stands in the learner's source. */
const struct sim_line *fault_line(const struct warp *warp, const struct op *op);
const struct sim_line *fault_line_of(const struct warp *warp, uint32_t op);
/* The same; for an op in a function from elsewhere (a header's, which a debug build calls), the
 * innermost call in the kernel's own file. */
const struct sim_line *fault_own_line(const struct warp *warp, const struct op *op);

/* --- runtime.c --------------------------------------------------------------------- */

/* malloc and free in kernels; an address, or 0 when the heap is full. */
uint64_t heap_allocate(struct warp *warp, uint64_t size_bytes);
void heap_free(struct warp *warp, const struct op *op, int lane, uint64_t address);
/* printf of one lane: format and arguments are generic addresses. Returns what printf returns. */
int print_format(struct warp *warp, const struct op *op, int lane, uint64_t format,
                 uint64_t arguments);
/* Zero-terminated text of a lane, at most size - 1 bytes of it. False after a fault. */
bool print_text(struct warp *warp, const struct op *op, int lane, uint64_t address, char *text,
                size_t size);

/* Reasons of sim_unsampled. */
#define SIM_TOO_LONG "its blocks take too long"
#define SIM_TOO_MANY "it takes too many launches"
#define SIM_ACROSS "a launch reads what another one wrote"
#define SIM_SHARED_ATOMICS "its blocks use atomics on memory they share"
#define SIM_HEARSAY "its blocks read memory that the launch writes to, or may write to"

#endif
