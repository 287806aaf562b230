// Lesson 6, the production GEMM. Read lessons/06_gemm/notes.md first.
// What the functions must do: common/contracts/06_gemm.h; cuBLASLt's calls: common/lt_matmul.h
// Judge it with: make check-lesson6        Stuck? make hint-lesson6
#include "lt_matmul.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the contract lets a caller ask for.
static bool is_askable(const void *A, const void *B, const void *bias, const void *Y,
                       const struct quest_gemm *gemm)
{
    if (!A || !B || !Y || !gemm || gemm->m < 1 || gemm->n < 1 || gemm->k < 1 || gemm->save_z)
        return false;
    bool is_fused = gemm->activation == QUEST_ACT_NONE || gemm->activation == QUEST_ACT_RELU ||
                    gemm->activation == QUEST_ACT_GELU_TANH;
    return is_fused && gemm->with_bias == (bias != NULL);
}

// Plans are worth something to the library and the device they were made with, and to no others.
static cudaError_t stamp_here(struct lesson6_stamp *stamp, const void *bytes, size_t count)
{
    cudaDeviceProp properties;
    int device;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, device);
    memset(stamp, 0, sizeof *stamp);
    stamp->magic = LESSON6_MAGIC;
    stamp->library_version = cublasLtGetVersion();
    if (error == cudaSuccess)
        snprintf(stamp->device, sizeof stamp->device, "%s", properties.name);
    stamp->bytes = count;
    stamp->checksum = lesson6_checksum(bytes, count);
    return error;
}

// A stamp, and behind it count bytes.
static cudaError_t file_write(const char *path, const void *bytes, size_t count)
{
    struct lesson6_stamp stamp;
    cudaError_t error = stamp_here(&stamp, bytes, count);
    FILE *file = error == cudaSuccess ? fopen(path, "wb") : NULL;
    if (!file)
        return error == cudaSuccess ? cudaErrorUnknown : error;
    bool written = fwrite(&stamp, sizeof stamp, 1, file) == 1 &&
                   fwrite(bytes, 1, count, file) == count;
    return fclose(file) == 0 && written ? cudaSuccess : cudaErrorUnknown;
}

// The bytes behind a stamp that is as it would be written here and now; free() them.
static cudaError_t file_read(const char *path, void **bytes, size_t *count)
{
    enum { MOST_BYTES = 1 << 26 };
    struct lesson6_stamp stamp, here;
    FILE *file = fopen(path, "rb");
    *bytes = NULL;
    if (!file)
        return cudaErrorInvalidValue;
    bool whole = fread(&stamp, sizeof stamp, 1, file) == 1 && stamp.bytes <= MOST_BYTES;
    if (whole)
        *bytes = malloc(stamp.bytes + 1);
    whole = *bytes && fread(*bytes, 1, stamp.bytes + 1, file) == stamp.bytes; // and no more
    fclose(file);
    if (whole && stamp_here(&here, *bytes, stamp.bytes) == cudaSuccess &&
        memcmp(&stamp, &here, sizeof here) == 0) {
        *count = stamp.bytes;
        return cudaSuccess;
    }
    free(*bytes);
    return cudaErrorInvalidValue;
}

// quest: begin
// This is longer than a lesson's answer has to be: half of it, padding and measuring, is for speed.
//
// A plan answers one kind of problem: how it is described to the library, by which algorithm it is
// computed, and whether its matrices are first copied to where they lie better.

// What tells kinds apart: all that the answer depends on. Device and library version are those of
// the context (and of a file's stamp), the room for a workspace, too. Compared byte by byte, so it
// is all zeros before it is filled in.
struct kind {
    int64_t m, n, k;
    uint8_t type, activation, transpose_a, transpose_b, with_bias;
    uint8_t align_a, align_b, align_y, align_bias; // powers of two, up to 16 bytes
};

static struct kind kind_of(enum lesson6_type type, const void *A, const void *B, const void *bias,
                           const void *Y, const struct quest_gemm *gemm)
{
    struct kind kind;
    memset(&kind, 0, sizeof kind);
    kind.m = gemm->m;
    kind.n = gemm->n;
    kind.k = gemm->k;
    kind.type = (uint8_t)type;
    kind.activation = (uint8_t)gemm->activation;
    kind.transpose_a = gemm->transpose_a;
    kind.transpose_b = gemm->transpose_b;
    kind.with_bias = gemm->with_bias;
    kind.align_a = (uint8_t)lt_alignment(A);
    kind.align_b = (uint8_t)lt_alignment(B);
    kind.align_y = (uint8_t)lt_alignment(Y);
    kind.align_bias = (uint8_t)lt_alignment(bias);
    return kind;
}

static struct quest_gemm gemm_of(const struct kind *kind)
{
    struct quest_gemm gemm = {};
    gemm.m = kind->m;
    gemm.n = kind->n;
    gemm.k = kind->k;
    gemm.transpose_a = kind->transpose_a;
    gemm.transpose_b = kind->transpose_b;
    gemm.with_bias = kind->with_bias;
    gemm.activation = (enum quest_activation)kind->activation;
    return gemm;
}

// ---- Padding ------------------------------------------------------------------------------------

// Tensor cores are fed 16 bytes at a time, so every row should start at a multiple of that and have
// such a length. Where it is not so, elements are fetched in pieces, which costs 4099^3 five sixths
// of its speed on an H200, and three quarters of the rest when there is an epilogue. The cure is a
// larger problem: copies with longer rows, zeros where nothing was, and the part of the result that
// was asked for. Whether it pays is a question for the clock.
enum { STEP_BYTES = 16, ELEMENT_BYTES = 2, STEP = STEP_BYTES / ELEMENT_BYTES, PART_BYTES = 256 };

struct part {                     // a matrix, as it is and as it is copied
    int64_t rows, columns, padded_rows, padded_columns;
    size_t offset;                // in the workspace
    bool copied;                  // or used where it lies
};

struct padding {
    struct quest_gemm gemm;       // what is computed
    struct part a, b, bias, y;
    size_t bytes;                 // of the workspace
};

static int64_t rounded_up(int64_t value, int64_t step)
{
    return (value + step - 1) / step * step;
}

static struct part part_of(int64_t rows, int64_t columns, int64_t padded_rows,
                           int64_t padded_columns, unsigned alignment, struct padding *padding)
{
    struct part part = {rows, columns, padded_rows, padded_columns, padding->bytes, false};
    part.copied = rows != padded_rows || columns != padded_columns || alignment < STEP_BYTES;
    if (part.copied)
        padding->bytes += (size_t)rounded_up(padded_rows * padded_columns * ELEMENT_BYTES,
                                             PART_BYTES);
    return part;
}

// Everything used where it lies, or what is awkward copied. The sides that lie along rows count.
static struct padding padding_of(const struct kind *kind, bool padded)
{
    struct padding padding = {};
    const struct quest_gemm gemm = gemm_of(kind);
    int64_t m = gemm.m, n = gemm.n, k = gemm.k;
    padding.gemm = gemm;
    if (!padded)
        return padding;
    int64_t to_m = padding.gemm.m = gemm.transpose_a ? rounded_up(m, STEP) : m;
    int64_t to_n = padding.gemm.n = rounded_up(n, STEP);
    int64_t to_k = padding.gemm.k = rounded_up(k, STEP);
    padding.a = gemm.transpose_a ? part_of(k, m, to_k, to_m, kind->align_a, &padding)
                                 : part_of(m, k, to_m, to_k, kind->align_a, &padding);
    padding.b = gemm.transpose_b ? part_of(n, k, to_n, to_k, kind->align_b, &padding)
                                 : part_of(k, n, to_k, to_n, kind->align_b, &padding);
    if (gemm.with_bias)
        padding.bias = part_of(1, n, 1, to_n, kind->align_bias, &padding);
    padding.y = part_of(m, n, to_m, to_n, kind->align_y, &padding);
    return padding;
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
        *error = copy(original, part->columns, part, room + part->offset, part->padded_rows,
                      part->padded_columns, stream);
    return room + part->offset;
}

// ---- Plans --------------------------------------------------------------------------------------

struct plan {
    struct plan *next;
    struct kind kind;
    struct padding padding;
    struct lt_matmul matmul;
    cublasLtMatmulAlgo_t algo;
};

enum { BUCKETS = 1024, CANDIDATES = 8, MOST_WAYS = 4 * CANDIDATES, TURNS = 11 };

struct lesson6_context {
    cublasLtHandle_t handle;
    char *workspace;
    size_t workspace_bytes;
    size_t l2_bytes;
    struct plan *plans[BUCKETS];   // by hash of the kind
    size_t plan_count;
    cudaEvent_t start, end;
};

static struct plan **bucket_of(struct lesson6_context *context, const struct kind *kind)
{
    return &context->plans[lesson6_checksum(kind, sizeof *kind) % BUCKETS];
}

static struct plan *plan_find(struct lesson6_context *context, const struct kind *kind)
{
    struct plan *plan = *bucket_of(context, kind);
    while (plan && memcmp(&plan->kind, kind, sizeof *kind) != 0)
        plan = plan->next;
    return plan;
}

static void plan_keep(struct lesson6_context *context, struct plan *plan)
{
    struct plan **bucket = bucket_of(context, &plan->kind);
    plan->next = *bucket;
    *bucket = plan;
    context->plan_count++;
}

// A plan that lacks its algorithm; NULL and an error if there is no room for it.
static struct plan *plan_new(const struct lesson6_context *context, const struct kind *kind,
                             bool padded, cudaError_t *error)
{
    struct padding padding = padding_of(kind, padded);
    struct plan *plan = padding.bytes <= context->workspace_bytes
                            ? (struct plan *)calloc(1, sizeof *plan)
                            : NULL;
    *error = cudaErrorMemoryAllocation;
    if (!plan)
        return NULL;
    plan->kind = *kind;
    plan->padding = padding;
    *error = lt_describe(&plan->matmul, (enum lesson6_type)kind->type, &padding.gemm,
                         lt_packed(&padding.gemm));
    if (*error == cudaSuccess)
        return plan;
    free(plan);
    return NULL;
}

static void plan_free(struct plan *plan)
{
    if (plan)
        lt_forget(&plan->matmul);
    free(plan);
}

// The library's workspace lies behind the copies.
static size_t workspace_left(const struct lesson6_context *context, const struct plan *plan)
{
    return context->workspace_bytes - plan->padding.bytes;
}

static cudaError_t plan_run(const struct lesson6_context *context, struct plan *plan,
                            const cublasLtMatmulAlgo_t *algo, const struct lt_places *call,
                            cudaStream_t stream)
{
    const struct padding *padding = &plan->padding;
    const struct part *y = &padding->y;
    char *room = context->workspace;
    cudaError_t error = cudaSuccess;
    struct lt_places at = {copied_in(&padding->a, call->A, room, stream, &error),
                           copied_in(&padding->b, call->B, room, stream, &error),
                           copied_in(&padding->bias, call->bias, room, stream, &error),
                           y->copied ? room + y->offset : call->Y,
                           room + padding->bytes,
                           workspace_left(context, plan)};
    if (error == cudaSuccess)
        error = lt_run(context->handle, &plan->matmul, algo, &at, stream);
    if (y->copied && error == cudaSuccess)
        error = copy(at.Y, y->padded_columns, y, call->Y, y->rows, y->columns, stream);
    return error;
}

// ---- Planning -----------------------------------------------------------------------------------

// A way to do it: a plan, as it is or padded, with one algorithm.
struct way {
    struct plan *plan;
    cublasLtMatmulAlgo_t algo;
    float time_ms;        // the shortest of its runs; infinite while there is none
};

static uint32_t alignment_of(const struct part *part, uint32_t where_it_lies)
{
    return part->copied ? (uint32_t)STEP_BYTES : where_it_lies;
}

// Adds what the library offers for a plan with such a workspace, best guess first. Returns how many
// ways there are now.
static int add_ways(const struct lesson6_context *context, struct plan *plan,
                    size_t workspace_bytes, int wanted, struct way *ways, int count)
{
    cublasLtMatmulHeuristicResult_t results[CANDIDATES];
    const struct kind *kind = &plan->kind;
    const struct padding *padding = &plan->padding;
    int found = 0;
    struct lt_promise promise = {workspace_bytes,
                                 alignment_of(&padding->a, kind->align_a),
                                 alignment_of(&padding->b, kind->align_b),
                                 alignment_of(&padding->y, kind->align_y)};
    uint32_t align_bias = alignment_of(&padding->bias, kind->align_bias);
    if (promise.align_y > align_bias) // fetched beside the elements of Y
        promise.align_y = align_bias;
    if (lt_candidates(context->handle, &plan->matmul, &promise, wanted, results, &found) !=
        cudaSuccess)
        return count;
    for (int i = 0; i < found; i++, count++) {
        ways[count].plan = plan;
        ways[count].algo = results[i].algo;
        ways[count].time_ms = INFINITY;
    }
    return count;
}

// The first guess, or all that the clock will choose from. With a workspace at hand the library's
// list is full of split sums, so it is asked without one, too; and first, since what needs none is
// a single kernel.
static int offer(const struct lesson6_context *context, struct plan *plan, bool many,
                 struct way *ways, int count)
{
    if (many)
        count = add_ways(context, plan, 0, CANDIDATES, ways, count);
    return add_ways(context, plan, workspace_left(context, plan), many ? CANDIDATES : 1, ways,
                    count);
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

static cudaError_t empty_l2(const struct lesson6_context *context, cudaStream_t stream)
{
    enum { CACHES = 4, BLOCKS = 1024, THREADS = 256 };
    size_t bytes = context->workspace_bytes < CACHES * context->l2_bytes
                       ? context->workspace_bytes : CACHES * context->l2_bytes;
    read_all<<<BLOCKS, THREADS, 0, stream>>>((const uint4 *)context->workspace,
                                             (int64_t)(bytes / sizeof(uint4)),
                                             (uint32_t *)context->workspace);
    return cudaGetLastError();
}

static float time_once(const struct lesson6_context *context, const struct way *way,
                       bool from_dram, const struct lt_places *call, cudaStream_t stream)
{
    float time_ms;
    cudaError_t error = from_dram ? empty_l2(context, stream) : cudaSuccess;
    cudaEventRecord(context->start, stream);
    if (error == cudaSuccess)
        error = plan_run(context, way->plan, &way->algo, call, stream);
    cudaEventRecord(context->end, stream);
    cudaEventSynchronize(context->end);
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&time_ms, context->start, context->end);
    return error == cudaSuccess ? time_ms : INFINITY;
}

// The library guesses; the clock knows. Every way runs once unmeasured, so that its kernel is
// loaded, and then they take turns, so that a clock that slows down slows all of them. What is far
// behind the best after a turn has lost.
static void time_ways(const struct lesson6_context *context, struct way *ways, int count,
                      bool from_dram, const struct lt_places *call, cudaStream_t stream)
{
    const float far_behind = 1.2f;
    float least_ms = INFINITY;
    for (int i = 0; i < count; i++)
        time_once(context, &ways[i], from_dram, call, stream);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < count; i++)
            if (turn == 0 || ways[i].time_ms <= far_behind * least_ms)
                ways[i].time_ms = fminf(ways[i].time_ms, time_once(context, &ways[i], from_dram,
                                                                   call, stream));
        for (int i = 0; i < count; i++)
            least_ms = fminf(least_ms, ways[i].time_ms);
    }
}

// The first guess, unless another way is faster by more than clocks are good for.
static const struct way *best_of(const struct way *ways, int count)
{
    const float worth_a_change = 0.99f;
    const struct way *best = &ways[0];
    for (int i = 1; i < count; i++)
        if (ways[i].time_ms < (best == ways ? worth_a_change : 1) * best->time_ms)
            best = &ways[i];
    return best;
}

// Small products take some microseconds by whatever algorithm. The others are measured if they can
// be as they will run: with their matrices in DRAM.
static bool is_worth_measuring(const struct lesson6_context *context, const struct kind *kind)
{
    const size_t least_bytes = 16 << 20;
    size_t bytes = (size_t)(kind->m * kind->k + kind->k * kind->n + kind->m * kind->n) *
                   ELEMENT_BYTES;
    return bytes > context->l2_bytes ||
           (bytes > least_bytes && context->workspace_bytes >= 2 * context->l2_bytes);
}

// A plan for a new kind of problem; it is kept. While the stream is captured nothing can be
// measured, and the library's first guess has to do.
static cudaError_t plan_make(struct lesson6_context *context, const struct kind *kind,
                             const struct lt_places *call, cudaStream_t stream, struct plan **made)
{
    struct way ways[MOST_WAYS];
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaError_t error = cudaStreamIsCapturing(stream, &capture), no_room;
    struct plan *as_it_is =
        error == cudaSuccess ? plan_new(context, kind, false, &error) : NULL, *padded = NULL;
    if (!as_it_is)
        return error;
    bool may_measure = capture == cudaStreamCaptureStatusNone;
    bool from_dram = may_measure && is_worth_measuring(context, kind);
    int count = offer(context, as_it_is, from_dram, ways, 0);
    if (may_measure && padding_of(kind, true).bytes > 0)
        padded = plan_new(context, kind, true, &no_room);
    if (padded)
        count = offer(context, padded, from_dram, ways, count);
    if (count > 1)
        time_ways(context, ways, count, from_dram, call, stream);
    const struct way *best = count > 0 ? best_of(ways, count) : NULL;
    if (best) {
        best->plan->algo = best->algo;
        plan_keep(context, best->plan);
        *made = best->plan;
    }
    if (!best || best->plan != as_it_is)
        plan_free(as_it_is);
    if (!best || best->plan != padded)
        plan_free(padded);
    return best ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t lesson6_gemm(struct lesson6_context *context, enum lesson6_type type, const void *A,
                         const void *B, const void *bias, void *Y, const struct quest_gemm *gemm,
                         cudaStream_t stream)
{
    if (!context || !is_askable(A, B, bias, Y, gemm))
        return cudaErrorInvalidValue;
    const struct lt_places call = {A, B, bias, Y, NULL, 0};
    struct kind kind = kind_of(type, A, B, bias, Y, gemm);
    struct plan *plan = plan_find(context, &kind);
    cudaError_t error = plan ? cudaSuccess : plan_make(context, &kind, &call, stream, &plan);
    return error == cudaSuccess ? plan_run(context, plan, &plan->algo, &call, stream) : error;
}

// ---- The context, and its file ------------------------------------------------------------------

cudaError_t lesson6_create(struct lesson6_context **made, void *workspace, size_t workspace_bytes)
{
    if (!made || (!workspace && workspace_bytes))
        return cudaErrorInvalidValue;
    struct lesson6_context *context = (struct lesson6_context *)calloc(1, sizeof *context);
    if (!context)
        return cudaErrorMemoryAllocation;
    context->workspace = (char *)workspace;
    context->workspace_bytes = workspace_bytes;
    int device, l2_bytes = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device);
    context->l2_bytes = (size_t)l2_bytes;
    if (error == cudaSuccess)
        error = lt_error(cublasLtCreate(&context->handle));
    if (error == cudaSuccess)
        error = cudaEventCreate(&context->start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&context->end);
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
    if (context->start)
        cudaEventDestroy(context->start);
    if (context->end)
        cudaEventDestroy(context->end);
    if (context->handle)
        cublasLtDestroy(context->handle);
    free(context);
    return cudaSuccess;
}

// A plan as it lies in a file. The algorithm is plain data; descriptions are made anew.
struct record {
    struct kind kind;
    cublasLtMatmulAlgo_t algo;
    uint64_t padded;
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
        for (const struct plan *plan = context->plans[i]; plan; plan = plan->next) {
            records[count].kind = plan->kind;
            records[count].algo = plan->algo;
            records[count++].padded = plan->padding.bytes > 0;
        }
    cudaError_t error = file_write(path, records, count * sizeof *records);
    free(records);
    return error;
}

// The library has the last word on whether it can still do it.
static struct plan *plan_of_record(struct lesson6_context *context, const struct record *record)
{
    size_t workspace_bytes;
    cudaError_t error;
    struct plan *plan = plan_new(context, &record->kind, record->padded, &error);
    if (!plan)
        return NULL;
    plan->algo = record->algo;
    if (lt_check(context->handle, &plan->matmul, &plan->algo, &workspace_bytes) == cudaSuccess &&
        workspace_bytes <= workspace_left(context, plan))
        return plan;
    plan_free(plan);
    return NULL;
}

// All plans of the file, or none of them: until the last is sound, none is kept.
cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    void *bytes;
    size_t size, count = 0;
    cudaError_t error = context && path ? file_read(path, &bytes, &size) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    const struct record *records = (const struct record *)bytes;
    struct plan *loaded = NULL, *plan = NULL;
    bool sound = size % sizeof *records == 0;
    for (; sound && count < size / sizeof *records; count++) {
        plan = plan_of_record(context, &records[count]);
        sound = plan != NULL;
        if (sound) {
            plan->next = loaded;
            loaded = plan;
        }
    }
    free(bytes);
    while ((plan = loaded)) {
        loaded = plan->next;
        if (sound && !plan_find(context, &plan->kind))
            plan_keep(context, plan);
        else
            plan_free(plan);
    }
    return sound ? cudaSuccess : cudaErrorInvalidValue;
}
// quest: end
