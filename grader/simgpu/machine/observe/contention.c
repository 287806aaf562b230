/* contention.c - observes atomics on global memory: how crowded the most wanted place is.
 *
 * A part of the L2 carries out atomics one after the other, wherever they come from. Lanes of a
 * warp that want different words of a sector are served at once (doubles two at a time:
 * add_doubles_1M), those that want the same word one by one. Each piece of 512 bytes has its part
 * (histogram_of_floats_1M: two lines, one part; histogram_global_1M: eight lines, two parts), so
 * the most wanted piece is a limit of the whole launch. Pieces are scattered over the parts: of
 * several pieces that are wanted equally, two may share a part. And an addition of floating-point
 * numbers can start only when the addition before it, to the same place, is through: the most
 * wanted sum is another limit.
 */
#include "lanes.h"
#include "observers.h"

#include <math.h>
#include <stdlib.h>

enum { PIECE_BYTES = 512, WORD_BYTES = 4 };

struct contention {
    struct contention *next;
    const struct allocation *allocation;
    atomic_uint *turns; /* by piece */
    size_t pieces;
    atomic_uint *sums; /* turns of floating-point additions, by word; NULL while there was none */
    atomic_uint most_sums; /* of all words */
};

static struct contention *find(struct launch *launch, const struct allocation *allocation)
{
    pthread_mutex_lock(&launch->lock);
    struct contention *found = launch->contention;
    while (found && found->allocation != allocation)
        found = found->next;
    if (!found && (found = calloc(1, sizeof *found))) {
        found->allocation = allocation;
        found->pieces = allocation->size_bytes / PIECE_BYTES + 1;
        found->turns = calloc(found->pieces, sizeof *found->turns);
        found->next = launch->contention;
        launch->contention = found;
    }
    pthread_mutex_unlock(&launch->lock);
    return found && found->turns ? found : NULL;
}

/* The turns of floating-point additions at each word; large maps cost only what is touched. */
static atomic_uint *sums_of(struct launch *launch, struct contention *contention)
{
    pthread_mutex_lock(&launch->lock);
    if (!contention->sums)
        contention->sums =
            calloc(contention->allocation->size_bytes / WORD_BYTES + 1, sizeof *contention->sums);
    pthread_mutex_unlock(&launch->lock);
    return contention->sums;
}

static void add_sums(struct contention *contention, uint64_t at, unsigned turns)
{
    unsigned now = turns + atomic_fetch_add_explicit(&contention->sums[at / WORD_BYTES], turns,
                                                     memory_order_relaxed);
    unsigned most = atomic_load_explicit(&contention->most_sums, memory_order_relaxed);
    while (now > most &&
           !atomic_compare_exchange_weak_explicit(&contention->most_sums, &most, now,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

/* How many turns the lanes in one sector need: as many as there are lanes that want its most wanted
 * word. Removes these lanes from *left. */
static unsigned take_turns(struct contention *contention, const struct access *access,
                           uint64_t offset, uint64_t sector, lane_mask *left)
{
    unsigned turns[SECTOR_BYTES] = {0}, most = 0, lanes = 0;
    FOR_ACTIVE (lane, *left) {
        uint64_t at = offset + (uint64_t)access->shape->delta[lane];
        if (at / SECTOR_BYTES != sector)
            continue;
        unsigned here = ++turns[at % SECTOR_BYTES];
        most = here > most ? here : most;
        lanes++;
        *left &= ~(UINT32_C(1) << lane);
    }
    for (unsigned i = 0; contention->sums && i < SECTOR_BYTES; i++)
        if (turns[i])
            add_sums(contention, sector * SECTOR_BYTES + i, turns[i]);
    unsigned pairs = (lanes + 1) / 2;
    return access->op->type == PTX_f64 && pairs > most ? pairs : most;
}

static void contention_access(const struct access *access, struct site *site)
{
    if (!access->allocation)
        return;
    struct launch *launch = block_launch(access->warp);
    if (!site->contention || site->contention->allocation != access->allocation)
        site->contention = find(launch, access->allocation);
    struct contention *contention = site->contention;
    if (!contention || (ptx_type_class(access->op->type) == 'F' && !sums_of(launch, contention)))
        return;
    uint64_t offset = access->base - access->allocation->address;
    for (lane_mask left = access->active; left;) {
        uint64_t at = offset + (uint64_t)access->shape->delta[__builtin_ctz(left)];
        unsigned turns = take_turns(contention, access, offset, at / SECTOR_BYTES, &left);
        atomic_fetch_add_explicit(&contention->turns[at / PIECE_BYTES],
                                  access->op->for_all ? 1 : turns, memory_order_relaxed);
    }
}

static uint64_t most_wanted(const struct launch *launch)
{
    uint64_t most = 0;
    for (const struct contention *it = launch->contention; it; it = it->next)
        for (size_t i = 0; it->turns && i < it->pieces; i++)
            most = it->turns[i] > most ? it->turns[i] : most;
    return most;
}

double contention_ns(const struct launch *launch)
{
    const struct sim_model *model = launch->context->machine->profile.model;
    double most = (double)most_wanted(launch), rivals = 0, sums = 0;
    for (const struct contention *it = launch->contention; it; it = it->next) {
        sums = it->most_sums > sums ? it->most_sums : sums;
        for (size_t i = 0; it->turns && i < it->pieces; i++)
            rivals += it->turns[i] >= model->as_wanted * most;
    }
    double pairs = rivals * (rivals - 1) / 2;
    double turns_ns = model->atomic_turn_ns * most * (2 - exp(-pairs / model->atomic_parts));
    double sums_ns = model->same_sum_ns * sums;
    return turns_ns > sums_ns ? turns_ns : sums_ns;
}

static void contention_free(struct launch *launch)
{
    for (struct contention *it = launch->contention, *next; it; it = next) {
        next = it->next;
        free(it->turns);
        free(it->sums);
        free(it);
    }
    launch->contention = NULL;
}

static bool contention_wants(const struct launch *launch)
{
    return launch->config.count;
}

const struct observer observer_contention = {
    .name = "contention",
    .spaces_of_atomics = 1 << SPACE_GLOBAL,
    .looks_at = LOOKS_AT_TRAFFIC,
    .wants = contention_wants,
    .access = contention_access,
    .launch_free = contention_free,
};
