/* split.h - what the files about a warp's splits share: split.c, warp.c, warp_call.c, warp_ahead.c,
 * warp_wait.c, warp_absent.c, warp_skip.c. Splits are named by their index, since they move when
 * there are more of them.
 */
#ifndef SIM_SPLIT_H
#define SIM_SPLIT_H

#include "machine_internal.h"

/* Make it the current one. */
static inline void split_enter(struct warp *warp, uint32_t index)
{
    if (warp->current != index)
        warp->changed_at = warp->steps;
    warp->current = index;
    warp->split = &warp->splits[index];
    warp->registers = warp->register_stack + warp->split->register_base;
}

/* Is split i a descendant of other? */
static inline bool split_is_below(const struct warp *warp, uint32_t i, const struct split *other)
{
    while (i != NO_SPLIT && &warp->splits[i] != other)
        i = warp->splits[i].parent;
    return i != NO_SPLIT;
}

/* --- split.c ---------------------------------------------------------------------------------- */

/* Room for a warp's first splits. */
bool split_init(struct warp *warp);
/* A free split, as a child of the current one; its index, or NO_SPLIT. Splits may move. */
uint32_t split_open_child(struct warp *warp, lane_mask lanes);
/* The current split has no lanes left to run, or has come to its join: give them back. */
void split_close(struct warp *warp);
/* The basic block of the split's function that op is in. */
uint32_t split_block_of(const struct split *split, const struct op *op);
/* The next split that can run, in turn; NO_SPLIT when all wait. */
uint32_t split_next(const struct warp *warp);

/* --- warp_call.c ------------------------------------------------------------------------------ */

/* How many paths wait for the current one. */
uint32_t split_depth(const struct warp *warp);
/* Registers and local memory of the split's function, with its constants. False: no room. */
bool call_prepare_frame(struct warp *warp, const struct split *split);
/* Bytes of the register stack that the warp's splits use. */
size_t call_frame_top(const struct warp *warp);
/* Lanes of the child, first split of a call, are done: their results go to the caller's. */
void call_fetch_results(struct warp *warp, const struct split *child, const struct split *parent,
                        lane_mask lanes);
/* Tell that the op's call, or its branch, nests too deep. */
void call_overflow(struct warp *warp, const struct op *op);

/* --- warp_absent.c --------------------------------------------------------------------------- */

/* The op that a waiting split stands at. */
static inline const struct op *split_waiting_op(const struct split *split)
{
    return &split->function->ops[split->function->blocks[split->at].first];
}
/* Does split wait at a barrier that is for whole warps, and is that checked? */
bool warp_checks_barrier(const struct warp *warp, const struct split *split);
/* Lanes leave the kernel: raise a fault if they had gone ahead because a mask names them, and never
 * came. */
void warp_raise_owed(struct warp *warp, lane_mask lanes);
/* Are the ops (ids) at the same place of the source, inlined by the same calls, as copies in a loop
 * that was unrolled are? */
bool place_is_same(const struct module *module, uint32_t op, uint32_t other);

/* --- warp_skip.c ------------------------------------------------------------------------------ */

/* Does split wait at the barrier that the current split has come to at op: the same one in the
 * source, reached by the same calls? */
bool split_waits_alike(const struct warp *warp, const struct split *split, const struct op *op);
/* The current split, which went ahead, has come to a basic block. If that block decides once more
 * about a barrier that others of its warp wait at, those others are reported. False when the launch
 * stops. */
bool warp_check_skip(struct warp *warp);

/* --- warp_ahead.c ----------------------------------------------------------------------------- */

/* Since Volta a device lets lanes that have arrived at a convergence point go on before the others
 * arrive, and so must we when nothing else moves: what they do next (give back a lock, exit) may be
 * what the others wait for. Of several such points, one with wanted lanes is chosen. Returns the
 * split they go on as, or NO_SPLIT. */
uint32_t warp_let_arrived_go(struct warp *warp, lane_mask wanted);
/* No split can run. If some wait for lanes that stand at a convergence point, let these go on; true
 * if so. They may be about to leave the kernel: then no lane waits for them any more. If they come
 * to another barrier instead, or decide once more about the one that the others wait at
 * (warp_check_skip), that is reported; so it is if they end although a mask names them
 * (warp_raise_owed). */
bool warp_go_on_to_exit(struct warp *warp);

#endif
