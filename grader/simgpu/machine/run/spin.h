/* spin.h - warps that spin: they read the same memory, or the clock, again and again until it says
 * something else. spin.c finds out that they do, and parks them; grid_idle.c wakes them.
 */
#ifndef SIM_SPIN_H
#define SIM_SPIN_H

#include "machine_internal.h"

enum { SPIN_CELL_BYTES = 16 };
#define SPIN_NEVER UINT64_MAX

/* What a parked split waits for: that one of the cells changes, or the time comes. */
struct spin {
    const struct op *op; /* the first that reads a cell, or the clock */
    struct spin_cell {
        const unsigned char *at;
        uint32_t bytes;
        unsigned char value[SPIN_CELL_BYTES];
    } * cells;
    uint32_t count, room;
    bool by_host;        /* a cell is in memory that the host may write meanwhile */
    uint64_t wake_ticks; /* of clock_now(), or SPIN_NEVER */
};

/* A saved state of a warp, to go back to. The warp may have grown since, so its own memory
 * stays. */
struct snapshot {
    struct warp warp;
    unsigned char *registers, *local;
    size_t register_bytes, register_room, local_bytes, local_room;
    struct split *splits;
    uint32_t split_room;
};

struct spin_scratch { /* of a worker */
    struct snapshot first, second;
};

/* snapshot.c. False when memory is exhausted. */
bool snapshot_take(struct snapshot *snapshot, const struct warp *warp);
void snapshot_restore(const struct snapshot *snapshot, struct warp *warp);
/* Is the warp where it was, with the same values in all registers and in local memory? */
bool snapshot_is_of(const struct snapshot *snapshot, const struct warp *warp);
void snapshot_free(struct snapshot *snapshot);

/* trial.c */
/* Run split index once round its loop, without counting it and without a trace of it outside the
 * warp's registers and local memory; spin gets what it reads. False when it does anything else, or
 * does not come back to where it is; the warp is then anywhere. */
bool trial_goes_round(struct warp *warp, uint32_t index, struct spin *spin, bool *reads_clock);

enum { TICKS_PER_NS = 2 };
/* special.c: what the clock of a worker shows, apart from a warp's own steps. */
uint64_t clock_now(const struct worker *worker);

/* The warp's turn is over because it polls what others may change: if its current split does
 * nothing but wait, park it. */
void spin_try(struct warp *warp);
/* Wake the parked splits for which the change they wait for has come. */
void spin_recheck(struct warp *warp);
/* The spin of split i, which is parked. */
const struct spin *spin_of(const struct warp *warp, uint32_t i);
void spin_free(struct warp *warp);
void spin_scratch_free(struct worker *worker);

#endif
