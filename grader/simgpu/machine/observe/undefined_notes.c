/* undefined_notes.c - where undefined values that a block has stored were first read, so that a
 * report need not end at the place they were stored in. As many are kept as fit: a later note may
 * take the place of an earlier one, and a value without a note is reported as read where it is
 * loaded. */
#include "undefined.h"

#include <stdlib.h>

enum { NOTES = 1024, NOTE_BYTES = 4 };

struct note {
    uint64_t key; /* 0: none */
    struct origin origin;
};

static uint64_t key_of(const struct warp *warp, enum space space, uint64_t address, int lane)
{
    uint64_t owner = space == SPACE_LOCAL ? (uint64_t)warp->index * WARP_LANES + (unsigned)lane : 0;
    return (address / NOTE_BYTES) << 14 | owner << 4 | (uint64_t)space << 1 | 1;
}

static struct note *note_at(const struct warp *warp, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
    return &((struct note *)warp->block->undefined_notes)[hash >> 32 & (NOTES - 1)];
}

void undefined_note_stored(struct warp *warp, enum space space, uint64_t address, int lane,
                           uint16_t mask, const struct origin *origin)
{
    if (!warp->block->undefined_notes)
        warp->block->undefined_notes = calloc(NOTES, sizeof(struct note));
    if (!warp->block->undefined_notes)
        return;
    for (unsigned i = 0; mask >> i; i++)
        if (mask >> i & 1) {
            uint64_t key = key_of(warp, space, address + i, lane);
            *note_at(warp, key) = (struct note){key, *origin};
        }
}

const struct origin *undefined_noted(const struct warp *warp, enum space space, uint64_t address,
                                     int lane)
{
    uint64_t key = key_of(warp, space, address, lane);
    const struct note *note = warp->block->undefined_notes ? note_at(warp, key) : NULL;
    return note && note->key == key ? &note->origin : NULL;
}

void undefined_forget_notes(struct block *block)
{
    if (block->undefined_notes)
        memset(block->undefined_notes, 0, NOTES * sizeof(struct note));
}
