/* tokens.h - a source, word by word, without what separates words.
 *
 * It is no compiler: whatever it meets, it comes to the end of the text.
 */
#ifndef CLASS_TOKENS_H
#define CLASS_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

/* A word, a literal or a sign; it points into the text that it was found in. */
struct token {
    const char *start;
    size_t length; /* 0: the text has no more */
};

/* The first token from that place on, after white space, comments and a byte order mark. The next
 * one is found from start + length on. */
struct token token_at(const char *at);
/* A keyword or a name. */
bool token_is_name(struct token token);
bool token_is_number(struct token token);

#endif
