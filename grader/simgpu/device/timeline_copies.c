/* timeline_copies.c - see timeline_copies.h. */
#include "timeline_copies.h"

#include "timeline_costs.h"
#include "timeline_model.h"

#include <math.h>
#include <stdlib.h>

static const double NOTHING_NS = 1e-6;

static bool is_bus(enum timeline_engine engine)
{
    return engine == ENGINE_UP || engine == ENGINE_DOWN;
}

bool copies_open(struct timeline_copies *copies, struct timeline_item *items, uint32_t count)
{
    bool ok = true;
    *copies = (struct timeline_copies){.items = items};
    for (int i = 0; i < ENGINES; i++) {
        copies->engines[i].queue = calloc((size_t)count + 1, sizeof *copies->engines[i].queue);
        ok = ok && copies->engines[i].queue;
    }
    return ok;
}

void copies_close(struct timeline_copies *copies)
{
    for (int i = 0; i < ENGINES; i++)
        free(copies->engines[i].queue);
}

static void queue(struct timeline_copies *copies, enum timeline_engine engine, uint32_t item,
                  double ns)
{
    struct timeline_turns *turns = &copies->engines[engine];
    turns->queue[turns->queued++] = (struct timeline_turn){item, ns};
}

void copies_add(struct timeline_copies *copies, uint32_t item)
{
    const struct timeline_item *copy = &copies->items[item];
    bool is_up = copy->kind == TIMELINE_UP;
    enum timeline_engine bus = is_up ? ENGINE_UP : ENGINE_DOWN;
    enum timeline_engine host = is_up ? ENGINE_FILLS : ENGINE_EMPTIES;
    queue(copies, copy->is_paged ? host : bus, item, copy->alone_ns);
}

/* Is there a copy that waits only for the engine's pause? */
static bool is_next(const struct timeline_turns *turns)
{
    return !turns->is_busy && turns->begun < turns->queued;
}

void copies_begin(struct timeline_copies *copies, double now_ns)
{
    for (int i = 0; i < ENGINES; i++) {
        struct timeline_turns *turns = &copies->engines[i];
        if (!is_next(turns) || turns->pause_ns > NOTHING_NS)
            continue;
        const struct timeline_turn *turn = &turns->queue[turns->begun++];
        struct timeline_item *item = &copies->items[turn->item];
        if (i != ENGINE_UP || !item->is_paged) /* its host's part has begun before */
            item->start_ns = now_ns;
        turns->left_ns = turn->ns;
        turns->is_busy = true;
    }
}

/* --- Rates ------------------------------------------------------------------------------------ */

/* What the host fills in one ns, as time on the bus. */
static double fill_rate(const struct timeline_copies *copies)
{
    const struct timeline_turns *host = &copies->engines[ENGINE_FILLS];
    if (!host->is_busy)
        return 0;
    const struct timeline_item *item = &copies->items[host->queue[host->begun - 1].item];
    return item->alone_ns > 0 ? item->bus_ns / item->alone_ns : 0;
}

static double free_ns(const struct timeline_copies *copies)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    return fmax(0, costs->buffers_bytes / costs->up_bytes_per_ns - copies->filled_ns);
}

static double rate(const struct timeline_copies *copies, enum timeline_engine engine)
{
    bool up = copies->engines[ENGINE_UP].is_busy, down = copies->engines[ENGINE_DOWN].is_busy;
    switch (engine) {
    case ENGINE_FILLS: return up && free_ns(copies) <= NOTHING_NS ? 0 : 1;
    case ENGINE_EMPTIES: return down ? 0 : 1;
    default: return up && down ? TIMELINE_COSTS.both_share : 1;
    }
}

/* --- Time ------------------------------------------------------------------------------------- */

double copies_next_ns(const struct timeline_copies *copies)
{
    double next_ns = INFINITY, fills = fill_rate(copies);
    for (int i = 0; i < ENGINES; i++) {
        const struct timeline_turns *turns = &copies->engines[i];
        if (turns->is_busy && rate(copies, i) > 0)
            next_ns = fmin(next_ns, turns->left_ns / rate(copies, i));
        if (is_next(turns))
            next_ns = fmin(next_ns, fmax(0, turns->pause_ns));
    }
    if (copies->engines[ENGINE_UP].is_busy && fills > 0 && free_ns(copies) > NOTHING_NS)
        next_ns = fmin(next_ns, free_ns(copies) / fills);
    return next_ns;
}

void copies_pass(struct timeline_copies *copies, double passed_ns)
{
    double filled_ns = passed_ns * fill_rate(copies) * rate(copies, ENGINE_FILLS);
    double taken_ns = copies->engines[ENGINE_UP].is_busy ? 0 : passed_ns;
    double rates[ENGINES];
    for (int i = 0; i < ENGINES; i++)
        rates[i] = rate(copies, i);
    for (int i = 0; i < ENGINES; i++) {
        copies->engines[i].left_ns -= passed_ns * rates[i];
        copies->engines[i].pause_ns -= passed_ns;
    }
    copies->filled_ns = fmax(0, copies->filled_ns + filled_ns - taken_ns);
}

bool copies_take(struct timeline_copies *copies, uint32_t *item, bool *has_ended)
{
    for (int i = 0; i < ENGINES; i++) {
        struct timeline_turns *turns = &copies->engines[i];
        if (!turns->is_busy || turns->left_ns > NOTHING_NS)
            continue;
        turns->is_busy = false;
        turns->pause_ns = is_bus(i) ? TIMELINE_COSTS.next_copy_ns : 0;
        *item = turns->queue[turns->begun - 1].item;
        *has_ended = i != ENGINE_FILLS;
        if (i == ENGINE_FILLS) { /* the last piece is still in its buffer */
            queue(copies, ENGINE_UP, *item, fmax(copies->items[*item].tail_ns, copies->filled_ns));
            copies->filled_ns = 0;
        }
        return true;
    }
    return false;
}

bool copies_run(const struct timeline_copies *copies)
{
    for (int i = 0; i < ENGINES; i++)
        if (copies->engines[i].is_busy || is_next(&copies->engines[i]))
            return true;
    return false;
}
