/* timeline_sums.c - how well the engines are used, and what caused the longest gap. */
#include "timeline.h"

#include "timeline_costs.h"

#include <stdlib.h>
#include <string.h>

/* Pieces that begin or end, in order of time. */
struct edge {
    double at_ns;
    uint32_t item;
    bool begins;
};

/* The number of running pieces of each kind. */
struct running {
    unsigned computing, up, down, paged_up, paged_down;
};

/* A stretch in which no kernel runs, and no copy of pinned memory: up to the next piece, or the
 * time of one copy of pageable memory, whose engine mostly waits for the host. */
struct gap {
    bool is_open, is_paged;
    double start_ns, idle_ns;
    uint32_t paged; /* the item that is copied */
    uint32_t next;  /* the one that ends it */
};

static bool has_engine(const struct timeline_item *item)
{
    return item->kind <= TIMELINE_SET && item->end_ns > item->start_ns;
}

static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    int times = (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
    return times ? times : (int)y->begins - (int)x->begins;
}

static struct edge *edges_of(const struct timeline_view *view, size_t *count)
{
    struct edge *edges = calloc(2 * (size_t)view->model.item_count + 1, sizeof *edges);
    *count = 0;
    for (uint32_t i = 0; edges && i < view->model.item_count; i++) {
        const struct timeline_item *item = &view->model.items[i];
        if (!has_engine(item))
            continue;
        edges[(*count)++] = (struct edge){item->start_ns, i, true};
        edges[(*count)++] = (struct edge){item->end_ns, i, false};
    }
    if (edges)
        qsort(edges, *count, sizeof *edges, by_time);
    return edges;
}

static void note(struct running *running, const struct timeline_item *item, bool begins)
{
    unsigned *of = item->kind == TIMELINE_UP ? item->is_paged ? &running->paged_up : &running->up
                   : item->kind == TIMELINE_DOWN
                       ? item->is_paged ? &running->paged_down : &running->down
                       : &running->computing;
    *of += begins ? 1u : -1u;
}

/* --- What a gap goes back to ------------------------------------------------------------------ */

static double common_ns(double start_ns, double end_ns, const struct timeline_call *call)
{
    double from = call->start_ns > start_ns ? call->start_ns : start_ns;
    double to = call->end_ns < end_ns ? call->end_ns : end_ns;
    return to > from ? to - from : 0;
}

/* The call of the copy of pageable memory; otherwise the call that queued next, if it did that
 * before the gap; otherwise the call of next's thread that took most of the gap. */
static uint32_t culprit(const struct timeline_view *view, const struct gap *gap)
{
    uint32_t next = gap->next;
    const struct timeline_input *model = &view->model;
    const struct timeline_call *own = &model->calls[model->items[next].call];
    double most_ns = 0;
    uint32_t found = model->items[next].call;
    if (gap->is_paged)
        return model->items[gap->paged].call;
    if (own->start_ns + own->host_ns < gap->start_ns)
        return found;
    for (uint32_t i = 0; i < model->call_count; i++) {
        const struct timeline_call *call = &model->calls[i];
        double taken_ns = call->thread == own->thread
                              ? common_ns(gap->start_ns, model->items[next].start_ns, call)
                              : 0;
        if (taken_ns > most_ns) {
            most_ns = taken_ns;
            found = i;
        }
    }
    return found;
}

static void close_gap(struct gap *gap, uint32_t next, struct gap *longest,
                      struct simgpu_timeline *sums)
{
    if (!gap->is_open)
        return;
    sums->idle_ns += gap->idle_ns;
    gap->next = next;
    if (gap->idle_ns > longest->idle_ns)
        *longest = *gap;
    gap->is_open = false;
}

static void say_gap(struct simgpu_timeline *sums)
{
    const char *slash = strrchr(sums->gap_file, '/');
    char time[32], place[200] = "";
    snprintf(time, sizeof time, sums->gap_ns < 1e5 ? "%.1f us" : "%.2f ms",
             sums->gap_ns < 1e5 ? sums->gap_ns * 1e-3 : sums->gap_ns * 1e-6);
    if (sums->gap_line)
        snprintf(place, sizeof place, " at %s:%u", slash ? slash + 1 : sums->gap_file,
                 sums->gap_line);
    snprintf(sums->gap_says, sizeof sums->gap_says, "%s in which neither engine works: %s%s", time,
             sums->gap_cause, place);
}

static void name_gap(const struct timeline_view *view, const struct gap *gap,
                     struct simgpu_timeline *sums)
{
    const struct timeline_act *act = &view->acts[culprit(view, gap)];
    sums->gap_ns = gap->idle_ns;
    sums->gap_start_ns = gap->start_ns;
    sums->gap_line = act->line;
    snprintf(sums->gap_cause, sizeof sums->gap_cause, "%s", timeline_act_name(act));
    snprintf(sums->gap_file, sizeof sums->gap_file, "%s", act->file ? act->file : "");
    say_gap(sums);
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* The part of its time in which a copy of pageable memory keeps its engine busy. */
static double up_share(const struct running *running)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    return running->up         ? 1
           : running->paged_up ? costs->cached_up_bytes_per_ns / costs->up_bytes_per_ns
                               : 0;
}

static double down_share(const struct running *running)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    return running->down         ? 1
           : running->paged_down ? costs->paged_down_bytes_per_ns / costs->down_bytes_per_ns
                                 : 0;
}

static void add_time(struct simgpu_timeline *sums, struct gap *gap, const struct running *running,
                     double passed_ns)
{
    double up = up_share(running), down = down_share(running), copying = up > down ? up : down;
    sums->up_ns += up * passed_ns;
    sums->down_ns += down * passed_ns;
    if (running->computing) {
        sums->compute_ns += passed_ns;
        sums->overlap_ns += copying * passed_ns;
    } else {
        gap->idle_ns += (1 - copying) * passed_ns;
    }
}

static void sweep(const struct timeline_view *view, const struct edge *edges, size_t count,
                  struct simgpu_timeline *sums)
{
    struct running running = {0};
    struct gap gap = {0}, longest = {0};
    uint32_t paged = 0;
    for (size_t i = 0; i < count; i++) {
        const struct timeline_item *item = &view->model.items[edges[i].item];
        if (i)
            add_time(sums, &gap, &running, edges[i].at_ns - edges[i - 1].at_ns);
        note(&running, item, edges[i].begins);
        if (item->is_paged && edges[i].begins)
            paged = edges[i].item;
        bool works = running.computing || running.up || running.down;
        if (works || item->is_paged)
            close_gap(&gap, edges[i].item, &longest, sums);
        if (!works && !gap.is_open)
            gap = (struct gap){.is_open = true,
                               .is_paged = running.paged_up || running.paged_down,
                               .start_ns = edges[i].at_ns,
                               .paged = paged};
    }
    if (longest.idle_ns > 0)
        name_gap(view, &longest, sums);
}

void timeline_sum_up(const struct timeline_view *view, struct simgpu_timeline *sums)
{
    const struct timeline_input *model = &view->model;
    size_t count;
    *sums = (struct simgpu_timeline){
        .is_cut = view->is_cut, .calls = model->call_count, .pieces = model->item_count};
    for (uint32_t i = 0; i < model->call_count; i++)
        if (model->calls[i].end_ns > sums->span_ns)
            sums->span_ns = model->calls[i].end_ns;
    for (uint32_t i = 0; i < model->item_count; i++)
        if (model->items[i].end_ns > sums->span_ns)
            sums->span_ns = model->items[i].end_ns;
    struct edge *edges = edges_of(view, &count);
    if (edges)
        sweep(view, edges, count, sums);
    free(edges);
}
