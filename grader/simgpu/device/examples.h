/* examples.h - for each source line, the requests of one warp that are worth drawing.
 *
 * The machine keeps, for each instruction of a launch, the request that is farthest from ideal;
 * here the worst of all launches is kept for each line and kind of access. device->lock guards it.
 */
#ifndef EXAMPLES_H
#define EXAMPLES_H

#include "machine.h"

struct device;

struct example {
    struct example *next; /* in order of first appearance */
    const char *file;     /* one of the history's texts, so equal names are equal pointers */
    unsigned line;
    bool shared; /* of shared memory; else of global or local memory */
    enum sim_access_class access;
    const char *kernel; /* mangled */
    struct sim_request request;
    uint32_t cost; /* sectors or wavefronts */
};

/* Look at the ops of a finished launch. Nothing is kept when memory is exhausted. */
void examples_note(struct device *device, const struct sim_launch_result *result);

/* In which wavefront each word of each lane is served: served[lane][word], counted from 0; NULL if
 * only the number of wavefronts is needed, which is returned. */
uint32_t example_wavefronts(const struct sim_request *request, enum sim_access_class access,
                            uint8_t served[32][4]);

#endif
