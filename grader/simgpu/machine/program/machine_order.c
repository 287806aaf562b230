/* machine_order.c - finds the place of each op's instruction in the machine code.
 *
 * An op has a place if its instruction occurs once: one in a loop that ptxas unrolled occurs
 * several times. For an op that touches memory, the load or store counts; for others, the first of
 * its instructions, which reads its operands.
 */
#include "machine_order.h"
#include "opcode.h"

#include <stdlib.h>

/* Opcodes (bits 0-11) of what reaches memory through L1 or shared memory: LD, LDG, LDL, LDS, LDSM,
 * LDGSTS; ST, STG, STL, STS; atomics. As nvdisasm names the bank's machine code. */
static bool is_one_of(uint64_t low, const uint16_t *opcodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((low & 0xFFF) == opcodes[i])
            return true;
    return false;
}

static bool touches_memory(uint64_t low)
{
    static const uint16_t OPCODES[] = {0x980, 0x981, 0x983, 0x984, 0x83b, 0xfae, 0x985, 0x986,
                                       0x387, 0x388, 0x988, 0x98c, 0xf8c, 0x38c, 0x98e, 0x9a6,
                                       0x9a8, 0x3a8, 0x3a9, 0x9a9, 0x98a, 0x38a};
    return is_one_of(low, OPCODES, sizeof OPCODES / sizeof *OPCODES);
}

/* Does it fetch an operand that any later instruction may want: a constant, a parameter, zero? LDC,
 * ULDC, MOV, UMOV, CS2R, S2UR. */
static bool fetches_operand(uint64_t low)
{
    static const uint16_t OPCODES[] = {0xb82, 0xab9, 0x202, 0x802, 0xc02,
                                       0x882, 0xc82, 0x805, 0x9c3};
    return is_one_of(low, OPCODES, sizeof OPCODES / sizeof *OPCODES);
}

/* Does it go somewhere else: BRA, BRX, EXIT, RET? */
static bool leaps(uint64_t low)
{
    static const uint16_t OPCODES[] = {0x947, 0x949, 0x94d, 0x950};
    return is_one_of(low, OPCODES, sizeof OPCODES / sizeof *OPCODES);
}

static bool is_access(const struct machine_code *code, uint32_t index)
{
    const struct function *function = code->function;
    enum sim_op_class class = function->ops[index].row->class;
    return class == SIM_OP_GLOBAL || class == SIM_OP_SHARED || class == SIM_OP_LOCAL;
}

void machine_order_find(const struct machine_code *code)
{
    struct function *function = code->function;
    size_t count = function->op_count;
    if (!code->table.count)
        return;
    uint32_t *places = arena_alloc(&code->module->arena, (count + 1) * sizeof *places);
    bool *leaping = arena_alloc(&code->module->arena, (count + 1) * sizeof *leaping);
    if (!places || !leaping)
        return;
    for (uint64_t at = 0; at + INSTRUCTION_BYTES <= code->size_bytes; at += INSTRUCTION_BYTES) {
        uint32_t op = machine_code_op(code, at), place = (uint32_t)(at / INSTRUCTION_BYTES) + 1;
        uint64_t low = machine_code_low(code, at);
        if (op == NO_OP || fetches_operand(low))
            continue;
        leaping[op] |= leaps(low);
        if (!is_access(code, op))
            places[op] = places[op] ? places[op] : place;
        else if (touches_memory(low))
            places[op] = places[op] ? SEVERAL_PLACES : place;
    }
    function->places = places;
    function->leaps = leaping;
}
