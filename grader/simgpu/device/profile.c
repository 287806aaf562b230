/* profile.c - what a program did, on one screen: its kernels, and the source lines that cost most. */
#include "device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 10, MOST_LINES = 10 };

/* --- Kernels ---------------------------------------------------------------------------------- */

struct kernel_sum {
    const char *name, *bound;
    uint64_t calls;
    double time_ns, longest_ns;
};

static int longest_first(const void *a, const void *b)
{
    const struct kernel_sum *x = a, *y = b;
    return (x->time_ns < y->time_ns) - (x->time_ns > y->time_ns);
}

/* Sums by kernel; texts are kept once each, so equal names are equal pointers. */
static struct kernel_sum *sum_kernels(const struct simgpu_launch *launches, size_t count,
                                      size_t *kernels)
{
    struct kernel_sum *sums = calloc(count + 1, sizeof *sums);
    *kernels = 0;
    for (size_t i = 0; sums && i < count; i++) {
        size_t at = 0;
        while (at < *kernels && sums[at].name != launches[i].kernel)
            at++;
        *kernels += at == *kernels;
        struct kernel_sum *sum = &sums[at];
        sum->name = launches[i].kernel;
        sum->calls++;
        sum->time_ns += launches[i].modelled_ns;
        if (launches[i].modelled_ns >= sum->longest_ns) {
            sum->longest_ns = launches[i].modelled_ns;
            sum->bound = launches[i].bound;
        }
    }
    if (sums)
        qsort(sums, *kernels, sizeof *sums, longest_first);
    return sums;
}

static void print_kernels(FILE *stream, const struct simgpu_launch *launches, size_t count)
{
    size_t kernels;
    struct kernel_sum *sums = sum_kernels(launches, count, &kernels);
    double total_ns = 0;
    for (size_t i = 0; sums && i < kernels; i++)
        total_ns += sums[i].time_ns;
    fprintf(stream, "\n  %-40s %8s %14s %7s  %s\n", "kernel", "calls", "modelled time", "share",
            "bound by");
    for (size_t i = 0; sums && i < kernels && i < MOST_KERNELS; i++)
        fprintf(stream, "  %-40.40s %8" PRIu64 " %11.2f us %5.1f %%  %s\n", sums[i].name,
                sums[i].calls, sums[i].time_ns * 1e-3,
                total_ns > 0 ? 100 * sums[i].time_ns / total_ns : 0, sums[i].bound);
    if (kernels > MOST_KERNELS)
        fprintf(stream, "  ... and %zu more\n", kernels - MOST_KERNELS);
    free(sums);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static uint64_t sectors_of(const struct simgpu_line *line)
{
    return line->global_load.sectors + line->global_store.sectors + line->global_atomic.sectors +
           line->local.sectors;
}

static uint64_t wavefronts_of(const struct simgpu_line *line)
{
    return line->shared_load.wavefronts + line->shared_store.wavefronts +
           line->shared_atomic.wavefronts;
}

/* What a line costs, in issue slots: a warp instruction takes one, a request as many as it has
 * sectors or wavefronts. Good enough to sort by. */
static uint64_t cost_of(const struct simgpu_line *line)
{
    return line->warp_instructions + sectors_of(line) + wavefronts_of(line);
}

static int dearest_first(const void *a, const void *b)
{
    uint64_t x = cost_of(a), y = cost_of(b);
    return (x < y) - (x > y);
}

static void add_access(struct simgpu_access *to, const struct simgpu_access *from)
{
    to->requests += from->requests;
    to->bytes += from->bytes;
    to->sectors += from->sectors;
    to->ideal_sectors += from->ideal_sectors;
    to->wavefronts += from->wavefronts;
    to->ideal_wavefronts += from->ideal_wavefronts;
}

static void add_line(struct simgpu_line *to, const struct simgpu_line *from)
{
    to->warp_instructions += from->warp_instructions;
    to->lanes += from->lanes;
    to->lanes_on += from->lanes_on;
    to->branches += from->branches;
    to->divergent += from->divergent;
    to->barriers += from->barriers;
    add_access(&to->global_load, &from->global_load);
    add_access(&to->global_store, &from->global_store);
    add_access(&to->global_atomic, &from->global_atomic);
    add_access(&to->shared_load, &from->shared_load);
    add_access(&to->shared_store, &from->shared_store);
    add_access(&to->shared_atomic, &from->shared_atomic);
    add_access(&to->local, &from->local);
}

static int by_place(const void *a, const void *b)
{
    const struct simgpu_line *x = a, *y = b;
    int files = strcmp(x->place.file, y->place.file);
    return files ? files : (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

/* All lines of all launches, each once, the dearest first. */
static struct simgpu_line *sum_lines(const struct simgpu_launch *launches, size_t count,
                                     size_t *lines)
{
    size_t total = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        total += launches[i].line_count;
    struct simgpu_line *all = calloc(total + 1, sizeof *all);
    *lines = 0;
    if (!all)
        return NULL;
    for (size_t i = 0, at = 0; i < count; at += launches[i].line_count, i++)
        if (launches[i].line_count)
            memcpy(all + at, launches[i].lines, launches[i].line_count * sizeof *all);
    qsort(all, total, sizeof *all, by_place);
    for (size_t i = 0; i < total; i++) {
        if (kept && by_place(&all[kept - 1], &all[i]) == 0)
            add_line(&all[kept - 1], &all[i]);
        else
            all[kept++] = all[i];
    }
    qsort(all, kept, sizeof *all, dearest_first);
    *lines = kept;
    return all;
}

/* One plain sentence about what is worst on a line, or what it does. */
static void explain(const struct simgpu_line *line, char *text, size_t size)
{
    const struct {
        const char *what;
        const struct simgpu_access *access;
    } global[] = {{"loads", &line->global_load}, {"stores", &line->global_store}};
    for (int i = 0; i < 2; i++) {
        const struct simgpu_access *access = global[i].access;
        if (access->requests && access->sectors > access->ideal_sectors + access->ideal_sectors / 4) {
            snprintf(text, size, "%s touch %.1f sectors a request, %.1f would do", global[i].what,
                     (double)access->sectors / (double)access->requests,
                     (double)access->ideal_sectors / (double)access->requests);
            return;
        }
    }
    uint64_t waves = wavefronts_of(line);
    uint64_t requests = line->shared_load.requests + line->shared_store.requests;
    uint64_t ideal = line->shared_load.ideal_wavefronts + line->shared_store.ideal_wavefronts;
    if (requests && waves > ideal + ideal / 4)
        snprintf(text, size, "shared memory takes %.1f wavefronts a request, %.1f would do",
                 (double)waves / (double)requests, (double)ideal / (double)requests);
    else if (line->lanes_on * 10 < line->warp_instructions * 32 * 8)
        snprintf(text, size, "%.1f of 32 lanes work",
                 (double)line->lanes_on / (double)line->warp_instructions);
    else if (sectors_of(line))
        snprintf(text, size, "%" PRIu64 " sectors", sectors_of(line));
    else
        text[0] = 0;
}

static void print_lines(FILE *stream, const struct simgpu_launch *launches, size_t count)
{
    size_t lines;
    struct simgpu_line *all = sum_lines(launches, count, &lines);
    uint64_t total = 0;
    for (size_t i = 0; all && i < lines; i++)
        total += cost_of(&all[i]);
    fprintf(stream, "\n  %-32s %7s %14s  %s\n", "line", "share", "warp inst.", "what to know");
    for (size_t i = 0; all && i < lines && i < MOST_LINES; i++) {
        char sentence[160], place[80];
        const char *slash = strrchr(all[i].place.file, '/');
        explain(&all[i], sentence, sizeof sentence);
        snprintf(place, sizeof place, "%.60s:%u", slash ? slash + 1 : all[i].place.file,
                 all[i].place.line);
        fprintf(stream, "  %-32s %5.1f %% %14" PRIu64 "  %s\n", place,
                100.0 * (double)cost_of(&all[i]) / (double)(total ? total : 1),
                all[i].warp_instructions, sentence);
    }
    free(all);
}

void profile_print(const struct device *device, FILE *stream)
{
    size_t count;
    const struct simgpu_launch *launches = history_launches(device->history, &count);
    fprintf(stream, "\n  %s: times are modelled, counters are exact\n",
            sim_machine_profile(device->machine)->name);
    if (count == 0) {
        fprintf(stream, "  no kernel was launched\n");
        return;
    }
    print_kernels(stream, launches, count);
    print_lines(stream, launches, count);
    if (history_dropped(device->history))
        fprintf(stream, "  (%" PRIu64 " launches more were not kept)\n",
                history_dropped(device->history));
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void print_row(FILE *file, size_t index, const struct simgpu_launch *launch)
{
    fprintf(file,
            "%zu,%s,\"(%u, %u, %u)\",\"(%u, %u, %u)\"", index, launch->kernel, launch->block[0],
            launch->block[1], launch->block[2], launch->grid[0], launch->grid[1],
            launch->grid[2]);
    const uint64_t counters[] = {
        launch->global_load.requests, launch->global_load.sectors,
        launch->global_store.requests, launch->global_store.sectors,
        launch->global_reduction.sectors, launch->shared_load.requests,
        launch->shared_load.wavefronts, launch->shared_store.requests,
        launch->shared_store.wavefronts, launch->warp_instructions,
        launch->thread_instructions, launch->thread_instructions_on, launch->divergent};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        fprintf(file, ",%" PRIu64, counters[i]);
    fprintf(file, ",%.0f,%.0f,%u,%.0f,%s\n", launch->dram_read_bytes, launch->dram_write_bytes,
            launch->registers, launch->modelled_ns, launch->bound);
}

bool profile_write_csv(const struct device *device, const char *path)
{
    size_t count;
    const struct simgpu_launch *launches = history_launches(device->history, &count);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "launch,kernel,block,grid,requests_ld,sectors_ld,requests_st,sectors_st,"
                  "sectors_red,shared_ld,wavefronts_ld,shared_st,wavefronts_st,warp_inst,"
                  "thread_inst,thread_inst_pred_on,divergent_branches,dram_read_bytes,"
                  "dram_write_bytes,registers,modelled_ns,bound\n");
    for (size_t i = 0; i < count; i++)
        print_row(file, i, &launches[i]);
    return fclose(file) == 0;
}
