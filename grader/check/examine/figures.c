/* figures.c - from a device's report to a judge's counters. */
#include "check/examine/figures.h"

#include "simgpu/line.h"
#include "simgpu/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct figure ratio(double part, double whole)
{
    return figure_ratio(part, whole, "there were none");
}

static void access_counters(const struct simgpu_access *load, const struct simgpu_access *store,
                            const struct simgpu_access *shared, struct figure *counter)
{
    counter[JUDGE_LOAD_EFFICIENCY] = ratio((double)load->ideal_sectors, (double)load->sectors);
    counter[JUDGE_STORE_EFFICIENCY] = ratio((double)store->ideal_sectors, (double)store->sectors);
    counter[JUDGE_SECTORS_PER_LOAD] = ratio((double)load->sectors, (double)load->requests);
    counter[JUDGE_SECTORS_PER_STORE] = ratio((double)store->sectors, (double)store->requests);
    counter[JUDGE_WAVEFRONT_RATIO] =
        ratio((double)shared->wavefronts, (double)shared->ideal_wavefronts);
}

static void forget(struct figure *counter)
{
    for (int i = 0; i < JUDGE_COUNTERS; i++)
        counter[i] = figure_none("it is not a figure of this");
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

/* A sum as a ratio to the reference's. */
static struct figure against(double sum, const struct figures_reference *reference, double its)
{
    return reference->known ? figure_ratio(sum, its, "the reference has none")
                            : figure_unknown("the reference was not counted");
}

static void kernel_counters(const struct sums *sums, const struct judge_work *work,
                            const struct figures_reference *reference, double asked,
                            struct figure *counter)
{
    access_counters(&sums->load, &sums->store, &sums->shared, counter);
    counter[JUDGE_LANES_ON] = ratio(sums->lanes_on, sums->warp_instructions);
    counter[JUDGE_WARP_INSTRUCTIONS] =
        against(sums->warp_instructions, reference, reference->warp_instructions);
    counter[JUDGE_BYTES_RATIO] =
        figure_ratio(asked, work->bytes, "the problem has no bytes to move");
    counter[JUDGE_LOAD_BYTES_RATIO] =
        against((double)sums->load.bytes, reference, reference->load_bytes);
    counter[JUDGE_ALL_BYTES_RATIO] = against(asked, reference, reference->asked_bytes);
    counter[JUDGE_TENSOR_INSTRUCTIONS] = figure_number(sums->tensor);
    counter[JUDGE_FP64_INSTRUCTIONS] = figure_number(sums->fp64);
    counter[JUDGE_LOCAL_REQUESTS] = figure_number((double)sums->local.requests);
}

/* If no kernel ran, nothing is known about kernels; a library's products are not kernels here. */
static void no_kernel(const struct simgpu_calls *calls, struct figure *counter)
{
    for (int i = 0; i < JUDGE_COUNTERS; i++)
        counter[i] = calls->library_products ? figure_none("its products are a library's")
                                             : figure_unknown("no kernel was seen");
}

static void call_counters(const struct simgpu_calls *calls, const struct figures_own *own,
                          struct figure *counter)
{
    counter[JUDGE_LAUNCHES] = figure_number((double)calls->launches);
    counter[JUDGE_DIRECT_LAUNCHES] =
        figure_number((double)(calls->launches - calls->graph_kernels));
    counter[JUDGE_GRAPHS_MADE] = figure_number((double)calls->graphs_made);
    counter[JUDGE_OBJECTS_MADE] =
        figure_number((double)(calls->stream_creations + calls->event_creations));
    counter[JUDGE_COPIES] =
        figure_number((double)(calls->copies + calls->sets) - (double)own->copies);
    counter[JUDGE_PAGEABLE_COPIES] = figure_number((double)calls->pageable_copies);
    counter[JUDGE_ALLOCATIONS] = figure_number((double)calls->allocations);
    counter[JUDGE_SYNCHRONISATIONS] =
        figure_number((double)calls->synchronisations - (double)own->synchronisations);
    counter[JUDGE_QUERIES] =
        figure_number((double)(calls->heuristic_queries + calls->repeated_checks));
    counter[JUDGE_REPEATED_CHECKS] = figure_number((double)calls->repeated_checks);
    counter[JUDGE_HANDLES] = figure_number((double)calls->cublaslt_handles);
    counter[JUDGE_HANDED_BYTES] = own->handed_bytes;
}

/* The timeline also has gaps and copies, but it includes the runner's own. */
static double time_of(const struct simgpu_calls *calls, const struct figures_own *own,
                      const struct sums *sums)
{
    return own->is_shared ? sums->all_ns : own->by_time_line ? own->span_ns : calls->modelled_ns;
}

void figures_of(const struct simgpu_report *report, const struct judge_work *work,
                const struct figures_own *own, const struct figures_reference *reference,
                struct figures *figures)
{
    const struct simgpu_calls *calls = &report->calls;
    struct sums sums;
    forget(figures->counter);
    sum_up(report, &sums, &figures->bound);
    double asked =
        (double)(sums.load.distinct_bytes + sums.store.distinct_bytes + sums.atomic.distinct_bytes);
    if (report->launch_count)
        kernel_counters(&sums, work, reference, asked, figures->counter);
    else
        no_kernel(calls, figures->counter);
    call_counters(calls, own, figures->counter);
    figures->sums = (struct figures_reference){.known = true,
                                               .warp_instructions = sums.warp_instructions,
                                               .load_bytes = (double)sums.load.bytes,
                                               .asked_bytes = asked,
                                               .modelled_ns = time_of(calls, own, &sums)};
}

void figures_of_line(const struct simgpu_line *line, struct figure counter[JUDGE_COUNTERS])
{
    struct simgpu_access shared = line->shared_load;
    forget(counter);
    line_add_access(&shared, &line->shared_store);
    access_counters(&line->global_load, &line->global_store, &shared, counter);
    counter[JUDGE_LANES_ON] = ratio((double)line->lanes_on, (double)line->warp_instructions);
    counter[JUDGE_LOCAL_REQUESTS] = figure_number((double)line->local.requests);
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
