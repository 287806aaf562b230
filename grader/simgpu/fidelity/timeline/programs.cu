/* programs.cu - multi-stream and graph programs for the timeline, measured.
 *
 *     timeline [--once] [--detail FILE] held-in|set-aside|fresh|second
 *
 * Each row of a table (held_in.def, set_aside.def, fresh.def, second.def) is a script (script.h).
 * Its time is the host's: from before its first call until everything is done and the last wait
 * returns. The table on stdout has the median of up to MOST_ROUNDS rounds; `ends_us` is when each
 * stream ended, by events, after the first of them, and `order` has the streams in that order.
 * --detail writes when each call of the host had returned, and when each stream ended after an
 * event that was waited for beforehand. --once does each program one time, for the simulated
 * device, whose timeline is read from an NVTX range of the program's name.
 */
#include "kernels.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nvtx3/nvToolsExt.h>

struct row {
    const char *name, *script;
};
#define PROGRAM(name, script) {#name, script},
static const struct row HELD_IN[] = {
#include "held_in.def"
    {NULL, NULL}};
static const struct row SET_ASIDE[] = {
#include "set_aside.def"
    {NULL, NULL}};
static const struct row FRESH[] = {
#include "fresh.def"
    {NULL, NULL}};
static const struct row SECOND[] = {
#include "second.def"
    {NULL, NULL}};
#undef PROGRAM
static const struct table {
    const char *name;
    const struct row *rows;
} TABLES[] = {{"held-in", HELD_IN}, {"set-aside", SET_ASIDE}, {"fresh", FRESH}, {"second", SECOND}};

static const size_t BUFFER_BYTES = 512 << 20, HOST_BYTES = 256 << 20;
enum { WARM_UPS = 3, MOST_ROUNDS = 25 };
static const double ENOUGH_US = 400e3; /* of one program */

static cudaStream_t streams[LANES]; /* LEGACY: NULL */
static cudaEvent_t events[EVENTS], base, ends[LANES];
static float *d_words[LANES];
static char *host[2][2]; /* [pinned][to the device] */

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t error_ = (call);                                                           \
        if (error_ != cudaSuccess) {                                                           \
            fprintf(stderr, "timeline: %s: %s\n", #call, cudaGetErrorString(error_));          \
            exit(2);                                                                           \
        }                                                                                      \
    } while (0)

static double now_us(void)
{
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(now).count();
}

static void prepare(void)
{
    for (int i = 0; i < STREAMS; i++)
        CHECK(cudaStreamCreateWithFlags(&streams[i],
                                        i < 8 ? cudaStreamNonBlocking : cudaStreamDefault));
    for (int i = 0; i < EVENTS; i++)
        CHECK(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
    for (int i = 0; i < LANES; i++) {
        CHECK(cudaEventCreate(&ends[i]));
        CHECK(cudaMalloc(&d_words[i], BUFFER_BYTES));
    }
    CHECK(cudaEventCreate(&base));
    for (int up = 0; up < 2; up++) {
        host[0][up] = (char *)malloc(HOST_BYTES);
        CHECK(cudaMallocHost(&host[1][up], HOST_BYTES));
    }
    CHECK(kernels_prepare());
}

/* Pages that were never touched would be made by the first copy. */
static void warm_up(void)
{
    for (int up = 0; up < 2; up++)
        for (int pinned = 0; pinned < 2; pinned++)
            memset(host[pinned][up], 1, HOST_BYTES);
    for (int i = 0; i < LANES; i++)
        CHECK(cudaMemset(d_words[i], 0, BUFFER_BYTES));
    CHECK(kernels_warm_up(d_words[0]));
}

static cudaError_t copy(const struct step *step, cudaStream_t stream)
{
    bool up = step->verb == UP || step->verb == PUT;
    size_t room = HOST_BYTES - step->bytes, place = (size_t)step->stream << 24;
    char *from = host[step->pinned][up] + (place < room ? place : room);
    void *words = d_words[step->stream], *to = up ? words : from;
    enum cudaMemcpyKind kind = up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (step->verb == PUT || step->verb == GET)
        return cudaMemcpy(to, up ? from : words, step->bytes, kind);
    return cudaMemcpyAsync(to, up ? from : words, step->bytes, kind, stream);
}

static cudaError_t perform(const struct step *step, cudaGraphExec_t graph)
{
    cudaStream_t stream = step->stream < 0 ? NULL : streams[step->stream];
    float *words = step->stream < 0 ? NULL : d_words[step->stream];
    switch (step->verb) {
    case MOVE:
        return cudaMemcpyAsync((char *)words + HOST_BYTES, words, step->bytes,
                               cudaMemcpyDeviceToDevice, stream);
    case SET: return cudaMemsetAsync(words, 0, step->bytes, stream);
    case RUN: return kernels_launch(step, words, stream);
    case RECORD: return cudaEventRecord(events[step->event], stream);
    case WAIT: return cudaStreamWaitEvent(stream, events[step->event], 0);
    case SYNC: return cudaStreamSynchronize(stream);
    case SYNC_ALL: return cudaDeviceSynchronize();
    case PLAY: return cudaGraphLaunch(graph, stream);
    case GRAPH:
    case END: return cudaSuccess;
    default: return copy(step, stream);
    }
}

/* What the script captures, as a graph; NULL if it captures nothing. */
static cudaGraphExec_t capture(const std::vector<struct step> &steps)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec = NULL;
    const struct step *begun = NULL;
    for (const struct step &step : steps)
        if (step.verb == GRAPH) {
            begun = &step;
            CHECK(cudaStreamBeginCapture(streams[step.stream], cudaStreamCaptureModeGlobal));
        } else if (step.verb == END && begun) {
            CHECK(cudaStreamEndCapture(streams[begun->stream], &graph));
            CHECK(cudaGraphInstantiate(&exec, graph, 0));
            CHECK(cudaGraphUpload(exec, streams[begun->stream]));
            CHECK(cudaGraphDestroy(graph));
        } else if (step.captured) {
            CHECK(perform(&step, NULL));
        }
    CHECK(cudaDeviceSynchronize());
    return exec;
}

/* Medians over the rounds. */
struct result {
    std::vector<double> total_us, ends_us[LANES];
    std::vector<std::vector<double>> returned_us; /* of each step, and the last wait */
};

static void run_once(const char *name, const std::vector<struct step> &steps,
                     cudaGraphExec_t graph, struct result *result)
{
    std::vector<double> returned;
    returned.reserve(steps.size() + 1);
    CHECK(cudaEventRecord(base, streams[0]));
    CHECK(cudaDeviceSynchronize());
    nvtxRangePushA(name);
    double start_us = now_us();
    for (const struct step &step : steps) {
        if (!step.captured && step.verb != END) {
            CHECK(perform(&step, graph));
            if (step.is_last)
                CHECK(cudaEventRecord(ends[step.stream], streams[step.stream]));
        }
        returned.push_back(now_us() - start_us);
    }
    CHECK(cudaDeviceSynchronize());
    returned.push_back(now_us() - start_us);
    nvtxRangePop();
    result->total_us.push_back(returned.back());
    result->returned_us.push_back(returned);
    for (const struct step &step : steps) {
        float ms;
        if (!step.is_last)
            continue;
        CHECK(cudaEventElapsedTime(&ms, base, ends[step.stream]));
        result->ends_us[step.stream].push_back(ms * 1e3);
    }
}

static double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

static void print_row(const struct row *row, const struct result *result)
{
    std::vector<std::pair<double, int>> ended;
    for (int lane = 0; lane < LANES; lane++) {
        std::vector<double> after;
        for (size_t i = 0; i < result->ends_us[lane].size(); i++) {
            double first = 1e30;
            for (const std::vector<double> &other : result->ends_us)
                first = other.empty() ? first : std::min(first, other[i]);
            after.push_back(result->ends_us[lane][i] - first);
        }
        if (!after.empty())
            ended.push_back({median(after), lane});
    }
    std::sort(ended.begin(), ended.end());
    std::vector<double> times = result->total_us;
    std::sort(times.begin(), times.end());
    printf("%s,%.2f,%.2f,%.2f,", row->name, median(times), times.front(), times.back());
    for (size_t i = 0; i < ended.size(); i++)
        printf("%s%d", i ? " " : "", ended[i].second);
    printf(",");
    for (size_t i = 0; i < ended.size(); i++)
        printf("%s%.2f", i ? " " : "", ended[i].first);
    printf("\n");
    fflush(stdout);
}

static void print_detail(FILE *detail, const struct row *row,
                         const std::vector<struct step> &steps, const struct result *result)
{
    for (size_t i = 0; i <= steps.size(); i++) {
        std::vector<double> values;
        for (const std::vector<double> &returned : result->returned_us)
            values.push_back(returned[i]);
        fprintf(detail, "%s,%zu,%s,%.2f\n", row->name, i,
                i < steps.size() ? steps[i].text.c_str() : "the last wait", median(values));
    }
    for (int lane = 0; lane < LANES; lane++)
        if (!result->ends_us[lane].empty())
            fprintf(detail, "%s,,end of stream %d after the base event,%.2f\n", row->name, lane,
                    median(result->ends_us[lane]));
}

static void measure(const struct row *row, bool once, FILE *detail)
{
    std::vector<struct step> steps = script_read(row->name, row->script);
    cudaGraphExec_t graph = capture(steps);
    struct result result;
    double start_us = now_us();
    for (int i = 0; i < (once ? 1 : WARM_UPS); i++)
        run_once("warm-up", steps, graph, &result);
    result = {};
    for (int i = 0; i < (once ? 1 : MOST_ROUNDS) && (i < 5 || now_us() - start_us < ENOUGH_US); i++)
        run_once(row->name, steps, graph, &result);
    if (graph)
        CHECK(cudaGraphExecDestroy(graph));
    print_row(row, &result);
    if (detail)
        print_detail(detail, row, steps, &result);
}

static const struct row *rows_of(const char *table)
{
    for (const struct table &known : TABLES)
        if (strcmp(known.name, table) == 0)
            return known.rows;
    return NULL;
}

int main(int count, char **words)
{
    bool once = false;
    FILE *detail = NULL;
    const char *table = "", *detail_path = NULL;
    for (int i = 1; i < count; i++)
        if (strcmp(words[i], "--once") == 0)
            once = true;
        else if (strcmp(words[i], "--detail") == 0 && i + 1 < count)
            detail = fopen(detail_path = words[++i], "w");
        else
            table = words[i];
    const struct row *rows = rows_of(table);
    if (!rows || (detail_path && !detail)) {
        fprintf(stderr, "%s%s\n", rows ? "timeline: cannot write " : "",
                rows ? detail_path
                     : "usage: timeline [--once] [--detail FILE] held-in|set-aside|fresh|second");
        return 2;
    }
    prepare();
    if (!once)
        warm_up();
    printf("name,total_us,least_us,most_us,order,ends_us\n");
    if (detail)
        fprintf(detail, "name,step,what,returned_us\n");
    for (const struct row *row = rows; row->name; row++)
        measure(row, once, detail);
    return detail && fclose(detail) ? 2 : 0;
}
