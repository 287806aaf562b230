/* cublas_products.cu - a program that multiplies matrices with cuBLAS, in every way it has, and
 * compares the results with plain loops in double. */
#include "cublas_program.h"

static const cublasOperation_t OPERATIONS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

struct shape {
    int m, n, k, pad;       /* pad: elements after each column */
};
static const shape SHAPES[] = {{64, 48, 96, 0}, {37, 29, 41, 3}, {1, 17, 5, 1}, {8, 8, 700, 0}};

/* A problem with its matrices, batches of them one after the other. */
struct problem {
    shape s;
    cublasOperation_t op_a, op_b;
    int batches, lda, ldb, ldc;
    long long a_step, b_step, c_step;
    double alpha, beta, allowed; /* allowed: of the sum of absolute values */
    numbers a, b, c;

    problem(shape s, cublasOperation_t op_a, cublasOperation_t op_b, cudaDataType in,
            cudaDataType out, int batches = 1)
        : s(s), op_a(op_a), op_b(op_b), batches(batches),
          lda((op_a == CUBLAS_OP_N ? s.m : s.k) + s.pad),
          ldb((op_b == CUBLAS_OP_N ? s.k : s.n) + s.pad), ldc(s.m + s.pad),
          a_step((long long)lda * (op_a == CUBLAS_OP_N ? s.k : s.m)),
          b_step((long long)ldb * (op_b == CUBLAS_OP_N ? s.n : s.k)), c_step((long long)ldc * s.n),
          alpha(1.25), beta(0.5), allowed(8 * type_step(CUDA_R_32F)),
          a(in, (size_t)(a_step * batches)), b(in, (size_t)(b_step * batches)),
          c(out, (size_t)(c_step * batches))
    {
    }

    /* What an element of C is to be, and the sum of absolute values it is made of. */
    double element(int batch, int row, int column, double *magnitude) const
    {
        double sum = 0, size = 0;
        for (int i = 0; i < s.k; i++) {
            long long at_a = op_a == CUBLAS_OP_N ? (long long)i * lda + row
                                                 : (long long)row * lda + i;
            long long at_b = op_b == CUBLAS_OP_N ? (long long)column * ldb + i
                                                 : (long long)i * ldb + column;
            double product = a.at((size_t)(batch * a_step + at_a)) *
                             b.at((size_t)(batch * b_step + at_b));
            sum += product;
            size += fabs(product);
        }
        double old = c.at((size_t)(batch * c_step + (long long)column * ldc + row));
        *magnitude = fabs(alpha) * size + (beta != 0 ? fabs(beta * old) : 0);
        return alpha * sum + (beta != 0 ? beta * old : 0);
    }

    /* Is C that, and what lies after each column as it was? */
    bool is_right() const
    {
        std::vector<double> got = c.fetched();
        for (int batch = 0; batch < batches; batch++)
            for (int column = 0; column < s.n; column++)
                for (int row = 0; row < ldc; row++) {
                    size_t i = (size_t)(batch * c_step + (long long)column * ldc + row);
                    double size = 0, want = row < s.m ? element(batch, row, column, &size)
                                                      : c.at(i);
                    double error = fabs(got[i] - want);
                    if (row >= s.m && std::isnan(want))
                        continue;
                    if (!(error <= allowed * size + type_step(c.type) * fabs(want) + 1e-300)) {
                        printf("%d x %d x %d, ops %d %d: C(%d, %d) of %d is %g, not %g\n", s.m, s.n,
                               s.k, op_a, op_b, row, column, batch, got[i], want);
                        return false;
                    }
                }
        return true;
    }
};

static const cublasMath_t exact_sums =
    (cublasMath_t)(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);

static void run_single(cublasHandle_t handle, const problem &p)
{
    if (p.c.type == CUDA_R_64F) {
        BLAS(cublasDgemm(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &p.alpha, p.a.doubles(),
                         p.lda, p.b.doubles(), p.ldb, &p.beta, p.c.doubles(), p.ldc));
        return;
    }
    float alpha = (float)p.alpha, beta = (float)p.beta;
    if (p.a.type == CUDA_R_32F)
        BLAS(cublasSgemm(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &alpha, p.a.floats(), p.lda,
                         p.b.floats(), p.ldb, &beta, p.c.floats(), p.ldc));
    else
        BLAS(cublasGemmEx(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &alpha, p.a.device,
                          p.a.type, p.lda, p.b.device, p.b.type, p.ldb, &beta, p.c.device,
                          p.c.type, p.ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

/* Every shape, operation and pair of types; beta = 0 must not read C. Sums of pieces of a long k
 * may be rounded to the type of C on their way, unless that is disallowed. */
static void every_product(cublasHandle_t handle)
{
    BLAS(cublasSetMathMode(handle, exact_sums));
    static const cudaDataType TYPES[][2] = {
        {CUDA_R_32F, CUDA_R_32F}, {CUDA_R_64F, CUDA_R_64F}, {CUDA_R_16F, CUDA_R_16F},
        {CUDA_R_16F, CUDA_R_32F}, {CUDA_R_16BF, CUDA_R_16BF}, {CUDA_R_16BF, CUDA_R_32F}};
    for (const shape &s : SHAPES)
        for (cublasOperation_t op_a : OPERATIONS)
            for (cublasOperation_t op_b : OPERATIONS)
                for (auto &types : TYPES)
                    for (int beta = 0; beta < 2; beta++) {
                        problem p(s, op_a, op_b, types[0], types[1]);
                        if (types[0] == CUDA_R_64F)
                            p.allowed = 8 * type_step(CUDA_R_64F);
                        p.beta = 0.5 * beta;
                        if (!beta)
                            p.c.fill(NAN);
                        run_single(handle, p);
                        EXPECT(p.is_right());
                    }
    BLAS(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
}

static void half_arithmetic(cublasHandle_t handle)
{
    problem p(SHAPES[1], CUBLAS_OP_N, CUBLAS_OP_T, CUDA_R_16F, CUDA_R_16F);
    __half alpha = __float2half((float)p.alpha), beta = __float2half((float)p.beta);
    p.allowed = 8 * type_step(CUDA_R_16F);
    BLAS(cublasHgemm(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &alpha, (__half *)p.a.device,
                     p.lda, (__half *)p.b.device, p.ldb, &beta, (__half *)p.c.device, p.ldc));
    EXPECT(p.is_right());
}

/* TF32 keeps 10 bits of each factor. */
static void math_modes(cublasHandle_t handle)
{
    cublasMath_t mode;
    BLAS(cublasGetMathMode(handle, &mode));
    EXPECT(mode == CUBLAS_DEFAULT_MATH);
    BLAS(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
    BLAS(cublasGetMathMode(handle, &mode));
    EXPECT(mode == CUBLAS_TF32_TENSOR_OP_MATH);
    problem coarse({64, 64, 64, 0}, CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_32F, CUDA_R_32F);
    coarse.allowed = 2 * type_step(CUDA_R_16F);
    run_single(handle, coarse);
    EXPECT(coarse.is_right());
    BLAS(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
    problem fine({64, 64, 64, 0}, CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_32F, CUDA_R_32F);
    run_single(handle, fine);
    EXPECT(fine.is_right());
    BLAS(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
}

/* Nothing to add up, and nothing to do. */
static void empty_products(cublasHandle_t handle)
{
    problem p(SHAPES[1], CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_32F, CUDA_R_32F);
    const float one = 1, half = 0.5f, zero = 0;
    p.alpha = 0;
    BLAS(cublasSgemm(handle, p.op_a, p.op_b, p.s.m, p.s.n, 0, &one, p.a.floats(), p.lda,
                     p.b.floats(), p.ldb, &half, p.c.floats(), p.ldc));
    EXPECT(p.is_right());
    p.c.send();
    BLAS(cublasSgemm(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &zero, p.a.floats(), p.lda,
                     p.b.floats(), p.ldb, &half, p.c.floats(), p.ldc));
    EXPECT(p.is_right());
    p.alpha = 0, p.beta = 1;
    p.c.send();
    BLAS(cublasSgemm(handle, p.op_a, p.op_b, 0, p.s.n, p.s.k, &one, p.a.floats(), p.lda,
                     p.b.floats(), p.ldb, &half, p.c.floats(), p.ldc));
    BLAS(cublasSgemmStridedBatched(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &one, p.a.floats(),
                                   p.lda, 0, p.b.floats(), p.ldb, 0, &half, p.c.floats(), p.ldc,
                                   0, 0));
    EXPECT(p.is_right());
}

static void invalid_values(cublasHandle_t handle)
{
    problem p(SHAPES[0], CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_32F, CUDA_R_32F);
    const float one = 1;
    float *a = p.a.floats(), *b = p.b.floats(), *c = p.c.floats();
    int m = p.s.m, n = p.s.n, k = p.s.k;
    cublasOperation_t no = CUBLAS_OP_N;
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSgemm(handle, no, no, -1, n, k, &one, a, m, b, k, &one, c, m));
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSgemm(handle, no, no, m, n, k, &one, a, m - 1, b, k, &one, c, m));
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSgemm(handle, no, CUBLAS_OP_T, m, n, k, &one, a, m, b, n - 1, &one, c, m));
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSgemm(handle, no, no, m, n, k, &one, a, m, b, k, &one, c, m - 1));
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSgemm(handle, (cublasOperation_t)9, no, m, n, k, &one, a, m, b, k, &one, c, m));
    GIVES(CUBLAS_STATUS_NOT_INITIALIZED,
          cublasSgemm(NULL, no, no, m, n, k, &one, a, m, b, k, &one, c, m));
}

/* --- Batches ---------------------------------------------------------------------------------- */

static void strided_batches(cublasHandle_t handle)
{
    const float alpha = 1.25f, beta = 0.5f;
    problem p(SHAPES[1], CUBLAS_OP_T, CUBLAS_OP_N, CUDA_R_32F, CUDA_R_32F, 5);
    BLAS(cublasSgemmStridedBatched(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &alpha,
                                   p.a.floats(), p.lda, p.a_step, p.b.floats(), p.ldb, p.b_step,
                                   &beta, p.c.floats(), p.ldc, p.c_step, p.batches));
    EXPECT(p.is_right());
    problem d(SHAPES[1], CUBLAS_OP_N, CUBLAS_OP_T, CUDA_R_64F, CUDA_R_64F, 3);
    d.allowed = 8 * type_step(CUDA_R_64F);
    BLAS(cublasDgemmStridedBatched(handle, d.op_a, d.op_b, d.s.m, d.s.n, d.s.k, &d.alpha,
                                   d.a.doubles(), d.lda, d.a_step, d.b.doubles(), d.ldb, d.b_step,
                                   &d.beta, d.c.doubles(), d.ldc, d.c_step, d.batches));
    EXPECT(d.is_right());
    problem h(SHAPES[0], CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_16BF, CUDA_R_16BF, 4);
    BLAS(cublasGemmStridedBatchedEx(handle, h.op_a, h.op_b, h.s.m, h.s.n, h.s.k, &alpha,
                                    h.a.device, h.a.type, h.lda, h.a_step, h.b.device, h.b.type,
                                    h.ldb, h.b_step, &beta, h.c.device, h.c.type, h.ldc, h.c_step,
                                    h.batches, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    EXPECT(h.is_right());
}

/* A pointer for each matrix of the batch, on the device. */
struct pointers {
    void **device;
    pointers(const numbers &from, long long step, int batches)
    {
        std::vector<void *> host;
        for (int i = 0; i < batches; i++)
            host.push_back(from.device + (size_t)(i * step) * type_bytes(from.type));
        CHECK(cudaMalloc(&device, host.size() * sizeof(void *)));
        CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(void *),
                         cudaMemcpyHostToDevice));
    }
    ~pointers() { cudaFree(device); }
};

static void batches_of_pointers(cublasHandle_t handle)
{
    const float alpha = 1.25f, beta = 0.5f;
    problem p({64, 48, 96, 0}, CUBLAS_OP_N, CUBLAS_OP_T, CUDA_R_32F, CUDA_R_32F, 3);
    pointers a(p.a, p.a_step, 3), b(p.b, p.b_step, 3), c(p.c, p.c_step, 3);
    BLAS(cublasSgemmBatched(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &alpha,
                            (const float *const *)a.device, p.lda,
                            (const float *const *)b.device, p.ldb, &beta,
                            (float *const *)c.device, p.ldc, p.batches));
    EXPECT(p.is_right());
    problem h({64, 48, 96, 0}, CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_16F, CUDA_R_16F, 3);
    pointers ha(h.a, h.a_step, 3), hb(h.b, h.b_step, 3), hc(h.c, h.c_step, 3);
    BLAS(cublasGemmBatchedEx(handle, h.op_a, h.op_b, h.s.m, h.s.n, h.s.k, &alpha,
                             (const void *const *)ha.device, h.a.type, h.lda,
                             (const void *const *)hb.device, h.b.type, h.ldb, &beta,
                             (void *const *)hc.device, h.c.type, h.ldc, h.batches,
                             CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    EXPECT(h.is_right());
}

/* --- Streams, graphs, scalars on the device --------------------------------------------------- */

__global__ void double_all(float *values, size_t count)
{
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        values[i] *= 2;
}

static void scalars_on_the_device(cublasHandle_t handle)
{
    problem p(SHAPES[1], CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_32F, CUDA_R_32F);
    const float host[] = {(float)p.alpha, (float)p.beta};
    float *scalars;
    cublasPointerMode_t mode;
    CHECK(cudaMalloc(&scalars, sizeof host));
    CHECK(cudaMemcpy(scalars, host, sizeof host, cudaMemcpyHostToDevice));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasGetPointerMode(handle, &mode));
    EXPECT(mode == CUBLAS_POINTER_MODE_DEVICE);
    BLAS(cublasSgemm(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &scalars[0], p.a.floats(),
                     p.lda, p.b.floats(), p.ldb, &scalars[1], p.c.floats(), p.ldc));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    EXPECT(p.is_right());
    CHECK(cudaFree(scalars));
}

/* A kernel, a product, a kernel on one stream; and the same three as a graph, launched twice. */
static void order_in_streams_and_graphs(cublasHandle_t handle)
{
    problem p({48, 40, 56, 0}, CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_32F, CUDA_R_32F);
    const float one = 1, zero = 0;
    cudaStream_t stream, got;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamCreate(&stream));
    BLAS(cublasSetStream(handle, stream));
    BLAS(cublasGetStream(handle, &got));
    EXPECT(got == stream);
    p.alpha = 4, p.beta = 0;
    for (int captured = 0; captured < 2; captured++) {
        if (captured)
            CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        double_all<<<1, 128, 0, stream>>>(p.a.floats(), p.a.count());
        BLAS(cublasSgemm(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &one, p.a.floats(), p.lda,
                         p.b.floats(), p.ldb, &zero, p.c.floats(), p.ldc));
        double_all<<<1, 128, 0, stream>>>(p.c.floats(), p.c.count());
        if (!captured) {
            CHECK(cudaStreamSynchronize(stream));
            EXPECT(p.is_right());
        }
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int launch = 0; launch < 2; launch++) {
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
        p.alpha *= 2;
        EXPECT(p.is_right());
    }
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    BLAS(cublasSetStream(handle, NULL));
    CHECK(cudaStreamDestroy(stream));
}

static void settings(cublasHandle_t handle)
{
    int version = 0, major = 0;
    cublasAtomicsMode_t atomics;
    void *workspace;
    BLAS(cublasGetVersion(handle, &version));
    BLAS(cublasGetProperty(MAJOR_VERSION, &major));
    EXPECT(version == CUBLAS_VERSION && major == CUBLAS_VER_MAJOR);
    BLAS(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
    BLAS(cublasGetAtomicsMode(handle, &atomics));
    EXPECT(atomics == CUBLAS_ATOMICS_ALLOWED);
    CHECK(cudaMalloc(&workspace, 1 << 20));
    BLAS(cublasSetWorkspace(handle, workspace, 1 << 20));
    problem p(SHAPES[3], CUBLAS_OP_N, CUBLAS_OP_N, CUDA_R_32F, CUDA_R_32F);
    run_single(handle, p);
    EXPECT(p.is_right());
    BLAS(cublasSetWorkspace(handle, (char *)workspace + 4, 1 << 19)); /* cuBLAS 13.0 takes it */
    BLAS(cublasSetStream(handle, NULL));
    CHECK(cudaFree(workspace));
}

static void sizes_of_64_bits(cublasHandle_t handle)
{
    const float alpha = 1.25f, beta = 0.5f;
    problem p(SHAPES[1], CUBLAS_OP_N, CUBLAS_OP_T, CUDA_R_32F, CUDA_R_32F);
    BLAS(cublasSgemm_64(handle, p.op_a, p.op_b, p.s.m, p.s.n, p.s.k, &alpha, p.a.floats(), p.lda,
                        p.b.floats(), p.ldb, &beta, p.c.floats(), p.ldc));
    EXPECT(p.is_right());
}

int main()
{
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    every_product(handle);
    half_arithmetic(handle);
    math_modes(handle);
    empty_products(handle);
    invalid_values(handle);
    strided_batches(handle);
    batches_of_pointers(handle);
    scalars_on_the_device(handle);
    order_in_streams_and_graphs(handle);
    settings(handle);
    sizes_of_64_bits(handle);
    BLAS(cublasDestroy(handle));
    printf("ok\n");
    return 0;
}
