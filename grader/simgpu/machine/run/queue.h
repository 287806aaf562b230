/* queue.h - the counters from which the blocks of a sampled launch draw their work.
 *
 * A block may ask for its next tile by adding to a counter: what it finds there says how many tiles
 * are taken. Of a sampled launch (sample.h) most blocks do not run, and would be missed. So a block
 * finds what it would find if all others had kept pace: the n-th draws of all blocks come after the
 * draws before, in the order of the blocks' turns. A device may run them so; and then tiles fall to
 * blocks as with a stride. The first block that runs has the last turn, since many kernels let the
 * block that comes last set the counters back.
 *
 * Doubtful is a launch whose blocks use atomics in another way: several lanes at once, by different
 * amounts, by some of the blocks only, or not equally often, give or take one round; and one that
 * reads or writes a counter otherwise, but for the block that comes last. What a counter is left
 * with is known if that block has set it, or if it wraps at the last draw of all.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include "launch.h"

struct queue;

/* NULL without memory. */
struct queue *queue_new(void);
void queue_free(struct queue *queue);

/* To be called before an atomic of a sampled launch that gives what it finds: writes to memory what
 * the block has to find, or notes the launch as doubtful. */
void queue_draw(const struct access *access);
/* Is one of the counters in that memory? */
bool queue_holds(const struct queue *queue, const struct allocation *allocation);
/* To be called for the launch's other accesses to global memory. */
void queue_touch(struct queue *queue, const struct access *access);
/* --- For those who go through warps by their registers alone (walk.h) ------------------------- */

/* How a block's warps learn what one of them has drawn: from a word of shared memory. */
struct queue_slot {
    bool is_known;
    uint64_t address;
    uint32_t bytes, counter; /* its index */
};

/* Are there counters, and no doubt? */
bool queue_is_used(const struct queue *queue);
/* The warp of each block that draws; false if several do, or if it is not known. */
bool queue_drawer(const struct queue *queue, uint32_t *warp);
/* The block that comes last. */
uint64_t queue_last(const struct queue *queue);
/* The index of the counter that the op draws from, which may be the first to do so; or -1. */
int queue_foresee(struct queue *queue, struct warp *warp, const struct op *op, lane_mask active,
                  uint64_t address);
/* The index of a counter, or -1; and what the block finds there, which has drawn so many times. */
int queue_counter(const struct queue *queue, uint64_t address, uint32_t bytes);
uint64_t queue_value(const struct queue *queue, const struct launch *launch, uint32_t counter,
                     uint64_t block, uint64_t draws);
struct queue_slot *queue_slot(struct queue *queue);
/* All blocks together draw so many times from it, */
void queue_note_total(struct queue *queue, uint32_t counter, uint64_t draws);
/* and the one that comes last sets it to that. */
void queue_note_set(struct queue *queue, uint32_t counter, uint64_t value);
/* Of the last draw of all; where their number is not known, of the last in the first round. */
uint64_t queue_last_value(const struct queue *queue, const struct launch *launch, uint32_t counter);

/* --- Ends ------------------------------------------------------------------------------------- */

/* All threads of the block have ended. */
void queue_block_end(struct queue *queue, const struct block *block);
/* Is it known of each counter how it is left? */
bool queue_is_settled(const struct queue *queue, const struct launch *launch);
/* The last block has. */
void queue_launch_end(struct queue *queue, struct launch *launch);

#endif
