/* product.c - see product.h. A product goes through four steps, for each matrix of a batch: widen
 * the inputs to FP32, multiply, finish (the epilogue), and sum up bias gradients.
 */
#include "product.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Narrow types ----------------------------------------------------------------------------- */

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t to_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float half_to_float(uint16_t half)
{
    _Float16 value;
    memcpy(&value, &half, sizeof value);
    return (float)value;
}

static uint16_t float_to_half(float value)
{
    _Float16 half = (_Float16)value;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
}

static uint16_t float_to_bfloat(float value)
{
    uint32_t bits = to_bits(value);
    if (isnan(value))
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/* Rounds to a fraction of 10 bits: the precision at which tensor cores multiply TF32. */
static float to_tf32(float value)
{
    uint32_t bits = to_bits(value);
    return isfinite(value) ? from_bits((bits + 0xFFF + (bits >> 13 & 1)) & ~UINT32_C(0x1FFF))
                           : value;
}

static float load(const void *from, uint32_t type, uint64_t i)
{
    switch (type) {
    case MATMUL_F16: return half_to_float(((const uint16_t *)from)[i]);
    case MATMUL_BF16: return from_bits((uint32_t)((const uint16_t *)from)[i] << 16);
    default: return ((const float *)from)[i];
    }
}

static void store(void *to, uint32_t type, uint64_t i, float value)
{
    switch (type) {
    case MATMUL_F16: ((uint16_t *)to)[i] = float_to_half(value); break;
    case MATMUL_BF16: ((uint16_t *)to)[i] = float_to_bfloat(value); break;
    default: ((float *)to)[i] = value; break;
    }
}

/* What value becomes when it passes through type. */
static float rounded_to(float value, uint32_t type)
{
    uint32_t place;
    store(&place, type, 0, value);
    return load(&place, type, 0);
}

/* --- Widening --------------------------------------------------------------------------------- */

static float rounded_for(float value, uint32_t compute)
{
    switch (compute) {
    case MATMUL_COMPUTE_32F_FAST_TF32: return to_tf32(value);
    case MATMUL_COMPUTE_32F_FAST_16F: return rounded_to(value, MATMUL_F16);
    case MATMUL_COMPUTE_32F_FAST_16BF: return rounded_to(value, MATMUL_BF16);
    default: return value;
    }
}

struct operand {
    const float *values;
    float *owned; /* NULL when the matrix is used where it lies */
    blasint ld;
    CBLAS_TRANSPOSE op; /* of the matrix as columns, which a matrix of rows is the transpose of */
};

static bool is_used_in_place(const struct matmul_problem *problem,
                             const struct matmul_matrix *matrix)
{
    return matrix->type == MATMUL_F32 && (problem->compute == MATMUL_COMPUTE_32F ||
                                          problem->compute == MATMUL_COMPUTE_32F_PEDANTIC);
}

/* One line; there is a loop for each type, so that each becomes a few vector instructions. */
static void widen_line(float *to, const void *from, uint32_t type, uint32_t compute, uint64_t count)
{
    const uint16_t *narrow = from;
    switch (type) {
    case MATMUL_F16:
        for (uint64_t x = 0; x < count; x++)
            to[x] = half_to_float(narrow[x]);
        break;
    case MATMUL_BF16:
        for (uint64_t x = 0; x < count; x++)
            to[x] = from_bits((uint32_t)narrow[x] << 16);
        break;
    default:
        for (uint64_t x = 0; x < count; x++)
            to[x] = rounded_for(((const float *)from)[x], compute);
        break;
    }
}

static bool widen(const struct matmul_problem *problem, const struct matmul_matrix *matrix,
                  const void *from, bool transpose, struct operand *operand)
{
    uint64_t line = matmul_line(matrix), lines = matmul_lines(matrix);
    bool turned = transpose != (matrix->row_major != 0);
    *operand = (struct operand){.op = turned ? CblasTrans : CblasNoTrans};
    if (is_used_in_place(problem, matrix)) {
        operand->values = from;
        operand->ld = (blasint)matrix->ld;
        return true;
    }
    operand->owned = malloc(line * lines * sizeof(float));
    operand->values = operand->owned;
    operand->ld = (blasint)line;
    if (!operand->owned)
        return false;
    for (uint64_t y = 0; y < lines; y++)
        widen_line(operand->owned + y * line,
                   (const char *)from + y * (uint64_t)matrix->ld * matmul_type_bytes(matrix->type),
                   matrix->type, problem->compute, line);
    return true;
}

/* --- Multiplying ------------------------------------------------------------------------------ */

struct sums {
    float *values; /* m x n, column by column */
    float *part;   /* as large, when parts are rounded before they are added; else NULL */
    blasint m, n, k;
};

/* values = op(A) op(B), or += when add, of the k from first on. */
static void multiply(const struct sums *sums, const struct operand *a, const struct operand *b,
                     blasint first, blasint k, bool add, float *values)
{
    size_t a_step = a->op == CblasNoTrans ? (size_t)a->ld : 1;
    size_t b_step = b->op == CblasNoTrans ? 1 : (size_t)b->ld;
    cblas_sgemm(CblasColMajor, a->op, b->op, sums->m, sums->n, k, 1.0f,
                a->values + (size_t)first * a_step, a->ld, b->values + (size_t)first * b_step,
                b->ld, add ? 1.0f : 0.0f, values, sums->m);
}

static void add_part(const struct sums *sums, uint32_t part_type, uint32_t sum_type)
{
    size_t count = (size_t)sums->m * (size_t)sums->n;
    for (size_t i = 0; i < count; i++)
        sums->values[i] =
            rounded_to(sums->values[i] + rounded_to(sums->part[i], part_type), sum_type);
}

/* Sums in half precision: the units add 16 products at a time exactly enough, then round. */
enum { HALF_SUM_STEP = 16 };

static void multiply_all(const struct product *product, const struct sums *sums,
                         const struct operand *a, const struct operand *b)
{
    uint32_t compute = product->problem->compute, out = product->problem->d.type;
    bool half = compute == MATMUL_COMPUTE_16F || compute == MATMUL_COMPUTE_16F_PEDANTIC;
    bool through_output = product->reduction == MATMUL_REDUCTION_OUTPUT_TYPE ||
                          product->reduction == MATMUL_REDUCTION_INPLACE;
    blasint step = half ? HALF_SUM_STEP
                   : through_output
                       ? (sums->k + (blasint)product->splits - 1) / (blasint)product->splits
                       : sums->k;
    bool in_place = product->reduction == MATMUL_REDUCTION_INPLACE;
    if (step >= sums->k) {
        multiply(sums, a, b, 0, sums->k, false, sums->values);
        return;
    }
    memset(sums->values, 0, (size_t)sums->m * (size_t)sums->n * sizeof(float));
    for (blasint first = 0; first < sums->k; first += step) {
        blasint k = sums->k - first < step ? sums->k - first : step;
        multiply(sums, a, b, first, k, false, sums->part);
        add_part(sums, half ? MATMUL_F32 : out, half ? MATMUL_F16 : in_place ? out : MATMUL_F32);
    }
}

/* --- Finishing -------------------------------------------------------------------------------- */

/* The form with tanh: what the library computes. */
static const float SQRT_2_OVER_PI = 0.7978845608f, GELU_CUBE = 0.044715f;

/* (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 u)), and exp is four times as fast as tanh. */
static float gelu(float x)
{
    return x / (1.0f + expf(-2.0f * SQRT_2_OVER_PI * (x + GELU_CUBE * x * x * x)));
}

static float gelu_slope(float x)
{
    float t = tanhf(SQRT_2_OVER_PI * (x + GELU_CUBE * x * x * x));
    float inner = SQRT_2_OVER_PI * (1.0f + 3.0f * GELU_CUBE * x * x);
    return 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * inner;
}

/* One matrix of the batch. */
struct finishing {
    const struct product *product;
    const struct sums *sums;
    const void *c, *bias;
    void *d, *aux;
};

static bool mask_bit(const void *aux, uint64_t i)
{
    return ((const unsigned char *)aux)[i / 8] >> i % 8 & 1;
}

static void set_mask_bit(void *aux, uint64_t i, bool bit)
{
    unsigned char *byte = (unsigned char *)aux + i / 8;
    *byte = (unsigned char)((*byte & ~(1u << i % 8)) | (unsigned)bit << i % 8);
}

/* The activation of z; aux is read or written along with it. A NaN stays one. */
static float activate(const struct finishing *finishing, float z, uint64_t aux)
{
    const struct matmul_problem *problem = finishing->product->problem;
    uint32_t epilogue = problem->epilogue;
    if (epilogue & MATMUL_EPILOGUE_RELU) {
        if (epilogue & MATMUL_EPILOGUE_AUX)
            set_mask_bit(finishing->aux, aux, z > 0);
        return z < 0 ? 0 : z;
    }
    if (epilogue & MATMUL_EPILOGUE_GELU) {
        if (epilogue & MATMUL_EPILOGUE_AUX)
            store(finishing->aux, problem->aux_type, aux, z);
        return gelu(z);
    }
    if (epilogue & MATMUL_EPILOGUE_DRELU)
        return mask_bit(finishing->aux, aux) ? z : 0;
    if (epilogue & MATMUL_EPILOGUE_DGELU)
        return z * gelu_slope(load(finishing->aux, problem->aux_type, aux));
    return z;
}

static void finish(const struct finishing *finishing)
{
    const struct product *product = finishing->product;
    const struct matmul_problem *problem = product->problem;
    float alpha = (float)product->alpha, beta = (float)product->beta;
    float *sums = finishing->sums->values;
    uint64_t m = matmul_m(problem), n = matmul_n(problem);
    for (uint64_t column = 0; column < n; column++)
        for (uint64_t row = 0; row < m; row++) {
            float z = alpha * sums[column * m + row];
            if (finishing->c && beta != 0)
                z += beta *
                     load(finishing->c, problem->c.type, matmul_place(&problem->c, row, column));
            if (product->finished_apart)
                z = rounded_to(z, problem->d.type);
            if (problem->epilogue & MATMUL_EPILOGUE_BIAS)
                z += load(finishing->bias, problem->bias_type, row);
            z = activate(finishing, z, column * (uint64_t)problem->aux_ld + row);
            sums[column * m + row] = z; /* for the bias gradient */
            store(finishing->d, problem->d.type, matmul_place(&problem->d, row, column), z);
        }
}

/* --- Bias gradients --------------------------------------------------------------------------- */

/* sum over the columns of D, as it was before rounding. */
static void sum_columns(const struct matmul_problem *problem, const struct sums *sums, void *bias)
{
    uint64_t m = matmul_m(problem), n = matmul_n(problem);
    for (uint64_t row = 0; row < m; row++) {
        float sum = 0;
        for (uint64_t column = 0; column < n; column++)
            sum += sums->values[column * m + row];
        store(bias, problem->bias_type, row, sum);
    }
}

/* sum over k of op(A), a value for each row of D; or of op(B), one for each column. */
static void sum_operand(const struct matmul_problem *problem, const struct operand *operand,
                        bool is_a, void *bias)
{
    uint64_t count = is_a ? matmul_m(problem) : matmul_n(problem), k = matmul_k(problem);
    bool along_lines = is_a == (operand->op == CblasNoTrans); /* results lie side by side */
    for (uint64_t i = 0; i < count; i++) {
        float sum = 0;
        for (uint64_t j = 0; j < k; j++)
            sum += operand->values[along_lines ? j * (uint64_t)operand->ld + i
                                               : i * (uint64_t)operand->ld + j];
        store(bias, problem->bias_type, i, sum);
    }
}

/* --- A product -------------------------------------------------------------------------------- */

static struct finishing finishing_of(const struct product *product, const struct sums *sums,
                                     uint32_t batch)
{
    const struct matmul_problem *problem = product->problem;
    bool is_mask = problem->epilogue & (MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_DRELU);
    size_t bias_bytes = (size_t)problem->bias_batch_stride * matmul_type_bytes(problem->bias_type);
    size_t aux_bytes =
        is_mask ? (size_t)problem->aux_batch_stride / 8
                : (size_t)problem->aux_batch_stride * matmul_type_bytes(problem->aux_type);
    return (struct finishing){
        .product = product,
        .sums = sums,
        .c = matmul_of_batch(product->c, &problem->c, batch),
        .d = (void *)matmul_of_batch(product->d, &problem->d, batch),
        .bias = product->bias ? (char *)product->bias + bias_bytes * batch : NULL,
        .aux = product->aux ? (char *)product->aux + aux_bytes * batch : NULL};
}

static bool run_one(const struct product *product, const struct sums *sums, uint32_t batch)
{
    const struct matmul_problem *problem = product->problem;
    struct finishing finishing = finishing_of(product, sums, batch);
    struct operand a = {0}, b = {0};
    if (!product->a) {
        memset(sums->values, 0, (size_t)sums->m * (size_t)sums->n * sizeof(float));
        finish(&finishing);
        return true;
    }
    bool ok = widen(problem, &problem->a, matmul_of_batch(product->a, &problem->a, batch),
                    problem->transpose_a, &a) &&
              widen(problem, &problem->b, matmul_of_batch(product->b, &problem->b, batch),
                    problem->transpose_b, &b);
    if (ok) {
        multiply_all(product, sums, &a, &b);
        finish(&finishing);
        if (problem->epilogue & MATMUL_EPILOGUE_BGRAD)
            sum_columns(problem, sums, (void *)finishing.bias);
        else if (problem->epilogue & (MATMUL_EPILOGUE_BGRADA | MATMUL_EPILOGUE_BGRADB))
            sum_operand(problem, problem->epilogue & MATMUL_EPILOGUE_BGRADA ? &a : &b,
                        problem->epilogue & MATMUL_EPILOGUE_BGRADA, (void *)finishing.bias);
    }
    free(a.owned);
    free(b.owned);
    return ok;
}

/* Threads that have little to do take time from those that have more. */
static const double WORTH_A_SECOND_THREAD = 1e8;

int product_threads(const struct product *product)
{
    const struct matmul_problem *problem = product->problem;
    double steps =
        (double)matmul_m(problem) * (double)matmul_n(problem) * (double)matmul_k(problem);
    return steps > WORTH_A_SECOND_THREAD && product->threads ? (int)product->threads : 1;
}

bool product_run(const struct product *product)
{
    const struct matmul_problem *problem = product->problem;
    if (problem->d.type == MATMUL_F64)
        return product_run_double(product);
    if (matmul_is_complex(problem->d.type))
        return product_run_complex(product);
    if (problem->a.type == MATMUL_I8)
        return product_run_integer(product);
    uint64_t m = matmul_m(problem), n = matmul_n(problem);
    struct sums sums = {.values = malloc(m * n * sizeof(float)),
                        .part = malloc(m * n * sizeof(float)), /* untouched pages cost nothing */
                        .m = (blasint)m,
                        .n = (blasint)n,
                        .k = (blasint)matmul_k(problem)};
    bool ok = sums.values && sums.part;
    openblas_set_num_threads(product_threads(product));
    for (uint32_t batch = 0; ok && batch < problem->batch_count; batch++)
        ok = run_one(product, &sums, batch);
    free(sums.values);
    free(sums.part);
    return ok;
}
