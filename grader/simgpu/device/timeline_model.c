/* timeline_model.c - see timeline_model.h. Kernels, copies and memsets on the device are in
 * timeline_share.c, copies over the bus in timeline_copies.c; this file has host threads and
 * dependencies. */
#include "timeline_model.h"

#include "timeline_copies.h"
#include "timeline_costs.h"

#include <math.h>
#include <stdlib.h>

enum moment_kind { HOST_CONTINUES, ITEM_ARRIVES, ITEM_IS_READY, ITEM_ENDS };

/* A future event. Of two at the same time, the one that was created first comes first. */
struct moment {
    double at_ns;
    uint64_t number;
    enum moment_kind kind;
    uint32_t of; /* a thread, or an item */
};

/* From each node to its successors: to[first[i]] up to to[first[i + 1]]. */
struct links {
    uint32_t *first, *to;
};

struct run {
    struct timeline_input *input;
    double now_ns;
    struct moment *heap;
    size_t moment_count, moment_room;
    uint64_t moments_made;
    struct timeline_copies copies;
    struct timeline_sharing sharing;
    struct links followers; /* of an item: items */
    struct links waiters;   /* of an item: calls */
    struct links queued;    /* of a call: items */
    struct links calls;     /* of a thread */
    struct links beginners; /* of a call: first calls of threads that follow it */
    uint32_t *missing;      /* of an item: what must have ended, and its arrival */
    uint32_t *call_missing; /* of a call: what it waits for */
    uint32_t *done_calls;   /* of a thread */
    bool failed;
};

/* --- Moments: a heap -------------------------------------------------------------------------- */

static bool is_before(const struct moment *a, const struct moment *b)
{
    return a->at_ns < b->at_ns || (a->at_ns == b->at_ns && a->number < b->number);
}

static void exchange(struct moment *a, struct moment *b)
{
    struct moment kept = *a;
    *a = *b;
    *b = kept;
}

static void later(struct run *run, double at_ns, enum moment_kind kind, uint32_t of)
{
    if (run->moment_count == run->moment_room) {
        size_t room = run->moment_room ? 2 * run->moment_room : 256;
        struct moment *grown = realloc(run->heap, room * sizeof *grown);
        if (!grown) {
            run->failed = true;
            return;
        }
        run->heap = grown;
        run->moment_room = room;
    }
    size_t at = run->moment_count++;
    run->heap[at] = (struct moment){at_ns, run->moments_made++, kind, of};
    for (; at && is_before(&run->heap[at], &run->heap[(at - 1) / 2]); at = (at - 1) / 2)
        exchange(&run->heap[at], &run->heap[(at - 1) / 2]);
}

static struct moment take_first(struct run *run)
{
    struct moment first = run->heap[0];
    run->heap[0] = run->heap[--run->moment_count];
    for (size_t at = 0, child; (child = 2 * at + 1) < run->moment_count; at = child) {
        child +=
            child + 1 < run->moment_count && is_before(&run->heap[child + 1], &run->heap[child]);
        if (!is_before(&run->heap[child], &run->heap[at]))
            break;
        exchange(&run->heap[at], &run->heap[child]);
    }
    return first;
}

/* --- Who waits for what ----------------------------------------------------------------------- */

typedef struct timeline_list list_of(const struct timeline_input *input, uint32_t i,
                                     const uint32_t **from);

static struct timeline_list after_of(const struct timeline_input *input, uint32_t i,
                                     const uint32_t **from)
{
    *from = input->lists;
    return input->items[i].after;
}

static struct timeline_list waits_of(const struct timeline_input *input, uint32_t i,
                                     const uint32_t **from)
{
    *from = input->lists;
    return input->calls[i].waits;
}

static struct timeline_list call_of(const struct timeline_input *input, uint32_t i,
                                    const uint32_t **from)
{
    *from = &input->items[i].call;
    return (struct timeline_list){0, 1};
}

static struct timeline_list thread_of(const struct timeline_input *input, uint32_t i,
                                      const uint32_t **from)
{
    *from = &input->calls[i].thread;
    return (struct timeline_list){0, 1};
}

static struct timeline_list follows_of(const struct timeline_input *input, uint32_t i,
                                       const uint32_t **from)
{
    *from = &input->calls[i].follows;
    return (struct timeline_list){0, 1};
}

/* Reverse count lists: from the nodes that each lists to the nodes that list each. */
static bool link(struct links *links, uint32_t listed, uint32_t count,
                 const struct timeline_input *input, list_of *list_of)
{
    const uint32_t *from;
    size_t all = 0;
    links->first = calloc((size_t)listed + 2, sizeof *links->first);
    for (uint32_t i = 0; links->first && i < count; i++) {
        struct timeline_list list = list_of(input, i, &from);
        for (uint32_t j = 0; j < list.count; j++, all++)
            links->first[from[list.first + j] + 2]++;
    }
    links->to = malloc((all + 1) * sizeof *links->to);
    if (!links->first || !links->to)
        return false;
    for (uint32_t i = 1; i <= listed; i++)
        links->first[i + 1] += links->first[i];
    for (uint32_t i = 0; i < count; i++) {
        struct timeline_list list = list_of(input, i, &from);
        for (uint32_t j = 0; j < list.count; j++)
            links->to[links->first[from[list.first + j] + 1]++] = i;
    }
    return true;
}

/* --- Times of single pieces ------------------------------------------------------------------- */

static bool crosses_bus(const struct timeline_item *item)
{
    return item->kind == TIMELINE_UP || item->kind == TIMELINE_DOWN;
}

static bool has_engine(const struct timeline_item *item)
{
    return timeline_computes(item) || crosses_bus(item);
}

/* From the end of all that a piece depends on until the piece can begin. */
static double gap_ns(const struct timeline_item *before, const struct timeline_item *after)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    bool in_graph = before->in_graph && after->in_graph;
    if (!has_engine(after))
        return 0;
    /* An event that is recorded between two kernels does not make the second one begin earlier. */
    if (before->kind == TIMELINE_RECORD && timeline_computes(after))
        return fmax(costs->after_mark_ns, costs->next_ns - before->alone_ns);
    if (!has_engine(before))
        return costs->after_mark_ns;
    if (after->kind == TIMELINE_SET)
        return 0; /* it is in what they take */
    if (timeline_computes(before) && timeline_computes(after))
        return in_graph ? costs->next_in_graph_ns : costs->next_ns;
    return before->kind == after->kind ? costs->next_copy_ns : costs->other_ns;
}

/* --- What happens ----------------------------------------------------------------------------- */

static void item_is_less_missing(struct run *run, uint32_t number, double ready_ns)
{
    struct timeline_item *item = &run->input->items[number];
    if (ready_ns > item->ready_ns)
        item->ready_ns = ready_ns;
    if (--run->missing[number] == 0)
        later(run, item->ready_ns, ITEM_IS_READY, number);
}

static void item_is_ready(struct run *run, uint32_t number)
{
    struct timeline_item *item = &run->input->items[number];
    if (crosses_bus(item)) {
        copies_add(&run->copies, number);
    } else if (timeline_computes(item)) {
        run->failed |= !sharing_add(&run->sharing, number, &item->share, item->alone_ns);
    } else {
        item->start_ns = run->now_ns;
        later(run, run->now_ns + item->alone_ns, ITEM_ENDS, number);
    }
}

/* The host continues when all work that the call waits for has ended. */
static void call_is_less_missing(struct run *run, uint32_t number)
{
    struct timeline_call *call = &run->input->calls[number];
    if (--run->call_missing[number])
        return;
    call->end_ns = call->start_ns + call->host_ns;
    if (run->now_ns > call->end_ns)
        call->end_ns = run->now_ns + (call->does_wait ? TIMELINE_COSTS.return_ns : 0);
    later(run, call->end_ns, HOST_CONTINUES, call->thread);
}

/* Release the pieces that wait for the end, or the call that made the copy, which waits for the
 * host's part. */
static void waiting_calls_go_on(struct run *run, uint32_t item, bool has_ended)
{
    const struct timeline_item *of = &run->input->items[item];
    bool has_two_parts = of->is_paged && of->kind == TIMELINE_UP;
    for (uint32_t i = run->waiters.first[item]; i < run->waiters.first[item + 1]; i++) {
        bool waits_for_host = has_two_parts && run->waiters.to[i] == of->call;
        if (waits_for_host != has_ended)
            call_is_less_missing(run, run->waiters.to[i]);
    }
}

static void host_continues(struct run *run, uint32_t thread)
{
    const struct links *calls = &run->calls;
    uint32_t next = calls->first[thread] + run->done_calls[thread];
    if (next == calls->first[thread + 1])
        return;
    run->done_calls[thread]++;
    uint32_t number = calls->to[next];
    struct timeline_call *call = &run->input->calls[number];
    call->start_ns = run->now_ns;
    for (uint32_t i = run->queued.first[number]; i < run->queued.first[number + 1]; i++) {
        uint32_t item = run->queued.to[i];
        double arrival_ns = run->input->items[item].in_graph ? TIMELINE_COSTS.graph_arrival_ns
                                                             : TIMELINE_COSTS.arrival_ns;
        later(run, run->now_ns + call->host_ns + arrival_ns, ITEM_ARRIVES, item);
    }
    for (uint32_t i = run->beginners.first[number + 1]; i < run->beginners.first[number + 2]; i++)
        later(run, run->now_ns + call->host_ns, HOST_CONTINUES,
              run->input->calls[run->beginners.to[i]].thread);
    call_is_less_missing(run, number); /* itself is counted once */
}

static void item_ends(struct run *run, uint32_t number)
{
    struct timeline_item *item = &run->input->items[number];
    item->end_ns = run->now_ns;
    waiting_calls_go_on(run, number, true);
    for (uint32_t i = run->followers.first[number]; i < run->followers.first[number + 1]; i++) {
        uint32_t next = run->followers.to[i];
        item_is_less_missing(run, next, run->now_ns + gap_ns(item, &run->input->items[next]));
    }
}

static void happen(struct run *run, const struct moment *moment)
{
    switch (moment->kind) {
    case HOST_CONTINUES: host_continues(run, moment->of); break;
    case ITEM_ARRIVES: item_is_less_missing(run, moment->of, run->now_ns); break;
    case ITEM_IS_READY: item_is_ready(run, moment->of); break;
    case ITEM_ENDS: item_ends(run, moment->of); break;
    }
}

/* --- Engines ---------------------------------------------------------------------------------- */

static void kernel_began(void *of, uint32_t item)
{
    struct run *run = of;
    run->input->items[item].start_ns = run->now_ns;
}

/* Advance the time to the next event, or until an engine has finished something. */
static void pass(struct run *run)
{
    double passed_ns = fmin(sharing_next_ns(&run->sharing), copies_next_ns(&run->copies));
    if (run->moment_count)
        passed_ns = fmin(passed_ns, run->heap[0].at_ns - run->now_ns);
    if (!isfinite(passed_ns))
        return;
    passed_ns = fmax(passed_ns, 0);
    run->now_ns += passed_ns;
    sharing_pass(&run->sharing, passed_ns);
    copies_pass(&run->copies, passed_ns);
}

static void end_what_is_over(struct run *run)
{
    uint32_t item;
    bool is_last, has_ended;
    while (sharing_take(&run->sharing, &item, &is_last))
        if (is_last)
            item_ends(run, item);
    while (copies_take(&run->copies, &item, &has_ended))
        if (has_ended)
            item_ends(run, item);
        else
            waiting_calls_go_on(run, item, false);
}

static bool is_at_work(const struct run *run)
{
    return run->moment_count || run->sharing.round_count || copies_run(&run->copies);
}

/* --- All of it -------------------------------------------------------------------------------- */

static uint32_t thread_count(const struct timeline_input *input)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < input->call_count; i++)
        if (input->calls[i].thread >= count)
            count = input->calls[i].thread + 1;
    return count;
}

static bool prepare(struct run *run, uint32_t threads)
{
    struct timeline_input *input = run->input;
    run->missing = calloc((size_t)input->item_count + 1, sizeof *run->missing);
    run->call_missing = calloc((size_t)input->call_count + 1, sizeof *run->call_missing);
    run->done_calls = calloc((size_t)threads + 1, sizeof *run->done_calls);
    bool ok = sharing_open(&run->sharing, input->multiprocessors, input->scheduler_warps) &&
              copies_open(&run->copies, input->items, input->item_count) && run->missing &&
              run->call_missing && run->done_calls;
    ok = ok && link(&run->followers, input->item_count, input->item_count, input, after_of) &&
         link(&run->waiters, input->item_count, input->call_count, input, waits_of) &&
         link(&run->queued, input->call_count, input->item_count, input, call_of) &&
         link(&run->calls, threads, input->call_count, input, thread_of) &&
         link(&run->beginners, input->call_count + 1, input->call_count, input, follows_of);
    for (uint32_t i = 0; ok && i < input->item_count; i++) {
        struct timeline_item *item = &input->items[i];
        run->missing[i] = item->after.count + 1;
        item->ready_ns = item->start_ns = item->end_ns = 0;
    }
    for (uint32_t i = 0; ok && i < input->call_count; i++) {
        run->call_missing[i] = input->calls[i].waits.count + 1;
        input->calls[i].start_ns = input->calls[i].end_ns = 0;
    }
    return ok;
}

static void release(struct run *run)
{
    struct links *all[] = {&run->followers, &run->waiters, &run->queued, &run->calls,
                           &run->beginners};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]->first);
        free(all[i]->to);
    }
    copies_close(&run->copies);
    free(run->missing);
    free(run->call_missing);
    free(run->done_calls);
    free(run->heap);
    sharing_free(&run->sharing);
}

bool timeline_run(struct timeline_input *input)
{
    struct run run = {.input = input};
    uint32_t threads = thread_count(input);
    bool ok = prepare(&run, threads);
    for (uint32_t i = 0; ok && i < threads; i++)
        if (!input->calls[run.calls.to[run.calls.first[i]]].follows)
            later(&run, 0, HOST_CONTINUES, i);
    while (ok && !run.failed && is_at_work(&run)) {
        pass(&run);
        end_what_is_over(&run);
        while (run.moment_count && run.heap[0].at_ns <= run.now_ns) {
            struct moment moment = take_first(&run);
            happen(&run, &moment);
        }
        copies_begin(&run.copies, run.now_ns);
        run.failed |= !sharing_begin(&run.sharing, kernel_began, &run);
    }
    release(&run);
    return ok && !run.failed;
}
