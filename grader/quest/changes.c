/* changes.c - see changes.h. */
#include "quest/changes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4000 };

struct lines {
    const char **start;
    size_t *length;
    size_t count;
};

static bool split(const char *text, struct lines *lines)
{
    size_t most = 1;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        most++;
    *lines =
        (struct lines){calloc(most, sizeof *lines->start), calloc(most, sizeof *lines->length), 0};
    for (const char *at = text; lines->start && lines->length && *at;) {
        size_t length = strcspn(at, "\n");
        lines->start[lines->count] = at;
        lines->length[lines->count++] = length;
        at += length + (at[length] == '\n');
    }
    return lines->start && lines->length;
}

static void forget(struct lines *lines)
{
    free(lines->start);
    free(lines->length);
}

static bool same(const struct lines *a, size_t i, const struct lines *b, size_t k)
{
    return a->length[i] == b->length[k] && memcmp(a->start[i], b->start[k], a->length[i]) == 0;
}

/* The most lines that both have in one order, of a[first, a_end) and b[first, b_end): the length of
 * their longest common subsequence, row by row. */
static size_t common(const struct lines *a, size_t a_end, const struct lines *b, size_t b_end,
                     size_t first)
{
    size_t columns = b_end - first;
    size_t *row = calloc(columns + 1, sizeof *row);
    for (size_t i = first; row && i < a_end; i++) {
        size_t diagonal = 0;
        for (size_t k = 1; k <= columns; k++) {
            size_t above = row[k];
            row[k] = same(a, i, b, first + k - 1) ? diagonal + 1
                     : above > row[k - 1]         ? above
                                                  : row[k - 1];
            diagonal = above;
        }
    }
    size_t most = row ? row[columns] : 0;
    free(row);
    return most;
}

static struct changes compare(const struct lines *a, const struct lines *b)
{
    size_t first = 0, a_end = a->count, b_end = b->count;
    while (first < a_end && first < b_end && same(a, first, b, first))
        first++;
    while (a_end > first && b_end > first && same(a, a_end - 1, b, b_end - 1)) {
        a_end--;
        b_end--;
    }
    bool few = a_end - first <= MOST_LINES && b_end - first <= MOST_LINES;
    size_t kept = few ? common(a, a_end, b, b_end, first) : 0;
    return (struct changes){b_end - first - kept, a_end - first - kept};
}

struct changes changes_between(const char *before, const char *after)
{
    struct lines a = {0}, b = {0};
    struct changes changes = {0};
    if (split(before, &a) && split(after, &b))
        changes = compare(&a, &b);
    forget(&a);
    forget(&b);
    return changes;
}
