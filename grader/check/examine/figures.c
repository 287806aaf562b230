/* figures.c - from a device's report to a judge's counters. */
#include "check/examine/figures.h"

#include "simgpu/line.h"
#include "simgpu/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NAN when nothing was counted: then there is nothing to hold to a bar either. */
static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static void access_counters(const struct simgpu_access *load, const struct simgpu_access *store,
                            const struct simgpu_access *shared, double *counter)
{
    counter[JUDGE_LOAD_EFFICIENCY] = ratio((double)load->ideal_sectors, (double)load->sectors);
    counter[JUDGE_STORE_EFFICIENCY] = ratio((double)store->ideal_sectors, (double)store->sectors);
    counter[JUDGE_SECTORS_PER_LOAD] = ratio((double)load->sectors, (double)load->requests);
    counter[JUDGE_SECTORS_PER_STORE] = ratio((double)store->sectors, (double)store->requests);
    counter[JUDGE_WAVEFRONT_RATIO] =
        ratio((double)shared->wavefronts, (double)shared->ideal_wavefronts);
}

static void forget(double *counter)
{
    for (int i = 0; i < JUDGE_COUNTERS; i++)
        counter[i] = NAN;
}

/* Sums over all launches of the call. */
struct sums {
    struct simgpu_access load, store, atomic, shared, local;
    double warp_instructions, lanes_on, tensor, fp64, longest_ns, all_ns;
};

static void sum_up(const struct simgpu_report *report, struct sums *sums, const char **bound)
{
    memset(sums, 0, sizeof *sums);
    *bound = "";
    for (size_t i = 0; i < report->launch_count; i++) {
        const struct simgpu_launch *launch = &report->launches[i];
        line_add_access(&sums->load, &launch->global_load);
        line_add_access(&sums->store, &launch->global_store);
        line_add_access(&sums->atomic, &launch->global_atomic);
        line_add_access(&sums->atomic, &launch->global_reduction);
        line_add_access(&sums->shared, &launch->shared_load);
        line_add_access(&sums->shared, &launch->shared_store);
        line_add_access(&sums->local, &launch->local_load);
        line_add_access(&sums->local, &launch->local_store);
        sums->warp_instructions += (double)launch->warp_instructions;
        sums->lanes_on += (double)launch->thread_instructions_on;
        sums->tensor += (double)launch->class_instructions[SIM_OP_TENSOR];
        sums->fp64 += (double)launch->class_instructions[SIM_OP_DOUBLE];
        sums->all_ns += launch->modelled_ns;
        if (launch->modelled_ns > sums->longest_ns) {
            sums->longest_ns = launch->modelled_ns;
            *bound = launch->bound;
        }
    }
}

void figures_of(const struct simgpu_report *report, const struct judge_work *work,
                const struct figures_own *own, const struct figures_reference *reference,
                struct figures *figures)
{
    const struct simgpu_calls *calls = &report->calls;
    double *counter = figures->counter;
    struct sums sums;
    forget(counter);
    sum_up(report, &sums, &figures->bound);
    access_counters(&sums.load, &sums.store, &sums.shared, counter);
    double asked = (double)(sums.load.distinct_bytes + sums.store.distinct_bytes +
                            sums.atomic.distinct_bytes);
    counter[JUDGE_LANES_ON] = ratio(sums.lanes_on, sums.warp_instructions);
    counter[JUDGE_WARP_INSTRUCTIONS] = ratio(sums.warp_instructions, reference->warp_instructions);
    counter[JUDGE_BYTES_RATIO] = ratio(asked, work->bytes);
    counter[JUDGE_LOAD_BYTES_RATIO] = ratio((double)sums.load.bytes, reference->load_bytes);
    counter[JUDGE_ALL_BYTES_RATIO] = ratio(asked, reference->asked_bytes);
    counter[JUDGE_LAUNCHES] = (double)calls->launches;
    counter[JUDGE_COPIES] = (double)(calls->copies + calls->sets) - (double)own->copies;
    counter[JUDGE_ALLOCATIONS] = (double)calls->allocations;
    counter[JUDGE_SYNCHRONISATIONS] =
        (double)calls->synchronisations - (double)own->synchronisations;
    counter[JUDGE_HEURISTIC_QUERIES] = (double)calls->heuristic_queries;
    counter[JUDGE_HANDLES] = (double)calls->cublaslt_handles;
    counter[JUDGE_HANDED_BYTES] = own->handed_bytes;
    counter[JUDGE_TENSOR_INSTRUCTIONS] = sums.tensor;
    counter[JUDGE_FP64_INSTRUCTIONS] = sums.fp64;
    counter[JUDGE_LOCAL_REQUESTS] = (double)sums.local.requests;
    figures->sums.warp_instructions = sums.warp_instructions;
    figures->sums.load_bytes = (double)sums.load.bytes;
    figures->sums.asked_bytes = asked;
    /* The time line has gaps and copies as well, but also the runner's own. */
    figures->sums.modelled_ns = own->copies ? sums.all_ns : calls->modelled_ns;
}

void figures_of_line(const struct simgpu_line *line, double counter[JUDGE_COUNTERS])
{
    struct simgpu_access shared = line->shared_load;
    forget(counter);
    line_add_access(&shared, &line->shared_store);
    access_counters(&line->global_load, &line->global_store, &shared, counter);
    counter[JUDGE_LANES_ON] = ratio((double)line->lanes_on, (double)line->warp_instructions);
    counter[JUDGE_LOCAL_REQUESTS] = (double)line->local.requests;
}

/* --- Lines ------------------------------------------------------------------------------------ */

static bool in_file(const struct simgpu_line *line, const char *file)
{
    const char *slash = strrchr(line->place.file, '/');
    return strcmp(slash ? slash + 1 : line->place.file, file) == 0;
}

static void merge(struct simgpu_line *lines, size_t *count, const struct simgpu_line *line)
{
    for (size_t i = 0; i < *count; i++)
        if (lines[i].place.line == line->place.line &&
            strcmp(lines[i].place.file, line->place.file) == 0) {
            line_add(&lines[i], line);
            return;
        }
    lines[(*count)++] = *line;
}

struct simgpu_line *figures_lines(const struct simgpu_report *report, const char *file,
                                  size_t *count)
{
    size_t most = 0, of_file = 0;
    for (size_t i = 0; i < report->launch_count; i++) {
        most += report->launches[i].line_count;
        for (size_t l = 0; l < report->launches[i].line_count; l++)
            of_file += in_file(&report->launches[i].lines[l], file);
    }
    struct simgpu_line *lines = most ? calloc(most, sizeof *lines) : NULL;
    *count = 0;
    for (size_t i = 0; lines && i < report->launch_count; i++)
        for (size_t l = 0; l < report->launches[i].line_count; l++) {
            const struct simgpu_line *line = &report->launches[i].lines[l];
            if (line->place.line && (!of_file || in_file(line, file)))
                merge(lines, count, line);
        }
    return lines;
}
