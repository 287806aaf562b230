/* footprint.c - observes which parts of global memory a launch touches at all.
 *
 * However good its caches, a device must fetch each of them once, and write back what was written.
 * One byte stands for one sector: of reads it says yes, of writes which of the sector's 8 words
 * were written. Workers set them without a lock.
 */
#include "lanes.h"
#include "observers.h"

#include <stdlib.h>

enum { SECTOR_BYTES = 32, LINE_SECTORS = 4, WORD_BYTES = 4, ALL_WORDS = 0xFF, PAGE_SECTORS = 128 };

struct footprint { /* of one allocation */
    struct footprint *next;
    const struct allocation *allocation;
    size_t sectors;
    unsigned char *read, *written; /* by sector */
    unsigned char *touched;        /* by PAGE_SECTORS sectors: anything in there at all? */
};

static void discard(struct footprint *footprint)
{
    free(footprint->read);
    free(footprint->written);
    free(footprint->touched);
    free(footprint);
}

static struct footprint *make(struct launch *launch, const struct allocation *allocation)
{
    struct footprint *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    size_t pages = allocation->size_bytes / SECTOR_BYTES / PAGE_SECTORS + 1;
    made->allocation = allocation;
    made->sectors = pages * PAGE_SECTORS;
    made->read = calloc(made->sectors, 1);
    made->written = calloc(made->sectors, 1);
    made->touched = calloc(pages, 1);
    if (!made->read || !made->written || !made->touched) {
        discard(made);
        return NULL;
    }
    made->next = launch->footprints;
    launch->footprints = made;
    return made;
}

static struct footprint *find(struct launch *launch, const struct allocation *allocation)
{
    pthread_mutex_lock(&launch->lock);
    struct footprint *footprint = launch->footprints;
    while (footprint && footprint->allocation != allocation)
        footprint = footprint->next;
    if (!footprint)
        footprint = make(launch, allocation);
    pthread_mutex_unlock(&launch->lock);
    return footprint;
}

/* --- Marking ---------------------------------------------------------------------------------- */

/* Bytes from first to last of the allocation. */
static void mark_read(struct footprint *footprint, uint64_t first, uint64_t last)
{
    first /= SECTOR_BYTES;
    last /= SECTOR_BYTES;
    /* Looking first keeps what another worker has marked in both workers' caches. */
    for (uint64_t sector = first; sector <= last; sector++)
        if (!footprint->read[sector])
            footprint->read[sector] = 1;
    for (uint64_t page = first / PAGE_SECTORS; page <= last / PAGE_SECTORS; page++)
        if (!footprint->touched[page])
            footprint->touched[page] = 1;
}

/* The words from first on to last, both in one sector. */
static void mark_words(struct footprint *footprint, uint64_t sector, unsigned first, unsigned last)
{
    unsigned words = (ALL_WORDS << first) & (ALL_WORDS >> (7 - last));
    if (footprint->written[sector] != (footprint->written[sector] | words))
        __atomic_fetch_or(&footprint->written[sector], (unsigned char)words, __ATOMIC_RELAXED);
    if (!footprint->touched[sector / PAGE_SECTORS])
        footprint->touched[sector / PAGE_SECTORS] = 1;
}

static void mark_written(struct footprint *footprint, uint64_t first, uint64_t last)
{
    uint64_t first_sector = first / SECTOR_BYTES, last_sector = last / SECTOR_BYTES;
    unsigned first_word = first % SECTOR_BYTES / WORD_BYTES;
    unsigned last_word = last % SECTOR_BYTES / WORD_BYTES;
    for (uint64_t sector = first_sector; sector <= last_sector; sector++)
        mark_words(footprint, sector, sector == first_sector ? first_word : 0,
                   sector == last_sector ? last_word : 7);
}

static void mark(struct footprint *footprint, enum access_kind kind, uint64_t first, uint64_t last)
{
    if (kind != ACCESS_STORE)
        mark_read(footprint, first, last);
    if (kind != ACCESS_LOAD)
        mark_written(footprint, first, last);
}

void footprint_access(const struct access *access, struct site *site)
{
    if (!access->allocation)
        return;
    if (!site->footprint || site->footprint->allocation != access->allocation)
        site->footprint = find(block_launch(access->warp), access->allocation);
    if (!site->footprint)
        return;
    uint64_t offset = access->base - access->allocation->address;
    if (access->shape->contiguous || access->shape->uniform) {
        mark(site->footprint, access->kind, offset,
             offset + (uint64_t)access->shape->highest + access->bytes - 1);
        return;
    }
    FOR_ACTIVE(lane, access->active)
    {
        uint64_t at = offset + (uint64_t)access->shape->delta[lane];
        mark(site->footprint, access->kind, at, at + access->bytes - 1);
    }
}

/* --- Adding up -------------------------------------------------------------------------------- */

/* Two sectors that DRAM moves together. */
static void add_granule(struct footprint_bytes *bytes, const unsigned char *read,
                        const unsigned char *written)
{
    unsigned in_part = 0, whole = 0, reads = 0;
    for (int i = 0; i < 2; i++) {
        reads += read[i];
        whole += written[i] == ALL_WORDS;
        in_part += written[i] != 0 && written[i] != ALL_WORDS;
    }
    bytes->read += 2 * SECTOR_BYTES * (reads > 0);
    bytes->written += SECTOR_BYTES * (uint64_t)(whole + in_part);
    bytes->written_moved += 2 * SECTOR_BYTES * (whole + in_part > 0);
    if (reads == 0) {
        bytes->filled += SECTOR_BYTES * (uint64_t)in_part;
        bytes->filled_moved += 2 * SECTOR_BYTES * (in_part > 0);
    }
}

static void add_line(struct footprint_bytes *bytes, const unsigned char *read,
                     const unsigned char *written)
{
    uint64_t before = bytes->read;
    for (int i = 0; i < LINE_SECTORS; i += 2)
        add_granule(bytes, read + i, written + i);
    bytes->read_lines += bytes->read != before ? LINE_SECTORS * SECTOR_BYTES : 0;
}

struct footprint_bytes footprint_sum(const struct launch *launch)
{
    struct footprint_bytes bytes = {0};
    for (const struct footprint *it = launch->footprints; it; it = it->next)
        for (size_t page = 0; page * PAGE_SECTORS < it->sectors; page++)
            for (size_t i = 0; it->touched[page] && i < PAGE_SECTORS; i += LINE_SECTORS)
                add_line(&bytes, it->read + page * PAGE_SECTORS + i,
                         it->written + page * PAGE_SECTORS + i);
    return bytes;
}

void footprint_free(struct launch *launch)
{
    for (struct footprint *footprint = launch->footprints, *next; footprint; footprint = next) {
        next = footprint->next;
        discard(footprint);
    }
    launch->footprints = NULL;
}
