/* module_model.h - what the model knows of a module beyond its launches: the schedules of its
 * functions, and how its ops were seen to load. Lives as long as the module, which frees it. */
#ifndef SIM_MODULE_MODEL_H
#define SIM_MODULE_MODEL_H

#include "schedule.h"

/* What is known of an op: a bit each for the low bits that were set in some address, and whether it
 * was seen to load from shared memory at all. */
enum { SEEN_ADDRESS_BITS = 0xF, SEEN_LOADING = 0x10 };

struct module_model {
    struct schedule **schedules; /* by function; NULL until it is asked for */
    uint8_t *seen;               /* by op id */
    uint32_t function_count;
};

/* Made when first asked for; NULL when memory is exhausted. */
struct module_model *module_model_of(const struct module *module);
/* Add what one worker of a launch has seen, by op id. Launches may do so at once. */
void module_model_saw(const struct module *module, const uint8_t *seen);

#endif
