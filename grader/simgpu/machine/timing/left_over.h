/* left_over.h - lines of requests that are no longer made, kept for the next request of their op:
 * whole warps ask for as much as all the partial warps that they replace. */
#ifndef SIM_LEFT_OVER_H
#define SIM_LEFT_OVER_H

#include <stdbool.h>
#include <stdint.h>

enum { POOL_LINES = 128 }; /* a request has no more */

struct left_over {
    uint32_t lines[POOL_LINES];
    uint32_t count, passes;
};

/* Keep the lines of a request; those that have no room are lost. */
void left_over_put(struct left_over *pool, const uint32_t *lines, uint32_t count, uint32_t passes);
/* Add the pool's lines to a request of count lines; the array has room for POOL_LINES. The pool is
 * empty afterwards. Returns how many lines the request has. */
uint32_t left_over_take(struct left_over *pool, uint32_t *lines, uint32_t count, uint32_t *passes);

#endif
