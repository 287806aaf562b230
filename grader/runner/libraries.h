/* libraries.h - what a runner may load: the libraries of the system that every program made by the
 * compiler needs, the CUDA runtime and the driver's library of the device that it is to use,
 * and those that its lesson allows. File by file: other files in the same folders cannot be loaded.
 */
#ifndef RUNNER_LIBRARIES_H
#define RUNNER_LIBRARIES_H

#include "runner/sandbox.h"

/* The folder of the libcudart that this process runs with: the runner must get the same one,
 * NVIDIA's or the simulated device's. It is asked for by name: a judge may have functions in front
 * of the runtime's, which lie in this program. version: the runtime's major one. Empty if
 * unknown. */
struct path libraries_folder(int version);

/* Show them all, and set LD_LIBRARY_PATH. folder: where libcudart is; more: further folders to
 * search for libraries, separated by colons, or NULL; allowed: names as in judge->libraries, or
 * NULL; major: the runtime's version, which is that of the allowed ones. */
void libraries_show(struct sandbox *sandbox, const char *folder, const char *more,
                    const char *const *allowed, int major, bool gpu);

#endif
