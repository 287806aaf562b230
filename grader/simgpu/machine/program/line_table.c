/* line_table.c - runs the line number program, DWARF 2, section 6.2. */
#include "line_table.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN, NEGATE, BASIC_BLOCK, CONST_ADD_PC,
       FIXED_ADVANCE_PC };
enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
/* clang-format on */

struct program {
    const struct elf *elf;
    const char *function;
    const unsigned char *start, *at, *end;
    uint8_t opcode_base, line_range;
    int8_t line_base;
    uint64_t address;
    int64_t line;
    bool wanted, damaged; /* wanted: the sequence is of the function asked for */
    struct line_table *table;
    size_t room;
};

static uint8_t byte(struct program *program)
{
    if (program->at < program->end)
        return *program->at++;
    program->damaged = true;
    return 0;
}

static uint64_t fixed(struct program *program, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)byte(program) << 8 * i;
    return value;
}

/* LEB128; in a signed number, bit 6 of the last byte is the sign. */
static int64_t number(struct program *program, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t next;
    do {
        next = byte(program);
        value |= shift < 64 ? (uint64_t)(next & 0x7F) << shift : 0;
        shift += 7;
    } while (next & 0x80);
    if (is_signed && next & 0x40 && shift < 64)
        value |= ~UINT64_C(0) << shift;
    return (int64_t)value;
}

/* An address that goes back counts as the one before it: so rows are in order, to be searched. */
static void add_row(struct program *program)
{
    struct line_table *table = program->table;
    if (!program->wanted || program->address > UINT32_MAX || program->line < 0)
        return;
    uint32_t before = table->count ? table->rows[table->count - 1].address : 0;
    uint32_t address = (uint32_t)program->address;
    if (table->count == program->room) {
        size_t room = 2 * program->room + 64;
        struct line_row *grown = realloc(table->rows, room * sizeof *grown);
        if (!grown) {
            program->damaged = true;
            return;
        }
        table->rows = grown;
        program->room = room;
    }
    table->rows[table->count++] =
        (struct line_row){address > before ? address : before, (uint32_t)program->line};
}

/* A sequence's address is a relocation against the function's symbol. In code for Hopper the
 * relocation carries an addend (RELA), in older code it does not (REL): both begin alike. */
static bool is_of_function(const struct program *program, uint64_t offset)
{
    uint64_t each = sizeof(Elf64_Rela);
    const Elf64_Shdr *section = elf_section(program->elf, ".rela.nv_debug_line_sass", 0);
    if (!section) {
        each = sizeof(Elf64_Rel);
        section = elf_section(program->elf, ".rel.nv_debug_line_sass", 0);
    }
    for (uint64_t i = 0; section && i < section->sh_size / each; i++) {
        Elf64_Rel rel;
        memcpy(&rel, program->elf->bytes + section->sh_offset + i * each, sizeof rel);
        if (rel.r_offset == offset)
            return strcmp(elf_symbol_name(program->elf, ELF64_R_SYM(rel.r_info)),
                          program->function) == 0;
    }
    return false;
}

static void extended(struct program *program)
{
    uint64_t length = (uint64_t)number(program, false);
    if (length == 0 || length > (uint64_t)(program->end - program->at)) {
        program->damaged = true;
        return;
    }
    const unsigned char *next = program->at + length;
    uint8_t opcode = byte(program);
    if (opcode == SET_ADDRESS) {
        program->wanted = is_of_function(program, (uint64_t)(program->at - program->start));
        program->address = fixed(program, 8);
    } else if (opcode == END_SEQUENCE) {
        program->wanted = false;
        program->address = 0;
        program->line = 1;
    }
    program->at = next;
}

static void special(struct program *program, uint8_t opcode)
{
    unsigned adjusted = (unsigned)(opcode - program->opcode_base);
    program->address += adjusted / program->line_range;
    program->line += program->line_base + (int)(adjusted % program->line_range);
    add_row(program);
}

static void step(struct program *program)
{
    uint8_t opcode = byte(program);
    if (opcode >= program->opcode_base) {
        special(program, opcode);
        return;
    }
    switch (opcode) {
    case 0: extended(program); break;
    case COPY: add_row(program); break;
    case ADVANCE_PC: program->address += (uint64_t)number(program, false); break;
    case ADVANCE_LINE: program->line += number(program, true); break;
    case SET_FILE:
    case SET_COLUMN: number(program, false); break;
    case CONST_ADD_PC:
        program->address += (255u - program->opcode_base) / program->line_range;
        break;
    case FIXED_ADVANCE_PC: program->address += fixed(program, 2); break;
    case NEGATE:
    case BASIC_BLOCK: break;
    default: program->damaged = true;
    }
}

/* One unit; false after the last. */
static bool run_unit(struct program *program)
{
    const unsigned char *section_end = program->end;
    uint64_t length = fixed(program, 4);
    if (program->damaged || length > (uint64_t)(section_end - program->at))
        return false;
    program->end = program->at + length;
    fixed(program, 2); /* version */
    uint64_t header = fixed(program, 4);
    const unsigned char *instructions = program->at + header;
    fixed(program, 2); /* least instruction length, whether rows are statements */
    program->line_base = (int8_t)byte(program);
    program->line_range = byte(program);
    program->opcode_base = byte(program);
    if (program->damaged || header > (uint64_t)(program->end - program->at) + 5 ||
        instructions > program->end || program->line_range == 0)
        return false;
    program->at = instructions;
    program->line = 1;
    while (!program->damaged && program->at < program->end)
        step(program);
    program->end = section_end;
    return !program->damaged && program->at < section_end;
}

struct line_table line_table_read(const struct elf *elf, const char *function)
{
    struct line_table table = {0};
    const Elf64_Shdr *section = elf_section(elf, ".nv_debug_line_sass", 0);
    if (!section)
        return table;
    const unsigned char *start = elf->bytes + section->sh_offset;
    struct program program = {.elf = elf,
                              .function = function,
                              .start = start,
                              .at = start,
                              .end = start + section->sh_size,
                              .table = &table};
    while (run_unit(&program))
        ;
    if (program.damaged)
        table.count = 0;
    return table;
}

uint32_t line_table_find(const struct line_table *table, uint32_t address)
{
    size_t low = 0, high = table->count; /* rows before low begin at address or before it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->rows[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? table->rows[low - 1].line : 0;
}

uint32_t line_table_entry(const struct elf *elf, const char *kernel)
{
    const Elf64_Shdr *section = elf_section(elf, ".nv_debug_ptx_txt", 0);
    size_t length = strlen(kernel);
    if (!section)
        return 0;
    const char *at = (const char *)elf->bytes + section->sh_offset, *end = at + section->sh_size;
    for (uint32_t line = 1; at < end; line++) {
        const char *next = memchr(at, 0, (size_t)(end - at));
        if (!next)
            break;
        const char *entry = strstr(at, ".entry ");
        if (entry && strncmp(entry + 7, kernel, length) == 0 &&
            (entry[7 + length] == '(' || entry[7 + length] == 0))
            return line;
        at = next + 1;
    }
    return 0;
}
