/* order.c - see order.h: vector clocks over chains of work.
 *
 * A piece of work joins a chain whose last piece precedes it, or begins one. So there are about as
 * many chains as pieces that may run at the same time, however many streams and nodes of graphs
 * come and go. A piece knows how many of each chain precede it, and itself: so place (chain 2,
 * position 5) precedes all whose seen[2] is 5 or more.
 *
 * All is forgotten when the window opens: what was done before is over (window.c).
 */
#include "order.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHAINS = 64, FIRST_ROOM = 64, MOST_PIECES = 1 << 15 };

struct clock_of_chains {
    uint32_t seen[MOST_CHAINS];
};

struct piece {
    struct order_place place; /* known when all that it comes after is */
    struct clock_of_chains clock;
};

struct order {
    uint64_t opening;     /* of the window, to which all of this belongs */
    uint64_t first;       /* id of the first piece; those before precede all */
    struct piece *pieces; /* ids follow each other */
    size_t count, room;
    uint32_t chain_count, tails[MOST_CHAINS];
    struct clock_of_chains host, left; /* what it knows; what blocking streams held that are gone */
    struct operations operations;
};

static void merge(struct clock_of_chains *to, const struct clock_of_chains *from)
{
    for (int i = 0; i < MOST_CHAINS; i++)
        to->seen[i] = from->seen[i] > to->seen[i] ? from->seen[i] : to->seen[i];
}

/* Work from next on is told of; all before precedes it. */
static void forget(struct order *order, uint64_t next)
{
    free(order->pieces);
    operations_free(&order->operations);
    *order = (struct order){.opening = order->opening, .first = next};
}

static bool is_wanted(const struct client *client)
{
    return client->device->options.checks & SIMGPU_CHECK_RACES;
}

static struct piece *piece_of(const struct client *client, uint64_t id)
{
    const struct order *order = client->order;
    return order && id >= order->first && id - order->first < order->count
               ? &order->pieces[id - order->first]
               : NULL;
}

/* --- Chains ----------------------------------------------------------------------------------- */

static bool is_known(const struct piece *piece)
{
    return piece->place.position != 0;
}

/* A chain whose last piece precedes the new one, or a new chain; MOST_CHAINS if there is none. */
static uint32_t chain_for(const struct order *order, const struct piece *piece)
{
    for (uint32_t i = 0; i < order->chain_count; i++)
        if (piece->clock.seen[i] == order->tails[i])
            return i;
    return order->chain_count;
}

/* All is known that the piece comes after. False when it finds no place: then all is forgotten. */
static bool settle(struct order *order, struct piece *piece)
{
    if (is_known(piece))
        return true;
    uint32_t chain = chain_for(order, piece);
    if (chain == MOST_CHAINS) {
        forget(order, order->first + order->count);
        return false;
    }
    order->chain_count += chain == order->chain_count;
    piece->place = (struct order_place){chain, ++order->tails[chain]};
    piece->clock.seen[chain] = piece->place.position;
    return true;
}

/* --- Room ------------------------------------------------------------------------------------- */

/* The first pieces that the host knows to be done need not be found any more. */
static size_t count_known_to_host(const struct order *order)
{
    size_t count = 0;
    while (count < order->count && is_known(&order->pieces[count]) &&
           order->pieces[count].place.position <=
               order->host.seen[order->pieces[count].place.chain])
        count++;
    return count;
}

static bool make_room(struct order *order)
{
    size_t room = order->room ? 2 * order->room : FIRST_ROOM;
    if (order->count < order->room)
        return true;
    size_t known = room > MOST_PIECES ? count_known_to_host(order) : 0;
    if (known > order->count / 4) {
        order->first += known;
        order->count -= known;
        memmove(order->pieces, order->pieces + known, order->count * sizeof *order->pieces);
        return true;
    }
    struct piece *grown =
        room > MOST_PIECES ? NULL : realloc(order->pieces, room * sizeof *order->pieces);
    if (!grown)
        return false;
    order->pieces = grown;
    order->room = room;
    return true;
}

/* What belongs to the current opening of the window; NULL if races are not checked. */
static struct order *order_now(struct client *client, uint64_t next)
{
    struct order *order = client->order;
    if (!is_wanted(client)) {
        if (order && order->chain_count + order->count > 0)
            forget(order, next);
        return NULL;
    }
    if (!order && (order = client->order = calloc(1, sizeof *order)))
        order->first = next;
    uint64_t opening = client->device->window.opening;
    if (order && order->opening != opening) {
        order->opening = opening;
        forget(order, next);
    }
    return order;
}

/* --- Work ------------------------------------------------------------------------------------- */

void order_begin(struct client *client, const struct work *work)
{
    struct order *order = order_now(client, work->id);
    if (!order)
        return;
    if (order->count)
        settle(order, &order->pieces[order->count - 1]);
    if (work->id != order->first + order->count || !make_room(order)) {
        forget(order, work->id);
        if (!make_room(order))
            return;
    }
    struct piece *piece = &order->pieces[order->count++];
    *piece = (struct piece){.clock = order->host};
    if (work->stream == STREAM_LEGACY)
        merge(&piece->clock, &order->left);
}

void order_after(struct client *client, uint64_t work, uint64_t before)
{
    struct piece *piece = piece_of(client, work), *other = piece_of(client, before);
    if (piece && other && piece != other && settle(client->order, other))
        merge(&piece->clock, &other->clock);
}

void order_within(struct client *client, uint64_t work, uint64_t conditional)
{
    struct piece *piece = piece_of(client, work), *other = piece_of(client, conditional);
    if (piece && other && settle(client->order, other))
        *piece = *other;
}

void order_stream_leaves(struct client *client, const struct stream *stream)
{
    struct piece *last = piece_of(client, stream->last);
    if (stream->blocking && last && settle(client->order, last))
        merge(&client->order->left, &last->clock);
}

/* --- The host --------------------------------------------------------------------------------- */

static void host_learns(struct client *client, uint64_t work)
{
    struct piece *piece = piece_of(client, work);
    if (piece && settle(client->order, piece))
        merge(&client->order->host, &piece->clock);
}

void order_host_sees(struct client *client, const struct work *work)
{
    host_learns(client, work->id);
    struct piece *seen = piece_of(client, work->id), *piece;
    for (uint64_t id = work->latest + 1; seen && (piece = piece_of(client, id)); id++)
        merge(&piece->clock, &seen->clock);
}

static void host_learns_all(struct order *order)
{
    if (order->count)
        settle(order, &order->pieces[order->count - 1]);
    memcpy(order->host.seen, order->tails, sizeof order->tails);
}

/* Who records an event of several programs is not known. */
void order_host(struct client *client, uint64_t stream, const struct event *event)
{
    if (!client->order)
        return;
    if (event && !event->shared) {
        host_learns(client, event->recorded_by);
        return;
    }
    if (event || stream == 0) {
        host_learns_all(client->order);
        return;
    }
    for (size_t i = STREAM_LEGACY; i < client->stream_count; i++)
        if (i == stream || (stream == STREAM_LEGACY && client->streams[i].blocking))
            host_learns(client, client->streams[i].last);
    if (stream == STREAM_LEGACY)
        merge(&client->order->host, &client->order->left);
}

/* --- What is known ---------------------------------------------------------------------------- */

bool order_place_of(struct client *client, uint64_t work, struct order_place *place)
{
    struct piece *piece = piece_of(client, work);
    if (!piece || !settle(client->order, piece))
        return false;
    *place = piece->place;
    return true;
}

bool order_precedes(const struct client *client, struct order_place place, uint64_t work)
{
    const struct piece *piece = piece_of(client, work);
    return !piece || piece->clock.seen[place.chain] >= place.position;
}

/* If work is held back, all of it is known when the first piece begins; otherwise a stream may get
 * work later. */
bool order_may_lack(const struct client *client)
{
    bool comes_later = !client->device->options.hold_back && client->stream_count > FIRST_STREAM;
    return client->order && is_wanted(client) && (comes_later || client->order->chain_count > 1);
}

struct operations *order_operations(struct client *client)
{
    return client->order ? &client->order->operations : NULL;
}

void order_free(struct client *client)
{
    if (client->order)
        forget(client->order, 0);
    free(client->order);
    client->order = NULL;
}
