/* timeline_share.c - see timeline_share.h. */
#include "timeline_share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kernel with more rounds is treated as one with this many: then a block represents several. */
enum { MOST_ROUNDS = 16 };
/* A remainder of a round, or of a part, below this counts as none. */
static const double NOTHING_NS = 1e-6, NOTHING = 1e-9;

bool sharing_open(struct timeline_sharing *sharing, unsigned multiprocessors,
                  unsigned scheduler_warps)
{
    *sharing = (struct timeline_sharing){.scheduler_warps = scheduler_warps};
    return places_open(&sharing->places, multiprocessors);
}

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
    unsigned blocks = (unsigned)fmax(1, fmin(share->blocks, MOST_ROUNDS * share->fit));
    sharing->ready[sharing->ready_count++] = (struct timeline_ready){
        .item = item, .share = share, .alone_ns = alone_ns, .blocks = blocks, .waiting = blocks};
    return true;
}

/* Blocks that run at once, alone. */
static unsigned largest_round(const struct timeline_ready *ready)
{
    return ready->blocks < ready->share->fit ? ready->blocks : (unsigned)ready->share->fit;
}

/* The time of a block next to this many of its kernel's, as a part of its time in a largest round:
 * less if they are fewer, since it waits less for the others. How much of its time it waits for
 * them is not known; the square of the used part of the supply is almost nothing for a kernel bound
 * by latency, and almost all for one bound by DRAM. */
static double block_time(const struct timeline_ready *ready, unsigned running)
{
    double use = fmax(ready->share->supply[SUPPLY_DRAM], ready->share->supply[SUPPLY_ISSUE]);
    double waits = use * use;
    return 1 - waits + waits * running / largest_round(ready);
}

/* The time of a largest round, alone. The last round may be smaller. */
static double round_ns(const struct timeline_ready *ready)
{
    unsigned largest = largest_round(ready), rest = ready->blocks % largest;
    double last = rest ? block_time(ready, rest) : 0;
    return ready->alone_ns / (ready->blocks / largest + last);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* How many blocks of a kernel fit. */
static unsigned room_for(struct timeline_sharing *sharing, const struct timeline_ready *ready)
{
    unsigned room = places_room(&sharing->places, &ready->share->block);
    return least(least(room, largest_round(ready) - ready->running), ready->waiting);
}

static bool begin_round(struct timeline_sharing *sharing, struct timeline_ready *ready,
                        unsigned blocks)
{
    if (sharing->round_count == sharing->round_room) {
        size_t room = sharing->round_room ? 2 * sharing->round_room : 64;
        void *grown = realloc(sharing->rounds, room * sizeof *sharing->rounds);
        if (!grown)
            return false;
        sharing->rounds = grown;
        sharing->round_room = room;
    }
    unsigned char *on = malloc((size_t)sharing->places.count + 1);
    if (!on)
        return false;
    places_take(&sharing->places, &ready->share->block, blocks, on);
    sharing->rounds[sharing->round_count++] = (struct timeline_round){
        .item = ready->item, .blocks = blocks, .on = on, .left_ns = round_ns(ready), .rate = 1};
    ready->waiting -= blocks;
    ready->running += blocks;
    return true;
}

/* --- Rates ------------------------------------------------------------------------------------ */

/* What the kernel wants of a supply, with the blocks that run. */
static double wanted(const struct timeline_ready *ready, enum timeline_supply supply)
{
    double part = (double)ready->running / largest_round(ready);
    return ready->share->supply[supply] * part / block_time(ready, ready->running);
}

/* The most that a kernel gets of a supply, so that the whole supply is used if demand is high
 * enough; infinity if there is enough for all. */
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

/* Warps of a kernel per scheduler, averaged over all schedulers. */
static double warps_for_each_scheduler(const struct timeline_sharing *sharing,
                                       const struct timeline_ready *ready)
{
    double occupied = ready->running * ready->share->block.place[PLACE_WARPS];
    return sharing->scheduler_warps * occupied / sharing->places.count;
}

/* A scheduler issues for its warps in turn: a ready warp waits for the ready warps of other
 * kernels, one slot for each. Those are all ready if they want all slots, and seldom ready if they
 * want few; in between, it is like a queue with random arrivals. */
static double slowed_by_turns(const struct timeline_sharing *sharing,
                              const struct timeline_ready *ready)
{
    double use = 0, warps = 0, want = wanted(ready, SUPPLY_ISSUE);
    for (size_t i = sharing->ready_first; i < sharing->begun; i++)
        if (&sharing->ready[i] != ready) {
            use += wanted(&sharing->ready[i], SUPPLY_ISSUE);
            warps += warps_for_each_scheduler(sharing, &sharing->ready[i]);
        }
    double waits = use < 1 ? fmin(warps, use / (2 * (1 - use))) : warps;
    if (want * waits == 0)
        return 1;
    double from_one_to_the_next = warps_for_each_scheduler(sharing, ready) / want;
    return from_one_to_the_next / (from_one_to_the_next + waits);
}

static void find_rates(struct timeline_sharing *sharing)
{
    double part[SUPPLIES];
    for (int supply = 0; supply < SUPPLIES; supply++)
        part[supply] = fair_part(sharing, supply);
    for (size_t i = sharing->ready_first; i < sharing->begun; i++) {
        const struct timeline_ready *ready = &sharing->ready[i];
        double slowed = slowed_by_turns(sharing, ready);
        for (int supply = 0; supply < SUPPLIES; supply++) {
            double want = wanted(ready, supply);
            if (want > part[supply])
                slowed = fmin(slowed, part[supply] / want);
        }
        for (size_t j = 0; j < sharing->round_count; j++)
            if (sharing->rounds[j].item == ready->item)
                sharing->rounds[j].rate = slowed / block_time(ready, ready->running);
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
        bool is_first = ready->waiting == ready->blocks;
        unsigned blocks = room_for(sharing, ready);
        if (blocks) {
            if (!begin_round(sharing, ready, blocks))
                return false;
            if (is_first)
                began(of, ready->item);
        }
        if (ready->waiting) /* those behind wait until all of its blocks have begun */
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

/* The kernels before it move up: they are few. */
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
    places_give(&sharing->places, &ready->share->block, round.on);
    free(round.on);
    *item = round.item;
    *is_last = ready->waiting == 0 && ready->running == 0;
    if (*is_last)
        remove_ready(sharing, of);
    return true;
}

void sharing_free(struct timeline_sharing *sharing)
{
    for (size_t i = 0; i < sharing->round_count; i++)
        free(sharing->rounds[i].on);
    free(sharing->ready);
    free(sharing->rounds);
    places_close(&sharing->places);
}
