/* global_pieces.c - an access as pieces: bytes of one line that belong to lanes in one way.
 *
 * Neighbouring lanes mostly touch neighbouring bytes, or all lanes the same bytes: a run of lanes
 * makes one piece in each line that it covers, and one more where it starts or ends within a word.
 * The pieces depend on the shape of the access and on where in its line the base lies, so a site
 * remembers them.
 */
#include "global_races.h"
#include "lanes.h"

struct run {       /* of lanes */
    int64_t start; /* bytes from the line of the base */
    uint32_t first, count, lanes, bytes;
    bool is_shared;
};

static void add_piece(struct piece_list *pieces, const struct run *run, int64_t from, int64_t to,
                      uint32_t bytes)
{
    int64_t line = from >> 7; /* LINE_BYTES; also below the base */
    int64_t at = from - line * LINE_BYTES, end = to - line * LINE_BYTES;
    uint32_t first_word = (uint32_t)at / 4, last_word = (uint32_t)(end - 1) / 4;
    uint32_t first = (uint32_t)((from - run->start) / run->bytes);
    uint32_t last = (uint32_t)((to - 1 - run->start) / run->bytes);
    struct piece *piece = &pieces->piece[pieces->count++];
    piece->line = (int32_t)line;
    piece->words = (UINT32_MAX << first_word) & (UINT32_MAX >> (31 - last_word));
    piece->layout = (uint8_t)(bytes | (uint32_t)__builtin_ctz(run->bytes) << LAYOUT_WIDTH);
    if (run->is_shared) {
        piece->layout |= LAYOUT_SHARED;
        piece->lanes = run->lanes;
        piece->start = 0;
        return;
    }
    piece->lanes = (UINT32_MAX << (run->first + first)) & (UINT32_MAX >> (31 - run->first - last));
    piece->start = (int16_t)(run->start - line * LINE_BYTES - (int64_t)run->first * run->bytes);
}

/* The bytes of [from, to), within one line: parts of words by themselves. */
static void add_words(struct piece_list *pieces, const struct run *run, int64_t from, int64_t to)
{
    int64_t head = from & 3 ? ((from | 3) + 1 < to ? (from | 3) + 1 : to) : from;
    if (head > from)
        add_piece(pieces, run, from, head, (15U << (from & 3)) & (15U >> (3 - ((head - 1) & 3))));
    int64_t tail = to & ~INT64_C(3);
    if (tail > head)
        add_piece(pieces, run, head, tail, LAYOUT_BYTES);
    if (to > tail && tail >= head)
        add_piece(pieces, run, tail, to, 15U >> (4 - (to & 3)));
}

static void add_run(struct piece_list *pieces, const struct run *run)
{
    int64_t end = run->start + (int64_t)run->bytes * (run->is_shared ? 1 : run->count);
    for (int64_t at = run->start; at < end;) {
        int64_t next = ((at >> 7) + 1) * LINE_BYTES;
        next = next < end ? next : end;
        add_words(pieces, run, at, next);
        at = next;
    }
}

static void make_pieces(struct piece_list *pieces, const struct access *access)
{
    const struct shape *shape = access->shape;
    struct run run = {.count = 0};
    pieces->count = 0;
    FOR_ACTIVE (lane, access->active) {
        int64_t at = (int64_t)pieces->offset + shape->delta[lane];
        bool follows = run.count && run.first + run.count == (uint32_t)lane &&
                       (run.count == 1 || !run.is_shared) &&
                       at == run.start + (int64_t)run.count * run.bytes;
        bool joins = run.count && (run.count == 1 || run.is_shared) && at == run.start;
        if (run.count && !follows && !joins) {
            add_run(pieces, &run);
            run.count = 0;
        }
        if (!run.count)
            run = (struct run){at, (uint32_t)lane, 0, 0, access->bytes, true};
        run.is_shared = run.count == 0 || joins;
        run.lanes |= UINT32_C(1) << lane;
        run.count++;
    }
    add_run(pieces, &run);
}

const struct piece_list *pieces_make(const struct access *access, struct site *site)
{
    uint32_t offset = access->base % LINE_BYTES;
    struct piece_list *list = &site->pieces->list[offset / (LINE_BYTES / 2)];
    list->age = access->shape->age;
    list->offset = offset;
    list->bytes = access->bytes; /* of copies in bulk the last part may be shorter */
    make_pieces(list, access);
    return list;
}
