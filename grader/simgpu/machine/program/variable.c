/* variable.c - the variables of a module: where they lie, and what they hold at first. */
#include "machine_internal.h"
#include "program.h"

#include <string.h>

static bool fail(struct sim_error *error)
{
    *error = (struct sim_error){SIM_HOST_OUT_OF_MEMORY, "the module needs too much memory"};
    return false;
}

static bool is_global(const struct ptx_variable *variable)
{
    return variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
}

static bool add_symbol(struct module *module, const struct ptx_variable *variable, uint64_t address,
                       size_t *room)
{
    struct sim_symbol *grown =
        arena_grow(&module->arena, module->symbols, module->symbol_count, room, sizeof *grown);
    if (!grown)
        return false;
    module->symbols = grown;
    module->symbols[module->symbol_count++] =
        (struct sim_symbol){variable->name, address, variable->size_bytes,
                            variable->space == PTX_SPACE_CONST, variable->managed};
    return true;
}

static bool place_globals(struct sim_context *context, struct module *module,
                          struct sim_error *error)
{
    size_t room = 0;
    for (size_t i = 0; i < module->syntax->variable_count; i++) {
        const struct ptx_variable *variable = &module->syntax->variables[i];
        if (!is_global(variable) || variable->external)
            continue;
        uint64_t address =
            sim_allocate(context, variable->size_bytes, SIM_MEMORY_MODULE, variable->name, error);
        if (!address)
            return false;
        module->variable_address[i] = address;
        if (!add_symbol(module, variable, address, &room))
            return fail(error);
    }
    for (size_t i = 0; i < module->syntax->variable_count; i++) {
        uint32_t defined = module->syntax->variables[i].stands_for;
        if (defined)
            module->variable_address[i] = module->variable_address[defined - 1];
    }
    return true;
}

static uint64_t relocated(const struct sim_context *context, const struct module *module,
                          const struct ptx_relocation *relocation)
{
    if (relocation->target.kind == PTX_OPERAND_FUNCTION)
        return context->machine->windows + FUNCTION_WINDOW + relocation->target.index;
    return module->variable_address[relocation->target.index] + relocation->target.value;
}

static bool fill_globals(struct sim_context *context, struct module *module,
                         struct sim_error *error)
{
    for (size_t i = 0; i < module->syntax->variable_count; i++) {
        const struct ptx_variable *variable = &module->syntax->variables[i];
        if (!is_global(variable) || variable->external || variable->size_bytes == 0)
            continue;
        unsigned char *bytes = sim_host_pointer(context, module->variable_address[i],
                                                variable->size_bytes, true, error);
        if (!bytes)
            return false;
        if (variable->initial)
            memcpy(bytes, variable->initial, variable->size_bytes);
        for (size_t r = 0; r < variable->relocation_count; r++) {
            uint64_t value = relocated(context, module, &variable->relocations[r]);
            value >>= variable->relocations[r].shift_bits;
            memcpy(bytes + variable->relocations[r].offset_bytes, &value,
                   variable->relocations[r].size_bytes);
        }
    }
    return true;
}

bool variables_make(struct sim_context *context, struct module *module, struct sim_error *error)
{
    return place_globals(context, module, error) && fill_globals(context, module, error);
}
