/* sets.c - makes, refreshes, poisons and verifies the sets of a timed case. */
#include "check/examine/sets.h"

#include "check/examine/compare.h"
#include "check/examine/data.h"

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

static void *host_memory(const struct lab *lab, uint64_t bytes)
{
    void *memory = NULL;
    if (lab->shared)
        return malloc(bytes);
    return cudaMallocHost(&memory, bytes) == cudaSuccess ? memory : NULL;
}

/* --- Making ----------------------------------------------------------------------------------- */

static bool fill_pool(struct lab *lab, struct sets *sets, size_t i)
{
    struct judge_buffer buffer = sets->image.part[i].buffer;
    sets->slack[i] = lab->judge->fill ? 0 : SLACK_ELEMENTS;
    buffer.count += sets->slack[i];
    uint64_t bytes = buffer.count * judge_type_bytes(buffer.type);
    void *host = malloc(bytes ? bytes : 1);
    sets->pool[i] = pool_memory(lab, bytes ? bytes : 1);
    bool filled = host && sets->pool[i];
    if (filled) {
        data_fill(lab->judge, sets->problem, i, &buffer, host, lab->seed);
        filled = copy(lab, sets->pool[i], host, bytes) && settle(lab);
    }
    free(host);
    return filled;
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
    lab->shared ? free(sets->wanted) : (void)cudaFreeHost(sets->wanted);
    lab->shared ? free(sets->got) : (void)cudaFreeHost(sets->got);
    memset(sets, 0, sizeof *sets);
}

void sets_show(struct sets *sets, struct link *link)
{
    for (size_t i = 0; i < sets->count; i++)
        link_open(link, (uint32_t)i, &sets->rooms[i].open);
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

bool sets_read(struct lab *lab, struct sets *sets, size_t index, bool reference)
{
    unsigned char **host = reference ? &sets->wanted : &sets->got;
    uint64_t bytes = sets->image.total_bytes;
    if (!*host) /* not before someone wants to verify: pinning gigabytes takes a while */
        *host = host_memory(lab, bytes);
    return *host && copy(lab, *host, address(lab, &sets->rooms[index]), bytes) && settle(lab);
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

static double root_mean_square(const void *output, const struct judge_buffer *buffer)
{
    double sum = 0;
    uint64_t step = buffer->count / 4096 + 1, counted = 0;
    for (uint64_t i = 0; i < buffer->count; i += step) {
        double value = judge_element(output, buffer->type, i);
        if (isfinite(value)) {
            sum += value * value;
            counted++;
        }
    }
    return counted ? sqrt(sum / (double)counted) : 0;
}

static bool same_output(const struct sets *sets, size_t i, struct finding *finding)
{
    const struct image_part *part = &sets->image.part[i];
    const void *wanted = sets->wanted + part->offset, *got = sets->got + part->offset;
    const struct judge_buffer *buffer = &part->buffer;
    if (memcmp(wanted, got, part->size_bytes) == 0)
        return true;
    double share = share_allowed(buffer->type), rms = root_mean_square(wanted, buffer);
    for (uint64_t at = 0; at < buffer->count; at++) {
        double want = judge_element(wanted, buffer->type, at);
        double have = judge_element(got, buffer->type, at);
        if (!compare_equal(have, want, share * (fabs(want) + rms)))
            return finding_set(finding, VERDICT_WRONG,
                               "a timed launch: %s[%llu] is %.9g, the reference gives %.9g",
                               buffer->name, (unsigned long long)at, have, want);
    }
    return true;
}

bool sets_verify(const struct sets *sets, struct finding *finding)
{
    for (size_t i = 0; i < sets->image.count; i++) {
        const struct image_part *part = &sets->image.part[i];
        if (part->buffer.optional)
            continue;
        if (image_is_output(part)) {
            if (!same_output(sets, i, finding))
                return false;
        } else if (memcmp(sets->wanted + part->offset, sets->got + part->offset,
                          part->size_bytes) != 0) {
            return finding_set(finding, VERDICT_INPUT_MODIFIED,
                               "a timed launch: the input %s was changed", part->buffer.name);
        }
    }
    return true;
}
