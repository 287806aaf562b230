/* blaslt.cu - a program that uses cuBLASLt and checks what comes out, with plain loops in double.
 * Runs on a GPU and on the simulated device alike: nothing in it knows which algorithms there are.
 */
#include <cuComplex.h>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

static int failures;

#define CUDA(call)                                                                             \
    do {                                                                                       \
        cudaError_t error_ = (call);                                                           \
        if (error_ != cudaSuccess) {                                                           \
            printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error_));          \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)
#define EXPECT(status, call)                                                                   \
    do {                                                                                       \
        cublasStatus_t status_ = (call);                                                       \
        if (status_ != (status)) {                                                             \
            printf("line %d: %s gave %s\n", __LINE__, #call, cublasLtGetStatusName(status_));  \
            failures++;                                                                        \
        }                                                                                      \
    } while (0)
#define LT(call) EXPECT(CUBLAS_STATUS_SUCCESS, call)
#define CHECK(condition)                                                                       \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            printf("line %d: not so: %s\n", __LINE__, #condition);                             \
            failures++;                                                                        \
        }                                                                                      \
    } while (0)

/* --- Matrices of any of the three types ------------------------------------------------------- */

static size_t type_bytes(cudaDataType type)
{
    return type == CUDA_R_32F ? 4 : 2;
}

static double get(const std::vector<char> &bytes, cudaDataType type, size_t i)
{
    const void *at = &bytes[i * type_bytes(type)];
    return type == CUDA_R_32F   ? *(const float *)at
           : type == CUDA_R_16F ? (double)__half2float(*(const __half *)at)
                                : (double)__bfloat162float(*(const __nv_bfloat16 *)at);
}

static void put(std::vector<char> &bytes, cudaDataType type, size_t i, float value)
{
    void *at = &bytes[i * type_bytes(type)];
    if (type == CUDA_R_32F)
        *(float *)at = value;
    else if (type == CUDA_R_16F)
        *(__half *)at = __float2half(value);
    else
        *(__nv_bfloat16 *)at = __float2bfloat16(value);
}

static uint32_t seed = 1;
static float uniform(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (float)(seed >> 8) / (1 << 23) - 1;
}

struct matrix {
    std::vector<char> host;
    char *device;
    cudaDataType type;
    size_t count;

    matrix(cudaDataType type, size_t count)
        : host(count * type_bytes(type)), type(type), count(count)
    {
        for (size_t i = 0; i < count; i++)
            put(host, type, i, uniform());
        CUDA(cudaMalloc(&device, host.size()));
        send();
    }
    ~matrix() { cudaFree(device); }
    void send() { CUDA(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice)); }
    void fetch() { CUDA(cudaMemcpy(host.data(), device, host.size(), cudaMemcpyDeviceToHost)); }
    double at(size_t i) const { return get(host, type, i); }
};

/* --- A problem and its descriptors ------------------------------------------------------------ */

struct problem {
    int m, n, k, batches;
    bool transpose_a, transpose_b;
    cudaDataType type;
    cublasComputeType_t compute;
    cublasLtEpilogue_t epilogue;
    float alpha, beta;
    int pad;                     /* elements behind each column */
};

struct plan {
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t a, b, d;
    cublasLtMatmulPreference_t preference;
    size_t a_count, b_count, d_count;
    int lda, ldb, ldd;
};

static void batch(cublasLtMatrixLayout_t layout, int32_t count, int64_t stride)
{
    LT(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                        sizeof count));
    LT(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                        &stride, sizeof stride));
}

static size_t layout(const problem &p, int rows, int columns, int *ld, cublasLtMatrixLayout_t *made)
{
    *ld = rows + p.pad;
    LT(cublasLtMatrixLayoutCreate(made, p.type, rows, columns, *ld));
    batch(*made, p.batches, (int64_t)*ld * columns);
    return (size_t)*ld * columns;
}

static plan make_plan(const problem &p, size_t workspace_bytes)
{
    plan plan;
    const cublasOperation_t op_a = p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t op_b = p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    LT(cublasLtMatmulDescCreate(&plan.operation, p.compute, CUDA_R_32F));
    LT(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, &op_a,
                                      sizeof op_a));
    LT(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_TRANSB, &op_b,
                                      sizeof op_b));
    LT(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &p.epilogue,
                                      sizeof p.epilogue));
    plan.a_count = layout(p, p.transpose_a ? p.k : p.m, p.transpose_a ? p.m : p.k, &plan.lda,
                          &plan.a);
    plan.b_count = layout(p, p.transpose_b ? p.n : p.k, p.transpose_b ? p.k : p.n, &plan.ldb,
                          &plan.b);
    plan.d_count = layout(p, p.m, p.n, &plan.ldd, &plan.d);
    LT(cublasLtMatmulPreferenceCreate(&plan.preference));
    LT(cublasLtMatmulPreferenceSetAttribute(plan.preference,
                                            CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                            &workspace_bytes, sizeof workspace_bytes));
    return plan;
}

static void set_pointer(const plan &plan, cublasLtMatmulDescAttributes_t attribute, void *pointer)
{
    LT(cublasLtMatmulDescSetAttribute(plan.operation, attribute, &pointer, sizeof pointer));
}

static void free_plan(const plan &plan)
{
    LT(cublasLtMatmulPreferenceDestroy(plan.preference));
    LT(cublasLtMatrixLayoutDestroy(plan.a));
    LT(cublasLtMatrixLayoutDestroy(plan.b));
    LT(cublasLtMatrixLayoutDestroy(plan.d));
    LT(cublasLtMatmulDescDestroy(plan.operation));
}

static int candidates(cublasLtHandle_t lt, const plan &plan, int wanted,
                      cublasLtMatmulHeuristicResult_t *results)
{
    int found = 0;
    LT(cublasLtMatmulAlgoGetHeuristic(lt, plan.operation, plan.a, plan.b, plan.d, plan.d,
                                      plan.preference, wanted, results, &found));
    CHECK(found > 0);
    return found;
}

/* --- The truth -------------------------------------------------------------------------------- */

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

static double activated(cublasLtEpilogue_t epilogue, double z)
{
    bool relu = epilogue & CUBLASLT_EPILOGUE_RELU, is_gelu = epilogue & CUBLASLT_EPILOGUE_GELU;
    return relu ? (z < 0 ? 0 : z) : is_gelu ? gelu(z) : z;
}

/* The product before the epilogue; *magnitude gets the sum of absolute values. */
static double element(const problem &p, const plan &plan, const matrix &a, const matrix &b,
                      int batch, int row, int column, double *magnitude)
{
    double sum = 0;
    *magnitude = 0;
    for (int k = 0; k < p.k; k++) {
        size_t i = p.transpose_a ? (size_t)row * plan.lda + k : (size_t)k * plan.lda + row;
        size_t j = p.transpose_b ? (size_t)k * plan.ldb + column : (size_t)column * plan.ldb + k;
        double product = a.at(batch * plan.a_count + i) * b.at(batch * plan.b_count + j);
        sum += product;
        *magnitude += fabs(product);
    }
    return sum;
}

static double unit_roundoff(const problem &p)
{
    return p.type == CUDA_R_16F                              ? 0x1p-11
           : p.type == CUDA_R_16BF                           ? 0x1p-8
           : p.compute == CUBLAS_COMPUTE_32F_FAST_TF32       ? 0x1p-10
                                                             : 0x1p-21;
}

static void compare(const problem &p, const plan &plan, const matrix &a, const matrix &b,
                    const matrix &bias, const std::vector<char> &before, matrix &d)
{
    int wrong = 0;
    d.fetch();
    for (int batch = 0; batch < p.batches; batch++)
        for (int column = 0; column < p.n; column++)
            for (int row = 0; row < p.m; row++) {
                size_t i = batch * plan.d_count + (size_t)column * plan.ldd + row;
                double magnitude, z = p.alpha * element(p, plan, a, b, batch, row, column,
                                                        &magnitude);
                z += p.beta * get(before, p.type, i);
                if (p.epilogue & CUBLASLT_EPILOGUE_BIAS)
                    z += bias.at(row);
                double want = activated(p.epilogue, z);
                wrong += !(fabs(d.at(i) - want) <= 4 * unit_roundoff(p) * (magnitude + 2));
            }
    if (wrong) {
        printf("%d x %d x %d, type %d, epilogue %d, %d%d: %d elements are wrong\n", p.m, p.n, p.k,
               p.type, p.epilogue, p.transpose_a, p.transpose_b, wrong);
        failures++;
    }
}

/* --- Products --------------------------------------------------------------------------------- */

static const size_t WORKSPACE_BYTES = 8 << 20;

/* Every candidate computes the same product. */
static void try_problem(cublasLtHandle_t lt, const problem &p, void *workspace)
{
    cublasLtMatmulHeuristicResult_t results[8];
    plan plan = make_plan(p, WORKSPACE_BYTES);
    matrix a(p.type, plan.a_count * p.batches), b(p.type, plan.b_count * p.batches);
    matrix d(p.type, plan.d_count * p.batches), bias(p.type, p.m);
    std::vector<char> before = d.host;
    uint32_t alignment = (uint32_t)type_bytes(p.type);
    if (p.pad % 8) /* columns start anywhere */
        for (int i = 0; i < 4; i++)
            LT(cublasLtMatmulPreferenceSetAttribute(
                plan.preference,
                (cublasLtMatmulPreferenceAttributes_t)(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES +
                                                       i),
                &alignment, sizeof alignment));
    if (p.epilogue & CUBLASLT_EPILOGUE_BIAS)
        set_pointer(plan, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
    int found = candidates(lt, plan, 8, results);
    for (int i = 0; i < found; i++) {
        cublasLtMatmulHeuristicResult_t checked;
        CHECK(results[i].workspaceSize <= WORKSPACE_BYTES);
        LT(cublasLtMatmulAlgoCheck(lt, plan.operation, plan.a, plan.b, plan.d, plan.d,
                                   &results[i].algo, &checked));
        CUDA(cudaMemcpy(d.device, before.data(), before.size(), cudaMemcpyHostToDevice));
        LT(cublasLtMatmul(lt, plan.operation, &p.alpha, a.device, plan.a, b.device, plan.b, &p.beta,
                          d.device, plan.d, d.device, plan.d, &results[i].algo, workspace,
                          WORKSPACE_BYTES, 0));
        compare(p, plan, a, b, bias, before, d);
    }
    free_plan(plan);
}

static void try_products(cublasLtHandle_t lt, void *workspace)
{
    static const struct {
        cudaDataType type;
        cublasComputeType_t compute;
    } TYPES[] = {{CUDA_R_32F, CUBLAS_COMPUTE_32F},
                 {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
                 {CUDA_R_16F, CUBLAS_COMPUTE_32F},
                 {CUDA_R_16BF, CUBLAS_COMPUTE_32F}};
    static const cublasLtEpilogue_t EPILOGUES[] = {
        CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU,
        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS};
    for (auto &type : TYPES) {
        for (int flags = 0; flags < 4; flags++)
            try_problem(lt, {48, 40, 64, 1, (flags & 1) != 0, (flags & 2) != 0, type.type,
                             type.compute, CUBLASLT_EPILOGUE_DEFAULT, 1.5f, -0.5f, 0}, workspace);
        for (cublasLtEpilogue_t epilogue : EPILOGUES)
            try_problem(lt, {64, 32, 96, 1, true, false, type.type, type.compute, epilogue, 1, 0,
                             0}, workspace);
        try_problem(lt, {17, 33, 24, 1, false, true, type.type, type.compute,
                         CUBLASLT_EPILOGUE_BIAS, 1, 0, 3}, workspace);
        try_problem(lt, {16, 24, 512, 3, true, false, type.type, type.compute,
                         CUBLASLT_EPILOGUE_DEFAULT, 1, 1, 8}, workspace);
    }
}

/* GELU with its input saved, then its derivative with the sums of the bias gradient. */
static void try_training(cublasLtHandle_t lt, void *workspace)
{
    cublasLtMatmulHeuristicResult_t result;
    problem p = {64, 48, 32, 1, false, false, CUDA_R_16F, CUBLAS_COMPUTE_32F,
                 CUBLASLT_EPILOGUE_GELU_AUX_BIAS, 1, 0, 0};
    matrix a(p.type, 64 * 32), b(p.type, 32 * 48), y(p.type, 64 * 48), z(p.type, 64 * 48);
    matrix bias(p.type, 64), gradient(p.type, 64 * 48), bias_gradient(p.type, 64);
    int64_t z_ld = 64;
    for (int pass = 0; pass < 2; pass++) {
        p.epilogue = pass == 0 ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_DGELU_BGRAD;
        plan plan = make_plan(p, WORKSPACE_BYTES);
        set_pointer(plan, CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                    pass == 0 ? bias.device : bias_gradient.device);
        set_pointer(plan, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, z.device);
        LT(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
                                          &z_ld, sizeof z_ld));
        candidates(lt, plan, 1, &result);
        LT(cublasLtMatmul(lt, plan.operation, &p.alpha, a.device, plan.a, b.device, plan.b, &p.beta,
                          y.device, plan.d, pass == 0 ? y.device : gradient.device, plan.d,
                          &result.algo, workspace, WORKSPACE_BYTES, 0));
        free_plan(plan);
    }
    y.fetch(), z.fetch(), gradient.fetch(), bias_gradient.fetch();
    plan plan = make_plan(p, 0);
    for (int row = 0; row < 64; row++) {
        double sum = 0, magnitude;
        for (int column = 0; column < 48; column++) {
            size_t i = (size_t)column * 64 + row;
            double x = element(p, plan, a, b, 0, row, column, &magnitude);
            double saved = z.at(i), slope = (gelu(saved + 1e-4) - gelu(saved - 1e-4)) / 2e-4;
            CHECK(fabs(saved - (x + bias.at(row))) < 0.02);
            CHECK(fabs(y.at(i) - gelu(saved)) < 0.01);
            CHECK(fabs(gradient.at(i) - x * slope) < 0.02);
            sum += x * slope;
        }
        CHECK(fabs(bias_gradient.at(row) - sum) < 0.1);
    }
    free_plan(plan);
}

/* --- Order, capture, kept algorithms ---------------------------------------------------------- */

__global__ void fill(float *values, int count, const float *value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] = *value;
}

/* A kernel, a product and a copy on one stream, as a graph that is launched twice; the scales lie
 * on the device, and the algorithm went through a file in between. */
static void try_graph(cublasLtHandle_t lt, void *workspace)
{
    enum { SIDE = 64 };
    problem p = {SIDE, SIDE, SIDE, 1, false, false, CUDA_R_32F, CUBLAS_COMPUTE_32F,
                 CUBLASLT_EPILOGUE_DEFAULT, 1, 0, 0};
    plan plan = make_plan(p, WORKSPACE_BYTES);
    cublasLtMatmulHeuristicResult_t result, again;
    cublasLtPointerMode_t mode = CUBLASLT_POINTER_MODE_DEVICE;
    matrix a(p.type, SIDE * SIDE), b(p.type, SIDE * SIDE), d(p.type, SIDE * SIDE);
    float numbers[3] = {3, 2, 0}, *device_numbers, got;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaMalloc(&device_numbers, sizeof numbers));
    CUDA(cudaMemcpy(device_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    LT(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode,
                                      sizeof mode));
    candidates(lt, plan, 1, &result);
    FILE *file = tmpfile();
    cublasLtMatmulAlgo_t kept;
    CHECK(file && fwrite(&result.algo, sizeof kept, 1, file) == 1);
    rewind(file);
    CHECK(fread(&kept, sizeof kept, 1, file) == 1);
    fclose(file);
    LT(cublasLtMatmulAlgoCheck(lt, plan.operation, plan.a, plan.b, plan.d, plan.d, &kept, &again));
    CHECK(again.workspaceSize == result.workspaceSize);
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    fill<<<SIDE, SIDE, 0, stream>>>((float *)a.device, SIDE * SIDE, device_numbers);
    fill<<<SIDE, SIDE, 0, stream>>>((float *)b.device, SIDE * SIDE, device_numbers + 1);
    LT(cublasLtMatmul(lt, plan.operation, device_numbers + 1, a.device, plan.a, b.device, plan.b,
                      device_numbers + 2, d.device, plan.d, d.device, plan.d, &kept, workspace,
                      WORKSPACE_BYTES, stream));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 2; launch++) {
        numbers[0] += (float)launch;
        CUDA(cudaMemcpy(device_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice));
        CUDA(cudaGraphLaunch(exec, stream));
        CUDA(cudaStreamSynchronize(stream));
        CUDA(cudaMemcpy(&got, d.device + 4 * 77, sizeof got, cudaMemcpyDeviceToHost));
        CHECK(got == 2 * SIDE * numbers[0] * numbers[1]);
    }
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(device_numbers));
    free_plan(plan);
}

/* A handle can be made in a capture; destroying one spoils the capture, and nobody says so. */
static void try_handle_in_capture(void)
{
    cublasLtHandle_t lt;
    cudaStream_t stream;
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    LT(cublasLtCreate(&lt));
    CUDA(cudaStreamIsCapturing(stream, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    LT(cublasLtDestroy(lt));
    CUDA(cudaStreamIsCapturing(stream, &status));
    CHECK(status == cudaStreamCaptureStatusInvalidated);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
    CUDA(cudaStreamDestroy(stream));
}

/* --- Algorithms by hand ----------------------------------------------------------------------- */

/* Ids of an attribute that is a list; there is more room than it takes. */
static std::vector<uint32_t> listed(const cublasLtMatmulAlgo_t &algo,
                                    cublasLtMatmulAlgoCapAttributes_t name)
{
    std::vector<uint32_t> ids(1024);
    size_t bytes = 0;
    LT(cublasLtMatmulAlgoCapGetAttribute(&algo, name, ids.data(), 4 * ids.size(), &bytes));
    ids.resize(bytes / 4);
    return ids;
}

/* How many tiles and stages of an algorithm can do the problem. */
static int configurations(cublasLtHandle_t lt, const plan &plan, cublasLtMatmulAlgo_t algo)
{
    int count = 0;
    cublasLtMatmulHeuristicResult_t result;
    for (uint32_t tile : listed(algo, CUBLASLT_ALGO_CAP_TILE_IDS))
        for (uint32_t stages : listed(algo, CUBLASLT_ALGO_CAP_STAGES_IDS)) {
            LT(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_TILE_ID, &tile,
                                                    sizeof tile));
            LT(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_STAGES_ID,
                                                    &stages, sizeof stages));
            count += cublasLtMatmulAlgoCheck(lt, plan.operation, plan.a, plan.b, plan.d, plan.d,
                                             &algo, &result) == CUBLAS_STATUS_SUCCESS;
        }
    return count;
}

static void try_by_hand(cublasLtHandle_t lt)
{
    problem p = {64, 64, 64, 1, false, false, CUDA_R_16F, CUBLAS_COMPUTE_32F,
                 CUBLASLT_EPILOGUE_DEFAULT, 1, 0, 0};
    plan plan = make_plan(p, 0);
    int ids[64], found = 0, working = 0;
    LT(cublasLtMatmulAlgoGetIds(lt, CUBLAS_COMPUTE_32F, CUDA_R_32F, p.type, p.type, p.type, p.type,
                                64, ids, &found));
    for (int i = 0; i < found; i++) {
        cublasLtMatmulAlgo_t algo;
        LT(cublasLtMatmulAlgoInit(lt, CUBLAS_COMPUTE_32F, CUDA_R_32F, p.type, p.type, p.type,
                                  p.type, ids[i], &algo));
        working += configurations(lt, plan, algo);
    }
    CHECK(working > 0);
    free_plan(plan);
}

/* --- What is refused -------------------------------------------------------------------------- */

static void try_mistakes(cublasLtHandle_t lt, void *workspace)
{
    problem p = {64, 64, 64, 1, false, false, CUDA_R_16F, CUBLAS_COMPUTE_32F,
                 CUBLASLT_EPILOGUE_DEFAULT, 1, 0, 0};
    plan plan = make_plan(p, 0);
    matrix a(p.type, 64 * 64), d(p.type, 64 * 64);
    cublasLtMatmulHeuristicResult_t results[16];
    cublasLtMatrixLayout_t narrow;
    int found = candidates(lt, plan, 16, results), none;
    for (int i = 0; i < found; i++) /* the default of the preference, and what we said */
        CHECK(results[i].workspaceSize == 0 && results[i].state == CUBLAS_STATUS_SUCCESS);
    EXPECT(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulDescSetAttribute(
               plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, &p.k, 1));
    EXPECT(CUBLAS_STATUS_INVALID_VALUE,
           cublasLtMatmulAlgoGetHeuristic(lt, plan.operation, plan.a, plan.b, plan.d, plan.d,
                                          plan.preference, 0, results, &none));
    LT(cublasLtMatrixLayoutCreate(&narrow, p.type, 63, 64, 64));
    cublasStatus_t status =
        cublasLtMatmul(lt, plan.operation, &p.alpha, a.device, narrow, a.device, plan.b, &p.beta,
                       d.device, plan.d, d.device, plan.d, &results[0].algo, workspace, 0, 0);
    CHECK(status == CUBLAS_STATUS_INVALID_VALUE);
    status = cublasLtMatmul(lt, plan.operation, &p.alpha, NULL, plan.a, a.device, plan.b, &p.beta,
                            d.device, plan.d, d.device, plan.d, &results[0].algo, workspace, 0, 0);
    CHECK(status == CUBLAS_STATUS_INVALID_VALUE);
    LT(cublasLtMatrixLayoutDestroy(narrow));
    free_plan(plan);
}

/* D = alpha op(A) B + beta D of 16 x 16 matrices, for types that have no epilogue. */
static void multiply_plainly(cublasLtHandle_t lt, cudaDataType in, cudaDataType out,
                             cublasComputeType_t compute, cudaDataType scale,
                             cublasOperation_t op_a, const void *alpha, const void *a,
                             const void *b, const void *beta, void *d)
{
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t layout_in, layout_out;
    LT(cublasLtMatmulDescCreate(&operation, compute, scale));
    LT(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, sizeof op_a));
    LT(cublasLtMatrixLayoutCreate(&layout_in, in, 16, 16, 16));
    LT(cublasLtMatrixLayoutCreate(&layout_out, out, 16, 16, 16));
    LT(cublasLtMatmul(lt, operation, alpha, a, layout_in, b, layout_in, beta, d, layout_out, d,
                      layout_out, NULL, NULL, 0, 0));
    CUDA(cudaDeviceSynchronize());
    LT(cublasLtMatrixLayoutDestroy(layout_in));
    LT(cublasLtMatrixLayoutDestroy(layout_out));
    LT(cublasLtMatmulDescDestroy(operation));
}

static void try_complex(cublasLtHandle_t lt)
{
    enum { SIDE = 16, COUNT = SIDE * SIDE };
    const cuComplex alpha = {0.5f, -1}, beta = {2, 0.25f};
    cuComplex *a, *b, *d, before[COUNT];
    CUDA(cudaMallocManaged(&a, sizeof before));
    CUDA(cudaMallocManaged(&b, sizeof before));
    CUDA(cudaMallocManaged(&d, sizeof before));
    for (int i = 0; i < COUNT; i++) {
        a[i] = make_cuComplex((float)(i % 7) - 3, (float)(i % 5) - 2);
        b[i] = make_cuComplex((float)(i % 3) - 1, (float)(i % 11) - 5);
        d[i] = before[i] = make_cuComplex((float)(i % 13), (float)(i % 2));
    }
    multiply_plainly(lt, CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F, CUDA_C_32F, CUBLAS_OP_C,
                     &alpha, a, b, &beta, d);
    for (int column = 0; column < SIDE; column++)
        for (int row = 0; row < SIDE; row++) {
            cuComplex sum = {0, 0};
            for (int k = 0; k < SIDE; k++)
                sum = cuCaddf(sum, cuCmulf(cuConjf(a[row * SIDE + k]), b[column * SIDE + k]));
            cuComplex wanted = cuCaddf(cuCmulf(alpha, sum),
                                       cuCmulf(beta, before[column * SIDE + row]));
            CHECK(cuCabsf(cuCsubf(d[column * SIDE + row], wanted)) < 1e-3f);
        }
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
    CUDA(cudaFree(d));
}

static void try_bytes(cublasLtHandle_t lt)
{
    enum { SIDE = 16, COUNT = SIDE * SIDE };
    const int alpha = 3, beta = 0;
    signed char *a, *b;
    int *d;
    CUDA(cudaMallocManaged(&a, COUNT));
    CUDA(cudaMallocManaged(&b, COUNT));
    CUDA(cudaMallocManaged(&d, COUNT * sizeof *d));
    for (int i = 0; i < COUNT; i++) {
        a[i] = (signed char)(i * 37);
        b[i] = (signed char)(i * 91);
    }
    multiply_plainly(lt, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I, CUBLAS_OP_T, &alpha,
                     a, b, &beta, d);
    for (int column = 0; column < SIDE; column++)
        for (int row = 0; row < SIDE; row++) {
            int sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += a[row * SIDE + k] * b[column * SIDE + k];
            CHECK(d[column * SIDE + row] == alpha * sum);
        }
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
    CUDA(cudaFree(d));
}

int main(void)
{
    cublasLtHandle_t lt;
    void *workspace;
    CHECK(cublasLtGetVersion() / 10000 == CUDART_VERSION / 1000);
    LT(cublasLtCreate(&lt));
    CUDA(cudaMalloc(&workspace, WORKSPACE_BYTES));
    try_products(lt, workspace);
    try_training(lt, workspace);
    try_graph(lt, workspace);
    try_handle_in_capture();
    try_by_hand(lt);
    try_complex(lt);
    try_bytes(lt);
    try_mistakes(lt, workspace);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(workspace));
    LT(cublasLtDestroy(lt));
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
