/* steps.h - shows a warp step by step, for teaching: `simgpu run --trace KERNEL`.
 *
 * The first launch of the kernel is watched: one warp of one block. Usual order of calls, for each
 * launch: steps_begin before it is made, steps_end when it is over. steps_finish once, at the end.
 */
#ifndef STEPS_H
#define STEPS_H

#include "machine.h"

#include <stdio.h>

struct device;

struct step_options {
    const char *kernel; /* as in the source or mangled; NULL for none */
    uint32_t block[3], warp;
    uint64_t first, count; /* which steps of the warp are shown */
};

struct steps;

/* NULL when memory is exhausted. */
struct steps *steps_new(const struct step_options *options, struct device *device);
/* If this is the launch to be shown, have config watch it. steps may be NULL. */
void steps_begin(struct steps *steps, const char *kernel, struct sim_launch_config *config);
/* Print what the watched launch did; nothing if config watches no warp. */
void steps_end(const struct sim_launch_config *config, const struct function *kernel, FILE *stream);
/* Free steps. False, with a sentence in complaint, when there was nothing to show. */
bool steps_finish(struct steps *steps, char *complaint, size_t bytes);

#endif
