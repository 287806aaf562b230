/* store_ledger.c - see store_ledger.h: a bit a byte of each buffer that is stored to. */
#include "store_ledger.h"
#include "allocation.h"
#include "lanes.h"
#include "sparse.h"

#include <stdlib.h>

/* For larger buffers no bits are kept; those of one of this size take 128 MiB. */
static const uint64_t MOST_BYTES = UINT64_C(1) << 30;
enum { MOST_BUFFERS = 16 };

struct page { /* of one allocation */
    uint64_t address, end;
    uint64_t *bits;
};

struct ledger {
    struct sim_context *context;
    struct page pages[MOST_BUFFERS];
    struct sim_written written[MOST_BUFFERS];
    uint32_t count;
    bool is_spoilt;
};

static size_t bits_bytes(const struct page *page)
{
    return ((page->end - page->address) / 64 + 1) * sizeof *page->bits;
}

struct ledger *ledger_new(struct sim_context *context)
{
    struct ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger)
        ledger->context = context;
    return ledger;
}

void ledger_free(struct ledger *ledger)
{
    for (uint32_t i = 0; ledger && i < ledger->count; i++)
        sparse_free(ledger->pages[i].bits, bits_bytes(&ledger->pages[i]));
    free(ledger);
}

void ledger_spoil(struct ledger *ledger)
{
    if (ledger)
        ledger->is_spoilt = true;
}

bool ledger_is_spoilt(const struct ledger *ledger)
{
    return !ledger || ledger->is_spoilt;
}

/* The page that address is on; NULL when it is no repeated memory. A store past its end is a fault
 * of the block that runs. */
static struct page *page_at(struct ledger *ledger, uint64_t address)
{
    for (uint32_t i = 0; i < ledger->count; i++)
        if (address >= ledger->pages[i].address && address < ledger->pages[i].end)
            return &ledger->pages[i];
    const struct allocation *allocation = memory_find(ledger->context, address);
    if (!allocation || !allocation->pieces)
        return NULL;
    struct page page = {allocation->address, allocation->address + allocation->size_bytes, NULL};
    bool has_room = ledger->count < MOST_BUFFERS && allocation->size_bytes <= MOST_BYTES;
    page.bits = has_room ? sparse_new_dense(bits_bytes(&page)) : NULL;
    if (!page.bits) {
        ledger_spoil(ledger);
        return NULL;
    }
    ledger->pages[ledger->count] = page;
    return &ledger->pages[ledger->count++];
}

static void set_bits(uint64_t *bits, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t first = from % 64, count = to - from < 64 - first ? to - from : 64 - first;
        bits[from / 64] |= (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first;
        from += count;
    }
}

/* Do all lanes of a warp store, each right after the one before? */
static bool is_one_run(lane_mask active, const uint64_t *address, uint32_t bytes)
{
    uint64_t uneven = 0;
    if (active != ALL_LANES)
        return false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        uneven |= address[lane] - address[0] - (uint64_t)lane * bytes;
    return uneven == 0;
}

/* Bytes from low on to high that are stored; those past the end of their page are a fault. */
static void store_run(struct ledger *ledger, uint64_t low, uint64_t high)
{
    const struct page *page = page_at(ledger, low);
    if (page)
        set_bits(page->bits, low - page->address,
                 (high < page->end ? high : page->end) - page->address);
}

/* Lanes whose pieces lie side by side, as mostly happens, are stored as one run. */
void ledger_store(struct ledger *ledger, lane_mask active, const uint64_t *address, uint32_t bytes)
{
    if (ledger_is_spoilt(ledger))
        return;
    if (is_one_run(active, address, bytes)) {
        store_run(ledger, address[0], address[0] + (uint64_t)WARP_LANES * bytes);
        return;
    }
    while (active) {
        uint64_t low = address[__builtin_ctz(active)], high = low;
        for (; active && address[__builtin_ctz(active)] == high; active &= active - 1)
            high += bytes;
        store_run(ledger, low, high);
    }
}

/* From the first byte that is stored to the last. */
static struct sim_written read_page(const struct page *page)
{
    struct sim_written written = {.address = page->address, .low = UINT64_MAX};
    uint64_t words = (page->end - page->address + 63) / 64, open = 0, hole = UINT64_MAX;
    for (uint64_t i = 0; i < words; i++) {
        uint64_t word = page->bits[i];
        if (word && written.low == UINT64_MAX)
            written.low = 64 * i + (uint64_t)__builtin_ctzll(word);
        if (written.low == UINT64_MAX)
            continue;
        uint64_t before = 64 * i <= written.low ? (UINT64_C(1) << written.low % 64) - 1 : 0;
        uint64_t missing = ~(word | before);
        if (missing && hole == UINT64_MAX)
            hole = 64 * i + (uint64_t)__builtin_ctzll(missing);
        open += (uint64_t)__builtin_popcountll(missing);
        if (!word)
            continue;
        uint64_t past = (uint64_t)__builtin_clzll(word); /* after the last stored byte so far */
        written.high = 64 * (i + 1) - past;
        written.holes = open - past;
        written.first_hole = hole < written.high ? hole : written.high;
    }
    return written;
}

const struct sim_written *ledger_written(struct ledger *ledger, size_t *count)
{
    *count = 0;
    if (ledger_is_spoilt(ledger))
        return NULL;
    for (; *count < ledger->count; ++*count)
        ledger->written[*count] = read_page(&ledger->pages[*count]);
    return ledger->written;
}
