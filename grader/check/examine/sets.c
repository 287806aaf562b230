/* sets.c - makes, refreshes, poisons and verifies the sets of a timed case. */
#include "check/examine/sets.h"

#include "check/examine/data.h"
#include "check/examine/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLACK_ELEMENTS = 1 << 16,  /* 1024 different offsets ... */
    OFFSET_ELEMENTS = 64,      /* ... all aligned as the buffer itself */
    LARGE_SETS = 8,
};

/* Sets that together take so much are enough, unless they would be fewer than LARGE_SETS. */
#define ENOUGH_BYTES 8e9

/* Of the free memory: the pools and the sets; the rest is for the submission's own needs. */
#define MEMORY_SHARE 0.8

/* --- Memory on either side -------------------------------------------------------------------- */

static unsigned char *address(const struct lab *lab, const struct room *room)
{
    return lab->shared ? lab->shared + room->open.shared_offset : room->device;
}

static bool copy(const struct lab *lab, void *to, const void *from, uint64_t bytes)
{
    if (!lab->shared)
        return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, NULL) == cudaSuccess;
    memcpy(to, from, bytes);
    return true;
}

static bool set_bytes(const struct lab *lab, void *to, int byte, uint64_t bytes)
{
    if (!lab->shared)
        return cudaMemsetAsync(to, byte, bytes, NULL) == cudaSuccess;
    memset(to, byte, bytes);
    return true;
}

static bool settle(const struct lab *lab)
{
    return lab->shared || cudaDeviceSynchronize() == cudaSuccess;
}

static void *pool_memory(const struct lab *lab, uint64_t bytes)
{
    void *memory = NULL;
    if (lab->shared)
        return malloc(bytes);
    return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : NULL;
}

/* --- Making ----------------------------------------------------------------------------------- */

static bool fill_by_host(struct lab *lab, struct sets *sets, size_t i,
                         const struct judge_buffer *buffer, uint64_t bytes)
{
    void *host = malloc(bytes ? bytes : 1);
    bool filled = host != NULL;
    if (filled) {
        data_fill(lab->judge, sets->problem, i, buffer, host, lab->seed);
        filled = copy(lab, sets->pool[i], host, bytes) && settle(lab);
    }
    free(host);
    return filled;
}

/* The device draws what it can: the same words, without the way over the bus. */
static bool fill_pool(struct lab *lab, struct sets *sets, size_t i)
{
    struct judge_buffer buffer = sets->image.part[i].buffer;
    bool by_device = !lab->shared && !lab->judge->fill && buffer.type == JUDGE_F32 &&
                     sets->problem->data == JUDGE_DATA_UNIFORM;
    sets->slack[i] = lab->judge->fill ? 0 : SLACK_ELEMENTS;
    buffer.count += sets->slack[i];
    uint64_t bytes = buffer.count * judge_type_bytes(buffer.type);
    sets->pool[i] = pool_memory(lab, bytes ? bytes : 1);
    if (!sets->pool[i])
        return false;
    return by_device ? device_draw((float *)sets->pool[i], buffer.count, data_seed(lab->seed, i))
                     : fill_by_host(lab, sets, i, &buffer, bytes);
}

static size_t how_many(const struct lab *lab, const struct image *image, size_t most)
{
    double sets = (double)lab->device.memory_bytes * MEMORY_SHARE / (double)image->total_bytes;
    double enough = fmax(LARGE_SETS, ENOUGH_BYTES / (double)image->total_bytes);
    most = enough < (double)most ? (size_t)enough : most;
    if (lab->shared || sets < 3) /* one set's worth of memory goes to the pools */
        return 1;
    return sets - 2 < (double)most ? (size_t)(sets - 2) : most;
}

bool sets_open(struct lab *lab, const struct judge_case *problem, size_t most, struct sets *sets,
               struct finding *finding)
{
    memset(sets, 0, sizeof *sets);
    sets->problem = problem;
    image_layout(lab->judge, problem,
                 lab->device.simulated ? IMAGE_ALIGNMENT : IMAGE_PAGE_BYTES, &sets->image);
    const struct image *image = &sets->image;
    for (size_t i = 0; i < image->count; i++)
        if (image->part[i].buffer.role != JUDGE_OUT && !image->part[i].buffer.optional &&
            !fill_pool(lab, sets, i))
            return finding_set(finding, VERDICT_DEVICE, "no memory for the timed case's inputs");
    for (size_t count = how_many(lab, image, most); sets->count < count; sets->count++)
        if (!room_open(lab, (uint32_t)sets->count, image->total_bytes, &sets->rooms[sets->count],
                       finding) ||
            !set_bytes(lab, address(lab, &sets->rooms[sets->count]), 0x5A, image->total_bytes))
            return false;
    return true;
}

void sets_close(struct lab *lab, struct sets *sets)
{
    for (size_t i = 0; i < RUNNER_MOST_SETS; i++)
        room_close(lab, &sets->rooms[i]);
    for (size_t i = 0; i < JUDGE_MOST_BUFFERS; i++)
        lab->shared ? free(sets->pool[i]) : (void)cudaFree(sets->pool[i]);
    cudaFree(sets->wanted);
    cudaFree(sets->got);
    memset(sets, 0, sizeof *sets);
}

void sets_show(struct sets *sets, struct link *link)
{
    for (size_t i = 0; i < sets->count; i++)
        link_open(link, (uint32_t)i, &sets->rooms[i].open);
}

void sets_hide(struct link *link)
{
    for (size_t i = 0; i < RUNNER_MOST_SETS && link->pid; i++)
        if (link->open[i].size_bytes)
            link_close(link, (uint32_t)i);
}

/* --- A block ---------------------------------------------------------------------------------- */

bool sets_refresh(struct lab *lab, struct sets *sets)
{
    const struct image *image = &sets->image;
    sets->blocks++;
    for (size_t set = 0; set < sets->count; set++)
        for (size_t i = 0; i < image->count; i++) {
            if (!sets->pool[i])
                continue;
            uint64_t draw = data_word(data_seed(lab->seed, sets->blocks), set * 100 + i);
            uint64_t offset = draw % (sets->slack[i] / OFFSET_ELEMENTS + 1) * OFFSET_ELEMENTS *
                              judge_type_bytes(image->part[i].buffer.type);
            if (!copy(lab, address(lab, &sets->rooms[set]) + image->part[i].offset,
                      sets->pool[i] + offset, image->part[i].size_bytes))
                return false;
        }
    return settle(lab);
}

bool sets_poison(struct lab *lab, struct sets *sets)
{
    const struct image *image = &sets->image;
    for (size_t set = 0; set < sets->count; set++)
        for (size_t i = 0; i < image->count; i++) {
            const struct image_part *part = &image->part[i];
            if (part->buffer.role == JUDGE_OUT && part->home == i && part->size_bytes &&
                !set_bytes(lab, address(lab, &sets->rooms[set]) + part->offset,
                           image_poison_byte(part->buffer.type, IMAGE_POISON_NAN),
                           part->size_bytes))
                return false;
        }
    return settle(lab);
}

void sets_command(const struct sets *sets, uint32_t launches, struct runner_command *command)
{
    memset(command, 0, sizeof *command);
    command->launch.problem = *sets->problem;
    command->launch.sets = (uint32_t)sets->count;
    command->launch.launches = launches;
    for (size_t set = 0; set < sets->count; set++)
        lab_places(&sets->image, (uint32_t)set, &command->launch.set[set]);
}

/* --- Verifying -------------------------------------------------------------------------------- */

bool sets_keep(struct lab *lab, struct sets *sets, size_t index, bool reference)
{
    unsigned char **kept = reference ? &sets->wanted : &sets->got;
    uint64_t bytes = sets->image.total_bytes;
    if (!*kept && cudaMalloc((void **)kept, bytes) != cudaSuccess)
        return false;
    return cudaMemcpy(*kept, address(lab, &sets->rooms[index]), bytes, cudaMemcpyDefault) ==
               cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess;
}

/* Two honest results of one formula differ by rounding; a result of another input does not agree
 * to a thousandth. Between the two lies, by type, what is taken as the same. */
static double share_allowed(enum judge_type type)
{
    switch (type) {
    case JUDGE_F32:
        return 0x1p-16;
    case JUDGE_F16:
        return 0x1p-8;
    case JUDGE_BF16:
        return 0x1p-5;
    default:
        return 0;
    }
}

/* Of some thousand elements of it, which are read one by one. */
static bool root_mean_square(const unsigned char *output, const struct judge_buffer *buffer,
                             double *rms)
{
    enum { MOST = 4096 };
    unsigned char some[MOST * sizeof(uint64_t)];
    uint64_t step = buffer->count / MOST + 1, count = (buffer->count + step - 1) / step;
    size_t element = judge_type_bytes(buffer->type);
    double sum = 0;
    uint64_t counted = 0;
    if (cudaMemcpy2D(some, element, output, step * element, element, count,
                     cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        double value = judge_element(some, buffer->type, i);
        if (isfinite(value)) {
            sum += value * value;
            counted++;
        }
    }
    *rms = counted ? sqrt(sum / (double)counted) : 0;
    return true;
}

static double element_at(const unsigned char *output, enum judge_type type, uint64_t at)
{
    unsigned char element[sizeof(uint64_t)] = {0};
    size_t bytes = judge_type_bytes(type);
    cudaMemcpy(element, output + at * bytes, bytes, cudaMemcpyDeviceToHost);
    return judge_element(element, type, 0);
}

static bool say_unreadable(struct finding *finding)
{
    return finding_set(finding, VERDICT_DEVICE, "the device does not compare its own memory");
}

static bool same_output(const struct sets *sets, size_t i, struct finding *finding)
{
    const struct image_part *part = &sets->image.part[i];
    const unsigned char *wanted = sets->wanted + part->offset, *got = sets->got + part->offset;
    const struct judge_buffer *buffer = &part->buffer;
    struct device_found unlike = {0};
    double rms;
    if (buffer->count == 0)
        return true;
    if (!root_mean_square(wanted, buffer, &rms) ||
        !device_find_unlike(got, wanted, buffer->type, buffer->count, share_allowed(buffer->type),
                            rms, &unlike))
        return say_unreadable(finding);
    return unlike.count == 0 ||
           finding_set(finding, VERDICT_WRONG,
                       "a timed launch: %s[%llu] is %.9g, the reference gives %.9g", buffer->name,
                       (unsigned long long)unlike.first,
                       element_at(got, buffer->type, unlike.first),
                       element_at(wanted, buffer->type, unlike.first));
}

/* To the last bit, as words where the bytes lie so. */
static bool same_input(const struct sets *sets, size_t i, struct finding *finding)
{
    const struct image_part *part = &sets->image.part[i];
    bool words = part->size_bytes % 4 == 0 && part->offset % 4 == 0;
    struct device_found unlike = {0};
    if (part->size_bytes &&
        !device_find_unlike(sets->got + part->offset, sets->wanted + part->offset,
                            words ? JUDGE_U32 : JUDGE_U8, part->size_bytes / (words ? 4 : 1), 0, 0,
                            &unlike))
        return say_unreadable(finding);
    return unlike.count == 0 || finding_set(finding, VERDICT_INPUT_MODIFIED,
                                            "a timed launch: the input %s was changed",
                                            part->buffer.name);
}

bool sets_verify(const struct sets *sets, struct finding *finding)
{
    for (size_t i = 0; i < sets->image.count; i++) {
        const struct image_part *part = &sets->image.part[i];
        if (!part->buffer.optional &&
            !(image_is_output(part) ? same_output : same_input)(sets, i, finding))
            return false;
    }
    return true;
}
