/* global_thin.c - which marks a line keeps.
 *
 * Of accesses that nothing orders, the line keeps those of two blocks, two of each, for each kind
 * of access: whatever races with a third one also races with one of the two. Where nothing orders
 * blocks these are the two lowest blocks, so that the line remembers the same in whatever order the
 * blocks come.
 */
#include "global_races.h"

struct kept { /* of marks of one kind: words with a byte (by its place) in so many marks */
    uint32_t block;
    uint32_t blocks[2][4]; /* of other blocks: once, twice */
    uint32_t own[2][4];    /* of this one */
};

static void next_block(struct kept *kept, uint32_t block)
{
    for (int i = 0; i < 4; i++) {
        kept->blocks[1][i] |= kept->blocks[0][i] & kept->own[0][i];
        kept->blocks[0][i] |= kept->own[0][i];
        kept->own[0][i] = kept->own[1][i] = 0;
    }
    kept->block = block;
}

static void thin_out_one(struct kept *kept, struct mark *mark)
{
    uint32_t spare = UINT32_MAX;
    if (kept->block != mark->block)
        next_block(kept, mark->block);
    for (int i = 0; i < 4; i++)
        if (mark->layout >> i & 1)
            spare &= kept->blocks[1][i] | kept->own[1][i];
    mark->words &= ~spare;
    for (int i = 0; i < 4; i++)
        if (mark->layout >> i & 1) {
            kept->own[1][i] |= kept->own[0][i] & mark->words;
            kept->own[0][i] |= mark->words;
        }
}

void marks_thin_out(struct mark *marks, uint32_t count, bool latest_first)
{
    enum { KINDS = 16 };
    struct kept kept[KINDS];
    uint32_t begun = 0; /* a bit each */
    for (uint32_t i = 0; i < count; i++) {
        struct mark *mark = &marks[latest_first ? count - 1 - i : i];
        uint32_t kind = (mark->what & (MARK_WRITE | MARK_STRONG)) |
                        (mark->what & (MARK_MONOTONE | MARK_COMPARED)) >> 2;
        if (!mark->words)
            continue;
        if (!(begun >> kind & 1))
            kept[kind] = (struct kept){.block = mark->block};
        begun |= 1U << kind;
        thin_out_one(&kept[kind], mark);
    }
}
