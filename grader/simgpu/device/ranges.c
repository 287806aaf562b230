/* ranges.c - keeps account of NVTX ranges, as libwarpquest-nvtx.so (../nvtx) reports them. */
#include "ranges.h"

#include "device.h"

#include <stdlib.h>
#include <string.h>

/* With more instances, the median is that of the first MOST_TIMES. */
enum { MOST_TIMES = 1 << 18, MOST_OPEN = 4096, MOST_NAME_BYTES = 1024 };

/* --- Kinds and paths: device->lock is held ---------------------------------------------------- */

static struct range_kind *kind_named(struct device *device, const char *name,
                                     enum range_style style)
{
    name = history_text(device->history, name);
    for (struct range_kind *kind = device->range_kinds; kind; kind = kind->next)
        if (kind->name == name && kind->style == style)
            return kind;
    struct range_kind *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    *made = (struct range_kind){.next = device->range_kinds, .name = name, .style = style};
    return device->range_kinds = made;
}

/* The path for kind inside outer. A range inside one of the same name adds nothing. */
static const struct range_path *path_into(struct device *device, const struct range_path *outer,
                                          struct range_kind *kind)
{
    for (const struct range_path *path = outer; path; path = path->outer)
        if (path->kind == kind)
            return outer;
    for (const struct range_path *path = device->range_paths; path; path = path->next)
        if (path->outer == outer && path->kind == kind)
            return path;
    struct range_path *made = calloc(1, sizeof *made);
    if (!made)
        return outer;
    *made = (struct range_path){.next = device->range_paths, .outer = outer, .kind = kind};
    return device->range_paths = made;
}

static void find_path(struct device *device, struct open_ranges *ranges)
{
    ranges->path = NULL;
    for (size_t i = 0; i < ranges->count; i++)
        ranges->path = path_into(device, ranges->path, ranges->open[i].kind);
}

static void add_time(struct range_kind *kind, double time_ns)
{
    bool first = kind->instances++ == 0;
    kind->total_ns += time_ns;
    kind->least_ns = first || time_ns < kind->least_ns ? time_ns : kind->least_ns;
    kind->most_ns = first || time_ns > kind->most_ns ? time_ns : kind->most_ns;
    if (kind->time_count == kind->time_room && kind->time_room < MOST_TIMES) {
        size_t room = kind->time_room ? 2 * kind->time_room : 16;
        double *grown = realloc(kind->times_ns, room * sizeof *grown);
        if (!grown)
            return;
        kind->times_ns = grown;
        kind->time_room = room;
    }
    if (kind->time_count < kind->time_room)
        kind->times_ns[kind->time_count++] = time_ns;
}

const struct range_kind *ranges_kinds(const struct device *device)
{
    return device->range_kinds;
}

/* --- Opening and closing ---------------------------------------------------------------------- */

static bool open_range(struct device *device, struct open_ranges *ranges, const char *name,
                       enum range_style style, uint64_t id, double now_ns)
{
    if (ranges->count == MOST_OPEN)
        return false;
    if (ranges->count == ranges->room) {
        size_t room = ranges->room ? 2 * ranges->room : 8;
        struct open_range *grown = realloc(ranges->open, room * sizeof *grown);
        if (!grown)
            return false;
        ranges->open = grown;
        ranges->room = room;
    }
    pthread_mutex_lock(&device->lock);
    struct range_kind *kind = kind_named(device, name, style);
    if (kind) {
        ranges->open[ranges->count++] = (struct open_range){id, kind, now_ns};
        find_path(device, ranges);
    }
    pthread_mutex_unlock(&device->lock);
    return kind != NULL;
}

static void close_range(struct device *device, struct open_ranges *ranges, size_t at, double now_ns)
{
    struct open_range closed = ranges->open[at];
    memmove(&ranges->open[at], &ranges->open[at + 1],
            (--ranges->count - at) * sizeof *ranges->open);
    pthread_mutex_lock(&device->lock);
    add_time(closed.kind, now_ns - closed.start_ns);
    find_path(device, ranges);
    pthread_mutex_unlock(&device->lock);
}

void ranges_end(struct device *device, struct open_ranges *ranges, double now_ns)
{
    while (ranges->count)
        close_range(device, ranges, ranges->count - 1, now_ns);
    free(ranges->open);
    *ranges = (struct open_ranges){0};
}

/* --- Requests --------------------------------------------------------------------------------- */

static void open_as_asked(struct exchange *exchange, struct open_ranges *ranges,
                          enum range_style style, uint64_t id)
{
    struct client *client = exchange->client;
    uint64_t bytes = exchange->request.payload_bytes;
    char name[MOST_NAME_BYTES];
    bytes = bytes < sizeof name ? bytes : sizeof name - 1;
    if (bytes)
        memcpy(name, exchange->payload, bytes);
    name[bytes] = 0;
    if (!open_range(client->device, ranges, name, style, id, client->host_ns))
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "too many NVTX ranges are open");
}

void request_range_push(struct exchange *exchange)
{
    open_as_asked(exchange, &exchange->line->ranges, RANGE_PUSH_POP, 0);
}

/* A pop without a push is not reported: NVTX itself ignores it. */
void request_range_pop(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct open_ranges *ranges = &exchange->line->ranges;
    if (ranges->count)
        close_range(client->device, ranges, ranges->count - 1, client->host_ns);
}

void request_range_start(struct exchange *exchange)
{
    open_as_asked(exchange, &exchange->client->ranges, RANGE_START_END, exchange->request.nvtx.id);
}

void request_range_end(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct open_ranges *ranges = &client->ranges;
    for (size_t i = 0; i < ranges->count; i++)
        if (ranges->open[i].id == exchange->request.nvtx.id) {
            close_range(client->device, ranges, i, client->host_ns);
            return;
        }
}
