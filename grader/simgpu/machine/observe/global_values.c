/* global_values.c - what a store changes.
 *
 * A store is compared with what lies there, to recognise equal values. So memory must hold what the
 * marks say: the observer stores the values itself, and the handler does so once more.
 */
#include "global_races.h"
#include "lanes.h"
#include "opcode.h"

#include <string.h>

#define PUT_DOWN(T)                                                     \
    do {                                                                \
        T value;                                                        \
        memcpy(&value, from, sizeof value);                             \
        changed |= __atomic_load_n((T *)to, __ATOMIC_RELAXED) != value; \
        __atomic_store_n((T *)to, value, __ATOMIC_RELAXED);             \
    } while (0)

static bool put_element(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    bool changed = false;
    switch (bytes) {
    case 1: PUT_DOWN(uint8_t); break;
    case 2: PUT_DOWN(uint16_t); break;
    case 4: PUT_DOWN(uint32_t); break;
    default: PUT_DOWN(uint64_t); break;
    }
    return changed;
}

/* True when lanes that share the place disagree. */
static bool put_lanes(const struct access *access, const struct piece *piece)
{
    const struct op *op = access->op;
    bool differs = false, is_first = true;
    FOR_ACTIVE (lane, piece->lanes) {
        bool changed = false;
        for (uint32_t i = 0; i < op->count; i++)
            changed |= put_element(
                access->host + access->shape->delta[lane] + (size_t)i * op->bytes,
                (unsigned char *)reg(access->warp, op->list[i]) + (size_t)lane * op->dst_bytes,
                op->bytes);
        differs |= changed && !is_first;
        is_first = false;
    }
    return differs && (piece->layout & LAYOUT_SHARED);
}

/* One word a lane, side by side, all of them in the line: that is how most kernels store. */
static bool is_row(const struct access *access, const struct piece *piece)
{
    const struct op *op = access->op;
    return access->shape->contiguous && op->count == 1 && op->bytes == 4 && op->dst_bytes == 4 &&
           piece->lanes == ALL_LANES;
}

static struct stored put_row(const struct access *access)
{
    const uint32_t *from = reg(access->warp, access->op->list[0]);
    uint32_t *to = (uint32_t *)access->host;
    struct stored stored = {.changed = MASK_OF(from[lane] != to[lane])};
    memcpy(to, from, WARP_LANES * sizeof *to);
    return stored;
}

struct stored marks_put_down(const struct access *access, const struct piece *piece,
                             uint64_t address)
{
    const struct op *op = access->op;
    struct stored stored = {.changed = op->run == store ? 0 : piece->words};
    VECTOR uint32_t before[WARP_LANES];
    uint32_t *line = (uint32_t *)(access->host + (int64_t)(address - access->base));
    if (op->run != store)
        return stored;
    if (is_row(access, piece))
        return put_row(access);
    memcpy(before, line, sizeof before);
    if (access->shape->contiguous && op->count == 1 && op->bytes == op->dst_bytes) {
        size_t first = (size_t)__builtin_ctz(piece->lanes) * op->bytes;
        memcpy(access->host + first, (unsigned char *)reg(access->warp, op->list[0]) + first,
               (size_t)__builtin_popcount(piece->lanes) * op->bytes);
    } else {
        stored.differs = put_lanes(access, piece);
    }
    stored.changed = MASK_OF(before[lane] != line[lane]) & piece->words;
    return stored;
}
