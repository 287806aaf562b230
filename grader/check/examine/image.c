/* image.c - lays a case out in one block, fills it, and finds what a launch damaged. */
#include "check/examine/image.h"

#include "check/examine/data.h"
#include "lib/large_pages.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t GUARD_PURPOSE = 0x677561726473; /* a stream that no buffer's index is */

bool image_is_output(const struct image_part *part)
{
    return part->buffer.role != JUDGE_IN;
}

bool image_is_in_place(const struct image *image)
{
    bool in_place = false;
    for (size_t i = 0; i < image->count; i++)
        in_place =
            in_place || image->part[i].buffer.role == JUDGE_INOUT || image->part[i].home != i;
    return in_place;
}

static uint64_t aligned(uint64_t offset, uint64_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

/* A refused case has no shape of its own. */
static void list_buffers(const struct judge *judge, const struct judge_case *problem,
                         struct image *image)
{
    struct judge_buffer buffers[JUDGE_MOST_BUFFERS] = {0};
    image->count = judge->buffers(problem, buffers);
    for (size_t i = 0; i < image->count; i++) {
        image->part[i].buffer = buffers[i];
        if (problem->refused_with) {
            image->part[i].buffer.count = JUDGE_REFUSED_ELEMENTS;
            image->part[i].buffer.columns = image->part[i].buffer.used = 0;
        }
    }
}

void image_layout(const struct judge *judge, const struct judge_case *problem, uint64_t alignment,
                  struct image *image)
{
    memset(image, 0, sizeof *image);
    list_buffers(judge, problem, image);
    bool shared_one = false;
    uint64_t end = 0;
    for (size_t i = 0; i < image->count; i++) {
        struct image_part *part = &image->part[i];
        part->home = i;
        if (part->buffer.optional)
            continue;
        part->size_bytes = part->buffer.count * judge_type_bytes(part->buffer.type);
        if (problem->alias && !shared_one && image_is_output(part)) {
            shared_one = true;
            part->home = problem->alias - 1;
            part->offset = image->part[part->home].offset;
            continue;
        }
        part->offset = aligned(end + IMAGE_GUARD_BYTES, alignment) + problem->offset_bytes[i];
        end = part->offset + part->size_bytes;
    }
    image->total_bytes = aligned(end + IMAGE_GUARD_BYTES, alignment);
}

bool image_make(const struct judge *judge, const struct judge_case *problem, uint64_t seed,
                struct image *image)
{
    image_layout(judge, problem, IMAGE_ALIGNMENT, image);
    image->bytes = in_large_pages(malloc(image->total_bytes), image->total_bytes);
    if (!image->bytes)
        return false;
    uint64_t guards = data_seed(seed, GUARD_PURPOSE);
    for (uint64_t at = 0; at < image->total_bytes; at += sizeof(uint64_t)) {
        uint64_t word = data_word(guards, at);
        memcpy(image->bytes + at, &word, sizeof word); /* the total is a multiple of 256 */
    }
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        if (part->buffer.role != JUDGE_OUT && !part->buffer.optional)
            data_fill(judge, problem, i, &part->buffer, image->bytes + part->offset, seed);
    }
    return true;
}

void image_free(struct image *image)
{
    free(image->bytes);
    image->bytes = NULL;
}

unsigned char image_poison_byte(enum judge_type type, enum image_poison poison)
{
    if (poison == IMAGE_POISON_NAN)
        return 0xFF;
    return type == JUDGE_F16 ? 0x7B : 0x7F; /* 0x7B7B is 61280 as a half, where 0x7F7F is NaN */
}

void image_draw_poison(enum judge_type type, uint64_t seed, uint64_t count, void *to)
{
    size_t bytes = judge_type_bytes(type);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = data_word(seed, i);
        float value = 4 * data_uniform(word);
        _Float16 half = type == JUDGE_F16 ? (_Float16)value : 0;
        unsigned char *at = (unsigned char *)to + i * bytes;
        if (type == JUDGE_BF16)
            memcpy(at, (const unsigned char *)&value + 2, bytes); /* its upper half */
        else
            memcpy(at,
                   type == JUDGE_F32   ? (const void *)&value
                   : type == JUDGE_F16 ? (const void *)&half
                                       : (const void *)&word,
                   bytes);
    }
}

void image_poison(struct image *image, enum image_poison poison, uint64_t seed)
{
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        if (part->buffer.role != JUDGE_OUT || part->home != i || part->buffer.optional)
            continue;
        if (poison == IMAGE_POISON_DRAWN)
            image_draw_poison(part->buffer.type, data_seed(seed, i), part->buffer.count,
                              image->bytes + part->offset);
        else
            memset(image->bytes + part->offset, image_poison_byte(part->buffer.type, poison),
                   part->size_bytes);
    }
}

/* The first byte in [from, to) that differs, or to. */
static uint64_t first_difference(const unsigned char *a, const unsigned char *b, uint64_t from,
                                 uint64_t to)
{
    if (from < to && memcmp(a + from, b + from, to - from) == 0)
        return to;
    while (from < to && a[from] == b[from])
        from++;
    return from;
}

/* The last byte in [from, to) that differs, or to. */
static uint64_t last_difference(const unsigned char *a, const unsigned char *b, uint64_t from,
                                uint64_t to)
{
    for (uint64_t at = to; at > from; at--)
        if (a[at - 1] != b[at - 1])
            return at - 1;
    return to;
}

/* The guard between the end of one buffer and the start of the next: damage in the half next to a
 * buffer counts as that buffer's. */
static bool guard_damaged(const struct image *image, const unsigned char *after, uint64_t from,
                          uint64_t to, size_t previous, size_t next, struct image_damage *damage)
{
    uint64_t first = first_difference(image->bytes, after, from, to);
    if (first == to)
        return false;
    bool belongs_behind = previous < image->count && first - from <= (to - from) / 2;
    uint64_t last = last_difference(image->bytes, after, from, to);
    damage->kind = IMAGE_GUARD_DAMAGED;
    damage->before = !belongs_behind && next < image->count;
    damage->part = damage->before ? next : previous;
    damage->distance_bytes = damage->before ? to - last : first - from;
    return true;
}

static bool input_changed(const struct image *image, const unsigned char *after, size_t i,
                          struct image_damage *damage)
{
    const struct image_part *part = &image->part[i];
    for (size_t other = 0; other < image->count; other++)
        if (other != i && image->part[other].home == i)
            return false; /* it is the output as well */
    uint64_t end = part->offset + part->size_bytes;
    uint64_t at = first_difference(image->bytes, after, part->offset, end);
    if (part->buffer.role != JUDGE_IN || at == end)
        return false;
    *damage = (struct image_damage){
        .kind = IMAGE_INPUT_CHANGED, .part = i, .distance_bytes = at - part->offset};
    return true;
}

void image_find_damage(const struct image *image, const unsigned char *after,
                       struct image_damage *damage)
{
    uint64_t from = 0;
    size_t previous = image->count;
    memset(damage, 0, sizeof *damage);
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        if (part->buffer.optional || part->home != i)
            continue;
        if (guard_damaged(image, after, from, part->offset, previous, i, damage))
            return;
        from = part->offset + part->size_bytes;
        previous = i;
    }
    if (guard_damaged(image, after, from, image->total_bytes, previous, image->count, damage))
        return;
    for (size_t i = 0; i < image->count; i++)
        if (input_changed(image, after, i, damage))
            return;
}
