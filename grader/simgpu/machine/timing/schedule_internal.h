/* schedule_internal.h - what schedule.c and unroll.c share while a function's schedule is made. */
#ifndef SIM_SCHEDULE_INTERNAL_H
#define SIM_SCHEDULE_INTERNAL_H

#include "schedule.h"

#include <string.h>

enum { MOST_REGISTERS = 48 };

/* The registers of an op, by number. */
struct used {
    uint32_t reads[MOST_REGISTERS], writes[MOST_REGISTERS];
    uint32_t read_count, write_count;
};

struct builder {
    const struct function *function;
    const struct ptx_function *syntax;
    const struct sim_profile *profile;
    struct schedule *schedule;
    size_t register_count, register_room; /* of the schedule's list */
    uint32_t *uses;                       /* by register: ops that read it */
    uint32_t *writer; /* by register: index of the op that writes it, if only one does */
    uint32_t carry;   /* the number of the carry, after all registers */
};

enum { NOBODY = UINT32_MAX, SEVERAL = UINT32_MAX - 1 };

/* Write an op's registers down, at the end of the schedule's list. False without memory. */
bool keep_registers(struct builder *builder, struct timed_op *op, const struct used *used);

/* places.c: where each of count ops from timed one first on comes in the machine code, smallest
 * first. False when that does not tell. */
bool find_places(const struct builder *builder, uint32_t first, uint32_t count, uint32_t *places);

/* fuse.c: what one machine instruction does of several ops. */
void fuse(struct builder *builder);

/* unroll.c: what ptxas does to a branch, and to loops of a single basic block. */
void classify_branches(struct builder *builder);
bool unroll_loops(struct builder *builder, uint32_t *ops);

/* join.c: basic blocks between which only predicated branches lie. Ops are appended at *ops. */
bool join_blocks(struct builder *builder, uint32_t *ops);

static inline const char *name_of(const struct builder *builder, uint32_t index)
{
    return builder->syntax->instructions[index].name;
}

/* Is it one of these names, which are separated by spaces? */
static inline bool is_named(const struct builder *builder, uint32_t index, const char *names)
{
    const char *name = name_of(builder, index), *at = strstr(names, name);
    size_t length = strlen(name);
    return at && (at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0);
}

#endif
