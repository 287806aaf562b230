/* stray.h - a store in a large case that reaches the wrong buffer.
 *
 * An index that wraps around, or a negative one, may miss its own buffer and reach another, where
 * it crosses no bound. A kernel that means to write to an input does so in every block; so if many
 * of the blocks that ran have not, an index was wrong. Tested without a device.
 */
#ifndef EXAMINE_STRAY_H
#define EXAMINE_STRAY_H

#include "check/examine/lab.h"
#include "simgpu/simgpu.h"

struct stray {
    uint64_t block;            /* the first that stored there */
    uint64_t stray, all;       /* blocks that stored there, and that stored anything */
    struct simgpu_place place; /* of the launch's only line that stores; else line 0 */
};

/* Did some blocks of a launch store to the memory at address, while at least a quarter did not? */
bool stray_store(const struct simgpu_report *report, uint64_t address, struct stray *stray);
/* Put it into words: OUT_OF_BOUNDS. False. */
bool stray_say(const struct stray *stray, const char *problem, const char *input,
               struct finding *finding);

#endif
