/* split.h - what the files about a warp's splits share: split.c, warp.c, warp_call.c, warp_ahead.c,
 * warp_wait.c. Splits are named by their index, since they move when there are more of them.
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

/* --- split.c ---------------------------------------------------------------------------------- */

/* Room for a warp's first splits. */
bool split_init(struct warp *warp);
/* A free split, as a child of the current one; its index, or NO_SPLIT. Splits may move. */
uint32_t split_open_child(struct warp *warp, lane_mask lanes);
/* The current split has no lanes left to run, or has come to its join: give them back. */
void split_close(struct warp *warp);
/* The next split that can run, in turn; NO_SPLIT when all wait. */
uint32_t split_next(const struct warp *warp);

/* --- warp_call.c ------------------------------------------------------------------------------ */

/* Registers and local memory of the split's function, with its constants. False: no room. */
bool call_prepare_frame(struct warp *warp, const struct split *split);
/* The child, first split of a call, is done: its results go to the caller's variables. */
void call_fetch_results(struct warp *warp, const struct split *child, const struct split *parent);
/* Tell that the op's call, or its branch, nests too deep. */
void call_overflow(struct warp *warp, const struct op *op);

/* --- warp_ahead.c ----------------------------------------------------------------------------- */

/* Since Volta a device lets lanes go on that have arrived where others are still to come, and so
 * must we when nothing else moves: what they do next (give back a lock, exit) may be what the
 * others wait for. Returns the split they go on as, or NO_SPLIT. */
uint32_t warp_let_arrived_go(struct warp *warp);
/* Lanes wait for some of their warp, and nobody runs. Those that wait at a join may be about to
 * exit; if not, the mask was wrong. */
bool warp_go_on_to_exit(struct warp *warp);

#endif
