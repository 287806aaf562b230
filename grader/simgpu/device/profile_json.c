/* profile_json.c - a whole profile, for other programs: one JSON object, with one list item to a
 * line.
 *
 * Counters are sums; times are modelled and in ns. Lists may be long, so each item is written as
 * soon as it is made.
 */
#include "profile.h"

#include "../line.h"
#include "timeline.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *text_of(const char *text, size_t length)
{
    json_t *value = json_stringn(text, length);
    char *copy = value ? NULL : strndup(text, length);
    for (char *at = copy; at && *at; at++)
        *at = (unsigned char)*at < 0x80 ? *at : '?';
    if (copy)
        value = json_string(copy);
    free(copy);
    return value;
}

json_t *json_text(const char *text)
{
    return text_of(text, strlen(text));
}

static void write_value(FILE *stream, json_t *value)
{
    json_dumpf(value, stream, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(value);
}

static void write_item(FILE *stream, size_t index, json_t *value)
{
    fputs(index ? ",\n  " : "\n  ", stream);
    write_value(stream, value);
}

static json_t *size_of(const uint32_t *size)
{
    return json_pack("[iii]", (int)size[0], (int)size[1], (int)size[2]);
}

static void set_count(json_t *object, const char *key, uint64_t count)
{
    json_object_set_new(object, key, json_integer((json_int_t)count));
}

/* Which accesses a counter counts: access_counters.def. */
enum memory { GLOBAL, SHARED, EITHER, NEITHER };

/* Left out when nothing was accessed that way. */
static void set_access(json_t *object, const char *key, const struct simgpu_access *access,
                       enum memory of)
{
    json_t *value = access->requests ? json_object() : NULL;
    if (!value)
        return;
#define ACCESS_COUNTER(name, memory, meaning) \
    if (memory == of || memory == EITHER)     \
        set_count(value, #name, access->name);
#include "access_counters.def"
    if (access->neighbour_bytes)
        json_object_set_new(value, "neighbour_bytes", json_integer(access->neighbour_bytes));
    json_object_set_new(object, key, value);
}

static json_t *place_of(const struct simgpu_place *place)
{
    return json_pack("{so si}", "file", json_text(place->file), "line", (int)place->line);
}

/* --- Items ------------------------------------------------------------------------------------ */

static json_t *kernel_of(const struct kernel_sum *kernel)
{
    json_t *object = json_pack("{so so so}", "name", json_text(kernel->name), "mangled",
                               json_text(kernel->mangled), "bound", json_text(kernel->bound));
    set_count(object, "calls", kernel->calls);
    json_object_set_new(object, "modelled_ns", json_real(kernel->time_ns));
    json_object_set_new(object, "least_ns", json_real(kernel->least_ns));
    json_object_set_new(object, "most_ns", json_real(kernel->most_ns));
    return object;
}

static json_t *range_of(const struct range_sum *range)
{
    const struct range_kind *kind = range->kind;
    json_t *inside = json_array();
    json_t *object = json_pack("{so ss}", "range", json_text(kind->name), "style",
                               kind->style == RANGE_PUSH_POP ? "PushPop" : "StartEnd");
    set_count(object, "instances", kind->instances);
    json_object_set_new(object, "total_ns", json_real(kind->total_ns));
    json_object_set_new(object, "average_ns", json_real(kind->total_ns / (double)kind->instances));
    json_object_set_new(object, "median_ns", json_real(range->middle_ns));
    json_object_set_new(object, "least_ns", json_real(kind->least_ns));
    json_object_set_new(object, "most_ns", json_real(kind->most_ns));
    json_object_set_new(object, "deviation_ns", json_real(range->deviation_ns));
    for (size_t i = 0; i < range->kernel_count; i++)
        json_array_append_new(inside, kernel_of(&range->kernels[i]));
    json_object_set_new(object, "kernels", inside);
    return object;
}

/* Where the line's time goes, in ns. */
static json_t *waits_of(const struct simgpu_line *line)
{
    static const char *const KEYS[SIM_WAITS] = {
        [SIM_WAIT_ISSUE] = "issue",     [SIM_WAIT_MEMORY] = "memory", [SIM_WAIT_SHARED] = "shared",
        [SIM_WAIT_BARRIER] = "barrier", [SIM_WAIT_RESULT] = "result", [SIM_WAIT_UNIT] = "unit",
        [SIM_WAIT_TURN] = "turn"};
    json_t *object = json_object();
    for (int wait = 0; wait < SIM_WAITS; wait++)
        if (line->modelled_ns[wait] > 0)
            json_object_set_new(object, KEYS[wait], json_real(line->modelled_ns[wait]));
    return object;
}

/* What launches would save if a line were mended, or all of them, in ns. */
static json_t *gains_of(const double gain_ns[SIM_MEND_INSTRUCTIONS])
{
    static const char *const KEYS[SIM_MEND_INSTRUCTIONS] = {
        [SIM_MEND_SECTORS] = "sectors",
        [SIM_MEND_WAVEFRONTS] = "wavefronts",
        [SIM_MEND_LANES] = "lanes",
        [SIM_MEND_BYTES] = "bytes",
        [SIM_MEND_BARRIERS] = "barriers",
        [SIM_MEND_SPILLS] = "spills",
        [SIM_MEND_LOAD_SECTORS] = "load_sectors",
        [SIM_MEND_STORE_SECTORS] = "store_sectors",
        [SIM_MEND_ATOMICS] = "atomics"};
    json_t *object = json_object();
    for (int mend = 0; mend < SIM_MEND_INSTRUCTIONS; mend++)
        if (gain_ns[mend] > 0)
            json_object_set_new(object, KEYS[mend], json_real(gain_ns[mend]));
    return object;
}

static json_t *line_of(const struct profile *profile, const struct simgpu_line *line)
{
    char sentence[256];
    size_t length;
    const char *source = profile_source_line(profile, line->place.file, line->place.line, &length);
    json_t *object = place_of(&line->place);
    line_say(line, sentence, sizeof sentence);
    if (source)
        json_object_set_new(object, "source", text_of(source, length));
    json_object_set_new(object, "says", json_string(sentence));
    set_count(object, "cost", line_cost(line));
    json_object_set_new(object, "modelled_ns", json_real(line_time(line)));
    json_object_set_new(object, "waits_ns", waits_of(line));
    json_object_set_new(object, "gains_ns", gains_of(line->gain_ns));
    set_count(object, "warp_instructions", line->warp_instructions);
    set_count(object, "lanes", line->lanes);
    set_count(object, "lanes_on", line->lanes_on);
    set_count(object, "branches", line->branches);
    set_count(object, "divergent", line->divergent);
    set_count(object, "barriers", line->barriers);
#define LINE_ACCESS(name, memory) set_access(object, #name, &line->name, memory);
#include "accesses.def"
    return object;
}

static json_t *fault_of(const struct simgpu_fault *fault)
{
    json_t *object = json_pack("{so so so}", "title", json_text(fault->title), "message",
                               json_text(fault->message), "advice", json_text(fault->advice));
    json_object_set_new(object, "at", place_of(&fault->place));
    if (fault->other.line)
        json_object_set_new(object, "other", place_of(&fault->other));
    json_object_set_new(object, "block", size_of(fault->block));
    json_object_set_new(object, "thread", size_of(fault->thread));
    return object;
}

/* Of --check=continue. */
static json_t *found_of(const struct found *found)
{
    const struct simgpu_place at = {found->file, found->line, 0};
    const struct simgpu_place other = {found->other_file, found->other_line, 0};
    json_t *object = json_pack("{so so so}", "title", json_text(found->title), "message",
                               json_text(found->message), "kernel", json_text(found->kernel));
    json_object_set_new(object, "at", place_of(&at));
    if (other.line)
        json_object_set_new(object, "other", place_of(&other));
    set_count(object, "times", found->count);
    if (found->is_suppressed)
        json_object_set_new(object, "suppressed", json_true());
    return object;
}

static void set_launch_counters(json_t *object, const struct simgpu_launch *launch)
{
    set_count(object, "warp_instructions", launch->warp_instructions);
    set_count(object, "thread_instructions", launch->thread_instructions);
    set_count(object, "thread_instructions_on", launch->thread_instructions_on);
    set_count(object, "branches", launch->branches);
    set_count(object, "divergent", launch->divergent);
    set_count(object, "barriers", launch->barriers);
#define LAUNCH_ACCESS(name, memory) set_access(object, #name, &launch->name, memory);
#include "accesses.def"
}

static json_t *launch_of(const struct profile *profile, const struct simgpu_launch *launch)
{
    json_t *object = json_pack("{so so so}", "kernel",
                               json_text(profile_name(profile->device->history, launch->kernel)),
                               "grid", size_of(launch->grid), "block", size_of(launch->block));
    set_count(object, "process", launch->client);
    set_count(object, "registers", launch->registers);
    set_count(object, "shared_bytes", launch->shared_bytes);
    set_count(object, "blocks_per_multiprocessor", launch->blocks_per_multiprocessor);
    json_object_set_new(object, "occupancy_limit", json_text(launch->occupancy_limit));
    json_object_set_new(object, "modelled_ns", json_real(launch->modelled_ns));
    json_object_set_new(object, "gains_ns", gains_of(launch->gain_ns));
    json_object_set_new(object, "bound", json_text(launch->bound));
    json_object_set_new(object, "dram_read_bytes", json_real(launch->dram_read_bytes));
    json_object_set_new(object, "dram_write_bytes", json_real(launch->dram_write_bytes));
    set_launch_counters(object, launch);
    if (launch->fault.kind)
        json_object_set_new(object, "fault", fault_of(&launch->fault));
    return object;
}

/* --- The timeline ----------------------------------------------------------------------------- */

static json_t *sums_of(const struct simgpu_timeline *sums)
{
    const struct simgpu_place gap_at = {sums->gap_file, sums->gap_line, 0};
    json_t *object = json_object();
    json_object_set_new(object, "span_ns", json_real(sums->span_ns));
    json_object_set_new(object, "compute_ns", json_real(sums->compute_ns));
    json_object_set_new(object, "up_ns", json_real(sums->up_ns));
    json_object_set_new(object, "down_ns", json_real(sums->down_ns));
    json_object_set_new(object, "overlap_ns", json_real(sums->overlap_ns));
    json_object_set_new(object, "idle_ns", json_real(sums->idle_ns));
    json_object_set_new(object, "gap_ns", json_real(sums->gap_ns));
    json_object_set_new(object, "gap_start_ns", json_real(sums->gap_start_ns));
    json_object_set_new(object, "gap_cause", json_text(sums->gap_cause));
    json_object_set_new(object, "gap_says", json_text(sums->gap_says));
    if (gap_at.line)
        json_object_set_new(object, "gap_at", place_of(&gap_at));
    json_object_set_new(object, "cut", json_boolean(sums->is_cut));
    return object;
}

static json_t *piece_of(const struct profile *profile, uint32_t i)
{
    const struct timeline_item *item = &profile->timeline->model.items[i];
    const struct timeline_piece *piece = &profile->timeline->pieces[i];
    json_t *object = json_pack("{ss}", "kind", timeline_kind_name(item->kind));
    if (piece->kernel)
        json_object_set_new(object, "kernel",
                            json_text(profile_name(profile->device->history, piece->kernel)));
    set_count(object, "process", piece->process);
    set_count(object, "stream", piece->stream);
    set_count(object, "call", item->call);
    if (piece->bytes > 0)
        json_object_set_new(object, "bytes", json_real(piece->bytes));
    json_object_set_new(object, "pageable", json_boolean(item->is_paged));
    json_object_set_new(object, "start_ns", json_real(item->start_ns));
    json_object_set_new(object, "end_ns", json_real(item->end_ns));
    return object;
}

static json_t *call_of(const struct profile *profile, uint32_t i)
{
    const struct timeline_call *call = &profile->timeline->model.calls[i];
    const struct timeline_act *act = &profile->timeline->acts[i];
    const struct simgpu_place at = {act->file, act->line, 0};
    json_t *object = json_pack("{ss}", "name", timeline_act_name(act));
    if (act->text)
        json_object_set_new(object, "range", json_text(act->text));
    if (act->file)
        json_object_set_new(object, "at", place_of(&at));
    set_count(object, "process", act->process);
    set_count(object, "thread", call->thread);
    json_object_set_new(object, "start_ns", json_real(call->start_ns));
    json_object_set_new(object, "end_ns", json_real(call->end_ns));
    return object;
}

static void write_timeline(const struct profile *profile, FILE *stream)
{
    const struct timeline_view *view = profile->timeline;
    struct simgpu_timeline sums;
    timeline_sum_up(view, &sums);
    fputs("],\n\"timeline\": {\"sums\": ", stream);
    write_value(stream, sums_of(&sums));
    fputs(",\n\"calls\": [", stream);
    for (uint32_t i = 0; i < view->model.call_count; i++)
        write_item(stream, i, call_of(profile, i));
    fputs("],\n\"pieces\": [", stream);
    for (uint32_t i = 0; i < view->model.item_count; i++)
        write_item(stream, i, piece_of(profile, i));
    fputs("]}", stream);
}

void profile_write_json(const struct profile *profile, FILE *stream)
{
    fputs("{\"device\": ", stream);
    write_value(stream, json_text(profile->device_name));
    fprintf(stream, ",\n\"times\": \"modelled\",\n\"launches_not_kept\": %llu,\n\"kernels\": [",
            (unsigned long long)profile->dropped);
    for (size_t i = 0; i < profile->kernel_count; i++)
        write_item(stream, i, kernel_of(&profile->kernels[i]));
    fputs("],\n\"ranges\": [", stream);
    for (size_t i = 0; i < profile->range_count; i++)
        write_item(stream, i, range_of(&profile->ranges[i]));
    fputs("],\n\"lines\": [", stream);
    for (size_t i = 0; i < profile->line_count; i++)
        write_item(stream, i, line_of(profile, &profile->lines[i]));
    fputs("],\n\"launches\": [", stream);
    for (size_t i = 0; i < profile->launch_count; i++)
        write_item(stream, i, launch_of(profile, &profile->launches[i]));
    fputs("],\n\"findings\": [", stream);
    for (size_t i = 0, written = 0; i < profile->device->found_count; i++)
        if (!profile->device->found[i].ends)
            write_item(stream, written++, found_of(&profile->device->found[i]));
    if (profile->timeline)
        write_timeline(profile, stream);
    else
        fputs("]", stream);
    fputs("}\n", stream);
}
