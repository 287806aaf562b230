/* fragment.c - which lane holds what of a matrix, and waiting until all lanes are there. The rule
 * is drawn in fragment.h; exec_fragment.c moves fragments, exec_tensor.c multiplies them. */
#include "fragment.h"
#include "lanes.h"

static const struct matrix_shape SHAPES[] = {
#define SHAPE(name, rows, columns, depth) {rows, columns, depth},
#include "shapes.def"
#undef SHAPE
};

struct matrix_shape matrix_shape(const struct op *op)
{
    return SHAPES[op->kind];
}

static unsigned piece_of(enum matrix matrix, enum ptx_type type)
{
    if (matrix == MATRIX_C || matrix == MATRIX_D)
        return ACCUMULATOR_PIECE;
    return type == PTX_f64 ? 1 : 32 / ptx_type_bits(type);
}

struct fragment fragment_of(const struct op *op, enum matrix matrix, enum ptx_type type)
{
    struct matrix_shape shape = matrix_shape(op);
    bool accumulator = matrix == MATRIX_C || matrix == MATRIX_D;
    bool transposed = shape.columns > shape.rows; /* m8n32k16 */
    bool by_columns = matrix == MATRIX_B || (accumulator && transposed);
    struct fragment fragment = {.lines = by_columns ? shape.columns : shape.rows,
                                .length = !accumulator ? shape.depth
                                          : by_columns ? shape.rows
                                                       : shape.columns,
                                .lines_are_columns = by_columns,
                                .piece = piece_of(matrix, type)};
    bool two_down = accumulator || (matrix == MATRIX_B) == transposed;
    fragment.piece_registers = accumulator && type != PTX_f16 ? 2 : 1;
    fragment.blocks_along = fragment.length / (LINE_PIECES * fragment.piece);
    fragment.blocks = fragment.lines / BLOCK_LINES * fragment.blocks_along;
    fragment.blocks_down = two_down && fragment.lines > BLOCK_LINES ? 2 : 1;
    return fragment;
}

struct corner fragment_corner(const struct fragment *fragment, unsigned block)
{
    unsigned down = fragment->blocks_down;
    unsigned strip = block / (down * fragment->blocks_along); /* of 8 or 16 lines */
    unsigned along = block / down % fragment->blocks_along;
    return (struct corner){BLOCK_LINES * (strip * down + block % down),
                           LINE_PIECES * fragment->piece * along};
}

/* --- All lanes together ----------------------------------------------------------------------- */

static bool lanes_missing(struct warp *warp, const struct op *op, lane_mask active)
{
    if (warp->idle)
        fault_raise(warp, op, SIM_FAULT_PARTIAL_WARP, __builtin_ctz(active),
                    "runs a matrix instruction that needs all 32 threads of its warp, but %d of "
                    "them have exited or were never launched",
                    __builtin_popcount(warp->idle));
    else if (active != warp->split->mask)
        fault_raise(warp, op, SIM_FAULT_PARTIAL_WARP, __builtin_ctz(active),
                    "runs a matrix instruction that a condition switches off for %d threads of "
                    "its warp",
                    __builtin_popcount(warp->split->mask & ~active));
    else
        return false;
    return true;
}

/* Have all lanes come to this op? Each lane has noted the op that it is at. */
static bool same_place(const struct warp *warp, uint64_t place)
{
    return MASK_OF(warp->exchange[lane] == place) == ALL_LANES;
}

/* Tell the splits that were released together that their op has been carried out for them. */
static void mark_done(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->split_count; i++)
        if (warp->splits[i].released)
            warp->splits[i].waits_for = 0;
}

static bool meets_another(struct warp *warp, const struct op *op, lane_mask active)
{
    fault_raise(warp, op, SIM_FAULT_PARTIAL_WARP, __builtin_ctz(active),
                "runs a matrix instruction while other threads of its warp are at another "
                "warp-wide operation");
    return false;
}

bool whole_warp(struct warp *warp, const struct op *op, lane_mask active)
{
    struct split *split = warp->split;
    if (active == ALL_LANES)
        return true;
    if (split->released) {
        split->released = false;
        return split->waits_for ? meets_another(warp, op, active) : false;
    }
    if (lanes_missing(warp, op, active))
        return false;
    uint64_t place = (uint64_t)op->id << 32 | (uint32_t)split->register_base;
    FOR_ACTIVE (lane, active)
        warp->exchange[lane] = place;
    warp_gather(warp, op, active, ALL_LANES);
    if (!split->released) /* the first to come wait */
        return false;
    if (!same_place(warp, place))
        return meets_another(warp, op, active);
    mark_done(warp);
    return true;
}
