/* parser_internal.h - what the parser's files share: the cursor, names, and how to give up.
 *
 * Reading order: parser.c (the module), declaration.c (variables and registers),
 * statement.c (instructions and their operands).
 *
 * A parse gives up by longjmp to ptx_parse: the arena owns everything, so there is nothing to
 * clean up on the way.
 */
#ifndef PTX_PARSER_INTERNAL_H
#define PTX_PARSER_INTERNAL_H

#include "lexer.h"
#include "names.h"
#include "syntax.h"

#include <setjmp.h>

enum name_kind {
    NAME_REGISTER,
    NAME_VARIABLE,
    NAME_FUNCTION,
    NAME_LABEL,
    NAME_PROTOTYPE,
    NAME_TARGETS
};

/* A label that is used before it is defined. */
struct pending_label {
    struct pending_label *next;
    struct ptx_operand *operand;
    unsigned scope, line;
};

struct parser {
    struct lexer lexer;
    struct token token; /* the one to read next */
    struct ptx_module *module;
    struct names names;
    struct ptx_error *error;
    jmp_buf give_up;

    size_t variable_room, function_room, location_room, file_room;
    bool linked; /* what is being declared has a name that other texts know */

    /* of the text being read, of several: link.c */
    unsigned texts; /* so far */
    size_t first_function, first_file;

    /* of the function being read */
    struct ptx_function *function;
    size_t register_room, local_room, instruction_room, prototype_room, target_room;
    struct pending_label *pending;
    uint32_t location;
    bool not_unrolled; /* .pragma "nounroll" precedes the next instruction */
};

_Noreturn void parser_fail(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
_Noreturn void parser_fail_at(struct parser *parser, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void *parser_alloc(struct parser *parser, size_t size_bytes);
/* Room for one more item at items[count]; capacity is the caller's. */
void *parser_grow(struct parser *parser, void *items, size_t count, size_t *capacity,
                  size_t item_bytes);
const char *parser_text(struct parser *parser, struct token token); /* a copy */

void parser_advance(struct parser *parser);
struct token parser_peek(const struct parser *parser); /* the token after the current one */
bool parser_at(const struct parser *parser, char punctuation);
bool parser_at_dotword(const struct parser *parser, const char *word);
bool parser_accept(struct parser *parser, char punctuation);
bool parser_accept_dotword(struct parser *parser, const char *word);
void parser_expect(struct parser *parser, char punctuation);
uint64_t parser_integer(struct parser *parser); /* with an optional sign */
const char *parser_name(struct parser *parser);
void parser_put(struct parser *parser, const char *name, enum name_kind kind, size_t index);

/* declaration.c */
bool declaration_space(struct parser *parser, enum ptx_space *space); /* accepts .global ... */
uint32_t declaration_variable(struct parser *parser, enum ptx_space space, bool external);
void declaration_registers(struct parser *parser);
void declaration_location(struct parser *parser);
struct ptx_prototype declaration_prototype(struct parser *parser);

/* link.c */
void link_begin_text(struct parser *parser);
void link_variables(struct parser *parser);

/* statement.c: everything between the braces of a function. */
void statement_body(struct parser *parser);

#endif
