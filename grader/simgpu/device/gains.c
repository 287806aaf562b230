/* gains.c - a list of kernels, each with the shares of its time that mended lines would save. */
#include "gains.h"

#include <stdlib.h>
#include <string.h>

static const double GROWN = 4;

struct gain {
    char *file;
    unsigned line; /* 0: all lines of the launch */
    enum sim_mend mend;
    double left;  /* as in struct sim_what_if */
    double share; /* of the launch's modelled time */
};

struct gains {
    struct gains *next;
    const char *kernel;
    double asked_ns; /* modelled time of the launch that was asked */
    struct gain gain[MOST_GAINS];
    size_t count;
};

static void forget(struct gains *kernel)
{
    for (size_t i = 0; i < kernel->count; i++)
        free(kernel->gain[i].file);
    kernel->count = 0;
}

static struct gains *find(const struct gains *gains, const char *kernel)
{
    while (gains && gains->kernel != kernel)
        gains = gains->next;
    return (struct gains *)gains;
}

static void keep(struct gains *kernel, const struct sim_what_if *found, size_t count)
{
    forget(kernel);
    for (size_t i = 0; i < count && i < MOST_GAINS; i++) {
        double share = 1 - found[i].modelled_ns / kernel->asked_ns;
        const char *name = found[i].line.file ? found[i].line.file : "";
        char *file = share > 0 ? strdup(name) : NULL;
        if (file)
            kernel->gain[kernel->count++] =
                (struct gain){file, found[i].line.line, found[i].mend, found[i].share, share};
    }
}

bool gains_wanted(const struct gains *gains, const char *kernel, double modelled_ns)
{
    const struct gains *known = find(gains, kernel);
    return modelled_ns > 0 && (!known || modelled_ns > GROWN * known->asked_ns);
}

void gains_keep(struct gains **gains, const char *kernel, double modelled_ns,
                const struct sim_what_if *found, size_t count)
{
    struct gains *known = find(*gains, kernel);
    if (!known) {
        known = calloc(1, sizeof *known);
        if (!known)
            return;
        *known = (struct gains){.next = *gains, .kernel = kernel};
        *gains = known;
    }
    known->asked_ns = modelled_ns;
    keep(known, found, count);
}

static void apply(const struct gain *gain, struct simgpu_launch *launch, struct simgpu_line *lines,
                  size_t count)
{
    double gain_ns = gain->share * launch->modelled_ns;
    for (int i = 0; gain->mend >= SIM_MEND_INSTRUCTIONS && i < SIM_SHARES; i++)
        if (SIM_SHARE[i] == gain->left)
            launch->fewer_gain_ns[gain->mend - SIM_MEND_INSTRUCTIONS][i] = gain_ns;
    if (gain->line == 0 && gain->mend < SIM_MEND_INSTRUCTIONS)
        launch->gain_ns[gain->mend] = gain_ns;
    for (size_t i = 0; gain->line && i < count; i++)
        if (lines[i].place.line == gain->line && strcmp(lines[i].place.file, gain->file) == 0)
            lines[i].gain_ns[gain->mend] = gain_ns;
}

void gains_apply(const struct gains *gains, struct simgpu_launch *launch, struct simgpu_line *lines,
                 size_t count)
{
    const struct gains *known = find(gains, launch->kernel);
    for (size_t i = 0; known && i < known->count; i++)
        apply(&known->gain[i], launch, lines, count);
}

void gains_free(struct gains *gains)
{
    while (gains) {
        struct gains *next = gains->next;
        forget(gains);
        free(gains);
        gains = next;
    }
}
