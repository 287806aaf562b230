/* algorithm.c - cublasLtMatmulAlgo_t by hand: which algorithms exist, what they can do, how they
 * are set up, and whether one fits a problem.
 */
#include "blaslt.h"

#include <string.h>

/* Ours are the toolkit's numbers. */
_Static_assert((int)MATMUL_COMPUTE_32F_FAST_TF32 == (int)CUBLAS_COMPUTE_32F_FAST_TF32, "compute");
_Static_assert((int)MATMUL_BF16 == (int)CUDA_R_16BF, "types");
_Static_assert((int)MATMUL_REDUCTION_ALL == (int)CUBLASLT_REDUCTION_SCHEME_MASK, "reductions");
_Static_assert((int)ALGO_UNSUPPORTED == (int)CUBLAS_STATUS_NOT_SUPPORTED, "statuses");
_Static_assert(sizeof(cublasLtMatmulAlgo_t) == MATMUL_ALGO_WORDS * sizeof(uint64_t), "algo");

/* --- Questions -------------------------------------------------------------------------------- */

enum question { ASKS_IDS, ASKS_INIT, ASKS_CHECK, ASKS_CAPABILITY };

/* Of combinations of types. */
static void types_asked(enum question what, cublasLtHandle_t handle, uint32_t signature, int id)
{
    const uint64_t question[] = {what, (uintptr_t)handle, signature, (uint64_t)id};
    question_asked(question, sizeof question);
}

static void check_asked(cublasLtHandle_t handle, const struct matmul_problem *problem,
                        const cublasLtMatmulAlgo_t *algo)
{
    struct {
        uint64_t what, handle;
        struct matmul_problem problem;
        cublasLtMatmulAlgo_t algo;
    } question = {ASKS_CHECK, (uintptr_t)handle, *problem, *algo};
    question_asked(&question, sizeof question);
}

static void capability_asked(const cublasLtMatmulAlgo_t *algo, int capability)
{
    struct {
        uint64_t what, capability;
        cublasLtMatmulAlgo_t algo;
    } question = {ASKS_CAPABILITY, (uint64_t)capability, *algo};
    question_asked(&question, sizeof question);
}

/* --- Which there are -------------------------------------------------------------------------- */

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t scale_type, cudaDataType_t a,
                                        cudaDataType_t b, cudaDataType_t c, cudaDataType_t d,
                                        int wanted, int ids[], int *written)
{
    size_t count;
    const struct algo_family *families = algo_families(&count);
    if (!handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (wanted <= 0 || !ids || !written)
        return CUBLAS_STATUS_INVALID_VALUE;
    uint32_t signature = algo_signature((uint32_t)compute, (uint32_t)scale_type, (uint32_t)a,
                                        (uint32_t)b, (uint32_t)c, (uint32_t)d);
    types_asked(ASKS_IDS, handle, signature, wanted);
    *written = 0;
    for (size_t i = 0; i < count && *written < wanted; i++)
        if (algo_family_fits(&families[i], signature))
            ids[(*written)++] = (int)families[i].id;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t scale_type, cudaDataType_t a, cudaDataType_t b,
                                      cudaDataType_t c, cudaDataType_t d, int id,
                                      cublasLtMatmulAlgo_t *algo)
{
    const struct algo_family *family = algo_family((uint32_t)id);
    if (!handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!algo || !family)
        return CUBLAS_STATUS_INVALID_VALUE;
    uint32_t signature = algo_signature((uint32_t)compute, (uint32_t)scale_type, (uint32_t)a,
                                        (uint32_t)b, (uint32_t)c, (uint32_t)d);
    types_asked(ASKS_INIT, handle, signature, id);
    if (!algo_family_fits(family, signature))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    algo_seal(
        &(struct algo){
            .family = family->id, .stages = family->stages_id, .splits = 1, .signature = signature},
        algo->data);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algo,
                                       cublasLtMatmulHeuristicResult_t *result)
{
    struct matmul_problem problem;
    struct algo opened;
    uint64_t workspace_bytes;
    if (!handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!algo || !result || !algo_open(algo->data, &opened))
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status = problem_of(operation, a, b, c, d, &problem);
    check_asked(handle, &problem, algo);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = (cublasStatus_t)algo_check(&problem, &opened, &workspace_bytes);
    /* Leading dimensions are known here; pointers are not, so they are taken to be aligned. */
    if (status == CUBLAS_STATUS_SUCCESS &&
        !algo_aligned(&problem, algo_family(opened.family), 0, 0, 0, 0))
        status = CUBLAS_STATUS_NOT_SUPPORTED;
    result->state = status;
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    const struct algo_tile *tile = algo_tile(opened.tile);
    uint64_t blocks = (matmul_m(&problem) + tile->rows - 1) / tile->rows *
                      ((matmul_n(&problem) + tile->columns - 1) / tile->columns) *
                      problem.batch_count * opened.splits;
    result->workspaceSize = workspace_bytes;
    result->wavesCount = (float)blocks / (float)handle->multiprocessors;
    return CUBLAS_STATUS_SUCCESS;
}

/* --- How one is set up ------------------------------------------------------------------------ */

#define IN_ALGO(number, field)                                                        \
    {                                                                                 \
        CUBLASLT_ALGO_CONFIG_##number, offsetof(struct algo, field), sizeof(uint32_t) \
    }

static const struct attribute CONFIG[] = {
    IN_ALGO(ID, family),
    IN_ALGO(TILE_ID, tile),
    IN_ALGO(SPLITK_NUM, splits),
    IN_ALGO(REDUCTION_SCHEME, reduction),
    IN_ALGO(CTA_SWIZZLING, swizzle),
    IN_ALGO(CUSTOM_OPTION, custom),
    IN_ALGO(STAGES_ID, stages),
    {CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, offsetof(struct algo, inner), sizeof(uint16_t)},
    {CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, offsetof(struct algo, cluster), sizeof(uint16_t)},
};
enum { CONFIG_COUNT = sizeof CONFIG / sizeof *CONFIG };

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void *from, size_t bytes)
{
    struct algo opened;
    if (!algo || !algo_open(algo->data, &opened) || attribute == CUBLASLT_ALGO_CONFIG_ID)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status = attribute_set(&opened, CONFIG, CONFIG_COUNT, attribute, from, bytes);
    if (status == CUBLAS_STATUS_SUCCESS)
        algo_seal(&opened, algo->data);
    return status;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void *to, size_t bytes, size_t *written)
{
    struct algo opened;
    if (!algo || !algo_open(algo->data, &opened))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_get(&opened, CONFIG, CONFIG_COUNT, attribute, to, bytes, written);
}

/* --- What one can do -------------------------------------------------------------------------- */

/* A list of ids; the caller's room may be larger. */
static cublasStatus_t copy_list(const uint32_t *ids, size_t count, void *to, size_t bytes,
                                size_t *written)
{
    size_t list_bytes = count * sizeof *ids;
    return attribute_copy(ids, list_bytes, to, bytes > list_bytes ? list_bytes : bytes, written);
}

static cublasStatus_t get_tiles(void *to, size_t bytes, size_t *written)
{
    enum { MOST_TILES = 64 };
    uint32_t ids[MOST_TILES];
    size_t count;
    const struct algo_tile *tiles = algo_tiles(&count);
    for (size_t i = 0; i < count && i < MOST_TILES; i++)
        ids[i] = tiles[i].id;
    return copy_list(ids, count, to, bytes, written);
}

static uint64_t implementation_flags(const struct algo *algo)
{
    uint32_t compute = algo->signature >> 12, in = algo->signature >> 4 & 15;
    uint64_t flags = algo_family(algo->family)->math == ALGO_FMA
                         ? CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA
                         : CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA;
    flags |= compute == MATMUL_COMPUTE_16F || compute == MATMUL_COMPUTE_16F_PEDANTIC
                 ? CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_16F
                 : CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;
    if (in == MATMUL_F16 || compute == MATMUL_COMPUTE_32F_FAST_16F)
        return flags | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F;
    if (in == MATMUL_BF16 || compute == MATMUL_COMPUTE_32F_FAST_16BF)
        return flags | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF;
    return flags |
           (compute == MATMUL_COMPUTE_32F_FAST_TF32 ? CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32
                                                    : CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F);
}

/* The capabilities that are one 32-bit number; -1 for the others. */
static int64_t small_capability(const struct algo *algo,
                                cublasLtMatmulAlgoCapAttributes_t attribute)
{
    switch (attribute) {
    case CUBLASLT_ALGO_CAP_SPLITK_SUPPORT: return 1;
    case CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK: return MATMUL_REDUCTION_ALL;
    case CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT: return 1;
    case CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT: return 1;
    case CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT: return 1;
    case CUBLASLT_ALGO_CAP_UPLO_SUPPORT: return 0;
    case CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX: return 0;
    case CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER: return 0;
    case CUBLASLT_ALGO_CAP_POINTER_MODE_MASK:
        return CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE;
    case CUBLASLT_ALGO_CAP_EPILOGUE_MASK: return 1023;
    case CUBLASLT_ALGO_CAP_LD_NEGATIVE: return 0;
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES: return algo_family(algo->family)->alignment;
    default: return -1;
    }
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                 cublasLtMatmulAlgoCapAttributes_t attribute,
                                                 void *to, size_t bytes, size_t *written)
{
    struct algo opened;
    if (!algo || !algo_open(algo->data, &opened) || !algo_family(opened.family))
        return CUBLAS_STATUS_INVALID_VALUE;
    capability_asked(algo, attribute);
    if (attribute == CUBLASLT_ALGO_CAP_TILE_IDS)
        return get_tiles(to, bytes, written);
    if (attribute == CUBLASLT_ALGO_CAP_STAGES_IDS)
        return copy_list(&algo_family(opened.family)->stages_id, 1, to, bytes, written);
    if (attribute == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS) {
        uint64_t flags = implementation_flags(&opened);
        return attribute_copy(&flags, sizeof flags, to, bytes, written);
    }
    int64_t small = small_capability(&opened, attribute);
    uint32_t value = (uint32_t)small;
    return small < 0 ? CUBLAS_STATUS_INVALID_VALUE
                     : attribute_copy(&value, sizeof value, to, bytes, written);
}
