/* statement.c - the inside of a function: instructions, labels, call blocks (PTX ISA 4.2). */
#include "parser_internal.h"

#include <string.h>

static struct ptx_operand operand(struct parser *parser);

/* %tid.x is the word %tid and a dotted x. */
static uint32_t component(struct parser *parser)
{
    static const char NAMES[] = "xyzw";
    for (uint32_t i = 0; i < 4; i++)
        if (parser_accept_dotword(parser, (const char[]){NAMES[i], 0}))
            return i;
    return 0;
}

static bool is_sink(const char *name)
{
    return strcmp(name, "_") == 0;
}

/* A name used as an operand. If it is not declared, it is a label further down. */
static struct ptx_operand named_operand(struct parser *parser)
{
    static const enum ptx_operand_kind KIND_OF[] = {
        [NAME_REGISTER] = PTX_OPERAND_REGISTER,   [NAME_VARIABLE] = PTX_OPERAND_VARIABLE,
        [NAME_FUNCTION] = PTX_OPERAND_FUNCTION,   [NAME_LABEL] = PTX_OPERAND_LABEL,
        [NAME_PROTOTYPE] = PTX_OPERAND_PROTOTYPE, [NAME_TARGETS] = PTX_OPERAND_TARGETS,
    };
    const char *name = parser_name(parser);
    struct ptx_operand result = {.kind = PTX_OPERAND_SINK, .name = name};
    int kind;
    if (is_sink(name))
        return result;
    if (names_get(&parser->names, name, &kind, &result.index)) {
        result.kind = KIND_OF[kind];
        return result;
    }
    if (strcmp(name, "WARP_SZ") == 0) { /* PTX ISA 4.5.3: the one constant with a name */
        result.kind = PTX_OPERAND_INTEGER;
        result.value = 32;
        return result;
    }
    if (name[0] == '%') {
        result.kind = PTX_OPERAND_SPECIAL;
        result.index = component(parser);
        return result;
    }
    result.kind = PTX_OPERAND_LABEL;
    result.index = UINT32_MAX; /* until the label is seen */
    return result;
}

static struct ptx_operand *operand_list(struct parser *parser, char close, uint32_t *count)
{
    struct ptx_operand *list = NULL;
    size_t room = 0;
    *count = 0;
    while (!parser_accept(parser, close)) {
        if (*count)
            parser_expect(parser, ',');
        list = parser_grow(parser, list, *count, &room, sizeof *list);
        list[(*count)++] = operand(parser);
    }
    return list;
}

/* [texture, {x, y}] or [texture, sampler, {x, y}]: this is told apart from an address, so that only
 * the instruction is refused, and by its name. */
static struct ptx_operand coordinates(struct parser *parser, struct ptx_operand first)
{
    struct ptx_operand result = {.kind = PTX_OPERAND_VECTOR};
    size_t room = 0;
    result.list = parser_grow(parser, NULL, 0, &room, sizeof *result.list);
    result.list[result.count++] = first;
    do {
        result.list = parser_grow(parser, result.list, result.count, &room, sizeof *result.list);
        result.list[result.count++] = operand(parser);
    } while (parser_accept(parser, ','));
    parser_expect(parser, ']');
    return result;
}

/* [%rd1]  [%rd1+8]  [%rd1+-8]  [symbol+4]  [16] */
static struct ptx_operand address(struct parser *parser)
{
    struct ptx_operand result = {.kind = PTX_OPERAND_ADDRESS};
    if (parser->token.kind == TOKEN_INTEGER) {
        result.value = parser_integer(parser);
    } else {
        result.list = parser_alloc(parser, sizeof *result.list);
        result.list[0] = named_operand(parser);
        result.count = 1;
        if (parser_accept(parser, '+'))
            result.value = parser_integer(parser);
        else if (parser_at(parser, '-'))
            result.value = parser_integer(parser);
    }
    if (parser_accept(parser, ','))
        return coordinates(parser, result);
    parser_expect(parser, ']');
    return result;
}

static struct ptx_operand number(struct parser *parser)
{
    struct ptx_operand result = {.kind = PTX_OPERAND_INTEGER};
    bool negative = parser_accept(parser, '-');
    if (parser->token.kind == TOKEN_FLOAT32)
        result.kind = PTX_OPERAND_FLOAT32;
    else if (parser->token.kind == TOKEN_FLOAT64)
        result.kind = PTX_OPERAND_FLOAT64;
    else if (parser->token.kind != TOKEN_INTEGER)
        parser_fail(parser, "expected an operand before '%.*s'",
                    parser->token.length > 40 ? 40 : (int)parser->token.length, parser->token.text);
    result.value = parser->token.value;
    if (negative && result.kind == PTX_OPERAND_INTEGER)
        result.value = -result.value;
    else if (negative)
        result.value ^= result.kind == PTX_OPERAND_FLOAT32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    parser_advance(parser);
    return result;
}

static struct ptx_operand operand(struct parser *parser)
{
    struct ptx_operand result = {0};
    if (parser_accept(parser, '[')) {
        result = address(parser);
    } else if (parser_accept(parser, '{')) {
        result.kind = PTX_OPERAND_VECTOR;
        result.list = operand_list(parser, '}', &result.count);
    } else if (parser_accept(parser, '(')) {
        result.kind = PTX_OPERAND_ARGUMENTS;
        result.list = operand_list(parser, ')', &result.count);
    } else if (parser_accept(parser, '!')) {
        result = named_operand(parser);
        result.negated = true;
    } else if (parser->token.kind == TOKEN_WORD) {
        result = named_operand(parser);
        if (result.kind == PTX_OPERAND_VARIABLE && parser_accept(parser, '+'))
            result.value = parser_integer(parser);
    } else {
        result = number(parser);
    }
    if (parser_accept(parser, '|')) {
        struct ptx_operand *pair = parser_alloc(parser, 2 * sizeof *pair);
        pair[0] = result;
        pair[1] = named_operand(parser);
        result = (struct ptx_operand){.kind = PTX_OPERAND_PAIR, .list = pair, .count = 2};
    }
    return result;
}

/* ".global.nc.v4.f32" after the name: types and modifiers, each in order. */
static void suffixes(struct parser *parser, struct ptx_instruction *instruction)
{
    for (; parser->token.kind == TOKEN_DOTWORD; parser_advance(parser)) {
        enum ptx_type type = ptx_type_named(parser->token.text, parser->token.length);
        if (type != PTX_NO_TYPE && instruction->type_count < PTX_MOST_TYPES)
            instruction->types[instruction->type_count++] = type;
        else if (type == PTX_NO_TYPE && instruction->modifier_count < PTX_MOST_MODIFIERS)
            instruction->modifiers[instruction->modifier_count++] =
                parser_text(parser, parser->token);
        else
            parser_fail(parser, "'%.40s' has too many suffixes", instruction->name);
    }
}

static void expect_label_later(struct parser *parser, struct ptx_operand *label, unsigned line)
{
    struct pending_label *pending = parser_alloc(parser, sizeof *pending);
    *pending = (struct pending_label){parser->pending, label, parser->names.scope, line};
    parser->pending = pending;
}

/* Operands stay where they are from here on, so a label may be filled in later. */
static void note_labels(struct parser *parser, struct ptx_operand *operands, size_t count,
                        unsigned line)
{
    for (size_t i = 0; i < count; i++)
        if (operands[i].kind == PTX_OPERAND_LABEL && operands[i].index == UINT32_MAX)
            expect_label_later(parser, &operands[i], line);
}

static void place_label(struct parser *parser, const char *name)
{
    uint32_t here = (uint32_t)parser->function->instruction_count;
    parser_put(parser, name, NAME_LABEL, here);
    for (struct pending_label **link = &parser->pending; *link;) {
        struct pending_label *pending = *link;
        if (pending->scope >= parser->names.scope && strcmp(pending->operand->name, name) == 0) {
            pending->operand->index = here;
            *link = pending->next;
        } else {
            link = &pending->next;
        }
    }
}

static void guard(struct parser *parser, struct ptx_instruction *instruction)
{
    instruction->guarded = true;
    instruction->guard_negated = parser_accept(parser, '!');
    struct ptx_operand predicate = named_operand(parser);
    if (predicate.kind != PTX_OPERAND_REGISTER ||
        parser->function->registers[predicate.index] != PTX_pred)
        parser_fail(parser, "@%.80s is not a predicate register", predicate.name);
    instruction->guard = predicate.index;
}

/* The operands move to the arena, where they stay, so that a label can be filled in later. */
static void keep_operands(struct parser *parser, struct ptx_instruction *instruction,
                          const struct ptx_operand *operands)
{
    size_t size_bytes = instruction->operand_count * sizeof *operands;
    instruction->operands = parser_alloc(parser, size_bytes);
    memcpy(instruction->operands, operands, size_bytes);
    note_labels(parser, instruction->operands, instruction->operand_count, instruction->line);
}

static void instruction(struct parser *parser)
{
    struct ptx_function *function = parser->function;
    struct ptx_instruction made = {.line = parser->token.line,
                                   .location = parser->location,
                                   .not_unrolled = parser->not_unrolled};
    parser->not_unrolled = false;
    struct ptx_operand operands[PTX_MOST_OPERANDS];
    if (parser_accept(parser, '@'))
        guard(parser, &made);
    made.name = parser_name(parser);
    suffixes(parser, &made);
    while (!parser_accept(parser, ';')) {
        if (made.operand_count)
            parser_expect(parser, ',');
        if (made.operand_count >= PTX_MOST_OPERANDS)
            parser_fail(parser, "'%.40s' has too many operands", made.name);
        operands[made.operand_count++] = operand(parser);
    }
    keep_operands(parser, &made, operands);
    function->instructions =
        parser_grow(parser, function->instructions, function->instruction_count,
                    &parser->instruction_room, sizeof *function->instructions);
    function->instructions[function->instruction_count++] = made;
}

/* name: .branchtargets L1, L2;   name: .callprototype ...;   name: */
static void labelled(struct parser *parser)
{
    struct ptx_function *function = parser->function;
    const char *name = parser_name(parser);
    parser_expect(parser, ':');
    if (parser_accept_dotword(parser, "branchtargets")) {
        uint32_t count;
        unsigned line = parser->token.line;
        struct ptx_operand *labels = operand_list(parser, ';', &count);
        note_labels(parser, labels, count, line);
        function->targets = parser_grow(parser, function->targets, function->target_count,
                                        &parser->target_room, sizeof *function->targets);
        function->targets[function->target_count] = (struct ptx_targets){labels, count};
        parser_put(parser, name, NAME_TARGETS, function->target_count++);
    } else if (parser_accept_dotword(parser, "callprototype")) {
        struct ptx_prototype prototype = declaration_prototype(parser);
        parser_expect(parser, ';');
        function->prototypes = parser_grow(parser, function->prototypes, function->prototype_count,
                                           &parser->prototype_room, sizeof *function->prototypes);
        function->prototypes[function->prototype_count] = prototype;
        parser_put(parser, name, NAME_PROTOTYPE, function->prototype_count++);
    } else {
        place_label(parser, name);
    }
}

static void local_variable(struct parser *parser, enum ptx_space space)
{
    struct ptx_function *function = parser->function;
    do {
        uint32_t index = declaration_variable(parser, space, false);
        function->locals = parser_grow(parser, function->locals, function->local_count,
                                       &parser->local_room, sizeof *function->locals);
        function->locals[function->local_count++] = index;
    } while (parser_accept(parser, ','));
    parser_expect(parser, ';');
}

static bool at_label(const struct parser *parser)
{
    struct token behind = parser_peek(parser);
    return parser->token.kind == TOKEN_WORD && behind.kind == TOKEN_PUNCTUATION &&
           behind.text[0] == ':';
}

static void directive(struct parser *parser)
{
    enum ptx_space space;
    if (parser_accept_dotword(parser, "reg"))
        declaration_registers(parser);
    else if (parser_accept_dotword(parser, "loc"))
        declaration_location(parser);
    else if (parser_accept_dotword(parser, "pragma")) {
        static const char NOUNROLL[] = "nounroll";
        parser->not_unrolled |= parser->token.length == sizeof NOUNROLL - 1 &&
                                memcmp(parser->token.text, NOUNROLL, sizeof NOUNROLL - 1) == 0;
        parser_advance(parser);
        parser_expect(parser, ';');
    } else if (declaration_space(parser, &space))
        local_variable(parser, space);
    else
        parser_fail(parser, "'.%.*s' is not a directive that is supported in a function",
                    parser->token.length > 40 ? 40 : (int)parser->token.length, parser->token.text);
}

/* Labels of a block may be used before they are defined, but not outside it: each block resolves
 * its own and hands the rest to the block around it. */
static void block(struct parser *parser)
{
    unsigned depth = 1;
    while (depth) {
        if (parser_accept(parser, '{')) {
            names_open(&parser->names);
            depth++;
        } else if (parser_accept(parser, '}')) {
            if (--depth)
                names_close(&parser->names);
        } else if (parser->token.kind == TOKEN_DOTWORD) {
            directive(parser);
        } else if (at_label(parser)) {
            labelled(parser);
        } else if (parser->token.kind == TOKEN_WORD || parser_at(parser, '@')) {
            instruction(parser);
        } else if (parser->token.kind == TOKEN_END) {
            parser_fail(parser, "'%.80s' has no end", parser->function->name);
        } else {
            parser_fail(parser, "expected a statement before '%.*s'",
                        parser->token.length > 40 ? 40 : (int)parser->token.length,
                        parser->token.text);
        }
    }
}

void statement_body(struct parser *parser)
{
    parser->register_room = parser->local_room = parser->instruction_room = 0;
    parser->prototype_room = parser->target_room = 0;
    parser->pending = NULL;
    parser->location = 0;
    parser_expect(parser, '{');
    names_open(&parser->names);
    block(parser);
    names_close(&parser->names);
    if (parser->pending)
        parser_fail_at(parser, parser->pending->line, "there is no label '%.80s'",
                       parser->pending->operand->name);
}
