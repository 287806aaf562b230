/* lexer.h - PTX text to tokens (PTX ISA 9.0, section 4 "Syntax").
 *
 * A token points into the text and copies nothing. The lexer never fails: what it cannot read
 * becomes a TOKEN_BAD, which the parser reports with its place.
 */
#ifndef PTX_LEXER_H
#define PTX_LEXER_H

#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,        /* add  %r1  $L__BB0_2  _Z1kPf */
    TOKEN_DOTWORD,     /* .global  .v4  .shared::cta; text starts after the dot */
    TOKEN_INTEGER,     /* 12  0x1F  0b101  017  12U */
    TOKEN_FLOAT32,     /* 0f3F800000: value holds the bits */
    TOKEN_FLOAT64,     /* 0d3FF0000000000000, 1.5: value holds the bits */
    TOKEN_STRING,      /* "..." without its quotes */
    TOKEN_PUNCTUATION, /* one character: text[0] */
    TOKEN_BAD,
};

struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint64_t value; /* of a number */
    unsigned line;  /* of the PTX text, from 1 */
};

struct lexer {
    const char *next, *end;
    unsigned line;
};

/* text need not be zero-terminated and must outlive the lexer. */
void lexer_init(struct lexer *lexer, const char *text, size_t length);

struct token lexer_next(struct lexer *lexer);

#endif
