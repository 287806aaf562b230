/* global_pool.c - pages of lines, which one launch hands on to the next.
 *
 * Fresh memory would cost a streaming kernel more than all that is written into it. A line says
 * which launch it is of, so that nothing need be cleared: what an older launch left counts as
 * nothing. The numbers of launches wrap around; then the pool is cleared, and so are pages that
 * launches from before that hand back later.
 *
 * Pages are small, since a kernel that goes down columns touches a line or two of each, and the
 * pool has to hold those of one launch: of a tile's rows, thousands of them.
 */
#include "global_races.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_POOLED = 32768, PAGE_BYTES = PAGE_LINES * sizeof(struct line) };

struct line_pool {
    pthread_mutex_t lock;
    struct line *pages[MOST_POOLED];
    uint32_t count;
    uint32_t launches;
};

struct line_pool *line_pool_new(void)
{
    struct line_pool *pool = calloc(1, sizeof *pool);
    if (pool)
        pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

void line_pool_free(struct line_pool *pool)
{
    if (!pool)
        return;
    for (uint32_t i = 0; i < pool->count; i++)
        free(pool->pages[i]);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

uint32_t line_pool_begin(struct line_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    uint32_t number = pool->launches++;
    for (uint32_t i = 0; number % UINT8_MAX == 0 && i < pool->count; i++)
        memset(pool->pages[i], 0, PAGE_BYTES);
    pthread_mutex_unlock(&pool->lock);
    return number;
}

struct line *line_pool_take(struct line_pool *pool)
{
    struct line *page = NULL;
    pthread_mutex_lock(&pool->lock);
    if (pool->count)
        page = pool->pages[--pool->count];
    pthread_mutex_unlock(&pool->lock);
    if (page || !(page = aligned_alloc(_Alignof(struct line), PAGE_BYTES)))
        return page;
    return memset(page, 0, PAGE_BYTES);
}

void line_pool_give(struct line_pool *pool, struct line *page, uint32_t launch)
{
    pthread_mutex_lock(&pool->lock);
    if (launch / UINT8_MAX != (pool->launches - 1) / UINT8_MAX)
        memset(page, 0, PAGE_BYTES);
    bool kept = pool->count < MOST_POOLED;
    if (kept)
        pool->pages[pool->count++] = page;
    pthread_mutex_unlock(&pool->lock);
    if (!kept)
        free(page);
}
