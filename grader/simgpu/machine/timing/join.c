/* join.c - finds basic blocks that are one in the machine code.
 *
 * ptxas predicates what a short branch would skip, and then orders the instructions before it, in
 * it and after it together: eight loads, each under a guard of its own, are all in flight at once.
 * So a run of basic blocks between which only predicated branches lie is copied, one block after
 * the other, and scheduled as one. Those of its members that a warp did not enter are issued all
 * the same, and touch no memory.
 */
#include "opcode.h"
#include "schedule_internal.h"

#include <stdlib.h>

enum { MOST_OPS = 384 };

/* Can the block's ops be ordered together with another's? Waits and calls cannot. */
static bool is_plain(const struct builder *builder, uint32_t block)
{
    const struct timed_block *timed = &builder->schedule->blocks[block];
    for (uint32_t i = timed->first; i < timed->first + timed->count; i++) {
        uint8_t kind = builder->schedule->ops[i].cost.kind;
        bool last = i == timed->first + timed->count - 1;
        if (kind != COST_ARITHMETIC && kind != COST_MEMORY && !(kind == COST_BRANCH && last))
            return false;
    }
    return timed->count > 0 && !builder->schedule->unrolled[block].count;
}

static const struct op *last_op_of(const struct builder *builder, uint32_t block)
{
    const struct basic_block *basic = &builder->function->blocks[block];
    return &builder->function->ops[basic->first + basic->count - 1];
}

/* How many branches lead to each basic block. */
static uint32_t *count_targets(const struct builder *builder)
{
    uint32_t count = builder->function->block_count;
    uint32_t *targets = calloc(count + 1, sizeof *targets);
    for (uint32_t b = 0; targets && b < count; b++)
        if (builder->function->blocks[b].count && last_op_of(builder, b)->run == bra &&
            last_op_of(builder, b)->target < count)
            targets[last_op_of(builder, b)->target]++;
    return targets;
}

/* A run of basic blocks from first on, all entered from within it except the first. */
struct run {
    uint32_t first, count, ops;
    uint32_t guard[MOST_MEMBERS]; /* register that switches the member, or NOBODY */
};

static bool add_member(const struct builder *builder, struct run *run, uint32_t block,
                       uint32_t guard)
{
    uint32_t ops = builder->schedule->blocks[block].count;
    if (block >= builder->function->block_count || run->count == MOST_MEMBERS ||
        run->ops + ops > MOST_OPS || !is_plain(builder, block))
        return false;
    run->ops += ops;
    run->guard[run->count++] = guard;
    return true;
}

/* The register that guards the branch at the end of a block. */
static uint32_t guard_of(const struct builder *builder, uint32_t block)
{
    const struct basic_block *basic = &builder->function->blocks[block];
    return builder->syntax->instructions[basic->first + basic->count - 1].guard;
}

/* As long as the run's last block ends in a branch that is predicated, add the block that it skips,
 * the other arm if there is one, and their convergence point if nothing else leads there. */
static void find_run(const struct builder *builder, const uint32_t *targets, uint32_t first,
                     struct run *run)
{
    const struct timed_block *blocks = builder->schedule->blocks;
    *run = (struct run){.first = first};
    if (!blocks[first].predicated || !add_member(builder, run, first, NOBODY))
        return;
    for (uint32_t last = first; blocks[last].predicated;) {
        uint32_t guard = guard_of(builder, last), arms = blocks[last + 1].predicated ? 2 : 1;
        struct run before = *run;
        bool added = targets[last + 1] == 0 && add_member(builder, run, last + 1, guard);
        if (added && arms == 2)
            added = targets[last + 2] == 1 && add_member(builder, run, last + 2, guard);
        if (!added) {
            *run = before;
            return;
        }
        last += arms + 1;
        if (targets[last] != 1 || !add_member(builder, run, last, NOBODY))
            return;
    }
}

static bool copy_member(struct builder *builder, const struct run *run, uint32_t member,
                        uint32_t *ops, uint16_t *accesses)
{
    struct schedule *schedule = builder->schedule;
    const struct timed_block *from = &schedule->blocks[run->first + member];
    for (uint32_t i = 0; i < from->count; i++) {
        const struct timed_op *own = &schedule->ops[from->first + i];
        struct timed_op *copy = &schedule->ops[*ops];
        struct used used = {.read_count = own->reads, .write_count = own->writes};
        const uint32_t *registers = schedule->registers + own->registers;
        memcpy(used.reads, registers, used.read_count * sizeof *registers);
        memcpy(used.writes, registers + own->reads, used.write_count * sizeof *registers);
        if (run->guard[member] != NOBODY && own->cost.kind == COST_MEMORY &&
            used.read_count < MOST_REGISTERS)
            used.reads[used.read_count++] = run->guard[member];
        *copy = *own;
        copy->member = (uint8_t)member;
        if (own->memory != NO_MEMORY)
            copy->memory = (uint16_t)(own->memory + *accesses);
        if (!keep_registers(builder, copy, &used))
            return false;
        (*ops)++;
    }
    *accesses += from->accesses;
    return true;
}

bool join_blocks(struct builder *builder, uint32_t *ops)
{
    struct schedule *schedule = builder->schedule;
    uint32_t *targets = count_targets(builder);
    bool ok = targets;
    for (uint32_t b = 0; ok && b < builder->function->block_count; b++) {
        struct run run;
        find_run(builder, targets, b, &run);
        if (run.count < 2)
            continue;
        struct timed_op *grown = realloc(schedule->ops, (*ops + run.ops + 1) * sizeof *grown);
        ok = grown;
        if (!ok)
            break;
        schedule->ops = grown;
        struct timed_block *joined = &schedule->joined[b];
        joined->first = *ops;
        for (uint32_t m = 0; ok && m < run.count; m++)
            ok = copy_member(builder, &run, m, ops, &joined->accesses);
        joined->count = *ops - joined->first;
        joined->members = (uint8_t)run.count;
        b += run.count - 1;
    }
    free(targets);
    return ok;
}
