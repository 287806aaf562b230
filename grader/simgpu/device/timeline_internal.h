/* timeline_internal.h - the record itself, for timeline.c (calls) and timeline_items.c (work). */
#ifndef TIMELINE_INTERNAL_H
#define TIMELINE_INTERNAL_H

#include "timeline.h"

/* The record keeps no more calls, pieces of work or dependencies than this. */
enum { MOST_KEPT = 1 << 18, MOST_LISTED = 1 << 24 };
/* No call, or no item. */
#define TIMELINE_NONE UINT32_MAX

struct timeline {
    pthread_mutex_t lock;
    uint64_t generation; /* how often it was cleared, from 1 on */
    struct timeline_item *items;
    struct timeline_piece *pieces;
    uint32_t item_count, item_room;
    struct timeline_call *calls;
    struct timeline_act *acts;
    uint32_t call_count, call_room;
    uint32_t *lists;
    uint32_t list_count, list_room;
    uint32_t thread_count;
    bool is_cut;
};

/* The record, locked, if this client's work is recorded; otherwise NULL. */
struct timeline *timeline_enter(const struct client *client);
void timeline_leave(struct timeline *timeline);
/* Room for one more in two arrays that grow together. */
bool timeline_grow(void **one, size_t one_bytes, void **other, size_t other_bytes, uint32_t count,
                   uint32_t *room);
/* Append to a list. One that is no longer the last moves to the end. */
void timeline_append(struct timeline *timeline, struct timeline_list *list, uint32_t item);
/* The item of a piece of work; TIMELINE_NONE if it is not kept. */
uint32_t timeline_item_of(const struct timeline *timeline, const struct client *client,
                          uint64_t work);
double timeline_copied_bytes(const struct copy_request *copy);

#endif
