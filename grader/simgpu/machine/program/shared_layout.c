/* shared_layout.c - where the shared variables of a module lie.
 *
 * nvcc writes the shared array of a device function into that function, or, if it was inlined,
 * outside of all functions. As on a GPU, a kernel has room for those that it uses, itself or in
 * functions that it may call, and for no others: two that no function uses both may lie in the same
 * place.
 */
#include "machine_internal.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

struct layout {
    struct module *module;
    uint32_t *variables; /* those that are placed here */
    uint32_t *position;  /* by variable: its place in that list, plus 1; or 0 */
    size_t count;
    bool *uses;   /* by function: count of them each */
    bool *called; /* by any function that is no kernel: through a pointer it may be called */
};

static bool *uses_of(const struct layout *layout, size_t function)
{
    return layout->uses + function * layout->count;
}

static bool add(bool *uses)
{
    bool is_new = !*uses;
    *uses = true;
    return is_new;
}

static bool add_all(const struct layout *layout, const bool *from, bool *to)
{
    bool changed = false;
    for (size_t i = 0; i < layout->count; i++)
        changed |= from[i] && add(&to[i]);
    return changed;
}

static bool add_operand(const struct layout *layout, const struct ptx_operand *operand, bool *uses)
{
    bool changed = false;
    if (operand->kind == PTX_OPERAND_VARIABLE && layout->position[operand->index])
        changed = add(&uses[layout->position[operand->index] - 1]);
    if (operand->kind == PTX_OPERAND_FUNCTION)
        changed = add_all(layout, uses_of(layout, operand->index), uses);
    for (uint32_t i = 0; i < operand->count; i++)
        changed |= add_operand(layout, &operand->list[i], uses);
    return changed;
}

static bool calls_by_pointer(const struct ptx_instruction *instruction)
{
    bool by_name = false;
    for (unsigned i = 0; i < instruction->operand_count; i++)
        by_name |= instruction->operands[i].kind == PTX_OPERAND_FUNCTION;
    return strcmp(instruction->name, "call") == 0 && !by_name;
}

/* What function f uses, as far as it is known what those that it calls use. */
static bool add_function(const struct layout *layout, size_t f)
{
    const struct ptx_function *function = &layout->module->syntax->functions[f];
    bool *uses = uses_of(layout, f), changed = false;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (unsigned j = 0; j < instruction->operand_count; j++)
            changed |= add_operand(layout, &instruction->operands[j], uses);
        if (calls_by_pointer(instruction))
            changed |= add_all(layout, layout->called, uses);
    }
    return !function->is_kernel ? add_all(layout, uses, layout->called) | changed : changed;
}

static void find_uses(const struct layout *layout)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t f = 0; f < layout->module->syntax->function_count; f++)
            changed |= add_function(layout, f);
    }
}

static uint64_t end_of(const struct layout *layout, size_t at)
{
    const struct module *module = layout->module;
    uint32_t variable = layout->variables[at];
    return module->variable_address[variable] + module->syntax->variables[variable].size_bytes;
}

/* Where the first count of them end that the function uses. */
static uint64_t end_in(const struct layout *layout, size_t function, size_t count)
{
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++)
        if (uses_of(layout, function)[i] && end_of(layout, i) > end)
            end = end_of(layout, i);
    return end;
}

/* Each after all before it that some function uses together with it. */
static void place(const struct layout *layout)
{
    struct module *module = layout->module;
    for (size_t i = 0; i < layout->count; i++) {
        uint64_t start = 0;
        for (size_t f = 0; f < module->syntax->function_count; f++)
            if (uses_of(layout, f)[i] && end_in(layout, f, i) > start)
                start = end_in(layout, f, i);
        uint32_t variable = layout->variables[i];
        module->variable_address[variable] =
            align_up(start, module->syntax->variables[variable].align_bytes);
    }
    for (size_t f = 0; f < module->syntax->function_count; f++)
        module->functions[f].shared_bytes = (uint32_t)end_in(layout, f, layout->count);
}

static void list_variables(struct layout *layout)
{
    const struct ptx_module *syntax = layout->module->syntax;
    for (size_t i = 0; i < syntax->variable_count; i++)
        if (syntax->variables[i].space == PTX_SPACE_SHARED && !syntax->variables[i].unsized) {
            layout->variables[layout->count++] = (uint32_t)i;
            layout->position[i] = (uint32_t)layout->count;
        }
}

bool shared_layout(struct module *module)
{
    const struct ptx_module *syntax = module->syntax;
    struct layout layout = {.module = module};
    layout.variables = calloc(syntax->variable_count + 1, sizeof *layout.variables);
    layout.position = calloc(syntax->variable_count + 1, sizeof *layout.position);
    if (layout.variables && layout.position)
        list_variables(&layout);
    layout.uses = calloc(syntax->function_count * layout.count + 1, sizeof *layout.uses);
    layout.called = calloc(layout.count + 1, sizeof *layout.called);
    bool ok = layout.variables && layout.position && layout.uses && layout.called;
    if (ok && layout.count > 0) {
        find_uses(&layout);
        place(&layout);
    }
    free(layout.variables);
    free(layout.position);
    free(layout.uses);
    free(layout.called);
    return ok;
}
