/* names.h - a table from names to numbers, with scopes.
 *
 * PTX reuses a name in every function and inside every call block ("param0"), so a name is
 * looked up in the innermost open scope first. names_open and names_close nest.
 *
 * The table copies no name: a name must live as long as the table (the arena's do).
 */
#ifndef SIM_NAMES_H
#define SIM_NAMES_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

struct names {
    struct arena *arena;
    struct name_entry **buckets;
    struct name_entry *newest; /* all entries, newest first: what names_close walks back over */
    unsigned scope;
};

/* False when memory is exhausted. */
bool names_init(struct names *names, struct arena *arena);

void names_open(struct names *names);
void names_close(struct names *names);

/* Enter name in the current scope; an older meaning is hidden until the scope closes.
 * False when memory is exhausted. */
bool names_put(struct names *names, const char *name, int kind, uint32_t index);

/* The innermost meaning of name; false when there is none. */
/* From now on nothing is called name. */
void names_hide(struct names *names, const char *name);
bool names_get(const struct names *names, const char *name, int *kind, uint32_t *index);

#endif
