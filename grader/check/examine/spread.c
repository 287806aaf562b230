/* spread.c - see spread.h. */
#include "check/examine/spread.h"

#include "check/examine/data.h"
#include "check/examine/device.h"
#include "check/examine/spread_data.h"
#include "check/examine/stages.h"
#include "check/examine/stray.h"
#include "simgpu/machine/drawn_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are read at a time. */
enum { CHUNK_BYTES = 1 << 18 };
/* At most this many elements get their truth at a time; and this many make a run. */
enum { HELD_ELEMENTS = 1 << 14, HELD_AT_ONCE = 64, HELD_RUNS = 1 << 12 };
/* What is read of each buffer on a GPU. */
enum { WINDOWS = 256, WINDOW_ELEMENTS = 1024 };

static bool has_room(const struct image *image, size_t part)
{
    return !image->part[part].buffer.optional && image->part[part].home == part;
}

static uint64_t room_bytes(const struct spread *spread, size_t part)
{
    return spread->problem->offset_bytes[part] + spread->image.part[part].size_bytes;
}

uint64_t spread_bytes(const struct lab *lab, const struct judge_case *problem)
{
    struct spread spread = {.problem = problem};
    uint64_t bytes = 0;
    image_layout(lab->judge, problem, IMAGE_ALIGNMENT, &spread.image);
    for (size_t i = 0; i < spread.image.count; i++)
        bytes += has_room(&spread.image, i) ? room_bytes(&spread, i) : 0;
    return bytes;
}

/* --- Making ----------------------------------------------------------------------------------- */

/* On a GPU: each copy doubles the part that is filled. */
static bool fill_room(struct room *room, const unsigned char *pattern, uint64_t bytes)
{
    uint64_t done = bytes < room->size_bytes ? bytes : room->size_bytes;
    bool ok = cudaMemcpy(room->device, pattern, done, cudaMemcpyHostToDevice) == cudaSuccess;
    while (ok && done < room->size_bytes) {
        uint64_t left = room->size_bytes - done, part = done < left ? done : left;
        ok = cudaMemcpyAsync(room->device + done, room->device, part, cudaMemcpyDeviceToDevice,
                             NULL) == cudaSuccess;
        done += part;
    }
    return ok && cudaDeviceSynchronize() == cudaSuccess;
}

static bool open_room(struct lab *lab, struct spread *spread, size_t i, uint64_t *used,
                      struct finding *finding)
{
    struct room *room = &spread->rooms[i];
    if (lab->ground.size_bytes) {
        room_cut(&lab->ground, used, room_bytes(spread, i), room);
        return true;
    }
    if (lab->simgpu)
        lab->simgpu->name_memory(spread->image.part[i].buffer.name);
    bool opened = room_open(lab, (uint32_t)i, room_bytes(spread, i), room, finding);
    if (lab->simgpu)
        lab->simgpu->name_memory(NULL);
    return opened;
}

bool spread_fill_part(struct spread *spread, size_t i, struct finding *finding)
{
    struct room *room = &spread->rooms[i];
    const struct simgpu_api *simgpu = spread->lab->simgpu;
    bool is_output = spread->image.part[i].buffer.role == JUDGE_OUT;
    uint64_t bytes;
    unsigned char *pattern = spread_pattern_of(spread, i, &bytes);
    bool filled = pattern && (simgpu ? simgpu->repeat(room->device, pattern, bytes,
                                                      spread->order[i], is_output) == SIMGPU_OK
                                     : fill_room(room, pattern, bytes));
    free(pattern);
    return filled || finding_set(finding, VERDICT_DEVICE, "no memory for the case \"%s\"",
                                 spread->problem->name);
}

bool spread_fill(void *context, unsigned process, struct finding *finding)
{
    struct spread *spread = context;
    bool filled = true;
    (void)process; /* such a case has one */
    for (size_t i = 0; filled && i < spread->image.count; i++)
        filled = !has_room(&spread->image, i) || spread_fill_part(spread, i, finding);
    return filled;
}

bool spread_open(struct lab *lab, const struct judge_case *problem, uint64_t seed,
                 struct spread *spread, struct finding *finding)
{
    uint64_t used = 0;
    memset(spread, 0, sizeof *spread);
    spread->lab = lab;
    lab->is_spread = true;
    spread->problem = problem;
    spread->seed = seed;
    image_layout(lab->judge, problem, IMAGE_ALIGNMENT, &spread->image);
    for (size_t i = 0; i < spread->image.count; i++) {
        const struct judge_buffer *buffer = &spread->image.part[i].buffer;
        bool (*make)(const struct lab *, struct spread *, size_t) =
            buffer->role != JUDGE_OUT ? spread_make_period : spread_make_poison;
        if (!buffer->optional && !make(lab, spread, i))
            return finding_set(finding, VERDICT_DEVICE, "this machine is out of memory");
    }
    for (size_t i = 0; i < spread->image.count; i++)
        if (has_room(&spread->image, i) && !open_room(lab, spread, i, &used, finding))
            return false;
    return true;
}

void spread_close(struct lab *lab, struct link *link, struct spread *spread)
{
    struct finding ignored;
    lab_resume(lab);
    bool is_cut = lab->ground.size_bytes > 0;
    for (size_t i = 0; i < spread->image.count && link->pid && !is_cut; i++)
        if (spread->rooms[i].size_bytes)
            link_close(link, spread->rooms[i].slot);
    if (!lab->simgpu && link->pid && !is_cut) /* memory is free when both processes let go of it */
        lab_settle(lab, link, &ignored);
    for (size_t i = 0; i < spread->image.count; i++) {
        room_close(lab, &spread->rooms[i]);
        free(spread->period[i]);
    }
    lab->is_spread = false;
    memset(spread, 0, sizeof *spread);
}

/* Tell the runner of a room. It keeps the one that others are cut from. */
static void tell_room(struct link *link, const struct spread *spread, size_t i)
{
    const struct room *room = &spread->rooms[i], *ground = &spread->lab->ground;
    if (!room->is_cut)
        link_open(link, room->slot, &room->open);
    else if (!link->open[room->slot].size_bytes)
        link_open(link, room->slot, &ground->open);
}

void spread_command(struct link *link, const struct spread *spread, struct runner_command *command)
{
    *command =
        (struct runner_command){.launch = {.problem = *spread->problem, .sets = 1, .launches = 1}};
    for (size_t i = 0; i < spread->image.count; i++) {
        const struct image_part *part = &spread->image.part[i];
        const struct room *room = &spread->rooms[part->home];
        command->launch.set[0].place[i] = (struct runner_place){
            .offset = room->offset + spread->problem->offset_bytes[part->home],
            .slot = room->slot,
            .present = !part->buffer.optional};
        if (has_room(&spread->image, i))
            tell_room(link, spread, i);
    }
}

/* --- Where it was touched --------------------------------------------------------------------- */

bool spread_stretches(struct lab *lab, const struct spread *spread, size_t part,
                      struct stretches *stretches)
{
    return lab->simgpu->touched(spread->rooms[part].device, 0, &stretches->list, &stretches->count,
                                NULL) == SIMGPU_OK;
}

/* --- Verifying -------------------------------------------------------------------------------- */

/* Elements [first, +count) of an output, of which number at is the first that waits. */
struct held_run {
    uint64_t first, count;
    size_t at;
};

/* Elements that were written and wait for their truth: for a product it is sums of thousands of
 * terms, which two processors share. */
struct held {
    struct held_run runs[HELD_RUNS];
    size_t run_count, count;
    double got[HELD_ELEMENTS], expected[HELD_ELEMENTS], allowed[HELD_ELEMENTS];
    bool is_unwritten[HELD_ELEMENTS];
};

/* All that was touched of one buffer, if the device gave it at once. */
struct touched {
    struct simgpu_touched *list;
    size_t count;
    const unsigned char *content;
};

struct look {
    struct lab *lab;
    struct spread *spread;
    size_t part;      /* whose memory it is */
    size_t output;    /* the part that says what is right there, or the same */
    uint64_t most;    /* elements to look at */
    uint64_t changed; /* elements that have changed, once counted */
    bool counts;      /* only count them */
    struct held *held;
    struct touched kept; /* from the first look at a buffer to the second */
    unsigned char *before;
    const unsigned char *after;
    const struct simgpu_report *report; /* of the launches; NULL on a GPU */
    struct simgpu_stretch *dense;       /* of blocks that wrote everything between two bytes */
    size_t dense_count;
    struct comparison *comparison;
    struct finding *finding;
};

/* What the bytes from at on of the part's memory were before the launch. */
static void original(const struct look *look, uint64_t at, uint64_t bytes)
{
    const struct image_part *part = &look->spread->image.part[look->part];
    uint64_t offset = look->spread->problem->offset_bytes[look->part];
    if (look->spread->order[look->part]) {
        spread_read_order(look->spread, look->part, at, bytes, look->before);
        return;
    }
    if (part->buffer.role == JUDGE_OUT) {
        memset(look->before, image_poison_byte(part->buffer.type, IMAGE_POISON_NAN), bytes);
        return;
    }
    uint64_t element = judge_type_bytes(part->buffer.type);
    judge_input(&look->spread->inputs, look->part, (at - offset) / element, bytes / element,
                look->before);
}

/* Is it unchanged, in memory that is not an input? before: the original bytes. */
static bool is_unwritten(const struct look *look, uint64_t element_bytes,
                         const unsigned char *element)
{
    return look->spread->image.part[look->part].buffer.role == JUDGE_OUT &&
           memcmp(element, look->before + (element - look->after), element_bytes) == 0;
}

static void make_truth(void *context, uint64_t first, uint64_t end)
{
    const struct look *look = context;
    struct held *held = look->held;
    struct judge_inputs inputs = look->spread->inputs;
    inputs.parts = judge_parts_new(); /* a block's rows need the same columns of a factor */
    for (uint64_t i = first; i < end; i++) {
        const struct held_run *run = &held->runs[i];
        memset(held->allowed + run->at, 0, run->count * sizeof *held->allowed);
        look->lab->judge->truth_at(look->spread->problem, &inputs, look->output, run->first,
                                   run->count, held->expected + run->at, held->allowed + run->at);
    }
    judge_parts_free(inputs.parts);
}

/* Compare all that wait, in the order in which they came. */
static void compare_held(struct look *look)
{
    struct held *held = look->held;
    judge_side_by_side(held->run_count, make_truth, look);
    for (size_t i = 0; i < held->run_count; i++)
        for (size_t j = 0; j < held->runs[i].count; j++) {
            size_t at = held->runs[i].at + j;
            compare_note(look->comparison, held->runs[i].first + j, held->got[at],
                         held->expected[at], held->allowed[at], held->is_unwritten[at]);
        }
    look->spread->verified += held->count;
    held->run_count = held->count = 0;
}

/* Elements [first, +count) of the output, whose bytes are at after. */
static void hold(struct look *look, uint64_t first, uint64_t count, const unsigned char *after)
{
    const struct judge_buffer *buffer = &look->spread->image.part[look->output].buffer;
    uint64_t element = judge_type_bytes(buffer->type);
    struct held *held = look->held;
    if (held->run_count == HELD_RUNS || held->count + count > HELD_ELEMENTS)
        compare_held(look);
    held->runs[held->run_count++] = (struct held_run){first, count, held->count};
    for (uint64_t i = 0; i < count; i++, held->count++) {
        held->got[held->count] = judge_element(after, buffer->type, i);
        held->is_unwritten[held->count] = is_unwritten(look, element, after + i * element);
    }
}

/* If not all that was written can be examined, the places are drawn. */
static bool is_chosen(const struct look *look, uint64_t element)
{
    uint64_t word = data_word(look->spread->seed, element);
    return look->changed <= look->most ||
           (double)(word >> 11) * 0x1p-53 < (double)look->most / (double)look->changed;
}

/* A run of elements that blocks have written. */
static void hold_run(struct look *look, uint64_t first, uint64_t count, const unsigned char *after)
{
    const struct judge_buffer *buffer = &look->spread->image.part[look->output].buffer;
    uint64_t element = judge_type_bytes(buffer->type), part;
    for (uint64_t i = 0; i < count; i += part) {
        part = count - i < HELD_AT_ONCE ? count - i : HELD_AT_ONCE;
        if (look->counts)
            look->changed += part;
        else if (is_chosen(look, first + i))
            hold(look, first + i, part, after + i * element);
    }
}

/* False if memory is exhausted. */
static bool find_dense(struct look *look)
{
    const struct simgpu_report *report = look->report;
    uint64_t address = (uint64_t)(uintptr_t)look->spread->rooms[look->part].device;
    size_t count = 0;
    for (size_t i = 0; report && i < report->launch_count; i++)
        count += report->launches[i].stretch_count;
    free(look->dense);
    look->dense = malloc((count + 1) * sizeof *look->dense);
    look->dense_count = 0;
    for (size_t i = 0; look->dense && report && i < report->launch_count; i++)
        for (size_t j = 0; j < report->launches[i].stretch_count; j++) {
            const struct simgpu_stretch *it = &report->launches[i].stretches[j];
            if (it->address == address && it->bytes == it->high - it->low)
                look->dense[look->dense_count++] = *it;
        }
    return look->dense;
}

/* Among unchanged elements, those that a block has stored: storing the poison is writing, too. */
static void hold_stored(struct look *look, uint64_t first, uint64_t count,
                        const unsigned char *after)
{
    const struct spread *spread = look->spread;
    uint64_t element = judge_type_bytes(spread->image.part[look->output].buffer.type);
    uint64_t offset = spread->problem->offset_bytes[look->part];
    uint64_t from = offset + first * element, to = from + count * element;
    for (size_t i = 0; i < look->dense_count; i++) {
        const struct simgpu_stretch *it = &look->dense[i];
        uint64_t low = it->low > from ? it->low : from, high = it->high < to ? it->high : to;
        if (low < high)
            hold_run(look, (low - offset) / element, (high - low) / element, after + (low - from));
    }
}

/* Find runs of elements that have changed, or were stored unchanged. Elements that no block has
 * written are found elsewhere: by coverage.h, or by the scan of a GPU's output (spread_unwritten).
 * If every block ran, or an output is in an input's memory on a GPU, all elements count. */
static void hold_written(struct look *look, uint64_t first, uint64_t count)
{
    const struct image *image = &look->spread->image;
    uint64_t element = judge_type_bytes(image->part[look->output].buffer.type);
    bool all = look->lab->simgpu ? look->spread->all_blocks
                                 : image->part[look->part].buffer.role != JUDGE_OUT;
    for (uint64_t i = 0, end; i < count; i = end) {
        bool same = memcmp(look->before + i * element, look->after + i * element, element) == 0;
        for (end = i + 1; end < count && !all; end++)
            if ((memcmp(look->before + end * element, look->after + end * element, element) == 0) !=
                same)
                break;
        end = all ? count : end;
        (all || !same ? hold_run : hold_stored)(look, first + i, end - i,
                                                look->after + i * element);
    }
}

static bool input_is_intact(struct look *look, uint64_t first, uint64_t count)
{
    const struct judge_buffer *buffer = &look->spread->image.part[look->part].buffer;
    uint64_t element = judge_type_bytes(buffer->type);
    if (memcmp(look->before, look->after, count * element) == 0)
        return true;
    for (uint64_t i = 0; i < count; i++)
        if (memcmp(look->before + i * element, look->after + i * element, element) != 0)
            return finding_set(
                look->finding, VERDICT_INPUT_MODIFIED, "case %s: the input %s[%llu] was changed",
                look->spread->problem->name, buffer->name, (unsigned long long)(first + i));
    return true;
}

/* Nothing may write to the space that an offset leaves before the first element. */
static bool room_is_intact(struct look *look, uint64_t at, uint64_t bytes,
                           const unsigned char *after)
{
    const struct judge_buffer *buffer = &look->spread->image.part[look->part].buffer;
    uint64_t offset = look->spread->problem->offset_bytes[look->part], size;
    unsigned char *pattern =
        at < offset ? spread_pattern_of(look->spread, look->part, &size) : NULL;
    uint64_t order = look->spread->order[look->part];
    bool intact = true;
    for (uint64_t i = at; pattern && intact && i < offset && i < at + bytes; i++)
        intact = after[i - at] == pattern[order ? sim_drawn_from(order, i, size) : i % size];
    free(pattern);
    return intact || finding_set(look->finding, VERDICT_GUARD,
                                 "case %s: memory before the start of %s was written",
                                 look->spread->problem->name, buffer->name);
}

/* Bytes of the part's memory as they are now. */
static bool look_at(struct look *look, uint64_t at, uint64_t bytes, const unsigned char *after)
{
    uint64_t offset = look->spread->problem->offset_bytes[look->part], end = at + bytes;
    if (!room_is_intact(look, at, bytes, after))
        return false;
    uint64_t element = judge_type_bytes(look->spread->image.part[look->part].buffer.type);
    uint64_t from = at < offset ? offset : at + (element - (at - offset) % element) % element;
    for (uint64_t part; from + element <= end; from += part) {
        part = end - from < CHUNK_BYTES ? (end - from) / element * element : CHUNK_BYTES;
        look->after = after + (from - at);
        original(look, from, part);
        uint64_t first = (from - offset) / element, count = part / element;
        if (look->output < look->spread->image.count)
            hold_written(look, first, count);
        else if (!input_is_intact(look, first, count))
            return false;
    }
    return true;
}

/* The output in the memory of part; the number of parts if it is only an input. */
static size_t output_in(const struct image *image, size_t part)
{
    size_t output = 0;
    while (output < image->count &&
           !(image_is_output(&image->part[output]) && image->part[output].home == part))
        output++;
    return output;
}

/* The element in the middle of a part's window i: at its ends, where an index of 31, 32 or 34 bits
 * overflows, and then anywhere. */
static uint64_t middle_of(const struct look *look, size_t i)
{
    uint64_t count = look->spread->image.part[look->part].buffer.count;
    const uint64_t ends[] = {0, UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 34, count};
    uint64_t draw = data_word(data_seed(look->spread->seed, 1000 + look->part), i);
    return i < sizeof ends / sizeof *ends && ends[i] <= count ? ends[i] : draw % (count + 1);
}

/* On a GPU: no more elements than may be compared. */
static bool verify_windows(struct look *look)
{
    enum { LEAST_HALF = 4, MOST_HALF = WINDOW_ELEMENTS / 2 };
    unsigned char window[WINDOW_ELEMENTS * sizeof(uint64_t)];
    const struct judge_buffer *buffer = &look->spread->image.part[look->part].buffer;
    uint64_t element = judge_type_bytes(buffer->type), half = look->most / WINDOWS / 2;
    uint64_t offset = look->spread->problem->offset_bytes[look->part];
    bool ok = true;
    half = half < LEAST_HALF ? LEAST_HALF : half > MOST_HALF ? MOST_HALF : half;
    for (size_t i = 0; ok && i < WINDOWS; i++) {
        uint64_t middle = middle_of(look, i), first = middle > half ? middle - half : 0;
        uint64_t end = middle + half < buffer->count ? middle + half : buffer->count;
        uint64_t at = offset + first * element, bytes = (end - first) * element;
        const void *from = look->spread->rooms[look->part].device + at;
        ok = cudaMemcpy(window, from, bytes, cudaMemcpyDeviceToHost) == cudaSuccess
                 ? look_at(look, at, bytes, window)
                 : finding_set(look->finding, VERDICT_DEVICE, "the device does not give a copy");
        if (first == 0 && end == buffer->count) /* a few sums of long rows are costly to repeat */
            break;
    }
    return ok;
}

static bool look_at_list(struct look *look, const struct touched *touched)
{
    const unsigned char *content = touched->content;
    bool ok = true;
    for (size_t i = 0; ok && i < touched->count; content += touched->list[i++].bytes)
        ok = look_at(look, touched->list[i].offset, touched->list[i].bytes, content);
    return ok;
}

static void forget_touched(struct look *look)
{
    free(look->kept.list);
    look->kept = (struct touched){NULL, 0, NULL};
}

/* What was touched of the buffer from an offset on: as much as the device gives at a time. */
static bool ask_touched(struct look *look, uint64_t from, struct touched *touched)
{
    const void *memory = look->spread->rooms[look->part].device;
    return look->lab->simgpu->touched(memory, from, &touched->list, &touched->count,
                                      &touched->content) == SIMGPU_OK ||
           finding_set(look->finding, VERDICT_DEVICE, "the device does not answer");
}

/* The first look keeps what the device gave at once, if that is all, for the second one. */
static bool look_at_touched(struct look *look)
{
    struct touched now = {NULL, 1, NULL};
    bool ok = true;
    if (look->kept.list)
        return look_at_list(look, &look->kept);
    for (uint64_t from = 0; ok && now.count;) {
        bool is_first = from == 0;
        ok = ask_touched(look, from, &now) && look_at_list(look, &now);
        if (now.count)
            from = now.list[now.count - 1].offset + now.list[now.count - 1].bytes;
        if (now.count && !is_first)
            forget_touched(look);
        if (is_first && look->counts)
            look->kept = now;
        else
            free(now.list);
    }
    return ok;
}

/* Past 2^31 elements an index may wrap around, and then it hits something else. */
static bool has_long_buffer(const struct image *image)
{
    for (size_t i = 0; i < image->count; i++)
        if (image->part[i].buffer.count > INT32_MAX)
            return true;
    return false;
}

static bool input_was_left(struct look *look)
{
    const void *memory = look->spread->rooms[look->part].device;
    const char *name = look->spread->image.part[look->part].buffer.name;
    struct stray stray;
    if (!look->lab->simgpu->was_stored_to(&memory, 1))
        return true;
    if (look->report && has_long_buffer(&look->spread->image) &&
        stray_store(look->report, (uint64_t)(uintptr_t)memory, &stray))
        return stray_say(&stray, look->spread->problem->name, name, look->finding);
    return finding_set(look->finding, VERDICT_INPUT_MODIFIED,
                       "case %s: the input %s was written to, even if with what it held",
                       look->spread->problem->name, name);
}

/* Touched memory comes in pieces, of which blocks may have written one word each: so first count
 * what they wrote. */
static bool verify_touched(struct look *look)
{
    if (look->output == look->spread->image.count)
        return input_was_left(look);
    if (!find_dense(look))
        return finding_set(look->finding, VERDICT_DEVICE, "this machine is out of memory");
    look->changed = 0;
    look->counts = true;
    bool ok = look_at_touched(look);
    look->counts = false;
    ok = ok && look_at_touched(look);
    forget_touched(look);
    return ok;
}

bool spread_verify(struct lab *lab, struct spread *spread, const struct simgpu_report *report,
                   uint64_t most, struct comparison *comparison, size_t *buffer,
                   struct finding *finding)
{
    struct look look = {.lab = lab,
                        .spread = spread,
                        .most = most ? most : UINT64_MAX,
                        .report = report,
                        .comparison = comparison,
                        .finding = finding};
    double worst_share = 0;
    look.held = malloc(sizeof *look.held);
    look.before = malloc(CHUNK_BYTES);
    bool ok = (look.held && look.before) ||
              finding_set(finding, VERDICT_DEVICE, "this machine is out of memory");
    for (size_t i = 0; ok && i < spread->image.count; i++) {
        if (!has_room(&spread->image, i))
            continue;
        memset(comparison, 0, sizeof *comparison);
        look.part = i;
        *buffer = look.output = output_in(&spread->image, i);
        look.held->run_count = look.held->count = 0;
        ok = lab->simgpu ? verify_touched(&look) : verify_windows(&look);
        compare_held(&look);
        if (ok && comparison->wrong) {
            comparison->total = spread->image.part[*buffer].buffer.count;
            comparison->pattern = compare_pattern_of(comparison);
            ok = say_wrong(spread->problem, comparison, &spread->image.part[*buffer].buffer,
                           finding);
        }
        worst_share = comparison->worst_share > worst_share ? comparison->worst_share : worst_share;
    }
    comparison->worst_share = worst_share;
    free(look.held);
    free(look.before);
    free(look.dense);
    return ok;
}

bool spread_is_mixed(const struct simgpu_report *report)
{
    bool sampled = false;
    for (size_t i = 0; i < report->launch_count; i++)
        sampled |= report->launches[i].blocks_run < report->launches[i].blocks;
    return sampled && report->launch_count + report->calls.copies + report->calls.sets > 1;
}

bool spread_unwritten(const struct spread *spread, size_t part, struct device_found *found)
{
    const struct judge_buffer *buffer = &spread->image.part[part].buffer;
    *found = (struct device_found){0};
    return !has_room(&spread->image, part) || buffer->role != JUDGE_OUT || buffer->count == 0 ||
           device_find_unwritten(spread->rooms[part].device + spread->problem->offset_bytes[part],
                                 buffer->count, judge_type_bytes(buffer->type),
                                 image_poison_byte(buffer->type, IMAGE_POISON_NAN), found);
}
