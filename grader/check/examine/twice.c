/* twice.c - see twice.h. */
#include "check/examine/twice.h"
#include "check/examine/chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A sum that is this many standard errors below the truth is not due to chance: coverage.c. */
static const double ERRORS = 4;
enum { MOST_KINDS = 64 };

/* The bytes that the blocks of one kind store. */
struct kind {
    double blocks, ran; /* all of them; and those that ran, be it that they stored nothing */
    double sum, squares;
};

static int compare_places(const void *a, const void *b)
{
    const struct simgpu_stretch *x = *(const struct simgpu_stretch *const *)a;
    const struct simgpu_stretch *y = *(const struct simgpu_stretch *const *)b;
    const uint64_t by[][2] = {
        {x->print, y->print}, {x->low, y->low}, {x->high, y->high}, {x->bytes, y->bytes}};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (by[i][0] != by[i][1])
            return by[i][0] < by[i][1] ? -1 : 1;
    return 0;
}

static void add(struct kind *kinds, const struct simgpu_stretch *stretch, double bytes)
{
    struct kind *kind = &kinds[stretch->kind];
    kind->blocks = (double)stretch->kind_blocks;
    kind->ran = kind->blocks / stretch->weight;
    kind->sum += bytes;
    kind->squares += bytes * bytes;
}

/* The most that all blocks store, estimated from those of each kind. */
static double most_of(const struct kind *kinds)
{
    double all = 0, variance = 0;
    for (int i = 0; i < MOST_KINDS; i++) {
        const struct kind *kind = &kinds[i];
        if (kind->ran <= 0)
            continue;
        double mean = kind->sum / kind->ran;
        double differ = fmax(kind->squares / kind->ran - mean * mean, 0);
        all += kind->blocks * mean;
        variance += kind->blocks * kind->blocks * differ / kind->ran *
                    fmax(1 - kind->ran / kind->blocks, 0);
    }
    return all + ERRORS * sqrt(variance);
}

struct sums {
    uint64_t blocks, bytes; /* that store what another one does, and how much */
    uint64_t least;         /* of these, what one stores at least */
    uint64_t most;          /* that any block stores */
    struct kind all[MOST_KINDS], once[MOST_KINDS];
};

/* list: the stretches of an output, with equal places next to each other. */
static void add_up(const struct simgpu_stretch *const *list, size_t count, struct sums *sums)
{
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && compare_places(&list[first], &list[end]) == 0; end++)
            ;
        for (size_t i = first; i < end; i++) {
            double bytes = (double)list[i]->bytes;
            add(sums->all, list[i], bytes);
            add(sums->once, list[i], bytes / (double)(end - first));
        }
        uint64_t bytes = list[first]->bytes;
        sums->most = bytes > sums->most ? bytes : sums->most;
        if (end - first == 1)
            continue;
        sums->least = sums->blocks && sums->least < bytes ? sums->least : bytes;
        sums->blocks += end - first - 1;
        sums->bytes += (end - first - 1) * bytes;
    }
}

/* A lower bound for all blocks, from this many of those that were drawn. */
static double least_of(const struct simgpu_launch *launch, uint32_t found)
{
    return (double)launch->blocks * chance_least_share(launch->twins_drawn, found);
}

/* What all blocks store at most, if each place counts once: by the blocks that ran, and by those
 * that were followed, of which each with a twin has at least one. */
static double most_once(const struct simgpu_launch *launch, const struct sums *sums)
{
    double all = most_of(sums->all), twins = least_of(launch, launch->twins_found);
    double by_run = fmin(most_of(sums->once), all - (double)sums->bytes);
    return sums->blocks ? fmin(by_run, all - twins / 2 * (double)sums->least) : all;
}

static size_t list_of(const struct simgpu_launch *launch, uint64_t address,
                      const struct simgpu_stretch **list)
{
    size_t count = 0;
    for (size_t i = 0; i < launch->stretch_count; i++) {
        const struct simgpu_stretch *it = &launch->stretches[i];
        if (it->address == address && it->kind < MOST_KINDS && it->kind_blocks > 0)
            list[count++] = it;
    }
    qsort(list, count, sizeof *list, compare_places);
    return count;
}

bool twice_leaves_gap(const struct simgpu_report *report, const struct coverage_output *output,
                      char *text, size_t bytes)
{
    const struct simgpu_launch *launch = report->launches;
    double size = (double)(output->count * output->element_bytes);
    struct sums sums = {0};
    if (report->launch_count != 1 || launch->blocks_run == launch->blocks ||
        launch->stretches_lost || report->calls.copies || report->calls.sets)
        return false;
    const struct simgpu_stretch **list = calloc(launch->stretch_count + 1, sizeof *list);
    if (list)
        add_up(list, list_of(launch, output->address, list), &sums);
    free(list);
    double least = size - (double)output->element_bytes / 2;
    if (sums.blocks > 0 && most_once(launch, &sums) < least) {
        snprintf(text, bytes,
                 "%llu of %llu blocks that ran write again what others of them do, and all "
                 "together write no more than there is",
                 (unsigned long long)sums.blocks, (unsigned long long)launch->blocks_run);
        return true;
    }
    double busy = (double)launch->blocks - least_of(launch, launch->twins_idle);
    snprintf(text, bytes,
             "of %u blocks that were followed, %u write nothing, and the others "
             "cannot write all",
             launch->twins_drawn, launch->twins_idle);
    return launch->twins_idle > 0 && sums.most > 0 && busy * (double)sums.most < least;
}
