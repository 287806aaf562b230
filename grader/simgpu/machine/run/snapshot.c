/* snapshot.c - a warp's state put aside, to see whether a loop comes back to it and to go back. */
#include "spin.h"
#include "split.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(unsigned char **memory, size_t *room, size_t bytes)
{
    if (*room >= bytes)
        return true;
    free(*memory);
    *memory = malloc(bytes);
    *room = *memory ? bytes : 0;
    return *memory != NULL;
}

bool snapshot_take(struct snapshot *snapshot, const struct warp *warp)
{
    snapshot->register_bytes = call_frame_top(warp);
    snapshot->local_bytes = (size_t)warp->local_bytes * WARP_LANES;
    if (!make_room(&snapshot->registers, &snapshot->register_room, snapshot->register_bytes) ||
        !make_room(&snapshot->local, &snapshot->local_room, snapshot->local_bytes))
        return false;
    if (snapshot->split_room < warp->split_room) {
        free(snapshot->splits);
        snapshot->splits = malloc(warp->split_room * sizeof *snapshot->splits);
        snapshot->split_room = snapshot->splits ? warp->split_room : 0;
        if (!snapshot->splits)
            return false;
    }
    snapshot->warp = *warp;
    memcpy(snapshot->registers, warp->register_stack, snapshot->register_bytes);
    memcpy(snapshot->splits, warp->splits, warp->split_count * sizeof *warp->splits);
    if (snapshot->local_bytes)
        memcpy(snapshot->local, warp->local, snapshot->local_bytes);
    return true;
}

void snapshot_restore(const struct snapshot *snapshot, struct warp *warp)
{
    struct warp grown = *warp;
    *warp = snapshot->warp;
    warp->splits = grown.splits;
    warp->split_room = grown.split_room;
    warp->register_stack = grown.register_stack;
    warp->register_stack_bytes = grown.register_stack_bytes;
    warp->local = grown.local;
    warp->local_bytes = grown.local_bytes;
    warp->kept = grown.kept;
    warp->kept_room = grown.kept_room;
    warp->spins = grown.spins;
    warp->spin_room = grown.spin_room;
    memcpy(warp->register_stack, snapshot->registers, snapshot->register_bytes);
    memcpy(warp->splits, snapshot->splits, warp->split_count * sizeof *warp->splits);
    if (snapshot->local_bytes)
        memcpy(warp->local, snapshot->local, snapshot->local_bytes);
    split_enter(warp, warp->current);
}

static bool same_split(const struct split *a, const struct split *b)
{
    if (a->state != b->state)
        return false;
    return a->state == SPLIT_FREE ||
           (a->mask == b->mask && a->returned == b->returned && a->at == b->at &&
            a->join == b->join && a->parent == b->parent && a->children == b->children &&
            a->function == b->function && a->register_base == b->register_base &&
            a->local_base == b->local_base && a->call == b->call);
}

bool snapshot_is_of(const struct snapshot *snapshot, const struct warp *warp)
{
    if (warp->split_count != snapshot->warp.split_count || warp->carry != snapshot->warp.carry ||
        warp->idle != snapshot->warp.idle || warp->current != snapshot->warp.current)
        return false;
    for (uint32_t i = 0; i < warp->split_count; i++)
        if (!same_split(&warp->splits[i], &snapshot->splits[i]))
            return false;
    return memcmp(warp->register_stack, snapshot->registers, snapshot->register_bytes) == 0 &&
           (!snapshot->local_bytes ||
            memcmp(warp->local, snapshot->local, snapshot->local_bytes) == 0);
}

void snapshot_free(struct snapshot *snapshot)
{
    free(snapshot->registers);
    free(snapshot->local);
    free(snapshot->splits);
}
