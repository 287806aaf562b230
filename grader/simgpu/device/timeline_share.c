/* timeline_share.c - see timeline_share.h. */
#include "timeline_share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kernel of more rounds is taken as one of this many. */
static const double MOST_ROUNDS = 16;
/* What is left of a round, or of room for a block, when nothing is. */
static const double NOTHING_NS = 1e-6, NOTHING = 1e-9;

bool sharing_add(struct timeline_sharing *sharing, uint32_t item,
                 const struct timeline_share *share, double alone_ns)
{
    if (sharing->ready_count == sharing->ready_room) {
        size_t room = sharing->ready_room ? 2 * sharing->ready_room : 16;
        void *grown = realloc(sharing->ready, room * sizeof *sharing->ready);
        if (!grown)
            return false;
        sharing->ready = grown;
        sharing->ready_room = room;
    }
    sharing->ready[sharing->ready_count++] =
        (struct timeline_ready){item, share, alone_ns, share->blocks > 0 ? share->blocks : 1, 0};
    return true;
}

static bool is_anywhere(const struct timeline_share *share)
{
    return share->blocks <= 0;
}

/* The rounds that the kernel takes alone. */
static double rounds_alone(const struct timeline_share *share)
{
    double rounds = is_anywhere(share) ? 1 : share->blocks / share->fit;
    return rounds < MOST_ROUNDS ? ceil(rounds - NOTHING) : MOST_ROUNDS;
}

/* Blocks that run at once, if there are many; then one stands for several. */
static double largest_round(const struct timeline_share *share)
{
    double rounds = share->blocks / share->fit;
    return rounds <= MOST_ROUNDS ? share->fit : share->blocks / MOST_ROUNDS;
}

/* How many blocks of a kernel there is room for. */
static double room_for(const struct timeline_sharing *sharing, const struct timeline_ready *ready)
{
    const struct timeline_share *share = ready->share;
    if (is_anywhere(share))
        return ready->waiting;
    double scale = largest_round(share) / share->fit;
    double room = largest_round(share) - ready->running;
    for (int i = 0; i < PLACES; i++) {
        double left = sharing->multiprocessors - sharing->used[i];
        if (share->place[i] > 0)
            room = fmin(room, floor(left / share->place[i] + 1e-6) * scale);
    }
    return fmin(room, ready->waiting);
}

static void occupy(struct timeline_sharing *sharing, const struct timeline_share *share,
                   double blocks)
{
    if (is_anywhere(share))
        return;
    blocks *= share->fit / largest_round(share);
    for (int i = 0; i < PLACES; i++)
        sharing->used[i] = fmax(0, sharing->used[i] + blocks * share->place[i]);
}

static bool begin_round(struct timeline_sharing *sharing, struct timeline_ready *ready,
                        double blocks)
{
    if (sharing->round_count == sharing->round_room) {
        size_t room = sharing->round_room ? 2 * sharing->round_room : 64;
        void *grown = realloc(sharing->rounds, room * sizeof *sharing->rounds);
        if (!grown)
            return false;
        sharing->rounds = grown;
        sharing->round_room = room;
    }
    sharing->rounds[sharing->round_count++] = (struct timeline_round){
        ready->item, blocks, ready->alone_ns / rounds_alone(ready->share), 1};
    ready->waiting -= blocks;
    ready->running += blocks;
    occupy(sharing, ready->share, blocks);
    return true;
}

/* --- Rates ------------------------------------------------------------------------------------ */

/* What the kernel wants of a supply, with the blocks that run. */
static double wanted(const struct timeline_ready *ready, enum timeline_supply supply)
{
    const struct timeline_share *share = ready->share;
    double all = is_anywhere(share) ? 1 : fmin(share->blocks, largest_round(share));
    return share->supply[supply] * ready->running / all;
}

/* The most that a kernel gets of a supply, so that all of it is used if enough is wanted; infinity
 * if there is enough for all. */
static double fair_part(const struct timeline_sharing *sharing, enum timeline_supply supply)
{
    double part = 0;
    for (;;) {
        double left = 1;
        unsigned want_more = 0;
        for (size_t i = sharing->ready_first; i < sharing->begun; i++) {
            double want = wanted(&sharing->ready[i], supply);
            want_more += want > part;
            left -= want > part ? 0 : want;
        }
        if (want_more == 0)
            return INFINITY;
        if (left / want_more <= part + NOTHING)
            return part;
        part = left / want_more;
    }
}

static void find_rates(struct timeline_sharing *sharing)
{
    double part[SUPPLIES];
    for (int supply = 0; supply < SUPPLIES; supply++)
        part[supply] = fair_part(sharing, supply);
    for (size_t i = sharing->ready_first; i < sharing->begun; i++) {
        double rate = 1;
        for (int supply = 0; supply < SUPPLIES; supply++) {
            double want = wanted(&sharing->ready[i], supply);
            if (want > part[supply])
                rate = fmin(rate, part[supply] / want);
        }
        for (size_t j = 0; j < sharing->round_count; j++)
            if (sharing->rounds[j].item == sharing->ready[i].item)
                sharing->rounds[j].rate = rate;
    }
}

/* --- Time ------------------------------------------------------------------------------------- */

bool sharing_begin(struct timeline_sharing *sharing, void (*began)(void *of, uint32_t item),
                   void *of)
{
    sharing->begun = sharing->ready_first;
    for (size_t i = sharing->ready_first; i < sharing->ready_count; i++) {
        struct timeline_ready *ready = &sharing->ready[i];
        sharing->begun = i + 1;
        bool is_first = ready->running == 0 && ready->waiting >= ready->share->blocks;
        double blocks = room_for(sharing, ready);
        if (blocks > NOTHING) {
            if (!begin_round(sharing, ready, blocks))
                return false;
            if (is_first)
                began(of, ready->item);
        }
        if (ready->waiting > NOTHING) /* those behind wait until all of its blocks have begun */
            break;
    }
    find_rates(sharing);
    return true;
}

double sharing_next_ns(const struct timeline_sharing *sharing)
{
    double next_ns = INFINITY;
    for (size_t i = 0; i < sharing->round_count; i++)
        next_ns = fmin(next_ns, sharing->rounds[i].left_ns / sharing->rounds[i].rate);
    return next_ns;
}

void sharing_pass(struct timeline_sharing *sharing, double passed_ns)
{
    for (size_t i = 0; i < sharing->round_count; i++)
        sharing->rounds[i].left_ns -= passed_ns * sharing->rounds[i].rate;
}

/* Those before it move up: they are few. */
static void remove_ready(struct timeline_sharing *sharing, size_t at)
{
    size_t first = sharing->ready_first++;
    memmove(&sharing->ready[first + 1], &sharing->ready[first],
            (at - first) * sizeof *sharing->ready);
}

bool sharing_take(struct timeline_sharing *sharing, uint32_t *item, bool *is_last)
{
    size_t at = 0, of = sharing->ready_first;
    while (at < sharing->round_count && sharing->rounds[at].left_ns > NOTHING_NS)
        at++;
    if (at == sharing->round_count)
        return false;
    struct timeline_round round = sharing->rounds[at];
    memmove(&sharing->rounds[at], &sharing->rounds[at + 1],
            (--sharing->round_count - at) * sizeof *sharing->rounds);
    while (sharing->ready[of].item != round.item)
        of++;
    struct timeline_ready *ready = &sharing->ready[of];
    ready->running -= round.blocks;
    occupy(sharing, ready->share, -round.blocks);
    *item = round.item;
    *is_last = ready->waiting <= NOTHING && ready->running <= NOTHING;
    if (*is_last)
        remove_ready(sharing, of);
    return true;
}

void sharing_free(struct timeline_sharing *sharing)
{
    free(sharing->ready);
    free(sharing->rounds);
}
