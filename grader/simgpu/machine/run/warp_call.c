/* warp_call.c - calls: makes a frame for registers and local memory, passes arguments there and
 * results back. */
#include "lanes.h"
#include "split.h"
#include "undefined.h"

#include <stdlib.h>

enum { CALL_BYTES = 32 };
/* A stack of cudaLimitStackSize bytes holds machine frames, which are tighter than PTX's. */
enum { STACK_SLACK = 16 };
static const size_t MOST_REGISTER_BYTES = (size_t)64 << 20;

/* --- Frames ----------------------------------------------------------------------------------- */

static bool reserve_registers(struct warp *warp, size_t bytes)
{
    if (bytes <= warp->register_stack_bytes)
        return true;
    size_t room = warp->register_stack_bytes ? warp->register_stack_bytes : 4096;
    while (room < bytes)
        room *= 2;
    unsigned char *grown = room > MOST_REGISTER_BYTES ? NULL : aligned_alloc(64, room);
    if (!grown)
        return false;
    memset(grown, 0, room);
    if (warp->register_stack)
        memcpy(grown, warp->register_stack, warp->register_stack_bytes);
    free(warp->register_stack);
    warp->register_stack = grown;
    warp->register_stack_bytes = room;
    return true;
}

static bool reserve_local(struct warp *warp, uint32_t bytes)
{
    if (bytes <= warp->local_bytes)
        return true;
    uint32_t room = (bytes + 255) & ~UINT32_C(255);
    unsigned char *grown = realloc(warp->local, (size_t)room * WARP_LANES);
    if (!grown)
        return false;
    memset(grown + (size_t)warp->local_bytes * WARP_LANES, 0,
           (size_t)(room - warp->local_bytes) * WARP_LANES);
    warp->local = grown;
    warp->local_bytes = room;
    return true;
}

/* Constants that depend on the launch or the frame: add what is known only now. */
static void fill_constant(struct warp *warp, const struct split *split,
                          const struct constant *constant)
{
    unsigned char *to = warp->register_stack + split->register_base + constant->reg;
    uint64_t value = constant->value;
    value +=
        constant->kind == CONSTANT_LOCAL ? split->local_base : block_launch(warp)->dynamic_shared;
    for (int lane = 0; lane < WARP_LANES; lane++)
        memcpy(to + (size_t)lane * constant->bytes, &value, constant->bytes);
}

bool call_prepare_frame(struct warp *warp, const struct split *split)
{
    const struct function *function = split->function;
    if (!reserve_registers(warp, split->register_base + function->register_bytes) ||
        !reserve_local(warp, split->local_base + function->local_bytes))
        return false;
    if (function->constant_bytes)
        memcpy(warp->register_stack + split->register_base + function->constant_start,
               function->constant_image, function->constant_bytes);
    for (uint32_t i = 0; i < function->constant_count; i++)
        if (function->constants[i].kind != CONSTANT_VALUE)
            fill_constant(warp, split, &function->constants[i]);
    return true;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Copy the lanes' part of a call's variable, of so many bytes, from one place in the register stack
 * to another. */
static void pass_variable(struct warp *warp, size_t from, size_t to, uint32_t bytes,
                          lane_mask lanes)
{
    FOR_ACTIVE (lane, lanes)
        memcpy(warp->register_stack + to + (size_t)lane * bytes,
               warp->register_stack + from + (size_t)lane * bytes, bytes);
    if (warp->doubt)
        undefined_passed(warp, from, to, bytes, lanes);
}

/* child->call->list is: arguments, results, (place, bytes) of each; see operation.c. */
void call_fetch_results(struct warp *warp, const struct split *child, const struct split *parent,
                        lane_mask lanes)
{
    const uint32_t *list = child->call->list;
    const struct function *function = child->function;
    uint32_t count = list[1] < function->result_count ? list[1] : function->result_count;
    const uint32_t *places = list + 2 + 2 * list[0];
    for (uint32_t i = 0; i < count; i++)
        pass_variable(warp, child->register_base + function->results[i].offset,
                      parent->register_base + places[2 * i], places[2 * i + 1],
                      lanes & ~warp->idle);
}

void call_overflow(struct warp *warp, const struct op *op)
{
    fault_raise(warp, op, SIM_FAULT_STACK_OVERFLOW, __builtin_ctz(warp->split->mask),
                "needs more stack than a thread has: calls nest too deep");
}

/* Frames of splits that wait elsewhere must stay: a new one goes on top of all. */
size_t call_frame_top(const struct warp *warp)
{
    size_t top = 0;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state != SPLIT_FREE &&
            split->register_base + split->function->register_bytes > top)
            top = split->register_base + split->function->register_bytes;
    }
    return top;
}

void warp_call(struct warp *warp, const struct op *op, lane_mask lanes,
               const struct function *function)
{
    const struct launch *launch = block_launch(warp);
    size_t base = call_frame_top(warp);
    uint32_t child_index = split_open_child(warp, lanes);
    if (child_index == NO_SPLIT) {
        call_overflow(warp, op);
        return;
    }
    struct split *parent = warp->split, *child = &warp->splits[child_index];
    child->call = op;
    child->join = EXIT_BLOCK;
    child->at = function->block_count ? 0 : EXIT_BLOCK;
    child->register_base = base;
    child->local_base = parent->local_base + parent->function->local_bytes + CALL_BYTES;
    child->function = function;
    uint64_t stack_bytes = launch->context->stack_bytes * STACK_SLACK;
    if (child->local_base > stack_bytes + launch->function->local_bytes ||
        !call_prepare_frame(warp, child)) {
        call_overflow(warp, op);
        return;
    }
    if (warp->undefined)
        undefined_frame(warp, child, lanes);
    const uint32_t *list = op->list;
    uint32_t count = list[0] < function->parameter_count ? list[0] : function->parameter_count;
    const uint32_t *places = list + 2;
    for (uint32_t i = 0; i < count; i++)
        pass_variable(warp, parent->register_base + places[2 * i],
                      base + function->parameters[i].offset, places[2 * i + 1], lanes);
    split_enter(warp, child_index);
}
