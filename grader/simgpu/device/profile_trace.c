/* profile_trace.c - the timeline as a trace that ui.perfetto.dev and chrome://tracing open.
 *
 * It is a JSON object with a list of events (the Trace Event Format): complete ones, "X", with a
 * start and a duration in us, in lanes, the format's threads. The lanes are the engines, and the
 * threads and the streams of each program. NVTX ranges lie around the calls of their thread.
 */
#include "profile.h"
#include "timeline.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The format's processes: the engines, and of each program its threads and its streams. */
enum { ENGINES = 1, FIRST_THREADS = 2 };
enum { LANE_UP = 1, LANE_DOWN, LANE_COMPUTE };

struct trace {
    const struct profile *profile;
    const struct timeline_view *view;
    FILE *stream;
    bool has_any;
    uint64_t *programs; /* process numbers */
    size_t program_count;
};

bool profile_gather_timeline(struct profile *profile)
{
    struct device *device = (struct device *)profile->device;
    bool is_kept = device->options.timeline && !device->has_control;
    if (!is_kept && !device->shows_timeline)
        return true;
    profile->timeline = calloc(1, sizeof *profile->timeline);
    return profile->timeline && timeline_read(device, profile->timeline);
}

void profile_free_timeline(struct profile *profile)
{
    if (profile->timeline)
        timeline_view_free(profile->timeline);
    free(profile->timeline);
}

static void put(struct trace *trace, json_t *event)
{
    fputs(trace->has_any ? ",\n" : "\n", trace->stream);
    json_dumpf(event, trace->stream, JSON_COMPACT);
    json_decref(event);
    trace->has_any = true;
}

static void name_lane(struct trace *trace, const char *what, uint64_t of, uint64_t lane,
                      const char *name)
{
    put(trace, json_pack("{ss ss sI sI s{ss}}", "name", what, "ph", "M", "pid", (json_int_t)of,
                         "tid", (json_int_t)lane, "args", "name", name));
}

static json_t *event_of(const char *name, const char *category, uint64_t of, uint64_t lane,
                        double start_ns, double end_ns)
{
    return json_pack("{so ss ss sI sI sf sf}", "name", json_text(name), "cat", category, "ph", "X",
                     "pid", (json_int_t)of, "tid", (json_int_t)lane, "ts", start_ns * 1e-3, "dur",
                     (end_ns - start_ns) * 1e-3);
}

/* --- Programs --------------------------------------------------------------------------------- */

static size_t program_of(struct trace *trace, uint64_t process)
{
    for (size_t i = 0; i < trace->program_count; i++)
        if (trace->programs[i] == process)
            return i;
    trace->programs[trace->program_count] = process;
    return trace->program_count++;
}

static uint64_t threads_of(struct trace *trace, uint64_t process)
{
    return FIRST_THREADS + 2 * program_of(trace, process);
}

static uint64_t streams_of(struct trace *trace, uint64_t process)
{
    return threads_of(trace, process) + 1;
}

/* --- Pieces of work --------------------------------------------------------------------------- */

static const char *piece_name(const struct trace *trace, uint32_t i)
{
    const struct timeline_piece *piece = &trace->view->pieces[i];
    return piece->kernel ? profile_name(trace->profile->device->history, piece->kernel)
                         : timeline_kind_name(trace->view->model.items[i].kind);
}

static bool is_shown(const struct timeline_item *item)
{
    return item->kind != TIMELINE_WAIT || item->end_ns > item->start_ns;
}

static void put_piece(struct trace *trace, uint32_t i)
{
    const struct timeline_item *item = &trace->view->model.items[i];
    const struct timeline_piece *piece = &trace->view->pieces[i];
    const char *name = piece_name(trace, i), *category = timeline_kind_name(item->kind);
    json_t *arguments = json_pack("{sb}", "graph", item->in_graph);
    json_t *event = event_of(name, category, streams_of(trace, piece->process), piece->stream,
                             item->start_ns, item->end_ns);
    if (piece->bytes > 0)
        json_object_set_new(arguments, "bytes", json_real(piece->bytes));
    if (item->kind == TIMELINE_UP || item->kind == TIMELINE_DOWN)
        json_object_set_new(arguments, "pageable", json_boolean(item->is_paged));
    json_object_set_new(event, "args", arguments);
    put(trace, event);
    if (item->kind == TIMELINE_UP || item->kind == TIMELINE_DOWN)
        put(trace,
            event_of(name, category, ENGINES, item->kind == TIMELINE_UP ? LANE_UP : LANE_DOWN,
                     item->start_ns, item->end_ns));
}

static int by_start(const void *a, const void *b)
{
    const struct timeline_item *x = *(const struct timeline_item *const *)a;
    const struct timeline_item *y = *(const struct timeline_item *const *)b;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* Kernels may overlap, so their lane shows when any of them runs. */
static void put_computing(struct trace *trace)
{
    const struct timeline_input *model = &trace->view->model;
    const struct timeline_item **found = calloc(model->item_count + 1, sizeof *found);
    size_t count = 0;
    for (uint32_t i = 0; found && i < model->item_count; i++)
        if (timeline_computes(&model->items[i]))
            found[count++] = &model->items[i];
    if (found)
        qsort(found, count, sizeof *found, by_start);
    for (size_t i = 0; i < count;) {
        double start_ns = found[i]->start_ns, end_ns = found[i]->end_ns;
        for (i++; i < count && found[i]->start_ns <= end_ns; i++)
            end_ns = found[i]->end_ns > end_ns ? found[i]->end_ns : end_ns;
        put(trace, event_of("at work", "engine", ENGINES, LANE_COMPUTE, start_ns, end_ns));
    }
    free(found);
}

/* --- Calls ------------------------------------------------------------------------------------ */

static void put_call(struct trace *trace, uint32_t i)
{
    const struct timeline_call *call = &trace->view->model.calls[i];
    const struct timeline_act *act = &trace->view->acts[i];
    json_t *event = event_of(timeline_act_name(act), "call", threads_of(trace, act->process),
                             call->thread, call->start_ns, call->end_ns);
    if (act->file)
        json_object_set_new(
            event, "args",
            json_pack("{so si}", "file", json_text(act->file), "line", (int)act->line));
    put(trace, event);
}

/* A range that is pushed ends with the pop that belongs to it. */
static void put_range(struct trace *trace, uint32_t push)
{
    const struct timeline_input *model = &trace->view->model;
    const struct timeline_act *acts = trace->view->acts;
    unsigned depth = 0;
    for (uint32_t i = push; i < model->call_count; i++) {
        if (model->calls[i].thread != model->calls[push].thread)
            continue;
        depth += acts[i].request == REQUEST_RANGE_PUSH;
        depth -= acts[i].request == REQUEST_RANGE_POP && depth;
        if (depth)
            continue;
        put(trace, event_of(acts[push].text, "range", threads_of(trace, acts[push].process),
                            model->calls[push].thread, model->calls[push].start_ns,
                            model->calls[i].end_ns));
        return;
    }
}

/* --- All of it -------------------------------------------------------------------------------- */

static void name_lanes(struct trace *trace)
{
    char name[64];
    name_lane(trace, "process_name", ENGINES, 0, "engines of the device");
    name_lane(trace, "thread_name", ENGINES, LANE_UP, "copies to the device");
    name_lane(trace, "thread_name", ENGINES, LANE_DOWN, "copies to the host");
    name_lane(trace, "thread_name", ENGINES, LANE_COMPUTE, "kernels");
    for (size_t i = 0; i < trace->program_count; i++) {
        unsigned long long process = trace->programs[i];
        snprintf(name, sizeof name, "host, process %llu", process);
        name_lane(trace, "process_name", threads_of(trace, process), 0, name);
        snprintf(name, sizeof name, "streams, process %llu", process);
        name_lane(trace, "process_name", streams_of(trace, process), 0, name);
    }
}

void profile_write_timeline(const struct profile *profile, FILE *stream)
{
    const struct timeline_view *view = profile->timeline;
    struct trace trace = {.profile = profile, .view = view, .stream = stream};
    trace.programs = calloc((size_t)view->model.call_count + 1, sizeof *trace.programs);
    fputs("{\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [", stream);
    for (uint32_t i = 0; trace.programs && i < view->model.call_count; i++)
        if (view->acts[i].request == REQUEST_RANGE_PUSH)
            put_range(&trace, i);
        else if (view->acts[i].request != REQUEST_RANGE_POP)
            put_call(&trace, i);
    for (uint32_t i = 0; trace.programs && i < view->model.item_count; i++)
        if (is_shown(&view->model.items[i]))
            put_piece(&trace, i);
    put_computing(&trace);
    if (trace.programs)
        name_lanes(&trace);
    free(trace.programs);
    fputs("],\n\"otherData\": ", stream);
    json_t *other = json_pack("{so ss sb}", "device", json_text(profile->device_name), "times",
                              "modelled", "cut", view->is_cut);
    json_dumpf(other, stream, 0);
    json_decref(other);
    fputs("}\n", stream);
}
