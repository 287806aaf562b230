/* spread_again.c - see spread_again.h. */
#include "check/examine/spread_again.h"

#include "check/examine/data.h"
#include "check/examine/history.h"
#include "check/examine/spread_data.h"

#include <stdlib.h>
#include <string.h>

/* Each piece is a copy to the device and back. A tile of a matrix has a piece for each row. */
enum { MOST_PIECES = 128, MOST_BYTES = 1 << 22 };

bool spread_may_be_called_again(const struct spread *spread)
{
    return spread->lab->simgpu && history_applies(spread->problem, &spread->image);
}

/* --- Outputs ---------------------------------------------------------------------------------- */

/* A touched stretch of an output. */
struct spread_piece {
    size_t part;
    uint64_t offset, bytes; /* in the part's memory: whole elements */
    unsigned char *content;
};

void spread_kept_free(struct spread_kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        free(kept->list[i].content);
    free(kept->list);
    *kept = (struct spread_kept){.spread = kept->spread};
}

static bool keep(struct spread_kept *kept, size_t part, const struct simgpu_touched *at,
                 const unsigned char *content)
{
    const struct spread *spread = kept->spread;
    uint64_t bytes = judge_type_bytes(spread->image.part[part].buffer.type);
    uint64_t offset = spread->problem->offset_bytes[part];
    uint64_t skip = at->offset < offset ? offset - at->offset : 0;
    skip += (bytes - (at->offset + skip - offset) % bytes) % bytes;
    uint64_t whole = at->bytes > skip ? (at->bytes - skip) / bytes * bytes : 0;
    struct spread_piece *list = realloc(kept->list, (kept->count + 1) * sizeof *list);
    kept->list = list ? list : kept->list;
    unsigned char *copy = list ? malloc(whole + 1) : NULL;
    if (!copy)
        return false;
    memcpy(copy, content + skip, whole);
    list[kept->count++] = (struct spread_piece){part, at->offset + skip, whole, copy};
    return true;
}

/* Chance chooses which pieces, if there are many. */
static bool keep_part(struct spread_kept *kept, size_t part, uint64_t seed)
{
    const struct spread *spread = kept->spread;
    const void *memory = spread->rooms[part].device;
    struct stretches all;
    struct simgpu_touched *list;
    const unsigned char *content;
    bool done = spread_stretches(spread->lab, spread, part, &all);
    size_t pieces = done ? all.count : 0, count = pieces;
    uint64_t from = 0, bytes = 0;
    if (done)
        free(all.list);
    while (done && count && bytes < MOST_BYTES) {
        done = spread->lab->simgpu->touched(memory, from, &list, &count, &content) == SIMGPU_OK;
        for (size_t i = 0; done && i < count; i++) {
            bool is_chosen = data_word(seed, list[i].offset) % pieces < MOST_PIECES;
            done = !is_chosen || keep(kept, part, &list[i], content);
            content += list[i].bytes;
            from = list[i].offset + list[i].bytes;
            bytes += is_chosen ? list[i].bytes : 0;
        }
        free(list);
    }
    return done;
}

/* Where blocks have written, which is where it is no longer what it was before the first call. */
static bool spoil_piece(const struct spread *spread, const struct spread_piece *piece,
                        const struct history_few *few)
{
    enum judge_type type = spread->image.part[piece->part].buffer.type;
    uint64_t bytes = judge_type_bytes(type), offset = spread->problem->offset_bytes[piece->part];
    unsigned char *now = malloc(piece->bytes + 1), *before = malloc(piece->bytes + 1);
    bool done = now && before;
    if (done) {
        memcpy(now, piece->content, piece->bytes);
        spread_read_order(spread, piece->part, piece->offset, piece->bytes, before);
        for (uint64_t i = 0; i < piece->bytes; i += bytes) {
            uint64_t element = (piece->offset + i - offset) / bytes;
            if (memcmp(now + i, before + i, bytes) != 0 && history_is_one(few, element))
                history_spoil_element(now + i, type, data_word(~few->seed, element));
        }
        done = cudaMemcpy(spread->rooms[piece->part].device + piece->offset, now, piece->bytes,
                          cudaMemcpyHostToDevice) == cudaSuccess;
    }
    free(now);
    free(before);
    return done;
}

bool spread_spoil(struct spread_kept *kept, uint64_t seed, struct finding *finding)
{
    struct spread *spread = kept->spread;
    bool done = true;
    for (size_t i = 0; done && i < spread->image.count; i++) {
        const struct image_part *part = &spread->image.part[i];
        size_t first = kept->count;
        struct history_few few = history_few(data_seed(seed, i), part->buffer.count);
        if (image_is_output(part) && !part->buffer.optional && part->buffer.count)
            done = keep_part(kept, i, data_seed(seed, i));
        for (size_t j = first; done && j < kept->count; j++)
            done = spoil_piece(spread, &kept->list[j], &few);
    }
    return done || finding_set(finding, VERDICT_DEVICE, "the device does not take a copy");
}

/* Elements of a piece that have other bits now. Returns how many. */
static uint64_t hold_piece(const struct spread *spread, const struct spread_piece *piece,
                           const unsigned char *now, struct comparison *comparison)
{
    uint64_t others = 0;
    enum judge_type type = spread->image.part[piece->part].buffer.type;
    uint64_t bytes = judge_type_bytes(type), offset = spread->problem->offset_bytes[piece->part];
    for (uint64_t i = 0; i < piece->bytes; i += bytes) {
        double expected = 0, allowed = 0;
        uint64_t element = (piece->offset + i - offset) / bytes;
        if (memcmp(now + i, piece->content + i, bytes) == 0) {
            comparison->looked_at++;
            continue;
        }
        spread->lab->judge->truth_at(spread->problem, &spread->inputs, piece->part, element, 1,
                                     &expected, &allowed);
        compare_note(comparison, element, judge_element(now + i, type, 0), expected, allowed,
                     false);
        others++;
    }
    return others;
}

/* The outputs of this buffer were left as before, or what the lesson takes for the same. */
static bool is_held(const struct spread *spread, const struct comparison *comparison,
                    uint64_t others, const struct judge_buffer *buffer, struct finding *finding)
{
    const struct judge_case *problem = spread->problem;
    if (comparison->wrong)
        return say_wrong(problem, comparison, buffer, finding);
    return others == 0 || problem->nondeterministic ||
           finding_set(finding, VERDICT_NONDETERMINISTIC,
                       "case %s: %s differs between two runs on the same input", problem->name,
                       buffer->name);
}

bool spread_is_restored(const struct spread_kept *kept, struct finding *finding)
{
    const struct spread *spread = kept->spread;
    struct comparison comparison = {.total = 0};
    uint64_t others = 0;
    for (size_t i = 0; i < kept->count; i++) {
        const struct spread_piece *piece = &kept->list[i];
        const struct judge_buffer *buffer = &spread->image.part[piece->part].buffer;
        unsigned char *now = malloc(piece->bytes + 1);
        bool read = now && cudaMemcpy(now, spread->rooms[piece->part].device + piece->offset,
                                      piece->bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
        if (read)
            others += hold_piece(spread, piece, now, &comparison);
        free(now);
        if (!read)
            return finding_set(finding, VERDICT_DEVICE, "the device does not give a copy");
        bool is_last = i + 1 == kept->count || kept->list[i + 1].part != piece->part;
        comparison.total = buffer->count;
        comparison.pattern = COMPARE_SCATTERED;
        if (is_last && !is_held(spread, &comparison, others, buffer, finding))
            return false;
        if (is_last)
            comparison = (struct comparison){.total = 0};
    }
    return true;
}

/* --- Inputs ----------------------------------------------------------------------------------- */

/* Two neighbours are swapped, so that the input is still one of its kind. */
static void change_period(struct spread *spread, size_t part, uint64_t seed)
{
    uint64_t bytes = judge_type_bytes(spread->image.part[part].buffer.type);
    uint64_t count = spread->period_bytes[part] / bytes;
    struct history_few few = history_few(seed, count);
    for (uint64_t i = 0; i + 1 < count; i++) {
        unsigned char *at = spread->period[part] + i * bytes, first[sizeof(uint64_t)];
        if (!history_is_one(&few, i))
            continue;
        memcpy(first, at, bytes);
        memmove(at, at + bytes, bytes);
        memcpy(at + bytes, first, bytes);
    }
}

bool spread_change(struct spread *spread, uint64_t seed, struct finding *finding)
{
    bool done = true;
    for (size_t i = 0; done && i < spread->image.count; i++) {
        const struct image_part *part = &spread->image.part[i];
        if (image_is_output(part) || part->buffer.optional || !spread->rooms[i].device)
            continue;
        change_period(spread, i, data_seed(seed, i));
        const void *memory = spread->rooms[i].device;
        done = spread_fill_part(spread, i, finding);
        spread->lab->simgpu->forget_stores(&memory, 1);
    }
    return done;
}
