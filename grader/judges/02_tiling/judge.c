/* judge.c - lesson 2: shared memory, which reorders data and lets a block reuse it.
 *
 * Two launchers, and so two timed cases. `transpose` needs shared memory to turn what cannot be
 * both read and written side by side, `sgemm` to use what it has fetched more than once.
 *
 * What can go wrong in a transpose is where things go, hence its cases: sides that no tile divides,
 * sides that differ, single rows and columns, pointers that are aligned to a float and no better.
 * In a product there are edges (tiles that hang over a side of A, B or C, each by itself and all
 * together, k shorter than a tile, k = 0, single rows and columns), and what is inside: a barrier,
 * a row length, a precision.
 *
 * The bars hold for both. Time alone would not do: where the matrices fit into L2, a product that
 * fetches everything again for each of its elements is hardly slower than the plain tile.
 *
 * The contract is common/contracts/02_tiling.h; read grader/check/judge.h for the fields.
 * Next: problem.h; then clauses.c, drawn.c, regimes.c, truth.c and mistakes.c.
 */
#include "check/judge_graph.h"
#include "judges/02_tiling/clauses.h"
#include "judges/02_tiling/parts.h"
#include "judges/02_tiling/problem.h"

static const char *const LAUNCHERS[] = {"lesson2_transpose", "lesson2_sgemm", NULL};

/* --- Cases ------------------------------------------------------------------------------------ */

/* What a variable that starts as 0 is for, it may seem to hold already: the first call of a process
 * has every argument as close to 0 as the contract allows. */
#define FIRST .processes = 2, .once = 1

#define ASK(clause) .asks = JUDGE_ASKS(clause)

#define TRANSPOSE_OFF(in_bytes, out_bytes) \
    .offset_bytes = {[TRANSPOSE_IN] = in_bytes, [TRANSPOSE_OUT] = out_bytes}, ASK(ALIGNMENT)
#define TRANSPOSE_REFUSED(text, rows, cols) \
    TRANSPOSE_CASE(text, rows, cols, .refused_with = cudaErrorInvalidValue, ASK(REFUSED))

#define SGEMM_OFF(buffer) .offset_bytes = {[buffer] = sizeof(float)}, ASK(ALIGNMENT)
#define SGEMM_ALL_OFF(bytes) \
    .offset_bytes = {[SGEMM_A] = bytes, [SGEMM_B] = bytes, [SGEMM_C] = bytes}, ASK(ALIGNMENT)
#define SGEMM_SPECIALS(kind) .data = JUDGE_DATA_##kind, ASK(SPREAD)
#define SGEMM_INTEGERS .data = JUDGE_DATA_INTEGERS, .asks = JUDGE_ASKS(ANY_ORDER)
#define SGEMM_PICKS(factor) .data = JUDGE_DATA_PICKS_##factor, ASK(PRECISION)
#define SGEMM_TINY .data = JUDGE_DATA_TINY, ASK(PRECISION)
#define SGEMM_FAINT(factor) \
    .data = JUDGE_DATA_FAINT_##factor, .asks = JUDGE_ASKS(SIDES) | JUDGE_ASKS(PRECISION)
#define ANY_BITS .data = JUDGE_DATA_BITS, .asks = JUDGE_ASKS(SIDES) | JUDGE_ASKS(TURNED)
#define SGEMM_NOTHING .launches_nothing = 1, ASK(EMPTY)
#define SGEMM_REFUSED(text, m, n, k) \
    SGEMM_CASE(text, m, n, k, .refused_with = cudaErrorInvalidValue, ASK(REFUSED))

/* A call with sides as long as the contract allows, and as many elements as memory may ever hold,
 * whose launch must be accepted but does not run; and then a small one, whose results are
 * compared. */
#define TRANSPOSE_LARGEST(text, rows, cols)                                      \
    TRANSPOSE_CASE(text " captured, not launched", 33, 17, .real = {rows, cols}, \
                   .script = LARGEST_FIRST, .asks = JUDGE_ASKS(SIDES) | JUDGE_ASKS(GRAPH))
#define SGEMM_LARGEST(text, m, n, k)                                         \
    SGEMM_CASE(text " captured, not launched", 33, 17, 9, .real = {m, n, k}, \
               .script = LARGEST_FIRST, .asks = JUDGE_ASKS(SIDES) | JUDGE_ASKS(GRAPH))

/* Of a product, a k of 1 is the place for many special values: with more, an infinity and a NaN
 * soon meet in every sum. Sums of integers are exact: in long ones, a product that is left out
 * would else be lost in what is allowed. Where C is small and k is long, blocks may share a sum,
 * and add their parts in the order in which they come. What is told apart before any arithmetic,
 * and how calls are made, is after all others, so that it is not what a beginner hears first. Of
 * two negative sides the product is positive, and so may be the number of tiles. */
static const struct judge_case CASES[] = {
    TRANSPOSE_CASE("1 x 1", 1, 1, ASK(SIDES)),
    TRANSPOSE_CASE("32 x 32", 32, 32, ASK(TURNED)),
    TRANSPOSE_CASE("33 x 17", 33, 17, ASK(LAYOUT)),
    TRANSPOSE_CASE("1 x 513", 1, 513, ASK(SIDES)),
    TRANSPOSE_CASE("513 x 1", 513, 1, ASK(SIDES)),
    TRANSPOSE_CASE("64 x 36", 64, 36, ASK(LAYOUT)),
    TRANSPOSE_CASE("127 x 130", 127, 130, ASK(LAYOUT)),
    TRANSPOSE_CASE("128 x 64, in one element off", 128, 64, TRANSPOSE_OFF(4, 0)),
    TRANSPOSE_CASE("64 x 128, out one element off", 64, 128, TRANSPOSE_OFF(0, 4)),
    TRANSPOSE_CASE("64 x 128, both two elements off", 64, 128, TRANSPOSE_OFF(8, 8)),
    TRANSPOSE_CASE("128 x 68, both one element off", 128, 68, TRANSPOSE_OFF(4, 4)),
    TRANSPOSE_CASE("68 x 128, both three off", 68, 128, TRANSPOSE_OFF(12, 12)),
    TRANSPOSE_CASE("40 x 72, NaN and infinities", 40, 72, .data = JUDGE_DATA_SPECIALS, ASK(TURNED)),
    TRANSPOSE_CASE("97 x 33, NaN and infinities", 97, 33, .data = JUDGE_DATA_SPECIALS, ASK(TURNED)),
    TRANSPOSE_CASE("260 x 516", 260, 516, ASK(TURNED)),
    TRANSPOSE_CASE("1 x 1, first of a process", 1, 1, FIRST, ASK(SIDES)),
    TRANSPOSE_CASE("64 x 96", 64, 96, ASK(TURNED)),
    TRANSPOSE_CASE("64 x 96, then in one off", 64, 96, TRANSPOSE_OFF(4, 0), .after = 1),
    TRANSPOSE_CASE("64 x 96, then out one off", 64, 96, TRANSPOSE_OFF(0, 4), .after = 2),
    TRANSPOSE_CASE("64 x 96, then 63 x 96", 63, 96, .after = 3, ASK(SIDES)),
    TRANSPOSE_CASE("64 x 96, then 64 x 95", 64, 95, .after = 4, ASK(SIDES)),
    SGEMM_CASE("1 x 1 x 1", 1, 1, 1, ASK(SIDES)),
    SGEMM_CASE("32 x 32 x 32", 32, 32, 32, ASK(PRODUCT)),
    SGEMM_CASE("32 x 16 x 64", 32, 16, 64, ASK(LAYOUT)),
    SGEMM_CASE("33 x 17 x 65", 33, 17, 65, ASK(LAYOUT)),
    SGEMM_CASE("31 x 33 x 1", 31, 33, 1, ASK(SIDES)),
    SGEMM_CASE("1 x 513 x 77", 1, 513, 77, ASK(SIDES)),
    SGEMM_CASE("257 x 3 x 40", 257, 3, 40, ASK(LAYOUT)),
    SGEMM_CASE("64 x 64 x 0: zeros", 64, 64, 0, ASK(ZEROS)),
    SGEMM_CASE("1 x 67 x 0: zeros", 1, 67, 0, ASK(ZEROS)),
    SGEMM_CASE("64 x 96 x 40, A one element off", 64, 96, 40, SGEMM_OFF(SGEMM_A)),
    SGEMM_CASE("64 x 96 x 40, B one element off", 64, 96, 40, SGEMM_OFF(SGEMM_B)),
    SGEMM_CASE("64 x 96 x 40, C one element off", 64, 96, 40, SGEMM_OFF(SGEMM_C)),
    SGEMM_CASE("64 x 96 x 40, all one element off", 64, 96, 40, SGEMM_ALL_OFF(4)),
    SGEMM_CASE("64 x 96 x 40, all two elements off", 64, 96, 40, SGEMM_ALL_OFF(8)),
    SGEMM_CASE("64 x 96 x 40, all three off", 64, 96, 40, SGEMM_ALL_OFF(12)),
    SGEMM_CASE("530 x 70 x 1, NaN and infinities", 530, 70, 1, SGEMM_SPECIALS(SPECIALS)),
    SGEMM_CASE("70 x 72 x 36, some NaN", 70, 72, 36, SGEMM_SPECIALS(FEW_SPECIALS)),
    SGEMM_CASE("33 x 71 x 37, some NaN", 33, 71, 37, SGEMM_SPECIALS(FEW_SPECIALS)),
    SGEMM_CASE("200 x 40 x 200, zeros in tiles of A", 200, 40, 200, SGEMM_SPECIALS(ZEROS_IN_FIRST)),
    SGEMM_CASE("40 x 200 x 200, zeros in tiles of B", 40, 200, 200,
               SGEMM_SPECIALS(ZEROS_IN_SECOND)),
    SGEMM_CASE("200 x 40 x 93, infinities in A", 200, 40, 93, SGEMM_SPECIALS(INFINITE_FIRST)),
    SGEMM_CASE("40 x 200 x 93, infinities in B", 40, 200, 93, SGEMM_SPECIALS(INFINITE_SECOND)),
    SGEMM_CASE("130 x 68 x 36, integers: exact", 130, 68, 36, SGEMM_INTEGERS),
    SGEMM_CASE("127 x 129 x 63", 127, 129, 63, ASK(PRODUCT)),
    SGEMM_CASE("128 x 128 x 128", 128, 128, 128, ASK(PRECISION)),
    SGEMM_CASE("70 x 36 x 3, subnormal products", 70, 36, 3, SGEMM_TINY),
    SGEMM_CASE("68 x 132 x 36, subnormal products", 68, 132, 36, SGEMM_TINY),
    SGEMM_CASE("40 x 36 x 3000: long sums", 40, 36, 3000, ASK(PRECISION)),
    SGEMM_CASE("70 x 68 x 300, rows times powers of 2", 70, 68, 300, .data = JUDGE_DATA_SCALED,
               ASK(PRECISION)),
    SGEMM_CASE("40 x 36 x 4100, positive", 40, 36, 4100, .data = JUDGE_DATA_POSITIVE,
               ASK(PRECISION)),
    SGEMM_CASE("40 x 36 x 20000, rows of B", 40, 36, 20000, .once = 1, SGEMM_PICKS(FIRST)),
    SGEMM_CASE("36 x 40 x 20000, columns of A", 36, 40, 20000, .once = 1, SGEMM_PICKS(SECOND)),
    SGEMM_CASE("900 x 1100 x 40, rows of B", 900, 1100, 40, .once = 1, SGEMM_PICKS(FIRST)),
    SGEMM_CASE("1100 x 900 x 40, columns of A", 1100, 900, 40, .once = 1, SGEMM_PICKS(SECOND)),
    SGEMM_CASE("1 x 1 x 0, first of a process", 1, 1, 0, FIRST, ASK(ZEROS)),
    SGEMM_CASE("64 x 32 x 40", 64, 32, 40, ASK(PRODUCT)),
    SGEMM_CASE("64 x 32 x 40, then A one off", 64, 32, 40, SGEMM_OFF(SGEMM_A), .after = 1),
    SGEMM_CASE("64 x 32 x 40, then B one off", 64, 32, 40, SGEMM_OFF(SGEMM_B), .after = 2),
    SGEMM_CASE("64 x 32 x 40, then C one off", 64, 32, 40, SGEMM_OFF(SGEMM_C), .after = 3),
    SGEMM_CASE("64 x 32 x 40, then m = 63", 63, 32, 40, .after = 4, ASK(SIDES)),
    SGEMM_CASE("64 x 32 x 40, then n = 31", 64, 31, 40, .after = 5, ASK(SIDES)),
    SGEMM_CASE("64 x 32 x 40, then k = 39", 64, 32, 39, .after = 6, ASK(SIDES)),
    SGEMM_CASE("16 x 16 x 500: small and long", 16, 16, 500, ASK(SAME_BITS)),
    SGEMM_CASE("3 x 5 x 2003: small and long", 3, 5, 2003, ASK(SAME_BITS)),
    SGEMM_CASE("1 x 31 x 4611, integers: exact", 1, 31, 4611, SGEMM_INTEGERS),
    SGEMM_CASE("31 x 1 x 4610, integers: exact", 31, 1, 4610, SGEMM_INTEGERS),
    TRANSPOSE_CASE("0 x 7", 0, 7, .launches_nothing = 1, ASK(EMPTY)),
    TRANSPOSE_CASE("7 x 0", 7, 0, .launches_nothing = 1, ASK(EMPTY)),
    TRANSPOSE_CASE("1000000 x 0", 1000000, 0, .launches_nothing = 1,
                   .asks = JUDGE_ASKS(EMPTY) | JUDGE_ASKS(SIDES)),
    TRANSPOSE_CASE("65 x 33, captured", 65, 33, .script = AS_GRAPH, ASK(GRAPH)),
    TRANSPOSE_CASE("65 x 33, and the launch fails", 65, 33, .refused_with = JUDGE_LAUNCH_FAILS,
                   ASK(RETURNS)),
    TRANSPOSE_LARGEST("10^6 x 46340", 1e6, 46340),
    TRANSPOSE_LARGEST("46340 x 10^6", 46340, 1e6),
    TRANSPOSE_REFUSED("-1 x 5", -1, 5),
    TRANSPOSE_REFUSED("5 x -1", 5, -1),
    TRANSPOSE_REFUSED("-3 x -5", -3, -5),
    TRANSPOSE_REFUSED("-100 x -100", -100, -100),
    TRANSPOSE_REFUSED("0 x -1", 0, -1),
    TRANSPOSE_REFUSED("-1 x 0", -1, 0),
    TRANSPOSE_REFUSED("1000001 x 1", 1000001, 1),
    TRANSPOSE_REFUSED("1 x 1000001", 1, 1000001),
    TRANSPOSE_REFUSED("0 x 1000001", 0, 1000001),
    TRANSPOSE_REFUSED("-2^31 x 1", INT32_MIN, 1),
    TRANSPOSE_REFUSED("1 x 2^31 - 1", 1, INT32_MAX),
    SGEMM_CASE("0 x 5 x 3: nothing to do", 0, 5, 3, SGEMM_NOTHING),
    SGEMM_CASE("5 x 0 x 3: nothing to do", 5, 0, 3, SGEMM_NOTHING),
    SGEMM_CASE("0 x 0 x 0: nothing to do", 0, 0, 0, SGEMM_NOTHING),
    SGEMM_CASE("0 x 5 x 1000000: nothing to do", 0, 5, 1000000, .launches_nothing = 1,
               .asks = JUDGE_ASKS(EMPTY) | JUDGE_ASKS(SIDES)),
    SGEMM_CASE("33 x 65 x 17, captured", 33, 65, 17, .script = AS_GRAPH, ASK(GRAPH)),
    SGEMM_CASE("33 x 5 x 0, captured", 33, 5, 0, .script = AS_GRAPH, ASK(GRAPH)),
    SGEMM_CASE("33 x 65 x 17, and the launch fails", 33, 65, 17, .refused_with = JUDGE_LAUNCH_FAILS,
               ASK(RETURNS)),
    SGEMM_CASE("33 x 5 x 0, and the launch fails", 33, 5, 0, .refused_with = JUDGE_LAUNCH_FAILS,
               ASK(RETURNS)),
    SGEMM_LARGEST("1 x 1 x 10^6", 1, 1, 1e6),
    SGEMM_LARGEST("10^6 x 1 x 10^6", 1e6, 1, 1e6),
    SGEMM_LARGEST("1 x 10^6 x 10^6", 1, 1e6, 1e6),
    SGEMM_LARGEST("10^6 x 46340 x 10^6", 1e6, 46340, 1e6),
    SGEMM_LARGEST("46340 x 10^6 x 0", 46340, 1e6, 0),
    SGEMM_REFUSED("-1 x 5 x 3", -1, 5, 3),
    SGEMM_REFUSED("5 x -1 x 3", 5, -1, 3),
    SGEMM_REFUSED("5 x 3 x -1", 5, 3, -1),
    SGEMM_REFUSED("-100 x -100 x 3", -100, -100, 3),
    SGEMM_REFUSED("-100 x 5 x -100", -100, 5, -100),
    SGEMM_REFUSED("5 x -100 x -100", 5, -100, -100),
    SGEMM_REFUSED("0 x 5 x -1", 0, 5, -1),
    SGEMM_REFUSED("-1 x 0 x 3", -1, 0, 3),
    SGEMM_REFUSED("0 x -1 x 3", 0, -1, 3),
    SGEMM_REFUSED("1000001 x 1 x 1", 1000001, 1, 1),
    SGEMM_REFUSED("1 x 1000001 x 1", 1, 1000001, 1),
    SGEMM_REFUSED("1 x 1 x 1000001", 1, 1, 1000001),
    SGEMM_REFUSED("0 x 1 x 1000001", 0, 1, 1000001),
    SGEMM_REFUSED("1 x 1 x -2^31", 1, 1, INT32_MIN),
    SGEMM_REFUSED("1 x 1 x 2^31 - 1", 1, 1, INT32_MAX),
};

/* Of a transpose, single columns and rows of the longest side: an axis of the grid ends at
 * 65,535. And more than 2^32 elements, and than 2^34, where an unsigned that counts float4
 * begins again; all of any bits. Of a product, more than 2^31 elements of C, of A and of B, and
 * more than 2^32; of C, where that costs nothing, 2^34; and sides for which an axis of the grid may
 * end. Where C is largest, and where k is longest, sums are subnormal.
 * What sets C to zeros may be code of its own: it has more than 2^32 to set. */
static const struct judge_case LARGE[] = {
    TRANSPOSE_CASE("1000000 x 1", 1000000, 1, ANY_BITS),
    TRANSPOSE_CASE("1 x 1000000", 1, 1000000, ANY_BITS),
    TRANSPOSE_CASE("6000 x 750001", 6000, 750001, ANY_BITS),
    TRANSPOSE_CASE("750001 x 6000", 750001, 6000, ANY_BITS),
    TRANSPOSE_CASE("131072 x 139264", 131072, 139264, ANY_BITS),
    SGEMM_CASE("140000 x 150000 x 8", 140000, 150000, 8, SGEMM_FAINT(FIRST)),
    SGEMM_CASE("1000000 x 8 x 2200, rows of B", 1000000, 8, 2200, SGEMM_PICKS(FIRST)),
    SGEMM_CASE("8 x 1000000 x 2200, columns of A", 8, 1000000, 2200, SGEMM_PICKS(SECOND)),
    SGEMM_CASE("500 x 4000 x 2000, rows times 2^e", 500, 4000, 2000, .data = JUDGE_DATA_SCALED,
               ASK(PRECISION)),
    SGEMM_CASE("1000000 x 8 x 4400", 1000000, 8, 4400, SGEMM_FAINT(FIRST)),
    SGEMM_CASE("8 x 1000000 x 4400", 8, 1000000, 4400, SGEMM_FAINT(SECOND)),
    SGEMM_CASE("1000000 x 4400 x 0: zeros", 1000000, 4400, 0,
               .asks = JUDGE_ASKS(ZEROS) | JUDGE_ASKS(SIDES)),
};

static struct judge_case transpose_timed(const struct judge_device *device)
{
    const struct judge_case small = TRANSPOSE_CASE("1024 x 1024", 1024, 1024);
    const struct judge_case middle = TRANSPOSE_CASE("4096 x 4096", 4096, 4096);
    const struct judge_case large = TRANSPOSE_CASE("8192 x 8192", 8192, 8192);
    /* No more than an eighth of the memory for both matrices. */
    bool fits = device->memory_bytes / 8 >= UINT64_C(8) * 8192 * 8192;
    return device->simulated ? small : fits ? large : middle;
}

/* On the simulated device k is short, but C is as large as it takes to give every multiprocessor
 * work even when a block computes 128 x 128 of it. */
static struct judge_case sgemm_timed(const struct judge_device *device)
{
    const struct judge_case simulated = SGEMM_CASE("1024 x 1024 x 32", 1024, 1024, 32);
    const struct judge_case middle = SGEMM_CASE("2048 x 2048 x 2048", 2048, 2048, 2048);
    const struct judge_case large = SGEMM_CASE("4096 x 4096 x 4096", 4096, 4096, 4096);
    bool is_large = device->memory_bytes >= UINT64_C(32) << 30;
    return device->simulated ? simulated : is_large ? large : middle;
}

static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case all[] = {transpose_timed(device), sgemm_timed(device)};
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < room; i++)
        cases[i] = all[i];
    return count < room ? count : room;
}

/* --- Buffers, work, and the call -------------------------------------------------------------- */

static size_t transpose_buffers(const struct judge_case *problem, struct judge_buffer *buffers)
{
    uint64_t rows = (uint64_t)problem->size[TRANSPOSE_ROWS];
    uint64_t cols = (uint64_t)problem->size[TRANSPOSE_COLS];
    buffers[TRANSPOSE_IN] =
        (struct judge_buffer){.name = "in", JUDGE_IN, JUDGE_F32, rows * cols, cols};
    buffers[TRANSPOSE_OUT] =
        (struct judge_buffer){.name = "out", JUDGE_OUT, JUDGE_F32, rows * cols, rows};
    return 2;
}

static size_t sgemm_buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t m = (uint64_t)problem->size[SGEMM_M], n = (uint64_t)problem->size[SGEMM_N];
    uint64_t k = (uint64_t)problem->size[SGEMM_K];
    list[SGEMM_A] = (struct judge_buffer){.name = "A", JUDGE_IN, JUDGE_F32, m * k, k};
    list[SGEMM_B] = (struct judge_buffer){.name = "B", JUDGE_IN, JUDGE_F32, k * n, n};
    list[SGEMM_C] = (struct judge_buffer){.name = "C", JUDGE_OUT, JUDGE_F32, m * n, n};
    return SGEMM_BUFFERS;
}

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    return problem->launcher == TRANSPOSE ? transpose_buffers(problem, list)
                                          : sgemm_buffers(problem, list);
}

static struct judge_work transpose_work(const struct judge_case *problem)
{
    double rows = (double)problem->size[TRANSPOSE_ROWS];
    return (struct judge_work){.bytes = 8 * rows * (double)problem->size[TRANSPOSE_COLS]};
}

static struct judge_work sgemm_work(const struct judge_case *problem)
{
    double m = (double)problem->size[SGEMM_M], n = (double)problem->size[SGEMM_N];
    double k = (double)problem->size[SGEMM_K];
    return (struct judge_work){.bytes = 4 * (m * k + k * n + m * n), .flop = 2 * m * n * k};
}

static struct judge_work work(const struct judge_case *problem)
{
    return problem->launcher == TRANSPOSE ? transpose_work(problem) : sgemm_work(problem);
}

static cudaError_t transpose_launch(const struct judge_call *call)
{
    typedef cudaError_t transpose(const float *, float *, int, int, cudaStream_t);
    const struct judge_case *problem = call->problem;
    return ((transpose *)call->symbols[problem->launcher])(
        call->buffers[TRANSPOSE_IN], call->buffers[TRANSPOSE_OUT],
        (int)problem->size[TRANSPOSE_ROWS], (int)problem->size[TRANSPOSE_COLS], call->stream);
}

static cudaError_t sgemm_launch(const struct judge_call *call)
{
    typedef cudaError_t sgemm(const float *, const float *, float *, int, int, int, cudaStream_t);
    const int64_t *size = call->problem->size;
    return ((sgemm *)call->symbols[call->problem->launcher])(
        call->buffers[SGEMM_A], call->buffers[SGEMM_B], call->buffers[SGEMM_C], (int)size[SGEMM_M],
        (int)size[SGEMM_N], (int)size[SGEMM_K], call->stream);
}

static cudaError_t call_once(const struct judge_call *call)
{
    return call->problem->launcher == TRANSPOSE ? transpose_launch(call) : sgemm_launch(call);
}

/* The pointers are those of the small call: nothing is read or written. */
static cudaError_t call_largest(const struct judge_call *call)
{
    struct judge_case problem = *call->problem;
    struct judge_call largest = *call;
    for (int i = 0; i < 3; i++)
        problem.size[i] = (int64_t)problem.real[i];
    largest.problem = &problem;
    return call_once(&largest);
}

static cudaError_t launch(const struct judge_call *call)
{
    const struct judge_case *problem = call->problem;
    if (problem->script == LARGEST_FIRST)
        return judge_largest_first(call, call_largest, call_once);
    return problem->script == AS_GRAPH                   ? judge_graph(call, call_once)
           : problem->refused_with == JUDGE_LAUNCH_FAILS ? judge_without_launch(call, call_once)
                                                         : call_once(call);
}

/* --- Bars and hints --------------------------------------------------------------------------- */

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .every_case = true,
     .message = "the contract forbids more than one kernel launch a call",
     .look_at = "one kernel can do all of it"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should read neighbouring addresses"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "neighbouring lanes should write neighbouring addresses"},
    {JUDGE_LOAD_BYTES_RATIO, .at_most = 1.1,
     .message = "more bytes are asked of global memory than a tile of 32 x 32 asks for",
     .look_at = "an element that many threads of a block need should be fetched once, into shared "
                "memory"},
    /* A register tile is at 1.03, a transposed tile at 1.47. */
    {JUDGE_WAVEFRONT_RATIO, .at_most = 1.15,
     .message = "lanes wait for each other at the banks of shared memory",
     .look_at = "the stride between neighbouring lanes: a wavefront takes one word of each bank, "
                "and banks repeat every 32 words"},
    JUDGE_BARS_OF_HOST(true),
};

static const char *const HINTS[] = {
    "Count. transpose: how many sectors does a warp touch when it loads, and how many when it "
    "stores? sgemm: how many threads of a block ask for the same element of A?",
    "What one thread has fetched, another can use: through shared memory, with a barrier between "
    "the write and the read, and a second one before the place is written again. So a block can "
    "read in one order and write in another (transpose), and fetch an element once for 32 uses "
    "(sgemm).",
    "transpose: tile[threadIdx.y][threadIdx.x] = in[row][col]; __syncthreads(); then the block "
    "changes places with its mirror image: out[col0 + threadIdx.y][row0 + threadIdx.x] = "
    "tile[threadIdx.x][threadIdx.y], with rows of 33 words. sgemm: for each tile along k, every "
    "thread fetches one element of A and one of B (0 outside), __syncthreads(), 32 multiply-adds "
    "of a[y][i] * b[i][x], __syncthreads().",
};

/* Two of its bars are for transpose, two for sgemm; nan is no number that meets one. */
static bool is_coalesced(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95 && e->counter[JUDGE_STORE_EFFICIENCY] >= 0.95;
}

static bool has_tile(const struct judge_evidence *e)
{
    return e->kernel.shared_requests > 0;
}

static bool loads_once(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LOAD_BYTES_RATIO] <= 1.1;
}

static bool turns_in_tile(const struct judge_evidence *e)
{
    return has_tile(e) && is_coalesced(e) && e->counter[JUDGE_WAVEFRONT_RATIO] <= 1.15;
}

static bool multiplies_in_tile(const struct judge_evidence *e)
{
    return has_tile(e) && loads_once(e);
}

static const struct judge_asked ASKED[] = {
    {2, "What one thread has fetched", 0, has_tile},
    {3, "transpose:", 1 << TRANSPOSE, turns_in_tile},
    {3, "sgemm:", 1 << SGEMM, multiplies_in_tile},
};

static const struct judge TILING = {
    .lesson = "02_tiling",
    .title = "shared-memory tiling",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters line 25 mistake transpose_store_strided",
    .clauses = &TILING_CLAUSES,
    .context = TILING_CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = tiling_draw,
    .drawn_large = tiling_draw_large,
    .nearby = tiling_nearby,
    .regimes = &TILING_REGIMES,
    .timed = timed,
    .buffers = buffers,
    .truth = tiling_truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = tiling_truth_at,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.40, /* calibration.csv: few blocks reach 0.17, an element a thread 0.46 */
    .gold_of_ladder = 0.90,
    .ceiling = "FMA rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = &TILING_MISTAKES,
};
JUDGE(TILING);
