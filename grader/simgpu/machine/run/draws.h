/* draws.h - what a warp that is gone through by its registers alone (walk.h) draws from the
 * counters of its launch (queue.h).
 *
 * Mostly one thread of a block draws, and the others read what it found from a word of shared
 * memory. Which word that is, is learned from the warp that draws: it stores there what it has
 * just found. Then each warp's n-th read of this word gives the block's n-th draw, if the warp
 * that draws reads it once for each draw.
 */
#ifndef SIM_DRAWS_H
#define SIM_DRAWS_H

#include "launch.h"

struct queue;

struct draws {
    struct queue *queue; /* NULL: there are none */
    bool learns;         /* which word it is */
    bool ends;           /* it is the last warp, and finds what the last draws of all do */
    bool is_odd;         /* it does not read the word once for each draw */
    uint64_t latest;     /* what it found last; draws and reads of the word so far: */
    uint32_t counter;
    uint64_t drawn, read;
};

/* A warp begins. */
void draws_begin(struct draws *draws, const struct launch *launch);
/* An atomic. False if it is not a draw from a counter that is known. */
bool draws_give(struct draws *draws, struct warp *warp, const struct op *op, lane_mask active);
/* A store to shared memory. */
void draws_pass(struct draws *draws, struct warp *warp, const struct op *op, lane_mask active);
/* A load from shared memory. False if it is not one of the word. */
bool draws_bring(struct draws *draws, struct warp *warp, const struct op *op, lane_mask active);
/* A store to global memory. */
void draws_note_store(struct draws *draws, struct warp *warp, const struct op *op,
                      lane_mask active);

#endif
