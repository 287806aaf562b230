/* parser.c - the module level of PTX: directives, functions, files (PTX ISA 9.0, section 11).
 * Next: statement.c. */
#include "parser_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A parsed module may take this much memory, however hostile its text. */
static const size_t MODULE_LIMIT_BYTES = (size_t)1 << 31;

static void describe(struct parser *parser, unsigned line, const char *format, va_list arguments)
{
    parser->error->line = line;
    vsnprintf(parser->error->message, sizeof parser->error->message, format, arguments);
}

void parser_fail_at(struct parser *parser, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    describe(parser, line, format, arguments);
    va_end(arguments);
    longjmp(parser->give_up, 1);
}

void parser_fail(struct parser *parser, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    describe(parser, parser->token.line, format, arguments);
    va_end(arguments);
    longjmp(parser->give_up, 1);
}

void *parser_alloc(struct parser *parser, size_t size_bytes)
{
    void *piece = arena_alloc(&parser->module->arena, size_bytes);
    if (!piece)
        parser_fail(parser, "the module needs too much memory");
    return piece;
}

void *parser_grow(struct parser *parser, void *items, size_t count, size_t *capacity,
                  size_t item_bytes)
{
    void *grown = arena_grow(&parser->module->arena, items, count, capacity, item_bytes);
    if (!grown)
        parser_fail(parser, "the module needs too much memory");
    return grown;
}

const char *parser_text(struct parser *parser, struct token token)
{
    char *copy = parser_alloc(parser, token.length + 1);
    memcpy(copy, token.text, token.length);
    return copy;
}

void parser_advance(struct parser *parser)
{
    parser->token = lexer_next(&parser->lexer);
}

struct token parser_peek(const struct parser *parser)
{
    struct lexer ahead = parser->lexer;
    return lexer_next(&ahead);
}

bool parser_at(const struct parser *parser, char punctuation)
{
    return parser->token.kind == TOKEN_PUNCTUATION && parser->token.text[0] == punctuation;
}

static bool token_is(const struct token *token, enum token_kind kind, const char *text)
{
    return token->kind == kind && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

bool parser_at_dotword(const struct parser *parser, const char *word)
{
    return token_is(&parser->token, TOKEN_DOTWORD, word);
}

bool parser_accept(struct parser *parser, char punctuation)
{
    bool there = parser_at(parser, punctuation);
    if (there)
        parser_advance(parser);
    return there;
}

bool parser_accept_dotword(struct parser *parser, const char *word)
{
    bool there = parser_at_dotword(parser, word);
    if (there)
        parser_advance(parser);
    return there;
}

/* At most this much of a token is quoted in a message. */
static int quoted(const struct token *token)
{
    return token->length > 40 ? 40 : (int)token->length;
}

void parser_expect(struct parser *parser, char punctuation)
{
    if (!parser_accept(parser, punctuation))
        parser_fail(parser, "expected '%c' before '%.*s'", punctuation, quoted(&parser->token),
                    parser->token.text);
}

uint64_t parser_integer(struct parser *parser)
{
    bool negative = parser_accept(parser, '-');
    if (parser->token.kind != TOKEN_INTEGER)
        parser_fail(parser, "expected an integer before '%.*s'", quoted(&parser->token),
                    parser->token.text);
    uint64_t value = parser->token.value;
    parser_advance(parser);
    return negative ? -value : value;
}

const char *parser_name(struct parser *parser)
{
    if (parser->token.kind != TOKEN_WORD)
        parser_fail(parser, "expected a name before '%.*s'", quoted(&parser->token),
                    parser->token.text);
    const char *name = parser_text(parser, parser->token);
    parser_advance(parser);
    return name;
}

void parser_put(struct parser *parser, const char *name, enum name_kind kind, size_t index)
{
    if (!names_put(&parser->names, name, kind, (uint32_t)index))
        parser_fail(parser, "the module needs too much memory");
}

/* The function called name: declared before, or new. */
static struct ptx_function *function_named(struct parser *parser, const char *name)
{
    struct ptx_module *module = parser->module;
    int kind;
    uint32_t index;
    if (names_get(&parser->names, name, &kind, &index)) {
        if (kind != NAME_FUNCTION)
            parser_fail(parser, "'%.80s' is a variable and a function", name);
        return &module->functions[index];
    }
    module->functions = parser_grow(parser, module->functions, module->function_count,
                                    &parser->function_room, sizeof *module->functions);
    struct ptx_function *function = &module->functions[module->function_count];
    *function = (struct ptx_function){.name = name};
    parser_put(parser, name, NAME_FUNCTION, module->function_count++);
    return function;
}

/* "(.param .b32 a, .param .align 8 .b8 b[16])": returns how many, with their indices. */
static uint32_t *parameter_list(struct parser *parser, size_t *count)
{
    uint32_t *list = NULL;
    size_t room = 0;
    *count = 0;
    parser_expect(parser, '(');
    while (!parser_accept(parser, ')')) {
        if (*count)
            parser_expect(parser, ',');
        if (!parser_accept_dotword(parser, "param"))
            parser_fail(parser, "only .param parameters are supported");
        list = parser_grow(parser, list, *count, &room, sizeof *list);
        list[(*count)++] = declaration_variable(parser, PTX_SPACE_PARAM, false);
    }
    return list;
}

/* Up to three numbers, and 1 for each that is left out. */
static void directive_size(struct parser *parser, uint64_t size[3])
{
    uint64_t unused;
    size[0] = size[1] = size[2] = 1;
    for (int axis = 0; parser->token.kind == TOKEN_INTEGER; axis++) {
        *(axis < 3 ? &size[axis] : &unused) = parser_integer(parser);
        if (!parser_accept(parser, ','))
            break;
    }
}

/* .maxntid 256, 1, 1  .reqntid 32  .minnctapersm 2  .noreturn  .pragma "..."
 * .explicitcluster  .reqnctapercluster 2, 1, 1  .maxclusterrank 8 */
static void function_directives(struct parser *parser)
{
    struct ptx_function *function = parser->function;
    while (parser->token.kind == TOKEN_DOTWORD) {
        bool threads = parser_at_dotword(parser, "maxntid") || parser_at_dotword(parser, "reqntid");
        bool cluster = parser_at_dotword(parser, "reqnctapercluster");
        bool rank = parser_at_dotword(parser, "maxclusterrank");
        function->explicit_cluster |= parser_at_dotword(parser, "explicitcluster");
        uint64_t size[3];
        parser_advance(parser);
        if (parser->token.kind == TOKEN_STRING)
            parser_advance(parser);
        directive_size(parser, size);
        parser_accept(parser, ';');
        if (threads)
            function->max_threads = (unsigned)(size[0] * size[1] * size[2]);
        for (int axis = 0; cluster && axis < 3; axis++)
            function->cluster[axis] = size[axis] > UINT32_MAX ? UINT32_MAX : (uint32_t)size[axis];
        if (rank)
            function->most_cluster = size[0] > UINT32_MAX ? UINT32_MAX : (uint32_t)size[0];
    }
}

/* A body that an earlier text has already defined: the same function, from a header. */
static void skip_body(struct parser *parser)
{
    unsigned depth = 0;
    do {
        if (parser->token.kind == TOKEN_END)
            parser_fail(parser, "a function has no end");
        depth += parser_at(parser, '{');
        depth -= parser_at(parser, '}');
        parser_advance(parser);
    } while (depth);
}

static void function_definition(struct parser *parser, bool is_kernel)
{
    uint32_t *results = NULL;
    size_t result_count = 0;
    names_open(&parser->names);
    if (!is_kernel && parser_at(parser, '('))
        results = parameter_list(parser, &result_count);
    const char *name = parser_name(parser);
    unsigned scope = parser->names.scope; /* the function's own name belongs outside */
    names_close(&parser->names);
    struct ptx_function *function = parser->function = function_named(parser, name);
    names_open(&parser->names);
    for (size_t i = 0; i < result_count; i++)
        parser_put(parser, parser->module->variables[results[i]].name, NAME_VARIABLE, results[i]);
    uint32_t *parameters = NULL;
    size_t parameter_count = 0;
    bool again = function->has_body && function->linked && parser->texts > 1;
    if (parser_at(parser, '('))
        parameters = parameter_list(parser, &parameter_count);
    if (!again) {
        function->is_kernel = is_kernel;
        function->linked |= parser->linked;
        function->results = results;
        function->result_count = result_count;
        function->parameters = parameters;
        function->parameter_count = parameter_count;
    }
    function_directives(parser);
    if (parser_at(parser, '{') && again) {
        skip_body(parser);
    } else if (parser_at(parser, '{')) {
        if (function->has_body)
            parser_fail(parser, "'%.80s' is defined twice", name);
        function->has_body = true;
        statement_body(parser);
    } else {
        parser_expect(parser, ';');
    }
    while (parser->names.scope >= scope)
        names_close(&parser->names);
    parser->function = NULL;
}

static void file_directive(struct parser *parser)
{
    struct ptx_module *module = parser->module;
    uint64_t number = parser_integer(parser);
    if (number > 65535 || parser->token.kind != TOKEN_STRING)
        parser_fail(parser, "expected .file number \"name\"");
    number += parser->first_file;
    while (module->file_count <= number) {
        module->files = parser_grow(parser, module->files, module->file_count, &parser->file_room,
                                    sizeof *module->files);
        module->files[module->file_count++] = NULL;
    }
    module->files[number] = parser_text(parser, parser->token);
    parser_advance(parser);
    while (parser_accept(parser, ',')) /* time stamp and size, which are not needed */
        parser_integer(parser);
}

/* .section .debug_str { ... }: debugging data of a debugger we are not. */
static void section_directive(struct parser *parser)
{
    parser_advance(parser);
    parser_expect(parser, '{');
    while (!parser_accept(parser, '}')) {
        if (parser->token.kind == TOKEN_END)
            parser_fail(parser, "a .section has no end");
        parser_advance(parser);
    }
}

static void target_directive(struct parser *parser)
{
    bool for_debugger = false;
    parser->module->target = parser_name(parser);
    while (parser_accept(parser, ','))
        for_debugger |= strcmp(parser_name(parser), "debug") == 0;
    parser->module->is_optimised |= !for_debugger;
}

static void linked_item(struct parser *parser)
{
    bool external = false, shown = false;
    for (bool more = true; more;) {
        bool is_external = parser_accept_dotword(parser, "extern");
        more = is_external || parser_accept_dotword(parser, "visible") ||
               parser_accept_dotword(parser, "weak") || parser_accept_dotword(parser, "common");
        external |= is_external;
        shown |= more;
    }
    parser->linked = shown;
    enum ptx_space space;
    if (parser_accept_dotword(parser, "entry"))
        function_definition(parser, true);
    else if (parser_accept_dotword(parser, "func"))
        function_definition(parser, false);
    else if (declaration_space(parser, &space)) {
        declaration_variable(parser, space, external);
        parser_expect(parser, ';');
    } else
        parser_fail(parser, "'.%.*s' is not a directive that is supported here",
                    quoted(&parser->token), parser->token.text);
}

/* .alias copy, original; */
static void alias_directive(struct parser *parser)
{
    const char *alias = parser_name(parser);
    parser_expect(parser, ',');
    const char *original = parser_name(parser);
    parser_expect(parser, ';');
    int kind;
    uint32_t index;
    if (!names_get(&parser->names, original, &kind, &index) || kind != NAME_FUNCTION)
        parser_fail(parser, ".alias of '%.80s', which is no function", original);
    parser_put(parser, alias, NAME_FUNCTION, index);
}

static void module_items(struct parser *parser)
{
    while (parser->token.kind != TOKEN_END) {
        if (parser_accept_dotword(parser, "version")) {
            link_begin_text(parser);
            parser_advance(parser); /* which version does not matter */
        } else if (parser_accept_dotword(parser, "target"))
            target_directive(parser);
        else if (parser_accept_dotword(parser, "address_size")) {
            if (parser_integer(parser) != 64)
                parser_fail(parser, "only 64-bit PTX is supported");
        } else if (parser_accept_dotword(parser, "file"))
            file_directive(parser);
        else if (parser_accept_dotword(parser, "section"))
            section_directive(parser);
        else if (parser_accept_dotword(parser, "loc"))
            declaration_location(parser);
        else if (parser_accept_dotword(parser, "alias"))
            alias_directive(parser);
        else if (parser_accept_dotword(parser, "pragma")) {
            parser_advance(parser);
            parser_expect(parser, ';');
        } else if (parser->token.kind == TOKEN_DOTWORD)
            linked_item(parser);
        else
            parser_fail(parser, "expected a directive before '%.*s'", quoted(&parser->token),
                        parser->token.text);
    }
}

/* False when the text made the parser give up. */
static bool parse_module(struct parser *parser)
{
    struct ptx_module *module = parser->module;
    if (setjmp(parser->give_up))
        return false;
    if (!names_init(&parser->names, &module->arena))
        parser_fail(parser, "the module needs too much memory");
    module->locations =
        parser_grow(parser, NULL, 0, &parser->location_room, sizeof *module->locations);
    module->location_count = 1;
    module->target = "";
    parser_advance(parser);
    module_items(parser);
    if (parser->texts > 1)
        link_variables(parser);
    return true;
}

struct ptx_module *ptx_parse(const char *text, size_t length, struct ptx_error *error)
{
    *error = (struct ptx_error){0};
    struct ptx_module *module = calloc(1, sizeof *module);
    if (!module) {
        snprintf(error->message, sizeof error->message, "the module needs too much memory");
        return NULL;
    }
    arena_init(&module->arena, MODULE_LIMIT_BYTES);
    struct parser parser = {.module = module, .error = error};
    lexer_init(&parser.lexer, text, length);
    if (parse_module(&parser))
        return module;
    ptx_free(module);
    return NULL;
}

void ptx_free(struct ptx_module *module)
{
    if (!module)
        return;
    arena_free(&module->arena);
    free(module);
}
