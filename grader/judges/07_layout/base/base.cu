// The solution without its marks: a base of patches. A Y that is wanted transposed is the product
// of the exchanged operands.
#include "contracts/07_layout.h"
#include "tile_gemm.h"

struct call {
    const float *A, *B, *bias; // bias may be NULL
    float *Y;
    int m, n, k, ldy;
    bool transpose_a, transpose_b, y_transposed;
};

// Y^T = op(B)^T op(A)^T. So a call that wants Y transposed is a call that does not, with A and B in
// each other's place and read the other way: its rows are Y's columns. What is left is a product of
// `left`, rows x k, and `right`, k x cols, whose rows are stored ld apart.
struct operand {
    const float *at;
    int side;     // its other side is k
    bool along_k; // neighbours in memory are neighbours along k: stored side x k, else k x side
};

struct product {
    struct operand left, right;
    int k;
    const float *bias_of_rows, *bias_of_cols; // one of them at most; else NULL
    float *Y;
    int rows, cols, ld;
};

static struct product product_of(const struct call &call)
{
    struct operand a = {call.A, call.m, !call.transpose_a};
    struct operand b = {call.B, call.n, call.transpose_b};
    if (call.y_transposed)
        return {b, a, call.k, call.bias, NULL, call.Y, call.n, call.m, call.ldy};
    return {a, b, call.k, NULL, call.bias, call.Y, call.m, call.n, call.ldy};
}

// In shared memory both tiles lie across: s_tile[k][place], so that four places are one float4. The
// four more of a row send the eight k's of one copy to different banks.
enum { SIDE = TILE_ROWS, PITCH = SIDE + 4, TILE_FLOATS = TILE_DEPTH * PITCH };
static_assert(TILE_ROWS == TILE_COLS, "either operand can be the left one");

// How a thread copies its part of an operand's tile. It starts PARTS copies for a stage; in what is
// outside of depth, zeros arrive. Instead of a place that does not exist it reads the last one that
// does: the sums that these are added to are not stored.
enum way { ALONG_K, ACROSS, ACROSS_UNALIGNED };

template <enum way WAY> struct fetch;

// Eight lanes read eight neighbours along k, a sector, and turn them: a float at a time.
template <> struct fetch<ALONG_K> {
    enum { LANES = 8, PASS = TILE_THREADS / LANES, PASSES = SIDE / PASS };
    enum { DEPTHS = TILE_DEPTH / LANES, PARTS = PASSES * DEPTHS };
    const float *from[PASSES];
    float *s_to;
    int k;

    __device__ fetch(const struct operand &of, int depth, int first, float *s_tile)
    {
        int place = threadIdx.x / LANES;
        k = threadIdx.x % LANES;
        s_to = s_tile + k * PITCH + place;
        for (int i = 0; i < PASSES; i++)
            from[i] = of.at + (int64_t)min(first + place + i * PASS, of.side - 1) * depth + k;
    }
    __device__ __forceinline__ void copy(int part, int depth)
    {
        int i = part / DEPTHS, further = part % DEPTHS * LANES;
        tile_copy_float(s_to + further * PITCH + i * PASS, from[i] + further,
                        depth == TILE_DEPTH || k + further < depth);
    }
    __device__ __forceinline__ void advance(int depth)
    {
        for (int i = 0; i < PASSES; i++)
            from[i] += depth;
    }
};

// Rows of the tile are stretches of the operand's rows: FLOATS at a time, without turning them.
template <int FLOATS> struct fetch_across {
    enum { LANES = SIDE / FLOATS, PASS = TILE_THREADS / LANES, PARTS = TILE_DEPTH / PASS };
    const float *from;
    float *s_to;
    int k, side;

    __device__ fetch_across(const struct operand &of, int first, float *s_tile)
    {
        int place = threadIdx.x % LANES * FLOATS;
        k = threadIdx.x / LANES;
        side = of.side;
        s_to = s_tile + k * PITCH + place;
        from = of.at + (int64_t)k * side + min(first + place, side - FLOATS);
    }
    __device__ __forceinline__ void copy(int part, int depth)
    {
        const float *start = from + (int64_t)part * PASS * side;
        bool inside = depth == TILE_DEPTH || k + part * PASS < depth;
        if (FLOATS == 4)
            tile_copy_quad(s_to + part * PASS * PITCH, start, inside);
        else
            tile_copy_float(s_to + part * PASS * PITCH, start, inside);
    }
    __device__ __forceinline__ void advance(int depth) { from += (int64_t)depth * side; }
};

template <> struct fetch<ACROSS> : fetch_across<4> {
    __device__ fetch(const struct operand &of, int, int first, float *s_tile)
        : fetch_across(of, first, s_tile)
    {
    }
};

template <> struct fetch<ACROSS_UNALIGNED> : fetch_across<1> {
    __device__ fetch(const struct operand &of, int, int first, float *s_tile)
        : fetch_across(of, first, s_tile)
    {
    }
};

// What tile_loop_of() wants: both operands, each in its own way.
template <enum way LEFT, enum way RIGHT> struct copier {
    enum {
        A_PITCH = PITCH,
        B_PITCH = PITCH,
        STAGE_FLOATS = 2 * TILE_FLOATS,
        PARTS = fetch<LEFT>::PARTS + fetch<RIGHT>::PARTS,
    };
    fetch<LEFT> left;
    fetch<RIGHT> right;

    __device__ __forceinline__ void advance(int depth)
    {
        left.advance(depth);
        right.advance(depth);
        __pipeline_commit();
    }
    __device__ __forceinline__ void copy_stage(int depth)
    {
#pragma unroll
        for (int part = 0; part < fetch<LEFT>::PARTS; part++)
            left.copy(part, depth);
#pragma unroll
        for (int part = 0; part < fetch<RIGHT>::PARTS; part++)
            right.copy(part, depth);
        advance(depth);
    }
    __device__ __forceinline__ void copy_part(int part)
    {
        if (part < fetch<LEFT>::PARTS)
            left.copy(part, TILE_DEPTH);
        else
            right.copy(part - fetch<LEFT>::PARTS, TILE_DEPTH);
        if (part == PARTS - 1)
            advance(TILE_DEPTH);
    }
    __device__ __forceinline__ void turn(int floats)
    {
        left.s_to += floats;
        right.s_to += floats;
    }
};

// Four neighbours of a row are one float4 if that is aligned and none of them lies past the row.
static __device__ void store_quad(float *to, const float (&quad)[4], int inside, bool aligned)
{
    if (aligned && inside >= 4)
        *(float4 *)to = make_float4(quad[0], quad[1], quad[2], quad[3]);
    else
        for (int i = 0; i < 4; i++)
            if (i < inside)
                to[i] = quad[i];
}

// The bias of a thread's rows or columns is loaded once, four places at a time; 0 where there is
// none.
static __device__ void load_bias(const float *bias, int place, int places, float *quad)
{
    bool aligned = (uintptr_t)bias % sizeof(float4) == 0;
    if (bias && aligned && place + 4 <= places)
        tile_read_quad(bias + place, quad);
    else
        for (int i = 0; i < 4; i++)
            quad[i] = bias && place + i < places ? bias[place + i] : 0;
}

static __device__ __forceinline__ void finish(const struct product &p,
                                              const float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    bool aligned = (uintptr_t)p.Y % sizeof(float4) == 0 && p.ld % 4 == 0;
    float of_row[TILE_SUM_ROWS], of_col[TILE_SUM_COLS];
#pragma unroll
    for (int r = 0; r < TILE_SUM_ROWS; r += 4)
        load_bias(p.bias_of_rows, tile_row(r), p.rows, &of_row[r]);
#pragma unroll
    for (int c = 0; c < TILE_SUM_COLS; c += 4)
        load_bias(p.bias_of_cols, tile_col(c), p.cols, &of_col[c]);
#pragma unroll
    for (int r = 0; r < TILE_SUM_ROWS; r++) {
        int row = tile_row(r);
        if (row >= p.rows)
            continue;
#pragma unroll
        for (int c = 0; c < TILE_SUM_COLS; c += 4) {
            float quad[4];
            for (int i = 0; i < 4; i++)
                quad[i] = sum[r][c + i] + of_row[r] + of_col[c + i];
            store_quad(p.Y + (int64_t)row * p.ld + tile_col(c), quad, p.cols - tile_col(c),
                       aligned);
        }
    }
}

template <enum way LEFT, enum way RIGHT>
static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) gemm(struct product p)
{
    __shared__ __align__(16) float s_stage[2][2][TILE_FLOATS]; // of either stage: left, right
    struct copier<LEFT, RIGHT> from = {
        {p.left, p.k, (int)blockIdx.y * TILE_ROWS, s_stage[0][0]},
        {p.right, p.k, (int)blockIdx.x * TILE_COLS, s_stage[0][1]},
    };
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_loop_of(from, s_stage[0][0] + tile_thread_row(), s_stage[0][1] + tile_thread_col(), p.k,
                 sum);
    finish(p, sum);
}

static enum way way_of(const struct operand &of)
{
    bool aligned = (uintptr_t)of.at % sizeof(float4) == 0 && of.side % 4 == 0;
    return of.along_k ? ALONG_K : aligned ? ACROSS : ACROSS_UNALIGNED;
}

static void launch(const struct call &call, cudaStream_t stream)
{
    static void (*const KERNELS[3][3])(struct product) = {
        {gemm<ALONG_K, ALONG_K>, gemm<ALONG_K, ACROSS>, gemm<ALONG_K, ACROSS_UNALIGNED>},
        {gemm<ACROSS, ALONG_K>, gemm<ACROSS, ACROSS>, gemm<ACROSS, ACROSS_UNALIGNED>},
        {gemm<ACROSS_UNALIGNED, ALONG_K>, gemm<ACROSS_UNALIGNED, ACROSS>,
         gemm<ACROSS_UNALIGNED, ACROSS_UNALIGNED>},
    };
    struct product p = product_of(call);
    KERNELS[way_of(p.left)][way_of(p.right)]
        <<<tile_grid(p.rows, p.cols), TILE_THREADS, 0, stream>>>(p);
}

static bool is_side(int64_t side)
{
    return side >= 0 && side <= LESSON7_LARGEST_SIDE;
}

cudaError_t lesson7_gemm_layout(const float *A, const float *B, const float *bias, float *Y,
                                int64_t ldy, bool y_transposed, const struct quest_gemm *gemm,
                                cudaStream_t stream)
{
    if (!is_side(gemm->m) || !is_side(gemm->n) || !is_side(gemm->k) || !is_side(ldy) ||
        ldy < (y_transposed ? gemm->m : gemm->n) || gemm->activation != QUEST_ACT_NONE ||
        gemm->save_z || (bias != NULL) != gemm->with_bias)
        return cudaErrorInvalidValue;
    struct call call = {A, B, bias, Y, (int)gemm->m, (int)gemm->n, (int)gemm->k, (int)ldy,
                        gemm->transpose_a, gemm->transpose_b, y_transposed};
    if (call.m > 0 && call.n > 0)
        launch(call, stream);
    return cudaGetLastError();
}
