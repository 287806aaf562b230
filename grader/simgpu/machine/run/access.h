/* access.h - the fast path: the same lane offsets as the op's previous access, at another base.
 *
 * Nearly every load and store in a loop is like that, and stays in the same memory. The site's last
 * access then holds again, with another base; all that remains is to compare 32 addresses and to
 * check that both ends are inside. Everything else takes the slow path, access_by_space, which also
 * builds fault messages. The fast path is inline because it is the simulator's hottest code: with
 * it a tile in shared memory is read about twice as fast (matmul).
 */
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include "lanes.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

/* As wide as the processor's own vectors: GCC 12 takes wider ones apart, value by value. */
#if defined __AVX512F__
enum { VECTOR_BYTES = 64 };
#elif defined __AVX2__
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif

#define VECTOR_OF(T) T __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias))
typedef VECTOR_OF(uint64_t) any_bytes;

/* One instruction, where the processor has it: folding the words takes longer than all the
 * comparisons. */
static inline bool is_zero(const any_bytes *bytes)
{
#ifdef __AVX512F__
    return _mm512_test_epi64_mask((__m512i)*bytes, (__m512i)*bytes) == 0;
#elif defined __AVX2__
    return _mm256_testz_si256((__m256i)*bytes, (__m256i)*bytes);
#else
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof *bytes / sizeof bits; i++)
        bits |= (*bytes)[i];
    return bits == 0;
#endif
}

/* Is each lane's address as far from first as its delta says? */
#define ALL_DIFFER_SO(T, address, deltas, first)                                              \
    ({                                                                                        \
        typedef VECTOR_OF(T) vector_;                                                         \
        const vector_ *at_ = (const vector_ *)(address), *delta_ = (const vector_ *)(deltas); \
        vector_ all_ = {0};                                                                   \
        for (size_t i_ = 0; i_ < WARP_LANES * sizeof(T) / sizeof all_; i_++)                  \
            all_ |= (at_[i_] - (first)) ^ delta_[i_];                                         \
        is_zero((const any_bytes *)&all_);                                                    \
    })

/* The same for the active lanes. */
#define ACTIVE_DIFFER_SO(T, address, deltas, first, active)                             \
    ({                                                                                  \
        T all_ = 0;                                                                     \
        FOR_LANES all_ |=                                                               \
            (active) >> lane & 1 ? ((address)[lane] - (first)) ^ (T)(deltas)[lane] : 0; \
        all_ == 0;                                                                      \
    })

/* Do the active lanes' addresses differ from the first one's as the shape says? */
#define SAME_SHAPE(T, address, deltas, shape, active)                                       \
    ({                                                                                      \
        T first_ = (address)[__builtin_ctz(active)];                                        \
        (shape)->active == (active) && (shape)->age != 0 &&                                 \
            ((active) == ALL_LANES ? ALL_DIFFER_SO(T, address, deltas, first_)              \
                                   : ACTIVE_DIFFER_SO(T, address, deltas, first_, active)); \
    })

/* Is it aligned, and within the shared memory or the allocation that the last one fell into? */
static inline bool access_fits(const struct warp *warp, const struct site *site, uint64_t base)
{
    bool is_shared = site->last.space == SPACE_SHARED;
    uint64_t start = is_shared ? 0 : site->low;
    uint64_t end = is_shared ? warp->block->shared_bytes : site->high;
    uint64_t low = base + (uint64_t)site->shape.lowest;
    uint64_t high = base + (uint64_t)site->shape.highest + site->last.bytes;
    uint64_t bits = (base | site->shape.low_bits) & (site->last.bytes - 1);
    return bits == 0 && low >= start && low < high && high <= end;
}

/* The bytes lie one step on from the last ones. The rows of a tile mostly follow each other by the
 * same step, from warp to warp, so we prefetch what lies some steps ahead. Neighbouring bytes are
 * prefetched by the simulating machine's processor itself. */
static inline void move_on(struct access *last, uint64_t step)
{
    enum { AHEAD = 8 };
    last->host += step;
    if (last->shape->contiguous)
        return;
    __builtin_prefetch(last->host + AHEAD * step);
    __builtin_prefetch(last->host + AHEAD * step + last->shape->highest);
}

/* The site of op, if its last access with another base is what the active lanes ask for now. NULL,
 * with nothing done, if the access has to take the slow path. */
static inline struct site *access_like_last(struct warp *warp, const struct op *op,
                                            lane_mask active)
{
    struct site *site = warp->worker->sites[2 * op->id + (op->space == SPACE_SHARED)];
    uint64_t base;
    if (!site || !site->may_repeat)
        return NULL;
    if (op->src_bytes == 4) {
        SOURCE(uint32_t, address, 0);
        base = address[__builtin_ctz(active)] + (uint32_t)op->offset;
        if (!site->shape.is_near ||
            !SAME_SHAPE(uint32_t, address, site->shape.near, &site->shape, active))
            return NULL;
    } else {
        SOURCE(uint64_t, address, 0);
        base = address[__builtin_ctz(active)] + (uint64_t)op->offset;
        if (!SAME_SHAPE(uint64_t, address, site->shape.delta, &site->shape, active))
            return NULL;
    }
    if (!access_fits(warp, site, base))
        return NULL;
    struct access *last = &site->last;
    last->warp = warp;
    if (last->space == SPACE_SHARED)
        last->host = warp->block->shared + base;
    else
        move_on(last, base - last->base);
    last->base = base;
    return site;
}

/* What op remembers of its accesses: shared memory apart from all other. */
struct site *access_site(struct worker *worker, const struct op *op, enum space space);
/* The shape becomes that of those addresses. */
void access_new_shape(struct shape *shape, lane_mask active, const uint64_t *address, uint64_t base,
                      uint32_t bytes);
/* Does all of it lie in memory? Fills in where. False after a fault, as the next one is. */
bool access_check_space(struct access *access, struct site *site);
bool access_misaligned(const struct access *access, int lane, uint64_t address, uint32_t alignment);

/* access_bulk.c: one lane touches many bytes; shape is the access's own. False after a fault. */
bool access_bulk_begin(struct access *access, struct shape *shape, struct warp *warp,
                       const struct op *op, int lane, enum access_kind kind, enum space space,
                       uint64_t address, uint32_t bytes);
/* Tell observers that the lane copies from one to the other. False after a fault. */
bool access_bulk_tell(const struct access *read, const struct access *write);
/* The same for a line that is written and not read. */
bool access_bulk_tell_one(const struct access *write);

/* access_narrow.c: the same as below, for a vector load that ptxas narrows. */
bool narrow_tell(const struct access *access, struct site *site);

/* access_wide.c: the same for a store that became part of a wider one. */
bool wide_tell(const struct access *access, struct site *site);

/* Tell observers. False after a fault. */
static inline bool access_tell(const struct access *access, struct site *site)
{
    struct launch *launch = block_launch(access->warp);
    if (__builtin_expect(access->op->loaded, 0))
        return access->kind == ACCESS_LOAD ? narrow_tell(access, site) : wide_tell(access, site);
    observers_access(access, site);
    return !launch->faulted;
}

#endif
