/* observers.c - which observers watch a launch, and which follow its warps. */
#include "tell.h"

#include <assert.h>

static const struct observer *const ALL[] = {
#define OBSERVER(name) &observer_##name,
#include "observers.def"
#undef OBSERVER
};

const struct watchers NO_WATCHERS;

/* --- Listeners -------------------------------------------------------------------------------- */

static unsigned spaces_of(const struct observer *observer, int sort)
{
    return observer->spaces | (sort & ACCESS_IS_ATOMIC ? observer->spaces_of_atomics : 0) |
           (sort & ACCESS_ORDERS ? observer->spaces_of_orders : 0);
}

static void watch_accesses(struct watchers *watchers, const struct observer *observer)
{
    for (int space = 0; space < SPACES; space++)
        for (int sort = 0; sort < ACCESS_SORTS; sort++)
            if (spaces_of(observer, sort) >> space & 1)
                watchers->list[space][sort][watchers->count[space][sort]++] =
                    (struct access_listener){observer->access, observer->looks_at};
}

static void listen(struct listeners *listeners, enum observer_number number)
{
    const struct observer *observer = ALL[number];
    listeners->all[listeners->count++] = observer;
    listeners->followers |= (uint32_t)(observer->follows != NULL) << number;
    listeners->steppers |= (uint32_t)(observer->step != NULL) << number;
#define EVENT(name, parameters, arguments, launch) \
    if (observer->name)                            \
        listeners->name.to[listeners->name.count++] = observer->name;
    OBSERVER_EVENTS(EVENT)
#undef EVENT
}

bool observers_launch_begin(struct launch *launch)
{
    for (enum observer_number number = 0; number < OBSERVERS; number++) {
        const struct observer *observer = ALL[number];
        if (observer->wants && !observer->wants(launch))
            continue;
        listen(&launch->listeners, number);
        if (observer->access && !observer->follows)
            watch_accesses(&launch->watchers, observer);
        if (observer->launch_begin && !observer->launch_begin(launch))
            return false;
    }
    return true;
}

bool observers_block_make(struct block *block)
{
    const struct listeners *listeners = &block->launch->listeners;
    for (uint32_t i = 0; i < listeners->count; i++)
        if (listeners->all[i]->block_make && !listeners->all[i]->block_make(block))
            return false;
    return true;
}

bool observers_result(struct launch *launch)
{
    const struct listeners *listeners = &launch->listeners;
    for (uint32_t i = 0; i < listeners->count; i++)
        if (listeners->all[i]->result && !listeners->all[i]->result(launch))
            return false;
    return true;
}

/* --- Accesses --------------------------------------------------------------------------------- */

void observers_access_as(const struct access *access, struct site *site, unsigned looks)
{
    for (const struct access_listener *listener = access_listeners(access); listener->access;
         listener++)
        if (looks >> listener->looks_at & 1)
            listener->access(access, site);
    if (looks >> LOOKS_AT_TRAFFIC & 1)
        observers_followed_access(access, site);
}

/* --- Followed warps --------------------------------------------------------------------------- */

static void set_followed(struct warp *warp, uint32_t followed)
{
    warp->followed = followed;
    warp->watched = followed & block_launch(warp)->listeners.steppers;
}

/* None is followed yet: warp_start sees to that. */
void observers_follow(struct block *block)
{
    uint32_t all = UINT32_MAX >> (MOST_WARPS - block->warp_count);
    for (uint32_t left = block->launch->listeners.followers; left; left &= left - 1) {
        int number = __builtin_ctz(left);
        for (uint32_t warps = ALL[number]->follows(block) & all; warps; warps &= warps - 1) {
            struct warp *warp = &block->warps[__builtin_ctz(warps)];
            set_followed(warp, warp->followed | UINT32_C(1) << number);
        }
    }
}

void observer_leaves(struct warp *warp, enum observer_number number)
{
    set_followed(warp, warp->followed & ~(UINT32_C(1) << number));
}

/* Call a function of each observer that follows the warp, of those that have it. */
#define TELL_FOLLOWERS(warp, function, ...)                            \
    for (uint32_t left_ = (warp)->followed; left_; left_ &= left_ - 1) \
        if (ALL[__builtin_ctz(left_)]->function)                       \
    ALL[__builtin_ctz(left_)]->function(__VA_ARGS__)

void observers_entered(struct warp *warp, const struct basic_block *block)
{
    TELL_FOLLOWERS(warp, entered, warp, block);
}

void observers_left(struct warp *warp, const struct basic_block *block)
{
    TELL_FOLLOWERS(warp, left, warp, block);
}

void observers_passed(struct warp *warp, uint32_t id)
{
    TELL_FOLLOWERS(warp, passed, warp, id);
}

void observers_step(struct warp *warp, const struct step *step)
{
    TELL_FOLLOWERS(warp, step, warp, step);
}

void observers_followed_access(const struct access *access, struct site *site)
{
    TELL_FOLLOWERS(access->warp, access, access, site);
}
