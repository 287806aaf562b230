/* ptx_registers.c - the registers of a case's program, and their types.
 *
 * A register is a name of one small letter, or a letter and a digit; the letter tells its role:
 * d and p are results, t is a temporary, all others are inputs. Its type is told by the first
 * instruction that says more about it than a width: the opcode table has an operand letter for
 * each operand of each instruction. What the table cannot tell, a .reg in the program does.
 */
#include "letters.h"
#include "ptx_cases.h"

#include <ctype.h>
#include <string.h>

static const struct row {
    const char *mnemonic, *types, *operands;
} ROWS[] = {
#define OPCODE(class, mnemonic, types, optional, operands, flags, handler, meaning) \
    {mnemonic, types, operands},
#include "opcodes.def"
#undef OPCODE
};

enum { MOST_PARTS = 12, MOST_OPERANDS = 8 };

/* One statement, taken apart. */
struct statement {
    char text[400];
    const char *guard; /* "p" of @!p, or NULL */
    bool labelled;
    char *parts[MOST_PARTS]; /* of the mnemonic, types left out */
    unsigned part_count;
    enum ptx_type types[MOST_PARTS];
    unsigned type_count;
    char *operands[MOST_OPERANDS];
    unsigned operand_count;
};

/* --- Taking a program apart ------------------------------------------------------------------- */

static char *skip_blanks(char *text)
{
    while (isspace((unsigned char)*text) || *text == '{' || *text == '}')
        text++;
    return text;
}

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
        *--end = 0;
    return text;
}

/* The next statement of program, without its semicolon, into text. Returns where the one behind
 * it starts, or NULL when there is none. */
static const char *next_statement(const char *program, char *text, size_t size)
{
    size_t length = strcspn(program, ";");
    if (!*program)
        return NULL;
    snprintf(text, size, "%.*s", (int)length, program);
    return program + length + (program[length] == ';');
}

static void split_mnemonic(struct statement *statement, char *mnemonic)
{
    for (char *part = strtok(mnemonic, "."); part; part = strtok(NULL, ".")) {
        enum ptx_type type = ptx_type_named(part, strlen(part));
        if (type != PTX_NO_TYPE && statement->type_count < MOST_PARTS)
            statement->types[statement->type_count++] = type;
        else if (statement->part_count < MOST_PARTS)
            statement->parts[statement->part_count++] = part;
    }
}

static void split_operands(struct statement *statement, char *operands)
{
    int depth = 0;
    char *start = operands;
    for (char *at = operands;; at++) {
        depth += *at == '{' || *at == '[' || *at == '(';
        depth -= *at == '}' || *at == ']' || *at == ')';
        if (*at && (*at != ',' || depth))
            continue;
        bool last = *at == 0;
        *at = 0;
        start = trimmed(start);
        if (*start && statement->operand_count < MOST_OPERANDS)
            statement->operands[statement->operand_count++] = start;
        if (last)
            return;
        start = at + 1;
    }
}

/* False when the statement is no instruction: empty, or a directive. */
static bool take_apart(struct statement *statement)
{
    char *at = skip_blanks(statement->text);
    size_t word = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$");
    if (word && at[word] == ':') {
        statement->labelled = true;
        at = skip_blanks(at + word + 1);
    }
    if (*at == '@') {
        at += at[1] == '!' ? 2 : 1;
        statement->guard = at;
        at += strcspn(at, " \t\n");
        if (*at)
            *at++ = 0;
        at = skip_blanks(at);
    }
    if (!*at || *at == '.')
        return false;
    char *operands = at + strcspn(at, " \t\n");
    if (*operands)
        *operands++ = 0;
    split_mnemonic(statement, at);
    split_operands(statement, operands);
    return statement->part_count > 0;
}

/* --- The row of an instruction ---------------------------------------------------------------- */

static bool has_part(const struct statement *statement, const char *word, size_t length)
{
    for (unsigned i = 0; i < statement->part_count; i++)
        if (strlen(statement->parts[i]) == length && !memcmp(statement->parts[i], word, length))
            return true;
    return false;
}

static bool mnemonic_fits(const struct statement *statement, const char *mnemonic)
{
    size_t length = strcspn(mnemonic, ".");
    if (strlen(statement->parts[0]) != length || memcmp(statement->parts[0], mnemonic, length))
        return false;
    for (const char *word = mnemonic + length; *word; word += length) {
        length = strcspn(++word, ".");
        if (!has_part(statement, word, length))
            return false;
    }
    return true;
}

/* "f32.s32" or "*" against the types of the statement. */
static bool alternative_fits(const struct statement *statement, const char *word, size_t length)
{
    unsigned count = 0;
    if (length == 1 && *word == '*')
        return statement->type_count > 0;
    for (const char *end = word + length; word < end; count++) {
        size_t one = strcspn(word, ". ");
        const char *name =
            count < statement->type_count ? ptx_type_name(statement->types[count]) : "";
        if (strlen(name) != one || memcmp(name, word, one))
            return false;
        word += one + 1;
    }
    return count == statement->type_count;
}

static bool types_fit(const struct statement *statement, const char *types)
{
    if (!*types)
        return statement->type_count == 0;
    for (size_t length; *types; types += length + (types[length] == ' ')) {
        length = strcspn(types, " ");
        if (alternative_fits(statement, types, length))
            return true;
    }
    return false;
}

/* Braces stand where the table says so, and nowhere else. */
static bool operands_fit(const struct statement *statement, const char *letters)
{
    unsigned count = 0;
    if (*letters == '*')
        return true;
    for (const char *at = letters; (at = operand_next(at)); at++) {
        if (count == statement->operand_count) {
            if (at[1] != '?')
                return false;
            continue;
        }
        enum operand_role role = operand_letter(*at)->role;
        bool needs = role == ROLE_parts || role == ROLE_fragment || role == ROLE_texel;
        bool braces = statement->operands[count][0] == '{';
        if ((needs && !braces) || (braces && !needs && role != ROLE_vector))
            return false;
        count++;
    }
    return count == statement->operand_count;
}

static const struct row *row_of(const struct statement *statement)
{
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (mnemonic_fits(statement, ROWS[i].mnemonic) && types_fit(statement, ROWS[i].types) &&
            operands_fit(statement, ROWS[i].operands))
            return &ROWS[i];
    return NULL;
}

/* --- Types ------------------------------------------------------------------------------------ */

/* Registers hold 8-bit values in 16 bits, extended by their sign. */
static enum ptx_type register_type(enum ptx_type type)
{
    return type == PTX_s8 ? PTX_s16 : type == PTX_u8 ? PTX_u16 : type == PTX_b8 ? PTX_b16 : type;
}

static enum ptx_type doubled(enum ptx_type type)
{
    switch (type) {
    case PTX_u16: return PTX_u32;
    case PTX_s16: return PTX_s32;
    case PTX_u32: return PTX_u64;
    default: return PTX_s64;
    }
}

static enum ptx_type of_width(enum ptx_type type, unsigned bits, enum ptx_type otherwise)
{
    return ptx_type_bits(type) == bits ? type : otherwise;
}

static enum ptx_type part_type(enum ptx_type whole, unsigned count)
{
    return ptx_type_bits(whole) / count == 32 ? PTX_b32 : PTX_b16;
}

/* A register of a matrix fragment, which is operand number index: one element, two, or bits.
 * Either each operand has a type, or (wmma of halves) only the results do. */
static enum ptx_type fragment_type(const struct statement *statement, unsigned index)
{
    unsigned count = statement->type_count;
    enum ptx_type element = count == 4       ? statement->types[index]
                            : index % 3 == 0 ? statement->types[index && count == 2]
                            : count == 1     ? statement->types[0]
                                             : PTX_f16;
    if (element == PTX_f16 || element == PTX_bf16)
        return element == PTX_f16 ? PTX_f16x2 : PTX_bf16x2;
    return ptx_type_bits(element) < 32 ? PTX_b32 : element;
}

static enum ptx_type type_of_width(const struct statement *statement,
                                   const struct operand_letter *letter)
{
    unsigned count = statement->type_count;
    enum ptx_type first = count ? statement->types[0] : PTX_u32;
    enum ptx_type last = count ? statement->types[count - 1] : PTX_u32;
    switch (letter->width) {
    case OPERAND_FIRST: return first;
    case OPERAND_TWICE: return doubled(last);
    case 2: return of_width(letter->is_written ? first : last, 16, PTX_b16);
    case 4: return letter->is_written ? of_width(first, 32, PTX_u32) : PTX_u32;
    case 8: return PTX_b64;
    default: return last;
    }
}

/* parts: how many registers stand in the braces of operand number index. */
static enum ptx_type type_of_letter(const struct statement *statement, char letter, unsigned index,
                                    unsigned parts)
{
    const struct operand_letter *of = operand_letter(letter);
    switch (of->role) {
    case ROLE_predicates:
    case ROLE_predicate: return PTX_pred;
    case ROLE_address: return has_part(statement, "shared", 6) ? PTX_b32 : PTX_b64;
    case ROLE_parts: return part_type(type_of_width(statement, of), parts);
    case ROLE_fragment: return fragment_type(statement, index);
    default: return type_of_width(statement, of);
    }
}

/* Does name look like a register of a case? */
static bool is_register(const char *name, size_t length)
{
    return (length == 1 || (length == 2 && isdigit((unsigned char)name[1]))) &&
           islower((unsigned char)name[0]);
}

bool cases_is_provided(const char *name)
{
    return !strcmp(name, "m") || !strcmp(name, "m0") || !strcmp(name, "s") || !strcmp(name, "s0");
}

/* .b32 only says how wide a register is; .f32 says more. */
static bool says_more(enum ptx_type type, const struct case_register *known)
{
    return !known->declared && ptx_type_class(known->type) == 'B' &&
           value_register_bits(type) == value_register_bits(known->type);
}

static void note(struct ptx_case *one, const char *text, size_t length, enum ptx_type type,
                 bool declared)
{
    if (!is_register(text, length))
        return;
    struct case_register made = {.type = type, .declared = declared};
    memcpy(made.name, text, length);
    for (uint32_t i = 0; i < one->register_count; i++)
        if (!strcmp(one->registers[i].name, made.name)) {
            if (says_more(type, &one->registers[i]))
                one->registers[i].type = type;
            return;
        }
    if (cases_is_provided(made.name))
        made.type = made.name[0] == 'm' ? PTX_b64 : PTX_b32;
    if (one->register_count < CASES_MOST_REGISTERS)
        one->registers[one->register_count++] = made;
}

/* Every name in an operand: "{d, d1}", "[a+4]", "d|p", "!q". */
static void note_operand(struct ptx_case *one, const struct statement *statement, unsigned index,
                         char letter)
{
    const char *operand = statement->operands[index];
    unsigned parts = 1;
    for (const char *at = operand; *at; at++)
        parts += *at == ',';
    enum ptx_type type = type_of_letter(statement, letter, index, parts);
    for (const char *at = operand; *at;) {
        size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                   "0123456789_$%.");
        if (!length) {
            type = *at == '|' || *at == '!' ? PTX_pred : type;
            at++;
            continue;
        }
        note(one, at, length, register_type(type), false);
        at += length;
    }
}

static void note_operands(struct ptx_case *one, const struct statement *statement)
{
    const struct row *row = row_of(statement);
    const char *letter = row ? operand_next(row->operands) : NULL;
    for (unsigned i = 0; i < statement->operand_count; i++) {
        char without = i == 0 ? 'd' : *statement->operands[i] == '[' ? 'm' : 'a';
        note_operand(one, statement, i, letter ? *letter : without);
        letter = letter ? operand_next(letter + 1) : NULL;
    }
}

/* .reg .b32 a, b */
static void note_declaration(struct ptx_case *one, char *statement)
{
    char *type = strtok(skip_blanks(statement) + 4, " \t\n,.");
    if (!type)
        return;
    enum ptx_type named = ptx_type_named(type, strlen(type));
    for (char *name; (name = strtok(NULL, " \t\n,"));)
        note(one, name, strlen(name), named, true);
}

static void note_declarations(struct ptx_case *one)
{
    char text[400];
    for (const char *at = one->program; (at = next_statement(at, text, sizeof text));)
        if (strncmp(skip_blanks(text), ".reg", 4) == 0)
            note_declaration(one, text);
}

/* --- Roles ------------------------------------------------------------------------------------ */

static bool goes_before(const struct case_register *a, const struct case_register *b)
{
    return strcmp(a->name, b->name) < 0;
}

static void add_role(struct ptx_case *one, uint32_t *list, uint32_t *count, uint32_t added)
{
    uint32_t at = (*count)++;
    while (at > 0 && goes_before(&one->registers[added], &one->registers[list[at - 1]])) {
        list[at] = list[at - 1];
        at--;
    }
    list[at] = added;
}

static void find_roles(struct ptx_case *one)
{
    for (uint32_t i = 0; i < one->register_count; i++) {
        const char *name = one->registers[i].name;
        if (name[0] == 't' || cases_is_provided(name))
            continue;
        if (name[0] == 'd' || name[0] == 'p')
            add_role(one, one->outputs, &one->output_count, i);
        else
            add_role(one, one->inputs, &one->input_count, i);
    }
}

bool cases_find_registers(struct ptx_case *one, char *error, size_t error_size)
{
    struct statement statement;
    note_declarations(one);
    for (const char *at = one->program; *at;) {
        memset(&statement, 0, sizeof statement);
        at = next_statement(at, statement.text, sizeof statement.text);
        bool is_instruction = take_apart(&statement);
        if (statement.guard)
            note(one, statement.guard, strlen(statement.guard), PTX_pred, false);
        if (is_instruction)
            note_operands(one, &statement);
    }
    find_roles(one);
    for (uint32_t i = 0; i < one->register_count; i++) {
        unsigned bits = ptx_type_bits(one->registers[i].type);
        if (bits == 0 || bits > 64) {
            snprintf(error, error_size, "the type of '%s' is not known: declare it with .reg",
                     one->registers[i].name);
            return false;
        }
    }
    return true;
}

unsigned cases_count_instructions(const struct ptx_case *one, bool *is_plain)
{
    struct statement statement;
    unsigned count = 0;
    *is_plain = true;
    for (const char *at = one->program; *at;) {
        memset(&statement, 0, sizeof statement);
        at = next_statement(at, statement.text, sizeof statement.text);
        bool is_instruction = take_apart(&statement);
        const char *text = skip_blanks(statement.text);
        count += is_instruction;
        if (statement.guard || statement.labelled ||
            (!is_instruction && *text && strncmp(text, ".reg", 4) != 0))
            *is_plain = false;
    }
    return count;
}
