/* operand_ports.c - replays how the operands of FP32 instructions are read.
 *
 * The rule: an instruction is issued in the first cycle from which on its operands can all be read
 * within two cycles, each bank giving one a cycle; three operands of one bank take three.
 */
#include "operand_ports.h"

#include <stdlib.h>

enum { BANKS = 2, OPERANDS = 3, WINDOW_CYCLES = 2 };
enum { NO_OPERAND = 255 };     /* the register that is always zero */
enum { REUSE_BIT = 122 - 64 }; /* of the first operand; those of the others follow */

/* Opcodes without the bits (9 to 11) that say what the second operand is: 1, a register; 2 and 3,
 * a register that stands in the third one's place; else a constant. */
enum { FMUL = 0x020, FADD = 0x021, FFMA = 0x023 };
enum { FORM_SHIFT = 9, FORM_REGISTERS = 1 };

/* Which of the three fields of an instruction name a register that it reads, as bits. */
static unsigned fields_of(uint64_t low)
{
    unsigned opcode = low & 0x1FF, form = low >> FORM_SHIFT & 7;
    if (form == 0)
        return 0;
    if (opcode == FFMA)
        return form == FORM_REGISTERS ? 7 : 5;
    if (opcode == FMUL || opcode == FADD)
        return form == FORM_REGISTERS ? 3 : 1;
    return 0;
}

/* How many registers of each bank have to be read: the same one in two places is read once. */
static void count_reads(struct operand_ports *ports, uint64_t low, uint64_t high,
                        int64_t reads[BANKS])
{
    const uint8_t registers[OPERANDS] = {low >> 24 & 0xFF, low >> 32 & 0xFF, high & 0xFF};
    unsigned fields = fields_of(low), read = 0;
    for (unsigned i = 0; i < OPERANDS; i++) {
        unsigned reg = registers[i], bank = reg % BANKS;
        if (!(fields >> i & 1) || reg == NO_OPERAND)
            continue;
        bool is_read = ports->kept[i][bank] != reg + 1;
        for (unsigned j = 0; j < i; j++)
            is_read &= !(read >> j & 1) || registers[j] != reg;
        reads[bank] += is_read;
        read |= (unsigned)is_read << i;
        ports->kept[i][bank] = high >> (REUSE_BIT + i) & 1 ? (uint16_t)(reg + 1) : 0;
    }
}

int64_t operand_ports_issue(struct operand_ports *ports, uint64_t low, uint64_t high)
{
    int64_t reads[BANKS] = {0}, window = WINDOW_CYCLES, soonest = ports->now + 1, at = soonest;
    count_reads(ports, low, high, reads);
    for (int i = 0; i < BANKS; i++)
        window = reads[i] > window ? reads[i] : window;
    for (int i = 0; i < BANKS; i++)
        if (reads[i] && ports->free[i] + reads[i] - window > at)
            at = ports->free[i] + reads[i] - window;
    for (int i = 0; i < BANKS; i++)
        if (reads[i])
            ports->free[i] = (ports->free[i] > at ? ports->free[i] : at) + reads[i];
    ports->now = at;
    return at - soonest;
}

/* Is it BRA, BRX, EXIT or RET? After one of these, the state of the ports is not known. */
static bool leaps(uint64_t low)
{
    unsigned opcode = low & 0xFFF;
    return opcode == 0x947 || opcode == 0x949 || opcode == 0x94d || opcode == 0x950;
}

void operand_ports_find(const struct machine_code *code)
{
    struct function *function = code->function;
    size_t count = function->op_count;
    struct operand_ports ports = {0};
    uint32_t *instructions = calloc(count + 1, sizeof *instructions);
    float *waits =
        code->table.count ? arena_alloc(&code->module->arena, (count + 1) * sizeof *waits) : NULL;
    for (uint64_t at = 0; instructions && waits && at + INSTRUCTION_BYTES <= code->size_bytes;
         at += INSTRUCTION_BYTES) {
        uint64_t low = machine_code_low(code, at);
        if (leaps(low))
            ports = (struct operand_ports){0};
        float wait = (float)operand_ports_issue(&ports, low, machine_code_high(code, at));
        uint32_t op = fields_of(low) ? machine_code_op(code, at) : NO_OP;
        if (op != NO_OP)
            waits[op] += (wait - waits[op]) / (float)++instructions[op];
    }
    free(instructions);
    function->port_waits = waits;
}
