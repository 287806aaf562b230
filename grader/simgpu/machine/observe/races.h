/* races.h - what words of shared memory remember of their accesses: shared by races.c and
 * race_word.c. Once a block has touched less than a word at once, what remembers is each half of a
 * word, or each byte: the unit. */
#ifndef SIM_RACES_H
#define SIM_RACES_H

#include "clocks.h"
#include "observers.h"

struct traces {     /* one of each by unit */
    uint32_t *tag;  /* epoch * MOST_WARPS + warp; 0 for none: epochs start at 1 */
    uint32_t *time; /* of the accessing warp */
    uint32_t *what; /* enum what, and op id << OP_SHIFT */
    uint32_t *lanes;
};

enum what {
    ATOMIC = 16,
    VOLATILE = 32,
    STRONG = ATOMIC | VOLATILE,
    SAME_BY_LANES = 64, /* other lanes, other warps have stored the same value */
    SAME_BY_WARPS = 128,
    OP_SHIFT = 8,
};

static const uint32_t PENDING = UINT32_MAX & ~(uint32_t)(MOST_WARPS - 1);

/* What reads of words within 32 have in common, as those in a loop do. */
struct read_pattern {
    _Alignas(64) lane_mask lanes[WARP_LANES]; /* at each word from the lowest on */
    uint32_t what;                            /* as in struct traces */
};

/* One of them, by one warp at one time. */
struct read_row {
    const struct read_pattern *pattern;
    uint32_t first, tag, time; /* first: the lowest word; the others as in struct traces */
};

enum { MOST_KEPT = 1024, MOST_PATTERNS = 256 };

enum { UNIT_TRACES = 4 }; /* of each unit: write, covered, read, other_read */

struct shadow {
    uint32_t epoch, written_epoch; /* of the latest write */
    uint32_t unit_bytes;           /* 4, 2 or 1: the least that was accessed in this launch */
    size_t units, pending;
    struct read_row *kept; /* reads of this epoch not yet entered at their units */
    struct read_pattern *patterns;
    uint32_t kept_count, pattern_count;
    uint32_t round; /* changes when they are kept no more */
    uint32_t *memory;
    struct traces write, covered;   /* the last one; the plain one before strong ones */
    struct traces read, other_read; /* the first warp's, the latest other's */
    struct clocks clocks;
};

/* --- race_word.c ------------------------------------------------------------------------------ */

/* What a unit is told of an access: enum what, and the op. */
uint32_t race_what(const struct access *access);
/* Those lanes have read the unit. */
void race_leave_read(const struct access *access, size_t unit, lane_mask lanes, uint32_t what);
/* An access of a unit by one lane. False when it is a fault, which then is raised. */
bool race_visit(const struct access *access, int lane, size_t unit);

#endif
