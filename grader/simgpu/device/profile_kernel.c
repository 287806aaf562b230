/* profile_kernel.c - launches summed by kernel. */
#include "profile.h"

#include <stdlib.h>

static int longest_first(const void *a, const void *b)
{
    const struct kernel_sum *x = a, *y = b;
    return (x->time_ns < y->time_ns) - (x->time_ns > y->time_ns);
}

static void add_launch(struct kernel_sum *sum, const struct simgpu_launch *launch)
{
    double time_ns = launch->modelled_ns;
    sum->least_ns = sum->calls && sum->least_ns < time_ns ? sum->least_ns : time_ns;
    if (sum->calls == 0 || time_ns > sum->most_ns) {
        sum->most_ns = time_ns;
        sum->bound = launch->bound;
    }
    sum->calls++;
    sum->time_ns += time_ns;
}

/* Texts are kept once each, so equal names are equal pointers. */
static struct kernel_sum *kernel_at(const struct profile *profile, struct kernel_sum **kernels,
                                    size_t *count, const char *mangled)
{
    for (size_t i = 0; i < *count; i++)
        if ((*kernels)[i].mangled == mangled)
            return &(*kernels)[i];
    struct kernel_sum *grown = realloc(*kernels, (*count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    *kernels = grown;
    struct kernel_sum *made = &grown[(*count)++];
    *made = (struct kernel_sum){.mangled = mangled,
                                .name = profile_name(profile->device->history, mangled)};
    return made;
}

bool profile_add_launch(const struct profile *profile, struct kernel_sum **kernels, size_t *count,
                        const struct simgpu_launch *launch)
{
    struct kernel_sum *sum = kernel_at(profile, kernels, count, launch->kernel);
    if (sum)
        add_launch(sum, launch);
    return sum != NULL;
}

void profile_sort_kernels(struct kernel_sum *kernels, size_t count)
{
    if (count)
        qsort(kernels, count, sizeof *kernels, longest_first);
}
