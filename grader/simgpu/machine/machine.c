/* machine.c - machines and contexts: what owns what. */
#include "observers.h"
#include "sparse.h"
#include "texture.h"

#include <stdio.h>
#include <stdlib.h>

/* Far from a program's own addresses, and from where arenas lie. */
static const uint64_t PLAIN_WINDOWS = UINT64_C(0x010000000000);

struct sim_machine *sim_machine_new(const struct sim_profile *profile,
                                    const struct sim_arena *arena, struct sim_error *error)
{
    *error = (struct sim_error){0};
    struct sim_machine *machine = calloc(1, sizeof *machine);
    if (machine) {
        machine->profile = machine->whole = *profile;
        machine->windows = arena->windows ? arena->windows : PLAIN_WINDOWS;
        machine->memory = memory_new(arena, profile->memory_bytes);
        machine->opcodes = opcode_index_new();
        machine->line_pool = line_pool_new();
        machine->maps = sparse_store_new();
        if (machine->memory && machine->opcodes && machine->line_pool && machine->maps)
            return machine;
    }
    sim_machine_free(machine);
    error->code = SIM_HOST_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "the simulating machine is out of memory");
    return NULL;
}

void sim_machine_free(struct sim_machine *machine)
{
    if (!machine)
        return;
    memory_free(machine->memory);
    opcode_index_free(machine->opcodes);
    line_pool_free(machine->line_pool);
    sparse_store_free(machine->maps);
    free(machine);
}

const struct sim_profile *sim_machine_profile(const struct sim_machine *machine)
{
    return &machine->profile;
}

const struct sim_profile *sim_machine_whole(const struct sim_machine *machine)
{
    return &machine->whole;
}

void sim_machine_slice(struct sim_machine *machine, unsigned multiprocessors)
{
    unsigned all = machine->whole.multiprocessors;
    unsigned wanted = multiprocessors > 0 && multiprocessors < all ? multiprocessors : all;
    if (wanted != machine->profile.multiprocessors) /* launches may run where nothing changes */
        machine->profile =
            wanted == all ? machine->whole : sim_profile_slice(&machine->whole, wanted);
}

const struct sim_arena *sim_machine_arena(const struct sim_machine *machine)
{
    return &machine->memory->arena;
}

const char *sim_unsampled(const struct sim_machine *machine)
{
    const char *reason = __atomic_load_n(&machine->unsampled, __ATOMIC_ACQUIRE);
    return reason ? reason : "";
}

void sim_note_unsampled(struct sim_machine *machine, const char *reason)
{
    const char *none = NULL;
    if (strcmp(reason, SIM_HEARSAY) != 0 && strcmp(reason, SIM_ACROSS) != 0)
        __atomic_store_n(&machine->untimed, true, __ATOMIC_RELEASE);
    if (strcmp(reason, SIM_HEARSAY) == 0)
        __atomic_store_n(&machine->unsampled, reason, __ATOMIC_RELEASE);
    __atomic_compare_exchange_n(&machine->unsampled, &none, reason, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_ACQUIRE);
}

bool sim_was_cut_short(const struct sim_machine *machine)
{
    return strcmp(sim_unsampled(machine), SIM_TOO_LONG) == 0;
}

bool sim_was_across(const struct sim_machine *machine)
{
    return strcmp(sim_unsampled(machine), SIM_ACROSS) == 0 ||
           strcmp(sim_unsampled(machine), SIM_TOO_MANY) == 0;
}

bool sim_was_hearsay(const struct sim_machine *machine)
{
    return strcmp(sim_unsampled(machine), SIM_HEARSAY) == 0;
}

bool sim_is_timed(const struct sim_machine *machine)
{
    return !__atomic_load_n(&machine->untimed, __ATOMIC_ACQUIRE);
}

void sim_forget_unsampled(struct sim_machine *machine)
{
    __atomic_store_n(&machine->untimed, false, __ATOMIC_RELEASE);
    __atomic_store_n(&machine->unsampled, (const char *)NULL, __ATOMIC_RELEASE);
    atomic_store(&machine->steps, 0);
    atomic_store(&machine->memory->pages_made, 0);
}

struct sim_context *sim_context_new(struct sim_machine *machine, struct sim_error *error)
{
    *error = (struct sim_error){0};
    struct sim_context *context = calloc(1, sizeof *context);
    if (!context) {
        error->code = SIM_HOST_OUT_OF_MEMORY;
        snprintf(error->message, sizeof error->message, "the simulating machine is out of memory");
        return NULL;
    }
    context->machine = machine;
    context->stack_bytes = 1024; /* cudaLimitStackSize of a new context */
    context->heap_bytes = UINT64_C(8) << 20;
    context->printf_bytes = UINT64_C(1) << 20;
    return context;
}

void sim_context_free(struct sim_context *context)
{
    if (!context)
        return;
    for (size_t i = 0; i < context->module_count; i++)
        module_free(context->modules[i]);
    free(context->modules);
    textures_free(context);
    memory_drop_view(context);
    free(context);
}

void sim_limits_get(const struct sim_context *context, struct sim_limits *limits)
{
    *limits = (struct sim_limits){context->stack_bytes, context->printf_bytes, context->heap_bytes};
}

void sim_limits_set(struct sim_context *context, const struct sim_limits *limits)
{
    context->stack_bytes = limits->stack_bytes;
    context->printf_bytes = limits->printf_bytes;
    context->heap_bytes = limits->heap_bytes;
}
