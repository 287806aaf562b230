/* exec_tensor.c - matrix products: mma and wmma.mma (PTX ISA 9.7.14.5 and 9.7.14.4).
 *
 * The fragments of A, B and C (see fragment.h) are laid out as plain matrices, multiplied by the
 * plainest loop, and D goes back to its fragment. Shapes and types come from the op.
 *
 * Numerics. The products of halves, bfloats, tf32 and 8-bit floats are exact in a float. They are
 * added to c one by one, in the order of k, each sum rounded to the nearest float; a half result is
 * rounded once more at the end. PTX leaves order and rounding open, and devices differ from this
 * and from each other: they add 4 to 16 products at once and drop bits that lie too far below the
 * largest product (Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores",
 * 2021). So the last bits of a float result must not be graded. Integers are exact; doubles are a
 * chain of fused multiply-adds, each rounded to nearest.
 */
#include "fragment.h"
#include "lanes.h"
#include "numbers.h"
#include "opcode.h"

enum { MOST_ROWS = 32, MOST_COLUMNS = 16, MOST_DEPTH = 64 };

/* What to multiply. m8n32k16 is done as its transpose, so there are never more than 16 columns:
 * the lines of a are then the columns of B. */
struct product {
    struct matrix_shape shape;
    enum matrix left, right;
    const uint32_t *a, *b, *c, *d; /* registers */
};

static struct product product_of(const struct op *op)
{
    struct product product = {.shape = matrix_shape(op),
                              .left = MATRIX_A,
                              .right = MATRIX_B,
                              .a = op->list + op->src[0],
                              .b = op->list + op->src[1],
                              .c = op->list + op->src[2],
                              .d = op->list};
    struct product same = product;
    if (product.shape.columns <= MOST_COLUMNS)
        return product;
    product.shape.rows = same.shape.columns;
    product.shape.columns = same.shape.rows;
    product.left = same.right;
    product.right = same.left;
    product.a = same.b;
    product.b = same.a;
    return product;
}

/* --- Elements of A and B ---------------------------------------------------------------------- */

/* One block, from its register to plain numbers: element n of the block is x[n], or where its
 * pieces are packed tighter, part of it. */
#define TAKE(name, Stored, T, length, expression)                     \
    static void name(const void *block, T(*line)[MOST_DEPTH])         \
    {                                                                 \
        const Stored *x = block;                                      \
        for (int i = 0; i < BLOCK_LINES; i++)                         \
            for (int k = 0, n = i * (length); k < (length); k++, n++) \
                line[i][k] = (expression);                            \
    }
TAKE(take_f16, uint16_t, float, 8, float_of_f16(x[n]))
TAKE(take_bf16, uint16_t, float, 8, float_of_bf16(x[n]))
TAKE(take_tf32, float, float, 4, tf32_truncated(x[n]))
TAKE(take_e4m3, uint8_t, float, 16, float_of_e4m3(x[n]))
TAKE(take_e5m2, uint8_t, float, 16, float_of_e5m2(x[n]))
TAKE(take_s8, int8_t, int32_t, 16, x[n])
TAKE(take_u8, uint8_t, int32_t, 16, x[n])
TAKE(take_s4, uint8_t, int32_t, 32, ((x[n / 2] >> n % 2 * 4 & 15) ^ 8) - 8)
TAKE(take_u4, uint8_t, int32_t, 32, x[n / 2] >> n % 2 * 4 & 15)
TAKE(take_b1, uint32_t, int32_t, 4, (int32_t)x[n])
TAKE(take_f64, double, double, 4, x[n])

typedef void take_floats(const void *block, float (*line)[MOST_DEPTH]);
typedef void take_integers(const void *block, int32_t (*line)[MOST_DEPTH]);

static take_floats *const FLOATS[PTX_TYPES] = {[PTX_f16] = take_f16,
                                               [PTX_bf16] = take_bf16,
                                               [PTX_tf32] = take_tf32,
                                               [PTX_e4m3] = take_e4m3,
                                               [PTX_e5m2] = take_e5m2};
static take_integers *const INTEGERS[PTX_TYPES] = {[PTX_s8] = take_s8,
                                                   [PTX_u8] = take_u8,
                                                   [PTX_s4] = take_s4,
                                                   [PTX_u4] = take_u4,
                                                   [PTX_b1] = take_b1};

/* --- Fragments to matrices, and back ---------------------------------------------------------- */

/* A or B, line by line. Bits stay packed, 32 to an element. */
#define GATHER(name, T, take)                                                    \
    static void name(struct warp *warp, const struct op *op, enum matrix matrix, \
                     const uint32_t *list, T(*line)[MOST_DEPTH])                 \
    {                                                                            \
        enum ptx_type type = matrix_type(op, matrix);                            \
        struct fragment fragment = fragment_of(op, matrix, type);                \
        unsigned packed = type == PTX_b1 ? 32 : 1;                               \
        for (unsigned block = 0; block < fragment.blocks; block++) {             \
            struct corner corner = fragment_corner(&fragment, block);            \
            take(reg(warp, list[block]),                                         \
                 (T(*)[MOST_DEPTH])(&line[corner.line][corner.along / packed])); \
        }                                                                        \
    }
GATHER(gather_floats, float, FLOATS[type])
GATHER(gather_integers, int32_t, INTEGERS[type])
GATHER(gather_doubles, double, take_f64)

/* C, whose pieces are two registers: lane 4 g + t has elements 2 t and 2 t + 1 of line g. */
#define GATHER_PAIRS(name, T)                                                                  \
    static void name(struct warp *warp, const struct op *op, const uint32_t *list,             \
                     T(*line)[MOST_COLUMNS])                                                   \
    {                                                                                          \
        struct fragment fragment = fragment_of(op, MATRIX_C, matrix_type(op, MATRIX_C));       \
        for (unsigned block = 0; block < fragment.blocks; block++) {                           \
            struct corner corner = fragment_corner(&fragment, block);                          \
            const T *low = reg(warp, list[2 * block]), *high = reg(warp, list[2 * block + 1]); \
            for (int lane = 0; lane < WARP_LANES; lane++) {                                    \
                T *to = &line[corner.line + (unsigned)lane / 4]                                \
                             [corner.along + (unsigned)lane % 4 * 2];                          \
                to[0] = low[lane];                                                             \
                to[1] = high[lane];                                                            \
            }                                                                                  \
        }                                                                                      \
    }
GATHER_PAIRS(gather_float_pairs, float)
GATHER_PAIRS(gather_integer_pairs, uint32_t)
GATHER_PAIRS(gather_double_pairs, double)

/* D; a result that is not wanted (_) has no register. */
#define PUT_PAIRS(name, T)                                                                    \
    static void name(struct warp *warp, const struct op *op, const uint32_t *list,            \
                     T(*line)[MOST_COLUMNS])                                                  \
    {                                                                                         \
        struct fragment fragment = fragment_of(op, MATRIX_D, matrix_type(op, MATRIX_D));      \
        for (unsigned i = 0; i < 2 * fragment.blocks; i++) {                                  \
            struct corner corner = fragment_corner(&fragment, i / 2);                         \
            T *to = list[i] == NO_REGISTER ? NULL : reg(warp, list[i]);                       \
            for (unsigned lane = 0; to && lane < WARP_LANES; lane++)                          \
                to[lane] = line[corner.line + lane / 4][corner.along + lane % 4 * 2 + i % 2]; \
        }                                                                                     \
    }
PUT_PAIRS(put_float_pairs, float)
PUT_PAIRS(put_integer_pairs, uint32_t)
PUT_PAIRS(put_double_pairs, double)

/* C and D of halves: a piece is one register, and a block lies there line by line. */
static void gather_half_pairs(struct warp *warp, const struct op *op, const uint32_t *list,
                              float (*line)[MOST_COLUMNS])
{
    struct fragment fragment = fragment_of(op, MATRIX_C, PTX_f16);
    for (unsigned block = 0; block < fragment.blocks; block++) {
        struct corner corner = fragment_corner(&fragment, block);
        const uint16_t *x = reg(warp, list[block]);
        for (unsigned n = 0; n < 64; n++)
            line[corner.line + n / 8][corner.along + n % 8] = float_of_f16(x[n]);
    }
}

static void put_half_pairs(struct warp *warp, const struct op *op, const uint32_t *list,
                           float (*line)[MOST_COLUMNS])
{
    struct fragment fragment = fragment_of(op, MATRIX_D, PTX_f16);
    for (unsigned block = 0; block < fragment.blocks; block++) {
        struct corner corner = fragment_corner(&fragment, block);
        uint16_t *to = list[block] == NO_REGISTER ? NULL : reg(warp, list[block]);
        for (unsigned n = 0; to && n < 64; n++)
            to[n] = f16_of_float(line[corner.line + n / 8][corner.along + n % 8]);
    }
}

/* --- Products --------------------------------------------------------------------------------- */

/* sum (rows x columns) += a * b, where b is given by its columns. One step multiplies an element x
 * of a by eight columns at once; the sums are still formed in the order of k. */
#define MULTIPLY(name, T, step)                                                              \
    static void name(const struct matrix_shape *shape, T(*a)[MOST_DEPTH], T(*b)[MOST_DEPTH], \
                     T(*sum)[MOST_COLUMNS])                                                  \
    {                                                                                        \
        typedef T eight __attribute__((vector_size(8 * sizeof(T))));                         \
        for (unsigned first = 0; first < shape->columns; first += 8) {                       \
            eight across[MOST_DEPTH];                                                        \
            for (unsigned k = 0; k < shape->depth; k++)                                      \
                for (unsigned i = 0; i < 8; i++)                                             \
                    across[k][i] = b[first + i][k];                                          \
            for (unsigned row = 0; row < shape->rows; row++) {                               \
                eight *sums = (eight *)&sum[row][first];                                     \
                for (unsigned k = 0; k < shape->depth; k++) {                                \
                    T x = a[row][k];                                                         \
                    step;                                                                    \
                }                                                                            \
            }                                                                                \
        }                                                                                    \
    }
#define EIGHT_TIMES for (unsigned i = 0; i < 8; i++)
MULTIPLY(multiply_floats, float, *sums += x * across[k])
MULTIPLY(multiply_doubles, double,
         EIGHT_TIMES (*sums)[i] = __builtin_fma(x, across[k][i], (*sums)[i]))
MULTIPLY(multiply_integers, int32_t, *sums += x * across[k])
MULTIPLY(multiply_xor, int32_t,
         EIGHT_TIMES (*sums)[i] += __builtin_popcount((uint32_t)(x ^ across[k][i])))
MULTIPLY(multiply_and, int32_t,
         EIGHT_TIMES (*sums)[i] += __builtin_popcount((uint32_t)(x & across[k][i])))

HANDLER(mma_float)
{
    if (!whole_warp(warp, op, active))
        return;
    struct product product = product_of(op);
    VECTOR float a[MOST_ROWS][MOST_DEPTH], b[MOST_COLUMNS][MOST_DEPTH];
    VECTOR float sum[MOST_ROWS][MOST_COLUMNS];
    gather_floats(warp, op, product.left, product.a, a);
    gather_floats(warp, op, product.right, product.b, b);
    if (matrix_type(op, MATRIX_C) == PTX_f16)
        gather_half_pairs(warp, op, product.c, sum);
    else
        gather_float_pairs(warp, op, product.c, sum);
    multiply_floats(&product.shape, a, b, sum);
    if (matrix_type(op, MATRIX_D) == PTX_f16)
        put_half_pairs(warp, op, product.d, sum);
    else
        put_float_pairs(warp, op, product.d, sum);
}

HANDLER(mma_double)
{
    if (!whole_warp(warp, op, active))
        return;
    struct product product = product_of(op);
    VECTOR double a[MOST_ROWS][MOST_DEPTH], b[MOST_COLUMNS][MOST_DEPTH];
    VECTOR double sum[MOST_ROWS][MOST_COLUMNS];
    gather_doubles(warp, op, product.left, product.a, a);
    gather_doubles(warp, op, product.right, product.b, b);
    gather_double_pairs(warp, op, product.c, sum);
    multiply_doubles(&product.shape, a, b, sum);
    put_double_pairs(warp, op, product.d, sum);
}

/* The sums of products fit 32 bits; adding c may wrap, or with .satfinite stops at the ends. */
static uint32_t added(uint32_t c, int32_t sum, bool clamped)
{
    int64_t exact = (int64_t)(int32_t)c + sum;
    int64_t nearest = exact < INT32_MIN ? INT32_MIN : exact > INT32_MAX ? INT32_MAX : exact;
    return (uint32_t)(clamped ? nearest : exact);
}

static void integer_product(struct warp *warp, const struct op *op,
                            void (*multiply)(const struct matrix_shape *, int32_t (*)[MOST_DEPTH],
                                             int32_t (*)[MOST_DEPTH], int32_t (*)[MOST_COLUMNS]))
{
    struct product product = product_of(op);
    VECTOR int32_t a[MOST_ROWS][MOST_DEPTH], b[MOST_COLUMNS][MOST_DEPTH];
    VECTOR int32_t sum[MOST_ROWS][MOST_COLUMNS] = {{0}};
    VECTOR uint32_t result[MOST_ROWS][MOST_COLUMNS];
    gather_integers(warp, op, product.left, product.a, a);
    gather_integers(warp, op, product.right, product.b, b);
    gather_integer_pairs(warp, op, product.c, result);
    if (matrix_type(op, MATRIX_A) == PTX_b1)
        product.shape.depth /= 32;
    multiply(&product.shape, a, b, sum);
    for (unsigned row = 0; row < product.shape.rows; row++)
        for (unsigned column = 0; column < product.shape.columns; column++)
            result[row][column] = added(result[row][column], sum[row][column], op->sat);
    put_integer_pairs(warp, op, product.d, result);
}

HANDLER(mma_integer)
{
    if (whole_warp(warp, op, active))
        integer_product(warp, op, multiply_integers);
}

HANDLER(mma_xor)
{
    if (whole_warp(warp, op, active))
        integer_product(warp, op, multiply_xor);
}

HANDLER(mma_and)
{
    if (whole_warp(warp, op, active))
        integer_product(warp, op, multiply_and);
}
