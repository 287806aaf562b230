/* gains.h - what a kernel would gain if its lines were mended, kept from launch to launch.
 *
 * "What if" costs several times the model of a launch. So a kernel's gains are computed when it
 * runs for the first time, and again when a launch of it takes GROWN times as long as that one. Its
 * other launches are taken to gain the same part of their time.
 */
#ifndef GAINS_H
#define GAINS_H

#include "../simgpu.h"
#include "machine.h"

enum { MOST_GAINS = 64 };

struct gains;

/* kernel is compared by address: a text of the history. */

/* Are the gains of a launch that takes that long needed? */
bool gains_wanted(const struct gains *gains, const char *kernel, double modelled_ns);
/* What sim_launch_what_if found of that launch. Without memory nothing is kept. */
void gains_keep(struct gains **gains, const char *kernel, double modelled_ns,
                const struct sim_what_if *found, size_t count);
/* Fill in the gains of the launch and of its lines, as far as they are known. */
void gains_apply(const struct gains *gains, struct simgpu_launch *launch, struct simgpu_line *lines,
                 size_t count);
void gains_free(struct gains *gains);

#endif
