/* site.h - one access of one warp, and what its op remembers of the accesses before.
 *
 * access.c finds out what the lanes touch and whether they may, tells the observers, and hands the
 * access to the handler that moves the data. Next: access.h for the fast path, observer.h for how
 * to watch.
 */
#ifndef SIM_SITE_H
#define SIM_SITE_H

#include "allocation.h"

/* Of global memory: what DRAM and the caches move. */
enum { LINE_BYTES = 128, LINE_SECTORS = 4, SECTOR_BYTES = 32 };

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_REDUCTION };

/* Where the addresses of a warp's lanes lie relative to each other. A load in a loop mostly keeps
 * its shape while its base moves, so all that depends on the shape alone is worked out once. */
struct shape {
    _Alignas(64) int64_t delta[WARP_LANES]; /* bytes from the first active lane; else 0 */
    int32_t near[WARP_LANES]; /* the same, if all fit: half as much to compare and gather by */
    uint8_t pick[WARP_LANES]; /* of a compact shape: which word from the lowest one on */
    lane_mask active;
    uint32_t age;            /* changes when the shape does; 0 before the first */
    int64_t lowest, highest; /* of all deltas */
    uint16_t low_bits;       /* all deltas or-ed: tells alignment */
    uint8_t row_lanes;       /* all lanes, by so many (16 or 8), are at words side by side;
                                    * or 0: that is not so, or of all 32 */
    bool is_near;
    bool uniform;    /* all lanes at one address */
    bool contiguous; /* lane i at base + i * bytes, all 32 lanes active */
    bool compact;    /* words, all within 32 words: a permutation */
};

struct access {
    struct warp *warp;
    const struct op *op;
    enum access_kind kind;
    enum space space; /* never generic */
    lane_mask active;
    uint32_t bytes; /* a lane: element bytes times elements */
    uint64_t base;  /* address of the first active lane, in its space */
    const struct shape *shape;
    unsigned char *host;           /* the byte at base; others at host + shape->delta[lane] */
    struct allocation *allocation; /* of global memory, if all lanes fall into one */
};

/* What a memory op remembers between executions, one for each worker. The fields that every access
 * reads come first, next to each other: a kernel has many sites, which fill the simulating
 * machine's caches. */
struct site {
    struct shape shape;
    struct access last; /* as access_begin found it; see access.h */
    bool may_repeat;    /* its space is known, and its allocation if it is global */
    enum access_kind kind;
    uint64_t low, high; /* the allocation it last fell into */
    struct allocation *allocation;
    struct {
        uint32_t count, ideal;
        uint32_t age, base; /* valid while they match */
    } wavefronts;
    struct sim_access_counters counters;
    struct {
        uint32_t count, lines, ideal, distinct_bytes;
        uint32_t age, base; /* valid while they match */
    } sectors;
    struct {           /* of lanes far apart, whose pieces were made: see access.c */
        uint32_t age;  /* valid while it matches */
        uint64_t base; /* then; it may go on so far before a lane comes to another piece */
        uint64_t below, above;
        const struct allocation *allocation;
    } made;
    struct {                 /* see touches.c */
        uint32_t age, place; /* valid while they match */
        uint32_t count;
        bool is_plain;             /* no lane touches two pieces */
        int64_t piece[WARP_LANES]; /* from the base's on, in order of lanes */
    } touched;
    struct {                         /* see extent.c */
        const struct op *op;         /* whose accesses these are; NULL: there was none */
        uint32_t age;                /* of the latest one, */
        uint64_t base;               /* and its place */
        uint64_t low, high;          /* from the lowest byte to past the highest of all */
        struct touched_parts *parts; /* of the allocation it last fell into */
        bool writes;
    } extent;
    struct footprint *footprint;   /* of the allocation it last fell into */
    struct contention *contention; /* likewise, of atomics */
    struct pieces *pieces;         /* see global_pieces.c; NULL or to be freed */
    struct site *made_before;      /* of the same worker */
    struct {
        lane_mask lanes;               /* one for each address */
        lane_mask sharers[WARP_LANES]; /* by such a lane: all lanes at its address */
        lane_mask by_word[WARP_LANES]; /* of a compact shape: the lanes at each of its words */
        uint32_t age, by_word_age;
    } distinct;
    struct { /* see races.c */
        const struct shadow *by;
        const struct read_pattern *pattern;
        uint32_t round, age; /* valid while they match */
    } kept;
    struct { /* see example.c */
        struct sim_request request;
        uint64_t block; /* its number */
        uint32_t beyond, age;
        bool kept, neighbours_known;
    } example;
};

/* Find out what active lanes of warp touch at address (of each lane, in space, not generic), and
 * whether they may: bounds and alignment are checked, observers told. False after a fault. The
 * access is good until the next one of the same op. bytes is a lane's share. See access.h, too. */
bool access_begin(struct access *access, struct warp *warp, const struct op *op, lane_mask active,
                  enum access_kind kind, enum space space, const uint64_t *address, uint32_t bytes);

/* Which space a generic address means; *start is where its window starts (0 for global). */
enum space address_space(const struct warp *warp, uint64_t address, uint64_t *start);

/* The sectors at the lanes' global addresses are fetched: that is counted and costs time, and no
 * check looks at it. */
void access_prefetch(struct warp *warp, const struct op *op, lane_mask active,
                     const uint64_t *address);
/* Bytes of one lane, wherever they are: for printf and the like. False after a fault. */
bool access_read_lane(struct warp *warp, const struct op *op, int lane, uint64_t generic_address,
                      void *to, uint32_t bytes);

/* Carry out an access of op for its active lanes at the addresses of its first source, a group
 * at a time when a generic address means different spaces. */
typedef void access_mover(struct warp *warp, const struct op *op, lane_mask active,
                          enum space space, const uint64_t *address);
void access_by_space(struct warp *warp, const struct op *op, lane_mask active, access_mover *move);

/* Local memory: word w of lane l is word w * 32 + l of the warp's, as on hardware. */
unsigned char *local_word(const struct warp *warp, uint64_t address, int lane);

#endif
