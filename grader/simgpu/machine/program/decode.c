/* decode.c - from parsed instructions to ops that run: registers get their places, immediates
 * become constant registers, labels become basic blocks.
 *
 * A frame of registers, in bytes:
 *
 *     | predicates: 4 each | registers, see frame.c | parameters of calls | constants |
 *
 * A register of 16 bits takes 64 bytes, one of 32 takes 128, one of 64 takes 256.
 *
 * Everything a text can get wrong is found here, so handlers need no checks of their own. An
 * unsupported instruction becomes an op that faults when executed; most programs never reach it.
 */
#include "decode_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool decode_fail(struct decoder *decoder, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(decoder->complaint, sizeof decoder->complaint, format, arguments);
    va_end(arguments);
    return false;
}

/* "ld.global.nc.v4.f32", as it was written. */
void decode_mnemonic(const struct ptx_instruction *instruction, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", instruction->name);
    for (unsigned i = 0; i < instruction->modifier_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ".%s", instruction->modifiers[i]);
    for (unsigned i = 0; i < instruction->type_count && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, ".%s", ptx_type_name(instruction->types[i]));
}

/* --- The frame -------------------------------------------------------------------------------- */

uint32_t decode_place(struct decoder *decoder, uint32_t bytes)
{
    uint32_t place = (decoder->function->register_bytes + 63) & ~UINT32_C(63);
    decoder->function->register_bytes = place + bytes;
    return place;
}

uint32_t decode_register_bytes(const struct decoder *decoder, uint32_t index)
{
    unsigned bits = ptx_type_bits(decoder->syntax->registers[index]);
    return bits <= 16 ? 2 : bits / 8;
}

/* A variable in .param space of a function call: one item for each lane, side by side. */
static void place_parameter_variable(struct decoder *decoder, uint32_t variable)
{
    uint64_t bytes = decoder->module->syntax->variables[variable].size_bytes;
    decoder->parameter_place[variable - decoder->first_variable] =
        decode_place(decoder, (uint32_t)bytes * WARP_LANES);
}

/* Parameters and results of a function lie in its own frame; a kernel's in the launch. */
static void place_parameters(struct decoder *decoder)
{
    struct function *function = decoder->function;
    const struct ptx_function *syntax = decoder->syntax;
    for (size_t i = 0; i < syntax->local_count; i++)
        if (decoder->module->syntax->variables[syntax->locals[i]].space == PTX_SPACE_PARAM)
            place_parameter_variable(decoder, syntax->locals[i]);
    if (function->is_kernel)
        return;
    for (size_t i = 0; i < syntax->parameter_count; i++) {
        place_parameter_variable(decoder, syntax->parameters[i]);
        function->parameters[i].offset =
            decoder->parameter_place[syntax->parameters[i] - decoder->first_variable];
    }
    for (size_t i = 0; i < syntax->result_count; i++) {
        place_parameter_variable(decoder, syntax->results[i]);
        function->results[i].offset =
            decoder->parameter_place[syntax->results[i] - decoder->first_variable];
    }
}

/* The variables of a function form one run of the module's list, around its locals. */
static bool find_variable_range(struct decoder *decoder)
{
    const struct ptx_function *syntax = decoder->syntax;
    uint32_t first = UINT32_MAX, end = 0;
    const struct {
        const uint32_t *list;
        size_t count;
    } lists[] = {{syntax->parameters, syntax->parameter_count},
                 {syntax->results, syntax->result_count},
                 {syntax->locals, syntax->local_count}};
    for (int i = 0; i < 3; i++)
        for (size_t j = 0; j < lists[i].count; j++) {
            first = lists[i].list[j] < first ? lists[i].list[j] : first;
            end = lists[i].list[j] + 1 > end ? lists[i].list[j] + 1 : end;
        }
    decoder->first_variable = end ? first : 0;
    decoder->end_variable = end;
    decoder->parameter_place = calloc(end ? end - first : 1, 4);
    if (decoder->parameter_place)
        for (uint32_t i = 0; i + decoder->first_variable < end; i++)
            decoder->parameter_place[i] = NO_REGISTER;
    return decoder->parameter_place != NULL;
}

/* The offset, in the launch's block, of a kernel parameter; false when variable is none. */
bool decode_kernel_parameter(const struct decoder *decoder, uint32_t variable, uint32_t *offset)
{
    if (!decoder->function->is_kernel)
        return false;
    for (size_t i = 0; i < decoder->syntax->parameter_count; i++)
        if (decoder->syntax->parameters[i] == variable) {
            *offset = decoder->function->parameters[i].offset;
            return true;
        }
    return false;
}

uint32_t decode_parameter_place(const struct decoder *decoder, uint32_t variable)
{
    if (variable < decoder->first_variable || variable >= decoder->end_variable)
        return NO_REGISTER;
    return decoder->parameter_place[variable - decoder->first_variable];
}

/* --- Constants -------------------------------------------------------------------------------- */

uint32_t decode_constant(struct decoder *decoder, uint64_t value, uint8_t bytes,
                         enum constant_kind kind)
{
    struct function *function = decoder->function;
    if (bytes < 8)
        value &= (UINT64_C(1) << 8 * bytes) - 1;
    for (uint32_t i = 0; i < function->constant_count; i++) {
        const struct constant *known = &function->constants[i];
        if (known->value == value && known->bytes == bytes && known->kind == kind)
            return known->reg;
    }
    struct constant *grown =
        arena_grow(&decoder->module->arena, function->constants, function->constant_count,
                   &decoder->constant_room, sizeof *grown);
    if (!grown) {
        decoder->exhausted = true; /* decode_all gives up at the end */
        return 0;
    }
    function->constants = grown;
    uint32_t place = decode_place(decoder, bytes * UINT32_C(32));
    function->constants[function->constant_count++] = (struct constant){value, place, bytes, kind};
    return place;
}

static void fill_lanes(unsigned char *to, uint64_t value, uint8_t bytes)
{
    for (int lane = 0; lane < WARP_LANES; lane++)
        memcpy(to + (size_t)lane * bytes, &value, bytes);
}

/* Constants were placed after all registers, in one run: an image of that run is copied to each
 * frame. */
static bool make_constant_image(struct decoder *decoder)
{
    struct function *function = decoder->function;
    function->constant_bytes = function->register_bytes - function->constant_start;
    function->constant_image = arena_alloc(&decoder->module->arena, function->constant_bytes + 64);
    if (!function->constant_image)
        return false;
    for (uint32_t i = 0; i < function->constant_count; i++) {
        const struct constant *constant = &function->constants[i];
        fill_lanes(function->constant_image + (constant->reg - function->constant_start),
                   constant->value, constant->bytes);
    }
    return true;
}

/* --- Basic blocks ----------------------------------------------------------------------------- */

static void mark_label(struct decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_LABEL)
        decoder->block_at[operand->index] = 1;
    if (operand->kind == PTX_OPERAND_TARGETS)
        for (size_t i = 0; i < decoder->syntax->targets[operand->index].count; i++)
            mark_label(decoder, &decoder->syntax->targets[operand->index].labels[i]);
}

/* block_at[i] becomes the number of the basic block that instruction i is in. */
static bool find_blocks(struct decoder *decoder)
{
    const struct ptx_function *syntax = decoder->syntax;
    size_t count = syntax->instruction_count;
    decoder->block_at = calloc(count + 2, sizeof *decoder->block_at);
    if (!decoder->block_at)
        return false;
    decoder->block_at[0] = 1;
    for (size_t i = 0; i < count; i++) {
        const struct ptx_instruction *instruction = &syntax->instructions[i];
        for (unsigned j = 0; j < instruction->operand_count; j++)
            mark_label(decoder, &instruction->operands[j]);
        if (decoder->opcodes[i]->flags & OP_ALONE)
            decoder->block_at[i] = 1;
        if (decoder->opcodes[i]->flags & (OP_ALONE | OP_BRANCH | OP_ENDS | OP_STOPS))
            decoder->block_at[i + 1] = 1;
    }
    uint32_t block = 0;
    for (size_t i = 0; i <= count; i++)
        block = decoder->block_at[i] = block + (decoder->block_at[i] != 0);
    for (size_t i = 0; i <= count; i++)
        decoder->block_at[i]--;
    return true;
}

/* A label after the last instruction leads out of the function. */
uint32_t decode_block_of(const struct decoder *decoder, uint32_t instruction)
{
    return instruction < decoder->syntax->instruction_count ? decoder->block_at[instruction]
                                                            : EXIT_BLOCK;
}

static bool make_blocks(struct decoder *decoder)
{
    struct function *function = decoder->function;
    size_t count = decoder->syntax->instruction_count;
    function->block_count = count ? decoder->block_at[count - 1] + 1 : 0;
    function->blocks = arena_alloc(&decoder->module->arena,
                                   (function->block_count + 1) * sizeof *function->blocks);
    if (!function->blocks)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct basic_block *block = &function->blocks[decoder->block_at[i]];
        if (block->count++ == 0)
            block->first = i;
    }
    for (uint32_t i = 0; i < function->block_count; i++)
        function->blocks[i].id = function->first_block_id + i;
    return true;
}

static void add_successor(struct decoder *decoder, uint32_t *count, const struct ptx_operand *label)
{
    if (label && label->kind != PTX_OPERAND_LABEL) /* make_ops will refuse it */
        return;
    if (decoder->successors)
        decoder->successors[*count] = label ? decode_block_of(decoder, label->index) : EXIT_BLOCK;
    ++*count;
}

/* Where a block can go from its last instruction: its branch's targets, and the next block unless
 * it never falls through. *count counts them; they are stored when there is room. */
static void add_successors(struct decoder *decoder, uint32_t last, uint32_t *count)
{
    const struct ptx_instruction *instruction = &decoder->syntax->instructions[last];
    const struct ptx_operand *operands = instruction->operands;
    const struct opcode *opcode = decoder->opcodes[last];
    bool leaves = opcode->flags & (OP_ENDS | OP_STOPS);
    if (opcode->run == bra)
        add_successor(decoder, count, &operands[0]);
    if (opcode->run == brx && instruction->operand_count == 2 &&
        operands[1].kind == PTX_OPERAND_TARGETS) {
        const struct ptx_targets *targets = &decoder->syntax->targets[operands[1].index];
        for (size_t i = 0; i < targets->count; i++)
            add_successor(decoder, count, &targets->labels[i]);
    }
    if (leaves)
        add_successor(decoder, count, NULL);
    if (instruction->guarded || !(leaves || opcode->flags & OP_BRANCH)) {
        struct ptx_operand behind = {.kind = PTX_OPERAND_LABEL, .index = last + 1};
        add_successor(decoder, count, &behind);
    }
}

/* Twice: to count them, then to store them. */
static bool find_successors(struct decoder *decoder)
{
    uint32_t count = (uint32_t)decoder->syntax->instruction_count, total = 0;
    uint32_t blocks = count ? decoder->block_at[count - 1] + 1 : 0;
    struct arena *arena = &decoder->module->arena;
    decoder->successor_start = arena_alloc(arena, (blocks + 1) * sizeof(uint32_t));
    for (int turn = 0; turn < 2 && decoder->successor_start; turn++) {
        total = 0;
        for (uint32_t i = 0; i < count; i++)
            if (i + 1 == count || decoder->block_at[i + 1] != decoder->block_at[i]) {
                add_successors(decoder, i, &total);
                decoder->successor_start[decoder->block_at[i] + 1] = total;
            }
        if (turn == 0 && !(decoder->successors = arena_alloc(arena, (total + 1) * sizeof total)))
            return false;
    }
    decoder->function->successor_start = decoder->successor_start;
    decoder->function->successors = decoder->successors;
    return decoder->successor_start != NULL;
}

/* --- A function ------------------------------------------------------------------------------- */

/* An atomic whose old value is not read is a reduction: ptxas makes a RED of it. */
static void drop_unread_results(struct decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->function->op_count; i++) {
        struct op *op = &decoder->function->ops[i];
        if (!(op->row->flags & OP_ATOMIC))
            continue;
        const struct ptx_operand *result = &decoder->syntax->instructions[i].operands[0];
        if (result->kind == PTX_OPERAND_REGISTER && !decoder->is_read[result->index])
            op->dst = NO_REGISTER;
    }
}

/* Keep what decode_fail said of instruction i. False when it said nothing: memory is exhausted. */
static bool note_unsupported(struct decoder *decoder, size_t i)
{
    struct function *function = decoder->function;
    struct arena *arena = &decoder->module->arena;
    size_t count = decoder->syntax->instruction_count;
    if (!*decoder->complaint)
        return false;
    if (!function->unsupported)
        function->unsupported = arena_alloc(arena, count * sizeof *function->unsupported);
    if (!function->unsupported)
        return false;
    function->unsupported[i] = arena_copy(arena, decoder->complaint, strlen(decoder->complaint));
    *decoder->complaint = 0;
    return function->unsupported[i] != NULL;
}

static bool find_opcodes(struct decoder *decoder)
{
    size_t count = decoder->syntax->instruction_count;
    decoder->opcodes = calloc(count + 1, sizeof *decoder->opcodes);
    if (!decoder->opcodes)
        return false;
    for (size_t i = 0; i < count; i++) {
        decoder->instruction = &decoder->syntax->instructions[i];
        decoder->opcodes[i] = decode_find_opcode(decoder);
        if (decoder->opcodes[i])
            continue;
        decoder->opcodes[i] = opcode_unknown();
        if (!note_unsupported(decoder, i))
            return false;
    }
    return true;
}

/* Fill in the first fields of op, whose row is opcode, and of its op_info. */
static void begin_op(struct decoder *decoder, const struct opcode *opcode, struct op *op,
                     uint32_t id)
{
    *op = (struct op){.run = opcode->run,
                      .row = opcode,
                      .is_mbarrier = opcode->flags & OP_MBARRIER,
                      .dst = NO_REGISTER,
                      .dst2 = NO_REGISTER,
                      .guard = NO_REGISTER,
                      .id = id,
                      .count = 1};
    decoder->module->ops[id] = (struct op_info){.location = decoder->instruction->location,
                                                .row = opcode_row(opcode),
                                                .ptx_line = decoder->instruction->line,
                                                .is_branch = opcode->flags & OP_BRANCH};
    if (decoder->instruction->guarded) {
        op->guard = decoder->place[decoder->instruction->guard];
        op->guard_negated = decoder->instruction->guard_negated;
        decoder->is_read[decoder->instruction->guard] = true;
    }
}

static bool make_ops(struct decoder *decoder)
{
    struct function *function = decoder->function;
    struct module *module = decoder->module;
    function->op_count = (uint32_t)decoder->syntax->instruction_count;
    function->ops = arena_alloc(&module->arena, (function->op_count + 1) * sizeof(struct op));
    if (!function->ops)
        return false;
    for (uint32_t i = 0; i < function->op_count; i++) {
        struct op *op = &function->ops[i];
        const struct opcode *opcode = decoder->opcodes[i];
        decoder->instruction = &decoder->syntax->instructions[i];
        begin_op(decoder, opcode, op, function->first_op_id + i);
        if (opcode->run == unsupported || decode_operation(decoder, opcode, op))
            continue;
        begin_op(decoder, opcode_unknown(), op, function->first_op_id + i);
        if (!note_unsupported(decoder, i))
            return false;
    }
    return true;
}

/* "kernel.cu:7: 'x' is not supported by the simulated device (PTX line 9, in kernel k)" */
static bool refuse_function(struct decoder *decoder, uint32_t i)
{
    struct function *function = decoder->function;
    const struct ptx_instruction *instruction = &decoder->syntax->instructions[i];
    const struct sim_line *line = &decoder->module->lines[instruction->location];
    char sentence[400], place[120] = "", name[64];
    sim_plain_name(function->name, name, sizeof name);
    if (line->line)
        snprintf(place, sizeof place, "%.100s:%u: ", line->file, line->line);
    snprintf(sentence, sizeof sentence, "%s%s (PTX line %u, in %s%s)", place,
             function->unsupported[i], instruction->line, function->is_kernel ? "kernel " : "",
             name);
    function->refusal = arena_copy(&decoder->module->arena, sentence, strlen(sentence));
    function->refusal_line = *line;
    return function->refusal != NULL;
}

/* The next block that every thread comes to: where paths meet. In a kernel that begins with "if (i
 * < n)", only threads with something to do count: a launch without any would make no sense. */
static uint32_t certain_after(const struct decoder *decoder, uint32_t block)
{
    const struct function *function = decoder->function;
    const uint32_t *next = flow_successors(function, block);
    uint32_t count = flow_successor_count(function, block);
    for (uint32_t i = 0; function->is_kernel && count == 2 && i < 2; i++)
        if (flow_only_ends(function, next[i]) && next[1 - i] > block)
            return next[1 - i];
    return function->blocks[block].join;
}

/* Mark what every thread comes to; if any of it cannot run, the function is refused. */
static bool find_certain(struct decoder *decoder)
{
    struct function *function = decoder->function;
    for (uint32_t b = 0, steps = 0; b < function->block_count && steps < function->block_count;
         b = certain_after(decoder, b), steps++)
        for (uint32_t i = 0; i < function->blocks[b].count; i++) {
            uint32_t at = function->blocks[b].first + i;
            const struct op *op = &function->ops[at];
            if (op->guard != NO_REGISTER && !function->is_kernel)
                continue;
            decoder->module->ops[op->id].is_certain = true;
            if (op->run == unsupported && !function->refusal && !refuse_function(decoder, at))
                return false;
        }
    return true;
}

static bool decode_all(struct decoder *decoder)
{
    struct function *function = decoder->function;
    decoder->is_read = calloc(decoder->syntax->register_count + 1, 1);
    if (!decoder->is_read || !find_variable_range(decoder) || !find_opcodes(decoder) ||
        !find_blocks(decoder) || !find_successors(decoder) || !decode_place_registers(decoder))
        return false;
    place_parameters(decoder);
    function->constant_start = decode_place(decoder, 0);
    if (!make_ops(decoder) || !make_blocks(decoder) || !make_constant_image(decoder))
        return false;
    if (decoder->exhausted)
        return false;
    drop_unread_results(decoder);
    narrow_loads(decoder);
    if (!note_compared(decoder))
        return false;
    function->register_bytes = (function->register_bytes + 63) & ~UINT32_C(63);
    return flow_find_joins(function) && flow_find_barriers(function) &&
           note_atomics_for_all(decoder) && find_certain(decoder);
}

bool decode_function(struct sim_machine *machine, struct function *function,
                     const struct ptx_function *syntax)
{
    struct decoder decoder = {
        .machine = machine, .module = function->module, .function = function, .syntax = syntax};
    bool ok = decode_all(&decoder);
    free(decoder.opcodes);
    free(decoder.is_read);
    free(decoder.block_at);
    free(decoder.parameter_place);
    return ok;
}
