/* tokens.c - see tokens.h. */
#include "class/tokens.h"

#include <ctype.h>
#include <string.h>

static const char *skip_between(const char *at)
{
    static const char MARK[] = "\xEF\xBB\xBF"; /* of byte order */
    at += strncmp(at, MARK, strlen(MARK)) == 0 ? strlen(MARK) : 0;
    for (;;) {
        const char *before = at;
        at += strspn(at, " \t\r\n\v\f");
        if (strncmp(at, "//", 2) == 0)
            at += strcspn(at, "\n");
        if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        }
        if (at == before)
            return at;
    }
}

/* A text or character in quotes, with its escapes. */
static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    for (; *at && *at != quote && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return *at == quote ? at + 1 : at;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *end_of(const char *at)
{
    if (*at == '"' || *at == '\'')
        return skip_quoted(at);
    if (!is_of_word(*at))
        return at + (*at != '\0');
    bool is_number = isdigit((unsigned char)*at);
    while (is_of_word(*at) || (is_number && *at == '.'))
        at++;
    return at;
}

struct token token_at(const char *at)
{
    const char *start = skip_between(at);
    return (struct token){start, (size_t)(end_of(start) - start)};
}

bool token_is_number(struct token token)
{
    return token.length > 0 && isdigit((unsigned char)*token.start);
}

bool token_is_name(struct token token)
{
    return token.length > 0 && is_of_word(*token.start) && !token_is_number(token);
}
