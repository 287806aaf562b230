/* verdict.c - looks verdicts up in their list. */
#include "check/verdict.h"

#include "simgpu/machine/machine.h"

#include <string.h>

static const struct {
    const char *name, *sentence, *advice;
    int exit_code;
    enum verdict_points points;
} LIST[] = {
#define VERDICT(name, exit_code, points, sentence, advice) \
    {#name, sentence, advice, exit_code, POINTS_##points},
#include "check/verdict.def"
#undef VERDICT
};

const char *verdict_name(enum verdict verdict)
{
    return LIST[verdict].name;
}

bool verdict_named(const char *name, enum verdict *verdict)
{
    for (unsigned i = 0; i < VERDICTS; i++)
        if (strcmp(LIST[i].name, name) == 0) {
            *verdict = (enum verdict)i;
            return true;
        }
    return false;
}

int verdict_exit_code(enum verdict verdict)
{
    return LIST[verdict].exit_code;
}

enum verdict_points verdict_points(enum verdict verdict)
{
    return LIST[verdict].points;
}

const char *verdict_sentence(enum verdict verdict)
{
    return LIST[verdict].sentence;
}

const char *verdict_advice(enum verdict verdict)
{
    return LIST[verdict].advice;
}

bool verdict_is_global_race(int fault)
{
    return fault == SIM_FAULT_GLOBAL_RACE;
}

bool verdict_is_unordered(int fault)
{
    return fault == SIM_FAULT_UNORDERED;
}

bool verdict_is_null_pointer(int fault)
{
    return fault == SIM_FAULT_NULL_POINTER;
}

bool verdict_is_absent_lane(int fault)
{
    return fault == SIM_FAULT_ABSENT_LANE;
}

enum verdict verdict_of_fault(int fault)
{
    switch ((enum sim_fault_kind)fault) {
    case SIM_FAULT_NONE:
    case SIM_FAULT_HARMLESS_RACE: return VERDICT_PASS;
    case SIM_FAULT_OUT_OF_BOUNDS:
    case SIM_FAULT_USE_AFTER_FREE:
    case SIM_FAULT_NULL_POINTER:
    case SIM_FAULT_ADDRESS_SPACE:
    case SIM_FAULT_SURFACE:
    case SIM_FAULT_EXITED_BLOCK: return VERDICT_OUT_OF_BOUNDS;
    case SIM_FAULT_MISALIGNED: return VERDICT_MISALIGNED;
    case SIM_FAULT_UNINITIALISED: return VERDICT_UNINITIALISED;
    case SIM_FAULT_RACE:
    case SIM_FAULT_GLOBAL_RACE:
    case SIM_FAULT_UNORDERED:
    case SIM_FAULT_SHARED_VARIABLE:
    case SIM_FAULT_MISSING_WAIT:
    case SIM_FAULT_MISSING_FENCE: return VERDICT_RACE;
    case SIM_FAULT_BARRIER:
    case SIM_FAULT_BARRIER_OPERAND:
    case SIM_FAULT_MBARRIER:
    case SIM_FAULT_MEMBER_MASK:
    case SIM_FAULT_ABSENT_LANE:
    case SIM_FAULT_PARTIAL_WARP: return VERDICT_BARRIER;
    case SIM_FAULT_DEADLOCK: return VERDICT_DEADLOCK;
    case SIM_FAULT_ENDLESS_WAIT:
    case SIM_FAULT_STEP_BUDGET: return VERDICT_TIMEOUT;
    case SIM_FAULT_STACK_OVERFLOW: return VERDICT_STACK_OVERFLOW;
    case SIM_FAULT_ASSERT:
    case SIM_FAULT_TRAP:
    case SIM_FAULT_BAD_CALL:
    case SIM_FAULT_TEXTURE:
    case SIM_FAULT_CONDITION:
    case SIM_FAULT_NO_CLUSTER: return VERDICT_STOPPED;
    case SIM_FAULT_UNSUPPORTED:
    case SIM_FAULT_DEVICE_LAUNCH:
    case SIM_FAULT_UNKNOWN_FUNCTION: return VERDICT_NOT_SIMULATED;
    case SIM_FAULT_HOST_MEMORY: return VERDICT_DEVICE;
    case SIM_FAULT_MEMORY_SHARE: return VERDICT_LAUNCH_ERROR;
    case SIM_FAULT_ABORTED:
    case SIM_FAULTS: break;
    }
    return VERDICT_INTERNAL;
}
