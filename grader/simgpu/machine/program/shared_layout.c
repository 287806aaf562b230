/* shared_layout.c - where shared variables lie that belong to no one function of a module.
 *
 * nvcc writes the shared array of an inlined device function outside of all kernels. As on a GPU, a
 * kernel has room for those that it uses, itself or in functions that it may call, and for no
 * others: two that no kernel uses both may lie in the same place.
 */
#include "machine_internal.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

struct layout {
    struct module *module;
    uint32_t *variables; /* those that are placed here */
    size_t count;
    bool *uses;   /* by function: count of them each */
    bool *called; /* by any function that is no kernel, and so may be called */
};

static bool *uses_of(const struct layout *layout, size_t function)
{
    return layout->uses + function * layout->count;
}

static void note_operand(const struct layout *layout, const struct ptx_operand *operand, bool *uses)
{
    for (size_t i = 0; operand->kind == PTX_OPERAND_VARIABLE && i < layout->count; i++)
        uses[i] |= layout->variables[i] == operand->index;
    for (uint32_t i = 0; i < operand->count; i++)
        note_operand(layout, &operand->list[i], uses);
}

static void add_all(const struct layout *layout, const bool *from, bool *to)
{
    for (size_t i = 0; i < layout->count; i++)
        to[i] |= from[i];
}

static bool calls(const struct ptx_function *function)
{
    for (size_t i = 0; i < function->instruction_count; i++)
        if (strcmp(function->instructions[i].name, "call") == 0)
            return true;
    return false;
}

static void note_uses(const struct layout *layout)
{
    const struct ptx_module *syntax = layout->module->syntax;
    for (size_t f = 0; f < syntax->function_count; f++) {
        const struct ptx_function *function = &syntax->functions[f];
        for (size_t i = 0; i < function->instruction_count; i++)
            for (unsigned j = 0; j < function->instructions[i].operand_count; j++)
                note_operand(layout, &function->instructions[i].operands[j], uses_of(layout, f));
        if (!function->is_kernel)
            add_all(layout, uses_of(layout, f), layout->called);
    }
    for (size_t f = 0; f < syntax->function_count; f++)
        if (!syntax->functions[f].is_kernel || calls(&syntax->functions[f]))
            add_all(layout, layout->called, uses_of(layout, f));
}

static bool are_used_together(const struct layout *layout, size_t a, size_t b)
{
    for (size_t f = 0; f < layout->module->syntax->function_count; f++)
        if (uses_of(layout, f)[a] && uses_of(layout, f)[b])
            return true;
    return false;
}

static uint64_t end_of(const struct layout *layout, size_t at)
{
    const struct module *module = layout->module;
    uint32_t variable = layout->variables[at];
    return module->variable_address[variable] + module->syntax->variables[variable].size_bytes;
}

static void place(const struct layout *layout)
{
    struct module *module = layout->module;
    for (size_t i = 0; i < layout->count; i++) {
        uint64_t start = 0;
        for (size_t before = 0; before < i; before++)
            if (end_of(layout, before) > start && are_used_together(layout, before, i))
                start = end_of(layout, before);
        uint32_t variable = layout->variables[i];
        module->variable_address[variable] =
            align_up(start, module->syntax->variables[variable].align_bytes);
    }
    for (size_t f = 0; f < module->syntax->function_count; f++)
        for (size_t i = 0; i < layout->count; i++)
            if (uses_of(layout, f)[i] && end_of(layout, i) > module->shared_starts[f])
                module->shared_starts[f] = (uint32_t)end_of(layout, i);
}

bool shared_layout(struct module *module)
{
    const struct ptx_module *syntax = module->syntax;
    struct layout layout = {.module = module};
    module->shared_starts =
        arena_alloc(&module->arena, (syntax->function_count + 1) * sizeof *module->shared_starts);
    layout.variables = calloc(syntax->variable_count + 1, sizeof *layout.variables);
    for (size_t i = 0; layout.variables && i < syntax->variable_count; i++) {
        const struct ptx_variable *variable = &syntax->variables[i];
        if (variable->space == PTX_SPACE_SHARED && !variable->unsized && !variable->in_function)
            layout.variables[layout.count++] = (uint32_t)i;
    }
    layout.uses = calloc(syntax->function_count * layout.count + 1, sizeof *layout.uses);
    layout.called = calloc(layout.count + 1, sizeof *layout.called);
    bool ok = module->shared_starts && layout.variables && layout.uses && layout.called;
    if (ok)
        memset(module->shared_starts, 0, syntax->function_count * sizeof *module->shared_starts);
    if (ok && layout.count > 0) {
        note_uses(&layout);
        place(&layout);
    }
    free(layout.variables);
    free(layout.uses);
    free(layout.called);
    return ok;
}
