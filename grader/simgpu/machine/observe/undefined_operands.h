/* undefined_operands.h - the values and shadows of an operation's sources, lane by lane.
 *
 * For the files that compute the shadows of results (undefined.h); others need none of it.
 */
#ifndef SIM_UNDEFINED_OPERANDS_H
#define SIM_UNDEFINED_OPERANDS_H

#include "decode_internal.h"
#include "undefined.h"

#include <string.h>

/* Does op take the carry of extended precision, or leave one? What takes one leaves one, too. */
static inline bool uses_carry(const struct op *op)
{
    return op->row->flags & (OP_TAKES_CARRY | OP_LEAVES_CARRY);
}

/* Is it the mnemonic's first word? */
static inline bool is_named(const char *mnemonic, const char *name)
{
    size_t length = strlen(name);
    return strncmp(mnemonic, name, length) == 0 && (!mnemonic[length] || mnemonic[length] == '.');
}

static inline bool is_integer(uint32_t type)
{
    return strchr("USB", ptx_type_class((enum ptx_type)type)) != NULL;
}

static inline size_t source_place(const struct warp *warp, const struct op *op, unsigned i)
{
    return undefined_place(warp, op->src[i]);
}

static inline lane_mask source_lanes(const struct warp *warp, const struct op *op, unsigned i)
{
    return undefined_lanes(warp->undefined, source_place(warp, op, i),
                           undefined_info(warp, op)->source_bytes[i]);
}

/* Bits of a lane's part of the register at place, and its value. */
static inline uint64_t lane_bits(const unsigned char *registers, unsigned bytes, int lane)
{
    uint64_t bits = 0;
    memcpy(&bits, registers + (unsigned)lane * bytes, bytes);
    return bits;
}

static inline uint64_t shadow_of(const struct warp *warp, const struct op *op, unsigned i, int lane)
{
    unsigned bytes = undefined_info(warp, op)->source_bytes[i];
    size_t place = source_place(warp, op, i);
    if (!undefined_marked(warp->undefined, place))
        return 0;
    if (bytes == PREDICATE_BYTES)
        return undefined_lanes(warp->undefined, place, bytes) >> lane & 1;
    return lane_bits(warp->undefined->bits + place, bytes, lane);
}

static inline uint64_t value_of(const struct warp *warp, const struct op *op, unsigned i, int lane)
{
    return lane_bits(reg(warp, op->src[i]), undefined_info(warp, op)->source_bytes[i], lane);
}

/* Of a register of so many bytes a lane; PREDICATE_BYTES: a bit a lane. */
static inline size_t register_size(unsigned bytes)
{
    return bytes == PREDICATE_BYTES ? sizeof(lane_mask) : (size_t)bytes * WARP_LANES;
}

/* Makes these the undefined bits of a lane's part of a result. */
static inline void set_bits(struct outcome *outcome, unsigned bytes, int lane, uint64_t bits)
{
    if (bytes == PREDICATE_BYTES && bits)
        outcome->bits[lane / 8] |= (unsigned char)(1u << lane % 8);
    else if (bytes != PREDICATE_BYTES)
        memcpy(outcome->bits + (unsigned)lane * bytes, &bits, bytes);
}

/* --- undefined_lanes.c: each lane by itself --------------------------------------------------- */

void flow_by_lanes(struct warp *warp, const struct op *op, lane_mask active, enum flow flow,
                   struct outcome *outcome);
void flow_compare(struct warp *warp, const struct op *op, lane_mask active,
                  struct outcome *outcome);

/* --- undefined_handler.c: the handler itself is asked ----------------------------------------- */

/* Are the sources that say where bits go defined in all active lanes? */
bool says_where(const struct warp *warp, const struct op *op, lane_mask active);
void flow_bits(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome);
void flow_move(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome);
/* Has any register of the op's list undefined bits? */
bool list_is_marked(const struct warp *warp, const struct op *op);
/* {d, e} = parts of a: as many results as parts. */
void move_parts_out(struct warp *warp, const struct op *op, lane_mask active);

/* --- undefined_together.c: lanes that take part in one operation ------------------------------ */

/* The last source decides which lanes take part. False when the launch stops. */
bool members_decide(struct warp *warp, const struct op *op, lane_mask active);
void flow_shuffle(struct warp *warp, const struct op *op, lane_mask active,
                  struct outcome *outcome);
void flow_vote(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome);
/* match and redux. */
void flow_warp(struct warp *warp, const struct op *op, lane_mask active, struct outcome *outcome);

#endif
