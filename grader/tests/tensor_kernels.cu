/* tensor_kernels.cu - a kernel for each row of tensor_cases.def.
 *
 * All kernels have one signature: matrices of int, row by row, go in and come out, so that their
 * callers need to know nothing of halves and fragments. They run with one warp; scratch is
 * SCRATCH_BYTES of global memory. The formulas for which lane holds what are those of PTX ISA
 * 9.7.14.5; e is the number of elements in a 32-bit register, g = lane / 4, t = lane % 4:
 *
 *     register r of A: row g + 8 (r mod 2), column 4 e (r div 2) + t e and the e - 1 behind it
 *     register r of B: column g, row 4 e r + t e and the e - 1 below it
 *     element i of C:  row g + 8 (i div 2), column 2 t + i mod 2
 *
 * check_tensor.c runs them on the simulated device, gpu_tensor.cu on a real one.
 */
#include "tensor_cases.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>
#include <stdint.h>

using namespace nvcuda;

/* --- Element types ---------------------------------------------------------------------------- */

template <class T> __device__ T of_int(int value) { return (T)value; }
template <> __device__ half of_int<half>(int value) { return __int2half_rn(value); }
template <> __device__ __nv_bfloat16 of_int<__nv_bfloat16>(int value)
{
    return __float2bfloat16((float)value);
}

template <class T> __device__ int to_int(T value) { return (int)value; }
template <> __device__ int to_int<half>(half value) { return __half2int_rn(value); }

/* bits is the width in a register, of(value) the bits; stored is the type in memory, and input what
 * mma.h calls it. */
#define ELEMENT(name, width, encoded, in_memory, in_mma_h)                                     \
    struct name {                                                                              \
        enum { bits = width };                                                                 \
        typedef in_memory stored;                                                              \
        typedef in_mma_h input;                                                                \
        static __device__ uint32_t of(int value) { return (encoded); }                         \
    };
#define FP8(kind) __nv_cvt_float_to_fp8((float)value, __NV_SATFINITE, kind)
ELEMENT(f16, 16, __half_as_ushort(of_int<half>(value)), half, half)
ELEMENT(bf16, 16, __bfloat16_as_ushort(of_int<__nv_bfloat16>(value)), __nv_bfloat16, __nv_bfloat16)
ELEMENT(tf32, 32, __float_as_uint((float)value), float, wmma::precision::tf32)
ELEMENT(f32, 32, __float_as_uint((float)value), float, float)
ELEMENT(e4m3, 8, FP8(__NV_E4M3), uint8_t, void)
ELEMENT(e5m2, 8, FP8(__NV_E5M2), uint8_t, void)
ELEMENT(s8, 8, value & 255, signed char, signed char)
ELEMENT(u8, 8, value & 255, unsigned char, unsigned char)
ELEMENT(s4, 4, value & 15, int, void)
ELEMENT(u4, 4, value & 15, int, void)
ELEMENT(b1, 1, value & 1, int, void)
ELEMENT(s32, 32, (uint32_t)value, int, int)
ELEMENT(f64, 64, 0, double, double)

/* --- mma -------------------------------------------------------------------------------------- */

/* lines lines of K elements, element k of a line at k * along_step. */
template <class T, int lines, int K>
__device__ void pack(const int *matrix, int line_step, int along_step, uint32_t *registers)
{
    const int e = 32 / T::bits, down = lines / 8, g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int r = 0; r < lines * K / (32 * e); r++) {
        int line = g + r % down * 8, along = r / down * 4 * e + t * e;
        registers[r] = 0;
        for (int i = 0; i < e; i++)
            registers[r] |= T::of(matrix[line * line_step + (along + i) * along_step])
                            << i * T::bits % 32;
    }
}

__device__ int accumulator_place(int i, int N)
{
    return (threadIdx.x / 4 + i / 2 * 8) * N + threadIdx.x % 4 * 2 + i % 2;
}

template <class T, int M> __device__ void pack_c(const int *c, uint32_t *registers)
{
    const int e = 32 / T::bits;
    for (int i = 0; i < M / 4; i++)
        registers[i / e] = (i % e ? registers[i / e] : 0) |
                           T::of(c[accumulator_place(i, 8)]) << i % e * 16;
}

__device__ int value_of(f32, const uint32_t *r, int i) { return (int)__uint_as_float(r[i]); }
__device__ int value_of(s32, const uint32_t *r, int i) { return (int)r[i]; }
__device__ int value_of(f16, const uint32_t *r, int i)
{
    return __half2int_rn(__ushort_as_half((unsigned short)(r[i / 2] >> i % 2 * 16)));
}

template <class T, int M> __device__ void unpack_d(const uint32_t *registers, int *d)
{
    for (int i = 0; i < M / 4; i++)
        d[accumulator_place(i, 8)] = value_of(T(), registers, i);
}

#define OPERATION_plain(shape, types) shape types
#define OPERATION_satfinite(shape, types) shape ".satfinite" types
#define OPERATION_xor_popc(shape, types) shape types ".xor.popc"
#define OPERATION_and_popc(shape, types) shape types ".and.popc"
#define MMA_TEXT(M, N, K, a, b, c, operation)                                                  \
    OPERATION_##operation("mma.sync.aligned.m" #M "n" #N "k" #K ".row.col",                    \
                          "." #c "." #a "." #b "." #c " ")

/* How many registers a and b take decides the operands; the results replace c. */
#define MMA_RUN(text, a_count, c_count)                                                        \
    if (c_count == 2 && a_count == 1)                                                          \
        asm volatile(text "{%0,%1}, {%2}, {%3}, {%0,%1};"                                      \
                     : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));                         \
    else if (c_count == 2 && a_count == 2)                                                     \
        asm volatile(text "{%0,%1}, {%2,%3}, {%4}, {%0,%1};"                                   \
                     : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));              \
    else if (c_count == 2)                                                                     \
        asm volatile(text "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"                          \
                     : "+r"(c[0]), "+r"(c[1])                                                  \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));      \
    else if (a_count == 2)                                                                     \
        asm volatile(text "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"                       \
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                          \
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]));                                       \
    else                                                                                       \
        asm volatile(text "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"              \
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                          \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));

#define KERNEL(name)                                                                           \
    extern "C" __global__ void name(const int *from_a, const int *from_b, const int *from_c,   \
                                    int *to_d, void *scratch)

#if !defined(__CUDA_ARCH__)
#define HAS(since) 1
#else
#define HAS(since) (__CUDA_ARCH__ >= 10 * (since))
#endif

#define MMA(since, M, N, K, A, B, C, operation)                                                \
    KERNEL(mma_m##M##n##N##k##K##_##A##_##B##_##C##_##operation)                               \
    {                                                                                          \
        if (!HAS(since))                                                                       \
            return;                                                                            \
        uint32_t a[4], b[2], c[4];                                                             \
        pack<A, M, K>(from_a, K, 1, a);                                                        \
        pack<B, N, K>(from_b, 1, N, b);                                                        \
        pack_c<C, M>(from_c, c);                                                               \
        MMA_RUN(MMA_TEXT(M, N, K, A, B, C, operation), M *K * A::bits / 1024, M * C::bits / 128) \
        unpack_d<C, M>(c, to_d);                                                               \
    }

#define DMMA_TEXT(M, N, K) "mma.sync.aligned.m" #M "n" #N "k" #K ".row.col.f64.f64.f64.f64 "
#define DMMA(since, M, N, K)                                                                   \
    KERNEL(dmma_m##M##n##N##k##K)                                                              \
    {                                                                                          \
        const int g = threadIdx.x / 4, t = threadIdx.x % 4, down = M / 8;                      \
        double a[8], b[4], c[4];                                                               \
        for (int r = 0; r < M * K / 32; r++)                                                   \
            a[r] = from_a[(g + r % down * 8) * K + t + r / down * 4];                          \
        for (int r = 0; r < K / 4; r++)                                                        \
            b[r] = from_b[(t + 4 * r) * N + g];                                                \
        for (int i = 0; i < M / 4; i++)                                                        \
            c[i] = from_c[accumulator_place(i, N)];                                            \
        if (!HAS(since))                                                                       \
            return;                                                                            \
        if (M == 8)                                                                            \
            asm volatile(DMMA_TEXT(M, N, K) "{%0,%1}, {%2}, {%3}, {%0,%1};"                    \
                         : "+d"(c[0]), "+d"(c[1]) : "d"(a[0]), "d"(b[0]));                     \
        else if (K == 4)                                                                       \
            asm volatile(DMMA_TEXT(M, N, K) "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"     \
                         : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])                      \
                         : "d"(a[0]), "d"(a[1]), "d"(b[0]));                                   \
        else if (K == 8)                                                                       \
            asm volatile(DMMA_TEXT(M, N, K)                                                    \
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"               \
                         : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])                      \
                         : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));  \
        else                                                                                   \
            asm volatile(DMMA_TEXT(M, N, K)                                                    \
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, "     \
                         "{%0,%1,%2,%3};"                                                      \
                         : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])                      \
                         : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]),   \
                           "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));  \
        for (int i = 0; i < M / 4; i++)                                                        \
            to_d[accumulator_place(i, N)] = (int)c[i];                                         \
    }

/* --- mma.h ------------------------------------------------------------------------------------ */

/* A matrix in memory as mma.h wants it: row by row or column by column, 16 bytes of padding. */
struct row {
    typedef wmma::row_major major;
    static const wmma::layout_t layout = wmma::mem_row_major;
    static __device__ int stride(int rows, int columns) { return columns; }
    static __device__ int at(int r, int c, int stride) { return r * stride + c; }
};
struct col {
    typedef wmma::col_major major;
    static const wmma::layout_t layout = wmma::mem_col_major;
    static __device__ int stride(int rows, int columns) { return rows; }
    static __device__ int at(int r, int c, int stride) { return c * stride + r; }
};

template <class T, class Layout> struct staged {
    T *at;
    int rows, columns, stride;
    __device__ staged(void *room, int rows, int columns)
        : at((T *)room), rows(rows), columns(columns),
          stride(Layout::stride(rows, columns) + 16 / (int)sizeof(T))
    {
    }
    __device__ void put(const int *matrix)
    {
        for (int i = threadIdx.x; i < rows * columns; i += 32)
            at[Layout::at(i / columns, i % columns, stride)] = of_int<T>(matrix[i]);
    }
    __device__ void get(int *matrix)
    {
        for (int i = threadIdx.x; i < rows * columns; i += 32)
            matrix[i] = to_int<T>(at[Layout::at(i / columns, i % columns, stride)]);
    }
};

enum place { in_global, in_shared, anywhere };

__device__ unsigned char *staging_room(place where, void *scratch)
{
    __shared__ __align__(32) unsigned char s_room[SCRATCH_BYTES];
    if (where == in_shared || (where == anywhere && threadIdx.y == 0))
        return s_room;
    return (unsigned char *)scratch;
}

template <int M, int N, int K, class A, class C, class D, class LayoutA, class LayoutB>
__device__ void product(const int *from_a, const int *from_b, const int *from_c, int *to_d,
                        unsigned char *room)
{
    staged<typename A::stored, LayoutA> a(room, M, K);
    staged<typename A::stored, LayoutB> b(room + SCRATCH_BYTES / 4, K, N);
    staged<typename C::stored, LayoutA> c(room + SCRATCH_BYTES / 2, M, N);
    staged<typename D::stored, LayoutB> d(room + SCRATCH_BYTES / 4 * 3, M, N);
    wmma::fragment<wmma::matrix_a, M, N, K, typename A::input, typename LayoutA::major> fragment_a;
    wmma::fragment<wmma::matrix_b, M, N, K, typename A::input, typename LayoutB::major> fragment_b;
    wmma::fragment<wmma::accumulator, M, N, K, typename C::stored> fragment_c;
    wmma::fragment<wmma::accumulator, M, N, K, typename D::stored> fragment_d;
    a.put(from_a);
    b.put(from_b);
    if (from_c)
        c.put(from_c);
    __syncwarp();
    wmma::load_matrix_sync(fragment_a, a.at, a.stride);
    wmma::load_matrix_sync(fragment_b, b.at, b.stride);
    if (from_c)
        wmma::load_matrix_sync(fragment_c, c.at, c.stride, LayoutA::layout);
    else
        wmma::fill_fragment(fragment_c, of_int<typename C::stored>(FILLED_WITH));
    wmma::mma_sync(fragment_d, fragment_a, fragment_b, fragment_c);
    for (int i = 0; i < fragment_d.num_elements; i++)
        fragment_d.x[i] = fragment_d.x[i] + fragment_d.x[i];
    wmma::store_matrix_sync(d.at, fragment_d, d.stride, LayoutB::layout);
    __syncwarp();
    d.get(to_d);
}

#define WMMA(M, N, K, A, C, D, layout_a, layout_b, place)                                      \
    KERNEL(wmma_m##M##n##N##k##K##_##A##_##C##_##D##_##layout_a##_##layout_b##_##place)        \
    {                                                                                          \
        product<M, N, K, A, C, D, layout_a, layout_b>(from_a, from_b, from_c, to_d,            \
                                                      staging_room(place, scratch));           \
    }

#define FILL(M, N, K, A, C)                                                                    \
    KERNEL(fill_m##M##n##N##k##K##_##A##_##C)                                                  \
    {                                                                                          \
        product<M, N, K, A, C, C, row, row>(from_a, from_b, NULL, to_d,                        \
                                            (unsigned char *)scratch);                         \
    }

/* Every element is its own number; lane l writes its x[i] to d[16 l + i]. */
#define FRAGMENT_a(M, N, K, T) wmma::fragment<wmma::matrix_a, M, N, K, T::input, wmma::row_major>
#define FRAGMENT_b(M, N, K, T) wmma::fragment<wmma::matrix_b, M, N, K, T::input, wmma::row_major>
#define FRAGMENT_c(M, N, K, T) wmma::fragment<wmma::accumulator, M, N, K, T::stored>
#define LOAD_a(...) wmma::load_matrix_sync(__VA_ARGS__)
#define LOAD_b(...) wmma::load_matrix_sync(__VA_ARGS__)
#define LOAD_c(...) wmma::load_matrix_sync(__VA_ARGS__, wmma::mem_row_major)
#define ROWS_a(M, K) M
#define ROWS_b(M, K) K
#define ROWS_c(M, K) M
#define COLUMNS_a(N, K) K
#define COLUMNS_b(N, K) N
#define COLUMNS_c(N, K) N
#define INPUT_a(A, C) A
#define INPUT_b(A, C) A
#define INPUT_c(A, C) C
#define LAYOUT(matrix, M, N, K, A, C)                                                          \
    KERNEL(layout_##matrix##_m##M##n##N##k##K##_##A##_##C)                                     \
    {                                                                                          \
        typedef INPUT_##matrix(A, C) element;                                                  \
        staged<element::stored, row> numbers(scratch, ROWS_##matrix(M, K),                     \
                                             COLUMNS_##matrix(N, K));                          \
        FRAGMENT_##matrix(M, N, K, element) fragment;                                          \
        numbers.put(from_a);                                                                   \
        __syncwarp();                                                                          \
        LOAD_##matrix(fragment, numbers.at, numbers.stride);                                   \
        for (int i = 0; i < fragment.num_elements; i++)                                        \
            to_d[16 * threadIdx.x + i] = to_int<element::stored>(fragment.x[i]);               \
    }

/* --- ldmatrix, stmatrix, movmatrix ------------------------------------------------------------ */

enum { ROW_STRIDE = 40 }; /* halves; 80 bytes keep 8 rows in different banks */

#define TEXT_ldmatrix(name, count) "ldmatrix.sync.aligned.m8n8." #count name ".shared.b16 "
#define TEXT_stmatrix(name, count) "stmatrix.sync.aligned.m8n8." #count name ".shared.b16 "
#define RUN_ldmatrix(trans)                                                                    \
    if (blocks == 1)                                                                           \
        asm volatile(TEXT_ldmatrix(trans, x1) "{%0}, [%1];" : "=r"(r[0]) : "r"(address));      \
    else if (blocks == 2)                                                                      \
        asm volatile(TEXT_ldmatrix(trans, x2) "{%0,%1}, [%2];"                                 \
                     : "=r"(r[0]), "=r"(r[1]) : "r"(address));                                 \
    else                                                                                       \
        asm volatile(TEXT_ldmatrix(trans, x4) "{%0,%1,%2,%3}, [%4];"                           \
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
#define RUN_stmatrix(trans)                                                                    \
    if (blocks == 1)                                                                           \
        asm volatile(TEXT_stmatrix(trans, x1) "[%1], {%0};" ::"r"(r[0]), "r"(address)          \
                     : "memory");                                                              \
    else if (blocks == 2)                                                                      \
        asm volatile(TEXT_stmatrix(trans, x2) "[%2], {%0,%1};" ::"r"(r[0]), "r"(r[1]),         \
                     "r"(address) : "memory");                                                 \
    else                                                                                       \
        asm volatile(TEXT_stmatrix(trans, x4) "[%4], {%0,%1,%2,%3};" ::"r"(r[0]), "r"(r[1]),   \
                     "r"(r[2]), "r"(r[3]), "r"(address) : "memory");
#define RUN_movmatrix(trans)                                                                   \
    asm volatile("movmatrix.sync.aligned.m8n8" trans ".b16 %0, %1;" : "=r"(r[0]) : "r"(r[0]));
#define SUFFIX_(...) ""
#define SUFFIX_trans(...) ".trans"

/* Rows in shared memory, or elements in registers: the two ends of a move. */
__device__ void put_rows(const int *matrix, unsigned short *s_rows, int blocks)
{
    for (int i = threadIdx.x; i < 64 * blocks; i += 32)
        s_rows[i / 8 * ROW_STRIDE + i % 8] = (unsigned short)matrix[i];
}

__device__ int element_place(int block, int half)
{
    return 64 * block + threadIdx.x / 4 * 8 + threadIdx.x % 4 * 2 + half;
}

enum { moves_ldmatrix, moves_stmatrix, moves_movmatrix };

#define MOVE(since, instruction, count, trans)                                                 \
    KERNEL(instruction##_x##count##trans)                                                      \
    {                                                                                          \
        __shared__ __align__(16) unsigned short s_rows[32 * ROW_STRIDE];                       \
        const int blocks = count;                                                              \
        uint32_t r[4];                                                                         \
        uint32_t address = (uint32_t)__cvta_generic_to_shared(                                 \
            &s_rows[threadIdx.x % (8 * blocks) * ROW_STRIDE]);                                 \
        put_rows(from_a, s_rows, blocks);                                                      \
        for (int i = 0; i < blocks; i++)                                                       \
            r[i] = from_a[element_place(i, 0)] | from_a[element_place(i, 1)] << 16;            \
        __syncwarp();                                                                          \
        if (!HAS(since))                                                                       \
            return;                                                                            \
        RUN_##instruction(SUFFIX_##trans())                                                    \
        __syncwarp();                                                                          \
        if (moves_##instruction == moves_stmatrix)                                             \
            for (int i = threadIdx.x; i < 64 * blocks; i += 32)                                \
                to_d[i] = s_rows[i / 8 * ROW_STRIDE + i % 8];                                  \
        else                                                                                   \
            for (int i = 0; i < 2 * blocks; i++)                                               \
                to_d[element_place(i / 2, i % 2)] = r[i / 2] >> i % 2 * 16 & 0xFFFF;           \
    }

/* One ldmatrix.x4; nothing else reads shared memory, so that a profiler counts it alone. */
#define BANKS(stride, wavefronts)                                                              \
    KERNEL(banks_##stride)                                                                     \
    {                                                                                          \
        __shared__ __align__(128) unsigned char s_rows[32 * (stride) + 16];                    \
        const int blocks = 4;                                                                  \
        uint32_t r[4];                                                                         \
        uint32_t address =                                                                     \
            (uint32_t)__cvta_generic_to_shared(&s_rows[threadIdx.x * (stride)]);               \
        for (int i = threadIdx.x; i < (int)sizeof s_rows; i += 32)                             \
            s_rows[i] = (unsigned char)from_a[i % 64];                                         \
        __syncwarp();                                                                          \
        RUN_ldmatrix("")                                                                       \
        for (int i = 0; i < 4; i++)                                                            \
            to_d[4 * threadIdx.x + i] = (int)r[i];                                             \
    }

#include "tensor_cases.def"
#undef MMA
#undef DMMA
#undef WMMA
#undef FILL
#undef LAYOUT
#undef MOVE
#undef BANKS
