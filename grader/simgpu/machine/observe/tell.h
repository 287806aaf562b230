/* tell.h - how the machine tells of events: one function for each event of observer.h, which calls
 * all observers that listen. Where none does, it costs a load and a comparison. */
#ifndef SIM_TELL_H
#define SIM_TELL_H

#include "launch.h"

#define EVENT(name, parameters, arguments, launch)                \
    static inline void observers_##name parameters                \
    {                                                             \
        const struct listeners *listeners = &(launch)->listeners; \
        for (uint32_t i = 0; i < listeners->name.count; i++)      \
            listeners->name.to[i] arguments;                      \
    }
OBSERVER_EVENTS(EVENT)
#undef EVENT

/* Before a launch begins: find its observers. When a block is made, which is then used for one
 * block of the grid after the other. False when memory is exhausted. */
bool observers_launch_begin(struct launch *launch);
bool observers_block_make(struct block *block);
/* Observers add to the launch's result. False when memory is exhausted. */
bool observers_result(struct launch *launch);
/* After observers_block_begin: find the observers that follow the block's warps. */
void observers_follow(struct block *block);
/* Tell those that follow the warp: it runs a basic block; it waits there; it goes on from a
 * barrier; a step; an access. */
void observers_entered(struct warp *warp, const struct basic_block *block);
void observers_left(struct warp *warp, const struct basic_block *block);
void observers_passed(struct warp *warp, uint32_t id);
void observers_step(struct warp *warp, const struct step *step);
void observers_followed_access(const struct access *access, struct site *site);
/* Tell of an access the observers whose looks_at is among the bits of looks. Those that follow the
 * warp are told of the traffic. */
void observers_access_as(const struct access *access, struct site *site, unsigned looks);

/* The first of the observers that watch such accesses. */
static inline const struct access_listener *access_listeners(const struct access *access)
{
    bool is_atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    int sort = (is_atomic ? ACCESS_IS_ATOMIC : 0) | (access->op->orders ? ACCESS_ORDERS : 0);
    return access->warp->worker->watchers->list[access->space][sort];
}

static inline void observers_access(const struct access *access, struct site *site)
{
    for (const struct access_listener *listener = access_listeners(access); listener->access;
         listener++)
        listener->access(access, site);
    if (access->warp->followed)
        observers_followed_access(access, site);
}

#endif
