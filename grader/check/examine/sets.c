/* sets.c - makes, refreshes and poisons the sets of a timed case. */
#include "check/examine/sets.h"

#include "check/examine/data.h"
#include "check/examine/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    SLACK_ELEMENTS = 1 << 16, /* 1024 different offsets ... */
    OFFSET_ELEMENTS = 64,     /* ... all aligned as the buffer itself */
    LARGE_SETS = 8,
    SMALL_BYTES = 1 << 16, /* what the host may draw anew for every block */
    FLUSHES = 2,           /* how many times the L2 cache's size is written to clear it */
};

/* Sets of one side that together take this much are enough, unless they would be fewer than
 * LARGE_SETS. */
#define ENOUGH_BYTES 8e9

/* Shares of the free memory for the pools and the sets; the rest is for the submission's own
 * needs. */
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

static bool is_input(const struct image_part *part)
{
    return part->buffer.role != JUDGE_OUT && !part->buffer.optional;
}

/* The device draws what it can, again for every block, without using the bus. */
static bool is_drawn_by_device(const struct lab *lab, const struct sets *sets, size_t i)
{
    const struct judge *judge = lab->judge;
    enum judge_type type = sets->image.part[i].buffer.type;
    bool is_float = type == JUDGE_F32 || type == JUDGE_F16 || type == JUDGE_BF16;
    bool plain = !judge->fill || (judge->uniform_when_timed && is_float);
    return !lab->shared && plain && device_fills(type, (enum judge_data)sets->problem->data);
}

static bool is_small(const struct sets *sets, size_t i)
{
    return sets->image.part[i].size_bytes <= SMALL_BYTES;
}

/* Inputs as the judge makes them, drawn by the host, copied to each of the places. */
static bool fill_by_host(struct lab *lab, struct sets *sets, size_t i, uint64_t slack,
                         uint64_t seed, unsigned char *const places[], size_t count)
{
    struct judge_buffer buffer = sets->image.part[i].buffer;
    buffer.count += slack;
    uint64_t bytes = buffer.count * judge_type_bytes(buffer.type);
    void *host = malloc(bytes ? bytes : 1);
    bool filled = host != NULL;
    if (filled)
        data_fill(lab->judge, sets->problem, i, &buffer, host, seed);
    for (size_t place = 0; filled && place < count; place++)
        filled = copy(lab, places[place], host, bytes);
    filled = filled && settle(lab);
    free(host);
    return filled;
}

static bool fill_pool(struct lab *lab, struct sets *sets, size_t i)
{
    const struct judge_buffer *buffer = &sets->image.part[i].buffer;
    sets->slack[i] = lab->judge->fill ? 0 : SLACK_ELEMENTS;
    uint64_t bytes = (buffer->count + sets->slack[i]) * judge_type_bytes(buffer->type);
    sets->pool[i] = pool_memory(lab, bytes ? bytes : 1);
    return sets->pool[i] &&
           fill_by_host(lab, sets, i, sets->slack[i], sets->key, &sets->pool[i], 1);
}

static bool fill_pools(struct lab *lab, struct sets *sets)
{
    for (size_t i = 0; i < sets->image.count; i++)
        if (is_input(&sets->image.part[i]) && !is_drawn_by_device(lab, sets, i) &&
            !is_small(sets, i) && !fill_pool(lab, sets, i))
            return false;
    return true;
}

static size_t how_many(const struct lab *lab, const struct sets *sets, size_t most)
{
    double image_bytes = (double)sets->image.total_bytes;
    double fit = (double)lab->device.memory_bytes * MEMORY_SHARE / image_bytes;
    double enough = fmax(LARGE_SETS, ENOUGH_BYTES / image_bytes);
    most = enough < (double)most ? (size_t)enough : most;
    fit = (fit - 2) / (double)sets->sides; /* some memory goes to the pools */
    if (lab->shared || fit < 1)
        return 1;
    return fit < (double)most ? (size_t)fit : most;
}

/* Each runner has its own slots, but runners share the places in shared memory. */
static uint32_t slot_of(const struct lab *lab, size_t side, size_t set)
{
    return (uint32_t)(lab->shared ? side : set);
}

static bool open_rooms(struct lab *lab, size_t count, struct sets *sets, struct finding *finding)
{
    uint64_t bytes = sets->image.total_bytes;
    for (; sets->count < count; sets->count++)
        for (size_t side = 0; side < sets->sides; side++) {
            struct room *room = &sets->rooms[side][sets->count];
            if (!room_open(lab, slot_of(lab, side, sets->count), bytes, room, finding) ||
                !set_bytes(lab, address(lab, room), 0x5A, bytes))
                return false;
        }
    return true;
}

static bool make_scratch(struct lab *lab, struct sets *sets)
{
    uint64_t l2_bytes = lab->device.l2_bytes;
    bool made = cudaMalloc((void **)&sets->flush, FLUSHES * l2_bytes + 1) == cudaSuccess;
    for (size_t side = 0; lab->shared && side < sets->sides; side++)
        made = made &&
               cudaMalloc((void **)&sets->brought[side], sets->image.total_bytes) == cudaSuccess;
    return made;
}

bool sets_open(struct lab *lab, const struct judge_case *problem, size_t most, size_t sides,
               struct sets *sets, struct finding *finding)
{
    memset(sets, 0, sizeof *sets);
    sets->problem = problem;
    sets->sides = sides;
    image_layout(lab->judge, problem, lab->device.simulated ? IMAGE_ALIGNMENT : IMAGE_PAGE_BYTES,
                 &sets->image);
    if (getrandom(&sets->key, sizeof sets->key, 0) != sizeof sets->key)
        return finding_set(finding, VERDICT_INTERNAL, "the system gives no random numbers");
    if (!fill_pools(lab, sets) || !make_scratch(lab, sets))
        return finding_set(finding, VERDICT_DEVICE, "no memory for the timed case's inputs");
    return open_rooms(lab, how_many(lab, sets, most), sets, finding);
}

void sets_close(struct lab *lab, struct sets *sets)
{
    for (size_t side = 0; side < SETS_SIDES; side++) {
        for (size_t i = 0; i < RUNNER_MOST_SETS; i++)
            room_close(lab, &sets->rooms[side][i]);
        cudaFree(sets->brought[side]);
    }
    for (size_t i = 0; i < JUDGE_MOST_BUFFERS; i++)
        lab->shared ? free(sets->pool[i]) : (void)cudaFree(sets->pool[i]);
    cudaFree(sets->flush);
    memset(sets, 0, sizeof *sets);
}

void sets_show(struct sets *sets, enum sets_side side, struct link *link)
{
    for (size_t i = 0; i < sets->count; i++)
        link_open(link, sets->rooms[side][i].slot, &sets->rooms[side][i].open);
}

void sets_hide(struct link *link)
{
    for (size_t i = 0; i < RUNNER_MOST_SETS && link->pid; i++)
        if (link->open[i].size_bytes)
            link_close(link, (uint32_t)i);
}

/* --- A block ---------------------------------------------------------------------------------- */

/* Where a part is on each side; returns how many sides there are. */
static size_t places_of(const struct lab *lab, const struct sets *sets, size_t set, size_t part,
                        unsigned char *places[SETS_SIDES])
{
    for (size_t side = 0; side < sets->sides; side++)
        places[side] = address(lab, &sets->rooms[side][set]) + sets->image.part[part].offset;
    return sets->sides;
}

static bool fill_from_pool(const struct lab *lab, const struct sets *sets, size_t i, uint64_t draw,
                           unsigned char *const places[], size_t count)
{
    const struct image_part *part = &sets->image.part[i];
    uint64_t offset = draw % (sets->slack[i] / OFFSET_ELEMENTS + 1) * OFFSET_ELEMENTS *
                      judge_type_bytes(part->buffer.type);
    bool filled = true;
    for (size_t place = 0; place < count; place++)
        filled = filled && copy(lab, places[place], sets->pool[i] + offset, part->size_bytes);
    return filled;
}

static bool fill_part(struct lab *lab, struct sets *sets, size_t set, size_t i)
{
    const struct image_part *part = &sets->image.part[i];
    unsigned char *places[SETS_SIDES] = {NULL};
    size_t count = places_of(lab, sets, set, i, places);
    uint64_t seed = data_word(data_seed(sets->key, sets->blocks), set);
    if (sets->pool[i])
        return fill_from_pool(lab, sets, i, data_word(seed, i), places, count);
    if (!is_drawn_by_device(lab, sets, i))
        return fill_by_host(lab, sets, i, 0, seed, places, count);
    return device_fill(places[0], places[1], part->buffer.type,
                       (enum judge_data)sets->problem->data, part->buffer.count,
                       data_seed(seed, i));
}

static bool poison_part(struct lab *lab, struct sets *sets, size_t set, size_t i)
{
    const struct image_part *part = &sets->image.part[i];
    unsigned char *places[SETS_SIDES] = {NULL};
    size_t count = places_of(lab, sets, set, i, places);
    bool poisoned = true;
    for (size_t place = 0; place < count && part->size_bytes; place++)
        poisoned = poisoned && set_bytes(lab, places[place],
                                         image_poison_byte(part->buffer.type, IMAGE_POISON_NAN),
                                         part->size_bytes);
    return poisoned;
}

bool sets_refresh(struct lab *lab, struct sets *sets)
{
    const struct image *image = &sets->image;
    bool done = true;
    sets->blocks++;
    sets->first = data_word(data_seed(~sets->key, sets->blocks), 0) % sets->count;
    for (size_t set = 0; set < sets->count; set++)
        for (size_t i = 0; i < image->count && done; i++)
            if (is_input(&image->part[i]))
                done = fill_part(lab, sets, set, i);
            else if (image->part[i].buffer.role == JUDGE_OUT && image->part[i].home == i)
                done = poison_part(lab, sets, set, i);
    return done &&
           cudaMemsetAsync(sets->flush, 0, FLUSHES * lab->device.l2_bytes + 1, NULL) ==
               cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess;
}

unsigned char *sets_image(const struct lab *lab, const struct sets *sets, enum sets_side side,
                          size_t set)
{
    return address(lab, &sets->rooms[side][set]);
}

size_t sets_of_launch(const struct sets *sets, size_t launch)
{
    return (sets->first + launch) % sets->count;
}

void sets_command(const struct sets *sets, enum sets_side side, uint32_t launches,
                  struct runner_command *command)
{
    memset(command, 0, sizeof *command);
    command->launch.problem = *sets->problem;
    command->launch.sets = (uint32_t)sets->count;
    command->launch.launches = launches;
    command->launch.is_timed = 1;
    for (size_t i = 0; i < sets->count; i++)
        lab_places(&sets->image, sets->rooms[side][sets_of_launch(sets, i)].slot,
                   &command->launch.set[i]);
}
