/* mutations.h - what can be changed in one source file: each mutation replaces the bytes from
 * `from` up to `to` by a text.
 *
 * find.c walks the syntax tree and calls mutations_add; mutations_write prints the list. A mutation
 * is known by its kind, the text of its line, what is replaced and by what, and which of those
 * alike in its file it is: so it is still known after lines were added above it.
 */
#ifndef MUTANTS_MUTATIONS_H
#define MUTANTS_MUTATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum mutation_kind {
#define KIND(name, what) MUTATION_##name,
#include "kinds.def"
#undef KIND
    MUTATION_KINDS
};

/* Bytes of the source, from the first up to, not including, the last. */
struct span {
    size_t from, to;
};

struct mutation {
    enum mutation_kind kind;
    struct span span;
    char *text; /* owned by the list */
};

struct mutations {
    const char *source;  /* borrowed; ended by a zero */
    struct span *closed; /* what macros expand to is not taken apart; owned */
    size_t closed_count;
    struct mutation *list; /* owned */
    size_t count, room;
};

/* Remembers it, unless it changes nothing, takes a macro apart or is there already. The text is
 * formatted as by printf. Aborts where no memory is left. */
void mutations_add(struct mutations *mutations, enum mutation_kind kind, struct span span,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A macro's expansion lies here: from now on no mutation begins or ends within. */
void mutations_close(struct mutations *mutations, struct span span);
/* A JSON array, a line for each in the order of the source: {kind, from, to, new, old, at (line
 * number), column, line (its text), nth}. False when it cannot be written. */
bool mutations_write(struct mutations *mutations, FILE *out);
void mutations_free(struct mutations *mutations);

/* --- Texts ------------------------------------------------------------------------------------ */

/* A number of C moved by that many: "255u" by 1 is "256u", "0x1F" by -1 is "0x1e", "0.5f" is
 * "(0.5f + 1)". False for what is no number, or would be negative and cannot. */
bool moved_number(const char *number, size_t length, int by, char *text, size_t text_bytes);
/* What kind it is to leave out a call of that name (syncthreads: a barrier). */
enum mutation_kind kind_of_call(const char *name);
/* The same for an asm statement; MUTATION_KINDS where leaving it out is none of the kinds. */
enum mutation_kind kind_of_asm(const char *text, size_t length);
/* The name of the other direction: "cols" for "rows"; NULL for most. */
const char *other_direction(const char *name);

#endif
