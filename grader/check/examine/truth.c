/* truth.c - see truth.h. */
#include "check/examine/truth.h"

#include "check/examine/data.h"
#include "check/examine/stages.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 1 << 16 };
enum { WINDOWS = 16, LEAST_WINDOW = 8, MOST_WINDOW = 1024, ROOM = WINDOWS * MOST_WINDOW };

/* --- Inputs ----------------------------------------------------------------------------------- */

/* Several processors read one. */
struct truth_copy {
    const unsigned char *memory;
    uint64_t bytes, element_bytes;
    unsigned char *content; /* untouched pages take no memory */
    _Atomic bool *have;     /* by page */
    bool on_host;
    bool failed; /* the device gave no copy */
};

static bool copy_bytes(void *to, const void *from, uint64_t bytes, bool on_host)
{
    if (!on_host)
        return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
    memcpy(to, from, bytes);
    return true;
}

static void fetch(struct truth_copy *copy, uint64_t page)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    uint64_t from = page * PAGE_BYTES, left = copy->bytes - from;
    uint64_t bytes = left < PAGE_BYTES ? left : PAGE_BYTES;
    pthread_mutex_lock(&one_at_a_time);
    if (!copy->have[page])
        copy->failed |=
            !copy_bytes(copy->content + from, copy->memory + from, bytes, copy->on_host);
    copy->have[page] = true;
    pthread_mutex_unlock(&one_at_a_time);
}

static void read_copy(void *source, uint64_t first, uint64_t count, void *to)
{
    struct truth_copy *copy = source;
    uint64_t from = first * copy->element_bytes, bytes = count * copy->element_bytes;
    uint64_t end = bytes ? (from + bytes - 1) / PAGE_BYTES + 1 : 0;
    for (uint64_t page = from / PAGE_BYTES; page < end; page++)
        if (!copy->have[page])
            fetch(copy, page);
    memcpy(to, copy->content + from, bytes);
}

static struct truth_copy *copy_of(const struct image_part *part, const unsigned char *memory,
                                  bool on_host)
{
    struct truth_copy *copy = calloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = (struct truth_copy){.memory = memory + part->offset,
                                .bytes = part->size_bytes,
                                .element_bytes = judge_type_bytes(part->buffer.type),
                                .content = malloc(part->size_bytes + 1),
                                .have = calloc(part->size_bytes / PAGE_BYTES + 1, sizeof(bool)),
                                .on_host = on_host};
    return copy;
}

bool truth_inputs(const struct image *image, const unsigned char *memory, bool on_host,
                  struct truth_inputs *inputs)
{
    bool made = true;
    *inputs = (struct truth_inputs){.image = image, .memory = memory, .on_host = on_host};
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        if (part->buffer.role == JUDGE_OUT || part->buffer.optional)
            continue;
        struct truth_copy *copy = inputs->copy[i] = copy_of(part, memory, on_host);
        made = made && copy && copy->content && copy->have;
        inputs->inputs.of[i] = (struct judge_input){.count = part->buffer.count,
                                                    .type = part->buffer.type,
                                                    .read = read_copy,
                                                    .source = copy};
    }
    if (!made)
        truth_forget(inputs);
    return made;
}

void truth_forget(struct truth_inputs *inputs)
{
    for (size_t i = 0; i < JUDGE_MOST_BUFFERS; i++) {
        if (!inputs->copy[i])
            continue;
        free(inputs->copy[i]->content);
        free(inputs->copy[i]->have);
        free(inputs->copy[i]);
    }
    memset(inputs, 0, sizeof *inputs);
}

static bool all_were_read(const struct truth_inputs *inputs)
{
    bool read = true;
    for (size_t i = 0; i < JUDGE_MOST_BUFFERS; i++)
        read = read && !(inputs->copy[i] && inputs->copy[i]->failed);
    return read;
}

/* --- Outputs ---------------------------------------------------------------------------------- */

/* Elements [first, +count) of an output; at: of the look's expected, allowed and got. */
struct window {
    uint64_t first, count, at;
};

struct look {
    const struct judge *judge;
    const struct judge_case *problem;
    const struct truth_inputs *inputs;
    const struct image_part *part;
    size_t output;
    struct comparison comparison;
    double squares, largest_allowed; /* of the expected ones that are finite; and how many */
    uint64_t finite;
    struct window windows[WINDOWS];
    double *expected, *allowed; /* of all windows */
    unsigned char *got;
};

static bool is_poison(const unsigned char *element, enum judge_type type)
{
    unsigned char poison[sizeof(uint64_t)];
    memset(poison, image_poison_byte(type, IMAGE_POISON_NAN), sizeof poison);
    return memcmp(element, poison, judge_type_bytes(type)) == 0;
}

static void note(struct look *look, uint64_t element, uint64_t i)
{
    enum judge_type type = look->part->buffer.type;
    double expected = look->expected[i], allowed = look->allowed[i];
    compare_note(&look->comparison, element, judge_element(look->got, type, i), expected, allowed,
                 is_poison(look->got + i * judge_type_bytes(type), type));
    if (!isfinite(expected))
        return;
    look->squares += expected * expected;
    look->finite++;
    look->largest_allowed = fmax(look->largest_allowed, allowed);
}

/* Draw the windows, of about `most` elements together, always with both ends. */
static void draw_windows(struct look *look, uint64_t most, uint64_t seed)
{
    uint64_t total = look->part->buffer.count, width = most / WINDOWS;
    width = width < LEAST_WINDOW ? LEAST_WINDOW : width > MOST_WINDOW ? MOST_WINDOW : width;
    width = width < total ? width : total;
    for (uint64_t i = 0; i < WINDOWS; i++) {
        uint64_t places = total - width + 1, draw = data_word(data_seed(seed, look->output), i);
        look->windows[i] = (struct window){.first = i == 0   ? 0
                                                    : i == 1 ? total - width
                                                             : draw % places,
                                           .count = width,
                                           .at = i * MOST_WINDOW};
    }
}

static bool read_windows(struct look *look)
{
    uint64_t element = judge_type_bytes(look->part->buffer.type);
    const unsigned char *memory = look->inputs->memory + look->part->offset;
    for (size_t i = 0; i < WINDOWS; i++) {
        const struct window *window = &look->windows[i];
        if (!copy_bytes(look->got + window->at * element, memory + window->first * element,
                        window->count * element, look->inputs->on_host))
            return false;
    }
    return true;
}

static void make_truth(void *context, uint64_t first, uint64_t end)
{
    const struct look *look = context;
    for (uint64_t i = first; i < end; i++) {
        const struct window *window = &look->windows[i];
        look->judge->truth_at(look->problem, &look->inputs->inputs, look->output, window->first,
                              window->count, look->expected + window->at,
                              look->allowed + window->at);
    }
}

static bool look_at_windows(struct look *look, uint64_t most, uint64_t seed)
{
    draw_windows(look, most, seed);
    if (!read_windows(look))
        return false;
    judge_side_by_side(WINDOWS, make_truth, look);
    for (size_t i = 0; i < WINDOWS; i++)
        for (uint64_t j = 0; j < look->windows[i].count; j++)
            note(look, look->windows[i].first + j, look->windows[i].at + j);
    return true;
}

/* If expected is small, allowed is a share of the usual size instead. */
static double share_of(const struct look *look)
{
    double usual = look->finite ? sqrt(look->squares / (double)look->finite) : 0;
    return look->largest_allowed > 0 && usual > 0 ? look->largest_allowed / usual : 0;
}

static bool hold_output(struct look *look, uint64_t most, uint64_t seed, struct truth_held *held,
                        struct finding *finding)
{
    if (!look_at_windows(look, most, seed))
        return finding_set(finding, VERDICT_DEVICE, "the device does not give a copy");
    if (look->comparison.wrong) {
        look->comparison.total = look->part->buffer.count;
        look->comparison.pattern = compare_pattern_of(&look->comparison);
        return say_wrong(look->problem, &look->comparison, &look->part->buffer, finding);
    }
    held->elements += WINDOWS * look->windows[0].count;
    held->worst_share = fmax(held->worst_share, look->comparison.worst_share);
    held->share[look->output] = share_of(look);
    return true;
}

bool truth_is_known(const struct judge *judge)
{
    return judge->truth_at != NULL;
}

static bool hold_outputs(struct look *whole, uint64_t most, uint64_t seed, struct truth_held *held,
                         struct finding *finding)
{
    const struct image *image = whole->inputs->image;
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        struct look look = *whole;
        look.part = part;
        look.output = i;
        memset(look.allowed, 0, ROOM * sizeof *look.allowed);
        if (image_is_output(part) && !part->buffer.optional && part->buffer.count &&
            !hold_output(&look, most, seed, held, finding))
            return false;
    }
    return true;
}

bool truth_hold(const struct judge *judge, const struct judge_case *problem,
                const struct truth_inputs *inputs, uint64_t most, uint64_t seed,
                struct truth_held *held, struct finding *finding)
{
    struct truth_held all = {0};
    double *expected = malloc(2 * ROOM * sizeof *expected);
    unsigned char *got = malloc(ROOM * sizeof(uint64_t));
    struct look look = {.judge = judge,
                        .problem = problem,
                        .inputs = inputs,
                        .expected = expected,
                        .allowed = expected ? expected + ROOM : NULL,
                        .got = got};
    bool ok = expected && got
                  ? hold_outputs(&look, most, seed, &all, finding)
                  : finding_set(finding, VERDICT_DEVICE, "this machine is out of memory");
    if (!all_were_read(inputs))
        ok = finding_set(finding, VERDICT_DEVICE, "the device does not give a copy");
    free(expected);
    free(got);
    if (held)
        *held = all;
    return ok;
}

uint64_t truth_elements(const struct judge *judge, const struct judge_case *problem,
                        double operations)
{
    struct judge_work work = judge->work(problem);
    struct image image;
    double outputs = 1;
    image_layout(judge, problem, IMAGE_ALIGNMENT, &image);
    for (size_t i = 0; i < image.count; i++)
        if (image_is_output(&image.part[i]) && !image.part[i].buffer.optional)
            outputs += (double)image.part[i].buffer.count;
    double each = (work.bytes / 4 + work.flop + work.tensor_flop) / outputs;
    return (uint64_t)(operations / fmax(each, 1)) + 1;
}
