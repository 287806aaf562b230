/* sparse.c - see sparse.h. */
#include "sparse.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* What is smaller is cheaper to clear than to get from the system. */
enum { LEAST_MAPPED = 1 << 18 };
/* What the store keeps: so many maps, with so much that was touched, each and all. */
enum { MOST_KEPT = 64, MOST_RESIDENT = 4 << 20, MOST_RESIDENT_OF_ALL = 32 << 20 };

struct sparse_store {
    pthread_mutex_t lock;
    struct sparse_map maps[MOST_KEPT];
    size_t count, resident;
};

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *sparse_new(size_t bytes)
{
    return bytes < LEAST_MAPPED ? calloc(1, bytes) : map(bytes);
}

void *sparse_new_dense(size_t bytes)
{
    void *memory = sparse_new(bytes);
    if (memory && bytes >= LEAST_MAPPED)
        madvise(memory, bytes, MADV_HUGEPAGE); /* where it is refused, small pages do */
    return memory;
}

void sparse_free(void *memory, size_t bytes)
{
    if (memory && bytes >= LEAST_MAPPED)
        munmap(memory, bytes);
    else
        free(memory);
}

/* --- The store -------------------------------------------------------------------------------- */

struct sparse_store *sparse_store_new(void)
{
    struct sparse_store *store = calloc(1, sizeof *store);
    if (store)
        pthread_mutex_init(&store->lock, NULL);
    return store;
}

void sparse_store_free(struct sparse_store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->count; i++)
        sparse_free(store->maps[i].memory, store->maps[i].bytes);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

/* The smallest that is large enough; MOST_KEPT if there is none. */
static size_t find_map(const struct sparse_store *store, size_t bytes)
{
    size_t best = MOST_KEPT;
    for (size_t i = 0; i < store->count; i++)
        if (store->maps[i].bytes >= bytes &&
            (best == MOST_KEPT || store->maps[i].bytes < store->maps[best].bytes))
            best = i;
    return best;
}

struct sparse_map sparse_take(struct sparse_store *store, size_t bytes)
{
    struct sparse_map map = {NULL, bytes, 0};
    pthread_mutex_lock(&store->lock);
    size_t at = bytes < LEAST_MAPPED ? MOST_KEPT : find_map(store, bytes);
    if (at < MOST_KEPT) {
        map = store->maps[at];
        store->maps[at] = store->maps[--store->count];
        store->resident -= map.resident;
    }
    pthread_mutex_unlock(&store->lock);
    if (!map.memory)
        map.memory = sparse_new(bytes);
    return map;
}

bool sparse_wants(const struct sparse_map *map)
{
    return map->memory && map->bytes >= LEAST_MAPPED && map->resident <= MOST_RESIDENT;
}

void sparse_give(struct sparse_store *store, const struct sparse_map *map)
{
    pthread_mutex_lock(&store->lock);
    bool kept = store->count < MOST_KEPT && store->resident + map->resident <= MOST_RESIDENT_OF_ALL;
    if (kept) {
        store->maps[store->count++] = *map;
        store->resident += map->resident;
    }
    pthread_mutex_unlock(&store->lock);
    if (!kept)
        sparse_free(map->memory, map->bytes);
}
