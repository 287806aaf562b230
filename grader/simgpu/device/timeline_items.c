/* timeline_items.c - the pieces of work of the record: see timeline.h. */
#include "timeline_costs.h"
#include "timeline_internal.h"

#include <stdlib.h>

/* --- Which item a piece of work is ------------------------------------------------------------ */

static void note_item(struct timeline *timeline, struct client *client, uint64_t work,
                      uint32_t item)
{
    struct timeline_numbers *numbers = &client->timeline_numbers;
    if (numbers->generation != timeline->generation) {
        numbers->generation = timeline->generation;
        numbers->first = work;
        numbers->count = 0;
    }
    uint64_t at = work - numbers->first;
    if (at >= numbers->room) {
        size_t room = 2 * (at + 128);
        uint32_t *grown = realloc(numbers->items, room * sizeof *grown);
        if (!grown) {
            timeline->is_cut = true;
            return;
        }
        numbers->items = grown;
        numbers->room = room;
    }
    for (; numbers->count <= at; numbers->count++)
        numbers->items[numbers->count] = TIMELINE_NONE;
    numbers->items[at] = item;
}

uint32_t timeline_item_of(const struct timeline *timeline, const struct client *client,
                          uint64_t work)
{
    const struct timeline_numbers *numbers = &client->timeline_numbers;
    bool known = numbers->generation == timeline->generation && work >= numbers->first &&
                 work - numbers->first < numbers->count;
    return known ? numbers->items[work - numbers->first] : TIMELINE_NONE;
}

/* --- Pieces of work --------------------------------------------------------------------------- */

static bool is_pinned(const struct client *client, uint64_t address)
{
    struct sim_range range;
    return sim_find(client->context, address, &range) && range.kind == SIM_MEMORY_HOST;
}

static enum timeline_kind kind_of_copy(const struct client *client, const struct copy_request *copy)
{
    if (copy->kind == COPY_FROM_HOST)
        return TIMELINE_UP;
    if (copy->kind == COPY_TO_HOST)
        return TIMELINE_DOWN;
    bool from = is_pinned(client, copy->from), to = is_pinned(client, copy->to);
    return from == to ? TIMELINE_MOVE : from ? TIMELINE_UP : TIMELINE_DOWN;
}

static enum timeline_kind kind_of(const struct client *client, const struct work *work)
{
    switch (work->kind) {
    case WORK_LAUNCH:
    case WORK_MATMUL:
    case WORK_BLAS: return TIMELINE_KERNEL;
    case WORK_COPY: return kind_of_copy(client, &work->request.copy);
    case WORK_SET: return TIMELINE_SET;
    case WORK_RECORD: return TIMELINE_RECORD;
    case WORK_HOST_FUNCTION: return TIMELINE_FUNCTION;
    default: return TIMELINE_WAIT;
    }
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The time of a copy of pageable memory: the host moves it through the driver's buffers, faster if
 * its cache still has it, and then the last buffer goes over the bus. */
static double paged_up_ns(double bytes, bool is_cached)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    return bytes / (is_cached ? costs->cached_up_bytes_per_ns : costs->paged_up_bytes_per_ns);
}

static double paged_up_tail_ns(double bytes)
{
    return least(bytes, TIMELINE_COSTS.buffer_bytes) / TIMELINE_COSTS.up_bytes_per_ns;
}

/* These copies need some time to reach their full rate. */
static double paged_down_ns(double bytes)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    double slow = least(bytes, costs->slow_down_bytes);
    return costs->paged_down_start_ns + slow / costs->slow_down_bytes_per_ns +
           (bytes - slow) / costs->paged_down_bytes_per_ns;
}

/* Does the host's cache have the memory at address? The last copies went through it, and memory
 * that was never copied has just been written. */
static bool is_cached(struct client *client, uint64_t address, double bytes)
{
    struct timeline_pages *pages = &client->timeline_pages;
    double distance = bytes;
    unsigned at = 0;
    while (at < TIMELINE_RANGES && pages->ranges[at].address != address)
        at++;
    if (at < TIMELINE_RANGES)
        distance = pages->copied_bytes - pages->ranges[at].copied_bytes + bytes;
    else
        at = pages->next++ % TIMELINE_RANGES;
    pages->copied_bytes += bytes;
    pages->ranges[at].address = address;
    pages->ranges[at].copied_bytes = pages->copied_bytes;
    return distance <= TIMELINE_COSTS.host_cache_bytes;
}

static bool is_small(double bytes)
{
    return bytes <= TIMELINE_COSTS.small_bytes;
}

static double up_ns(struct client *client, const struct copy_request *copy, double bytes)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    if (copy->kind != COPY_FROM_HOST)
        return costs->copy_start_ns + bytes / costs->up_bytes_per_ns;
    bool cached = is_cached(client, copy->from, bytes);
    return is_small(bytes) ? costs->copy_start_ns + bytes / costs->small_bytes_per_ns
                           : paged_up_ns(bytes, cached);
}

static double mark_ns(struct client *client, const struct work *work)
{
    const struct event *event = work->event ? event_at(client, work->event) : NULL;
    return event && event->is_timed ? TIMELINE_COSTS.timed_mark_ns : TIMELINE_COSTS.mark_ns;
}

/* A copy on the device reads and writes. */
static double dram_ns(const struct client *client, enum timeline_kind kind, double bytes)
{
    double dram = sim_machine_profile(client->device->machine)->dram_bytes_per_s * 1e-9;
    return (kind == TIMELINE_MOVE ? 2 : 1) * bytes / dram;
}

static double alone_ns(struct client *client, const struct timeline_item *item,
                       const struct work *work, double bytes)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    bool waits = work->request.kind == REQUEST_STREAM_WAIT;
    switch (item->kind) {
    case TIMELINE_UP: return up_ns(client, &work->request.copy, bytes);
    case TIMELINE_DOWN: return costs->copy_start_ns + bytes / costs->down_bytes_per_ns;
    case TIMELINE_MOVE: return costs->move_start_ns + dram_ns(client, item->kind, bytes);
    case TIMELINE_SET:
        return (item->in_graph ? costs->set_in_graph_ns : costs->set_start_ns) +
               dram_ns(client, item->kind, bytes);
    case TIMELINE_RECORD: return mark_ns(client, work);
    case TIMELINE_FUNCTION: return costs->function_ns;
    case TIMELINE_WAIT: return waits && !item->in_graph ? costs->mark_ns : 0;
    default: return 0;
    }
}

static double bytes_of(const struct work *work)
{
    const struct set_request *set = &work->request.set;
    if (work->kind == WORK_COPY)
        return timeline_copied_bytes(&work->request.copy);
    return work->kind == WORK_SET ? (double)set->width * set->element_bytes * (double)set->height
                                  : 0;
}

/* Until more is known about it, a kernel takes the whole device. */
static struct timeline_share whole_device(const struct client *client)
{
    double multiprocessors = sim_machine_profile(client->device->machine)->multiprocessors;
    return (struct timeline_share){.blocks = multiprocessors,
                                   .fit = multiprocessors,
                                   .block = {.place = {[PLACE_WARPS] = 1}, .split = 1}};
}

/* The part of a multiprocessor's memory that is split off for this many blocks: the smallest in
 * which they fit. Smaller devices have the first of these. */
static double split_for(const struct sim_profile *profile, double shared_bytes, double blocks)
{
    static const double SPLITS_KIB[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    for (size_t i = 0; i < sizeof SPLITS_KIB / sizeof *SPLITS_KIB; i++)
        if (SPLITS_KIB[i] * 1024 >= shared_bytes * blocks)
            return least(1, SPLITS_KIB[i] * 1024 / profile->shared_bytes);
    return 1;
}

/* blocks: this many fit on a multiprocessor. */
static struct timeline_block block_of(const struct sim_profile *profile, double warps,
                                      double registers, double shared_bytes, double blocks)
{
    return (struct timeline_block){
        .place = {[PLACE_WARPS] = warps / profile->warps,
                  [PLACE_REGISTERS] = registers * warps * 32 / profile->registers,
                  [PLACE_SHARED] = shared_bytes / profile->shared_bytes,
                  [PLACE_BLOCKS] = 1.0 / profile->blocks},
        .split = split_for(profile, shared_bytes, blocks)};
}

/* A copy or memset on the device is a kernel of the driver's. It needs space like other kernels: 16
 * bytes per thread, 256 threads per block. */
static struct timeline_share move_share(const struct client *client, double bytes, double dram_ns,
                                        double alone_ns)
{
    enum { WARPS = 8, BLOCK_BYTES = WARPS * 32 * 16 };
    const struct sim_profile *profile = sim_machine_profile(client->device->machine);
    double each = profile->warps / WARPS;
    return (struct timeline_share){
        .blocks = (double)(uint64_t)(bytes / BLOCK_BYTES) + 1,
        .fit = each * profile->multiprocessors,
        .block = block_of(profile, WARPS, 0, profile->shared_bytes_reserved, each),
        .supply = {[SUPPLY_DRAM] = dram_ns / alone_ns}};
}

static struct timeline_item item_from(struct client *client, const struct work *work)
{
    double bytes = bytes_of(work);
    struct timeline_item item = {
        .kind = kind_of(client, work), .in_graph = work->in_graph, .call = client->calling};
    item.is_paged =
        work->kind == WORK_COPY && work->request.copy.kind == COPY_FROM_HOST && !is_small(bytes);
    item.alone_ns = alone_ns(client, &item, work, bytes);
    if (item.is_paged) {
        item.tail_ns = paged_up_tail_ns(bytes);
        item.bus_ns = bytes / TIMELINE_COSTS.up_bytes_per_ns;
    }
    if (item.kind == TIMELINE_KERNEL)
        item.share = whole_device(client);
    if (item.kind == TIMELINE_MOVE || item.kind == TIMELINE_SET)
        item.share = move_share(client, bytes, dram_ns(client, item.kind, bytes), item.alone_ns);
    return item;
}

void timeline_item(struct client *client, const struct work *work)
{
    struct timeline *timeline = timeline_enter(client);
    if (!timeline)
        return;
    bool is_called =
        client->calling != TIMELINE_NONE && client->calling_generation == timeline->generation;
    if (is_called && timeline->item_count < MOST_KEPT &&
        timeline_grow((void **)&timeline->items, sizeof *timeline->items,
                      (void **)&timeline->pieces, sizeof *timeline->pieces, timeline->item_count,
                      &timeline->item_room)) {
        uint32_t number = timeline->item_count++;
        timeline->items[number] = item_from(client, work);
        timeline->pieces[number] = (struct timeline_piece){.process = (uint64_t)client->process,
                                                           .stream = work->stream,
                                                           .work = work->kind,
                                                           .bytes = bytes_of(work)};
        note_item(timeline, client, work->id, number);
        if (timeline->items[number].is_paged) { /* the host fills the driver's buffers */
            struct timeline_call *call = &timeline->calls[client->calling];
            timeline_append(timeline, &call->waits, number);
        }
    } else {
        timeline->is_cut = true;
    }
    timeline_leave(timeline);
}

void timeline_after(struct client *client, uint64_t work, uint64_t before)
{
    struct timeline *timeline = timeline_enter(client);
    if (!timeline)
        return;
    uint32_t item = timeline_item_of(timeline, client, work),
             other = timeline_item_of(timeline, client, before);
    if (item != TIMELINE_NONE && other != TIMELINE_NONE)
        timeline_append(timeline, &timeline->items[item].after, other);
    timeline_leave(timeline);
}

/* The item of a piece of work, if it is kept, and the record, locked. */
static struct timeline *item_enter(const struct client *client, uint64_t work, uint32_t *item)
{
    struct timeline *timeline = timeline_enter(client);
    if (!timeline)
        return NULL;
    *item = timeline_item_of(timeline, client, work);
    if (*item != TIMELINE_NONE)
        return timeline;
    timeline_leave(timeline);
    return NULL;
}

void timeline_is_copy_to_host(struct client *client, uint64_t work, const struct copy_request *copy)
{
    uint32_t number;
    struct timeline *timeline = item_enter(client, work, &number);
    if (!timeline)
        return;
    struct timeline_item *item = &timeline->items[number];
    struct timeline_piece *piece = &timeline->pieces[number];
    item->kind = TIMELINE_DOWN;
    item->is_paged = true;
    piece->work = WORK_COPY;
    piece->bytes = timeline_copied_bytes(copy);
    item->alone_ns = paged_down_ns(piece->bytes);
    is_cached(client, copy->to, piece->bytes);
    timeline_leave(timeline);
}

/* The body's pieces wait for what the node waited for; from now on the node waits for them. */
void timeline_decided(struct client *client, uint64_t node, uint64_t first)
{
    uint32_t number;
    struct timeline *timeline = item_enter(client, node, &number);
    if (!timeline)
        return;
    struct timeline_list before = timeline->items[number].after, body = {0};
    for (uint64_t work = first; work <= client->next_work; work++) {
        uint32_t item = timeline_item_of(timeline, client, work);
        if (item == TIMELINE_NONE)
            continue;
        for (uint32_t i = 0; i < before.count; i++)
            timeline_append(timeline, &timeline->items[item].after,
                            timeline->lists[before.first + i]);
        timeline_append(timeline, &body, item);
    }
    if (body.count)
        timeline->items[number].after = body;
    timeline_leave(timeline);
}

static void fill_share(struct timeline_share *share, const struct sim_profile *profile,
                       const struct sim_launch_result *result)
{
    const struct sim_launch_config *config = &result->config;
    double threads = (double)config->block[0] * config->block[1] * config->block[2];
    double warps = (double)(uint64_t)((threads + 31) / 32);
    double each = result->blocks_per_multiprocessor ? result->blocks_per_multiprocessor : 1;
    double seconds = result->modelled_ns * 1e-9;
    share->blocks = (double)config->grid[0] * config->grid[1] * config->grid[2];
    share->fit = each * profile->multiprocessors;
    share->block = block_of(profile, warps, result->registers, result->shared_bytes, each);
    if (seconds <= 0)
        return;
    double slots =
        seconds * profile->clock_mhz * 1e6 * profile->multiprocessors * profile->schedulers;
    share->supply[SUPPLY_ISSUE] = least(1, (double)result->totals.warp_inst / slots);
    share->supply[SUPPLY_DRAM] = least(1, (result->dram_read_bytes + result->dram_write_bytes) /
                                              (seconds * profile->dram_bytes_per_s));
}

void timeline_kernel(struct client *client, const struct work *work,
                     const struct sim_launch_result *result)
{
    uint32_t number;
    const char *name = NULL;
    if (!timeline_is_kept(client))
        return;
    pthread_mutex_lock(&client->device->lock);
    name = history_text(client->device->history, result->kernel);
    pthread_mutex_unlock(&client->device->lock);
    struct timeline *timeline = item_enter(client, work->id, &number);
    if (!timeline)
        return;
    fill_share(&timeline->items[number].share, sim_machine_profile(client->device->machine),
               result);
    timeline->pieces[number].kernel = name;
    timeline_leave(timeline);
}

void timeline_done(struct client *client, const struct work *work, double duration_ns)
{
    uint32_t number;
    struct timeline *timeline =
        work_computes(work->kind) ? item_enter(client, work->id, &number) : NULL;
    if (!timeline)
        return;
    double own_ns = duration_ns - TIMELINE_COSTS.events_around_ns;
    timeline->items[number].alone_ns = own_ns > 0 ? own_ns : 0;
    timeline_leave(timeline);
}
