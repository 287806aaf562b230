#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size_bytes;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

void arena_init(struct arena *arena, size_t limit_bytes)
{
    memset(arena, 0, sizeof *arena);
    arena->limit_bytes = limit_bytes;
}

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
    if (size_bytes > SIZE_MAX / 2)
        return NULL;
    size_t size = (size_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size_bytes - arena->used_bytes < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        if (arena->limit_bytes && arena->total_bytes + room > arena->limit_bytes)
            return NULL;
        chunk = calloc(1, sizeof *chunk + room);
        if (!chunk)
            return NULL;
        chunk->next = arena->chunks;
        chunk->size_bytes = room;
        arena->chunks = chunk;
        arena->used_bytes = 0;
        arena->total_bytes += room;
    }
    void *piece = chunk->bytes + arena->used_bytes;
    arena->used_bytes += size;
    return piece;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity,
                 size_t item_bytes)
{
    if (count < *capacity)
        return items;
    size_t larger = *capacity ? *capacity * 2 : 8;
    void *copy = arena_alloc(arena, larger * item_bytes);
    if (!copy)
        return NULL;
    if (count)
        memcpy(copy, items, count * item_bytes);
    *capacity = larger;
    return copy;
}

void arena_free(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    memset(arena, 0, sizeof *arena);
}
