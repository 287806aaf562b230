/* conflicts.c - see conflicts.h. Next: operation.h. */
#include "operation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What two of them both touch -------------------------------------------------------------- */

struct clash {
    const struct operation *one, *other; /* one was done later */
    struct sim_bytes bytes;              /* the lowest that both touch, as a range */
    bool one_writes, other_writes;
};

static bool writes(enum sim_touch touch)
{
    return touch == SIM_TOUCH_WRITE || touch == SIM_TOUCH_STRONG_WRITE;
}

static bool is_strong(enum sim_touch touch)
{
    return touch == SIM_TOUCH_STRONG_READ || touch == SIM_TOUCH_STRONG_WRITE;
}

/* The first range that both have. */
static bool overlap(const struct sim_extent *one, enum sim_touch of_one,
                    const struct sim_extent *other, enum sim_touch of_other,
                    struct sim_bytes *common)
{
    const struct sim_bytes *a = one->ranges[of_one], *b = other->ranges[of_other];
    const struct sim_bytes *a_end = a + one->count[of_one], *b_end = b + other->count[of_other];
    while (a < a_end && b < b_end) {
        *common = (struct sim_bytes){a->low > b->low ? a->low : b->low,
                                     a->high < b->high ? a->high : b->high};
        if (common->low < common->high)
            return true;
        if (a->high <= b->high)
            a++;
        else
            b++;
    }
    return false;
}

/* May the later one have waited for the earlier one, at a flag or a counter? */
static bool is_handed_over(const struct clash *clash)
{
    struct sim_bytes at;
    return clash->one->extent.has_fences && clash->other->extent.has_fences &&
           overlap(&clash->one->extent, SIM_TOUCH_STRONG_READ, &clash->other->extent,
                   SIM_TOUCH_STRONG_WRITE, &at);
}

/* The lowest byte counts; of equals, that both write. */
static bool tells_more(const struct clash *clash, struct sim_bytes bytes, bool both_write)
{
    return bytes.low < clash->bytes.low || (bytes.low == clash->bytes.low && both_write);
}

static bool do_clash(struct clash *clash)
{
    bool found = false;
    for (int a = 0; a < SIM_TOUCHES; a++)
        for (int b = 0; b < SIM_TOUCHES; b++) {
            enum sim_touch one = (enum sim_touch)a, other = (enum sim_touch)b;
            struct sim_bytes bytes;
            if (!(writes(one) || writes(other)) || (is_strong(one) && is_strong(other)) ||
                !overlap(&clash->one->extent, one, &clash->other->extent, other, &bytes) ||
                (found && !tells_more(clash, bytes, writes(one) && writes(other))))
                continue;
            found = true;
            clash->bytes = bytes;
            clash->one_writes = writes(one);
            clash->other_writes = writes(other);
        }
    return found && !is_handed_over(clash);
}

/* --- Telling ---------------------------------------------------------------------------------- */

static const char *verb_of(const struct operation *operation, bool it_writes)
{
    return operation->kind == WORK_FREE ? "frees" : it_writes ? "writes" : "reads";
}

static void tell(struct client *client, const struct clash *clash, struct sim_fault *fault)
{
    const struct operation *one = clash->one, *other = clash->other;
    struct sim_line here = operation_line_at(one, clash->bytes, clash->one_writes);
    struct sim_line there = operation_line_at(other, clash->bytes, clash->other_writes);
    char by_one[100], by_other[180], memory[160];
    uint64_t start = sim_memory_name(client->context, clash->bytes.low, memory, sizeof memory);
    uint64_t bytes = clash->bytes.high - clash->bytes.low;
    const char *does = verb_of(one, clash->one_writes);
    const char *did = verb_of(other, clash->other_writes);
    operation_name(one, NULL, by_one, sizeof by_one);
    operation_name(other, &there, by_other, sizeof by_other);
    *fault = (struct sim_fault){.kind = SIM_FAULT_UNORDERED,
                                .line = here.line ? here : there,
                                .other = here.line ? there : here,
                                .thread = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                .other_thread = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                .kernel = one->kernel ? one->kernel : other->kernel,
                                .advice = sim_fault_advice(SIM_FAULT_UNORDERED)};
    snprintf(fault->message, sizeof fault->message,
             "%s %s %" PRIu64 " byte%s of %s, from byte %" PRIu64 " on, which %s %s%s; nothing "
             "orders the two",
             by_one, does, bytes, bytes == 1 ? "" : "s", memory, clash->bytes.low - start, by_other,
             did, strcmp(does, did) == 0 ? ", too" : "");
}

/* Hold a new operation against those before it, and keep it. The client's lock is held. */
static bool find(struct client *client, uint64_t id, struct operation *made,
                 struct sim_fault *fault)
{
    struct operations *operations = order_operations(client);
    bool found = false;
    if (!operations || !order_place_of(client, id, &made->place)) {
        operation_free(made);
        return false;
    }
    for (const struct operation *it = operations->first; it && !found; it = it->next) {
        struct clash clash = {.one = made, .other = it};
        found = !order_precedes(client, it->place, id) && do_clash(&clash);
        if (found)
            tell(client, &clash, fault);
    }
    operations_append(operations, made);
    return found;
}

/* The host may look at what is written to its memory, and go on when it is there. */
static bool host_sees(const struct client *client, const struct sim_extent *extent)
{
    static const enum sim_touch WRITES[] = {SIM_TOUCH_WRITE, SIM_TOUCH_STRONG_WRITE};
    struct sim_range range;
    for (size_t i = 0; i < sizeof WRITES / sizeof *WRITES; i++)
        for (size_t j = 0; j < extent->count[WRITES[i]]; j++)
            if (sim_find(client->context, extent->ranges[WRITES[i]][j].low, &range) &&
                (range.kind == SIM_MEMORY_HOST || range.kind == SIM_MEMORY_MANAGED))
                return true;
    return false;
}

static struct sim_line line_of_call(const struct client *client, uint32_t place)
{
    if (place == 0 || place > client->place_count)
        return (struct sim_line){.line = 0};
    return (struct sim_line){client->places[place - 1].file, client->places[place - 1].line, 0};
}

/* NULL if nothing is known of what it touches. */
static struct operation *operation_of(const struct client *client, const struct work *work,
                                      const struct launch *launch)
{
    struct sim_kernel_info info;
    struct operation *made = calloc(1, sizeof *made);
    if (!made || !operation_touches(made, client->context, work, launch)) {
        operation_free(made);
        return NULL;
    }
    made->kind = work->kind;
    if (work->kind == WORK_LAUNCH) {
        sim_kernel_info(client->context, work->kernel, &info);
        made->kernel = info.name;
        made->line = made->extent.kernel_line;
    }
    return made;
}

bool conflicts_of_work(struct client *client, const struct work *work, const struct launch *launch,
                       struct sim_fault *fault)
{
    pthread_mutex_lock(&client->lock);
    bool is_watched = order_may_lack(client);
    pthread_mutex_unlock(&client->lock);
    struct operation *made = is_watched ? operation_of(client, work, launch) : NULL;
    if (!made)
        return false;
    bool is_seen = host_sees(client, &made->extent);
    pthread_mutex_lock(&client->lock);
    if (!made->kernel)
        made->line = line_of_call(client, work->request.place);
    bool found = find(client, work->id, made, fault);
    if (is_seen)
        order_host_sees(client, work);
    pthread_mutex_unlock(&client->lock);
    return found;
}

void conflicts_of_copy_to_host(struct client *client, uint64_t id, const struct copy_request *copy,
                               uint32_t place)
{
    struct sim_fault fault;
    struct operation *made = order_may_lack(client) ? calloc(1, sizeof *made) : NULL;
    if (!made)
        return;
    made->kind = WORK_COPY;
    made->line = line_of_call(client, place);
    if (!operation_reads(made, copy))
        operation_free(made);
    else if (find(client, id, made, &fault))
        conflicts_tell(client, &fault);
}

void conflicts_tell(struct client *client, const struct sim_fault *fault)
{
    struct device *device = client->device;
    if (client->is_evicted || client->dying)
        return;
    history_unordered(device, client, fault);
    bool is_printed = findings_note_unordered(device, fault) && !device->quiet;
    if (is_printed)
        fault_print(fault);
    if (!device->options.keep_going)
        client_break(client, sim_fault_cuda_error(fault->kind), is_printed ? "" : fault->message);
}
