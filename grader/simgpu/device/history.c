/* history.c - what programs did on this device: a record of each launch, with its counters folded
 * to source lines.
 *
 * Records own nothing: texts are kept once each in a table that lives as long as the device, since
 * a program's modules go when it ends and its record stays. The lines of a launch are kept once for
 * all launches of the kernel that had exactly the same.
 */
#include "../line.h"
#include "../report.h"
#include "conflicts.h"
#include "examples.h"
#include "gains.h"
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

/* A program that launches more often keeps its counters but loses the later launches' lines. */
enum { MOST_RECORDS = 100000, TEXT_BUCKETS = 4096, LOOK_BACK = 16 };

struct text {
    struct text *next;
    char characters[];
};

struct history {
    struct simgpu_launch *launches;
    struct record_note {
        bool is_watched; /* of the program that is watched */
        struct ranges_around around;
    } * notes; /* of each */
    size_t count, room;
    size_t first;                           /* since the mark; earlier ones are kept for a page */
    struct simgpu_fault refused, unordered; /* the first since the mark */
    struct simgpu_line **arrays;            /* of lines, each once */
    size_t array_count, array_room;
    uint64_t serial, dropped;
    struct text *texts[TEXT_BUCKETS];
};

struct history *history_new(void)
{
    return calloc(1, sizeof(struct history));
}

const char *history_text(struct history *history, const char *text)
{
    uint32_t hash = 2166136261u;
    text = text ? text : "";
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    struct text **bucket = &history->texts[hash % TEXT_BUCKETS];
    for (struct text *known = *bucket; known; known = known->next)
        if (strcmp(known->characters, text) == 0)
            return known->characters;
    struct text *made = malloc(sizeof *made + strlen(text) + 1);
    if (!made)
        return "";
    strcpy(made->characters, text);
    made->next = *bucket;
    *bucket = made;
    return made->characters;
}

/* --- Folding to lines ------------------------------------------------------------------------- */

static struct simgpu_place place_of(struct history *history, const struct sim_line *line)
{
    return (struct simgpu_place){history_text(history, line->file), line->line, line->column};
}

static struct simgpu_access access_of(const struct sim_access_counters *from)
{
    struct simgpu_access access = {.neighbour_bytes = from->neighbour_bytes};
#define ACCESS_COUNTER(name, memory, meaning) access.name = from->name;
#include "access_counters.def"
    return access;
}

static void add_access(struct simgpu_access *to, const struct sim_access_counters *from)
{
    const struct simgpu_access more = access_of(from);
    line_add_access(to, &more);
}

static struct simgpu_access *line_access(struct simgpu_line *line, enum sim_access_class class,
                                         bool shared)
{
    switch (class) {
    case SIM_ACCESS_LOAD: return shared ? &line->shared_load : &line->global_load;
    case SIM_ACCESS_STORE: return shared ? &line->shared_store : &line->global_store;
    default: return shared ? &line->shared_atomic : &line->global_atomic;
    }
}

static void add_op(struct simgpu_line *line, const struct sim_op_counters *op)
{
    line->warp_instructions += op->executions;
    line->lanes += op->lanes;
    line->lanes_on += op->lanes_on;
    line->branches += op->branches;
    line->divergent += op->divergent;
    line->spilled_words += op->spilled_words;
    if (op->class == SIM_OP_DOUBLE)
        line->fp64_instructions += op->executions;
    if (op->class == SIM_OP_BARRIER)
        line->barriers += op->executions;
    for (int wait = 0; wait < SIM_WAITS; wait++)
        line->modelled_ns[wait] += op->modelled_ns[wait];
    if (op->class == SIM_OP_LOCAL)
        add_access(&line->local, &op->memory);
    else if (op->access != SIM_ACCESS_NONE && op->class != SIM_OP_CONST)
        add_access(line_access(line, op->access, false), &op->memory);
    if (op->shared_access != SIM_ACCESS_NONE)
        add_access(line_access(line, op->shared_access, true), &op->shared);
}

static int by_place(const void *a, const void *b)
{
    const struct simgpu_line *x = a, *y = b;
    int files = strcmp(x->place.file, y->place.file);
    return files ? files : (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

/* The ops of one line are mostly adjacent, so look at the newest lines first. */
static struct simgpu_line *line_at(struct simgpu_line *lines, size_t *count,
                                   struct simgpu_place place)
{
    for (size_t i = *count; i-- > 0;)
        if (lines[i].place.line == place.line && lines[i].place.file == place.file)
            return &lines[i];
    lines[*count] = (struct simgpu_line){.place = place};
    lines[*count].place.column = 0;
    return &lines[(*count)++];
}

static struct simgpu_line *fold_lines(struct history *history,
                                      const struct sim_launch_result *result, size_t *count)
{
    struct simgpu_line *lines = calloc(result->op_count + 1, sizeof *lines);
    *count = 0;
    if (!lines)
        return NULL;
    for (size_t i = 0; i < result->op_count; i++)
        add_op(line_at(lines, count, place_of(history, &result->ops[i].line)), &result->ops[i]);
    qsort(lines, *count, sizeof *lines, by_place);
    struct simgpu_line *fitted = realloc(lines, (*count + 1) * sizeof *lines);
    return fitted ? fitted : lines;
}

/* The same lines of an earlier launch of the kernel; NULL if there are none. */
static struct simgpu_line *find_lines(const struct history *history, const char *kernel,
                                      const struct simgpu_line *lines, size_t count)
{
    size_t first = history->count > LOOK_BACK ? history->count - LOOK_BACK : 0;
    for (size_t i = history->count; i-- > first;) {
        const struct simgpu_launch *before = &history->launches[i];
        if (before->kernel == kernel && before->lines && before->line_count == count &&
            memcmp(before->lines, lines, count * sizeof *lines) == 0)
            return before->lines;
    }
    return NULL;
}

/* Take ownership of lines; false when memory is exhausted. */
static bool keep_lines(struct history *history, struct simgpu_line *lines)
{
    if (history->array_count == history->array_room) {
        size_t room = history->array_room ? 2 * history->array_room : 64;
        struct simgpu_line **grown = realloc(history->arrays, room * sizeof *grown);
        if (!grown)
            return false;
        history->arrays = grown;
        history->array_room = room;
    }
    history->arrays[history->array_count++] = lines;
    return true;
}

static void set_lines(const struct device *device, struct simgpu_launch *launch,
                      const struct sim_launch_result *result)
{
    size_t count;
    struct history *history = device->history;
    struct simgpu_line *lines = fold_lines(history, result, &count);
    if (lines)
        gains_apply(device->gains, launch, lines, count);
    struct simgpu_line *known = lines ? find_lines(history, launch->kernel, lines, count) : NULL;
    if (known || !lines || !keep_lines(history, lines)) {
        free(lines);
        lines = known;
    }
    launch->lines = lines;
    launch->line_count = lines ? count : 0;
}

/* --- Records ---------------------------------------------------------------------------------- */

static void fill_totals(struct simgpu_launch *launch, const struct sim_launch_result *result)
{
    const struct sim_totals *totals = &result->totals;
    launch->warp_instructions = totals->warp_inst;
    launch->thread_instructions = totals->thread_inst;
    launch->thread_instructions_on = totals->thread_inst_pred_on;
    launch->branches = totals->branches;
    launch->divergent = totals->divergent_branches;
    launch->barriers = totals->barriers;
    for (int class = 0; class < SIM_OP_CLASSES; class ++)
        launch->class_instructions[class] = totals->by_class[class];
#define LAUNCH_ACCESS(name, memory) launch->name = access_of(&totals->name);
#include "accesses.def"
    launch->modelled_ns = result->modelled_ns;
    launch->dram_read_bytes = result->dram_read_bytes;
    launch->dram_write_bytes = result->dram_write_bytes;
    launch->l2_bytes = result->l2_bytes;
    launch->registers = result->registers;
    launch->shared_bytes = result->shared_bytes;
    launch->blocks_per_multiprocessor = result->blocks_per_multiprocessor;
}

static void fill_fault(struct history *history, struct simgpu_fault *to,
                       const struct sim_fault *from)
{
    const struct sim_fault none = {.kind = SIM_FAULT_NONE};
    if (!from)
        from = &none;
    *to = (struct simgpu_fault){
        .kind = from->kind,
        .title = history_text(history, from->kind ? sim_fault_title(from->kind) : ""),
        .message = history_text(history, from->message),
        .advice = history_text(history, from->advice),
        .place = place_of(history, &from->line),
        .inlined = place_of(history, &from->inlined),
        .other = place_of(history, &from->other)};
    memcpy(to->block, from->block, sizeof to->block);
    memcpy(to->thread, from->thread, sizeof to->thread);
}

void history_refuse(struct device *device, const struct client *client,
                    const struct sim_fault *fault)
{
    struct history *history = device->history;
    pthread_mutex_lock(&device->lock);
    if (client->is_watched && history->refused.kind == SIM_FAULT_NONE)
        fill_fault(history, &history->refused, fault);
    if (!device->has_control) /* a grader reads the history, and its own status says other things */
        device->refusals++;
    pthread_mutex_unlock(&device->lock);
}

void history_unordered(struct device *device, const struct client *client,
                       const struct sim_fault *fault)
{
    struct history *history = device->history;
    pthread_mutex_lock(&device->lock);
    if (client->is_watched && history->unordered.kind == SIM_FAULT_NONE)
        fill_fault(history, &history->unordered, fault);
    pthread_mutex_unlock(&device->lock);
}

void history_refuse_all(struct device *device, const struct sim_fault *fault)
{
    struct history *history = device->history;
    pthread_mutex_lock(&device->lock);
    if (history->refused.kind == SIM_FAULT_NONE)
        fill_fault(history, &history->refused, fault);
    pthread_mutex_unlock(&device->lock);
}

static void fill_written(struct simgpu_launch *launch, const struct sim_sampled *sampled)
{
    launch->written = calloc(sampled->written_count + 1, sizeof *launch->written);
    launch->written_count = launch->written ? sampled->written_count : 0;
    for (size_t i = 0; i < launch->written_count; i++) {
        const struct sim_written *from = &sampled->written[i];
        launch->written[i] = (struct simgpu_written){.address = from->address,
                                                     .low = from->low,
                                                     .high = from->high,
                                                     .holes = from->holes,
                                                     .first_hole = from->first_hole};
    }
}

static void fill_sampled(struct simgpu_launch *launch, const struct sim_launch_config *config,
                         const struct sim_sampled *sampled)
{
    launch->blocks = (uint64_t)config->grid[0] * config->grid[1] * config->grid[2];
    launch->blocks_run = sampled ? sampled->ran : launch->blocks;
    if (!sampled)
        return;
    launch->blocks_drawn = sampled->drawn;
    launch->blocks_left = sampled->left;
    launch->blocks_cut = sampled->cut_off;
    launch->twins_drawn = sampled->twins.drawn;
    launch->twins_found = sampled->twins.found;
    launch->twins_idle = sampled->twins.idle;
    launch->stretches = calloc(sampled->stretch_count + 1, sizeof *launch->stretches);
    launch->stretch_count = launch->stretches ? sampled->stretch_count : 0;
    launch->stretches_lost = sampled->has_lost || !launch->stretches;
    fill_written(launch, sampled);
    for (size_t i = 0; i < launch->stretch_count; i++) {
        const struct sim_stretch *from = &sampled->stretches[i];
        launch->stretches[i] = (struct simgpu_stretch){.block = from->block,
                                                       .address = from->address,
                                                       .low = from->low,
                                                       .high = from->high,
                                                       .bytes = from->bytes,
                                                       .drawn = from->drawn,
                                                       .weight = from->weight,
                                                       .print = from->print,
                                                       .kind = from->kind,
                                                       .kind_blocks = from->kind_blocks};
    }
}

static struct simgpu_launch *new_record(struct history *history)
{
    if (history->count == history->room) {
        size_t room = history->room ? 2 * history->room : 64;
        struct simgpu_launch *launches = realloc(history->launches, room * sizeof *launches);
        if (launches)
            history->launches = launches;
        struct record_note *notes = realloc(history->notes, room * sizeof *notes);
        if (notes)
            history->notes = notes;
        if (!launches || !notes)
            return NULL;
        history->room = room;
    }
    return &history->launches[history->count];
}

void history_add(struct device *device, const struct client *client,
                 const struct sim_launch_result *result, const struct sim_fault *fault,
                 const char *kernel, const struct sim_launch_config *config,
                 const struct sim_sampled *sampled)
{
    struct history *history = device->history;
    pthread_mutex_lock(&device->lock);
    history->serial++;
    struct simgpu_launch *launch = history->count < MOST_RECORDS ? new_record(history) : NULL;
    if (!launch) {
        history->dropped++;
        pthread_mutex_unlock(&device->lock);
        return;
    }
    *launch = (struct simgpu_launch){.serial = history->serial,
                                     .client = (uint64_t)client->process,
                                     .kernel = history_text(history, kernel)};
    memcpy(launch->grid, config->grid, sizeof launch->grid);
    memcpy(launch->block, config->block, sizeof launch->block);
    launch->occupancy_limit = history_text(history, result ? result->occupancy_limit : "");
    launch->bound = history_text(history, result ? result->bound : "");
    fill_fault(history, &launch->fault, fault);
    fill_sampled(launch, config, sampled);
    if (result) {
        fill_totals(launch, result);
        set_lines(device, launch, result);
        if (device->keep_examples)
            examples_note(device, result);
    }
    history->notes[history->count++] =
        (struct record_note){client->is_watched, client->executing->around};
    pthread_mutex_unlock(&device->lock);
}

void history_mark(struct device *device)
{
    struct history *history = device->history;
    if (device->timeline) /* NULL in a unit test */
        timeline_clear(device->timeline);
    pthread_mutex_lock(&device->lock);
    if (!device->keep_examples) {
        for (size_t i = 0; i < history->array_count; i++)
            free(history->arrays[i]);
        for (size_t i = 0; i < history->count; i++) {
            free(history->launches[i].stretches);
            free(history->launches[i].written);
        }
        history->array_count = 0;
        history->count = 0;
        history->dropped = 0;
    }
    history->first = history->count;
    gains_free(device->gains); /* the next kernel of a name may be another's */
    device->gains = NULL;
    history->refused = history->unordered = (struct simgpu_fault){.kind = SIM_FAULT_NONE};
    device->calls = (struct simgpu_calls){0};
    pthread_mutex_unlock(&device->lock);
}

const struct simgpu_launch *history_launches(const struct history *history, size_t *count)
{
    *count = history->count;
    return history->launches;
}

struct ranges_around history_around(const struct history *history, size_t launch)
{
    return history->notes[launch].around;
}

uint64_t history_dropped(const struct history *history)
{
    return history->dropped;
}

/* --- A report --------------------------------------------------------------------------------- */

struct writer {
    unsigned char *block;
    size_t used, room;
    bool exhausted;
};

/* Append bytes, 8-aligned; returns their offset. */
static size_t put(struct writer *writer, const void *bytes, size_t size)
{
    size_t at = (writer->used + 7) & ~(size_t)7;
    if (at + size > writer->room) {
        size_t room = 2 * (at + size) + 4096;
        unsigned char *grown = realloc(writer->block, room);
        if (!grown) {
            writer->exhausted = true;
            return 0;
        }
        writer->block = grown;
        writer->room = room;
    }
    memset(writer->block + writer->used, 0, at - writer->used);
    memcpy(writer->block + at, bytes, size);
    writer->used = at + size;
    return at;
}

/* Replace a text's pointer by the offset of a copy of it. */
static void put_text(void *context, const void **pointer)
{
    const char *text = *pointer ? *pointer : ""; /* of an empty fault */
    size_t at = put(context, text, strlen(text) + 1);
    *pointer = (const void *)(uintptr_t)at;
}

static void put_launch(struct writer *writer, struct simgpu_launch launch, size_t slot)
{
    size_t lines = writer->used, count = launch.line_count;
    report_visit_launch(&launch, put_text, writer);
    lines =
        put(writer, launch.lines ? (const void *)launch.lines : "", count * sizeof *launch.lines);
    for (size_t i = 0; i < count && !writer->exhausted; i++) {
        struct simgpu_place place = launch.lines[i].place;
        report_visit_place(&place, put_text, writer);
        if (!writer->exhausted)
            ((struct simgpu_line *)(writer->block + lines))[i].place = place;
    }
    launch.lines = (void *)(uintptr_t)lines;
    launch.stretches =
        (void *)(uintptr_t)put(writer, launch.stretches ? (const void *)launch.stretches : "",
                               launch.stretch_count * sizeof *launch.stretches);
    launch.written =
        (void *)(uintptr_t)put(writer, launch.written ? (const void *)launch.written : "",
                               launch.written_count * sizeof *launch.written);
    if (!writer->exhausted)
        memcpy(writer->block + slot, &launch, sizeof launch);
}

unsigned char *history_report(const struct device *device, size_t *bytes)
{
    const struct history *history = device->history;
    struct simgpu_report report = {
        .calls = device->calls, .refused = history->refused, .unordered = history->unordered};
    struct writer writer = {0};
    report.calls.unjoined = joined_missing(device, false);
    report.calls.unjoined_work = joined_missing(device, true);
    report.calls.unawaited_work = joined_unawaited(device);
    for (size_t i = history->first; i < history->count; i++)
        report.launch_count += history->notes[i].is_watched;
    put(&writer, &report, sizeof report);
    struct simgpu_launch empty = {0};
    size_t first = 0;
    for (size_t i = 0; i < report.launch_count; i++) {
        size_t at = put(&writer, &empty, sizeof empty);
        first = i == 0 ? at : first;
    }
    report.launches = (void *)(uintptr_t)first;
    const struct sim_profile *profile = sim_machine_profile(device->machine);
    report.device_ns = device->modelled_ns;
    report.device = profile->name;
    report.multiprocessors = profile->multiprocessors;
    report.whole_multiprocessors = sim_machine_whole(device->machine)->multiprocessors;
    report.warps = profile->warps;
    report.dram_bytes_per_s = profile->dram_bytes_per_s;
    report.dram_latency_ns = profile->dram_latency_ns;
    put_text(&writer, (const void **)&report.device);
    report_visit_fault(&report.refused, put_text, &writer);
    report_visit_fault(&report.unordered, put_text, &writer);
    report.unsampled = sim_unsampled(device->machine);
    report.cut_short = sim_was_cut_short(device->machine);
    report.hearsay = sim_was_hearsay(device->machine);
    report.across = sim_was_across(device->machine);
    report.is_timed = sim_is_timed(device->machine);
    put_text(&writer, (const void **)&report.unsampled);
    size_t slot = first;
    for (size_t i = history->first; i < history->count && !writer.exhausted; i++) {
        if (!history->notes[i].is_watched)
            continue;
        put_launch(&writer, history->launches[i], slot);
        slot += sizeof(struct simgpu_launch);
    }
    if (writer.exhausted) {
        free(writer.block);
        return NULL;
    }
    memcpy(writer.block, &report, sizeof report);
    *bytes = writer.used;
    return writer.block;
}
