/* history.c - see history.h. */
#include "check/examine/history.h"

#include "check/examine/data.h"
#include "lib/large_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY_SHIFT = 4, FEW_SHIFT = 10 };

uint64_t repeat_seed(uint64_t seed, enum repeat repeat)
{
    /* streams that no process of a case uses */
    static const uint64_t PURPOSE[] = {[REPEAT_AFRESH] = 0x616672657368,
                                       [REPEAT_SPOILT] = 0x73706F696C74,
                                       [REPEAT_CHANGED] = 0x6368616E6765};
    return data_seed(seed, PURPOSE[repeat]);
}

const char *repeat_words(enum repeat repeat)
{
    static const char *const WORDS[] = {
        [REPEAT_AFRESH] = "other inputs",
        [REPEAT_SPOILT] = "the same inputs, after a few elements of the outputs were overwritten",
        [REPEAT_CHANGED] = "a few other inputs, its outputs as the call before left them"};
    return WORDS[repeat];
}

void repeat_note(enum repeat repeat, struct finding *finding)
{
    size_t used = strlen(finding->reason);
    snprintf(finding->reason + used, sizeof finding->reason - used,
             ", in another call with the same arguments and %s", repeat_words(repeat));
}

struct history_few history_few(uint64_t seed, uint64_t count)
{
    return (struct history_few){
        .seed = seed,
        .certain = count ? data_word(~seed, 0) % count : 0,
        .shift = MANY_SHIFT + (unsigned)(data_word(~seed, 1) % (FEW_SHIFT - MANY_SHIFT + 1))};
}

bool history_is_one(const struct history_few *few, uint64_t element)
{
    return element == few->certain || data_word(few->seed, element) >> (64 - few->shift) == 0;
}

/* The highest bit of the fraction: the number is then off by a quarter to a half. */
static void go_nearby(unsigned char *element, enum judge_type type)
{
    switch (type) {
    case JUDGE_F32: element[2] ^= 0x40; break;
    case JUDGE_F16: element[1] ^= 0x02; break;
    case JUDGE_BF16: element[0] ^= 0x40; break;
    case JUDGE_U32:
    case JUDGE_U64:
    case JUDGE_U8: element[0] ^= 0x01; break;
    }
}

void history_spoil_element(unsigned char *element, enum judge_type type, uint64_t word)
{
    enum { NOT_A_NUMBER, OTHER_SIGN, NEARBY, KINDS };
    size_t bytes = judge_type_bytes(type);
    switch (word % KINDS) {
    case NOT_A_NUMBER: memset(element, 0xFF, bytes); break;
    case OTHER_SIGN: element[bytes - 1] ^= 0x80; break;
    default: go_nearby(element, type); break;
    }
}

bool history_applies(const struct judge_case *problem, const struct image *image)
{
    bool applies = !problem->script && !problem->refused_with && problem->processes <= 1;
    for (size_t i = 0; i < image->count; i++)
        applies = applies && image->part[i].buffer.role != JUDGE_INOUT && image->part[i].home == i;
    return applies;
}

static bool is_there(const struct image_part *part, bool is_output)
{
    return image_is_output(part) == is_output && !part->buffer.optional && part->buffer.count;
}

void history_keep(struct prepared *prepared, const unsigned char *after)
{
    struct image *image = &prepared->image;
    for (size_t i = 0; i < image->count; i++)
        if (is_there(&image->part[i], true))
            memcpy(image->bytes + image->part[i].offset, after + image->part[i].offset,
                   image->part[i].size_bytes);
}

void history_spoil(struct prepared *prepared, const unsigned char *after, uint64_t seed)
{
    struct image *image = &prepared->image;
    history_keep(prepared, after);
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        struct history_few few = history_few(data_seed(seed, i), part->buffer.count);
        size_t bytes = judge_type_bytes(part->buffer.type);
        for (uint64_t at = 0; is_there(part, true) && at < part->buffer.count; at++)
            if (history_is_one(&few, at))
                history_spoil_element(image->bytes + part->offset + at * bytes, part->buffer.type,
                                      data_word(seed, at));
    }
}

/* Another value of the same kind: the one that another image has there. But where each row has a
 * scale, that value has another scale and could dominate a sum, or two of them could cancel: there
 * the sign changes. */
static void change_element(uint32_t data, unsigned char *element, const unsigned char *other,
                           size_t bytes)
{
    if (data == JUDGE_DATA_SCALED)
        element[bytes - 1] ^= 0x80;
    else
        memcpy(element, other, bytes);
}

static void change_inputs(struct image *image, const struct image *other, uint32_t data,
                          uint64_t seed)
{
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        struct history_few few = history_few(data_seed(seed, i), part->buffer.count);
        size_t bytes = judge_type_bytes(part->buffer.type);
        for (uint64_t at = 0; is_there(part, false) && at < part->buffer.count; at++)
            if (history_is_one(&few, at))
                change_element(data, image->bytes + part->offset + at * bytes,
                               other->bytes + part->offset + at * bytes, bytes);
    }
}

bool history_change(const struct lab *lab, const struct prepared *from, uint64_t seed,
                    struct prepared *changed, struct finding *finding)
{
    struct image image = from->image, other;
    image.bytes = in_large_pages(malloc(image.total_bytes), image.total_bytes);
    bool made = image_make(lab->judge, from->problem, seed, &other) && image.bytes;
    if (made) {
        memcpy(image.bytes, from->image.bytes, image.total_bytes);
        change_inputs(&image, &other, from->problem->data, seed);
    }
    image_free(&other);
    if (made)
        return prepare_of(lab, from->problem, &image, changed, finding);
    image_free(&image);
    return finding_set(finding, VERDICT_DEVICE, "this machine is out of memory");
}
