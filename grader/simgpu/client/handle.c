/* handle.c - the valid handles: streams, events, graphs and the like that this library gave to its
 * program, and that were not destroyed.
 *
 * A hash table with open addressing: a key's place is the first free one after its hash. A place
 * that was given up stays marked, so that entries after it are still found; growing the table drops
 * the marks.
 */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>

struct place {
    const void *handle; /* NULL: free; &given_up: was used */
    enum handle_kind kind;
};

static const char given_up;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place *places;
static size_t room, used; /* room is a power of two; used counts marks too */

static size_t hash_of(const void *handle)
{
    return (size_t)((uintptr_t)handle / 16 * UINT64_C(0x9E3779B97F4A7C15) >> 20);
}

/* The place of handle, or the free one where it would be put; the table has a free place. */
static struct place *find(const void *handle)
{
    size_t at = hash_of(handle) & (room - 1);
    while (places[at].handle && places[at].handle != handle)
        at = (at + 1) & (room - 1);
    return &places[at];
}

static bool grow(void)
{
    struct place *old = places;
    size_t old_room = room, kept = 0;
    for (size_t i = 0; i < old_room; i++)
        kept += old[i].handle && old[i].handle != &given_up;
    size_t fresh_room = 256;
    while (fresh_room < 4 * kept)
        fresh_room *= 2;
    struct place *fresh = calloc(fresh_room, sizeof *fresh);
    if (!fresh)
        return false;
    places = fresh;
    room = fresh_room;
    used = kept;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].handle && old[i].handle != &given_up)
            *find(old[i].handle) = old[i];
    free(old);
    return true;
}

bool handle_add(const void *handle, enum handle_kind kind)
{
    pthread_mutex_lock(&lock);
    bool fits = 2 * used < room || grow();
    if (fits) {
        struct place *place = find(handle);
        used += !place->handle;
        *place = (struct place){handle, kind};
    }
    pthread_mutex_unlock(&lock);
    return fits;
}

void handle_remove(const void *handle)
{
    pthread_mutex_lock(&lock);
    struct place *place = room && handle ? find(handle) : NULL;
    if (place && place->handle)
        place->handle = &given_up;
    pthread_mutex_unlock(&lock);
}

bool handle_is(const void *handle, enum handle_kind kind)
{
    pthread_mutex_lock(&lock);
    const struct place *place = room && handle ? find(handle) : NULL;
    bool known = place && place->handle && place->kind == kind;
    pthread_mutex_unlock(&lock);
    return known;
}

void *handle_any(enum handle_kind kind)
{
    const void *found = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < room && !found; i++)
        if (places[i].handle && places[i].handle != &given_up && places[i].kind == kind)
            found = places[i].handle;
    pthread_mutex_unlock(&lock);
    return (void *)found;
}
