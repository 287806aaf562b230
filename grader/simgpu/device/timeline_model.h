/* timeline_model.h - when each piece of work of several streams begins and ends.
 *
 * This is a discrete-event model. Its input is what programs requested, in the order of their
 * calls: the host's calls, each with its cost and what it waits for, and pieces of work, each with
 * its dependencies and the time that it would take alone. Its output is a start and an end for
 * each. There is no other input: the time that the simulation took does not matter, so the same
 * calls give the same times.
 *
 * The rules: a host thread makes one call after the other. A piece begins when it has reached the
 * device, all that it depends on has ended, and its engine has space. Copies between host and
 * device take turns, in each direction; pageable memory goes through the driver's buffers, and the
 * host waits (timeline_copies.h). Kernels, and copies and memsets on the device, share the device:
 * the blocks of the kernel that was ready first go first, and the next one's take the space that is
 * left. DRAM and issue slots are shared by kernels that together want more than there is
 * (timeline_share.h).
 *
 * Times in ns. Items and calls are numbered from 0. timeline.h fills this in for the device.
 */
#ifndef TIMELINE_MODEL_H
#define TIMELINE_MODEL_H

#include "timeline_share.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum timeline_kind {
    TIMELINE_KERNEL,
    TIMELINE_UP,       /* a copy from the host to the device */
    TIMELINE_DOWN,     /* and one to the host */
    TIMELINE_MOVE,     /* a copy on the device */
    TIMELINE_SET,      /* a memset */
    TIMELINE_RECORD,   /* of an event */
    TIMELINE_WAIT,     /* of a stream, for an event; or an empty node of a graph */
    TIMELINE_FUNCTION, /* of the host */
    TIMELINE_KINDS
};

/* A list of items: count of them from first on in timeline_input.lists. */
struct timeline_list {
    uint32_t first, count;
};

struct timeline_item {
    enum timeline_kind kind;
    bool is_paged; /* a copy of pageable memory that the host waits for */
    bool in_graph; /* a node of it */
    uint32_t call; /* that queued it */
    struct timeline_list after;
    double alone_ns; /* if nothing else ran */
    double tail_ns;  /* to the device, pageable: at least so long after that until it has ended; the
                      * call that queued it does not wait for this */
    double bus_ns;   /* the same copy: what its pieces take of the bus */
    struct timeline_share share;
    double ready_ns, start_ns, end_ns; /* filled in */
};

struct timeline_call {
    uint32_t thread; /* of the host, from 0 on */
    uint32_t
        follows;    /* the first call of a thread: 1 + another thread's call, with which its program
                       * had come so far; 0: none */
    double host_ns; /* until what it queues is on its way */
    struct timeline_list waits; /* what must have ended before it returns */
    bool does_wait;             /* after a wait it takes a while to return */
    double start_ns, end_ns;    /* filled in */
};

struct timeline_input {
    struct timeline_item *items;
    uint32_t item_count;
    struct timeline_call *calls;
    uint32_t call_count;
    const uint32_t *lists; /* of numbers of items */
    unsigned multiprocessors;
    unsigned scheduler_warps; /* that a scheduler can hold */
};

/* Does the piece run on what kernels share? */
static inline bool timeline_computes(const struct timeline_item *item)
{
    return item->kind == TIMELINE_KERNEL || item->kind == TIMELINE_MOVE ||
           item->kind == TIMELINE_SET;
}

/* Fill in all times. False if memory is exhausted. Work that waits for something that never ends
 * keeps a start and an end of 0. */
bool timeline_run(struct timeline_input *input);

#endif
