/* meeting.c - do the blocks of a kernel meet in global memory?
 *
 * Blocks that only write results do the same in any order, so workers run them side by side. But
 * when blocks take numbers, locks or flags from each other, or read the clock, what a kernel does
 * may depend on their order: its counters would then differ from run to run and with the number of
 * workers. Such a kernel is recognised by its instructions, and runs on one worker, whose order is
 * always the same: what it does then is one of the things that it may do on a device. Plain loads
 * do not count, since a plain load of what another block writes meanwhile is a race.
 */
#include "opcode.h"
#include "program.h"

/* Where the op reaches, other blocks reach too. */
static bool is_shared_by_blocks(const struct op *op)
{
    return op->space == SPACE_GLOBAL || op->space == SPACE_GENERIC;
}

/* An atomic whose result is used tells a block which came before it. */
static bool takes_turn(const struct op *op)
{
    return op->row->flags & OP_ATOMIC && op->dst != NO_REGISTER && is_shared_by_blocks(op);
}

static bool allocates(const struct module *module, const struct op *op)
{
    return op->run == call_intrinsic && module->functions[op->target].intrinsic == INTRINSIC_MALLOC;
}

bool function_hands_on(const struct function *function)
{
    const struct module *module = function->module;
    for (uint32_t i = 0; i < function->op_count; i++) {
        const struct op *op = &function->ops[i];
        bool polls = op->run == load && op_is_strong(op) && is_shared_by_blocks(op);
        if (polls || takes_turn(op) || op_reads_clock(op) || allocates(module, op))
            return true;
    }
    return false;
}
