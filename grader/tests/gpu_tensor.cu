/* gpu_tensor.cu - do the matrix instructions of a real GPU do what the simulated device does?
 *
 * Runs every case of tensor_cases.def and compares with the plain triple loop, or for layouts with
 * the rule of tensor_cases.h. To build and run: make build/test/gpu_tensor && build/test/gpu_tensor
 *
 * Only a profiler can tell how many wavefronts an ldmatrix takes; for each of these kernels, the
 * program prints what the simulated device counts:
 *     ncu --kernel-name regex:banks_ --metrics smsp__inst_executed_op_ldsm.sum,\
 *         l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,\
 *         sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum build/test/gpu_tensor
 */
#include "tensor_kernels.cu"

#include <cstdio>
#include <cstdlib>

typedef void kernel(const int *, const int *, const int *, int *, void *);

static kernel *const KERNELS[] = {
#define MMA(since, M, N, K, A, B, C, operation)                                                \
    mma_m##M##n##N##k##K##_##A##_##B##_##C##_##operation,
#define DMMA(since, M, N, K) dmma_m##M##n##N##k##K,
#define WMMA(M, N, K, A, C, D, layout_a, layout_b, place)                                      \
    wmma_m##M##n##N##k##K##_##A##_##C##_##D##_##layout_a##_##layout_b##_##place,
#define FILL(M, N, K, A, C) fill_m##M##n##N##k##K##_##A##_##C,
#define LAYOUT(matrix, M, N, K, A, C) layout_##matrix##_m##M##n##N##k##K##_##A##_##C,
#define MOVE(since, instruction, count, trans) instruction##_x##count##trans,
#define BANKS(stride, wavefronts) banks_##stride,
#include "tensor_cases.def"
};
static_assert(sizeof KERNELS / sizeof *KERNELS == TENSOR_CASE_COUNT, "one kernel a case");

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t error_ = (call);                                                           \
        if (error_ != cudaSuccess) {                                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));    \
            exit(2);                                                                           \
        }                                                                                      \
    } while (0)

/* a, b, c, d, the d there should be; the first four also on the device, and scratch. */
static int h_matrix[5][MATRIX_INTS];
static int *d_matrix[4];
static void *d_scratch;

static bool case_passes(int index, uint64_t seed)
{
    const tensor_case *one = &TENSOR_CASES[index];
    tensor_fill(one, seed, h_matrix[0], h_matrix[1], h_matrix[2]);
    memset(h_matrix[3], 0x55, sizeof h_matrix[3]);
    memset(h_matrix[4], 0x55, sizeof h_matrix[4]);
    for (int i = 0; i < 4; i++)
        CHECK(cudaMemcpy(d_matrix[i], h_matrix[i], sizeof h_matrix[i], cudaMemcpyHostToDevice));
    KERNELS[index]<<<1, 32>>>(d_matrix[0], d_matrix[1], d_matrix[2], d_matrix[3], d_scratch);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_matrix[3], d_matrix[3], sizeof h_matrix[3], cudaMemcpyDeviceToHost));
    int wrong = 0;
    int count = tensor_expect(one, h_matrix[0], h_matrix[1], h_matrix[2], h_matrix[4]);
    for (int i = 0; i < count; i++)
        if (h_matrix[3][i] != h_matrix[4][i] && wrong++ < 4)
            printf("%s: value %d is %d, and should be %d\n", one->kernel, i, h_matrix[3][i],
                   h_matrix[4][i]);
    if (wrong)
        printf("%s: %d of %d values are wrong\n", one->kernel, wrong, count);
    return wrong == 0;
}

int main()
{
    cudaDeviceProp device;
    int failed = 0, skipped = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    for (int i = 0; i < 4; i++)
        CHECK(cudaMalloc(&d_matrix[i], sizeof h_matrix[i]));
    CHECK(cudaMalloc(&d_scratch, SCRATCH_BYTES));
    for (int i = 0; i < TENSOR_CASE_COUNT; i++)
        if (10 * device.major + device.minor < TENSOR_CASES[i].since)
            skipped++;
        else if (!case_passes(i, 1) || !case_passes(i, 2))
            failed++;
    printf("%s: %d cases, %d wrong, %d for later devices\n", device.name, (int)TENSOR_CASE_COUNT,
           failed, skipped);
    for (int i = 0; i < TENSOR_CASE_COUNT; i++)
        if (TENSOR_CASES[i].kind == TENSOR_BANKS && TENSOR_CASES[i].wavefronts)
            printf("%s: the simulated device counts %d wavefronts\n", TENSOR_CASES[i].kernel,
                   TENSOR_CASES[i].wavefronts);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
