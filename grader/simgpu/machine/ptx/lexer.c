#include "lexer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void lexer_init(struct lexer *lexer, const char *text, size_t length)
{
    *lexer = (struct lexer){text, text + length, 1};
}

static int at(const struct lexer *lexer, size_t ahead)
{
    return (size_t)(lexer->end - lexer->next) > ahead ? (unsigned char)lexer->next[ahead] : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static int digit_value(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

static void skip_line(struct lexer *lexer)
{
    while (at(lexer, 0) >= 0 && at(lexer, 0) != '\n')
        lexer->next++;
}

static void skip_block_comment(struct lexer *lexer)
{
    for (lexer->next += 2; at(lexer, 0) >= 0; lexer->next++) {
        if (at(lexer, 0) == '\n')
            lexer->line++;
        if (at(lexer, 0) == '*' && at(lexer, 1) == '/') {
            lexer->next += 2;
            return;
        }
    }
}

/* White space, comments, and the NUL padding of PTX inside a fatbin. */
static void skip_blanks(struct lexer *lexer)
{
    for (;;) {
        int c = at(lexer, 0);
        if (c == '\n')
            lexer->line++;
        if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == 0)
            lexer->next++;
        else if (c == '/' && at(lexer, 1) == '/')
            skip_line(lexer);
        else if (c == '/' && at(lexer, 1) == '*')
            skip_block_comment(lexer);
        else
            return;
    }
}

static uint64_t read_digits(struct lexer *lexer, unsigned base, unsigned most)
{
    uint64_t value = 0;
    for (unsigned count = 0; count < most && digit_value(at(lexer, 0)) < (int)base; count++)
        value = value * base + (uint64_t)digit_value(*lexer->next++);
    return value;
}

static void read_decimal_float(struct lexer *lexer, const char *start, struct token *token)
{
    char copy[64] = {0}, *end;
    while (is_digit(at(lexer, 0)) || at(lexer, 0) == '.' || at(lexer, 0) == 'e' ||
           at(lexer, 0) == 'E' ||
           ((at(lexer, 0) == '-' || at(lexer, 0) == '+') &&
            (lexer->next[-1] == 'e' || lexer->next[-1] == 'E')))
        lexer->next++;
    size_t length = (size_t)(lexer->next - start);
    memcpy(copy, start, length < sizeof copy - 1 ? length : sizeof copy - 1);
    double number = strtod(copy, &end);
    memcpy(&token->value, &number, sizeof number);
    token->kind = *end ? TOKEN_BAD : TOKEN_FLOAT64;
}

/* PTX ISA 4.5.1 and 4.5.2: integers in four bases, floats as the hexadecimal of their bits. */
static void read_number(struct lexer *lexer, struct token *token)
{
    const char *start = lexer->next;
    int second = at(lexer, 0) == '0' ? at(lexer, 1) : -1;
    token->kind = TOKEN_INTEGER;
    if (second == 'f' || second == 'F' || second == 'd' || second == 'D') {
        bool is_double = second == 'd' || second == 'D';
        lexer->next += 2;
        token->kind = is_double ? TOKEN_FLOAT64 : TOKEN_FLOAT32;
        token->value = read_digits(lexer, 16, is_double ? 16 : 8);
    } else if (second == 'x' || second == 'X') {
        lexer->next += 2;
        token->value = read_digits(lexer, 16, 16);
    } else if (second == 'b' || second == 'B') {
        lexer->next += 2;
        token->value = read_digits(lexer, 2, 64);
    } else if (is_digit(second)) {
        token->value = read_digits(lexer, 8, 23);
    } else {
        token->value = read_digits(lexer, 10, 20);
        if (at(lexer, 0) == '.' && is_digit(at(lexer, 1)))
            read_decimal_float(lexer, start, token);
    }
    if (at(lexer, 0) == 'U')
        lexer->next++;
}

static void read_word(struct lexer *lexer)
{
    lexer->next++;
    while (is_name(at(lexer, 0)))
        lexer->next++;
}

/* ".shared::cta", ".L2::128B": a dotted word may carry a qualifier after "::". */
static void read_dotword(struct lexer *lexer)
{
    while (is_name(at(lexer, 0)) ||
           (at(lexer, 0) == ':' && at(lexer, 1) == ':' && is_name(at(lexer, 2))))
        lexer->next += at(lexer, 0) == ':' ? 2 : 1;
}

static void read_string(struct lexer *lexer, struct token *token)
{
    token->text = ++lexer->next;
    while (at(lexer, 0) >= 0 && at(lexer, 0) != '"' && at(lexer, 0) != '\n')
        lexer->next++;
    token->length = (size_t)(lexer->next - token->text);
    token->kind = at(lexer, 0) == '"' ? TOKEN_STRING : TOKEN_BAD;
    if (token->kind == TOKEN_STRING)
        lexer->next++;
}

struct token lexer_next(struct lexer *lexer)
{
    skip_blanks(lexer);
    struct token token = {TOKEN_END, lexer->next, 0, 0, lexer->line};
    int c = at(lexer, 0);
    if (c < 0)
        return token;
    if (c == '"') {
        read_string(lexer, &token);
        return token;
    }
    if (is_digit(c)) {
        read_number(lexer, &token);
    } else if (c == '.' && is_name(at(lexer, 1))) {
        token.kind = TOKEN_DOTWORD;
        token.text = ++lexer->next;
        read_dotword(lexer);
    } else if (is_name(c) || (c == '%' && is_name(at(lexer, 1)))) {
        token.kind = TOKEN_WORD;
        read_word(lexer);
    } else {
        token.kind = c > ' ' && c < 127 ? TOKEN_PUNCTUATION : TOKEN_BAD;
        lexer->next++;
    }
    token.length = (size_t)(lexer->next - token.text);
    return token;
}
