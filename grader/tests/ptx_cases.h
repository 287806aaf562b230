/* ptx_cases.h - what PTX instructions must do, written in text files that any device can be asked.
 *
 * grader/tests/ptx/README.md describes the files. A case group is a program, inputs and expected
 * results; it becomes one kernel, and each of its lanes is one case. The same kernels run on the
 * simulated device (check_ptx.c) and on a real one (gpu_ptx.c).
 *
 * Usual order of calls:
 *     cases_read, cases_module, and load that text
 *     for each case: cases_fill_inputs, run the kernel case_<line> with the parameters
 *         (inputs, results, memory: three 64-bit device addresses), cases_compare
 *     cases_free
 *
 * Reading order: ptx_cases.c (the files), ptx_registers.c (which register has which type),
 * ptx_values.c (numbers), ptx_kernel.c (from a case to a kernel and back).
 *
 * Ownership: a cases_file owns all it points to, until cases_free.
 */
#ifndef PTX_CASES_H
#define PTX_CASES_H

#include "ptx/syntax.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CASES_MOST_REGISTERS = 40,
    CASES_MEMORY_BYTES = 128, /* of global memory, a thread */
    CASES_SHARED_BYTES = 64,  /* of shared memory, a thread */
};

/* --- Numbers: ptx_values.c -------------------------------------------------------------------- */

struct case_value {
    uint64_t bits;
    uint8_t nan_parts; /* bit i: part i may be any NaN (a packed type has two parts) */
    bool open;         /* "?": PTX leaves it open, so it is reported and not judged */
    bool absent;       /* "-": the thread stores no result */
};

enum case_measure { MEASURE_EXACT, MEASURE_ULP, MEASURE_RELATIVE, MEASURE_ABSOLUTE };

struct case_tolerance {
    enum case_measure measure;
    double amount;
};

/* Read "-5", "0x1F", "1.5", "nan", "0f3F800000", "1.5,-2" as a value of type; text ends at a zero
 * byte. False when it is none. */
bool value_read(const char *text, enum ptx_type type, struct case_value *value);
/* Does what a device gave agree with what was expected? */
bool value_agrees(const struct case_value *expected, uint64_t got, enum ptx_type type,
                  const struct case_tolerance *tolerance);
/* The other way round: text for a report, with the bits behind it where they say more. */
void value_write(uint64_t bits, enum ptx_type type, char *text, size_t size);
/* Width of a register that holds values of type: 1 for a predicate, else 16, 32 or 64. */
unsigned value_register_bits(enum ptx_type type);

/* --- Cases ------------------------------------------------------------------------------------ */

struct case_register {
    char name[4];
    enum ptx_type type;
    bool declared; /* by a .reg in the program */
};

struct ptx_case {
    const char *file;  /* base name */
    unsigned line;     /* of the program */
    char *module_text; /* what stands outside the kernel, or NULL */
    char *program;
    struct case_register registers[CASES_MOST_REGISTERS]; /* all that the program names */
    uint32_t register_count;
    uint32_t inputs[CASES_MOST_REGISTERS], outputs[CASES_MOST_REGISTERS]; /* into registers */
    uint32_t input_count, output_count;
    uint32_t grid[3], block[3];
    uint32_t cluster[3];         /* blocks of a cluster, or 0 */
    uint32_t thread_count;       /* of the grid */
    struct case_value *given;    /* thread_count x input_count */
    struct case_value *expected; /* thread_count x output_count */
    bool guarded;                /* runs thrice: all lanes, even lanes, odd lanes */
    bool guarded_simulated;      /* only on the simulated device, that is */
    struct case_tolerance tolerance;
    unsigned needs_sm;   /* compute capability times 10; 0 for any */
    bool only_simulated; /* says something about the simulated device alone */
    char *refusal;       /* the exact message, when it must fail; else NULL */
};

struct cases_file {
    char *name, *text; /* base name; what the cases point into */
    struct ptx_case *cases;
    size_t count, room;
};

/* Read a .test file. False with a sentence in error, which names the line, when it is not one. */
bool cases_read(const char *path, struct cases_file *file, char *error, size_t error_size);
void cases_free(struct cases_file *file);

/* ptx_registers.c: find the registers of the program and their types. False, with what is wrong
 * in error, when a type cannot be told. */
bool cases_find_registers(struct ptx_case *one, char *error, size_t error_size);
/* m, m0, s, s0: addresses of memory that the kernel provides. */
bool cases_is_provided(const char *name);
/* The number of instructions; *is_plain: none has a guard or a label, and only .reg declares. */
unsigned cases_count_instructions(const struct ptx_case *one, bool *is_plain);

/* --- Kernels: ptx_kernel.c -------------------------------------------------------------------- */

/* PTX text with a kernel for each case that wanted() picks; freed by the caller. NULL when memory
 * is exhausted. target is "sm_90a" or the like. */
char *cases_module(const struct cases_file *file, const char *target,
                   bool (*wanted)(const struct ptx_case *one, const void *context),
                   const void *context);
/* Whether op counters that name this file belong to a case: the code around it names another. */
bool cases_is_own_line(const struct cases_file *file, const char *line_file);

void cases_kernel_name(const struct ptx_case *one, char *name, size_t size);
/* Blocks to launch: three times the grid when the case is guarded. */
uint32_t cases_blocks(const struct ptx_case *one, uint32_t grid[3]);
/* Sizes of the three buffers, at least 8 bytes each; memory must be zero. */
size_t cases_inputs_bytes(const struct ptx_case *one);
size_t cases_results_bytes(const struct ptx_case *one);
size_t cases_memory_bytes(const struct ptx_case *one);
void cases_fill_inputs(const struct ptx_case *one, void *inputs);
/* Set results to a pattern that no thread stores by chance. */
void cases_clear_results(const struct ptx_case *one, void *results);

struct cases_tally {
    unsigned cases; /* lanes judged or reported */
    unsigned wrong;
    unsigned open, unlike; /* open values, and those that differ from the guess */
};

/* Compare and add to tally; what is wrong, and open values that differ from the guess, go to out
 * in full. */
void cases_compare(const struct ptx_case *one, const void *results, struct cases_tally *tally,
                   FILE *out);

#endif
