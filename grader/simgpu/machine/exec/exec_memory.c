/* exec_memory.c - loads and stores of global, shared, constant and local memory (PTX ISA 9.7.9).
 * Parameters and the conversion of addresses are in exec_param.c. */
#include "access.h"
#include "lanes.h"
#include "opcode.h"

/* --- Load ------------------------------------------------------------------------------------- */

/* to[lane] = from[pick[lane]], for 32 words: this is how the words of a small tile come to their
 * lanes, with AVX-512 much faster than by 32 loads. Reads 128 bytes, which may go past the words
 * that are picked: shared memory has room for that at its end. */
static void permute_words(uint32_t *to, const unsigned char *from, const uint8_t *pick)
{
#ifdef __AVX512F__
    const __m128i_u *places = (const __m128i_u *)pick;
    __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 64);
    for (int half = 0; half < 2; half++) {
        __m512i place = _mm512_cvtepu8_epi32(_mm_loadu_si128(&places[half]));
        _mm512_storeu_si512(to + 16 * half, _mm512_permutex2var_epi32(low, place, high));
    }
#else
    const uint32_t *words = (const uint32_t *)from;
    FOR_LANES to[lane] = words[pick[lane]];
#endif
}

/* Each lane's element, from host on, widened to 64 bits. */
static void fetch(const struct access *access, const unsigned char *host, uint64_t *wide)
{
    const struct op *op = access->op;
    const struct shape *shape = access->shape;
    bool together = shape->contiguous && op->count == 1, is_negative_kept = op_is_signed(op);
#define FETCH(T)                                                                        \
    do {                                                                                \
        if (together)                                                                   \
            FOR_LANES wide[lane] = (uint64_t)((const T *)host)[lane];                   \
        else                                                                            \
            FOR_LANES wide[lane] = (uint64_t) * (const T *)(host + shape->delta[lane]); \
    } while (0)
#define FETCH_SIGNED(S, U)    \
    do {                      \
        if (is_negative_kept) \
            FETCH(S);         \
        else                  \
            FETCH(U);         \
    } while (0)
    switch (op->bytes) {
    case 1: FETCH_SIGNED(int8_t, uint8_t); break;
    case 2: FETCH_SIGNED(int16_t, uint16_t); break;
    case 4: FETCH_SIGNED(int32_t, uint32_t); break;
    default: FETCH(uint64_t); break;
    }
#undef FETCH_SIGNED
#undef FETCH
}

/* 32 wide values to the register at dst, as wide as it is. */
static void put(const struct access *access, uint32_t dst, const uint64_t *wide)
{
    struct warp *warp = access->warp;
    VECTOR uint64_t scratch[WARP_LANES];
    void *to = covers(warp, access->active) ? reg(warp, dst) : scratch;
    switch (access->op->dst_bytes) {
    case 2: FOR_LANES((uint16_t *)to)[lane] = (uint16_t)wide[lane]; break;
    case 4: FOR_LANES((uint32_t *)to)[lane] = (uint32_t)wide[lane]; break;
    default: FOR_LANES((uint64_t *)to)[lane] = wide[lane]; break;
    }
    if (to == scratch)
        pick_lanes(warp, dst, access->active, scratch, access->op->dst_bytes);
}

/* Copies rows of words that lie side by side, 16 or 8 lanes a row. */
static inline void copy_rows(uint32_t *to, const unsigned char *host, const struct shape *shape)
{
    for (int lane = 0; shape->row_lanes == 16 && lane < WARP_LANES; lane += 16)
        memcpy(to + lane, host + shape->near[lane], 16 * sizeof *to);
    for (int lane = 0; shape->row_lanes == 8 && lane < WARP_LANES; lane += 8)
        memcpy(to + lane, host + shape->near[lane], 8 * sizeof *to);
}

/* The lanes' elements, from host on, wherever they lie. */
static __attribute__((noinline)) void gather(const struct access *access, uint32_t dst,
                                             const unsigned char *host)
{
    struct warp *warp = access->warp;
    const struct op *op = access->op;
    const struct shape *shape = access->shape;
    VECTOR uint64_t wide[WARP_LANES];
    if (op->bytes == 4 && op->dst_bytes == 4 && shape->is_near && covers(warp, access->active)) {
        uint32_t *to = reg(warp, dst);
        if (shape->row_lanes)
            copy_rows(to, host, shape);
        else
            FOR_LANES to[lane] = *(const uint32_t *)(host + shape->near[lane]);
        return;
    }
    fetch(access, host, wide);
    put(access, dst, wide);
}

/* Vectors of two or four words, lane after lane: to[i] gets the i-th words. */
static void deal_words(const struct access *access, const uint32_t *list)
{
    const struct warp *warp = access->warp;
    const uint32_t *from = (const uint32_t *)access->host;
    uint32_t *a = reg(warp, list[0]), *b = reg(warp, list[1]);
    if (access->op->count == 2) {
        FOR_LANES a[lane] = from[2 * lane], b[lane] = from[2 * lane + 1];
        return;
    }
    uint32_t *c = reg(warp, list[2]), *d = reg(warp, list[3]);
    FOR_LANES
    {
        a[lane] = from[4 * lane];
        b[lane] = from[4 * lane + 1];
        c[lane] = from[4 * lane + 2];
        d[lane] = from[4 * lane + 3];
    }
}

/* Is it two or four words for each lane, side by side, all wanted? */
static bool is_dealt(const struct access *access)
{
    const struct op *op = access->op;
    if (!access->shape->contiguous || op->count == 1 || op->bytes != 4 || op->dst_bytes != 4)
        return false;
    for (uint32_t i = 0; i < op->count; i++)
        if (op->list[i] == NO_REGISTER)
            return false;
    return op->count == 2 || op->count == 4;
}

/* One element of every lane into the register at dst; element i of a vector is i * bytes on. Words
 * that lie together are copied without a loop over the lanes. */
static inline void load_element(const struct access *access, uint32_t dst, uint32_t element)
{
    struct warp *warp = access->warp;
    const struct op *op = access->op;
    const struct shape *shape = access->shape;
    const unsigned char *host = access->host + (size_t)element * op->bytes;
    bool whole = op->bytes == op->dst_bytes && covers(warp, access->active);
    bool words = whole && op->bytes == 4;
    if (words && shape->uniform) {
        uint32_t same, *to = reg(warp, dst);
        memcpy(&same, host, sizeof same);
        FOR_LANES to[lane] = same;
    } else if (words && shape->contiguous && op->count == 1) {
        memcpy(reg(warp, dst), host, 4 * WARP_LANES);
    } else if (whole && shape->contiguous && op->count == 1) {
        memcpy(reg(warp, dst), host, (size_t)op->bytes * WARP_LANES);
    } else if (words && shape->compact && access->space == SPACE_SHARED) {
        permute_words(reg(warp, dst), host + shape->lowest, shape->pick);
    } else {
        gather(access, dst, host);
    }
}

/* A strong load must see what other blocks wrote, each element whole: it goes lane by lane,
 * atomically. Shared memory needs none of this: only this block writes to it, and its warps take
 * turns. */
static void load_strong(const struct access *access)
{
    const struct op *op = access->op;
    VECTOR uint64_t wide[WARP_LANES] = {0}; /* the same for lanes that are off, each time: spin.c */
#define LOAD(T)                       \
    FOR_ACTIVE (lane, access->active) \
    wide[lane] = __atomic_load_n((const T *)(from + access->shape->delta[lane]), __ATOMIC_ACQUIRE)
    for (uint32_t i = 0; i < op->count; i++) {
        const unsigned char *from = access->host + (size_t)i * op->bytes;
        switch (op->bytes) {
        case 1: LOAD(uint8_t); break;
        case 2: LOAD(uint16_t); break;
        case 4: LOAD(uint32_t); break;
        default: LOAD(uint64_t); break;
        }
        if (op_is_signed(op))
            FOR_ACTIVE (lane, access->active)
                wide[lane] = widened(op, (const unsigned char *)&wide[lane], op->bytes);
        if (op->list[i] != NO_REGISTER)
            put(access, op->list[i], wide);
    }
#undef LOAD
}

static void load_local(const struct access *access)
{
    struct warp *warp = access->warp;
    const struct op *op = access->op;
    FOR_ACTIVE (lane, access->active)
        for (uint32_t i = 0; i < op->count; i++) {
            uint64_t address = access->base + (uint64_t)access->shape->delta[lane] + i * op->bytes;
            unsigned char bytes[8] = {0};
            for (uint32_t done = 0; done < op->bytes; done += 4)
                memcpy(bytes + done, local_word(warp, address + done, lane),
                       op->bytes < 4 ? op->bytes : 4);
            uint64_t value = widened(op, bytes, op->bytes);
            if (op->list[i] != NO_REGISTER)
                memcpy((unsigned char *)reg(warp, op->list[i]) + (size_t)lane * op->dst_bytes,
                       &value, op->dst_bytes);
        }
}

static inline __attribute__((always_inline)) void load_all(const struct access *access)
{
    const struct op *op = access->op;
    bool is_strong = op->kind == ORDER_STRONG;
    if (access->space == SPACE_LOCAL) {
        load_local(access);
        return;
    }
    if (is_strong)
        warp_asks(access->warp);
    if (is_strong && access->space != SPACE_SHARED)
        load_strong(access);
    else if (is_dealt(access))
        deal_words(access, op->list);
    else
        for (uint32_t i = 0; i < op->count; i++)
            if (op->list[i] != NO_REGISTER)
                load_element(access, op->list[i], i);
}

static void load_from(struct warp *warp, const struct op *op, lane_mask active, enum space space,
                      const uint64_t *address)
{
    struct access access;
    if (access_begin(&access, warp, op, active, ACCESS_LOAD, space, address,
                     (uint32_t)op->bytes * op->count))
        load_all(&access);
}

HANDLER(load)
{
    struct site *site = access_like_last(warp, op, active);
    if (!site)
        access_by_space(warp, op, active, load_from);
    else if (access_tell(&site->last, site))
        load_all(&site->last);
}

/* --- Store ------------------------------------------------------------------------------------ */

/* The lanes' elements of the register at src to memory, from host on; little-endian: the low bytes
 * of a wider register come first. */
static __attribute__((noinline)) void scatter(const struct access *access, uint32_t src,
                                              unsigned char *host)
{
    const struct op *op = access->op;
    const struct shape *shape = access->shape;
    const void *from = reg(access->warp, src);
    VECTOR uint64_t scratch[WARP_LANES];
#define NARROW(T, Wide) FOR_LANES((T *)scratch)[lane] = (T)((const Wide *)from)[lane]
#define SCATTER(T)                                                           \
    do {                                                                     \
        if (op->dst_bytes > sizeof(T)) {                                     \
            switch (op->dst_bytes) {                                         \
            case 2: NARROW(T, uint16_t); break;                              \
            case 4: NARROW(T, uint32_t); break;                              \
            default: NARROW(T, uint64_t); break;                             \
            }                                                                \
            from = scratch;                                                  \
        }                                                                    \
        if (shape->contiguous && op->count == 1)                             \
            memcpy(host, from, WARP_LANES * sizeof(T));                      \
        else if (access->active == ALL_LANES)                                \
            for (int lane = 0; lane < WARP_LANES; lane++)                    \
                *(T *)(host + shape->delta[lane]) = ((const T *)from)[lane]; \
        else                                                                 \
            FOR_ACTIVE (lane, access->active)                                \
                *(T *)(host + shape->delta[lane]) = ((const T *)from)[lane]; \
    } while (0)
    switch (op->bytes) {
    case 1: SCATTER(uint8_t); break;
    case 2: SCATTER(uint16_t); break;
    case 4: SCATTER(uint32_t); break;
    default: SCATTER(uint64_t); break;
    }
#undef SCATTER
#undef NARROW
}

static inline void store_element(const struct access *access, uint32_t src, uint32_t element)
{
    const struct op *op = access->op;
    unsigned char *host = access->host + (size_t)element * op->bytes;
    if (op->bytes == 4 && op->dst_bytes == 4 && access->shape->contiguous && op->count == 1)
        memcpy(host, reg(access->warp, src), 4 * WARP_LANES);
    else
        scatter(access, src, host);
}

/* The counterpart of deal_words. */
static void collect_words(const struct access *access, const uint32_t *list)
{
    const struct warp *warp = access->warp;
    uint32_t *to = (uint32_t *)access->host;
    const uint32_t *a = reg(warp, list[0]), *b = reg(warp, list[1]);
    if (access->op->count == 2) {
        FOR_LANES to[2 * lane] = a[lane], to[2 * lane + 1] = b[lane];
        return;
    }
    const uint32_t *c = reg(warp, list[2]), *d = reg(warp, list[3]);
    FOR_LANES
    {
        to[4 * lane] = a[lane];
        to[4 * lane + 1] = b[lane];
        to[4 * lane + 2] = c[lane];
        to[4 * lane + 3] = d[lane];
    }
}

static void store_strong(const struct access *access)
{
    const struct op *op = access->op;
#define STORE(T)                                                                               \
    FOR_ACTIVE (lane, access->active)                                                          \
        do {                                                                                   \
            T value;                                                                           \
            memcpy(&value, from + (size_t)lane * op->dst_bytes, sizeof value);                 \
            __atomic_store_n((T *)(to + access->shape->delta[lane]), value, __ATOMIC_RELEASE); \
    } while (0)
    for (uint32_t i = 0; i < op->count; i++) {
        const unsigned char *from = reg(access->warp, op->list[i]);
        unsigned char *to = access->host + (size_t)i * op->bytes;
        switch (op->bytes) {
        case 1: STORE(uint8_t); break;
        case 2: STORE(uint16_t); break;
        case 4: STORE(uint32_t); break;
        default: STORE(uint64_t); break;
        }
    }
#undef STORE
}

static void store_local(const struct access *access)
{
    struct warp *warp = access->warp;
    const struct op *op = access->op;
    FOR_ACTIVE (lane, access->active)
        for (uint32_t i = 0; i < op->count; i++) {
            uint64_t address = access->base + (uint64_t)access->shape->delta[lane] + i * op->bytes;
            const unsigned char *from =
                (unsigned char *)reg(warp, op->list[i]) + (size_t)lane * op->dst_bytes;
            for (uint32_t done = 0; done < op->bytes; done += 4)
                memcpy(local_word(warp, address + done, lane), from + done,
                       op->bytes < 4 ? op->bytes : 4);
        }
}

static inline __attribute__((always_inline)) void store_all(const struct access *access)
{
    const struct op *op = access->op;
    if (access->space == SPACE_LOCAL)
        store_local(access);
    else if (op->kind == ORDER_STRONG && access->space != SPACE_SHARED)
        store_strong(access);
    else if (is_dealt(access))
        collect_words(access, op->list);
    else
        for (uint32_t i = 0; i < op->count; i++)
            store_element(access, op->list[i], i);
}

static void store_to(struct warp *warp, const struct op *op, lane_mask active, enum space space,
                     const uint64_t *address)
{
    struct access access;
    if (access_begin(&access, warp, op, active, ACCESS_STORE, space, address,
                     (uint32_t)op->bytes * op->count))
        store_all(&access);
}

HANDLER(store)
{
    struct site *site = access_like_last(warp, op, active);
    if (!site)
        access_by_space(warp, op, active, store_to);
    else if (access_tell(&site->last, site))
        store_all(&site->last);
}

/* --- Order ------------------------------------------------------------------------------------ */

/* Memory is always coherent here; still, accesses must not be reordered for other workers. */
HANDLER(fence)
{
    atomic_thread_fence(memory_order_seq_cst);
    observers_fence(warp, op, active);
}

/* A fence between threads' accesses and copies in bulk orders nothing for other threads. */
HANDLER(fence_proxy)
{
    (void)op;
    observers_proxy_fence(warp, active);
}

/* What a policy means is up to the device, and only cache hints use it. This is what an H200 gives
 * for the normal one. */
HANDLER(createpolicy)
{
    const uint64_t normal = UINT64_C(0x1000000000000000);
    WRITE_LANES(uint64_t, normal);
}

/* How much time passes is left to the model, which is told of the longest that a lane asks for. */
HANDLER(sleep_lanes)
{
    SOURCE(uint32_t, ns, 0);
    uint32_t longest = 0;
    FOR_ACTIVE (lane, active)
        longest = ns[lane] > longest ? ns[lane] : longest;
    observers_slept(warp, op, longest);
}

/* Where nothing is allocated nothing is fetched, and that is no fault (PTX ISA, prefetch). */
static void prefetch_from(struct warp *warp, const struct op *op, lane_mask active,
                          enum space space, const uint64_t *address)
{
    if (space == SPACE_GLOBAL)
        access_prefetch(warp, op, active, address);
}

HANDLER(prefetch)
{
    access_by_space(warp, op, active, prefetch_from);
}

HANDLER(do_nothing)
{
    (void)warp, (void)op, (void)active;
}
