/* declaration.c - variables, registers and source locations (PTX ISA 5.4 "Variables", 11.5
 * "Debugging directives"). */
#include "parser_internal.h"

#include <stdio.h>
#include <string.h>

/* A function may declare this many registers, however hostile its text. */
enum { MOST_REGISTERS = 1 << 18 };
/* Shared memory is a window of its own, so a block may align in it as far as it is large; other
 * memory comes in pages. */
enum { MOST_SHARED_ALIGN = 1 << 16, MOST_ALIGN = 1 << 12 };

static const struct {
    const char *word;
    enum ptx_space space;
} SPACES[] = {
    {"global", PTX_SPACE_GLOBAL}, {"shared", PTX_SPACE_SHARED}, {"local", PTX_SPACE_LOCAL},
    {"const", PTX_SPACE_CONST},   {"param", PTX_SPACE_PARAM},
};

bool declaration_space(struct parser *parser, enum ptx_space *space)
{
    for (size_t i = 0; i < sizeof SPACES / sizeof *SPACES; i++)
        if (parser_accept_dotword(parser, SPACES[i].word)) {
            *space = SPACES[i].space;
            return true;
        }
    return false;
}

static enum ptx_type declared_type(struct parser *parser, const char *what)
{
    enum ptx_type type = PTX_NO_TYPE;
    if (parser->token.kind == TOKEN_DOTWORD)
        type = ptx_type_named(parser->token.text, parser->token.length);
    if (type == PTX_NO_TYPE)
        parser_fail(parser, "expected the type of a %s before '%.*s'", what,
                    parser->token.length > 40 ? 40 : (int)parser->token.length, parser->token.text);
    parser_advance(parser);
    return type;
}

/* The address of a symbol in an initialiser: name, name+4, generic(name), generic(name)+4,
 * 0xFF00(name). */
struct initial_value {
    uint64_t bits;
    bool is_address;
    struct ptx_operand target;
    uint64_t mask; /* 0 for the whole address */
};

static struct ptx_operand initial_symbol(struct parser *parser)
{
    const char *name = parser_name(parser);
    int kind;
    uint32_t index;
    if (!names_get(&parser->names, name, &kind, &index) ||
        (kind != NAME_VARIABLE && kind != NAME_FUNCTION))
        parser_fail(parser, "an initialiser names '%.80s', which is not declared", name);
    struct ptx_operand symbol = {.kind = kind == NAME_FUNCTION ? PTX_OPERAND_FUNCTION
                                                               : PTX_OPERAND_VARIABLE,
                                 .index = index,
                                 .name = name};
    if (parser_accept(parser, '+'))
        symbol.value = parser_integer(parser);
    return symbol;
}

static struct initial_value initial_value(struct parser *parser, enum ptx_type type)
{
    struct initial_value value = {0};
    if (parser->token.kind == TOKEN_WORD) {
        value.is_address = true;
        bool generic = parser->token.length == 7 && memcmp(parser->token.text, "generic", 7) == 0;
        struct token behind = parser_peek(parser);
        if (generic && behind.kind == TOKEN_PUNCTUATION && behind.text[0] == '(') {
            parser_advance(parser);
            parser_advance(parser);
            value.target = initial_symbol(parser);
            parser_expect(parser, ')');
            if (parser_accept(parser, '+'))
                value.target.value += parser_integer(parser);
        } else {
            value.target = initial_symbol(parser);
        }
        return value;
    }
    if (parser->token.kind == TOKEN_FLOAT32 || parser->token.kind == TOKEN_FLOAT64) {
        value.bits = parser->token.value;
        if (parser->token.kind == TOKEN_FLOAT64 && type == PTX_f32) {
            double wide;
            memcpy(&wide, &value.bits, sizeof wide);
            float narrow = (float)wide;
            value.bits = 0;
            memcpy(&value.bits, &narrow, sizeof narrow);
        }
        parser_advance(parser);
        return value;
    }
    value.bits = parser_integer(parser);
    if (parser_accept(parser, '(')) {
        value.is_address = true;
        value.mask = value.bits;
        value.target = initial_symbol(parser);
        parser_expect(parser, ')');
    }
    return value;
}

static void store_initial(struct parser *parser, struct ptx_variable *variable, size_t *room,
                          unsigned char *bytes, uint64_t offset, struct initial_value value)
{
    unsigned size = ptx_type_bits(variable->type) / 8;
    if (offset + size > variable->size_bytes)
        parser_fail(parser, "'%.80s' has more initialisers than room", variable->name);
    if (!value.is_address) {
        memcpy(bytes + offset, &value.bits, size < 8 ? size : 8);
        return;
    }
    variable->relocations = parser_grow(parser, variable->relocations, variable->relocation_count,
                                        room, sizeof *variable->relocations);
    variable->relocations[variable->relocation_count++] = (struct ptx_relocation){
        .offset_bytes = offset,
        .target = value.target,
        .size_bytes = size,
        .shift_bits = value.mask ? (unsigned)__builtin_ctzll(value.mask) : 0};
}

/* = 5   = {1, 2, {3, 4}}: nested braces only group. */
static void initialiser(struct parser *parser, struct ptx_variable *variable)
{
    unsigned char *bytes = parser_alloc(parser, variable->size_bytes);
    variable->initial = bytes;
    size_t room = 0;
    uint64_t offset = 0;
    unsigned depth = 0;
    do {
        while (parser_accept(parser, '{'))
            depth++;
        store_initial(parser, variable, &room, bytes, offset,
                      initial_value(parser, variable->type));
        offset += ptx_type_bits(variable->type) / 8;
        while (depth && parser_accept(parser, '}'))
            depth--;
    } while (depth && parser_accept(parser, ','));
    if (depth)
        parser_fail(parser, "the initialiser of '%.80s' has no end", variable->name);
}

/* [4][8] or []: multiplies size_bytes. */
static void dimensions(struct parser *parser, struct ptx_variable *variable)
{
    while (parser_accept(parser, '[')) {
        if (parser_accept(parser, ']')) {
            variable->unsized = true;
            variable->size_bytes = 0;
            continue;
        }
        uint64_t count = parser_integer(parser);
        if (count > UINT64_C(1) << 40 || variable->size_bytes * count > UINT64_C(1) << 40)
            parser_fail(parser, "'%.80s' is too large", variable->name);
        variable->size_bytes *= count;
        parser_expect(parser, ']');
    }
}

uint32_t declaration_variable(struct parser *parser, enum ptx_space space, bool external)
{
    struct ptx_variable variable = {
        .space = space, .external = external, .linked = parser->linked && !parser->function};
    unsigned vector = 1;
    for (;;) {
        if (parser_accept_dotword(parser, "align"))
            variable.align_bytes = (unsigned)parser_integer(parser);
        else if (parser_accept_dotword(parser, "v2"))
            vector = 2;
        else if (parser_accept_dotword(parser, "v4"))
            vector = 4;
        else if (parser_accept_dotword(parser, "ptr"))
            declaration_space(parser, &space); /* a hint about where a pointer points */
        else if (parser_at_dotword(parser, "attribute")) {
            parser_advance(parser);
            parser_expect(parser, '(');
            variable.managed = parser_at_dotword(parser, "managed");
            while (!parser_accept(parser, ')')) {
                if (parser->token.kind == TOKEN_END)
                    parser_fail(parser, "an .attribute has no end");
                parser_advance(parser);
            }
        } else if (variable.type == PTX_NO_TYPE)
            variable.type = declared_type(parser, "variable");
        else
            break;
    }
    if (variable.type == PTX_pred)
        parser_fail(parser, "a variable cannot be a predicate");
    unsigned item_bytes = ptx_type_bits(variable.type) / 8;
    if (item_bytes == 0)
        parser_fail(parser, "a variable of type .%s has less than a byte",
                    ptx_type_name(variable.type));
    variable.size_bytes = (uint64_t)item_bytes * vector;
    unsigned most_align = variable.space == PTX_SPACE_SHARED ? MOST_SHARED_ALIGN : MOST_ALIGN;
    if (variable.align_bytes & (variable.align_bytes - 1) || variable.align_bytes > most_align)
        parser_fail(parser, "an alignment of %u is not a power of two up to %u",
                    variable.align_bytes, most_align);
    if (variable.align_bytes == 0)
        variable.align_bytes = item_bytes * vector;
    variable.name = parser_name(parser);
    dimensions(parser, &variable);
    if (parser_accept(parser, '='))
        initialiser(parser, &variable);
    struct ptx_module *module = parser->module;
    module->variables = parser_grow(parser, module->variables, module->variable_count,
                                    &parser->variable_room, sizeof *module->variables);
    module->variables[module->variable_count] = variable;
    parser_put(parser, variable.name, NAME_VARIABLE, module->variable_count);
    return (uint32_t)module->variable_count++;
}

static void add_register(struct parser *parser, const char *name, enum ptx_type type)
{
    struct ptx_function *function = parser->function;
    if (function->register_count >= MOST_REGISTERS)
        parser_fail(parser, "more than %d registers in one function", MOST_REGISTERS);
    function->registers = parser_grow(parser, function->registers, function->register_count,
                                      &parser->register_room, sizeof *function->registers);
    function->registers[function->register_count] = type;
    parser_put(parser, name, NAME_REGISTER, function->register_count++);
}

/* .reg .b32 %r<10>;  .reg .pred p, q; */
void declaration_registers(struct parser *parser)
{
    enum ptx_type type = declared_type(parser, "register");
    do {
        const char *name = parser_name(parser);
        if (!parser_accept(parser, '<')) {
            add_register(parser, name, type);
            continue;
        }
        uint64_t count = parser_integer(parser);
        parser_expect(parser, '>');
        if (count > MOST_REGISTERS)
            parser_fail(parser, "more than %d registers in one function", MOST_REGISTERS);
        size_t length = strlen(name) + 12;
        for (uint64_t i = 0; i < count; i++) {
            char *numbered = parser_alloc(parser, length);
            snprintf(numbered, length, "%s%llu", name, (unsigned long long)i);
            add_register(parser, numbered, type);
        }
    } while (parser_accept(parser, ','));
    parser_expect(parser, ';');
}

/* The newest location at file:line:column that was itself inlined somewhere; 0 if none. */
static uint32_t inlined_location(const struct ptx_module *module, struct ptx_location place)
{
    for (size_t i = module->location_count; i-- > 1;) {
        const struct ptx_location *known = &module->locations[i];
        if (known->file == place.file && known->line == place.line && known->column == place.column)
            return (uint32_t)i;
    }
    return 0;
}

static uint32_t add_location(struct parser *parser, struct ptx_location location)
{
    struct ptx_module *module = parser->module;
    const struct ptx_location *last = &module->locations[module->location_count - 1];
    if (memcmp(last, &location, sizeof location) == 0)
        return (uint32_t)(module->location_count - 1);
    module->locations = parser_grow(parser, module->locations, module->location_count,
                                    &parser->location_room, sizeof *module->locations);
    module->locations[module->location_count] = location;
    return (uint32_t)module->location_count++;
}

/* .loc 2 449 9, function_name $L__info_string0, inlined_at 1 11 3
 *
 * inlined_at names one level only; the place it names may have been inlined itself, which an
 * earlier .loc of that place tells. Line 0 marks code the compiler made up: it stays with the
 * line before it. */
void declaration_location(struct parser *parser)
{
    struct ptx_location location = {0};
    location.file = (unsigned)(parser->first_file + parser_integer(parser));
    location.line = (unsigned)parser_integer(parser);
    location.column = (unsigned)parser_integer(parser);
    while (parser_accept(parser, ',')) {
        const char *word = parser_name(parser);
        if (strcmp(word, "inlined_at") == 0) {
            struct ptx_location place = {0};
            place.file = (unsigned)(parser->first_file + parser_integer(parser));
            place.line = (unsigned)parser_integer(parser);
            place.column = (unsigned)parser_integer(parser);
            location.parent = inlined_location(parser->module, place);
            if (!location.parent)
                location.parent = add_location(parser, place);
        } else if (strcmp(word, "function_name") == 0) {
            parser_name(parser);
            if (parser_accept(parser, '+'))
                parser_integer(parser);
        } else {
            parser_fail(parser, "'%.80s' is not known in a .loc", word);
        }
    }
    if (location.line == 0)
        return;
    parser->location = add_location(parser, location);
    if (parser->function && !parser->function->location)
        parser->function->location = parser->location;
}

/* .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _); sizes are all a call needs. */
static uint32_t *prototype_list(struct parser *parser, size_t *count)
{
    uint32_t *sizes = NULL;
    size_t room = 0;
    *count = 0;
    while (!parser_accept(parser, ')')) {
        if (*count)
            parser_expect(parser, ',');
        if (!parser_accept_dotword(parser, "param"))
            parser_fail(parser, "only .param parameters are supported");
        uint32_t index = declaration_variable(parser, PTX_SPACE_PARAM, false);
        sizes = parser_grow(parser, sizes, *count, &room, sizeof *sizes);
        sizes[(*count)++] = (uint32_t)parser->module->variables[index].size_bytes;
    }
    return sizes;
}

struct ptx_prototype declaration_prototype(struct parser *parser)
{
    struct ptx_prototype prototype = {0};
    names_open(&parser->names);
    if (parser_accept(parser, '('))
        prototype.results = prototype_list(parser, &prototype.result_count);
    parser_name(parser);
    parser_expect(parser, '(');
    prototype.parameters = prototype_list(parser, &prototype.parameter_count);
    while (parser->token.kind == TOKEN_DOTWORD) /* .noreturn */
        parser_advance(parser);
    names_close(&parser->names);
    return prototype;
}
