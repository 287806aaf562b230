/* tell.h - for those who are watched: one function for each event of observer.h, which tells all
 * who listen. Where nobody does, it costs a load and a comparison. */
#ifndef SIM_TELL_H
#define SIM_TELL_H

#include "launch.h"

#define EVENT(name, parameters, arguments, launch)                                                 \
    static inline void observers_##name parameters                                                 \
    {                                                                                              \
        const struct listeners *listeners = &(launch)->listeners;                                  \
        for (uint32_t i = 0; i < listeners->name.count; i++)                                       \
            listeners->name.to[i] arguments;                                                       \
    }
OBSERVER_EVENTS(EVENT)
#undef EVENT

/* Before a launch begins: who watches it. And a block, which is made, then used for one after the
 * other. False when memory is exhausted. */
bool observers_launch_begin(struct launch *launch);
bool observers_block_make(struct block *block);
/* They add to the launch's result. */
bool observers_result(struct launch *launch);
/* The block is about to start, and has been begun: who follows its warps? */
void observers_follow(struct block *block);
/* Followers of the warp are told that it runs a basic block; that it waits there; of a step. */
void observers_entered(struct warp *warp, const struct basic_block *block);
void observers_left(struct warp *warp, const struct basic_block *block);
void observers_step(struct warp *warp, const struct step *step);
void observers_followed_access(const struct access *access, struct site *site);
/* Tell of an access those who look at that, a bit for each of enum looks_at; those who follow the
 * warp with those who look at the traffic. */
void observers_access_as(const struct access *access, struct site *site, unsigned looks);

static inline void observers_access(const struct access *access, struct site *site)
{
    const struct watchers *watchers = &access->warp->worker->watchers;
    for (uint32_t i = 0; i < watchers->count[access->space]; i++)
        watchers->by_space[access->space][i].access(access, site);
    if (access->warp->followed)
        observers_followed_access(access, site);
}

#endif
