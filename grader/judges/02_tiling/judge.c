/* judge.c - lesson 2: what shared memory is good for.
 *
 * Two launchers, and so two timed cases. `transpose` needs shared memory to turn what cannot be
 * both read and written side by side, `sgemm` to use what it has fetched more than once. Each has
 * its cases and its mistakes in a header of its own; this file puts them side by side.
 *
 * The bars hold for both. Time alone would not do: where the matrices fit into the L2, a product
 * that fetches everything anew for each of its elements is hardly slower than the plain tile.
 *
 * The contract is common/contracts/02_tiling.h; read grader/check/judge.h for the fields.
 */
#include "sgemm.h"
#include "transpose.h"

enum launcher { TRANSPOSE, SGEMM };
static const char *const LAUNCHERS[] = {"lesson2_transpose", "lesson2_sgemm", NULL};

static const struct judge_clause CLAUSES[] = {
    CLAUSES_OF_BOTH,
    CLAUSES_OF_TRANSPOSE,
    CLAUSES_OF_SGEMM,
};

static const struct judge_case CASES[] = {
    TRANSPOSE_CASES(TRANSPOSE),
    SGEMM_CASES(SGEMM),
    TRANSPOSE_ARGUMENTS(TRANSPOSE),
    SGEMM_ARGUMENTS(SGEMM),
};

static const struct judge_case LARGE[] = {
    TRANSPOSE_LARGE(TRANSPOSE),
    SGEMM_LARGE(SGEMM),
};

static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case all[] = {transpose_timed(device, TRANSPOSE),
                                     sgemm_timed(device, SGEMM)};
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < room; i++)
        cases[i] = all[i];
    return count < room ? count : room;
}

/* Up to an eighth fewer rows of the result: whole tiles of 128 in a GPU's case. Tiles of 128 x 256
 * take four waves of blocks all the same; with fewer rows that would be too slow by a fifth. */
static void nearby(uint64_t seed, struct judge_case *problem)
{
    int side = problem->launcher == SGEMM ? SGEMM_M : TRANSPOSE_ROWS;
    problem->size[side] -= problem->size[side] / 32 * judge_draw(&seed, 1, 4);
}

static const struct judge_regime REGIMES[] = {TRANSPOSE_REGIMES(TRANSPOSE), SGEMM_REGIMES(SGEMM)};

/* Of each launcher two small ones and a middle one; and a long sum. */
static size_t draw_cases(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (; count < 7 && count < room; count++) {
        bool is_middle = count % 3 == 2;
        cases[count] = count < 3    ? transpose_drawn(TRANSPOSE, (int)count, &seed)
                       : count == 6 ? sgemm_drawn_long(SGEMM, &seed)
                                    : sgemm_drawn(SGEMM, is_middle, &seed);
    }
    return count;
}

/* Of each launcher one that float4 suits, and one of any sides; and thin products. */
static size_t draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (; count < 6 && count < room; count++) {
        cases[count] = count == 0   ? transpose_drawn_even(TRANSPOSE, &seed)
                       : count == 1 ? transpose_drawn_any(TRANSPOSE, &seed)
                       : count == 2 ? sgemm_drawn_even(SGEMM, &seed)
                       : count == 3 ? sgemm_drawn_any(SGEMM, &seed)
                                    : sgemm_drawn_thin(SGEMM, count % 2, &seed);
    }
    return count;
}

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    return problem->launcher == TRANSPOSE ? transpose_buffers(problem, list)
                                          : sgemm_buffers(problem, list);
}

static void truth(const struct judge_case *problem, struct judge_host *host)
{
    if (problem->launcher == TRANSPOSE)
        transpose_truth(problem, host);
    else
        sgemm_truth(problem, host);
}

static void truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed)
{
    (void)output;
    if (problem->launcher == TRANSPOSE)
        transpose_truth_at(problem, inputs, first, count, expected, allowed);
    else
        sgemm_truth_at(problem, inputs, first, count, expected, allowed);
}

static struct judge_work work(const struct judge_case *problem)
{
    return problem->launcher == TRANSPOSE ? transpose_work(problem) : sgemm_work(problem);
}

static cudaError_t launch(const struct judge_call *call)
{
    const struct judge_case *problem = call->problem;
    cudaError_t (*once)(const struct judge_call *) =
        problem->launcher == TRANSPOSE ? transpose_launch : sgemm_launch;
    return problem->script == AS_GRAPH                   ? judge_graph(call, once)
           : problem->refused_with == JUDGE_LAUNCH_FAILS ? judge_without_launch(call, once)
                                                         : once(call);
}

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
    /* A register tile is at 1.03, a tile that is turned at 1.47. */
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

static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    JUDGE_RIGHT_FOR_THE_LIST,
    TRANSPOSE_MISTAKES,
    SGEMM_MISTAKES,
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
    .clauses = CLAUSES,
    .clause_count = sizeof CLAUSES / sizeof *CLAUSES,
    .context = CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = draw_cases,
    .drawn_large = draw_large,
    .nearby = nearby,
    .regimes = REGIMES,
    .regime_count = sizeof REGIMES / sizeof *REGIMES,
    .timed = timed,
    .buffers = buffers,
    .truth = truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = truth_at,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.40, /* calibration.csv: few blocks reach 0.17, an element a thread 0.46 */
    .gold_of_ladder = 0.90,
    .ceiling = "FMA rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = MISTAKES,
    .mistake_count = sizeof MISTAKES / sizeof *MISTAKES,
};
JUDGE(TILING);
