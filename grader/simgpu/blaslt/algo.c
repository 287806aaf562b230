/* algo.c - kernel families, tiles, and what an algorithm can do.
 *
 * The families differ in how they fetch: whole 16-byte pieces when every address allows it, down to
 * single elements. Only this makes an odd leading dimension expensive, and makes padding pay off.
 * Next: device/blaslt_model.c, which gives each algorithm a time.
 */
#include "algo.h"

#include <string.h>

enum { STAGES_8X4 = 26, STAGES_32X4 = 10, STAGES_64X4 = 16 }; /* cublasLtMatmulStages_t */

/* Rates: linear 4099 x 4099 x 4099 reached 124 of the 713 TFLOP/s of an aligned product in bf16 and
 * 0.83 of the rate in fp32 on an H200; the values for 4 and 8 bytes, in between, and those for
 * doubles are guesses. */
static const struct algo_family FAMILIES[] = {
    {1, "tensor_16B", ALGO_TENSOR, 16, STAGES_64X4, 1.0},
    {2, "tensor_8B", ALGO_TENSOR, 8, STAGES_32X4, 0.45},
    {3, "tensor_4B", ALGO_TENSOR, 4, STAGES_32X4, 0.30},
    {4, "tensor_2B", ALGO_TENSOR, 2, STAGES_32X4, 0.174},
    {5, "fma_16B", ALGO_FMA, 16, STAGES_8X4, 1.0},
    {6, "fma_4B", ALGO_FMA, 4, STAGES_8X4, 0.83},
    {7, "double_16B", ALGO_DOUBLE, 16, STAGES_8X4, 1.0},
    {8, "double_8B", ALGO_DOUBLE, 8, STAGES_8X4, 0.83},
};

static const struct algo_tile TILES[] = {
    {6, 32, 8},     {7, 8, 64},     {8, 16, 32},    {9, 32, 16},   {10, 64, 8},    {11, 32, 32},
    {12, 32, 64},   {13, 64, 32},   {14, 32, 128},  {15, 64, 64},  {16, 128, 32},  {17, 64, 128},
    {18, 128, 64},  {19, 64, 256},  {20, 128, 128}, {21, 256, 64}, {23, 128, 256}, {24, 256, 128},
    {31, 192, 128}, {32, 128, 192}, {34, 32, 256},  {35, 256, 32},
};

enum {
    FAMILY_COUNT = sizeof FAMILIES / sizeof *FAMILIES,
    TILE_COUNT = sizeof TILES / sizeof *TILES
};

const struct algo_family *algo_families(size_t *count)
{
    *count = FAMILY_COUNT;
    return FAMILIES;
}

const struct algo_family *algo_family(uint32_t id)
{
    for (size_t i = 0; i < FAMILY_COUNT; i++)
        if (FAMILIES[i].id == id)
            return &FAMILIES[i];
    return NULL;
}

const struct algo_tile *algo_tiles(size_t *count)
{
    *count = TILE_COUNT;
    return TILES;
}

const struct algo_tile *algo_tile(uint32_t id)
{
    for (size_t i = 0; i < TILE_COUNT; i++)
        if (TILES[i].id == id)
            return &TILES[i];
    return NULL;
}

/* --- Types ------------------------------------------------------------------------------------ */

static bool is_half_compute(uint32_t compute)
{
    return compute == MATMUL_COMPUTE_16F || compute == MATMUL_COMPUTE_16F_PEDANTIC;
}

static bool is_plain_compute(uint32_t compute)
{
    return compute == MATMUL_COMPUTE_32F || compute == MATMUL_COMPUTE_32F_PEDANTIC;
}

static bool is_fast_compute(uint32_t compute)
{
    return compute == MATMUL_COMPUTE_32F_FAST_16F || compute == MATMUL_COMPUTE_32F_FAST_16BF ||
           compute == MATMUL_COMPUTE_32F_FAST_TF32;
}

static bool is_integer_compute(uint32_t compute)
{
    return compute == MATMUL_COMPUTE_32I || compute == MATMUL_COMPUTE_32I_PEDANTIC;
}

static bool is_double_compute(uint32_t compute)
{
    return compute == MATMUL_COMPUTE_64F || compute == MATMUL_COMPUTE_64F_PEDANTIC;
}

/* The rows of cublasLtMatmul's table of types, without fp8 and without bytes as results. Complex
 * numbers are of one type, also those that may be multiplied less exactly. */
static bool is_supported(uint32_t compute, uint32_t scale_type, uint32_t in, uint32_t out)
{
    bool narrow = in == MATMUL_F16 || in == MATMUL_BF16;
    if (in == MATMUL_C32)
        return (is_plain_compute(compute) || is_fast_compute(compute)) && scale_type == in &&
               out == in;
    if (in == MATMUL_C64)
        return is_double_compute(compute) && scale_type == in && out == in;
    if (in == MATMUL_I8 && is_integer_compute(compute))
        return scale_type == MATMUL_I32 && out == MATMUL_I32;
    if (in == MATMUL_I8)
        return is_plain_compute(compute) && scale_type == MATMUL_F32 && out == MATMUL_F32;
    if (is_half_compute(compute))
        return scale_type == MATMUL_F16 && in == MATMUL_F16 && out == MATMUL_F16;
    if (is_double_compute(compute))
        return scale_type == MATMUL_F64 && in == MATMUL_F64 && out == MATMUL_F64;
    if (scale_type != MATMUL_F32)
        return false;
    if (is_plain_compute(compute))
        return (narrow && (out == in || out == MATMUL_F32)) ||
               (in == MATMUL_F32 && out == MATMUL_F32);
    return is_fast_compute(compute) && in == MATMUL_F32 && out == MATMUL_F32;
}

uint32_t algo_signature(uint32_t compute, uint32_t scale_type, uint32_t a, uint32_t b, uint32_t c,
                        uint32_t d)
{
    if (a != b || c != d || !is_supported(compute, scale_type, a, d))
        return 0;
    return compute << 12 | scale_type << 8 | a << 4 | d;
}

/* Bytes are fetched four at a time; the documentation asks for that alignment. */
enum { LEAST_BYTES = 4 };

bool algo_family_fits(const struct algo_family *family, uint32_t signature)
{
    uint32_t compute = signature >> 12, in = signature >> 4 & 15;
    bool tensor = in != MATMUL_C32 && (in != MATMUL_F32 || is_fast_compute(compute));
    enum algo_math math = in == MATMUL_F64 || in == MATMUL_C64 ? ALGO_DOUBLE
                          : tensor                             ? ALGO_TENSOR
                                                               : ALGO_FMA;
    uint32_t parts = matmul_is_complex(in) ? 2 : 1; /* that may be fetched apart */
    uint32_t least = in == MATMUL_I8 ? LEAST_BYTES : matmul_type_bytes(in);
    return signature && family->math == math && family->alignment * parts >= least;
}

/* --- The seal --------------------------------------------------------------------------------- */

#define ALGO_MARK UINT64_C(0x31746c5570674d53) /* changes with the layout */

uint64_t algo_hash(uint64_t before, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    uint64_t hash = before;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The seal of all words but the last. */
static uint64_t seal_of(const uint64_t words[MATMUL_ALGO_WORDS])
{
    return algo_hash(ALGO_HASH, words, (MATMUL_ALGO_WORDS - 1) * sizeof *words);
}

static uint64_t two(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

void algo_seal(const struct algo *algo, uint64_t words[MATMUL_ALGO_WORDS])
{
    words[0] = ALGO_MARK;
    words[1] = two(algo->family, algo->tile);
    words[2] = two(algo->stages, algo->splits);
    words[3] = two(algo->reduction, algo->swizzle);
    words[4] = two(algo->custom, algo->inner);
    words[5] = two(algo->cluster, algo->signature);
    words[6] = 0;
    words[7] = seal_of(words);
}

bool algo_open(const uint64_t words[MATMUL_ALGO_WORDS], struct algo *algo)
{
    *algo = (struct algo){.family = (uint32_t)words[1],
                          .tile = (uint32_t)(words[1] >> 32),
                          .stages = (uint32_t)words[2],
                          .splits = (uint32_t)(words[2] >> 32),
                          .reduction = (uint32_t)words[3],
                          .swizzle = (uint32_t)(words[3] >> 32),
                          .custom = (uint32_t)words[4],
                          .inner = (uint32_t)(words[4] >> 32),
                          .cluster = (uint32_t)words[5],
                          .signature = (uint32_t)(words[5] >> 32)};
    return words[0] == ALGO_MARK && words[7] == seal_of(words);
}

/* --- The problem ------------------------------------------------------------------------------ */

/* So that every product of sizes, strides and counts fits 63 bits; no device has that much
 * memory. */
#define MOST_SIDE INT32_MAX
#define MOST_ELEMENTS (UINT64_C(1) << 40)
enum { MOST_BATCHES = 1 << 16 };

static bool is_stride(int64_t stride)
{
    return stride >= 0 && (uint64_t)stride <= MOST_ELEMENTS;
}

static bool is_matrix(const struct matmul_matrix *matrix, uint32_t batch_count)
{
    uint64_t line = matmul_line(matrix), lines = matmul_lines(matrix), ld = (uint64_t)matrix->ld;
    return line && lines && line <= MOST_SIDE && lines <= MOST_SIDE && matrix->ld > 0 &&
           ld >= line && ld <= MOST_SIDE && ld * lines <= MOST_ELEMENTS &&
           (batch_count == 1 || is_stride(matrix->batch_stride));
}

static bool is_epilogue(uint32_t epilogue)
{
    static const uint32_t KNOWN[] = {1,        2,
                                     2 | 128,  4,
                                     2 | 4,    2 | 4 | 128,
                                     8 | 128,  8 | 128 | 16,
                                     32,       32 | 128,
                                     32 | 4,   32 | 128 | 4,
                                     64 | 128, 64 | 128 | 16,
                                     256,      512};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (KNOWN[i] == epilogue)
            return true;
    return false;
}

/* A vector along D's rows, or a second matrix, goes with D's columns: a D that is stored row by
 * row has neither (the library answers NOT_SUPPORTED, too). */
static enum algo_status check_epilogue(const struct matmul_problem *problem)
{
    uint32_t epilogue = problem->epilogue;
    if (!is_epilogue(epilogue))
        return ALGO_INVALID;
    if (epilogue != MATMUL_EPILOGUE_DEFAULT &&
        (problem->d.type == MATMUL_F64 || matmul_is_complex(problem->d.type) ||
         problem->a.type == MATMUL_I8))
        return ALGO_UNSUPPORTED;
    if (epilogue != MATMUL_EPILOGUE_DEFAULT && problem->d.row_major &&
        epilogue != MATMUL_EPILOGUE_RELU && epilogue != MATMUL_EPILOGUE_GELU)
        return ALGO_UNSUPPORTED;
    if (epilogue & MATMUL_EPILOGUE_AUX) {
        bool is_mask = epilogue & (MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_DRELU);
        int64_t step = is_mask ? 128 : 8;
        if (problem->aux_ld < (int64_t)problem->d.rows || problem->aux_ld % step ||
            (uint64_t)problem->aux_ld > MOST_ELEMENTS / problem->d.columns ||
            problem->aux_batch_stride % step || !is_stride(problem->aux_batch_stride))
            return ALGO_INVALID;
        if (!is_mask && problem->aux_type != problem->d.type)
            return ALGO_UNSUPPORTED;
    }
    bool vector = epilogue & (MATMUL_EPILOGUE_BIAS | MATMUL_EPILOGUE_BGRAD |
                              MATMUL_EPILOGUE_BGRADA | MATMUL_EPILOGUE_BGRADB);
    if (vector && !is_stride(problem->bias_batch_stride))
        return ALGO_INVALID;
    if (vector && problem->bias_type != problem->d.type && problem->bias_type != MATMUL_F32 &&
        problem->bias_type != problem->a.type)
        return ALGO_UNSUPPORTED;
    return ALGO_OK;
}

enum algo_status algo_check_problem(const struct matmul_problem *problem)
{
    uint32_t batches = problem->batch_count;
    uint64_t m = matmul_m(problem), n = matmul_n(problem), k = matmul_k(problem);
    const struct matmul_matrix *a = &problem->a, *b = &problem->b;
    if (!is_matrix(a, batches) || !is_matrix(b, batches) || !is_matrix(&problem->c, batches) ||
        !is_matrix(&problem->d, batches) || batches == 0 || batches > MOST_BATCHES)
        return ALGO_INVALID;
    if ((problem->transpose_a ? a->columns : a->rows) != m ||
        (problem->transpose_b ? b->columns : b->rows) != k ||
        (problem->transpose_b ? b->rows : b->columns) != n || problem->c.rows != m ||
        problem->c.columns != n)
        return ALGO_INVALID;
    if (!algo_signature(problem->compute, problem->scale_type, a->type, b->type, problem->c.type,
                        problem->d.type))
        return ALGO_UNSUPPORTED;
    return check_epilogue(problem);
}

/* --- An algorithm for it ---------------------------------------------------------------------- */

static uint64_t ceil_divide(uint64_t value, uint64_t divisor)
{
    return (value + divisor - 1) / divisor;
}

/* Partial results, or the counters that put the blocks of one tile in order. */
static uint64_t workspace_of(const struct matmul_problem *problem, const struct algo *algo,
                             const struct algo_tile *tile)
{
    uint64_t m = matmul_m(problem), n = matmul_n(problem), batches = problem->batch_count;
    uint64_t elements = m * n * batches * algo->splits;
    switch (algo->reduction) {
    case MATMUL_REDUCTION_COMPUTE_TYPE:
        return elements * (problem->d.type == MATMUL_F64 ? sizeof(double) : sizeof(float));
    case MATMUL_REDUCTION_OUTPUT_TYPE: return elements * matmul_type_bytes(problem->d.type);
    case MATMUL_REDUCTION_INPLACE:
        return ceil_divide(m, tile->rows) * ceil_divide(n, tile->columns) * batches *
               sizeof(uint32_t);
    default: return 0;
    }
}

/* Gradients of the bias are sums, and a mask of bits is words, over what one block computes. */
static bool epilogue_allows_splits(uint32_t epilogue)
{
    return !(epilogue & (MATMUL_EPILOGUE_BGRAD | MATMUL_EPILOGUE_BGRADA | MATMUL_EPILOGUE_BGRADB));
}

enum algo_status algo_check(const struct matmul_problem *problem, const struct algo *algo,
                            uint64_t *workspace_bytes)
{
    enum algo_status status = algo_check_problem(problem);
    const struct algo_family *family = algo_family(algo->family);
    const struct algo_tile *tile = algo_tile(algo->tile);
    uint32_t signature = algo_signature(problem->compute, problem->scale_type, problem->a.type,
                                        problem->b.type, problem->c.type, problem->d.type);
    *workspace_bytes = 0;
    if (status != ALGO_OK)
        return status;
    if (!family || !tile || signature != algo->signature || !algo_family_fits(family, signature))
        return ALGO_INVALID;
    bool splits = algo->splits > 1;
    bool known = algo->reduction == MATMUL_REDUCTION_NONE ||
                 algo->reduction == MATMUL_REDUCTION_INPLACE ||
                 algo->reduction == MATMUL_REDUCTION_COMPUTE_TYPE ||
                 algo->reduction == MATMUL_REDUCTION_OUTPUT_TYPE;
    if (!known || algo->splits == 0 || splits != (algo->reduction != MATMUL_REDUCTION_NONE) ||
        algo->swizzle > 1 || algo->custom || algo->stages != family->stages_id)
        return ALGO_INVALID;
    if (splits && matmul_is_complex(problem->d.type))
        return ALGO_UNSUPPORTED; /* nothing here adds their parts */
    if (algo->splits > ALGO_MOST_SPLITS || algo->splits > matmul_k(problem) ||
        (splits && !epilogue_allows_splits(problem->epilogue)))
        return ALGO_UNSUPPORTED;
    *workspace_bytes = workspace_of(problem, algo, tile);
    return ALGO_OK;
}

bool algo_finishes_apart(const struct algo_family *family, const struct matmul_problem *problem)
{
    const uint32_t finishing = MATMUL_EPILOGUE_BIAS | MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_GELU;
    bool single = family->alignment == 2 && problem->d.type == MATMUL_BF16;
    return family->math == ALGO_TENSOR && family->alignment < 16 && problem->d.type != MATMUL_F32 &&
           (problem->epilogue & (single ? finishing : MATMUL_EPILOGUE_GELU));
}

/* One badly aligned operand slows down all of them: on an H200 (CUDA 13.0), algorithms offered when
 * one pointer was promised to be aligned to 2 bytes ran with any of the pointers so aligned, and
 * those offered for 16 bytes were refused (NOT_SUPPORTED) when any pointer was aligned to 2. */
static bool divides(uint32_t alignment, const struct matmul_matrix *matrix, uint32_t batch_count,
                    uint64_t address)
{
    uint64_t bytes = matmul_type_bytes(matrix->type);
    bool lines = matmul_lines(matrix) == 1 || (uint64_t)matrix->ld * bytes % alignment == 0;
    bool batches = batch_count == 1 || (uint64_t)matrix->batch_stride * bytes % alignment == 0;
    return address % alignment == 0 && lines && batches;
}

bool algo_aligned(const struct matmul_problem *problem, const struct algo_family *family,
                  uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint32_t batches = problem->batch_count;
    return divides(family->alignment, &problem->a, batches, a) &&
           divides(family->alignment, &problem->b, batches, b) &&
           divides(family->alignment, &problem->c, batches, c) &&
           divides(family->alignment, &problem->d, batches, d);
}
