/* arena.h - memory that is given back all at once.
 *
 * A parsed program is thousands of small pieces that live and die together. An arena hands
 * them out and frees them in one call, so the parser has no clean-up paths at all.
 *
 * Order of calls: arena_init, any number of arena_alloc / arena_copy, arena_free. Everything handed
 * out belongs to the arena; no piece of it is freed by itself.
 */
#ifndef SIM_ARENA_H
#define SIM_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_chunk *chunks; /* newest first */
    size_t used_bytes;          /* of the newest chunk */
    size_t limit_bytes;         /* of all chunks; 0 for no limit */
    size_t total_bytes;         /* of all chunks */
};

void arena_init(struct arena *arena, size_t limit_bytes);

/* Zeroed, aligned to 16 bytes. NULL when memory or the limit is exhausted. */
void *arena_alloc(struct arena *arena, size_t size_bytes);

/* A zero-terminated copy of length bytes of text; NULL as arena_alloc. */
char *arena_copy(struct arena *arena, const char *text, size_t length);

/* Grow an array that lives in the arena, doubling: returns items, or a larger copy of it with
 * room for count + 1 items of item_bytes each, or NULL. capacity is kept by the caller. */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity,
                 size_t item_bytes);

void arena_free(struct arena *arena);

#endif
