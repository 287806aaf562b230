/* small_run.c - see small_run.h. */
#include "check/examine/small_run.h"

#include "check/examine/data.h"
#include "check/examine/every_case.h"
#include "check/examine/history.h"
#include "check/judge_graph.h"
#include "lib/large_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A small case takes about ten million thread instructions; one that takes a hundred times as many
 * is considered endless, unless its blocks end. */
#define STEP_BUDGET UINT64_C(1000000000)
/* Then a block of a few warps may compute each element of an output. All that together is a few
 * seconds' work at most. */
#define STEPS_AN_OUTPUT UINT64_C(16384)
#define MOST_STEPS (UINT64_C(1) << 32)
/* A case with more memory than that has more elements than this budget is for: blocks of one thread
 * take 80 steps per byte, since all 32 lanes of a warp count, active or not. */
#define BUDGET_BYTES UINT64_C(16000000)
#define STEPS_A_BYTE 128
static const uint64_t BEFORE_PURPOSE = 0x6265666F7265; /* a stream that no process of a case has */
static const uint64_t DEFAULT_PURPOSE = 5001;          /* a stream of the case's seed */
struct running {
    struct lab *lab;
    const struct small_run *run;
    struct small_result *result;
    enum image_poison poison;
    struct prepared *now; /* what the current process finds, or found */
    struct room rooms[JUDGE_MOST_BUFFERS];
    unsigned char *after; /* what it left, as an image */
    unsigned char *left;  /* by the call before: then it has the same inputs; or NULL */
    bool right;           /* so far */
    enum repeat repeat;
    unsigned calls_before; /* in a row, with the same arguments; 0: none */
};

static bool is_whole(const struct lab *lab)
{
    return !lab->simgpu;
}

/* --- Inputs and truths ------------------------------------------------------------------------ */

static unsigned processes_of(const struct judge_case *problem)
{
    return problem->processes > 1 ? problem->processes : 1;
}

/* One of the plain runs makes more calls with the same arguments: the second, or the only one,
 * unless its script already makes enough calls. */
static bool calls_again(const struct small_run *run)
{
    const struct judge_case *problem = run->of->problem;
    bool is_it = problem->once ? !problem->script : run->number == 1;
    return run->way == SMALL_PLAIN && is_it && processes_of(problem) == 1 && !problem->refused_with;
}

/* A case that is larger than most is only called again over other inputs, unless its bits count:
 * each call, and its truth, takes long. */
static bool goes_over(const struct judge_case *problem, const struct image *image)
{
    bool is_worth_it = !problem->once || problem->repeats > 1;
    return is_worth_it && history_applies(problem, image);
}

static void forget_early(struct prepared *early, unsigned count)
{
    for (unsigned i = 0; early && i < count; i++)
        prepared_free(&early[i]);
    free(early);
}

static bool prepare_early(const struct lab *lab, struct small_case *of, struct finding *finding)
{
    unsigned count = processes_of(of->problem) - 1;
    struct prepared *early = calloc(count + 1, sizeof *early);
    bool made = early || finding_set(finding, VERDICT_DEVICE, "this machine is out of memory");
    for (unsigned i = 0; i < count && made; i++)
        made = prepare(lab, of->problem, data_seed(of->seed, i), &early[i], finding);
    if (made)
        of->early = early;
    else
        forget_early(early, count);
    return made;
}

static void forget_again(struct small_case *of)
{
    prepared_free(&of->afresh);
    prepared_free(&of->changed);
    of->is_prepared_again = false;
}

static bool prepare_again(const struct lab *lab, struct small_case *of, struct finding *finding)
{
    of->is_prepared_again =
        prepare(lab, of->problem, repeat_seed(of->seed, REPEAT_AFRESH), &of->afresh, finding) &&
        (!goes_over(of->problem, &of->afresh.image) ||
         history_change(lab, &of->afresh, repeat_seed(of->seed, REPEAT_CHANGED), &of->changed,
                        finding));
    if (!of->is_prepared_again)
        forget_again(of);
    return of->is_prepared_again;
}

bool small_prepare(const struct lab *lab, const struct small_run *run, struct finding *finding)
{
    struct small_case *of = run->of;
    bool is_early = processes_of(of->problem) > 1 && run->way != SMALL_ZEROS;
    if (!of->is_prepared)
        of->is_prepared = prepare(lab, of->problem, of->seed, &of->prepared, finding);
    return of->is_prepared && (!is_early || of->early || prepare_early(lab, of, finding)) &&
           (!calls_again(run) || of->is_prepared_again || prepare_again(lab, of, finding));
}

/* --- Memory ----------------------------------------------------------------------------------- */

static bool has_room(const struct image *image, size_t part)
{
    return !image->part[part].buffer.optional && image->part[part].home == part;
}

/* Where the part's room begins in an image: its buffer may start some bytes later. */
static uint64_t room_start(const struct running *running, size_t part)
{
    const struct prepared *prepared = &running->run->of->prepared;
    return prepared->image.part[part].offset - prepared->problem->offset_bytes[part];
}

static bool has_call_before(const struct running *running)
{
    return running->run->of->problem->after && running->run->way == SMALL_PLAIN;
}

static const struct judge_case *case_before(const struct running *running)
{
    return running->run->of->problem - running->run->of->problem->after;
}

/* If the call before has longer buffers, or later ones, they end in the guard after this one's,
 * which is then partly in its room. */
static uint64_t room_bytes(const struct running *running, size_t part)
{
    const struct prepared *prepared = &running->run->of->prepared;
    return prepared->image.part[part].size_bytes + prepared->problem->offset_bytes[part] +
           (has_call_before(running) ? JUDGE_AFTER_BYTES : 0);
}

static bool open_room(struct running *running, size_t i, uint64_t bytes, const char *name)
{
    struct lab *lab = running->lab;
    if (lab->simgpu)
        lab->simgpu->name_memory(name);
    bool opened = room_open(lab, (uint32_t)i, bytes, &running->rooms[i], &running->result->finding);
    if (lab->simgpu)
        lab->simgpu->name_memory(NULL);
    if (opened) /* a dead runner shows at the launch */
        link_open(&lab->link, (uint32_t)i, &running->rooms[i].open);
    return opened;
}

/* Buffers that only the previous call has. They hold values that would show in the results of this
 * one. */
static bool open_room_before(struct running *running, size_t i, const struct judge_buffer *buffer)
{
    enum { TWELVE = 0x41 }; /* the first byte of that float, and all others */
    uint64_t bytes =
        buffer->count * judge_type_bytes(buffer->type) + case_before(running)->offset_bytes[i];
    void *data = malloc(bytes);
    if (data)
        memset(data, TWELVE, bytes);
    bool opened = data && open_room(running, i, bytes, buffer->name) &&
                  room_write(running->lab, &running->rooms[i], data, bytes);
    free(data);
    return opened ||
           finding_set(&running->result->finding, VERDICT_DEVICE, "the device takes no copy");
}

static bool open_rooms_before(struct running *running)
{
    const struct image *image = &running->run->of->prepared.image;
    struct judge_buffer buffers[JUDGE_MOST_BUFFERS] = {0};
    bool opened = true;
    if (!has_call_before(running))
        return true;
    running->lab->judge->buffers(case_before(running), buffers);
    for (size_t i = 0; i < image->count && opened; i++)
        if (image->part[i].buffer.optional && !buffers[i].optional && buffers[i].count)
            opened = open_room_before(running, i, &buffers[i]);
    return opened;
}

/* From now on the device notes stores between the rows of the part, if something else is there. */
static bool watch_gaps(struct running *running, size_t i)
{
    const struct prepared *prepared = &running->run->of->prepared;
    const struct judge_buffer *buffer = &prepared->image.part[i].buffer;
    uint64_t each = judge_type_bytes(buffer->type);
    const struct simgpu_gaps gaps = {.first =
                                         prepared->problem->offset_bytes[i] + buffer->used * each,
                                     .bytes = (buffer->columns - buffer->used) * each,
                                     .every = buffer->columns * each};
    const void *device = running->rooms[i].device;
    return buffer->used == 0 || !device ||
           running->lab->simgpu->set_gaps(device, &gaps) == SIMGPU_OK ||
           finding_set(&running->result->finding, VERDICT_DEVICE,
                       "the device does not watch what lies between rows");
}

static bool open_rooms(struct running *running, struct runner_set *set)
{
    const struct prepared *prepared = &running->run->of->prepared;
    const struct image *image = &prepared->image;
    memset(set, 0, sizeof *set);
    if (is_whole(running->lab)) {
        lab_places(image, 0, set);
        return open_room(running, 0, image->total_bytes, NULL);
    }
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        set->place[i] = (struct runner_place){.offset = prepared->problem->offset_bytes[part->home],
                                              .slot = (uint32_t)part->home,
                                              .present = !part->buffer.optional};
        if (has_room(image, i) &&
            !(open_room(running, i, room_bytes(running, i), part->buffer.name) &&
              watch_gaps(running, i)))
            return false;
    }
    return open_rooms_before(running);
}

static void close_rooms(struct running *running)
{
    struct lab *lab = running->lab;
    lab_resume(lab);
    for (size_t i = 0; i < JUDGE_MOST_BUFFERS; i++) {
        if (running->rooms[i].size_bytes && lab->link.pid)
            link_close(&lab->link, running->rooms[i].slot);
        room_close(lab, &running->rooms[i]);
    }
}

static bool write_rooms(struct running *running)
{
    struct lab *lab = running->lab;
    const struct image *image = &running->now->image;
    const void *rooms[JUDGE_MOST_BUFFERS];
    size_t room_count = 0;
    bool written = true;
    if (is_whole(lab))
        return room_write(lab, &running->rooms[0], image->bytes, image->total_bytes);
    for (size_t i = 0; i < image->count && written; i++) {
        bool is_left =
            running->run->way == SMALL_CHECKED && image->part[i].buffer.role == JUDGE_OUT;
        if (has_room(image, i) && !is_left)
            written = room_write(lab, &running->rooms[i], image->bytes + room_start(running, i),
                                 room_bytes(running, i));
        if (running->rooms[i].device)
            rooms[room_count++] = running->rooms[i].device;
    }
    return written && lab->simgpu->forget_stores(rooms, room_count) == SIMGPU_OK;
}

/* Guards that are in no room are unchanged. So are the bytes before an output that was not written
 * beforehand: they must not be written, and never were. */
static bool read_rooms(struct running *running)
{
    struct lab *lab = running->lab;
    const struct image *image = &running->now->image;
    bool read = true;
    if (is_whole(lab))
        return room_read(lab, &running->rooms[0], running->after, image->total_bytes);
    memcpy(running->after, image->bytes, image->total_bytes);
    for (size_t i = 0; i < image->count && read; i++) {
        uint64_t start = room_start(running, i), offset = image->part[i].offset - start;
        if (!has_room(image, i))
            continue;
        read = room_read(lab, &running->rooms[i], running->after + start, room_bytes(running, i));
        if (running->run->way == SMALL_CHECKED && image->part[i].buffer.role == JUDGE_OUT)
            memcpy(running->after + start, image->bytes + start, offset);
    }
    return read;
}

/* --- What a process left ---------------------------------------------------------------------- */

/* False with a finding about the first output whose bits differ from those of a call before it. */
static bool same_bits(struct running *running, const unsigned char *before)
{
    struct small_case *of = running->run->of;
    const struct image *image = &of->prepared.image;
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        if (!prepared_asks(running->now, part) || part->size_bytes == 0 ||
            memcmp(running->after + part->offset, before + part->offset, part->size_bytes) == 0)
            continue;
        running->result->differs = true;
        return finding_set(&running->result->finding, VERDICT_NONDETERMINISTIC,
                           "case %s: %s differs between two runs on the same input",
                           of->problem->name, part->buffer.name);
    }
    return true;
}

/* The same as in the first run, whose bits are kept. */
static bool same_bits_as_first(struct running *running)
{
    struct small_case *of = running->run->of;
    uint64_t bytes = of->prepared.image.total_bytes;
    if (of->first)
        return same_bits(running, of->first);
    of->first = in_large_pages(malloc(bytes), bytes);
    if (of->first)
        memcpy(of->first, running->after, bytes);
    return of->first ||
           finding_set(&running->result->finding, VERDICT_DEVICE, "this machine is out of memory");
}

/* Was the part's memory written to since it was filled, even with the same values? If the runner
 * itself copies, and on a GPU, that is unknown: false. */
static bool was_stored_to(const struct running *running, size_t part)
{
    const struct lab *lab = running->lab;
    const void *device = running->rooms[part].device;
    return !is_whole(lab) && device && lab->simgpu->was_stored_to(&device, 1);
}

static bool is_shared_with_output(const struct image *image, size_t part)
{
    for (size_t i = 0; i < image->count; i++)
        if (image_is_output(&image->part[i]) && image->part[i].home == part)
            return true;
    return false;
}

/* The same for any part, or for any part that only inputs have; asks the device once. */
static bool any_was_stored_to(const struct running *running, bool only_inputs)
{
    const struct image *image = &running->now->image;
    const void *rooms[JUDGE_MOST_BUFFERS];
    size_t count = 0;
    for (size_t i = 0; i < image->count && !is_whole(running->lab); i++)
        if (running->rooms[i].device && !(only_inputs && is_shared_with_output(image, i)))
            rooms[count++] = running->rooms[i].device;
    return count && running->lab->simgpu->was_stored_to(rooms, count);
}

/* Other work may read an input meanwhile: if it is restored in the end, it was wrong until then. */
static bool inputs_are_left(struct running *running)
{
    const struct image *image = &running->now->image;
    if (!any_was_stored_to(running, true))
        return true;
    for (size_t i = 0; i < image->count; i++)
        if (!is_shared_with_output(image, i) && was_stored_to(running, i)) {
            struct finding *finding = &running->result->finding;
            finding_set(finding, VERDICT_INPUT_MODIFIED,
                        "case %s: the input %s was written to, even if with what it held",
                        running->now->problem->name, image->part[i].buffer.name);
            snprintf(finding->advice, sizeof finding->advice,
                     "an input must only be read: others may read it at the same time");
            return false;
        }
    return true;
}

/* The memory between rows may belong to another call, which stores there meanwhile: a value that is
 * put back in the end may be out of date by then. */
static bool gaps_are_left(struct running *running)
{
    const struct image *image = &running->now->image;
    for (size_t i = 0; i < image->count; i++) {
        const void *device = running->rooms[i].device;
        if (image->part[i].buffer.used && device &&
            running->lab->simgpu->gaps_were_stored_to(device)) {
            struct finding *finding = &running->result->finding;
            finding_set(finding, VERDICT_WRONG,
                        "case %s: what lies between rows of %s was written to, even if with what "
                        "it held",
                        running->now->problem->name, image->part[i].buffer.name);
            snprintf(finding->advice, sizeof finding->advice,
                     "store the elements of rows only: others may store between them at the same "
                     "time");
            return false;
        }
    }
    return true;
}

/* This call may not write to buffers that only the previous call had. */
static bool absent_ones_are_left(struct running *running)
{
    const struct image *image = &running->now->image;
    for (size_t i = 0; i < image->count; i++)
        if (image->part[i].buffer.optional && was_stored_to(running, i)) {
            struct finding *finding = &running->result->finding;
            finding_set(finding, VERDICT_WRONG,
                        "case %s: %s was written to, which the call before had, and this one has "
                        "not",
                        running->now->problem->name, image->part[i].buffer.name);
            snprintf(finding->advice, sizeof finding->advice,
                     "look for something that is remembered of an earlier call");
            return false;
        }
    return true;
}

/* A refused call must not write, either. */
static bool is_untouched(struct running *running)
{
    const struct image *image = &running->now->image;
    bool was_stored = any_was_stored_to(running, false);
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        bool differs =
            !part->buffer.optional && memcmp(running->after + part->offset,
                                             image->bytes + part->offset, part->size_bytes) != 0;
        if (differs || (was_stored && was_stored_to(running, i)))
            return finding_set(&running->result->finding, VERDICT_ARGUMENTS,
                               "case %s: %s was written, though the arguments were refused",
                               running->now->problem->name, part->buffer.name);
    }
    return true;
}

static bool verify_now(struct running *running)
{
    struct small_result *result = running->result;
    struct comparison comparison = {.total = 0};
    size_t buffer = 0;
    result->launched = true;
    if (running->now->problem->refused_with)
        return running->lab->launched_elsewhere || is_untouched(running);
    if (!verify(running->now, running->after, &comparison, &buffer, &result->finding))
        return false;
    if (!inputs_are_left(running) || !gaps_are_left(running) || !absent_ones_are_left(running))
        return false;
    result->worst_share =
        comparison.worst_share > result->worst_share ? comparison.worst_share : result->worst_share;
    return true;
}

/* --- Processes -------------------------------------------------------------------------------- */

static void note_process(struct running *running)
{
    struct finding *finding = &running->result->finding;
    size_t used = strlen(finding->reason);
    finding->process = running->now->process - 1;
    snprintf(finding->reason + used, sizeof finding->reason - used, ", in process %u of %u",
             running->now->process, processes_of(running->now->problem));
}

/* Compare the results of the process that ran with the truth, unless an earlier one was already
 * wrong. */
static bool look_back(struct running *running)
{
    struct small_result *result = running->result;
    if (!running->right)
        return false;
    if (!read_rooms(running))
        running->right =
            finding_set(&result->finding, VERDICT_DEVICE, "the device does not give a copy");
    else
        running->right = verify_now(running);
    if (!running->right && running->now->process)
        note_process(running);
    return running->right;
}

/* The inputs and outputs that process number process finds; go_over has filled the outputs of a
 * later call. */
static void make_ready(struct running *running, unsigned process)
{
    struct small_case *of = running->run->of;
    unsigned last = processes_of(of->problem) - 1;
    running->now = running->repeat == REPEAT_CHANGED ? &of->changed
                   : running->repeat != REPEAT_NONE  ? &of->afresh
                   : process < last                  ? &of->early[process]
                                                     : &of->prepared;
    if (running->repeat >= REPEAT_SPOILT)
        return;
    running->now->process = last ? 1 + process : 0;
    image_poison(&running->now->image, running->poison, running->run->of->seed);
}

static bool fill(void *context, unsigned process, struct finding *finding)
{
    struct running *running = context;
    if (process > 0)
        look_back(running); /* if that was wrong, it is reported in the end */
    make_ready(running, process);
    return write_rooms(running) ||
           finding_set(finding, VERDICT_DEVICE, "the device does not take a copy");
}

/* What was not observed is not proved. If the runner itself copies, copies say nothing. */
static bool device_worked(struct running *running)
{
    struct lab *lab = running->lab;
    const struct judge_case *problem = running->run->of->problem;
    struct simgpu_report *report = NULL;
    bool has_work = judge_has_work(lab->judge->work(problem)) && !problem->launches_nothing &&
                    !problem->refused_with;
    if (!has_work || !lab->simgpu || lab->simgpu->report(&report) != SIMGPU_OK)
        return true;
    uint64_t pieces =
        report->launch_count + report->calls.sets + (lab->shared ? 0 : report->calls.copies);
    lab->simgpu->report_free(report);
    return pieces > 0 ||
           finding_set(&running->result->finding, VERDICT_WRONG,
                       "case %s: nothing was launched, copied or set on the device", problem->name);
}

static uint64_t step_budget(const struct small_run *run)
{
    uint64_t bytes = run->of->prepared.image.total_bytes;
    return STEP_BUDGET + (bytes > BUDGET_BYTES ? bytes * STEPS_A_BYTE : 0);
}

static uint64_t most_steps(const struct small_run *run)
{
    const struct image *image = &run->of->prepared.image;
    uint64_t elements = 0;
    for (size_t i = 0; i < image->count; i++)
        elements += image_is_output(&image->part[i]) ? image->part[i].buffer.count : 0;
    return step_budget(run) +
           (elements < MOST_STEPS / STEPS_AN_OUTPUT ? elements * STEPS_AN_OUTPUT : MOST_STEPS);
}

/* Work is held back until the launcher has returned, to find launchers that wait for it (simgpu.h);
 * but not after one was found, since that takes time. */
static void set_options(struct lab *lab, const struct small_run *run, uint64_t order)
{
    bool waits = lab->missed_bar && lab->missed_bar->counter == JUDGE_SYNCHRONISATIONS;
    bool is_checked = run->way == SMALL_CHECKED;
    const unsigned checks =
        SIMGPU_CHECK_ALL | (lab->judge->calls_overlap ? SIMGPU_CHECK_VARIABLES : 0);
    const struct simgpu_options options = {.checks = is_checked ? checks : 0,
                                           .step_budget = step_budget(run),
                                           .most_steps = most_steps(run),
                                           .seed = is_checked ? 0 : order,
                                           .hold_back = !waits,
                                           .approximation_seed = lab->seed};
    if (lab->simgpu) /* another order of warps and blocks in every plain run */
        lab->simgpu->set_options(&options);
}

/* Does a second call do the same work again? Not if it works in place. */
static bool may_be_called_twice(const struct running *running)
{
    const struct lab *lab = running->lab;
    const struct image *image = &running->run->of->prepared.image;
    const struct judge_case *problem = running->run->of->problem;
    bool may = lab->simgpu && !lab->shared && !problem->script && !problem->once;
    for (size_t i = 0; i < image->count; i++)
        may = may && image->part[i].buffer.role != JUDGE_INOUT &&
              (image->part[i].buffer.role == JUDGE_OUT || !is_shared_with_output(image, i));
    return may;
}

static void note_calls(unsigned calls, const char *when, struct finding *finding)
{
    size_t used = strlen(finding->reason);
    if (calls)
        snprintf(finding->reason + used, sizeof finding->reason - used,
                 "%s %u calls in a row with the same arguments", when, calls);
}

/* With the same arguments. */
static bool call_again(struct running *running, enum repeat repeat, struct runner_command *command)
{
    struct lab *lab = running->lab;
    struct finding *finding = &running->result->finding;
    struct runner_answer answer;
    running->repeat = repeat;
    running->result->launched =
        lab_run(lab, &lab->link, command, &(struct lab_fill){fill, running}, &answer, finding);
    if (!running->result->launched)
        return false;
    if (!look_back(running)) {
        repeat_note(repeat, finding);
        note_calls(running->calls_before, ", after", finding);
    }
    return running->right;
}

/* Twice more, over what the previous call left (history.h). The first of them has the same inputs,
 * and so the same bits, whatever the order of its warps and blocks. */
static bool go_over(struct running *running, struct runner_command *command)
{
    struct small_case *of = running->run->of;
    struct finding *finding = &running->result->finding;
    uint64_t bytes = running->now->image.total_bytes;
    command->launch.launches = 1;
    running->left = in_large_pages(malloc(bytes), bytes);
    if (!running->left)
        return finding_set(finding, VERDICT_DEVICE, "this machine is out of memory");
    memcpy(running->left, running->after, bytes);
    set_options(running->lab, running->run, 1 + running->run->number);
    history_spoil(running->now, running->after, repeat_seed(of->seed, REPEAT_SPOILT));
    if (!call_again(running, REPEAT_SPOILT, command) ||
        !(of->problem->nondeterministic || same_bits(running, running->left)))
        return false;
    history_keep(&of->changed, running->after);
    return call_again(running, REPEAT_CHANGED, command);
}

/* A case that runs once has no second run to be compared with: so it is called once more with the
 * same inputs, its warps and blocks in another order, and must leave the same bits. That takes a
 * fraction of the time that the truth of other inputs takes. */
static bool call_alike(struct running *running, struct runner_command *command)
{
    struct lab *lab = running->lab;
    const struct judge_case *problem = running->run->of->problem;
    struct finding *finding = &running->result->finding;
    struct runner_answer answer;
    if (!problem->once || problem->nondeterministic || !lab->simgpu)
        return true;
    running->left =
        in_large_pages(malloc(running->now->image.total_bytes), running->now->image.total_bytes);
    if (!running->left)
        return finding_set(finding, VERDICT_DEVICE, "this machine is out of memory");
    memcpy(running->left, running->after, running->now->image.total_bytes);
    set_options(lab, running->run, 1 + running->run->number);
    running->result->launched =
        lab_run(lab, &lab->link, command, &(struct lab_fill){fill, running}, &answer, finding);
    return running->result->launched &&
           (read_rooms(running) ||
            finding_set(finding, VERDICT_DEVICE, "the device does not give a copy")) &&
           same_bits(running, running->left);
}

/* --- Many calls ------------------------------------------------------------------------------- */

static uint64_t bytes_of(const struct judge *judge, const struct judge_case *problem)
{
    struct judge_buffer buffers[JUDGE_MOST_BUFFERS] = {0};
    size_t count = judge->buffers(problem, buffers);
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += buffers[i].optional ? 0 : buffers[i].count * judge_type_bytes(buffers[i].type);
    return bytes;
}

static bool may_be_called_often(const struct judge *judge, const struct judge_case *problem)
{
    return !problem->once && !problem->refused_with && !problem->after && !problem->tampers &&
           processes_of(problem) == 1 && judge_has_work(judge->work(problem)) &&
           (!problem->script || problem->calls);
}

/* The least of its launcher's, so that many calls take little time. */
static bool is_called_often(const struct judge *judge, const struct judge_case *problem)
{
    const struct judge_case *least = NULL;
    uint64_t least_bytes = 0;
    for (size_t i = 0; i < judge->case_count; i++) {
        const struct judge_case *one = &judge->cases[i];
        if (one->launcher != problem->launcher || !may_be_called_often(judge, one))
            continue;
        uint64_t bytes = bytes_of(judge, one);
        if (!least || bytes < least_bytes) {
            least = one;
            least_bytes = bytes;
        }
    }
    return least == problem;
}

/* A submission may count its calls, and do less from some number on, or wait. So one case of each
 * launcher is called this often in a row, and then over other inputs, and that call is judged. */
static bool call_often(struct running *running, const struct runner_command *command)
{
    enum { OFTEN = 600 }; /* more than a counter of 9 bits */
    struct lab *lab = running->lab;
    struct finding *finding = &running->result->finding;
    const struct judge_case *problem = running->run->of->problem;
    struct runner_command often = *command;
    struct runner_answer answer;
    if (!is_called_often(lab->judge, problem))
        return true;
    often.launch.launches = OFTEN / (problem->calls ? problem->calls : 1) + 1;
    running->result->launched =
        lab_run(lab, &lab->link, &often, &(struct lab_fill){fill, running}, &answer, finding);
    if (running->result->launched && lab->simgpu && !lab->shared)
        every_case_note_two(lab, problem);
    running->calls_before = often.launch.launches;
    if (!running->result->launched)
        note_calls(running->calls_before, ", in", finding);
    return running->result->launched;
}

/* Once more with the same arguments, but with other bytes at these addresses: a cached result is
 * then wrong. The launcher is called twice before the grader waits, which reveals one that waits,
 * whatever it does to the runner's own wait (every_case.h). */
static bool go_again(struct running *running, struct runner_command *command)
{
    struct lab *lab = running->lab;
    const struct judge_case *problem = running->run->of->problem;
    if (!calls_again(running->run))
        return true;
    if (!call_alike(running, command) || !call_often(running, command))
        return false;
    command->launch.launches = may_be_called_twice(running) ? 2 : 1;
    if (!call_again(running, REPEAT_AFRESH, command))
        return false;
    if (command->launch.launches == 2)
        every_case_note_two(lab, problem);
    return !goes_over(problem, &running->now->image) || go_over(running, command);
}

/* The error was found in memory: the last launch may have left it there. */
static void note_launch(const struct running *running)
{
    struct lab *lab = running->lab;
    struct finding *finding = &running->result->finding;
    struct simgpu_report *report = NULL;
    if (finding->verdict == VERDICT_PASS || finding->launch.count || !lab->simgpu ||
        lab->simgpu->report(&report) != SIMGPU_OK)
        return;
    if (report->launch_count)
        finding_note_launch(finding, report, report->launch_count - 1);
    lab->simgpu->report_free(report);
}

/* In one image there is no place for buffers that only the previous call has. */
static bool can_be_before(const struct running *running, const struct judge_buffer *buffers)
{
    const struct image *image = &running->run->of->prepared.image;
    for (size_t i = 0; i < image->count && is_whole(running->lab); i++)
        if (image->part[i].buffer.optional && !buffers[i].optional)
            return false;
    return true;
}

/* The call of another case first, on the memory of this one: they differ in one argument. What it
 * leaves is judged where that case is run itself. It is made one to three times, a different number
 * in each run, so that no call has the same number for all submissions that count. */
static bool call_before(struct running *running, const struct runner_command *command)
{
    enum { MOST_TIMES = 3 };
    struct lab *lab = running->lab;
    const struct judge_case *problem = running->run->of->problem;
    struct runner_command before = *command;
    struct runner_answer answer;
    struct judge_buffer buffers[JUDGE_MOST_BUFFERS] = {0};
    if (!has_call_before(running))
        return true;
    before.launch.problem = *case_before(running);
    before.launch.launches =
        1 + (uint32_t)(data_word(data_seed(running->run->of->seed, BEFORE_PURPOSE),
                                 running->run->number) %
                       MOST_TIMES);
    lab->judge->buffers(&before.launch.problem, buffers);
    if (!can_be_before(running, buffers))
        return true;
    for (size_t i = 0; i < running->run->of->prepared.image.count; i++) {
        struct runner_place *place = &before.launch.set[0].place[i];
        place->offset += before.launch.problem.offset_bytes[i];
        place->offset -= problem->offset_bytes[i];
        place->present = !buffers[i].optional;
    }
    return lab_run(lab, &lab->link, &before, &(struct lab_fill){fill, running}, &answer,
                   &running->result->finding);
}

/* The given stream is NULL where a case says so, and in the last plain run of every fourth: there a
 * kernel without a stream is where it should be, so the other runs use another stream. Not where a
 * call is captured, which that stream cannot be. */
static bool is_on_default(const struct small_run *run)
{
    const struct judge_case *problem = run->of->problem;
    bool is_drawn = run->way == SMALL_PLAIN && run->number == 1 && !problem->script &&
                    problem->refused_with != JUDGE_LAUNCH_FAILS &&
                    data_word(data_seed(run->of->seed, DEFAULT_PURPOSE), 0) % 4 == 0;
    return is_drawn || problem->on_default;
}

static bool launch(struct running *running)
{
    struct lab *lab = running->lab;
    const struct judge_case *problem = running->run->of->problem;
    struct runner_command command = {.launch = {.problem = *problem,
                                                .sets = 1,
                                                .launches = 1,
                                                .thread = RUNNER_DRAWN_THREAD,
                                                .on_default = is_on_default(running->run)}};
    struct runner_answer answer;
    struct finding finding = {.verdict = VERDICT_PASS};
    if (small_run_is_left_out(lab, problem))
        return true;
    set_options(lab, running->run, running->run->number);
    if (!open_rooms(running, &command.launch.set[0]))
        return false;
    bool ran =
        call_before(running, &command) &&
        lab_run(lab, &lab->link, &command, &(struct lab_fill){fill, running}, &answer, &finding);
    if (!running->right)
        return false;
    if (!ran) {
        if (finding.verdict != VERDICT_PASS)
            running->result->finding = finding;
        running->result->launched = false;
    }
    if (!ran || !look_back(running) || !device_worked(running))
        return false;
    if (processes_of(problem) == 1 || problem->prepares)
        every_case_note(lab, problem);
    bool is_same = problem->nondeterministic || problem->refused_with || problem->once ||
                   same_bits_as_first(running);
    return is_same && go_again(running, &command);
}

/* What the device would hold if the submission had only written zeros. */
static bool pretend(struct running *running)
{
    const struct image *image = &running->run->of->prepared.image;
    if (running->run->of->problem->refused_with)
        return true;
    running->now = &running->run->of->prepared;
    running->now->process = 0;
    image_poison(&running->now->image, running->poison, running->run->of->seed);
    memcpy(running->after, image->bytes, image->total_bytes);
    for (size_t i = 0; i < image->count; i++)
        if (image_is_output(&image->part[i]) && !image->part[i].buffer.optional)
            memset(running->after + image->part[i].offset, 0, image->part[i].size_bytes);
    return verify_now(running);
}

/* Only the simulated device knows where a call launches: on the given stream, or on one of its
 * own. */
bool small_run_is_left_out(const struct lab *lab, const struct judge_case *problem)
{
    return (problem->refused_with == JUDGE_LAUNCH_FAILS || problem->simulated_only) && !lab->simgpu;
}

/* In every second plain run chance chooses it. */
static enum image_poison poison_of(const struct small_run *run)
{
    if (run->way != SMALL_PLAIN || run->number % 2 == 0)
        return IMAGE_POISON_NAN;
    return data_word(data_seed(run->of->seed, 5000), run->number) & 1 ? IMAGE_POISON_LARGE
                                                                      : IMAGE_POISON_DRAWN;
}

void small_run(struct lab *lab, const struct small_run *run, struct small_result *result)
{
    struct small_case *of = run->of;
    struct running running = {
        .lab = lab, .run = run, .result = result, .right = true, .poison = poison_of(run)};
    *result = (struct small_result){.finding = {.verdict = VERDICT_PASS}};
    if (small_prepare(lab, run, &result->finding)) {
        uint64_t bytes = of->prepared.image.total_bytes;
        running.after = in_large_pages(malloc(bytes), bytes);
        if (!running.after)
            finding_set(&result->finding, VERDICT_DEVICE, "this machine is out of memory");
        else if (run->way == SMALL_ZEROS)
            pretend(&running);
        else
            launch(&running);
        if (run->way != SMALL_ZEROS)
            note_launch(&running);
    }
    close_rooms(&running);
    if (calls_again(run))
        forget_again(of);
    free(running.left);
    free(running.after);
}

void small_case_free(struct small_case *of)
{
    forget_again(of);
    forget_early(of->early, processes_of(of->problem) - 1);
    if (of->is_prepared)
        prepared_free(&of->prepared);
    free(of->first);
    *of = (struct small_case){.problem = of->problem, .seed = of->seed};
}
