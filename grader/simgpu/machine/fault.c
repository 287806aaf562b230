/* fault.c - what a kernel did wrong, told so that a learner can mend it. Only the first fault of a
 * launch counts: what comes after it may be its consequence. */
#include "machine_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *title, *advice;
    int cuda_error;
} FAULTS[] = {
#define SIM_FAULT(name, cuda_error, title, advice) {title, advice, cuda_error},
#include "faults.def"
#undef SIM_FAULT
};

const char *sim_fault_title(enum sim_fault_kind kind)
{
    return FAULTS[kind].title;
}

int sim_fault_cuda_error(enum sim_fault_kind kind)
{
    return FAULTS[kind].cuda_error;
}

static const struct sim_line *line_of(const struct module *module, const struct op *op, bool leaf)
{
    uint32_t location = module->ops[op->id].location;
    return &module->lines[leaf ? module->line_count + location : location];
}

const struct sim_line *fault_line(const struct warp *warp, const struct op *op)
{
    return line_of(block_launch(warp)->function->module, op, false);
}

void fault_thread(const struct warp *warp, int lane, uint32_t *thread)
{
    for (int axis = 0; axis < 3; axis++)
        thread[axis] = lane < 0 ? UINT32_MAX : warp->tid[axis][lane];
}

/* "thread (3,0,0) of block (1,0,0)", or "warp 2 of block (1,0,0)". */
static int who(const struct warp *warp, int lane, char *text, size_t size)
{
    const uint32_t *block = warp->block->index;
    if (lane < 0)
        return snprintf(text, size, "warp %u of block (%u,%u,%u) ", warp->index, block[0],
                        block[1], block[2]);
    return snprintf(text, size, "thread (%u,%u,%u) of block (%u,%u,%u) ", warp->tid[0][lane],
                    warp->tid[1][lane], warp->tid[2][lane], block[0], block[1], block[2]);
}

void fault_raise(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                 const char *format, ...)
{
    struct launch *launch = block_launch(warp);
    pthread_mutex_lock(&launch->lock);
    if (!launch->faulted) {
        struct sim_fault *fault = &launch->fault;
        struct sim_line other = fault->other;
        uint32_t other_thread[3];
        memcpy(other_thread, fault->other_thread, sizeof other_thread);
        *fault = (struct sim_fault){.kind = kind,
                                    .line = *fault_line(warp, op),
                                    .inlined = *line_of(launch->function->module, op, true),
                                    .other = other,
                                    .kernel = launch->function->name,
                                    .advice = FAULTS[kind].advice};
        memcpy(fault->other_thread, other_thread, sizeof other_thread);
        memcpy(fault->block, warp->block->index, sizeof fault->block);
        fault_thread(warp, lane, fault->thread);
        int used = who(warp, lane, fault->message, sizeof fault->message);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(fault->message + used, sizeof fault->message - (size_t)used, format, arguments);
        va_end(arguments);
        launch->faulted = true;
    }
    pthread_mutex_unlock(&launch->lock);
}

void fault_raise_race(struct warp *warp, const struct op *op, int lane, uint32_t other_op,
                      const uint32_t *other_thread, const char *mine, const char *theirs,
                      uint64_t address)
{
    struct launch *launch = block_launch(warp);
    const struct module *module = launch->function->module;
    const struct sim_line *other = &module->lines[module->ops[other_op].location];
    pthread_mutex_lock(&launch->lock);
    if (!launch->faulted) {
        launch->fault.other = *other;
        memcpy(launch->fault.other_thread, other_thread, sizeof launch->fault.other_thread);
        launch->fault.address = address;
    }
    pthread_mutex_unlock(&launch->lock);
    fault_raise(warp, op, SIM_FAULT_RACE, lane,
                "%s shared memory at offset %llu, which thread (%u,%u,%u) %s at line %u with no "
                "barrier in between", mine, (unsigned long long)address, other_thread[0],
                other_thread[1], other_thread[2], theirs, other->line);
}
