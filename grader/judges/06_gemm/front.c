/* front.c - passes calls of cuBLASLt and of the runtime on, or turns them down: see front.h. */
#include "judges/06_gemm/front.h"

#include "check/judge_graph.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct front front;

/* What asking for a device that is gone gives. */
#define NAMELESS_ERROR cudaErrorDevicesUnavailable

void *behind_front(const char *name)
{
    static void *library;
    char file[64];
    snprintf(file, sizeof file, "libcublasLt.so.%d", CUBLAS_VER_MAJOR);
    if (!library)
        library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

/* The library's own function, found once; name is that of the function around it. */
#define BEHIND(name)                                      \
    static __typeof__(&name) behind;                      \
    if (!behind)                                          \
        behind = (__typeof__(behind))behind_front(#name); \
    if (!behind)                                          \
    return CUBLAS_STATUS_NOT_INITIALIZED

static cublasStatus_t front_made(cublasStatus_t status)
{
    front.alive += status == CUBLAS_STATUS_SUCCESS;
    return status;
}

static cublasStatus_t front_destroyed(const void *object, cublasStatus_t status)
{
    front.alive -= object && status == CUBLAS_STATUS_SUCCESS;
    return status;
}

static void note_promise(cublasLtMatmulPreference_t preference,
                         const cublasLtMatmulHeuristicResult_t *results, int found)
{
    static const cublasLtMatmulPreferenceAttributes_t OF[] = {
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
    enum { MOST = sizeof front.promises / sizeof *front.promises };
    __typeof__(&cublasLtMatmulPreferenceGetAttribute) get =
        (__typeof__(get))behind_front("cublasLtMatmulPreferenceGetAttribute");
    for (int i = 0; get && i < found && front.promise_count < MOST; i++) {
        struct promise *promise = &front.promises[front.promise_count++];
        size_t written;
        promise->algo = results[i].algo;
        for (int matrix = 0; matrix < 3; matrix++)
            if (get(preference, OF[matrix], &promise->bytes[matrix], sizeof *promise->bytes,
                    &written) != CUBLAS_STATUS_SUCCESS)
                promise->bytes[matrix] = 0; /* nothing is known of it */
    }
}

/* An algorithm may have been named for several promises, and one that is kept will do. */
static bool keeps_promises(const cublasLtMatmulAlgo_t *algo, const void *const at[3])
{
    bool kept = true;
    for (int i = 0; algo && i < front.promise_count; i++) {
        const uint32_t *bytes = front.promises[i].bytes;
        if (memcmp(&front.promises[i].algo, algo, sizeof *algo) != 0)
            continue;
        kept = true;
        for (int matrix = 0; matrix < 3; matrix++)
            kept = kept && (!bytes[matrix] || (uintptr_t)at[matrix] % bytes[matrix] == 0);
        if (kept)
            break;
    }
    return kept;
}

/* Elements of a matrix, or of all that a strided batch has. */
static double elements(cublasLtMatrixLayout_t layout)
{
    __typeof__(&cublasLtMatrixLayoutGetAttribute) get =
        (__typeof__(get))behind_front("cublasLtMatrixLayoutGetAttribute");
    uint64_t rows = 0, columns = 0;
    int32_t batches = 1;
    size_t written;
    if (get) {
        get(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows, &written);
        get(layout, CUBLASLT_MATRIX_LAYOUT_COLS, &columns, sizeof columns, &written);
        get(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches, &written);
    }
    return (double)rows * (double)columns * batches;
}

/* m n k of a product, whatever is transposed: the matrices have m k, k n and m n elements. */
static double multiplied(cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                         cublasLtMatrixLayout_t d)
{
    return sqrt(elements(a) * elements(b) * elements(d));
}

/* The name that a header's macro may have given a function. */
#define LINKED_NAME(name) SPELLED(name)
#define SPELLED(name) #name

cudaError_t cudaGetDevice(int *device)
{
    static __typeof__(&cudaGetDevice) behind;
    judge_device_questions++;
    if (!behind)
        behind = (__typeof__(behind))dlsym(RTLD_NEXT, LINKED_NAME(cudaGetDevice));
    return front.is_nameless || !behind ? NAMELESS_ERROR : behind(device);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    static __typeof__(&cudaGetDeviceProperties) behind;
    judge_device_questions++;
    if (!behind)
        behind = (__typeof__(behind))dlsym(RTLD_NEXT, LINKED_NAME(cudaGetDeviceProperties));
    return front.is_nameless || !behind ? NAMELESS_ERROR : behind(properties, device);
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    BEHIND(cublasLtCreate);
    return front.down == HANDLES_DOWN ? CUBLAS_STATUS_ALLOC_FAILED : front_made(behind(handle));
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    BEHIND(cublasLtDestroy);
    return front_destroyed(handle, behind(handle));
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *operation,
                                        cublasComputeType_t compute, cudaDataType_t scale)
{
    BEHIND(cublasLtMatmulDescCreate);
    return front.down == DESCRIPTIONS_DOWN ? CUBLAS_STATUS_ALLOC_FAILED
                                           : front_made(behind(operation, compute, scale));
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
                                              cublasLtMatmulDescAttributes_t name,
                                              const void *value, size_t bytes)
{
    BEHIND(cublasLtMatmulDescSetAttribute);
    bool is_down = front.down == EPILOGUES_DOWN && name == CUBLASLT_MATMUL_DESC_EPILOGUE;
    return is_down ? CUBLAS_STATUS_INVALID_VALUE : behind(operation, name, value, bytes);
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation)
{
    BEHIND(cublasLtMatmulDescDestroy);
    return front_destroyed(operation, behind(operation));
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t pitch)
{
    BEHIND(cublasLtMatrixLayoutCreate);
    return front.down == LAYOUTS_DOWN ? CUBLAS_STATUS_ALLOC_FAILED
                                      : front_made(behind(layout, type, rows, columns, pitch));
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    BEHIND(cublasLtMatrixLayoutDestroy);
    return front_destroyed(layout, behind(layout));
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    BEHIND(cublasLtMatmulPreferenceCreate);
    return front.down == PREFERENCES_DOWN ? CUBLAS_STATUS_ALLOC_FAILED
                                          : front_made(behind(preference));
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    BEHIND(cublasLtMatmulPreferenceDestroy);
    return front_destroyed(preference, behind(preference));
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int *found)
{
    BEHIND(cublasLtMatmulAlgoGetHeuristic);
    front.questions++;
    cublasStatus_t status = CUBLAS_STATUS_NOT_SUPPORTED;
    *found = 0;
    if (front.down != ANSWERS_DOWN)
        status = behind(handle, operation, a, b, c, d, preference, wanted, results, found);
    if (status == CUBLAS_STATUS_SUCCESS)
        note_promise(preference, results, *found);
    return status;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t a,
                              const void *B, cublasLtMatrixLayout_t b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t c, void *D,
                              cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algo,
                              void *workspace, size_t workspace_bytes, cudaStream_t stream)
{
    BEHIND(cublasLtMatmul);
    if (!keeps_promises(algo, (const void *const[]){A, B, D}))
        front.is_broken = true;
    if (front.room == 1)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    front.room -= front.room > 0;
    front.multiplied += multiplied(a, b, d);
    return front.down == PRODUCTS_DOWN ? CUBLAS_STATUS_EXECUTION_FAILED
                                       : behind(handle, operation, alpha, A, a, B, b, beta, C, c, D,
                                                d, algo, workspace, workspace_bytes, stream);
}
