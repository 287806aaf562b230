/* undefined_matrix.c - undefined elements of matrices: ldmatrix, stmatrix, wmma.load and wmma.store
 * by the rule of fragment.h, and products: an element of D is undefined when any element of its row
 * of A or its column of B is, or its own element of C. A tile that is filled in part has defined
 * rows and columns that way, and the rest may be thrown away. */
#include "undefined.h"
#include "fragment.h"
#include "opcode.h"

enum { BLOCK_ROWS = 8, ROW_BYTES = 16, BLOCK_BYTES = 128, MOST_LINES = 32 };

/* --- Rows of 16 bytes: ldmatrix and stmatrix -------------------------------------------------- */

static void turn(unsigned char *block)
{
    uint16_t from[8][8], to[8][8];
    memcpy(from, block, sizeof from);
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            to[column][row] = from[row][column];
    memcpy(block, to, sizeof to);
}

static struct origin origin_of_row(const struct warp *warp, const struct op *op, unsigned lane)
{
    const struct undefined *undefined = warp->undefined;
    return (struct origin){.op = op,
                           .line = fault_own_line(warp, op),
                           .address = undefined->address[lane],
                           .space = undefined->space[lane],
                           .lane = (uint8_t)lane,
                           .bytes = ROW_BYTES};
}

static void take_rows(struct warp *warp, const struct op *op)
{
    const struct undefined *undefined = warp->undefined;
    for (unsigned i = 0; i < op->count; i++) {
        struct outcome outcome = {{0}};
        for (unsigned row = 0; row < BLOCK_ROWS; row++) {
            unsigned lane = BLOCK_ROWS * i + row;
            bool brought = undefined->brought >> lane & 1;
            for (unsigned byte = 0; brought && byte < ROW_BYTES; byte++)
                outcome.bits[row * ROW_BYTES + byte] =
                    undefined->missing[lane] >> byte & 1 ? 0xFF : 0;
            for (unsigned n = 0; brought && n < WARP_LANES; n++)
                if (op->transposed || n / 4 == row)
                    outcome.origin[n] = origin_of_row(warp, op, lane);
        }
        if (op->transposed)
            turn(outcome.bits);
        if (op->list[i] != NO_REGISTER)
            undefined_put(warp, undefined_place(warp, op->list[i]), 4, ALL_LANES, &outcome);
    }
}

/* The bytes that lane's row takes of the register at place. */
static void forget_rows(struct warp *warp, const struct op *op, unsigned i, const uint64_t *address)
{
    const struct undefined *undefined = warp->undefined;
    unsigned char block[BLOCK_BYTES];
    size_t place = undefined_place(warp, op->list[i]);
    if (!undefined_marked(undefined, place))
        return;
    memcpy(block, undefined->bits + place, sizeof block);
    if (op->transposed)
        turn(block);
    for (unsigned row = 0; row < BLOCK_ROWS; row++) {
        uint16_t mask = 0;
        for (unsigned byte = 0; byte < ROW_BYTES; byte++)
            mask |= (uint16_t)((block[row * ROW_BYTES + byte] == 0xFF) << byte);
        initialised_forget(warp, SPACE_SHARED, address[BLOCK_ROWS * i + row], mask);
    }
}

/* --- Elements: wmma.load and wmma.store ------------------------------------------------------- */

/* What is needed to find an element of a fragment in memory; see exec_fragment.c. */
struct elements {
    struct fragment fragment;
    unsigned bytes, parts;
    bool along_memory;
    enum space space;
    uint64_t address[WARP_LANES];
    uint64_t stride[WARP_LANES];
};

static enum matrix matrix_of(const struct op *op)
{
    return op->run == wmma_load_a   ? MATRIX_A
           : op->run == wmma_load_b ? MATRIX_B
           : op->run == wmma_load_c ? MATRIX_C
                                    : MATRIX_D;
}

static void find_addresses(const struct warp *warp, const struct op *op, uint64_t *address,
                           enum space *space)
{
    const void *base = reg(warp, op->src[0]);
    uint64_t start = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        address[lane] = op->src_bytes == 8 ? ((const uint64_t *)base)[lane] + (uint64_t)op->offset
                                           : ((const uint32_t *)base)[lane] + (uint32_t)op->offset;
    *space = (enum space)op->space;
    if (op->space == SPACE_GENERIC)
        *space = address_space(warp, address[0], &start);
    for (int lane = 0; lane < WARP_LANES; lane++)
        address[lane] -= start;
}

static struct elements elements_of(const struct warp *warp, const struct op *op)
{
    enum matrix matrix = matrix_of(op);
    enum ptx_type type = matrix_type(op, MATRIX_D);
    struct elements elements = {.fragment = fragment_of(op, matrix, type),
                                .bytes = ptx_type_bits(type) / 8};
    unsigned slot = matrix == MATRIX_D ? 2 : 1;
    elements.along_memory = op->transposed == elements.fragment.lines_are_columns;
    elements.parts = elements.fragment.piece_registers;
    const uint32_t *given = slot < op->source_count ? reg(warp, op->src[slot]) : NULL;
    unsigned dense = elements.along_memory ? elements.fragment.length : elements.fragment.lines;
    for (int lane = 0; lane < WARP_LANES; lane++)
        elements.stride[lane] = given ? given[lane] : dense;
    find_addresses(warp, op, elements.address, &elements.space);
    return elements;
}

/* Where element n of what lane has in register i lies. */
static uint64_t element_address(const struct elements *elements, unsigned i, unsigned lane,
                                unsigned n)
{
    const struct fragment *fragment = &elements->fragment;
    unsigned needed = fragment->blocks * elements->parts, part = i % elements->parts;
    struct corner corner = fragment_corner(fragment, i % needed / elements->parts);
    unsigned inside = part * (fragment->piece / elements->parts) + n;
    uint64_t line = corner.line + lane / LINE_PIECES;
    uint64_t along = corner.along + lane % LINE_PIECES * fragment->piece + inside;
    uint64_t at = elements->along_memory ? line * elements->stride[lane] + along
                                         : along * elements->stride[lane] + line;
    return elements->address[lane] + at * elements->bytes;
}

static unsigned register_bytes(const struct elements *elements)
{
    return elements->fragment.piece / elements->parts * elements->bytes;
}

static void take_elements(struct warp *warp, const struct op *op)
{
    struct elements elements = elements_of(warp, op);
    unsigned wide = register_bytes(&elements);
    for (unsigned i = 0; i < op->count; i++) {
        struct outcome outcome = {{0}};
        if (op->list[i] == NO_REGISTER)
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            for (unsigned at = 0; at < wide; at += elements.bytes) {
                uint64_t address = element_address(&elements, i, lane, at / elements.bytes);
                uint16_t missing =
                    initialised_missing(warp, elements.space, address, (int)lane, elements.bytes);
                for (unsigned byte = 0; byte < elements.bytes; byte++)
                    outcome.bits[lane * wide + at + byte] = missing >> byte & 1 ? 0xFF : 0;
                if (missing)
                    outcome.origin[lane] = (struct origin){.op = op,
                                                           .line = fault_own_line(warp, op),
                                                           .address = address,
                                                           .space = (uint8_t)elements.space,
                                                           .lane = (uint8_t)lane,
                                                           .bytes = (uint8_t)elements.bytes};
            }
        undefined_put(warp, undefined_place(warp, op->list[i]), wide, ALL_LANES, &outcome);
    }
}

/* An undefined element of a result that goes to global memory has left the kernel. */
static void forget_element(struct warp *warp, const struct op *op, const struct elements *elements,
                           unsigned i, unsigned lane)
{
    const struct undefined *undefined = warp->undefined;
    unsigned wide = register_bytes(elements);
    size_t place = undefined_place(warp, op->list[i]);
    const unsigned char *bits = undefined->bits + place + lane * wide;
    for (unsigned at = 0; at < wide; at += elements->bytes) {
        uint16_t mask = 0;
        for (unsigned byte = 0; byte < elements->bytes; byte++)
            mask |= (uint16_t)((bits[at + byte] == 0xFF) << byte);
        if (!mask)
            continue;
        if (elements->space == SPACE_GLOBAL)
            undefined_decides(warp, op, (int)lane,
                              undefined_origin(undefined, place, wide, (int)lane),
                              "is stored in global memory");
        initialised_forget(warp, elements->space,
                           element_address(elements, i, lane, at / elements->bytes), mask);
    }
}

void undefined_matrix_loaded(struct warp *warp, const struct op *op)
{
    if (op->run == ldmatrix)
        take_rows(warp, op);
    else
        take_elements(warp, op);
}

void undefined_matrix_stored(struct warp *warp, const struct op *op)
{
    struct elements elements;
    for (unsigned i = 0; op->run == wmma_store && i < op->count; i++) {
        if (i == 0)
            elements = elements_of(warp, op);
        if (undefined_marked(warp->undefined, undefined_place(warp, op->list[i])))
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                forget_element(warp, op, &elements, i, lane);
    }
    uint64_t address[WARP_LANES];
    enum space space;
    find_addresses(warp, op, address, &space);
    for (unsigned i = 0; op->run == stmatrix && i < op->count; i++)
        forget_rows(warp, op, i, address);
}

/* --- Products --------------------------------------------------------------------------------- */

/* Lines of A or B with an undefined element, and where one of it was read. */
struct lines {
    bool undefined[MOST_LINES];
    struct origin origin[MOST_LINES];
};

static unsigned wide_of(const struct op *op)
{
    return matrix_type(op, MATRIX_D) == PTX_f64 ? 8 : 4;
}

static void look_at_lines(const struct warp *warp, const struct op *op, enum matrix matrix,
                          const uint32_t *list, struct lines *lines)
{
    struct fragment fragment = fragment_of(op, matrix, matrix_type(op, matrix));
    unsigned wide = wide_of(op);
    for (unsigned block = 0; block < fragment.blocks; block++) {
        size_t place = undefined_place(warp, list[block]);
        lane_mask lanes = undefined_lanes(warp->undefined, place, wide);
        unsigned first = fragment_corner(&fragment, block).line;
        FOR_ACTIVE (lane, lanes) {
            unsigned line = first + (unsigned)lane / LINE_PIECES;
            lines->undefined[line] = true;
            lines->origin[line] = *undefined_origin(warp->undefined, place, wide, lane);
        }
    }
}

/* What lane has in the register of C and D at place (NO_REGISTER: none), and which of it is
 * undefined because of its row of A or its column of B. */
static void product_of_lane(const struct op *op, const struct fragment *fragment, unsigned i,
                            unsigned lane, const struct lines *rows, const struct lines *columns,
                            struct outcome *outcome)
{
    unsigned parts = fragment->piece_registers, wide = wide_of(op);
    struct corner corner = fragment_corner(fragment, i / parts);
    unsigned count = ACCUMULATOR_PIECE / parts, bytes = wide / count;
    for (unsigned n = 0; n < count; n++) {
        unsigned line = corner.line + lane / LINE_PIECES;
        unsigned along = corner.along + lane % LINE_PIECES * ACCUMULATOR_PIECE + i % parts + n;
        unsigned row = fragment->lines_are_columns ? along : line;
        unsigned column = fragment->lines_are_columns ? line : along;
        unsigned char *bits = outcome->bits + lane * wide + n * bytes;
        bool any = rows->undefined[row] || columns->undefined[column];
        for (unsigned byte = 0; byte < bytes; byte++)
            any |= bits[byte] != 0;
        memset(bits, any ? 0xFF : 0, bytes);
        if (rows->undefined[row])
            outcome->origin[lane] = rows->origin[row];
        else if (columns->undefined[column])
            outcome->origin[lane] = columns->origin[column];
        outcome->origin[lane].made = MADE;
        outcome->origin[lane].grain = (uint8_t)bytes;
    }
}

void undefined_matrix_product(struct warp *warp, const struct op *op)
{
    struct lines rows = {{false}}, columns = {{false}};
    struct fragment d = fragment_of(op, MATRIX_D, matrix_type(op, MATRIX_D));
    const uint32_t *c = op->list + op->src[2];
    unsigned wide = wide_of(op);
    bool c_is_half = matrix_type(op, MATRIX_C) == PTX_f16;
    bool same_layout = c_is_half == (matrix_type(op, MATRIX_D) == PTX_f16);
    look_at_lines(warp, op, MATRIX_A, op->list + op->src[0], &rows);
    look_at_lines(warp, op, MATRIX_B, op->list + op->src[1], &columns);
    for (unsigned i = 0; i < d.blocks * d.piece_registers; i++) {
        struct outcome outcome = {{0}};
        size_t place = same_layout ? undefined_place(warp, c[i]) : 0;
        bool from_c = same_layout && undefined_marked(warp->undefined, place);
        if (op->list[i] == NO_REGISTER)
            continue;
        if (from_c)
            memcpy(outcome.bits, warp->undefined->bits + place, (size_t)wide * WARP_LANES);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (from_c)
                outcome.origin[lane] = *undefined_origin(warp->undefined, place, wide, (int)lane);
            product_of_lane(op, &d, i, lane, &rows, &columns, &outcome);
        }
        undefined_put(warp, undefined_place(warp, op->list[i]), wide, ALL_LANES, &outcome);
    }
}
