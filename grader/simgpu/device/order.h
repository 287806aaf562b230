/* order.h - what comes before what, of the work that a program queues.
 *
 * work.c tells of each piece of work and of what it waits for, done or not; the requests by which a
 * program waits tell what its host knows to be done, since what it queues afterwards comes later.
 * Work that is not told of, since races are not checked or there is too much of it, precedes all
 * that comes: a race may then be missed, and none is reported wrongly. Next: conflicts.h.
 *
 * The client's lock is held for all of them.
 */
#ifndef DEVICE_ORDER_H
#define DEVICE_ORDER_H

#include "conflicts.h"

/* Where a piece of work is: chains are pieces of which each precedes the next. */
struct order_place {
    uint32_t chain, position; /* position 0: in none */
};

/* A new piece of work is made; it comes after another one, whose id is before. */
void order_begin(struct client *client, const struct work *work);
void order_after(struct client *client, uint64_t work, uint64_t before);
/* The same for the timeline as well: work.c. */
void work_comes_after(struct client *client, uint64_t work, uint64_t before);
/* It is a node of a body of the conditional node whose id is that, and counts as a part of it. */
void order_within(struct client *client, uint64_t work, uint64_t conditional);
/* The stream is destroyed, and can no longer be waited for. */
void order_stream_leaves(struct client *client, const struct stream *stream);
/* The host has waited for event; if that is NULL, for stream; if that is 0, for all. */
void order_host(struct client *client, uint64_t stream, const struct event *event);
/* The work is done, and from when it began the host may have learnt so in some other way: what was
 * queued since comes after it. */
void order_host_sees(struct client *client, const struct work *work);

/* The place of a piece of work; false if it is not known. */
bool order_place_of(struct client *client, uint64_t work, struct order_place *place);
/* Does what is at place precede that piece of work, whose place is known? */
bool order_precedes(const struct client *client, struct order_place place, uint64_t work);
/* Is there work that nothing orders with other work, or may there be? */
bool order_may_lack(const struct client *client);
/* What conflicts.c keeps of work that was done; freed when all places are forgotten. NULL when
 * nothing is known. */
struct operations *order_operations(struct client *client);
void order_free(struct client *client);

#endif
