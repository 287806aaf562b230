/* exec_control.c - branches, calls and the ends of threads (PTX ISA 9.7.12). What it means for
 * the lanes of a warp is in split.c. */
#include "lanes.h"
#include "opcode.h"

#include <inttypes.h>

/* bra: active lanes go to the target; the others, whose guard was false, fall through. */
HANDLER(bra)
{
    lane_mask all = warp->split->mask, stay = all & ~active;
    const lane_mask lanes[] = {active, stay};
    const uint32_t targets[] = {op->target, warp->split->at};
    bool together = !stay || op->target == warp->split->at;
    warp_part(warp, op, together ? 1 : 2, together ? &all : lanes, targets);
}

/* brx.idx: each lane to the basic block its index names. */
HANDLER(brx)
{
    SOURCE(uint32_t, index, 0);
    lane_mask lanes[WARP_LANES + 1], rest = active;
    uint32_t targets[WARP_LANES + 1], count = 0;
    while (rest) {
        uint32_t at = index[__builtin_ctz(rest)];
        if (at >= op->target) {
            fault_raise(warp, op, SIM_FAULT_BAD_CALL, __builtin_ctz(rest),
                        "branches to label %u of a list of %u", at, op->target);
            return;
        }
        lanes[count] = 0;
        targets[count] = op->list[at];
        FOR_ACTIVE (lane, rest)
            if (index[lane] < op->target && op->list[index[lane]] == targets[count])
                lanes[count] |= UINT32_C(1) << lane;
        rest &= ~lanes[count++];
    }
    if (warp->split->mask & ~active) {
        lanes[count] = warp->split->mask & ~active;
        targets[count++] = warp->split->at;
    }
    warp_part(warp, op, count, lanes, targets);
}

HANDLER(ret)
{
    (void)op;
    if (warp->split->function->is_kernel)
        warp_exit(warp, active);
    else
        warp_return(warp, active);
}

HANDLER(exit_thread)
{
    (void)op;
    warp_exit(warp, active);
}

HANDLER(trap)
{
    fault_raise(warp, op, SIM_FAULT_TRAP, __builtin_ctz(active), "executes a trap instruction");
}

HANDLER(unsupported)
{
    const struct function *function = warp->split->function;
    (void)active;
    fault_raise(warp, op, SIM_FAULT_UNSUPPORTED, -1, "comes to an instruction it cannot run: %s",
                function->unsupported[op - function->ops]);
}

/* Is it a function that nvcc calls for kernel<<<...>>> in a kernel? By the names of CUDA 12 and
 * later, and of earlier versions. */
static bool launches_kernel(const char *name)
{
    static const char *const STARTS[] = {"__cudaCDP2LaunchDevice", "__cudaCDP2GetParameterBuffer",
                                         "cudaLaunchDevice", "cudaGetParameterBuffer"};
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        if (strncmp(name, STARTS[i], strlen(STARTS[i])) == 0)
            return true;
    return false;
}

/* Is it another function of the runtime that kernels have for kernels they launch? */
static bool serves_launches(const char *name)
{
    return strncmp(name, "__cudaCDP2", strlen("__cudaCDP2")) == 0;
}

static void enter_function(struct warp *warp, const struct op *op, lane_mask active, uint32_t index)
{
    const struct module *module = warp->split->function->module;
    if (index >= module->function_count || module->functions[index].is_kernel) {
        fault_raise(warp, op, SIM_FAULT_BAD_CALL, __builtin_ctz(active),
                    "calls an address that is not a function");
        return;
    }
    const struct function *function = &module->functions[index];
    if (!function->has_body && launches_kernel(function->name))
        fault_raise(warp, op, SIM_FAULT_DEVICE_LAUNCH, __builtin_ctz(active),
                    "launches a kernel, which the simulated device leaves to the host");
    else if (!function->has_body && serves_launches(function->name))
        fault_raise(warp, op, SIM_FAULT_DEVICE_LAUNCH, __builtin_ctz(active),
                    "calls CUDA's runtime to launch kernels from a kernel, which the simulated "
                    "device leaves to the host");
    else if (!function->has_body)
        fault_raise(warp, op, SIM_FAULT_UNKNOWN_FUNCTION, __builtin_ctz(active),
                    "calls '%.80s', which the program does not define and the simulated device "
                    "does not have",
                    function->name);
    else
        warp_call(warp, op, active, function);
}

HANDLER(call)
{
    enter_function(warp, op, active, op->target);
}

/* Lanes may call different functions: this happens one after the other, since a call that is under
 * way makes the caller wait. The rest of the lanes call when the caller comes back here. */
HANDLER(call_indirect)
{
    SOURCE(uint64_t, address, 0);
    uint64_t first = address[__builtin_ctz(active)];
    lane_mask together = 0;
    FOR_ACTIVE (lane, active)
        if (address[lane] == first)
            together |= UINT32_C(1) << lane;
    if (together != active) {
        warp_run_apart(warp, op, together, active & ~together);
        return;
    }
    uint64_t index = first - windows_of(warp) - FUNCTION_WINDOW;
    enter_function(warp, op, active, index > UINT32_MAX ? UINT32_MAX : (uint32_t)index);
}

/* --- Functions of the device runtime ---------------------------------------------------------- */

/* Argument i of a call, for one lane; bytes as declared. */
static uint64_t argument(const struct warp *warp, const struct op *op, uint32_t i, int lane)
{
    uint64_t value = 0;
    if (i < op->list[0]) {
        uint32_t place = op->list[2 + 2 * i], bytes = op->list[3 + 2 * i];
        memcpy(&value, (unsigned char *)reg(warp, place) + (size_t)lane * bytes,
               bytes < 8 ? bytes : 8);
    }
    return value;
}

static void give_result(struct warp *warp, const struct op *op, int lane, uint64_t value)
{
    if (op->list[1] == 0)
        return;
    const uint32_t *result = op->list + 2 + 2 * op->list[0];
    memcpy((unsigned char *)reg(warp, result[0]) + (size_t)lane * result[1], &value,
           result[1] < 8 ? result[1] : 8);
}

/* __assertfail(message, file, line, function, character size) */
static void assertion(struct warp *warp, const struct op *op, int lane)
{
    char message[200] = "", function[100] = "";
    if (print_text(warp, op, lane, argument(warp, op, 0, lane), message, sizeof message) &&
        print_text(warp, op, lane, argument(warp, op, 3, lane), function, sizeof function))
        fault_raise(warp, op, SIM_FAULT_ASSERT, lane, "fails the assertion '%s' in %s", message,
                    function);
}

/* cudaGraphSetConditional(handle, value): of threads that set the same one, any may be the last. */
static void set_condition(struct warp *warp, const struct op *op, int lane, uint64_t handle)
{
    const struct sim_launch_config *config = &block_launch(warp)->config;
    for (uint32_t i = 0; i < config->condition_count; i++)
        if (config->conditions[i].handle == handle) {
            __atomic_store_n(&config->conditions[i].value, (uint32_t)argument(warp, op, 1, lane),
                             __ATOMIC_RELAXED);
            return;
        }
    fault_raise(warp, op, SIM_FAULT_CONDITION, lane,
                "sets the condition 0x%" PRIx64 ", which no node of %s has", handle,
                config->condition_count ? "the graph it is part of" : "a graph around it");
}

HANDLER(call_intrinsic)
{
    const struct module *module = warp->split->function->module;
    FOR_ACTIVE (lane, active) {
        uint64_t first = argument(warp, op, 0, lane);
        switch (module->functions[op->target].intrinsic) {
        case INTRINSIC_PRINTF:
            give_result(warp, op, lane,
                        (uint64_t)print_format(warp, op, lane, first, argument(warp, op, 1, lane)));
            break;
        case INTRINSIC_ASSERT: assertion(warp, op, lane); return;
        case INTRINSIC_MALLOC: give_result(warp, op, lane, heap_allocate(warp, first)); break;
        case INTRINSIC_FREE: heap_free(warp, op, lane, first); break;
        case INTRINSIC_SET_CONDITION: set_condition(warp, op, lane, first); break;
        default: break;
        }
    }
}

/* The launch before this one has ended: ours come one after the other. */
HANDLER(wait_for_launch)
{
    (void)op, (void)active;
    warp->has_waited = true;
}
