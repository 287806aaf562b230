/* pieces.c - memory that is made when it is first touched: a repeated pattern, piece by piece.
 *
 * Contracts speak of arrays larger than any machine that simulates can hold or fill. Such an array
 * costs nothing here until it is touched: its bytes are those of a pattern, repeated or in an order
 * that a seed draws, and a piece of them is made just before the first access. The pieces that were
 * made can be listed, so that a verifier need not look at the rest.
 *
 * The fast path of an access needs no check for this: the bounds that a site remembers of such an
 * allocation are those of pieces that are made (access.c), so any other piece takes the slow path.
 *
 * A page of pieces costs the host memory, and about as much time as thousands of thread
 * instructions, so pages count against what a sampled launch may cost (grid.c). A piece is smaller
 * than a page: a tile's row is some hundred bytes, and what is not made need be neither filled nor
 * verified.
 *
 * Blocks that walk down the columns of a matrix touch some of each of its rows, and blocks of other
 * columns the same pages. So where a stretch of the size of a large page has many pages that were
 * made, the next stretch, above or below, is made as one large page when it is first touched.
 */
#include "allocation.h"
#include "drawn_pattern.h"
#include "sparse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = MADE_BYTES, WORD_PIECES = 64, PAGE_PIECES = 8 };
/* Pieces whose bits are in one page of the host's: where none is made, it is not looked at, since
 * the system would have to make it first. */
enum { GROUP_PIECES = 4096 * 8 };
/* A large page costs about as much as a hundred small ones, and more memory: in buffers past
 * MOST_LARGE, in which stretches are rarely touched by many blocks, there are none. */
enum { LARGE_BYTES = 2 << 20, MANY_PAGES = 64, MOST_LARGE = 256 << 20 };

/* How much the host may touch of a piecewise allocation is bounded: otherwise one copy would make
 * all of it. */
#define MOST_HOST_BYTES (UINT64_C(64) << 20)

struct pieces {
    unsigned char *pattern;
    uint64_t pattern_bytes, seed;
    uint64_t *made; /* a bit a piece */
    uint64_t words;
    bool *has_made;       /* by group, any of its pieces */
    uint16_t *pages;      /* made in each stretch of LARGE_BYTES of addresses; NULL: not counted */
    pthread_mutex_t lock; /* one thread makes a piece */
};

void pieces_free(struct pieces *pieces)
{
    if (!pieces)
        return;
    pthread_mutex_destroy(&pieces->lock);
    free(pieces->pattern);
    sparse_free(pieces->made, pieces->words * sizeof *pieces->made);
    free(pieces->pages);
    free(pieces->has_made);
    free(pieces);
}

static struct pieces *pieces_new(uint64_t size_bytes, const void *pattern, uint64_t pattern_bytes,
                                 uint64_t seed)
{
    struct pieces *pieces = calloc(1, sizeof *pieces);
    if (!pieces)
        return NULL;
    pthread_mutex_init(&pieces->lock, NULL);
    pieces->pattern_bytes = pattern_bytes;
    pieces->seed = seed;
    pieces->words = size_bytes / PIECE_BYTES / WORD_PIECES + 1;
    pieces->pattern = malloc(pattern_bytes);
    pieces->made = sparse_new(pieces->words * sizeof *pieces->made);
    pieces->has_made =
        calloc(pieces->words * WORD_PIECES / GROUP_PIECES + 1, sizeof *pieces->has_made);
    if (size_bytes <= MOST_LARGE)
        pieces->pages = calloc(size_bytes / LARGE_BYTES + 2, sizeof *pieces->pages);
    if (pieces->pattern && pieces->made && pieces->has_made) {
        memcpy(pieces->pattern, pattern, pattern_bytes);
        return pieces;
    }
    pieces_free(pieces);
    return NULL;
}

static bool is_made(const struct pieces *pieces, uint64_t piece)
{
    uint64_t word = __atomic_load_n(&pieces->made[piece / WORD_PIECES], __ATOMIC_ACQUIRE);
    return word >> piece % WORD_PIECES & 1;
}

/* Is any piece of this one's page made? A page of the host's memory comes as a whole. */
static bool has_page(const struct pieces *pieces, uint64_t piece)
{
    uint64_t word = pieces->made[piece / WORD_PIECES];
    return word >> piece % WORD_PIECES / PAGE_PIECES * PAGE_PIECES & UINT8_MAX;
}

/* The pattern's bytes from offset of the allocation on. */
static void repeat(const struct pieces *pieces, uint64_t offset, unsigned char *to, uint64_t bytes)
{
    uint64_t at = offset % pieces->pattern_bytes;
    while (bytes) {
        uint64_t rest = pieces->pattern_bytes - at, part = rest < bytes ? rest : bytes;
        memcpy(to, pieces->pattern + at, part);
        to += part;
        bytes -= part;
        at = 0;
    }
}

static void fill(const struct pieces *pieces, uint64_t offset, unsigned char *to, uint64_t bytes)
{
    if (pieces->seed)
        sim_read_drawn(pieces->seed, pieces->pattern, pieces->pattern_bytes, offset, bytes, to);
    else
        repeat(pieces, offset, to, bytes);
}

/* A page at that address of the allocation is about to be made. */
static void count_page(struct sim_memory *memory, const struct allocation *allocation,
                       uint64_t address)
{
    uint64_t stretch = address / LARGE_BYTES, low = stretch * LARGE_BYTES;
    uint64_t first = allocation->address / LARGE_BYTES, end = allocation->address;
    uint16_t *pages = allocation->pieces->pages;
    const struct sim_arena *arena = &memory->arena;
    end += allocation->size_bytes;
    if (!pages || !arena->will_fill)
        return;
    bool is_near = (stretch > first && pages[stretch - first - 1] >= MANY_PAGES) ||
                   ((stretch + 1) * LARGE_BYTES < end && pages[stretch - first + 1] >= MANY_PAGES);
    bool lies_inside = low >= allocation->address && low + LARGE_BYTES <= end;
    if (pages[stretch - first]++ == 0 && is_near && lies_inside)
        arena->will_fill(arena->owner, low, LARGE_BYTES);
}

static void make(struct sim_memory *memory, struct allocation *allocation, uint64_t piece)
{
    struct pieces *pieces = allocation->pieces;
    uint64_t offset = piece * PIECE_BYTES, left = allocation->size_bytes - offset;
    bool is_new = !has_page(pieces, piece);
    if (is_new)
        count_page(memory, allocation, allocation->address + offset);
    fill(pieces, offset, memory_host(memory, allocation->address + offset),
         left < PIECE_BYTES ? left : PIECE_BYTES);
    if (is_new)
        atomic_fetch_add(&memory->pages_made, 1);
    pieces->has_made[piece / GROUP_PIECES] = true;
    __atomic_fetch_or(&pieces->made[piece / WORD_PIECES], UINT64_C(1) << piece % WORD_PIECES,
                      __ATOMIC_RELEASE);
}

/* Make the missing pieces from first up to, not including, end. */
static void make_all(struct sim_memory *memory, struct allocation *allocation, uint64_t first,
                     uint64_t end)
{
    struct pieces *pieces = allocation->pieces;
    pthread_mutex_lock(&pieces->lock);
    for (uint64_t piece = first; piece < end; piece++)
        if (!is_made(pieces, piece))
            make(memory, allocation, piece);
    pthread_mutex_unlock(&pieces->lock);
}

void pieces_touch(struct sim_memory *memory, struct allocation *allocation, uint64_t offset,
                  uint64_t size_bytes)
{
    uint64_t piece = offset / PIECE_BYTES;
    uint64_t end = (offset + size_bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    while (piece < end && is_made(allocation->pieces, piece))
        piece++;
    if (piece < end)
        make_all(memory, allocation, piece, end);
}

struct range pieces_around(struct allocation *allocation, uint64_t low, uint64_t high)
{
    uint64_t start = allocation->address, end = start + allocation->size_bytes;
    uint64_t first = start + (low - start) / PIECE_BYTES * PIECE_BYTES;
    uint64_t last = start + ((high - start + PIECE_BYTES - 1) / PIECE_BYTES) * PIECE_BYTES;
    return (struct range){first, last < end ? last : end, allocation};
}

/* The first piece from at on that is made, or that is not made; the number of all pieces if there
 * is none. */
static uint64_t next_piece(const struct pieces *pieces, uint64_t at, bool made)
{
    uint64_t end = pieces->words * WORD_PIECES;
    while (at < end) {
        if (made && !pieces->has_made[at / GROUP_PIECES]) {
            at = (at / GROUP_PIECES + 1) * GROUP_PIECES;
            continue;
        }
        uint64_t word = pieces->made[at / WORD_PIECES];
        uint64_t rest = (made ? word : ~word) >> at % WORD_PIECES;
        if (rest)
            return at + (unsigned)__builtin_ctzll(rest);
        at = (at / WORD_PIECES + 1) * WORD_PIECES;
    }
    return end; /* a group may reach past it */
}

/* --- For the wrapper of the machine
 * ------------------------------------------------------------ */

bool sim_repeat(struct sim_context *context, uint64_t address, const void *pattern,
                uint64_t pattern_bytes, uint64_t seed, bool is_output, struct sim_error *error)
{
    struct allocation *allocation = memory_find(context, address);
    bool whole = allocation && allocation->address == address && allocation->size_bytes;
    if (!whole || allocation->kind != SIM_MEMORY_DEVICE || pattern_bytes == 0 ||
        (seed && pattern_bytes < SIM_DRAWN_BYTES)) {
        error->code = SIM_BAD_ADDRESS;
        snprintf(error->message, sizeof error->message,
                 "only a whole buffer of cudaMalloc can repeat a pattern");
        return false;
    }
    struct pieces *pieces = pieces_new(allocation->size_bytes, pattern, pattern_bytes, seed);
    if (!pieces) {
        error->code = SIM_HOST_OUT_OF_MEMORY;
        snprintf(error->message, sizeof error->message, "the simulating machine is out of memory");
        return false;
    }
    pieces_free(allocation->pieces);
    free(allocation->written); /* all of it holds the pattern now */
    allocation->written = NULL;
    allocation->unwritten_bytes = 0;
    allocation->pieces = pieces;
    allocation->stored = false;
    allocation->is_output = is_output;
    return true;
}

bool sim_was_stored_to(struct sim_context *context, uint64_t address)
{
    struct allocation *allocation = memory_find(context, address);
    return !allocation || allocation->stored;
}

bool sim_forget_stores(struct sim_context *context, uint64_t address)
{
    struct allocation *allocation = memory_find(context, address);
    if (allocation)
        allocation->stored = allocation->gaps_stored = false;
    return allocation != NULL;
}

bool sim_touched(struct sim_context *context, uint64_t address, uint64_t *offset,
                 uint64_t *size_bytes)
{
    struct allocation *allocation = memory_find(context, address);
    if (!allocation || !allocation->pieces || *offset >= allocation->size_bytes)
        return false;
    uint64_t piece = (*offset + PIECE_BYTES - 1) / PIECE_BYTES;
    uint64_t first = next_piece(allocation->pieces, piece, true);
    uint64_t end = next_piece(allocation->pieces, first, false) * PIECE_BYTES;
    if (first * PIECE_BYTES >= allocation->size_bytes)
        return false;
    *offset = first * PIECE_BYTES;
    *size_bytes = (end < allocation->size_bytes ? end : allocation->size_bytes) - *offset;
    return true;
}

bool pieces_may_be_copied(const struct allocation *allocation, uint64_t size_bytes)
{
    return !allocation->pieces || size_bytes <= MOST_HOST_BYTES;
}
