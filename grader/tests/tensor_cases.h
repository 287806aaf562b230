/* tensor_cases.h - the matrix instructions that are tried (tensor_cases.def), and what each must
 * give by the plain triple loop. For C and for CUDA C++ alike.
 *
 * Order of calls: for each of tensor_cases: tensor_fill, run the kernel of that name with one warp,
 * tensor_expect, compare the first tensor_expect returned values.
 */
#ifndef TENSOR_CASES_H
#define TENSOR_CASES_H

#include <stdint.h>
#include <string.h>

enum {
    MATRIX_INTS = 4096,    /* room for each of a, b, c and d */
    SCRATCH_BYTES = 16384, /* and for what a kernel stages */
    FILLED_WITH = 5,
    MOST_TENSOR_CASES = 160,
};

enum tensor_kind { TENSOR_MMA, TENSOR_WMMA, TENSOR_FILL, TENSOR_LAYOUT, TENSOR_MOVE, TENSOR_BANKS };

struct tensor_case {
    const char *kernel;
    enum tensor_kind kind;
    int since;                /* compute capability, times ten */
    int rows, columns, depth; /* a move: how many blocks, in depth */
    const char *a, *b;        /* element types; a layout: which matrix, and its type */
    const char *operation;    /* of an mma, "trans" or "" of a move */
    int wavefronts;           /* BANKS: that ldmatrix takes */
};

/* clang-format off */
static const struct tensor_case TENSOR_CASES[] = {
#define MMA(since, M, N, K, a, b, c, operation)                                                \
    {"mma_m" #M "n" #N "k" #K "_" #a "_" #b "_" #c "_" #operation, TENSOR_MMA, since, M, N, K, \
     #a, #b, #operation, 0},
#define DMMA(since, M, N, K)                                                                   \
    {"dmma_m" #M "n" #N "k" #K, TENSOR_MMA, since, M, N, K, "f64", "f64", "plain", 0},
#define WMMA(M, N, K, a, c, d, layout_a, layout_b, place)                                      \
    {"wmma_m" #M "n" #N "k" #K "_" #a "_" #c "_" #d "_" #layout_a "_" #layout_b "_" #place,    \
     TENSOR_WMMA, 80, M, N, K, #a, #a, "plain", 0},
#define FILL(M, N, K, a, c)                                                                    \
    {"fill_m" #M "n" #N "k" #K "_" #a "_" #c, TENSOR_FILL, 80, M, N, K, #a, #a, "plain", 0},
#define LAYOUT(matrix, M, N, K, a, c)                                                          \
    {"layout_" #matrix "_m" #M "n" #N "k" #K "_" #a "_" #c, TENSOR_LAYOUT, 80, M, N, K,        \
     #matrix, #a, "", 0},
#define MOVE(since, instruction, blocks, trans)                                                \
    {#instruction "_x" #blocks #trans, TENSOR_MOVE, since, 8, 8, blocks, "", "", #trans, 0},
#define BANKS(stride, wavefronts)                                                              \
    {"banks_" #stride, TENSOR_BANKS, 80, 8, 8, 4, "", "", "", wavefronts},
#include "tensor_cases.def"
#undef MMA
#undef DMMA
#undef WMMA
#undef FILL
#undef LAYOUT
#undef MOVE
#undef BANKS
};
enum { TENSOR_CASE_COUNT = sizeof TENSOR_CASES / sizeof *TENSOR_CASES };
/* clang-format on */

/* --- Inputs ----------------------------------------------------------------------------------- */

static inline uint32_t tensor_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Integers that the type holds exactly, and so few of them that every sum is exact, too. */
static inline int tensor_element(const char *type, uint64_t *state)
{
    static const struct {
        const char *type;
        int low, high;
    } RANGES[] = {{"s8", -128, 127}, {"u8", 0, 255}, {"s4", -8, 7}, {"u4", 0, 15}, {"b1", 0, 1}};
    int low = -3, high = 3;
    for (unsigned i = 0; i < sizeof RANGES / sizeof *RANGES; i++)
        if (strcmp(type, RANGES[i].type) == 0) {
            low = RANGES[i].low;
            high = RANGES[i].high;
        }
    return low + (int)(tensor_random(state) % (unsigned)(high - low + 1));
}

/* c of an integer mma is anything, so that sums pass the ends of 32 bits. */
static inline int tensor_c(const struct tensor_case *one, uint64_t *state)
{
    int wide = strchr("su", one->a[0]) && one->kind == TENSOR_MMA;
    uint32_t end = tensor_random(state) % 2 ? 0x7FFFFF00u : 0x80000000u;
    return wide ? (int)(end + tensor_random(state) % 256) : (int)(tensor_random(state) % 7) - 3;
}

static inline void tensor_fill(const struct tensor_case *one, uint64_t seed, int *a, int *b, int *c)
{
    int counts = one->kind == TENSOR_LAYOUT || one->kind == TENSOR_MOVE;
    for (int i = 0; i < MATRIX_INTS; i++) {
        a[i] = counts ? i : tensor_element(one->a, &seed);
        b[i] = tensor_element(one->b, &seed);
        c[i] = tensor_c(one, &seed);
    }
}

/* --- Results ---------------------------------------------------------------------------------- */

static inline int64_t tensor_product(const struct tensor_case *one, int a, int b)
{
    if (strcmp(one->operation, "xor_popc") == 0)
        return a ^ b;
    if (strcmp(one->operation, "and_popc") == 0)
        return a & b;
    return (int64_t)a * b;
}

static inline int tensor_sum(const struct tensor_case *one, int64_t sum)
{
    if (strcmp(one->operation, "satfinite") == 0)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (int)(uint32_t)sum;
}

static inline int tensor_expect_product(const struct tensor_case *one, const int *a, const int *b,
                                        const int *c, int *d)
{
    for (int row = 0; row < one->rows; row++)
        for (int column = 0; column < one->columns; column++) {
            int64_t sum = one->kind == TENSOR_FILL ? FILLED_WITH : c[row * one->columns + column];
            for (int k = 0; k < one->depth; k++)
                sum += tensor_product(one, a[row * one->depth + k], b[k * one->columns + column]);
            int twice = one->kind == TENSOR_MMA ? 1 : 2;
            d[row * one->columns + column] = twice * tensor_sum(one, sum);
        }
    return one->rows * one->columns;
}

/* The number (row * columns + column) of element i of lane in a fragment of mma.h, on sm_80 and
 * sm_90: tiles of 8 x 8 halves (8 x 4 tf32), and of m8n32k16 the transpose of m32n8k16. */
static inline int tensor_layout_element(const struct tensor_case *one, int lane, int i)
{
    int g = lane / 4, t = lane % 4, turned = one->columns == 32, matrix = one->a[0];
    int side = strcmp(one->b, "tf32") == 0 ? 1 : 2; /* elements that lie side by side */
    int down = 2, line, along, lines, length = one->depth;
    lines = matrix == 'b' ? one->columns : one->rows;
    if (matrix == 'c') {
        side = 2;
        lines = turned ? one->columns : one->rows;
        length = turned ? one->rows : one->columns;
    } else if ((matrix == 'b') != turned) {
        down = 1;
    }
    int tile = i / side % (lines / 8 * (length / (4 * side))), across = length / (4 * side);
    down = lines == 8 ? 1 : down;
    line = 8 * (tile % down + down * (tile / (down * across))) + g;
    along = 4 * side * (tile / down % across) + side * t + i % side;
    int by_column = matrix == 'b' || (matrix == 'c' && turned);
    return by_column ? along * lines + line : line * length + along;
}

static inline int tensor_expect_layout(const struct tensor_case *one, int *d)
{
    int elements = one->a[0] == 'a'   ? one->rows * one->depth / 32
                   : one->a[0] == 'b' ? one->depth * one->columns / 32
                                      : one->rows * one->columns / 32;
    if (one->a[0] != 'c' && strcmp(one->b, "f16") == 0)
        elements = 16;
    for (int i = 0; i < 16 * 32; i++)
        if (i % 16 < elements)
            d[i] = tensor_layout_element(one, i / 16, i % 16);
    return 16 * 32;
}

/* What d must be; before, it holds what it held before the kernel ran. Returns how many values. */
static inline int tensor_expect(const struct tensor_case *one, const int *a, const int *b,
                                const int *c, int *d)
{
    switch (one->kind) {
    case TENSOR_LAYOUT: return tensor_expect_layout(one, d);
    case TENSOR_MOVE:
        for (int i = 0; i < 64 * one->depth; i++)
            d[i] = *one->operation ? a[i / 64 * 64 + i % 8 * 8 + i / 8 % 8] : a[i];
        return 64 * one->depth;
    case TENSOR_BANKS: return 0;
    default: return tensor_expect_product(one, a, b, c, d);
    }
}

#endif
