/* left_over.c - sets of lines, each with its sectors. */
#include "left_over.h"
#include "timing.h"

static uint32_t add(uint32_t *lines, uint32_t count, uint32_t line)
{
    for (uint32_t i = 0; i < count; i++)
        if (lines[i] >> LINE_SECTORS == line >> LINE_SECTORS) {
            lines[i] |= line;
            return count;
        }
    if (count == POOL_LINES)
        return count;
    lines[count] = line;
    return count + 1;
}

void left_over_put(struct left_over *pool, const uint32_t *lines, uint32_t count, uint32_t passes)
{
    for (uint32_t i = 0; i < count; i++)
        pool->count = add(pool->lines, pool->count, lines[i]);
    pool->passes += passes;
}

uint32_t left_over_take(struct left_over *pool, uint32_t *lines, uint32_t count, uint32_t *passes)
{
    for (uint32_t i = 0; i < pool->count; i++)
        count = add(lines, count, pool->lines[i]);
    *passes += pool->passes;
    *pool = (struct left_over){.count = 0};
    return count;
}
