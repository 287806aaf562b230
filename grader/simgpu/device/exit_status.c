/* exit_status.c - what `simgpu run --test` ends with: a number for each kind of fault, so that a
 * test suite can tell a race from a bad address. They lie above sysexits' and below those of
 * signals. The list of `simgpu run --help` is this one. */
#include "exit_status.h"

enum { NO_FAULT = 0, BAD_ADDRESS = 81, RACE, UNINITIALISED, BARRIER, NO_END, STOPPED, MISUSE };

int fault_exit_status(enum sim_fault_kind kind)
{
    switch (kind) {
    case SIM_FAULT_NONE:
    case SIM_FAULT_HARMLESS_RACE:
    case SIM_FAULT_ABORTED:
    case SIM_FAULTS: return NO_FAULT;
    case SIM_FAULT_OUT_OF_BOUNDS:
    case SIM_FAULT_USE_AFTER_FREE:
    case SIM_FAULT_NULL_POINTER:
    case SIM_FAULT_MISALIGNED:
    case SIM_FAULT_ADDRESS_SPACE:
    case SIM_FAULT_EXITED_BLOCK:
    case SIM_FAULT_TEXTURE:
    case SIM_FAULT_SURFACE: return BAD_ADDRESS;
    case SIM_FAULT_RACE:
    case SIM_FAULT_GLOBAL_RACE:
    case SIM_FAULT_UNORDERED:
    case SIM_FAULT_SHARED_VARIABLE:
    case SIM_FAULT_MISSING_WAIT:
    case SIM_FAULT_MISSING_FENCE: return RACE;
    case SIM_FAULT_UNINITIALISED: return UNINITIALISED;
    case SIM_FAULT_BARRIER:
    case SIM_FAULT_MEMBER_MASK:
    case SIM_FAULT_ABSENT_LANE:
    case SIM_FAULT_MBARRIER:
    case SIM_FAULT_PARTIAL_WARP:
    case SIM_FAULT_BARRIER_OPERAND: return BARRIER;
    case SIM_FAULT_DEADLOCK:
    case SIM_FAULT_ENDLESS_WAIT:
    case SIM_FAULT_STEP_BUDGET: return NO_END;
    case SIM_FAULT_ASSERT:
    case SIM_FAULT_TRAP: return STOPPED;
    case SIM_FAULT_STACK_OVERFLOW:
    case SIM_FAULT_BAD_CALL:
    case SIM_FAULT_CONDITION:
    case SIM_FAULT_NO_CLUSTER: return MISUSE;
    case SIM_FAULT_HOST_MEMORY:
    case SIM_FAULT_MEMORY_SHARE:
    case SIM_FAULT_UNSUPPORTED:
    case SIM_FAULT_DEVICE_LAUNCH:
    case SIM_FAULT_UNKNOWN_FUNCTION: return EXIT_CANNOT;
    }
    return MISUSE;
}

/* What cannot be simulated comes last: a fault that is found as well is still a fault. */
int worse_exit_status(int one, int other)
{
    if (one == NO_FAULT || (one == EXIT_CANNOT && other != NO_FAULT))
        return other;
    if (other == NO_FAULT || other == EXIT_CANNOT)
        return one;
    return one < other ? one : other;
}
