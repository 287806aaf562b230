/* exec_fragment.c - matrices between memory and registers: ldmatrix, stmatrix, movmatrix, wmma.load
 * and wmma.store (PTX ISA 9.7.14.4 and 9.7.14.5).
 *
 * ldmatrix and stmatrix are one access in which 8 lanes for each block name a row of 16 bytes. What
 * a block costs is then what its 8 rows cost: one wavefront when they lie in different banks, up to
 * 8 when all begin in the same (banks.c: 16-byte accesses go by quarters of a warp). A profiler
 * counts an LDSM as one request (smsp__inst_executed_op_ldsm), and its wavefronts among those of
 * shared loads. That there are as many as here follows from the text of the PTX ISA and from how
 * 16-byte loads count; gpu_tensor.cu is to confirm it.
 *
 * wmma.load and wmma.store are not instructions of the hardware: ptxas translates them into others.
 * The accesses here are those of the translation, so that requests, sectors, wavefronts and
 * alignment agree with it:
 *
 *   A and B of halves or bytes in shared memory     like ldmatrix: rows of 16 bytes, 2 or 4 blocks
 *                                                   at a time; .trans when k runs the other way
 *   anything whose lines run along memory           a piece for each lane, block by block
 *   halves whose lines run across memory            the same, then transposed like movmatrix
 *   other elements whose lines run across memory    one by one
 */
#include "fragment.h"
#include "lanes.h"
#include "opcode.h"

enum { ROW_BYTES = 16, BLOCK_BYTES = 128, MOST_FRAGMENT_BYTES = 1024 };

static void transpose(unsigned char *block)
{
    uint16_t from[8][8], to[8][8];
    memcpy(from, block, sizeof from);
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            to[column][row] = from[row][column];
    memcpy(block, to, sizeof to);
}

static bool wrong_space(struct warp *warp, const struct op *op, const char *what)
{
    fault_raise(warp, op, SIM_FAULT_ADDRESS_SPACE, -1,
                "runs a matrix instruction on an address outside %s memory", what);
    return false;
}

static inline void copy(void *to, const void *from, size_t bytes)
{
    switch (bytes) { /* a size known to the compiler is one instruction */
    case 16: memcpy(to, from, 16); break;
    case 8: memcpy(to, from, 8); break;
    case 4: memcpy(to, from, 4); break;
    default: memcpy(to, from, bytes); break;
    }
}

/* Between memory and data: lane's bytes are at data + lane * step. */
static void move_bytes(const struct access *access, unsigned char *data, size_t step)
{
    FOR_ACTIVE (lane, access->active) {
        unsigned char *memory = access->host + access->shape->delta[lane];
        unsigned char *mine = data + (size_t)lane * step;
        if (access->kind == ACCESS_LOAD)
            copy(mine, memory, access->bytes);
        else
            copy(memory, mine, access->bytes);
    }
}

/* --- ldmatrix, stmatrix, movmatrix ------------------------------------------------------------ */

/* Lanes 0 to 7 have the rows of the first block, 8 to 15 of the second, and so on. */
static lane_mask row_lanes(unsigned blocks)
{
    return blocks == 4 ? ALL_LANES : (UINT32_C(1) << 8 * blocks) - 1;
}

/* Returns false after a fault, which it has raised. */
static bool begin_rows(struct access *access, struct warp *warp, const struct op *op,
                       lane_mask lanes, enum access_kind kind, enum space space,
                       const uint64_t *address)
{
    return space == SPACE_SHARED
               ? access_begin(access, warp, op, lanes, kind, space, address, ROW_BYTES)
               : wrong_space(warp, op, "shared");
}

static void load_rows(struct warp *warp, const struct op *op, lane_mask lanes, enum space space,
                      const uint64_t *address)
{
    struct access access;
    unsigned char data[4 * BLOCK_BYTES];
    if (!begin_rows(&access, warp, op, lanes, ACCESS_LOAD, space, address))
        return;
    move_bytes(&access, data, ROW_BYTES);
    for (unsigned i = 0; i < op->count; i++) {
        if (op->transposed)
            transpose(data + i * BLOCK_BYTES);
        if (op->list[i] != NO_REGISTER)
            memcpy(reg(warp, op->list[i]), data + i * BLOCK_BYTES, BLOCK_BYTES);
    }
}

HANDLER(ldmatrix)
{
    if (whole_warp(warp, op, active))
        access_by_space(warp, op, row_lanes(op->count), load_rows);
}

static void store_rows(struct warp *warp, const struct op *op, lane_mask lanes, enum space space,
                       const uint64_t *address)
{
    struct access access;
    unsigned char data[4 * BLOCK_BYTES];
    if (!begin_rows(&access, warp, op, lanes, ACCESS_STORE, space, address))
        return;
    for (unsigned i = 0; i < op->count; i++) {
        memcpy(data + i * BLOCK_BYTES, reg(warp, op->list[i]), BLOCK_BYTES);
        if (op->transposed)
            transpose(data + i * BLOCK_BYTES);
    }
    move_bytes(&access, data, ROW_BYTES);
}

HANDLER(stmatrix)
{
    if (whole_warp(warp, op, active))
        access_by_space(warp, op, row_lanes(op->count), store_rows);
}

HANDLER(movmatrix)
{
    unsigned char block[BLOCK_BYTES];
    if (!whole_warp(warp, op, active))
        return;
    memcpy(block, reg(warp, op->src[0]), BLOCK_BYTES);
    transpose(block);
    memcpy(reg(warp, op->dst), block, BLOCK_BYTES);
}

/* --- wmma.load, wmma.store -------------------------------------------------------------------- */

/* One fragment on its way. In data, block after block lies as in the registers: the pieces of lane
 * 0, of lane 1, ... */
struct transfer {
    struct warp *warp;
    const struct op *op;
    enum access_kind kind;
    enum space space;
    VECTOR uint64_t address[WARP_LANES]; /* of the matrix, as each lane has it */
    VECTOR uint32_t stride[WARP_LANES];  /* elements from one row (or column) to the next */
    struct fragment fragment;
    unsigned element_bytes, block_bytes;
    bool along_memory; /* lines run along memory, not across it */
    bool by_rows;      /* like ldmatrix */
    unsigned char data[MOST_FRAGMENT_BYTES];
};

/* One access: lane's bytes begin at element along[lane] of line[lane]. */
static bool touch(struct transfer *transfer, lane_mask lanes, const struct corner *at,
                  uint32_t bytes, unsigned char *data, size_t step)
{
    struct access access;
    VECTOR uint64_t address[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t across = transfer->along_memory ? at[lane].line : at[lane].along;
        uint64_t inside = transfer->along_memory ? at[lane].along : at[lane].line;
        uint64_t element = across * transfer->stride[lane] + inside;
        address[lane] = transfer->address[lane] + element * transfer->element_bytes;
    }
    if (!access_begin(&access, transfer->warp, transfer->op, lanes, transfer->kind, transfer->space,
                      address, bytes))
        return false;
    move_bytes(&access, data, step);
    return true;
}

/* count blocks from first on, by rows of 16 bytes, as ldmatrix does it. */
static bool touch_rows(struct transfer *transfer, unsigned first, unsigned count)
{
    struct corner at[WARP_LANES] = {{0, 0}};
    for (unsigned block = 0; block < count; block++) {
        struct corner corner = fragment_corner(&transfer->fragment, first + block);
        for (unsigned i = 0; i < BLOCK_LINES; i++)
            at[BLOCK_LINES * block + i] = transfer->along_memory
                                              ? (struct corner){corner.line + i, corner.along}
                                              : (struct corner){corner.line, corner.along + i};
    }
    return touch(transfer, row_lanes(count), at, ROW_BYTES,
                 transfer->data + first * transfer->block_bytes, ROW_BYTES);
}

/* A block, a piece for each lane. Where lines run across memory, this is the block transposed. */
static bool touch_pieces(struct transfer *transfer, unsigned block)
{
    struct corner at[WARP_LANES], corner = fragment_corner(&transfer->fragment, block);
    unsigned piece = transfer->fragment.piece, bytes = piece * transfer->element_bytes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned down = lane / LINE_PIECES, right = lane % LINE_PIECES * piece;
        at[lane].line = corner.line + (transfer->along_memory ? down : right);
        at[lane].along = corner.along + (transfer->along_memory ? right : down);
    }
    return touch(transfer, ALL_LANES, at, bytes, transfer->data + block * transfer->block_bytes,
                 bytes);
}

/* A block, element by element: piece accesses. */
static bool touch_elements(struct transfer *transfer, unsigned block)
{
    struct corner at[WARP_LANES], corner = fragment_corner(&transfer->fragment, block);
    unsigned piece = transfer->fragment.piece, bytes = transfer->element_bytes;
    for (unsigned i = 0; i < piece; i++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            at[lane].line = corner.line + lane / LINE_PIECES;
            at[lane].along = corner.along + lane % LINE_PIECES * piece + i;
        }
        if (!touch(transfer, ALL_LANES, at, bytes,
                   transfer->data + block * transfer->block_bytes + i * bytes, piece * bytes))
            return false;
    }
    return true;
}

static bool touch_all(struct transfer *transfer)
{
    const struct fragment *fragment = &transfer->fragment;
    unsigned at_once = transfer->element_bytes == 2 ? 4 : 2;
    at_once = at_once < fragment->blocks ? at_once : fragment->blocks;
    bool by_elements = !transfer->along_memory && transfer->element_bytes != 2;
    for (unsigned block = 0; block < fragment->blocks; block += transfer->by_rows ? at_once : 1)
        if (!(transfer->by_rows ? touch_rows(transfer, block, at_once)
              : by_elements     ? touch_elements(transfer, block)
                                : touch_pieces(transfer, block)))
            return false;
    return true;
}

/* Blocks of halves whose lines run across memory are transposed, on the way in and out. */
static void turn_blocks(struct transfer *transfer)
{
    if (!transfer->along_memory && transfer->element_bytes == 2)
        for (unsigned block = 0; block < transfer->fragment.blocks; block++)
            transpose(transfer->data + block * transfer->block_bytes);
}

/* Moves one register of each lane between the block's pieces, each of which has so many parts, and
 * data. */
static void move_register(const struct transfer *transfer, unsigned char *registers,
                          unsigned char *data, unsigned part, unsigned parts)
{
    size_t bytes = transfer->block_bytes / parts / WARP_LANES;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned char *there = registers + lane * bytes;
        unsigned char *here = data + (lane * parts + part) * bytes;
        if (transfer->kind == ACCESS_LOAD)
            copy(there, here, bytes);
        else
            copy(here, there, bytes);
    }
}

/* Where there are more registers than the fragment needs, they repeat it. */
static void move_registers(struct transfer *transfer)
{
    const struct op *op = transfer->op;
    unsigned parts = transfer->fragment.piece_registers, needed = transfer->fragment.blocks * parts;
    for (unsigned i = 0; i < op->count; i++)
        if (op->list[i] != NO_REGISTER)
            move_register(transfer, reg(transfer->warp, op->list[i]),
                          transfer->data + i % needed / parts * transfer->block_bytes, i % parts,
                          parts);
}

static enum matrix matrix_moved(const struct op *op)
{
    return op->run == wmma_load_a   ? MATRIX_A
           : op->run == wmma_load_b ? MATRIX_B
           : op->run == wmma_load_c ? MATRIX_C
                                    : MATRIX_D;
}

static void set_shape(struct transfer *transfer)
{
    const struct op *op = transfer->op;
    enum matrix matrix = matrix_moved(op);
    enum ptx_type type = matrix_type(op, MATRIX_D);
    struct fragment fragment = fragment_of(op, matrix, type);
    unsigned bytes = ptx_type_bits(type) / 8;
    bool along_memory = op->transposed == fragment.lines_are_columns;
    bool packed = matrix == MATRIX_A || matrix == MATRIX_B;
    transfer->kind = matrix == MATRIX_D ? ACCESS_STORE : ACCESS_LOAD;
    transfer->fragment = fragment;
    transfer->element_bytes = bytes;
    transfer->block_bytes = WARP_LANES * fragment.piece * bytes;
    transfer->along_memory = along_memory;
    transfer->by_rows =
        op->space == SPACE_SHARED && packed && (bytes == 2 || (bytes == 1 && along_memory));
}

/* The stride is the last source, after the address and what a store stores. */
static void set_stride(struct transfer *transfer)
{
    const struct op *op = transfer->op;
    const struct fragment *fragment = &transfer->fragment;
    unsigned slot = transfer->kind == ACCESS_STORE ? 2 : 1;
    const uint32_t *given = slot < op->source_count ? reg(transfer->warp, op->src[slot]) : NULL;
    unsigned dense = transfer->along_memory ? fragment->length : fragment->lines;
    FOR_LANES transfer->stride[lane] = given ? given[lane] : dense;
}

/* The address, whose space must be the same for all lanes: that of global or shared memory. */
static bool set_address(struct transfer *transfer)
{
    const struct op *op = transfer->op;
    const void *base = reg(transfer->warp, op->src[0]);
    uint64_t start = 0, unused;
    for (int lane = 0; lane < WARP_LANES; lane++)
        transfer->address[lane] = op->src_bytes == 8
                                      ? ((const uint64_t *)base)[lane] + (uint64_t)op->offset
                                      : ((const uint32_t *)base)[lane] + (uint32_t)op->offset;
    transfer->space = op->space;
    if (op->space == SPACE_GENERIC)
        transfer->space = address_space(transfer->warp, transfer->address[0], &start);
    bool agree = transfer->space == SPACE_GLOBAL || transfer->space == SPACE_SHARED;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (op->space == SPACE_GENERIC)
            agree &=
                transfer->space == address_space(transfer->warp, transfer->address[lane], &unused);
        transfer->address[lane] -= start;
    }
    return agree || wrong_space(transfer->warp, op, "global or shared");
}

static void move_fragment(struct warp *warp, const struct op *op)
{
    struct transfer transfer = {.warp = warp, .op = op};
    set_shape(&transfer);
    set_stride(&transfer);
    if (!set_address(&transfer))
        return;
    if (transfer.kind == ACCESS_STORE) {
        move_registers(&transfer);
        turn_blocks(&transfer);
        touch_all(&transfer);
    } else if (touch_all(&transfer)) {
        turn_blocks(&transfer);
        move_registers(&transfer);
    }
}

#define WMMA_MOVE(name)                   \
    HANDLER(name)                         \
    {                                     \
        if (whole_warp(warp, op, active)) \
            move_fragment(warp, op);      \
    }
WMMA_MOVE(wmma_load_a)
WMMA_MOVE(wmma_load_b)
WMMA_MOVE(wmma_load_c)
WMMA_MOVE(wmma_store)
