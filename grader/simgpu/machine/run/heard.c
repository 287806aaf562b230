/* heard.c - see heard.h: the bytes that the blocks under way have stored, and have yet to store.
 *
 * They are kept by pieces of 64 bytes, a bit a byte, in a table that a new block finds empty.
 */
#include "heard.h"
#include "cluster.h"
#include "lanes.h"
#include "queue.h"
#include "sample.h"

#include <stdlib.h>

enum { PIECE = 64, FIRST_ROOM = 1024 };

struct heard_piece {
    uint64_t number, block;  /* of the piece: address / PIECE */
    uint64_t age;            /* of the table when it was used: older ones are empty */
    uint64_t stored, wanted; /* wanted: read before it was stored */
};

struct heard {
    struct heard_piece *pieces;
    uint64_t room, count, age; /* room: a power of two */
    bool has_wanted;
};

struct heard *heard_new(void)
{
    struct heard *heard = calloc(1, sizeof *heard);
    if (heard)
        heard->pieces = calloc(FIRST_ROOM, sizeof *heard->pieces);
    if (heard && !heard->pieces) {
        free(heard);
        return NULL;
    }
    if (heard)
        *heard = (struct heard){.pieces = heard->pieces, .room = FIRST_ROOM, .age = 1};
    return heard;
}

void heard_free(struct heard *heard)
{
    if (heard)
        free(heard->pieces);
    free(heard);
}

void heard_forget(struct heard *heard)
{
    heard->age++;
    heard->count = 0;
    heard->has_wanted = false;
}

bool heard_is_open(const struct heard *heard)
{
    return heard->has_wanted;
}

/* --- The table -------------------------------------------------------------------------------- */

static struct heard_piece *place_of(const struct heard *heard, uint64_t number, uint64_t block)
{
    uint64_t hash = (number + block * UINT64_C(0xD6E8FEB86659FD93)) * UINT64_C(0x9E3779B97F4A7C15);
    for (uint64_t at = hash >> 32;; at++) {
        struct heard_piece *piece = &heard->pieces[at & (heard->room - 1)];
        if (piece->age != heard->age || (piece->number == number && piece->block == block))
            return piece;
    }
}

static bool grow(struct heard *heard)
{
    struct heard old = *heard;
    struct heard_piece *pieces = calloc(2 * old.room, sizeof *pieces);
    if (!pieces)
        return false;
    heard->pieces = pieces;
    heard->room = 2 * old.room;
    for (uint64_t i = 0; i < old.room; i++)
        if (old.pieces[i].age == old.age)
            *place_of(heard, old.pieces[i].number, old.pieces[i].block) = old.pieces[i];
    free(old.pieces);
    return true;
}

/* The piece, which is made if it is not there; NULL without memory. */
static struct heard_piece *piece_at(struct heard *heard, uint64_t number, uint64_t block)
{
    struct heard_piece *piece = place_of(heard, number, block);
    if (piece->age == heard->age)
        return piece;
    if (2 * heard->count >= heard->room) {
        if (!grow(heard))
            return NULL;
        piece = place_of(heard, number, block);
    }
    heard->count++;
    *piece = (struct heard_piece){.number = number, .block = block, .age = heard->age};
    return piece;
}

/* --- Accesses --------------------------------------------------------------------------------- */

/* Bytes [low, high) that lie in one allocation. */
struct stretch {
    struct launch *launch;
    struct allocation *allocation;
    uint64_t block, low, high;
};

static void doubt(const struct launch *launch)
{
    sim_note_unsampled(launch->context->machine, SIM_HEARSAY);
}

static uint64_t bytes_of(const struct stretch *of, uint64_t number)
{
    uint64_t start = number * PIECE, first = of->low > start ? of->low - start : 0;
    uint64_t last = of->high - start < PIECE ? of->high - start : PIECE;
    return (UINT64_MAX << first) & (UINT64_MAX >> (PIECE - last));
}

static void note_stored(struct heard *heard, const struct stretch *of)
{
    for (uint64_t at = of->low / PIECE; at * PIECE < of->high; at++) {
        struct heard_piece *piece = piece_at(heard, at, of->block);
        if (!piece)
            return doubt(of->launch);
        piece->stored |= bytes_of(of, at);
    }
}

static bool has_stored(const struct heard *heard, const struct stretch *of)
{
    bool all = true;
    for (uint64_t at = of->low / PIECE; all && at * PIECE < of->high; at++) {
        const struct heard_piece *piece = place_of(heard, at, of->block);
        all = piece->age == heard->age && !(bytes_of(of, at) & ~piece->stored);
    }
    return all;
}

static void note_wanted(struct heard *heard, const struct stretch *of)
{
    for (uint64_t at = of->low / PIECE; at * PIECE < of->high; at++) {
        struct heard_piece *piece = piece_at(heard, at, of->block);
        if (!piece)
            return doubt(of->launch);
        piece->wanted |= bytes_of(of, at) & ~piece->stored;
        heard->has_wanted |= piece->wanted != 0;
    }
}

/* Is it an argument that holds inputs? The block that reads one may be about to write it itself. */
static bool is_input(const struct allocation *allocation)
{
    return allocation->pieces && !allocation->is_output;
}

static bool is_told(const struct stretch *of)
{
    return of->allocation->told_by == of->launch->serial;
}

static bool is_heard(const struct stretch *of)
{
    return of->allocation->heard_by == of->launch->serial;
}

/* The first block that stores to an input may have read it unseen; those after it are seen. */
static void hear(struct heard *heard, const struct stretch *of)
{
    if (is_input(of->allocation)) {
        if (is_told(of))
            note_wanted(heard, of);
        return;
    }
    if (is_heard(of) || (is_told(of) && has_stored(heard, of)))
        return;
    of->allocation->heard_by = of->launch->serial;
    if (of->allocation->is_output || is_told(of))
        doubt(of->launch);
}

static void tell(struct heard *heard, const struct stretch *of)
{
    of->allocation->told_by = of->launch->serial;
    if (is_heard(of))
        doubt(of->launch);
    else
        note_stored(heard, of);
}

static void pass_on(struct heard *heard, const struct access *access, struct stretch *of)
{
    if (!access->allocation) /* the lanes fall into several */
        of->allocation = memory_find(of->launch->context, of->low);
    if (of->allocation)
        (access->kind == ACCESS_LOAD ? hear : tell)(heard, of);
}

/* Is it a read of memory that this launch has only read so far? */
static bool is_only_read(const struct access *access, const struct launch *launch)
{
    const struct allocation *allocation = access->allocation;
    return access->kind == ACCESS_LOAD && allocation && allocation->told_by != launch->serial &&
           (is_input(allocation) || allocation->heard_by == launch->serial);
}

/* The blocks of a cluster always run together, so a block may read what its peers store. */
static uint64_t unit_of(const struct block *block)
{
    return block->cluster ? block->cluster->number : block->number;
}

static void heard_access(const struct access *access, struct site *site)
{
    struct launch *launch = block_launch(access->warp);
    struct heard *heard = sample_heard(launch->sample);
    struct stretch of = {
        .launch = launch, .allocation = access->allocation, .block = unit_of(access->warp->block)};
    (void)site;
    queue_touch(sample_queue(launch->sample), access);
    if (is_only_read(access, launch))
        return;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        if (of.high == address && access->allocation) {
            of.high += access->bytes;
            continue;
        }
        if (of.high)
            pass_on(heard, access, &of);
        of.low = address;
        of.high = address + access->bytes;
    }
    pass_on(heard, access, &of);
}

static void heard_block_end(struct block *block)
{
    const struct heard *heard = sample_heard(block->launch->sample);
    if (cluster_has_others(block))
        return;
    for (uint64_t i = 0; heard->has_wanted && i < heard->room; i++) {
        const struct heard_piece *piece = &heard->pieces[i];
        if (piece->age == heard->age && piece->block == unit_of(block) &&
            (piece->wanted & ~piece->stored))
            return doubt(block->launch);
    }
}

static bool is_sampled(const struct launch *launch)
{
    return launch->sample;
}

const struct observer observer_heard = {.name = "heard",
                                        .spaces = 1 << SPACE_GLOBAL,
                                        .looks_at = LOOKS_AT_PLACES,
                                        .wants = is_sampled,
                                        .access = heard_access,
                                        .block_end = heard_block_end};
