/* mutations.c - keeps the list of one file's mutations and prints it. */
#include "mutants/mutations.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {
#define KIND(name, what) #name,
#include "kinds.def"
#undef KIND
};

static void *grown(void *list, size_t count, size_t bytes)
{
    void *larger = reallocarray(list, count, bytes);
    if (!larger)
        abort(); /* a source file has some hundred mutations */
    return larger;
}

void mutations_close(struct mutations *mutations, struct span span)
{
    mutations->closed =
        grown(mutations->closed, mutations->closed_count + 1, sizeof *mutations->closed);
    mutations->closed[mutations->closed_count++] = span;
}

/* A macro may be replaced as a whole, or left alone. */
static bool is_open(const struct mutations *mutations, struct span span)
{
    for (size_t i = 0; i < mutations->closed_count; i++) {
        struct span closed = mutations->closed[i];
        bool apart = span.to <= closed.from || span.from >= closed.to;
        bool whole = span.from <= closed.from && span.to >= closed.to;
        if (!apart && !whole)
            return false;
    }
    return true;
}

static bool is_known(const struct mutations *mutations, struct span span, const char *text)
{
    for (size_t i = 0; i < mutations->count; i++) {
        const struct mutation *known = &mutations->list[i];
        if (known->span.from == span.from && known->span.to == span.to &&
            strcmp(known->text, text) == 0)
            return true;
    }
    return false;
}

void mutations_add(struct mutations *mutations, enum mutation_kind kind, struct span span,
                   const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    bool same = (size_t)length == span.to - span.from &&
                memcmp(text, mutations->source + span.from, (size_t)length) == 0;
    if (same || !is_open(mutations, span) || is_known(mutations, span, text)) {
        free(text);
        return;
    }
    if (mutations->count == mutations->room) {
        mutations->room = mutations->room ? 2 * mutations->room : 256;
        mutations->list = grown(mutations->list, mutations->room, sizeof *mutations->list);
    }
    mutations->list[mutations->count++] = (struct mutation){kind, span, text};
}

/* --- Printing --------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct mutation *first = a, *second = b;
    if (first->span.from != second->span.from)
        return first->span.from < second->span.from ? -1 : 1;
    if (first->span.to != second->span.to)
        return first->span.to < second->span.to ? -1 : 1;
    return strcmp(first->text, second->text);
}

/* The line that a byte lies in, without the blanks around it. */
static struct span line_around(const char *source, size_t at)
{
    struct span line = {at, at + strcspn(source + at, "\n")};
    while (line.from > 0 && source[line.from - 1] != '\n')
        line.from--;
    line.from += strspn(source + line.from, " \t");
    while (line.to > line.from && strchr(" \t\r", source[line.to - 1]))
        line.to--;
    return line;
}

static json_t *text_of(const char *source, struct span span)
{
    return json_stringn(source + span.from, span.to - span.from);
}

static json_t *object_of(const char *source, const struct mutation *mutation)
{
    struct span line = line_around(source, mutation->span.from);
    json_int_t at = 1, column = 1;
    for (size_t i = 0; i < mutation->span.from; i++) {
        at += source[i] == '\n';
        column = source[i] == '\n' ? 1 : column + 1;
    }
    return json_pack("{s:s, s:I, s:I, s:o, s:s, s:I, s:I, s:o}", "kind", NAMES[mutation->kind],
                     "at", at, "column", column, "old", text_of(source, mutation->span), "new",
                     mutation->text, "from", (json_int_t)mutation->span.from, "to",
                     (json_int_t)mutation->span.to, "line", text_of(source, line));
}

/* Alike but for their place. */
static bool are_alike(const json_t *first, const json_t *second)
{
    static const char *const PARTS[] = {"kind", "line", "old", "new"};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (!json_equal(json_object_get(first, PARTS[i]), json_object_get(second, PARTS[i])))
            return false;
    return true;
}

bool mutations_write(struct mutations *mutations, FILE *out)
{
    json_t *array = json_array();
    qsort(mutations->list, mutations->count, sizeof *mutations->list, by_place);
    for (size_t i = 0; i < mutations->count; i++) {
        json_t *object = object_of(mutations->source, &mutations->list[i]);
        json_int_t nth = 1;
        for (size_t before = 0; before < i; before++)
            nth += are_alike(json_array_get(array, before), object);
        json_object_set_new(object, "nth", json_integer(nth));
        json_array_append_new(array, object);
    }
    fputs("[", out);
    for (size_t i = 0; i < mutations->count; i++) {
        fputs(i == 0 ? "\n" : ",\n", out);
        json_dumpf(json_array_get(array, i), out, JSON_COMPACT);
    }
    fputs("\n]\n", out);
    json_decref(array);
    return fflush(out) == 0 && !ferror(out);
}

void mutations_free(struct mutations *mutations)
{
    for (size_t i = 0; i < mutations->count; i++)
        free(mutations->list[i].text);
    free(mutations->list);
    free(mutations->closed);
}
