/* observer.h - the one way to watch a launch.
 *
 * An observer is a table of functions, each of which is told of one kind of event; those it leaves
 * out cost nothing. It is one file, which defines `const struct observer observer_NAME`, and one
 * line in observers.def. It changes nothing that a kernel computes; one that checks may raise a
 * fault.
 *
 * There are two kinds. One watches a launch as a whole: it is told of every access to the spaces it
 * names, and of every barrier, fence and so on. The other kind follows some warps (its follows is
 * not NULL): it is told of each basic block that they run, of each of their accesses and, if it
 * asks for that, of each step. A warp that no observer follows pays one comparison a basic block.
 *
 * Where an observer keeps data: launch->own[OBSERVER_NAME] and block->own[OBSERVER_NAME] belong to
 * it, are NULL at first, and are freed by it. Several workers call its functions at once, but calls
 * for one block and its warps come only from the worker that runs the block. Next: observers.def;
 * early.c, a short example; tell.h, by which the machine tells of events.
 */
#ifndef SIM_OBSERVER_H
#define SIM_OBSERVER_H

#include "site.h"

struct block;
struct bulk_copy;
struct copy;

/* What an observer looks at. Where ptxas narrows a vector load or widens a store, and where a bulk
 * copy moves whole lines, observers of traffic are told what the device moves; those of order and
 * values, what the program asks for. */
enum looks_at {
    LOOKS_AT_TRAFFIC, /* what the device does, which is counted and modelled */
    LOOKS_AT_ORDER,   /* that threads come in order */
    LOOKS_AT_VALUES,  /* that values are defined */
    LOOKS_AT_PLACES   /* which places a sampled launch touches */
};

enum { ALL_SPACES = (1 << SPACES) - 1 };

/* An op that a followed warp has carried out. */
struct step {
    const struct op *op;
    lane_mask live, mask, active; /* lanes that have not exited, of the split, and switched on */
    uint32_t depth;               /* how many paths wait for this one */
};

/* clang-format off */
/* EVENT(name, parameters, arguments, the launch it is of) */
#define OBSERVER_EVENTS(EVENT)                                                                     \
    /* All workers have ended; free what was kept for the launch (it may be incomplete). */       \
    EVENT(launch_end, (struct launch *launch), (launch), launch)                                   \
    EVENT(launch_free, (struct launch *launch), (launch), launch)                                  \
    /* A block begins; all its threads have ended; what block_make has made is to be freed. */     \
    EVENT(block_begin, (struct block *block), (block), block->launch)                              \
    EVENT(block_end, (struct block *block), (block), block->launch)                                \
    EVENT(block_free, (struct block *block), (block), block->launch)                               \
    /* Lanes arrived[w] of each warp w have met at barrier id, which is one of_all threads or of   \
     * a named number; a warp comes to it without waiting. */                                      \
    EVENT(barrier,                                                                                 \
          (struct block *block, uint32_t id, const lane_mask *arrived, bool of_all),               \
          (block, id, arrived, of_all), block->launch)                                             \
    EVENT(arrive, (struct warp *warp, uint32_t id), (warp, id), block_launch(warp))                \
    /* Lanes have met in a warp sync. */                                                           \
    EVENT(warp_sync, (struct warp *warp, lane_mask lanes), (warp, lanes), block_launch(warp))      \
    /* Lanes get what they shuffle from others, which take no part. */                             \
    EVENT(shuffled_absent, (struct warp *warp, lane_mask lanes, const int *from),                  \
          (warp, lanes, from), block_launch(warp))                                                 \
    EVENT(fence, (struct warp *warp, const struct op *op, lane_mask lanes), (warp, op, lanes),     \
          block_launch(warp))                                                                      \
    /* Lanes say that bulk copies shall see what they have done. */                                \
    EVENT(proxy_fence, (struct warp *warp, lane_mask lanes), (warp, lanes), block_launch(warp))    \
    /* Its halves: what lanes have done is handed on; what others handed on is taken. */           \
    EVENT(release, (struct warp *warp, lane_mask lanes), (warp, lanes), block_launch(warp))        \
    EVENT(acquire, (struct warp *warp, lane_mask lanes), (warp, lanes), block_launch(warp))        \
    /* An arrival of copies is issued; then it is due, and hands on what lanes had done at its     \
     * issue. */                                                                                   \
    EVENT(issued, (struct warp *warp, struct copy *arrival), (warp, arrival),                      \
          block_launch(warp))                                                                      \
    EVENT(arrived, (struct warp *warp, const struct copy *arrival), (warp, arrival),               \
          block_launch(warp))                                                                      \
    /* A copy is done: since it was waited for (arrival is NULL), or before that arrival. */       \
    EVENT(copied, (struct warp *warp, const struct copy *copy, const struct copy *arrival),        \
          (warp, copy, arrival), block_launch(warp))                                               \
    /* A lane asks for a copy in bulk from one place to the other; it is done; it was not waited   \
     * for until the block's end. */                                                               \
    EVENT(bulk_asked, (const struct access *read, const struct access *write), (read, write),      \
          block_launch(read->warp))                                                                \
    EVENT(bulk_done, (const struct bulk_copy *copy), (copy), block_launch(copy->warp))             \
    EVENT(bulk_left, (const struct bulk_copy *copy), (copy), block_launch(copy->warp))             \
    /* Lanes arrive at the cluster's barrier, with or without what they have done until then       \
     * being handed on (op says); all of block's cluster have arrived; lanes go on. */             \
    EVENT(cluster_arrive, (struct warp *warp, const struct op *op, lane_mask lanes),               \
          (warp, op, lanes), block_launch(warp))                                                   \
    EVENT(cluster_met, (struct block *block), (block), block->launch)                              \
    EVENT(cluster_wait, (struct warp *warp, lane_mask lanes), (warp, lanes), block_launch(warp))   \
    /* At the mbarrier at that offset: a warp has arrived, or its copies will; a phase is over; a  \
     * wait has seen that. */                                                                      \
    EVENT(phase_arrival, (struct warp *warp, const struct op *op, uint64_t offset),                \
          (warp, op, offset), block_launch(warp))                                                  \
    EVENT(phase_over, (struct block *block, uint64_t offset), (block, offset), block->launch)      \
    EVENT(phase_passed, (struct warp *warp, const struct op *op, uint64_t offset),                 \
          (warp, op, offset), block_launch(warp))                                                  \
    EVENT(slept, (struct warp *warp, const struct op *op, uint32_t ns), (warp, op, ns),            \
          block_launch(warp))
/* clang-format on */

struct observer {
    const char *name;
    unsigned spaces;            /* of the accesses it is told of, 1 << SPACE_GLOBAL and so on; */
    unsigned spaces_of_atomics; /* the same of atomics only, */
    unsigned spaces_of_orders;  /* and of those that acquire or release (op->orders) only; */
    enum looks_at looks_at;
    void (*access)(const struct access *access, struct site *site); /* before the data moves */
    /* Does it watch that launch at all? NULL: every one. */
    bool (*wants)(const struct launch *launch);
    /* Make what it keeps for a launch, once before it begins, and for a block, which is used for
     * one after the other. False when memory is exhausted. */
    bool (*launch_begin)(struct launch *launch);
    bool (*block_make)(struct block *block);
    /* Add to the launch's result, when all else of it is known. False when memory is exhausted. */
    bool (*result)(struct launch *launch);
    /* Which warps of a block that is about to start does it follow? A bit each, by index. Of
     * accesses it is told those of the warps it follows, as the device makes them. */
    uint32_t (*follows)(const struct block *block);
    /* A followed warp runs a basic block; it waits there, and will run it again: it never did. */
    void (*entered)(struct warp *warp, const struct basic_block *block);
    void (*left)(struct warp *warp, const struct basic_block *block);
    /* It goes on from a barrier. */
    void (*passed)(struct warp *warp, uint32_t id);
    void (*step)(struct warp *warp, const struct step *step);
#define EVENT(name, parameters, arguments, launch) void(*name) parameters;
    OBSERVER_EVENTS(EVENT)
#undef EVENT
};

/* Every observer by its number: its bit in warp->followed, its place in own. */
enum observer_number {
#define OBSERVER(name) OBSERVER_##name,
#include "observers.def"
#undef OBSERVER
    OBSERVERS
};

#define OBSERVER(name) extern const struct observer observer_##name;
#include "observers.def"
#undef OBSERVER

enum { MOST_OBSERVERS = 24 };
_Static_assert((int)OBSERVERS <= MOST_OBSERVERS, "warp->followed and own have room for no more");

/* The observers of one launch: for each event, those that want to be told of it. */
struct listeners {
    uint32_t count;
    const struct observer *all[MOST_OBSERVERS];
    uint32_t followers, steppers; /* bits: observers that follow warps; step by step */
#define EVENT(name, parameters, arguments, launch) \
    struct {                                       \
        uint32_t count;                            \
        void(*to[MOST_OBSERVERS]) parameters;      \
    } name;
    OBSERVER_EVENTS(EVENT)
#undef EVENT
};

/* Bits that tell apart accesses of which some observers are not told. */
enum { ACCESS_IS_ATOMIC = 1, ACCESS_ORDERS = 2, ACCESS_SORTS = 4 };

/* The same for accesses, by space and sort; after the last one comes one without a function. */
struct watchers {
    uint32_t count[SPACES][ACCESS_SORTS];
    struct access_listener {
        void (*access)(const struct access *access, struct site *site);
        enum looks_at looks_at;
    } list[SPACES][ACCESS_SORTS][MOST_OBSERVERS + 1];
};

extern const struct watchers NO_WATCHERS;

/* The observer follows the warp no longer. */
void observer_leaves(struct warp *warp, enum observer_number number);

#endif
