/* fragment.h - how a matrix is spread over the registers of a warp: one rule for all of them.
 *
 * Cut the matrix into lines: the rows of A, the columns of B, the rows of C and D. (So k runs along
 * the lines of A and B.) Eight lines make a block, and each line of a block is cut into four
 * pieces, one for each lane of a group of four:
 *
 *               piece 0     piece 1     piece 2     piece 3
 *             +-----------+-----------+-----------+-----------+
 *      line 0 | lane  0   | lane  1   | lane  2   | lane  3   |
 *      line 1 | lane  4   | lane  5   | lane  6   | lane  7   |
 *       ...   |           |           |           |           |
 *      line 7 | lane 28   | lane 29   | lane 30   | lane 31   |
 *             +-----------+-----------+-----------+-----------+
 *
 *   a piece of A or B:  4 bytes, one register: 1 tf32, 2 halves, 4 bytes, 8 nibbles or 32 bits, the
 *                       first in the lowest bits; of doubles: 8 bytes, one 64-bit register
 *   a piece of C or D:  2 elements: two registers, or the two halves of one
 *
 * So the 32 values of a register, lane after lane, are a block line by line: 8 lines of 16 bytes.
 * That is what ldmatrix loads and movmatrix transposes. A matrix larger than a block takes more
 * registers, in this order (A of m16n8k16 on the left, and C of m16n16k16 with two registers each):
 *
 *      A, C, D   +---+---+          B   +---+---+   k along, then the next eight columns
 *      16 lines  | 0 | 2 |              | 0 | 1 |
 *                +---+---+              +---+---+
 *                | 1 | 3 |              | 2 | 3 |
 *                +---+---+              +---+---+
 *      32 lines: the next 16 follow
 *
 * This is PTX ISA 9.7.14.5 ("Matrix Fragments for mma...") said once instead of shape by shape. The
 * fragments of wmma are opaque there; on sm_80 and sm_90 they follow the same rule (read off the
 * machine code that ptxas makes of wmma.load and wmma.store), with two exceptions: A and B of
 * halves always have 8 registers, which repeat the matrix where it needs fewer; and m8n32k16 is
 * m32n8k16 transposed, so that there B is cut the way of A, and the lines of C and D are columns.
 */
#ifndef SIM_FRAGMENT_H
#define SIM_FRAGMENT_H

#include "machine_internal.h"

enum { BLOCK_LINES = 8, LINE_PIECES = 4, ACCUMULATOR_PIECE = 2 };

struct matrix_shape {
    unsigned rows, columns, depth;
};
struct matrix_shape matrix_shape(const struct op *op);

/* What a matrix is to an instruction: op->target holds a type for each, the first lowest. */
enum matrix { MATRIX_D, MATRIX_A, MATRIX_B, MATRIX_C };

static inline enum ptx_type matrix_type(const struct op *op, enum matrix matrix)
{
    return (enum ptx_type)(op->target >> 8 * matrix & 255);
}

struct fragment {
    unsigned lines, length; /* of the matrix, in elements */
    bool lines_are_columns;
    unsigned piece; /* elements */
    unsigned piece_registers;
    unsigned blocks;       /* all blocks; each has piece_registers registers */
    unsigned blocks_along; /* of a line */
    unsigned blocks_down;  /* how many follow each other across lines: 2 or 1 */
};
struct fragment fragment_of(const struct op *op, enum matrix matrix, enum ptx_type type);

/* The first line, and the first element of it, of a block. */
struct corner {
    unsigned line, along;
};
struct corner fragment_corner(const struct fragment *fragment, unsigned block);

/* Matrix instructions are for whole warps. True when the caller is to carry op out, for all 32
 * lanes, now. When the lanes come by different ways, the first wait, and the last does it for all;
 * op then runs again for each, with nothing left to do. Faults when lanes are missing. */
bool whole_warp(struct warp *warp, const struct op *op, lane_mask active);

#endif
