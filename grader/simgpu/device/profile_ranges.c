/* profile_ranges.c - NVTX ranges: the figures of nsys's table of them, and the kernels inside. */
#include "profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool find_spread(struct range_sum *range)
{
    const struct range_kind *kind = range->kind;
    size_t count = kind->time_count;
    double *times = malloc((count + 1) * sizeof *times), squares = 0;
    if (!times)
        return false;
    if (count)
        memcpy(times, kind->times_ns, count * sizeof *times);
    qsort(times, count, sizeof *times, by_value);
    if (count)
        range->middle_ns = (times[(count - 1) / 2] + times[count / 2]) / 2;
    double average_ns = kind->total_ns / (double)kind->instances;
    for (size_t i = 0; i < count; i++)
        squares += (times[i] - average_ns) * (times[i] - average_ns);
    range->deviation_ns = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    free(times);
    return true;
}

static bool add_around(struct profile *profile, const struct range_path *path,
                       const struct simgpu_launch *launch)
{
    for (; path; path = path->outer)
        for (size_t i = 0; i < profile->range_count; i++) {
            struct range_sum *range = &profile->ranges[i];
            if (range->kind == path->kind &&
                !profile_add_launch(profile, &range->kernels, &range->kernel_count, launch))
                return false;
        }
    return true;
}

static int longest_first(const void *a, const void *b)
{
    const struct range_kind *x = ((const struct range_sum *)a)->kind;
    const struct range_kind *y = ((const struct range_sum *)b)->kind;
    int times = (x->total_ns < y->total_ns) - (x->total_ns > y->total_ns);
    return times ? times : strcmp(x->name, y->name);
}

bool profile_gather_ranges(struct profile *profile)
{
    size_t room = 0;
    for (const struct range_kind *kind = ranges_kinds(profile->device); kind; kind = kind->next)
        room += kind->instances > 0;
    profile->ranges = calloc(room + 1, sizeof *profile->ranges);
    if (!profile->ranges)
        return false;
    for (const struct range_kind *kind = ranges_kinds(profile->device); kind; kind = kind->next) {
        if (kind->instances == 0)
            continue;
        struct range_sum *range = &profile->ranges[profile->range_count++];
        range->kind = kind;
        profile->range_ns += kind->total_ns;
        if (!find_spread(range))
            return false;
    }
    for (size_t i = 0; profile->range_count && i < profile->launch_count; i++) {
        struct ranges_around around = history_around(profile->device->history, i);
        if (!add_around(profile, around.of_thread, &profile->launches[i]) ||
            !add_around(profile, around.of_program, &profile->launches[i]))
            return false;
    }
    for (size_t i = 0; i < profile->range_count; i++)
        profile_sort_kernels(profile->ranges[i].kernels, profile->ranges[i].kernel_count);
    qsort(profile->ranges, profile->range_count, sizeof *profile->ranges, longest_first);
    return true;
}

void profile_free_ranges(struct profile *profile)
{
    for (size_t i = 0; i < profile->range_count; i++)
        free(profile->ranges[i].kernels);
    free(profile->ranges);
}
