/* cost.c - finds the row of costs.def for an op, and works out what no table says. */
#include "cost.h"
#include "opcode.h"

#include <string.h>

struct row {
    const char *name, *modifier, *types;
    struct op_cost cost;
};

/* clang-format off */
static const struct row ROWS[] = {
#define COST(name, modifier, types, fma_, imad_, alu_, either_, xu_, fp64_, other_, latency)       \
    {name, modifier, types,                                                                        \
     {.kind = COST_ARITHMETIC, .fma = fma_, .imad = imad_, .alu = alu_, .either = either_,         \
      .xu = xu_, .fp64 = fp64_, .other = other_, .latency_cycles = latency}},
#include "costs.def"
#undef COST
};
/* clang-format on */

/* What the classes of opcodes.def cost when no row says otherwise; the device's profile says how
 * long the result of an exchange or a barrier takes. */
static const struct op_cost BY_CLASS[SIM_OP_CLASSES] = {
    [SIM_OP_INTEGER] = {.alu = 1, .latency_cycles = 5},
    [SIM_OP_FLOAT] = {.fma = 1, .latency_cycles = 4},
    [SIM_OP_DOUBLE] = {.fp64 = 1, .latency_cycles = 9},
    [SIM_OP_HALF] = {.imad = 1, .latency_cycles = 5},
    [SIM_OP_SPECIAL] = {.fma = 1, .alu = 1, .xu = 1, .latency_cycles = 26},
    [SIM_OP_CONVERT] = {.alu = 1, .latency_cycles = 5},
    [SIM_OP_MOVE] = {.latency_cycles = 0},
    [SIM_OP_CONTROL] = {.kind = COST_BRANCH},
    [SIM_OP_BARRIER] = {.kind = COST_BARRIER},
    [SIM_OP_WARP] = {.kind = COST_EXCHANGE},
    [SIM_OP_GLOBAL] = {.kind = COST_MEMORY},
    [SIM_OP_SHARED] = {.kind = COST_MEMORY},
    [SIM_OP_LOCAL] = {.kind = COST_MEMORY},
    [SIM_OP_CONST] = {.kind = COST_MEMORY},
    [SIM_OP_PARAM] = {.latency_cycles = 0}, /* an operand from a constant bank; see below */
};

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

static bool carries(const struct ptx_instruction *instruction, const char *modifier)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (strcmp(instruction->modifiers[i], modifier) == 0)
            return true;
    return false;
}

static enum ptx_type first_type(const struct ptx_instruction *instruction)
{
    return instruction->type_count ? instruction->types[0] : PTX_NO_TYPE;
}

static enum ptx_type last_type(const struct ptx_instruction *instruction)
{
    return instruction->type_count ? instruction->types[instruction->type_count - 1] : PTX_NO_TYPE;
}

static const struct row *find_row(const struct ptx_instruction *instruction)
{
    const char *first = ptx_type_name(first_type(instruction));
    const char *last = ptx_type_name(last_type(instruction));
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct row *row = &ROWS[i];
        if (strcmp(row->name, instruction->name) == 0 &&
            (!*row->modifier || carries(instruction, row->modifier)) &&
            (row->types[0] == '*' || (instruction->type_count &&
                                      (has_word(row->types, first) || has_word(row->types, last)))))
            return row;
    }
    return NULL;
}

/* --- What depends on more than a name --------------------------------------------------------- */

/* Widening an unsigned number and dropping an upper half only renames registers. */
static struct op_cost cost_of_conversion(const struct ptx_instruction *instruction)
{
    enum ptx_type to = first_type(instruction), from = last_type(instruction);
    bool to_whole = carries(instruction, "rni") || carries(instruction, "rzi") ||
                    carries(instruction, "rmi") || carries(instruction, "rpi");
    char to_class = ptx_type_class(to), from_class = ptx_type_class(from);
    unsigned to_bits = ptx_type_bits(to), from_bits = ptx_type_bits(from);
    bool to_float = to_class == 'F', from_float = from_class == 'F';
    if (to_bits == 64 && to_float != from_float)
        return (struct op_cost){.xu = 1, .latency_cycles = 20};
    if (to == PTX_f64 || from == PTX_f64)
        return (struct op_cost){.xu = 1, .latency_cycles = 20};
    if (to_class == 'X' || from_class == 'X')
        return (struct op_cost){.alu = 1, .latency_cycles = 5};
    if (to_float && from_float)
        return to_bits == from_bits && to_bits == 32 && to != PTX_tf32
                   ? to_whole ? (struct op_cost){.xu = 1, .latency_cycles = 16}
                              : (struct op_cost){.latency_cycles = 0} /* the writer's .sat */
                   : (struct op_cost){.alu = 1, .latency_cycles = 5};
    if (to_float)
        return from_bits == 32 ? (struct op_cost){.alu = 1, .latency_cycles = 6}
                               : (struct op_cost){.xu = 1, .latency_cycles = 16};
    if (from_float)
        return (struct op_cost){.xu = 1, .latency_cycles = 16};
    if (to_bits > from_bits && from_class == 'S' && to_bits == 64)
        return (struct op_cost){.alu = 1, .latency_cycles = 5};
    if (from_bits == 8 || from_bits == 16 || to_bits == 8)
        return (struct op_cost){.alu = 1, .latency_cycles = 5};
    return (struct op_cost){.latency_cycles = 0};
}

/* A 64-bit number is a pair of registers. Shifted by 32, or masked to its lower half, it is one
 * of them; only what moves within a half takes an instruction (the rounds of Philox: machine code
 * of lesson 5's solution). False if it is not such a constant. */
static bool cost_of_half(const struct op *op, const struct ptx_instruction *instruction,
                         struct op_cost *cost)
{
    enum { HALF = 32 };
    const struct ptx_operand *by = &instruction->operands[2];
    bool shifts = has_word("shl shr", instruction->name);
    bool masks = strcmp(instruction->name, "and") == 0;
    enum ptx_type type = first_type(instruction);
    if (instruction->operand_count != 3 || by->kind != PTX_OPERAND_INTEGER ||
        ptx_type_bits(type) != 2 * HALF || op->row->class != SIM_OP_INTEGER)
        return false;
    bool is_half = shifts ? by->value == HALF : by->value == UINT32_MAX;
    if (shifts ? by->value < HALF : !masks || by->value > UINT32_MAX)
        return false;
    bool fills = ptx_type_class(type) == 'S'; /* the upper half with the sign */
    uint8_t instructions = (uint8_t)(!is_half + fills);
    *cost = (struct op_cost){.alu = instructions, .latency_cycles = instructions ? 5 : 0};
    return true;
}

/* Warps read their place in the grid only once: a thread's own numbers come from a slow unit. */
static struct op_cost cost_of_special(const struct op *op, const struct sim_model *model)
{
    if (op->kind < SPECIAL_NTID || op->kind == SPECIAL_LANEID || op->kind == SPECIAL_WARPID)
        return (struct op_cost){.alu = 1, .latency_cycles = model->lane_number_cycles};
    if (op->kind >= SPECIAL_CLOCK && op->kind <= SPECIAL_GLOBALTIMER_HI)
        return (struct op_cost){.alu = 1, .latency_cycles = model->clock_cycles};
    if (op->kind >= SPECIAL_CTAID && op->kind < SPECIAL_NCTAID)
        return (struct op_cost){.alu = 1, .latency_cycles = model->block_number_cycles};
    return (struct op_cost){.latency_cycles = 0};
}

/* Multiply-adds of the shape against the tensor core's rate. */
static struct op_cost cost_of_matrix(const struct op *op, const struct ptx_instruction *instruction,
                                     const struct sim_profile *profile)
{
    static const double PRODUCTS[] = {
#define SHAPE(name, rows, columns, depth) [SHAPE_##name] = (rows) * (columns) * (depth),
#include "shapes.def"
#undef SHAPE
    };
    enum ptx_type type = instruction->type_count > 1 ? instruction->types[1] : PTX_f16;
    unsigned bits = ptx_type_bits(type);
    double rate = profile->tensor_f16_flops / 2 / profile->schedulers; /* multiply-adds a cycle */
    rate *= type == PTX_f64 ? 1.0 / 16 : bits ? 16.0 / bits : 1;
    if (type == PTX_tf32)
        rate /= 1; /* 32 bits: half the rate of halves, which the line above says */
    float cycles = (float)(PRODUCTS[op->kind] / (rate * profile->tensor_share));
    double halves = PRODUCTS[op->kind] * (bits ? bits : 16) / 16, each = 16 * 8 * 16;
    uint8_t more = type != PTX_f64 && halves > each ? (uint8_t)(halves / each - 1) : 0;
    return (struct op_cost){.tensor_cycles = cycles,
                            .other = more, /* an HMMA multiplies 16 x 16 by 16 x 8 halves */
                            .latency_cycles =
                                (uint16_t)((float)profile->model->product_cycles + cycles)};
}

/* A fence waits for the warp's stores, and then for an answer from L2 or from beyond the device.
 * Within a block there is nothing to wait for. */
static struct op_cost cost_of_fence(const struct ptx_instruction *instruction,
                                    const struct sim_model *model)
{
    if (carries(instruction, "cta") || carries(instruction, "proxy"))
        return (struct op_cost){.other = 1};
    return (struct op_cost){.kind = COST_FENCE,
                            .latency_cycles = carries(instruction, "sys")
                                                  ? model->system_fence_cycles
                                                  : model->device_fence_cycles};
}

/* The return address is put into registers (two moves) before a call, and a call or a return goes
 * where a register says (call_plain). An indirect call and its return keep the branch unit busy for
 * longer (interpret_256K_24, call_by_number_relu, call_by_lane). */
static struct op_cost cost_of_call(const struct op *op)
{
    if (!(op->row->flags & OP_CALL))
        return (struct op_cost){.kind = COST_BRANCH, .extra = 1};
    return (struct op_cost){
        .kind = COST_BRANCH, .other = 2, .extra = op->run == call_indirect ? 3 : 1};
}

static struct op_cost cost_of_memory(const struct ptx_instruction *instruction,
                                     const struct sim_model *model)
{
    static const char *const PAST_L1[] = {"cg", "cv", "volatile", "relaxed", "acquire", "mmio"};
    struct op_cost cost = {.kind = COST_MEMORY};
    if (strcmp(instruction->name, "wmma") == 0)
        cost.latency_cycles = model->matrix_place_cycles;
    for (size_t i = 0; i < sizeof PAST_L1 / sizeof *PAST_L1; i++)
        cost.past_l1 |= carries(instruction, PAST_L1[i]);
    return cost;
}

/* Where one lane acts for its warp (uniform.c): a vote, the first lane of it, its number and a
 * product or a sum; the old value is handed out, and each lane adds what the lanes before it add.
 * The machine code of pair_atomics_spread_before and keep_positive. */
static struct op_cost cost_of_atomic(const struct op *op, const struct ptx_instruction *instruction,
                                     const struct sim_model *model)
{
    struct op_cost cost = cost_of_memory(instruction, model);
    bool releases = carries(instruction, "release") || carries(instruction, "acq_rel");
    if (releases && !carries(instruction, "cta"))
        cost.latency_cycles += model->atomic_release_cycles; /* MEMBAR.ALL.GPU goes first */
    if (!op->for_all)
        return cost;
    bool answers = op->dst != NO_REGISTER;
    cost.imad = 1;
    cost.other = answers ? 3 : 1;
    cost.xu = answers ? 3 : 0;
    cost.alu = answers ? 2 : 0;
    if (answers)
        cost.latency_cycles += model->exchange_cycles + model->lane_sum_cycles;
    return cost;
}

/* An arrival returns a state, a wait returns a predicate. */
static struct op_cost cost_of_mbarrier(const struct op *op, const struct sim_model *model)
{
    bool waits = op->row->flags & OP_PHASE;
    bool makes = op->run == mbarrier_init || op->run == mbarrier_inval;
    return (struct op_cost){.kind = waits   ? COST_PHASE
                                    : makes ? COST_MEMORY
                                            : COST_ARRIVAL,
                            .latency_cycles = model->mbarrier_cycles};
}

/* Operations whose cost is always the same, and like that of no other. */
static const struct {
    op_handler *run;
    struct op_cost cost;
} BY_HANDLER[] = {
    {warp_sync, {.other = 1}}, /* a NOP, where all lanes are there: it goes through no crossbar */
    {bulk_prefetch, {.kind = COST_BULK, .past_l1 = true}},
    {copy_commit, {.kind = COST_COMMIT}},
    {bulk_commit, {.kind = COST_COMMIT, .of_bulk = true}},
    {copy_wait_group, {.kind = COST_WAIT}},
    {copy_wait_all, {.kind = COST_WAIT}},
    {bulk_wait, {.kind = COST_WAIT, .of_bulk = true}},
    {cluster_arrive, {.other = 1}},
    {cluster_wait, {.kind = COST_BARRIER, .of_cluster = true}},
    {fence_proxy, {.other = 1}},
    {sleep_lanes, {.kind = COST_SLEEP}},
};

/* False if it is none of them. */
static bool cost_by_handler(const struct op *op, const struct sim_model *model,
                            struct op_cost *cost)
{
    size_t i = 0, count = sizeof BY_HANDLER / sizeof *BY_HANDLER;
    while (i < count && BY_HANDLER[i].run != op->run)
        i++;
    if (i == count)
        return false;
    *cost = BY_HANDLER[i].cost;
    if (cost->kind == COST_BARRIER)
        cost->latency_cycles = model->meeting_cycles;
    return true;
}

/* The cost of an op that has no row. */
static struct op_cost cost_of_class(enum sim_op_class class, const struct sim_model *model)
{
    struct op_cost cost = BY_CLASS[class];
    if (cost.kind == COST_EXCHANGE)
        cost.latency_cycles = model->exchange_cycles;
    else if (cost.kind == COST_BARRIER)
        cost.latency_cycles = model->meeting_cycles;
    return cost;
}

struct op_cost cost_of(const struct op *op, const struct ptx_instruction *instruction,
                       bool in_kernel, const struct sim_profile *profile)
{
    const struct opcode *opcode = op->row;
    struct op_cost alone;
    if (cost_by_handler(op, profile->model, &alone))
        return alone;
    if (op_is_copy(op))
        return (struct op_cost){.kind = COST_COPY, .past_l1 = carries(instruction, "cg")};
    if (op_is_bulk(op))
        return (struct op_cost){.kind = COST_BULK, .past_l1 = true};
    if (op->run == mov_special)
        return cost_of_special(op, profile->model);
    if (op->is_mbarrier)
        return cost_of_mbarrier(op, profile->model);
    if (op->run == fence)
        return cost_of_fence(instruction, profile->model);
    if (opcode->flags & OP_CALL || (!in_kernel && op->run == ret))
        return cost_of_call(op);
    if (opcode->flags & OP_ATOMIC)
        return cost_of_atomic(op, instruction, profile->model);
    if (opcode->class == SIM_OP_TENSOR)
        return cost_of_matrix(op, instruction, profile);
    if (opcode->class == SIM_OP_CONVERT)
        return cost_of_conversion(instruction);
    if (opcode->class == SIM_OP_GLOBAL || opcode->class == SIM_OP_SHARED)
        return cost_of_memory(instruction, profile->model);
    if (opcode->class == SIM_OP_PARAM && ptx_type_bits(first_type(instruction)) == 64)
        return (struct op_cost){.other = 1, .latency_cycles = profile->model->parameter_cycles};
    if (cost_of_half(op, instruction, &alone))
        return alone;
    const struct row *row = find_row(instruction);
    return row ? row->cost : cost_of_class(opcode->class, profile->model);
}
