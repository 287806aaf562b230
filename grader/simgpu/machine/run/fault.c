/* fault.c - what a kernel did wrong, told so that a learner can mend it. Only the first fault of a
 * launch counts: what comes after it may be its consequence. A launch that is to keep going notes
 * those that no device would stop at: findings.c. */
#include "findings.h"

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

bool sim_kernel_refusal(const struct function *kernel, struct sim_fault *fault)
{
    const enum sim_fault_kind kind = SIM_FAULT_UNSUPPORTED;
    *fault = (struct sim_fault){.kind = SIM_FAULT_NONE};
    if (!kernel->refusal)
        return false;
    *fault = (struct sim_fault){.kind = kind,
                                .line = kernel->refusal_line,
                                .inlined = kernel->refusal_line,
                                .kernel = kernel->name,
                                .advice = FAULTS[kind].advice};
    snprintf(fault->message, sizeof fault->message, "%s", kernel->refusal);
    return true;
}

const char *sim_fault_title(enum sim_fault_kind kind)
{
    return FAULTS[kind].title;
}

const char *sim_fault_advice(enum sim_fault_kind kind)
{
    return FAULTS[kind].advice;
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

const struct sim_line *fault_line_of(const struct warp *warp, uint32_t op)
{
    const struct module *module = block_launch(warp)->function->module;
    return &module->lines[module->ops[op].location];
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
        return snprintf(text, size, "warp %u of block (%u,%u,%u) ", warp->index, block[0], block[1],
                        block[2]);
    return snprintf(text, size, "thread (%u,%u,%u) of block (%u,%u,%u) ", warp->tid[0][lane],
                    warp->tid[1][lane], warp->tid[2][lane], block[0], block[1], block[2]);
}

/* Where op stands; for one in a function from elsewhere (a header's, which a debug build calls),
 * the innermost call in the kernel's own file, as own_frame in module.c does for inlined ones. */
const struct sim_line *fault_own_line(const struct warp *warp, const struct op *op)
{
    const struct function *kernel = block_launch(warp)->function;
    const struct sim_line *line = fault_line(warp, op);
    const char *own = kernel->module->lines[kernel->location].file;
    const struct split *split = warp->split;
    for (; own && line->file && strcmp(line->file, own) != 0 && split;
         split = split->parent == NO_SPLIT ? NULL : &warp->splits[split->parent])
        if (split->call && fault_line(warp, split->call)->line)
            line = fault_line(warp, split->call);
    return line;
}

/* All of a fault but the other party. */
static void fill(struct sim_fault *fault, const struct warp *warp, const struct op *op,
                 enum sim_fault_kind kind, int lane, const char *format, va_list arguments)
{
    const struct function *kernel = block_launch(warp)->function;
    *fault = (struct sim_fault){.kind = kind,
                                .line = *fault_own_line(warp, op),
                                .inlined = *line_of(kernel->module, op, true),
                                .kernel = kernel->name,
                                .advice = FAULTS[kind].advice};
    memcpy(fault->block, warp->block->index, sizeof fault->block);
    fault_thread(warp, lane, fault->thread);
    int used = who(warp, lane, fault->message, sizeof fault->message);
    vsnprintf(fault->message + used, sizeof fault->message - (size_t)used, format, arguments);
}

void fault_record(struct launch *launch, const struct sim_fault *fault)
{
    pthread_mutex_lock(&launch->lock);
    if (!launch->faulted) {
        launch->fault = *fault;
        launch->faulted = true;
    }
    pthread_mutex_unlock(&launch->lock);
}

/* What follows from reading garbage is not worth reporting. */
static void record_cause(const struct warp *warp, const struct sim_fault *fault)
{
    const struct block *block = warp->block;
    const struct sim_fault *held = block->held_fault;
    fault_record(block_launch(warp), held && held->kind ? held : fault);
}

void fault_raise(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                 const char *format, ...)
{
    struct sim_fault fault;
    va_list arguments;
    va_start(arguments, format);
    fill(&fault, warp, op, kind, lane, format, arguments);
    va_end(arguments);
    record_cause(warp, &fault);
}

/* Does the launch go on? Then what was found is counted, or noted if it is new. */
static bool known_already(struct warp *warp, const struct finding_pair *pair)
{
    return block_launch(warp)->config.keep_going &&
           findings_again(block_launch(warp), pair, warp->block->number);
}

static bool noted(struct warp *warp, const struct finding_pair *pair, const struct sim_fault *fault)
{
    return block_launch(warp)->config.keep_going &&
           findings_add(block_launch(warp), pair, warp->block->number, fault);
}

bool fault_report(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                  const char *format, ...)
{
    const struct finding_pair pair = {kind, op->id, op->id};
    struct sim_fault fault;
    va_list arguments;
    if (known_already(warp, &pair))
        return true;
    va_start(arguments, format);
    fill(&fault, warp, op, kind, lane, format, arguments);
    va_end(arguments);
    if (noted(warp, &pair, &fault))
        return true;
    record_cause(warp, &fault);
    return false;
}

void fault_raise_launch(struct launch *launch, enum sim_fault_kind kind, const char *format, ...)
{
    struct sim_fault fault = {.kind = kind,
                              .kernel = launch->function->name,
                              .thread = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                              .advice = FAULTS[kind].advice};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault.message, sizeof fault.message, format, arguments);
    va_end(arguments);
    fault_record(launch, &fault);
}

void fault_raise_between(struct warp *warp, const struct op *op, enum sim_fault_kind kind, int lane,
                         uint32_t other_op, const uint32_t *other_thread, const char *advice,
                         const char *format, ...)
{
    const struct finding_pair pair = {kind, op->id, other_op};
    bool may_go_on = kind == SIM_FAULT_RACE || kind == SIM_FAULT_MISSING_WAIT;
    struct sim_fault fault;
    va_list arguments;
    if (may_go_on && known_already(warp, &pair))
        return;
    va_start(arguments, format);
    fill(&fault, warp, op, kind, lane, format, arguments);
    va_end(arguments);
    fault.other = *fault_line_of(warp, other_op);
    memcpy(fault.other_thread, other_thread, sizeof fault.other_thread);
    if (advice)
        fault.advice = advice;
    if (may_go_on && noted(warp, &pair, &fault))
        return;
    if (kind == SIM_FAULT_RACE)
        fault_record(block_launch(warp), &fault);
    else
        record_cause(warp, &fault);
}

static bool same_line(const struct sim_line *one, const struct sim_line *other)
{
    return one->line == other->line && one->file && other->file &&
           strcmp(one->file, other->file) == 0;
}

void fault_raise_undefined(struct warp *warp, const struct op *op, int lane,
                           const struct fault_read *read, const char *format, ...)
{
    struct sim_fault fault, *held = warp->block->held_fault;
    const struct sim_line *decides = fault_own_line(warp, op);
    const struct finding_pair pair = {read->kind, read->op->id, op->id};
    va_list arguments;
    if (known_already(warp, &pair))
        return;
    va_start(arguments, format);
    fill(&fault, warp, read->op, read->kind, read->lane, format, arguments);
    va_end(arguments);
    fault.line = *read->line;
    fault.of_shared = read->of_shared;
    if (!same_line(read->line, decides)) {
        fault.other = *decides;
        fault_thread(warp, lane, fault.other_thread);
    }
    if (noted(warp, &pair, &fault))
        return;
    if (!read->of_shared || !warp->block->race_shadow)
        record_cause(warp, &fault);
    else if (!held->kind)
        *held = fault;
}

void fault_release(struct block *block)
{
    if (block->held_fault && block->held_fault->kind)
        fault_record(block->launch, block->held_fault);
}
