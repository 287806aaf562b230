// Gemm, step 4: a kernel of our own adds bias and activation.
//
// Changed: where rows are no multiples of 16 bytes, there is a third way in the race: the library
// computes op(A) op(B) alone, and one pass over Y does the rest.
// Gained: speed where the workspace has no room for copies, and only the library's fused kernels
// were left: on an H200 these have 0.08 to 0.32 of the speed of PyTorch's F.gelu(F.linear). Four
// such shapes in two types, in 0, 32 and 64 MiB, now have 0.96 to 4.9 of it (measured), but for
// 512 x 768 x 50257 in 0 MiB: 0.2 to 0.4, and there the library's product alone takes as long.
// The top of the ladder, which `make bench` times. (It is long since a submission is one file.)
#include "lt_matmul.h"
#include "plan_file.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// ---- The key ------------------------------------------------------------------------------------

// Everything that the answer depends on, besides what belongs to the context and to the file's
// stamp: workspace, device, library. Compared byte by byte, so there is no gap in it.
struct key {
    int64_t m, n, k;
    bool transpose_a, transpose_b, with_bias;
    uint8_t activation, type;
    uint8_t align_a, align_b, align_y; // powers of two, up to 16 bytes; the bias has 16
};
static_assert(sizeof(struct key) == 3 * sizeof(int64_t) + 8, "no gap");

static struct key key_of(enum lesson6_type type, const void *A, const void *B, const void *Y,
                         const struct quest_gemm *gemm)
{
    const struct key key = {gemm->m, gemm->n, gemm->k,
                            gemm->transpose_a, gemm->transpose_b, gemm->with_bias,
                            (uint8_t)gemm->activation, (uint8_t)type,
                            (uint8_t)lt_alignment(A), (uint8_t)lt_alignment(B),
                            (uint8_t)lt_alignment(Y)};
    return key;
}

// ---- Padding ------------------------------------------------------------------------------------

// Tensor cores are fed 16 bytes at a time, so every row should start at a multiple of that and have
// such a length. Where it is not so, elements are fetched in pieces, which costs 4099^3 five sixths
// of its speed on an H200, and three quarters of the rest when there is an epilogue. The cure is a
// larger problem: copies with longer rows, zeros where nothing was, and the part of the result that
// was asked for. Whether it pays is a question for the clock. Where there is no room for copies,
// the library computes op(A) op(B) alone, and a kernel of ours adds bias and activation.
enum how { UNFUSED, AS_IT_LIES, PADDED, HOWS }; // by what to try if only one may be
enum { STEP_BYTES = 16, ELEMENT_BYTES = 2, STEP = STEP_BYTES / ELEMENT_BYTES, PART_BYTES = 256 };

struct part {                     // a matrix, as it lies and as it is copied
    int64_t rows, columns, to_rows, to_columns;
    size_t offset;                // of the copy, in the workspace
    bool copied;                  // or used where it lies
};

struct layout {
    struct quest_gemm gemm;       // what is computed
    struct part a, b, bias, y;
    size_t bytes;                 // of all copies; the library's workspace lies behind them
};

static int64_t rounded_up(int64_t value, int64_t step)
{
    return (value + step - 1) / step * step;
}

static struct part part_of(int64_t rows, int64_t columns, int64_t to_rows, int64_t to_columns,
                           bool transposed, unsigned alignment, size_t *bytes)
{
    if (transposed)
        return part_of(columns, rows, to_columns, to_rows, false, alignment, bytes);
    struct part part = {rows, columns, to_rows, to_columns, *bytes, false};
    part.copied = rows != to_rows || columns != to_columns || alignment < STEP_BYTES;
    if (part.copied)
        *bytes += (size_t)rounded_up(to_rows * to_columns * ELEMENT_BYTES, PART_BYTES);
    return part;
}

// Everything used where it lies, or what is awkward copied. The sides that lie along rows count.
static struct layout layout_of(const struct key *key, enum how how)
{
    const int64_t m = key->m, n = key->n, k = key->k;
    struct layout layout = {{m, n, k, key->transpose_a, key->transpose_b, key->with_bias, false,
                             (enum quest_activation)key->activation, 0}};
    struct quest_gemm *to = &layout.gemm;
    if (how == UNFUSED) {
        to->with_bias = false;
        to->activation = QUEST_ACT_NONE;
    }
    if (how != PADDED)
        return layout;
    to->m = key->transpose_a ? rounded_up(m, STEP) : m;
    to->n = rounded_up(n, STEP);
    to->k = rounded_up(k, STEP);
    layout.a = part_of(m, k, to->m, to->k, key->transpose_a, key->align_a, &layout.bytes);
    layout.b = part_of(k, n, to->k, to->n, key->transpose_b, key->align_b, &layout.bytes);
    if (key->with_bias)
        layout.bias = part_of(1, n, 1, to->n, false, STEP_BYTES, &layout.bytes);
    layout.y = part_of(m, n, to->m, to->n, false, key->align_y, &layout.bytes);
    return layout;
}

// There is something to pad; the library rounds before its own epilogue then, too.
static bool is_awkward(const struct key *key)
{
    return layout_of(key, PADDED).bytes > 0;
}

static bool has_epilogue(const struct key *key)
{
    return key->with_bias || key->activation != QUEST_ACT_NONE;
}

enum { COPY_THREADS = 256, COPY_ELEMENTS = 8, COPY_COLUMNS = COPY_THREADS * COPY_ELEMENTS };

// A block writes up to COPY_COLUMNS of one row; what is not there to be read is zero. Eight loads
// are on their way at a time, since one of 2 bytes would not keep the memory busy.
static __global__ void copy_rows(const uint16_t *from, int64_t from_pitch, int64_t rows,
                                 int64_t columns, uint16_t *to, int64_t to_columns)
{
    int64_t row = blockIdx.x, first = (int64_t)blockIdx.y * COPY_COLUMNS + threadIdx.x;
    uint16_t values[COPY_ELEMENTS];
#pragma unroll
    for (int i = 0; i < COPY_ELEMENTS; i++) {
        int64_t column = first + i * COPY_THREADS;
        values[i] = row < rows && column < columns ? from[row * from_pitch + column] : 0;
    }
#pragma unroll
    for (int i = 0; i < COPY_ELEMENTS; i++) {
        int64_t column = first + i * COPY_THREADS;
        if (column < to_columns)
            to[row * to_columns + column] = values[i];
    }
}

static cudaError_t copy(const void *from, int64_t from_pitch, const struct part *part, void *to,
                        int64_t to_rows, int64_t to_columns, cudaStream_t stream)
{
    dim3 grid((unsigned)to_rows, (unsigned)((to_columns + COPY_COLUMNS - 1) / COPY_COLUMNS));
    copy_rows<<<grid, COPY_THREADS, 0, stream>>>((const uint16_t *)from, from_pitch, part->rows,
                                                 part->columns, (uint16_t *)to, to_columns);
    return cudaGetLastError();
}

// Where an operand is to be read: the copy that is made of it now, or the original.
static const void *copied_in(const struct part *part, const void *original, char *room,
                             cudaStream_t stream, cudaError_t *error)
{
    if (!part->copied)
        return original;
    if (*error == cudaSuccess)
        *error = copy(original, part->columns, part, room + part->offset, part->to_rows,
                      part->to_columns, stream);
    return room + part->offset;
}

// ---- Finishing ----------------------------------------------------------------------------------

static __device__ void widen(const __half &from, float *to) { *to = __half2float(from); }
static __device__ void widen(const __nv_bfloat16 &from, float *to) { *to = __bfloat162float(from); }
static __device__ void narrow(float from, __half *to) { *to = __float2half(from); }
static __device__ void narrow(float from, __nv_bfloat16 *to) { *to = __float2bfloat16(from); }

static __device__ float activate(float z, uint8_t activation)
{
    const float sqrt_2_over_pi = 0.79788456f;
    if (activation == QUEST_ACT_RELU)
        return z < 0 ? 0 : z; // a NaN stays one
    if (activation == QUEST_ACT_GELU_TANH)
        return __fdividef(z, 1 + __expf(-2 * sqrt_2_over_pi * (z + 0.044715f * z * z * z)));
    return z;
}

enum { FINISH_THREADS = 256 };

// act(Y + bias), in place. Rows have no gaps, so Y is one long row. A thread takes 16 bytes of it,
// wherever its rows begin. lead: elements between the last multiple of 16 bytes and Y.
template <class element>
static __global__ void finish(element *Y, const element *bias, int64_t count, int64_t n, int lead,
                              uint8_t activation)
{
    int64_t first = ((int64_t)blockIdx.x * FINISH_THREADS + threadIdx.x) * STEP - lead;
    union {
        uint4 quad;
        element of[STEP];
    } values;
    if (first >= count)
        return;
    bool whole = first >= 0 && first + STEP <= count;
    if (whole)
        values.quad = *(const uint4 *)&Y[first];
    int64_t column = first < 0 ? 0 : first % n;
#pragma unroll
    for (int i = 0; i < STEP; i++) {
        if (first + i < 0 || first + i >= count)
            continue;
        float z;
        widen(whole ? values.of[i] : Y[first + i], &z);
        if (bias) {
            float b;
            widen(bias[column], &b);
            z += b;
        }
        column = column + 1 == n ? 0 : column + 1;
        narrow(activate(z, activation), &values.of[i]);
        if (!whole)
            Y[first + i] = values.of[i];
    }
    if (whole)
        *(uint4 *)&Y[first] = values.quad;
}

template <class element>
static cudaError_t finish_all(const struct key *key, const struct lt_places *call,
                              cudaStream_t stream)
{
    int64_t count = key->m * key->n;
    int lead = (int)((uintptr_t)call->Y % STEP_BYTES / ELEMENT_BYTES);
    int64_t threads = (count + lead + STEP - 1) / STEP;
    finish<<<(unsigned)((threads + FINISH_THREADS - 1) / FINISH_THREADS), FINISH_THREADS, 0,
             stream>>>((element *)call->Y, (const element *)call->bias, count, key->n, lead,
                       key->activation);
    return cudaGetLastError();
}

// ---- The plan -----------------------------------------------------------------------------------

// How a kind of problem is described to the library, where its matrices are, and by what algorithm
// it is computed.
struct plan {
    struct plan *next;
    struct key key;
    enum how how;
    struct layout layout;
    struct lt_matmul matmul;
    cublasLtMatmulAlgo_t algo;
};

// A plan, carried out with certain pointers; as a graph, once that has happened twice.
struct replay {
    struct plan *plan;
    struct lt_places call;
    cudaGraphExec_t graph;
};

enum { BUCKETS = 1024, REPLAYS = 256 };

struct lesson6_context {
    cublasLtHandle_t handle;
    char *workspace;
    size_t workspace_bytes;
    struct plan *plans[BUCKETS];      // by hash of the key
    size_t plan_count;
    struct replay replays[REPLAYS];   // by hash of plan and pointers
    cudaStream_t captured;            // where graphs are made
};

static size_t workspace_left(const struct lesson6_context *context, const struct plan *plan)
{
    return context->workspace_bytes - plan->layout.bytes;
}

static void plan_free(struct plan *plan)
{
    if (plan)
        lt_forget(&plan->matmul);
    free(plan);
}

// A plan that lacks its algorithm; NULL if there is no room for it, or no reason.
static struct plan *plan_new(const struct lesson6_context *context, const struct key *key,
                             enum how how)
{
    const struct layout layout = layout_of(key, how);
    if (layout.bytes > context->workspace_bytes || (how != AS_IT_LIES && !is_awkward(key)) ||
        (how == UNFUSED && !has_epilogue(key)))
        return NULL;
    struct plan *plan = (struct plan *)calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->key = *key;
    plan->how = how;
    plan->layout = layout;
    if (lt_describe(&plan->matmul, (enum lesson6_type)key->type, &layout.gemm,
                    lt_packed(&layout.gemm)) == cudaSuccess)
        return plan;
    free(plan);
    return NULL;
}

static cudaError_t plan_run(const struct lesson6_context *context, struct plan *plan,
                            const cublasLtMatmulAlgo_t *algo, const struct lt_places *call,
                            cudaStream_t stream)
{
    const struct layout *layout = &plan->layout;
    const struct part *y = &layout->y;
    char *room = context->workspace;
    cudaError_t error = cudaSuccess;
    struct lt_places at = {copied_in(&layout->a, call->A, room, stream, &error),
                           copied_in(&layout->b, call->B, room, stream, &error),
                           copied_in(&layout->bias, call->bias, room, stream, &error),
                           y->copied ? room + y->offset : call->Y,
                           room + layout->bytes,
                           workspace_left(context, plan)};
    if (error == cudaSuccess)
        error = lt_run(context->handle, &plan->matmul, algo, &at, stream);
    if (y->copied && error == cudaSuccess)
        error = copy(at.Y, y->to_columns, y, call->Y, y->rows, y->columns, stream);
    if (plan->how == UNFUSED && error == cudaSuccess)
        error = plan->key.type == LESSON6_F16
                    ? finish_all<__half>(&plan->key, call, stream)
                    : finish_all<__nv_bfloat16>(&plan->key, call, stream);
    return error;
}

// ---- The race -----------------------------------------------------------------------------------

// The library names 8 candidates at most. With a workspace at hand most of them are split sums, so
// it is asked without one, too.
// RACE_MS is for the products alone, on the caller's stream. One of 16384^3 takes 11 ms: then each
// way is timed once, and the race is over after that or two turns more.
enum { CANDIDATES = 8, MOST_WAYS = 2 * CANDIDATES * HOWS, RACE_MS = 250 };

// A way to do it: a plan, as it lies or padded, with one algorithm; and how long that took.
struct way {
    struct plan *plan;
    cublasLtMatmulAlgo_t algo;
    int samples;
    float sum_ms, slowest_ms;
};

struct race {
    const struct lesson6_context *context;
    const struct lt_places *call;
    cudaStream_t stream;
    cudaEvent_t start, end;
    size_t flush_bytes;           // what is read before each run
    float spent_ms;
    int count;
    struct way ways[MOST_WAYS];
};

static bool is_entered(const struct race *race, const struct way *way)
{
    for (int i = 0; i < race->count; i++)
        if (race->ways[i].plan == way->plan &&
            memcmp(&race->ways[i].algo, &way->algo, sizeof way->algo) == 0)
            return true;
    return false;
}

// Enters what the library offers for a plan in so much workspace, its best guess first.
static void enter(struct race *race, struct plan *plan, size_t workspace_bytes, int wanted)
{
    cublasLtMatmulHeuristicResult_t results[CANDIDATES];
    const struct key *key = &plan->key;
    struct lt_promise promise = {workspace_bytes, key->align_a, key->align_b, key->align_y};
    int found = 0;
    if (plan->how == PADDED)
        promise.align_a = promise.align_b = promise.align_y = STEP_BYTES;
    lt_candidates(race->context->handle, &plan->matmul, &promise, wanted, results, &found);
    for (int i = 0; i < found; i++) {
        const struct way way = {plan, results[i].algo};
        if (!is_entered(race, &way))
            race->ways[race->count++] = way;
    }
}

// Run after run, a product whose matrices fit in the L2 finds them there. In earnest they come from
// DRAM, which is another race. So before a run that counts something else is read: the workspace.
static __global__ void read_all(const uint4 *quads, int64_t count, uint32_t *sink)
{
    uint32_t bits = 0;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * blockDim.x)
        bits |= quads[i].x | quads[i].y | quads[i].z | quads[i].w;
    if (bits == 1) // hardly ever; but it has to be read for that
        *sink = bits;
}

static float run_ms(struct race *race, const struct way *way)
{
    enum { BLOCKS = 1024, THREADS = 256 };
    const float failed_ms = 1e9f;
    float time_ms;
    if (race->flush_bytes > 0)
        read_all<<<BLOCKS, THREADS, 0, race->stream>>>(
            (const uint4 *)race->context->workspace,
            (int64_t)(race->flush_bytes / sizeof(uint4)), (uint32_t *)race->context->workspace);
    cudaEventRecord(race->start, race->stream);
    cudaError_t error = plan_run(race->context, way->plan, &way->algo, race->call, race->stream);
    cudaEventRecord(race->end, race->stream);
    cudaEventSynchronize(race->end);
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&time_ms, race->start, race->end);
    race->spent_ms += error == cudaSuccess ? time_ms : 0;
    return error == cudaSuccess ? time_ms : failed_ms;
}

// A sample is two runs: what the L2 keeps of the weights takes turns between two states.
static void sample(struct race *race, struct way *way)
{
    float time_ms = (run_ms(race, way) + run_ms(race, way)) / 2;
    way->samples++;
    way->sum_ms += time_ms;
    way->slowest_ms = fmaxf(way->slowest_ms, time_ms);
}

// The mean of all samples but the slowest, which something may have disturbed.
static float mean_ms(const struct way *way)
{
    return way->samples > 1 ? (way->sum_ms - way->slowest_ms) / (float)(way->samples - 1)
                            : way->sum_ms;
}

static int by_time(const void *a, const void *b)
{
    float first_ms = mean_ms((const struct way *)a), second_ms = mean_ms((const struct way *)b);
    return (first_ms > second_ms) - (first_ms < second_ms);
}

// One sample of each that is left, unless the race has taken long enough.
static bool take_turn(struct race *race, int left)
{
    if (race->spent_ms > RACE_MS)
        return false;
    for (int i = 0; i < left; i++)
        sample(race, &race->ways[i]);
    return true;
}

// The library guesses; the clock knows. Ways take turns, so that a clock that slows down slows all
// of them; the slower half drops out, and so does what takes twice as long as the best, and the
// others are timed twice as often, until one is left or the time is up. It stands first.
static void run_race(struct race *race)
{
    cudaEventCreate(&race->start);
    cudaEventCreate(&race->end);
    int left = race->count;
    bool has_time = true;
    for (int i = 0; i < left; i++) { // loads its kernel; of long products it is all there is
        race->ways[i].slowest_ms = race->ways[i].sum_ms = run_ms(race, &race->ways[i]);
        race->ways[i].samples = 1;
    }
    for (int turns = 2; left > 1 && has_time; turns *= 2, left = (left + 1) / 2) {
        for (int turn = 0; turn < turns && has_time; turn++)
            has_time = take_turn(race, left);
        qsort(race->ways, (size_t)left, sizeof *race->ways, by_time);
        while (left > 2 && mean_ms(&race->ways[left - 1]) > 2 * mean_ms(race->ways))
            left--;
    }
    cudaEventDestroy(race->end);
    cudaEventDestroy(race->start);
}

// Small products take some microseconds by whatever algorithm. Nor does a race say much if the L2
// holds all matrices and there is too little to read to push them out.
static bool is_worth_a_race(const struct lesson6_context *context, const struct key *key)
{
    const size_t least_bytes = 16 << 20;
    size_t bytes = (size_t)(key->m * key->k + key->k * key->n + key->m * key->n) * ELEMENT_BYTES;
    int device, l2_bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device);
    size_t cache = (size_t)l2_bytes;
    return bytes >= least_bytes && (bytes > cache || context->workspace_bytes >= 2 * cache);
}

static bool is_capturing(cudaStream_t stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    cudaStreamIsCapturing(stream, &status);
    return status != cudaStreamCaptureStatusNone;
}

// What can be padded or finished is slow as it lies, and enters with one candidate.
static void enter_all(struct race *race, struct plan *const *plans, bool may_measure,
                      bool thoroughly)
{
    bool awkward = plans[PADDED] || plans[UNFUSED];
    for (int how = 0; how < HOWS && (may_measure || race->count == 0); how++) {
        struct plan *plan = plans[how];
        if (!plan)
            continue;
        int wanted = thoroughly && (how != AS_IT_LIES || !awkward) ? CANDIDATES : 1;
        size_t room = workspace_left(race->context, plan);
        enter(race, plan, room, wanted);
        if (wanted > 1 && room > 0)
            enter(race, plan, 0, wanted);
    }
}

// A plan for a new kind of problem; NULL when the library has none. While the stream is captured
// nothing can be measured, and the first guess has to do.
static struct plan *plan_make(struct lesson6_context *context, const struct key *key,
                              const struct lt_places *call, cudaStream_t stream)
{
    struct race race = {context, call, stream};
    bool may_measure = !is_capturing(stream);
    bool thoroughly = may_measure && is_worth_a_race(context, key);
    struct plan *plans[HOWS], *best = NULL;
    for (int how = 0; how < HOWS; how++)
        plans[how] = plan_new(context, key, (enum how)how);
    race.flush_bytes = thoroughly ? context->workspace_bytes : 0;
    enter_all(&race, plans, may_measure, thoroughly);
    if (race.count > 1)
        run_race(&race);
    if (race.count > 0) {
        best = race.ways[0].plan;
        best->algo = race.ways[0].algo;
    }
    for (int how = 0; how < HOWS; how++)
        if (plans[how] != best)
            plan_free(plans[how]);
    return best;
}

// ---- The cache ----------------------------------------------------------------------------------

// The link to the plan for a key; it is NULL where there is none yet.
static struct plan **plan_at(struct lesson6_context *context, const struct key *key)
{
    struct plan **at = &context->plans[lesson6_checksum(key, sizeof *key) % BUCKETS];
    while (*at && memcmp(&(*at)->key, key, sizeof *key) != 0)
        at = &(*at)->next;
    return at;
}

static void plan_keep(struct lesson6_context *context, struct plan *plan)
{
    struct plan **at = plan_at(context, &plan->key);
    if (*at) {
        plan_free(plan); // another one is known
    } else {
        *at = plan;
        context->plan_count++;
    }
}

cudaError_t lesson6_create(struct lesson6_context **made, void *workspace, size_t workspace_bytes)
{
    if (!made || (!workspace && workspace_bytes))
        return cudaErrorInvalidValue;
    struct lesson6_context *context = (struct lesson6_context *)calloc(1, sizeof *context);
    if (!context)
        return cudaErrorMemoryAllocation;
    context->workspace = (char *)workspace;
    context->workspace_bytes = workspace_bytes;
    cudaError_t error = cudaStreamCreateWithFlags(&context->captured, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = lt_error(cublasLtCreate(&context->handle));
    if (error != cudaSuccess) {
        lesson6_destroy(context);
        context = NULL;
    }
    *made = context;
    return error;
}

cudaError_t lesson6_destroy(struct lesson6_context *context)
{
    if (!context)
        return cudaErrorInvalidValue;
    for (int i = 0; i < BUCKETS; i++)
        for (struct plan *plan = context->plans[i], *next; plan; plan = next) {
            next = plan->next;
            plan_free(plan);
        }
    for (int i = 0; i < REPLAYS; i++)
        if (context->replays[i].graph)
            cudaGraphExecDestroy(context->replays[i].graph);
    if (context->handle)
        cublasLtDestroy(context->handle);
    if (context->captured)
        cudaStreamDestroy(context->captured);
    free(context);
    return cudaSuccess;
}

// ---- The file -----------------------------------------------------------------------------------

// A plan as it is in a file. The algorithm is plain data; the rest is made anew from the key.
struct record {
    struct key key;
    cublasLtMatmulAlgo_t algo;
    uint64_t how;
};

cudaError_t lesson6_save(struct lesson6_context *context, const char *path)
{
    if (!context || !path)
        return cudaErrorInvalidValue;
    size_t count = 0;
    struct record *records = (struct record *)calloc(context->plan_count + 1, sizeof *records);
    if (!records)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < BUCKETS; i++)
        for (const struct plan *plan = context->plans[i]; plan; plan = plan->next)
            records[count++] = {plan->key, plan->algo, (uint64_t)plan->how};
    cudaError_t error = plan_file_write(path, records, count * sizeof *records);
    free(records);
    return error;
}

// The library has the last word on whether it can still do it, in this context's workspace. NULL if
// not: then it will be asked again.
static struct plan *plan_of_record(struct lesson6_context *context, const struct record *record)
{
    size_t workspace_bytes;
    struct plan *plan =
        record->how < HOWS ? plan_new(context, &record->key, (enum how)record->how) : NULL;
    if (!plan)
        return NULL;
    plan->algo = record->algo;
    if (lt_check(context->handle, &plan->matmul, &plan->algo, &workspace_bytes) == cudaSuccess &&
        workspace_bytes <= workspace_left(context, plan))
        return plan;
    plan_free(plan);
    return NULL;
}

cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    void *bytes;
    size_t size;
    if (!context || !path || plan_file_read(path, &bytes, &size) != cudaSuccess)
        return cudaErrorInvalidValue;
    const struct record *records = (const struct record *)bytes;
    bool whole = size % sizeof *records == 0;
    for (size_t i = 0; whole && i < size / sizeof *records; i++)
        if (struct plan *plan = plan_of_record(context, &records[i]))
            plan_keep(context, plan);
    free(bytes);
    return whole ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- The replay ---------------------------------------------------------------------------------

// What the library would launch for this call, as a graph; NULL if that cannot be had.
static cudaGraphExec_t graph_of_call(const struct lesson6_context *context,
                                     const struct replay *replay)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    if (cudaStreamBeginCapture(context->captured, cudaStreamCaptureModeThreadLocal) != cudaSuccess)
        return NULL;
    cudaError_t error = plan_run(context, replay->plan, &replay->plan->algo, &replay->call,
                                 context->captured);
    if (cudaStreamEndCapture(context->captured, &graph) == cudaSuccess && error == cudaSuccess)
        cudaGraphInstantiate(&exec, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    return exec;
}

// Serving calls with the same pointers step after step, and to launch a graph costs the host a
// fifth of what cublasLtMatmul does. So the second time a graph is made; the first time there is
// none, and NULL. A place in the table belongs to whoever came last: pointers that never return
// make no graphs.
static cudaGraphExec_t replay_find(struct lesson6_context *context, struct plan *plan,
                                   const struct lt_places *call)
{
    const struct replay now = {plan, *call, NULL};
    uint64_t hash = lesson6_checksum(&now, offsetof(struct replay, call.workspace));
    struct replay *replay = &context->replays[hash % REPLAYS];
    if (replay->plan != plan || memcmp(&replay->call, call, sizeof *call) != 0) {
        if (replay->graph)
            cudaGraphExecDestroy(replay->graph);
        *replay = now;
    } else if (!replay->graph) {
        replay->graph = graph_of_call(context, replay);
    }
    return replay->graph;
}

// ---- The call -----------------------------------------------------------------------------------

cudaError_t lesson6_gemm(struct lesson6_context *context, enum lesson6_type type, const void *A,
                         const void *B, const void *bias, void *Y, const struct quest_gemm *gemm,
                         cudaStream_t stream)
{
    if (!context || !lt_is_askable(A, B, bias, Y, gemm))
        return cudaErrorInvalidValue;
    const struct lt_places call = {A, B, bias, Y, NULL, 0};
    const struct key key = key_of(type, A, B, Y, gemm);
    struct plan *plan = *plan_at(context, &key);
    if (!plan && (plan = plan_make(context, &key, &call, stream)))
        plan_keep(context, plan);
    if (!plan)
        return cudaErrorNotSupported;
    cudaGraphExec_t graph = is_capturing(stream) ? NULL : replay_find(context, plan, &call);
    return graph ? cudaGraphLaunch(graph, stream)
                 : plan_run(context, plan, &plan->algo, &call, stream);
}
