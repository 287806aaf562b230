/* products.c - kinds of products, run at random places, and compared with the truth. */
#include "torture.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 96 << 20, STEP_BYTES = 256, GUARD_BYTES = 4096 };

struct submission submission;
static unsigned char *arena;
static cudaStream_t stream;

/* --- The submission --------------------------------------------------------------------------- */

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found)
        fail("the submission has no %s", name);
    return found;
}

void submission_open(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail("%s", dlerror());
    *(void **)&submission.create = symbol(library, "lesson6_create");
    *(void **)&submission.gemm = symbol(library, "lesson6_gemm");
    *(void **)&submission.save = symbol(library, "lesson6_save");
    *(void **)&submission.load = symbol(library, "lesson6_load");
    *(void **)&submission.destroy = symbol(library, "lesson6_destroy");
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess ||
        cudaMalloc((void **)&arena, ARENA_BYTES) != cudaSuccess)
        fail("the device has no memory: %s", cudaGetErrorString(cudaGetLastError()));
}

/* --- A matrix --------------------------------------------------------------------------------- */

struct matrix {
    unsigned char *device;
    uint16_t *host;
    size_t count;
};

/* Up to 4 in 8 steps of a quarter: exact in both types. */
static uint16_t element_of(enum lesson6_type type, float value)
{
    if (type == LESSON6_F16) {
        _Float16 half = (_Float16)value;
        uint16_t bits;
        memcpy(&bits, &half, sizeof bits);
        return bits;
    }
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static double value_of(enum lesson6_type type, uint16_t element)
{
    if (type == LESSON6_F16) {
        _Float16 half;
        memcpy(&half, &element, sizeof half);
        return (double)half;
    }
    uint32_t bits = (uint32_t)element << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* In the part of the arena that belongs to that matrix: there are four. */
static struct matrix matrix_at(int part, size_t count, int off)
{
    const size_t part_bytes = ARENA_BYTES / 4, bytes = count * sizeof(uint16_t);
    size_t steps = (part_bytes - bytes - 2 * GUARD_BYTES) / STEP_BYTES - 1;
    struct matrix matrix = {.host = malloc(bytes + 2 * GUARD_BYTES), .count = count};
    if (!matrix.host)
        fail("this machine is out of memory");
    matrix.device = arena + (size_t)part * part_bytes + GUARD_BYTES +
                    drawn_below(steps) * STEP_BYTES + (size_t)off * sizeof(uint16_t);
    return matrix;
}

/* Sparse where sums are long, so that the truth is quick. */
static void matrix_fill(struct matrix *matrix, enum lesson6_type type, bool sparse)
{
    for (size_t i = 0; i < matrix->count; i++) {
        uint64_t word = drawn();
        float value = (float)((int)(word % 17) - 8) * 0.125f;
        matrix->host[i] = element_of(type, sparse && word >> 60 ? 0 : value);
    }
    cudaMemcpyAsync(matrix->device, matrix->host, matrix->count * sizeof *matrix->host,
                    cudaMemcpyHostToDevice, stream);
}

/* --- Truth ------------------------------------------------------------------------------------ */

static double activated(double z, enum quest_activation activation)
{
    if (activation == QUEST_ACT_RELU)
        return z < 0 ? 0 : z;
    if (activation == QUEST_ACT_GELU_TANH)
        return z / 2 * (1 + tanh(M_2_SQRTPI * M_SQRT1_2 * (z + 0.044715 * z * z * z)));
    return z;
}

static double element_of_product(const struct kind *kind, const struct matrix *a,
                                 const struct matrix *b, int64_t row, int64_t column,
                                 double *magnitude)
{
    const struct quest_gemm *gemm = &kind->gemm;
    double sum = 0;
    *magnitude = 0;
    for (int64_t i = 0; i < gemm->k; i++) {
        int64_t at_a = gemm->transpose_a ? i * gemm->m + row : row * gemm->k + i;
        int64_t at_b = gemm->transpose_b ? column * gemm->k + i : i * gemm->n + column;
        double product = a->host[at_a] ? value_of(kind->type, a->host[at_a]) *
                                             value_of(kind->type, b->host[at_b])
                                       : 0;
        sum += product;
        *magnitude += fabs(product);
    }
    return sum;
}

/* Two roundings to the type are allowed, and the tanh of the hardware. */
static void check_y(const struct kind *kind, const struct matrix *a, const struct matrix *b,
                    const struct matrix *bias, const uint16_t *y)
{
    const struct quest_gemm *gemm = &kind->gemm;
    double rounding = kind->type == LESSON6_F16 ? 0x1p-10 : 0x1p-7;
    for (int64_t i = 0; i < gemm->m * gemm->n; i++) {
        double magnitude, got = value_of(kind->type, y[i]);
        double z = element_of_product(kind, a, b, i / gemm->n, i % gemm->n, &magnitude);
        double sum = z;
        if (gemm->with_bias)
            z += value_of(kind->type, bias->host[i % gemm->n]);
        double want = activated(z, gemm->activation);
        double allowed = 0x1p-18 * magnitude + 1.2 * rounding * (fabs(sum) + fabs(z)) + 0x1p-10;
        if (!(fabs(got - want) <= allowed))
            fail("%lld x %lld x %lld: Y[%lld][%lld] is %g, and should be %g", (long long)gemm->m,
                 (long long)gemm->n, (long long)gemm->k, (long long)(i / gemm->n),
                 (long long)(i % gemm->n), got, want);
    }
}

/* Y and a guard on either side, as they are after the call. */
static void check_output(const struct kind *kind, const struct matrix *a, const struct matrix *b,
                         const struct matrix *bias, const struct matrix *y)
{
    const size_t bytes = y->count * sizeof(uint16_t);
    unsigned char *after = (unsigned char *)y->host;
    cudaMemcpyAsync(after, y->device - GUARD_BYTES, bytes + 2 * GUARD_BYTES, cudaMemcpyDeviceToHost,
                    stream);
    cudaError_t error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess)
        fail("the device stopped: %s", cudaGetErrorString(error));
    for (size_t i = 0; i < GUARD_BYTES; i++)
        if (after[i] != 0xFF || after[GUARD_BYTES + bytes + i] != 0xFF)
            fail("memory %s Y was written", after[i] != 0xFF ? "before" : "after");
    check_y(kind, a, b, bias, (const uint16_t *)(after + GUARD_BYTES));
}

/* --- Running ---------------------------------------------------------------------------------- */

void product_run(struct lesson6_context *context, const struct kind *kind)
{
    const struct quest_gemm *gemm = &kind->gemm;
    bool is_long = gemm->k > 1024;
    struct matrix a = matrix_at(0, (size_t)(gemm->m * gemm->k), kind->off_a);
    struct matrix b = matrix_at(1, (size_t)(gemm->k * gemm->n), kind->off_b);
    struct matrix bias = matrix_at(2, (size_t)gemm->n, 0);
    struct matrix y = matrix_at(3, (size_t)(gemm->m * gemm->n), kind->off_y);
    matrix_fill(&a, kind->type, is_long);
    matrix_fill(&b, kind->type, false);
    matrix_fill(&bias, kind->type, false);
    cudaMemsetAsync(y.device - GUARD_BYTES, 0xFF, y.count * sizeof(uint16_t) + 2 * GUARD_BYTES,
                    stream);
    cudaError_t error =
        submission.gemm(context, kind->type, a.device, b.device,
                        gemm->with_bias ? bias.device : NULL, y.device, gemm, stream);
    if (error != cudaSuccess)
        fail("%lld x %lld x %lld: lesson6_gemm returned %s", (long long)gemm->m, (long long)gemm->n,
             (long long)gemm->k, cudaGetErrorName(error));
    check_output(kind, &a, &b, &bias, &y);
    free(a.host);
    free(b.host);
    free(bias.host);
    free(y.host);
}

void product_known(struct lesson6_context *context, const struct kind *kind, const char *why)
{
    const struct quest_gemm *gemm = &kind->gemm;
    unsigned long asked = questions, made = handles;
    product_run(context, kind);
    if (questions != asked)
        fail("%lld x %lld x %lld, %s: the library was asked about it again", (long long)gemm->m,
             (long long)gemm->n, (long long)gemm->k, why);
    if (handles != made)
        fail("a call made a handle of its own");
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static struct kind square(void)
{
    return (struct kind){.gemm = {.m = 48, .n = 48, .k = 48, .with_bias = true}};
}

size_t kinds_alike(struct kind *kinds, size_t room)
{
    size_t count = 0;
    for (int change = 0; change < 16 && count < room; change++) {
        struct kind kind = square();
        switch (change) {
        case 0: break;
        case 1: kind.gemm.k = 56; break;
        case 2: kind.gemm.k = 40; break;
        case 3: kind.gemm.n = 56; break;
        case 4: kind.gemm.m = 56; break;
        case 5: kind.gemm.n = 47; break;
        case 6: kind.gemm.n = 44; break;
        case 7: kind.gemm.transpose_a = true; break;
        case 8: kind.gemm.transpose_b = true; break;
        case 9: kind.gemm.activation = QUEST_ACT_RELU; break;
        case 10: kind.gemm.activation = QUEST_ACT_GELU_TANH; break;
        case 11: kind.gemm.with_bias = false; break;
        case 12: kind.type = LESSON6_BF16; break;
        case 13: kind.off_a = 1; break;
        case 14: kind.off_b = 2; break;
        case 15: kind.off_y = 4; break;
        }
        kinds[count++] = kind;
    }
    return count;
}

struct kind kind_number(size_t i)
{
    return (struct kind){.gemm = {.m = 1 + (int64_t)(i % 40),
                                  .n = 8 + 8 * (int64_t)(i / 40 % 4),
                                  .k = 16 + 8 * (int64_t)(i / 160),
                                  .transpose_b = true,
                                  .activation = QUEST_ACT_RELU},
                         .type = i % 3 ? LESSON6_BF16 : LESSON6_F16};
}

struct kind kind_long(void)
{
    return (struct kind){.gemm = {.m = 128, .n = 512, .k = 4096, .transpose_b = true}};
}

/* --- Rooms ------------------------------------------------------------------------------------ */

struct room room_open(size_t workspace_bytes)
{
    struct room room = {.bytes = workspace_bytes};
    size_t bytes = workspace_bytes + 2 * GUARD_BYTES;
    if (cudaMalloc((void **)&room.memory, bytes) != cudaSuccess)
        fail("the device has no memory for a workspace");
    cudaMemset(room.memory, 0xA5, bytes);
    void *workspace = workspace_bytes ? room.memory + GUARD_BYTES : NULL;
    cudaError_t error = submission.create(&room.context, workspace, workspace_bytes);
    if (error != cudaSuccess || !room.context)
        fail("lesson6_create with %zu bytes of workspace returned %s", workspace_bytes,
             cudaGetErrorName(error));
    return room;
}

void room_close(struct room *room)
{
    unsigned char guard[2 * GUARD_BYTES];
    cudaError_t error = submission.destroy(room->context);
    if (error != cudaSuccess)
        fail("lesson6_destroy returned %s", cudaGetErrorName(error));
    cudaMemcpy(guard, room->memory, GUARD_BYTES, cudaMemcpyDeviceToHost);
    cudaMemcpy(guard + GUARD_BYTES, room->memory + GUARD_BYTES + room->bytes, GUARD_BYTES,
               cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < sizeof guard; i++)
        if (guard[i] != 0xA5)
            fail("memory %s a workspace of %zu bytes was written",
                 i < GUARD_BYTES ? "before" : "after", room->bytes);
    cudaFree(room->memory);
}
