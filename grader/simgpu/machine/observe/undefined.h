/* undefined.h - follows values that come from unwritten memory until they decide something.
 *
 * A load of unwritten bytes is no fault by itself: a lane may read more than it uses, and padding
 * is copied along with its structure. So an undefined value travels, and is reported where it
 * decides: a branch, an address, which threads take part in a barrier, an argument of printf, a
 * result that leaves the kernel (Valgrind's memcheck draws the line in the same places).
 *
 * Of a warp that has read such bytes, every register has a shadow, laid out like the register
 * itself: a bit that is set stands for a bit of the register that is undefined (of a predicate: for
 * a lane). Shadows are computed from the operand table and from the kind of operation (enum flow),
 * so that handlers know nothing of them. In shared and global memory the bytes of an undefined
 * value count as not written; local memory has such marks of its own.
 *
 *     initialised.c       which bytes of memory are written; tells of loads that bring others
 *     undefined.c         shadows: their life, and one step of a warp that has any
 *     undefined_kinds.c   how undefined values go through an operation, told when it is decoded
 *     undefined_flow.c    from the shadows of an operation's sources to that of its result:
 *     undefined_lanes.c       where each lane works by itself
 *     undefined_handler.c     where the handler knows best
 *     undefined_together.c    where lanes see one another's values
 *     undefined_ranges.c  what is known of sums and comparisons of such integers
 *     undefined_absent.c  values from lanes that take no part
 *     undefined_memory.c  into memory, out of it, and through the variables of calls
 *     undefined_matrix.c  the same for fragments of matrices, and through their products
 *     undefined_local.c   local memory
 *     undefined_notes.c   where stored values were first read
 *     undefined_report.c  where a value decides, and what is said of it
 *
 * What a lane shuffles from one that takes no part is undefined in the same way.
 *
 * While no register of a warp has a shadow, warp->doubt is false, and all that a step pays is the
 * check of it. A launch without the check has none of this.
 */
#ifndef SIM_UNDEFINED_H
#define SIM_UNDEFINED_H

#include "lanes.h"

/* What has become of a value since it was read. A structure is copied with its padding, so that
 * what is copied may be undefined in part or in whole; what was made of it is a result. A word
 * whose bits come from several values may be a structure again, of bit fields. */
enum made { AS_READ, MADE, MIXED };

/* An origin's space, too: a lane that takes no part, the number of which is the address, or one
 * that its block does not have. */
enum { FROM_LANE = UINT8_MAX, FROM_NO_LANE = UINT8_MAX - 1 };

/* Where an undefined value was read. */
struct origin {
    const struct op *op; /* NULL: not known */
    const struct sim_line *line;
    uint64_t address; /* in its space */
    uint8_t space, lane, bytes;
    uint8_t made;  /* enum made */
    uint8_t grain; /* if made: of so many bytes all are a result of their own */
};

/* What will become the shadow of a result. */
struct outcome {
    VECTOR unsigned char bits[WARP_LANES * 8];
    struct origin origin[WARP_LANES];
};

/* Shadows of one warp. */
struct undefined {
    unsigned char *bits;    /* as warp->register_stack */
    struct origin *origins; /* of the register at byte r of the stack: r / 2 + lane; a
                                    * predicate has one for all lanes */
    uint64_t *marks;        /* bit r / 4: the register at byte r has undefined bits */
    size_t room;            /* bytes of the stack these are for */
    uint32_t marked;        /* how many marks are set */
    lane_mask carry;        /* undefined lanes of warp->carry */
    struct origin carry_origin;
    /* the access under way: bytes, from the lowest, that are unwritten where a lane loads; or
     * undefined in what it stores */
    lane_mask brought;
    uint16_t missing[WARP_LANES];
    uint64_t address[WARP_LANES]; /* of each lane's load, in its space */
    uint8_t space[WARP_LANES];
    const struct origin *stored; /* of each lane, while op stores something undefined; or NULL */
    uint16_t storing[WARP_LANES];
    lane_mask results;    /* lanes that store what was made of undefined values */
    unsigned char *local; /* by byte of local memory: 1 if written */
    uint32_t local_bytes; /* a lane */
};

/* The width of a predicate among those of other registers. */
enum { PREDICATE_BYTES = 0 };

/* --- undefined.c ------------------------------------------------------------------------------ */

bool undefined_init(struct warp *warp);
void undefined_free(struct warp *warp);
void undefined_start(struct warp *warp);
/* op, which has just run for active, brought undefined bytes: doubt begins. */
void undefined_begin(struct warp *warp, const struct op *op, lane_mask active);
/* Run op for the active lanes of mask, and let shadows follow. */
void undefined_step(struct warp *warp, const struct op *op, lane_mask mask, lane_mask active);
/* A new frame: what an older one left there is forgotten. */
void undefined_frame(struct warp *warp, const struct split *split, lane_mask lanes);
/* Lanes' parts of a call's variable went from one place of the register stack to another. */
void undefined_passed(struct warp *warp, size_t from, size_t to, uint32_t bytes, lane_mask lanes);

/* Places are bytes of the register stack. */
static inline size_t undefined_place(const struct warp *warp, uint32_t reg_offset)
{
    return warp->split->register_base + reg_offset;
}

static inline bool undefined_marked(const struct undefined *undefined, size_t place)
{
    return undefined->marks[place / 256] >> place / 4 % 64 & 1;
}

static inline struct origin *undefined_origin(const struct undefined *undefined, size_t place,
                                              unsigned bytes, int lane)
{
    return &undefined->origins[place / 2 + (bytes == PREDICATE_BYTES ? 0 : (unsigned)lane)];
}

/* The lanes of a register in which any bit is undefined. */
lane_mask undefined_lanes(const struct undefined *undefined, size_t place, unsigned bytes);
/* Find out anew whether the register at place, of so many bytes in all, has undefined bits. */
void undefined_settle_mark(struct undefined *undefined, size_t place, size_t bytes);
/* Make lanes of the register at place what outcome says; NULL: defined. */
void undefined_put(struct warp *warp, size_t place, unsigned bytes, lane_mask lanes,
                   const struct outcome *outcome);
static inline bool undefined_has(const struct outcome *outcome, unsigned bytes, int lane)
{
    for (unsigned i = 0; i < bytes; i++)
        if (outcome->bits[(unsigned)lane * bytes + i])
            return true;
    return false;
}

/* --- undefined_absent.c ----------------------------------------------------------------------- */

/* The observer's part: lanes get what they shuffle from others that take no part. */
void undefined_from_absent(struct warp *warp, lane_mask lanes, const int *from);
/* Shadows of what op has just shuffled like this. */
void undefined_take_absent(struct warp *warp, const struct op *op, lane_mask active);

/* --- undefined_flow.c ------------------------------------------------------------------------- */

/* clang-format off */
enum flow {
    FLOW_ANY,            /* one undefined bit of a source makes all of the result undefined */
    FLOW_UP,             /* it makes the bits from there on up undefined */
    FLOW_SUM, FLOW_DIFFERENCE,
    FLOW_PRODUCT,        /* all of it, unless the other factor is 0 */
    FLOW_LEAST, FLOW_MOST, /* of two integers */
    FLOW_LEADING,        /* the place of the first 1 */
    FLOW_HALVES,         /* each half by itself */
    FLOW_PACK,           /* d = {b, a} */
    FLOW_BITS,           /* whatever the handler makes of it: see flow_bits */
    FLOW_MOVE,           /* the handler moves bits only */
    FLOW_COMPARE,
    FLOW_SHUFFLE, FLOW_VOTE, FLOW_WARP,
    FLOW_LOAD, FLOW_STORE, FLOW_ATOMIC, FLOW_COPY, FLOW_PARAM_LOAD, FLOW_PARAM_STORE,
    FLOW_PARTS_OUT, FLOW_PARTS_IN, /* mov of a vector */
    FLOW_MATRIX_LOAD, FLOW_MATRIX_STORE, FLOW_MATRIX_TURN, FLOW_PRODUCT_OF_MATRICES,
    FLOW_DECIDES,        /* all its sources count: branches, barriers */
    FLOW_CALL,
    FLOW_NONE,           /* no result: fences and the like */
};
/* clang-format on */

/* Run op; outcome gets the shadows of its result. False if there are none. */
bool undefined_flow(struct warp *warp, const struct op *op, lane_mask active,
                    struct outcome *outcome);
const struct op_info *undefined_info(const struct warp *warp, const struct op *op);
/* Which source of op, if any, is undefined for a lane: its origin, or NULL. */
const struct origin *undefined_source(const struct warp *warp, const struct op *op, int lane);

/* --- undefined_memory.c ----------------------------------------------------------------------- */

/* The observer's part: lane loads bytes of which missing (a bit each) are not written. */
/* Is what that load brings followed in registers? If not (texels, the phases of mbarriers), it
 * counts at the place where it is read. */
bool undefined_is_followed(const struct access *access);
void undefined_brings(const struct access *access, int lane, uint64_t address, uint16_t missing);
/* Shadows of what op has just loaded. */
void undefined_take_loaded(struct warp *warp, const struct op *op, lane_mask active);
/* Before op stores: fill in storing and stored. */
void undefined_prepare_store(struct warp *warp, const struct op *op, lane_mask active,
                             struct origin *origins);
void undefined_load_param(struct warp *warp, const struct op *op, lane_mask active);
void undefined_store_param(struct warp *warp, const struct op *op, lane_mask active);

/* --- initialised.c ---------------------------------------------------------------------------- */

/* Is any, or none, of the bytes written? True of memory that is not watched. */
uint16_t initialised_missing(struct warp *warp, enum space space, uint64_t address, int lane,
                             uint32_t bytes);
/* Bytes whose bit in mask is set count as not written any more. */
void initialised_forget(struct warp *warp, enum space space, uint64_t address, uint16_t mask);

/* --- undefined_local.c ------------------------------------------------------------------------ */

void undefined_local_start(struct warp *warp, uint32_t first, uint32_t bytes, lane_mask lanes);
uint16_t undefined_local_missing(const struct undefined *undefined, uint64_t address, int lane,
                                 uint32_t bytes);
void undefined_local_store(struct undefined *undefined, uint64_t address, int lane, uint32_t bytes,
                           uint16_t mask);

/* --- undefined_notes.c ------------------------------------------------------------------------ */

/* The bytes of mask, from address on, hold an undefined value that was read at origin. */
void undefined_note_stored(struct warp *warp, enum space space, uint64_t address, int lane,
                           uint16_t mask, const struct origin *origin);
/* NULL: nothing is known of what lies at address. */
const struct origin *undefined_noted(const struct warp *warp, enum space space, uint64_t address,
                                     int lane);
void undefined_forget_notes(struct block *block);

/* --- undefined_matrix.c ----------------------------------------------------------------------- */

void undefined_matrix_loaded(struct warp *warp, const struct op *op);
void undefined_matrix_stored(struct warp *warp, const struct op *op);
void undefined_matrix_product(struct warp *warp, const struct op *op);

/* --- undefined_report.c ----------------------------------------------------------------------- */

/* The value from origin decides, at op and for lane, as what says: "a branch depends on it". */
void undefined_decides(struct warp *warp, const struct op *op, int lane,
                       const struct origin *origin, const char *what);
/* An access of unwritten memory that reads and decides by itself, such as an atomic update. */
void undefined_updates(const struct access *access, int lane, uint64_t address);
/* Is what lane stores (all of it undefined) a piece of a structure that is copied, of which other
 * pieces are defined? */
bool undefined_is_member(const struct access *access, int lane, const struct origin *origins);
/* A library function reads a lane's bytes at address of local memory. */
void undefined_library_reads(struct warp *warp, const struct op *op, int lane, uint64_t address,
                             uint32_t bytes);

#endif
