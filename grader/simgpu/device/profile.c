/* profile.c - sums up the history by kernel and by source line. */
#include "profile.h"

#include "../line.h"

#include <stdlib.h>

/* --- Kernels ---------------------------------------------------------------------------------- */

static bool sum_kernels(struct profile *profile)
{
    for (size_t i = 0; i < profile->launch_count; i++) {
        if (!profile_add_launch(profile, &profile->kernels, &profile->kernel_count,
                                &profile->launches[i]))
            return false;
        profile->kernel_ns += profile->launches[i].modelled_ns;
    }
    profile_sort_kernels(profile->kernels, profile->kernel_count);
    return true;
}

/* --- Lines ------------------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b)
{
    return line_compare_places(*(const struct simgpu_line *const *)a,
                               *(const struct simgpu_line *const *)b);
}

/* First the line that gains most when mended, then the one that takes longest. */
static int worst_line_first(const void *a, const void *b)
{
    enum sim_mend mend;
    double gain = line_gain(a, &mend), other = line_gain(b, &mend);
    double x = line_time(a), y = line_time(b);
    if (gain != other)
        return (gain < other) - (gain > other);
    return x != y ? (x < y) - (x > y) : line_compare_places(a, b);
}

double profile_time_around(const struct profile *profile, const struct simgpu_line *line)
{
    double time_ns = 0;
    for (size_t i = 0; i < profile->launch_count; i++) {
        const struct simgpu_launch *launch = &profile->launches[i];
        const struct simgpu_line *found = launch->lines
                                              ? bsearch(line, launch->lines, launch->line_count,
                                                        sizeof *line, line_compare_places)
                                              : NULL;
        time_ns += found ? launch->modelled_ns : 0;
    }
    return time_ns;
}

/* All lines of all launches, in order of their places; a line occurs once for each launch. */
static const struct simgpu_line **sort_lines(const struct profile *profile, size_t *count)
{
    size_t total = 0;
    for (size_t i = 0; i < profile->launch_count; i++)
        total += profile->launches[i].line_count;
    const struct simgpu_line **all = calloc(total + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < profile->launch_count; i++)
        for (size_t l = 0; l < profile->launches[i].line_count; l++)
            if (profile->launches[i].lines[l].place.line)
                all[(*count)++] = &profile->launches[i].lines[l];
    if (all)
        qsort(all, *count, sizeof(const struct simgpu_line *), by_place);
    return all;
}

static bool sum_lines(struct profile *profile)
{
    size_t count, kept = 0;
    const struct simgpu_line **all = sort_lines(profile, &count);
    for (size_t i = 0; all && i < count; i++)
        kept += i == 0 || by_place(&all[i - 1], &all[i]) != 0;
    profile->lines = all ? calloc(kept + 1, sizeof *profile->lines) : NULL;
    for (size_t i = 0; profile->lines && i < count; i++) {
        if (i == 0 || by_place(&all[i - 1], &all[i]) != 0)
            profile->lines[profile->line_count++].place = all[i]->place;
        line_add(&profile->lines[profile->line_count - 1], all[i]);
    }
    free(all);
    if (profile->lines)
        qsort(profile->lines, profile->line_count, sizeof *profile->lines, worst_line_first);
    return profile->lines != NULL;
}

/* --- Gathering -------------------------------------------------------------------------------- */

bool profile_gather(struct profile *profile, const struct device *device,
                    const struct outcome *outcome)
{
    *profile = (struct profile){.device = device,
                                .outcome = *outcome,
                                .device_name = sim_machine_profile(device->machine)->name,
                                .dropped = history_dropped(device->history)};
    profile->launches = history_launches(device->history, &profile->launch_count);
    if (profile_gather_timeline(profile) && sum_kernels(profile) && sum_lines(profile) &&
        profile_gather_ranges(profile) && profile_sources_read(profile))
        return true;
    profile_free(profile);
    return false;
}

void profile_free(struct profile *profile)
{
    free(profile->kernels);
    free(profile->lines);
    profile_free_timeline(profile);
    profile_free_ranges(profile);
    profile_sources_free(profile->sources);
    *profile = (struct profile){0};
}
