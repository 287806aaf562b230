/* module.c - loading a program: from an image to functions that can run and variables that have
 * addresses (variable.c).
 *
 * A function that uses something the machine does not know is kept, with the reason: a kernel whose
 * threads are sure to come to it is refused, any other runs until a thread does. So one exotic
 * kernel does not spoil a program, and a branch that is never taken does not spoil a kernel.
 */
#include "fatbin.h"
#include "opcode.h"
#include "machine_order.h"
#include "operand_ports.h"
#include "spills.h"
#include "wide_stores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(struct sim_error *error, enum sim_error_code code, const char *sentence)
{
    error->code = code;
    snprintf(error->message, sizeof error->message, "%s", sentence);
    return false;
}

/* --- Source lines ----------------------------------------------------------------------------- */

static const char *file_name(const struct ptx_module *syntax, unsigned file)
{
    const char *name = file < syntax->file_count ? syntax->files[file] : NULL;
    return name ? name : "?";
}

/* The innermost frame in the file that the outermost is in. A helper of the learner's has lines of
 * its own to show; for a header's function the line that called it is shown, since the learner
 * wrote that line and not the header. */
static const struct ptx_location *own_frame(const struct ptx_module *syntax,
                                            const struct ptx_location *leaf)
{
    const struct ptx_location *outer = leaf;
    while (outer->parent)
        outer = &syntax->locations[outer->parent];
    const char *own = file_name(syntax, outer->file);
    while (strcmp(file_name(syntax, leaf->file), own) != 0)
        leaf = &syntax->locations[leaf->parent];
    return leaf;
}

/* lines[i] is where location i is, as the learner sees it. After all of these, in the same order,
 * come the innermost frames, where they differ. callers[i] is where the learner calls the function
 * that lines[i] is in. */
static bool make_lines(struct module *module)
{
    const struct ptx_module *syntax = module->syntax;
    module->line_count = (uint32_t)syntax->location_count;
    module->lines = arena_alloc(&module->arena, module->line_count * 2 * sizeof *module->lines);
    module->callers = arena_alloc(&module->arena, module->line_count * sizeof *module->callers);
    if (!module->lines || !module->callers)
        return false;
    for (uint32_t i = 1; i < module->line_count; i++) {
        const struct ptx_location *leaf = &syntax->locations[i], *own = own_frame(syntax, leaf);
        module->lines[i] = (struct sim_line){file_name(syntax, own->file), own->line, own->column};
        module->callers[i] = own->parent;
        if (own != leaf)
            module->lines[module->line_count + i] =
                (struct sim_line){file_name(syntax, leaf->file), leaf->line, leaf->column};
    }
    return true;
}

/* --- Functions -------------------------------------------------------------------------------- */

static struct parameter *parameters_of(struct module *module, const uint32_t *list, size_t count,
                                       uint32_t *block_bytes)
{
    struct parameter *parameters = arena_alloc(&module->arena, (count + 1) * sizeof *parameters);
    for (size_t i = 0; parameters && i < count; i++) {
        const struct ptx_variable *variable = &module->syntax->variables[list[i]];
        *block_bytes = (uint32_t)align_up(*block_bytes, variable->align_bytes);
        parameters[i] = (struct parameter){*block_bytes, (uint32_t)variable->size_bytes};
        *block_bytes += (uint32_t)variable->size_bytes;
    }
    return parameters;
}

/* Local memory that a function declares inside. */
static void place_locals(struct module *module, struct function *function,
                         const struct ptx_function *syntax)
{
    for (size_t i = 0; i < syntax->local_count; i++) {
        const struct ptx_variable *variable = &module->syntax->variables[syntax->locals[i]];
        if (variable->space != PTX_SPACE_LOCAL || variable->unsized)
            continue;
        function->local_bytes = (uint32_t)align_up(function->local_bytes, variable->align_bytes);
        module->variable_address[syntax->locals[i]] = function->local_bytes;
        function->local_bytes += (uint32_t)variable->size_bytes;
    }
    function->local_bytes = (uint32_t)align_up(function->local_bytes, 16);
}

static bool make_function(struct module *module, uint32_t index)
{
    const struct ptx_function *syntax = &module->syntax->functions[index];
    struct function *function = &module->functions[index];
    uint32_t result_bytes = 0;
    *function =
        (struct function){.name = syntax->name,
                          .module = module,
                          .index = index,
                          .is_kernel = syntax->is_kernel,
                          .has_body = syntax->has_body,
                          .max_threads = syntax->max_threads,
                          .cluster = {syntax->cluster[0], syntax->cluster[1], syntax->cluster[2]},
                          .explicit_cluster = syntax->explicit_cluster,
                          .most_cluster = syntax->most_cluster,
                          .first_op_id = module->op_count,
                          .first_block_id = module->block_count,
                          .location = syntax->location,
                          .parameter_count = (uint32_t)syntax->parameter_count,
                          .result_count = (uint32_t)syntax->result_count};
    if (!syntax->has_body)
        function->intrinsic = intrinsic_named(syntax->name);
    function->parameters = parameters_of(module, syntax->parameters, syntax->parameter_count,
                                         &function->parameter_bytes);
    function->results = parameters_of(module, syntax->results, syntax->result_count, &result_bytes);
    place_locals(module, function, syntax);
    module->op_count += (uint32_t)syntax->instruction_count;
    module->block_count += (uint32_t)syntax->instruction_count; /* at most one for each */
    return function->parameters && function->results;
}

static void read_machine_code(struct module *module, const struct fatbin *fatbin)
{
    struct cubin_kernel found;
    struct machine_code code;
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct function *function = &module->functions[i];
        if (!cubin_find(fatbin->cubin, fatbin->cubin_bytes, function->name, &found))
            continue;
        function->ptxas_registers = found.registers;
        function->ptxas_local_bytes = found.frame_bytes;
        if (!machine_code_open(&code, module, function, fatbin->cubin, fatbin->cubin_bytes))
            continue;
        if (found.frame_bytes)
            spills_find(&code);
        machine_order_find(&code);
        operand_ports_find(&code);
        wide_stores_find(&code);
        machine_code_close(&code);
    }
}

/* --- What a kernel reaches -------------------------------------------------------------------- */

static bool calls_by_address(const struct function *function)
{
    for (uint32_t i = 0; i < function->op_count; i++)
        if (function->ops[i].run == call_indirect)
            return true;
    return false;
}

/* What function may call, or what it is certain to. */
static void mark_callees(const struct module *module, const struct function *function, bool certain,
                         bool *reached, bool *changed)
{
    for (uint32_t i = 0; i < function->op_count; i++) {
        const struct op *op = &function->ops[i];
        if (op->run == call && !reached[op->target] && (!certain || module->ops[op->id].is_certain))
            *changed = reached[op->target] = true;
    }
    if (certain || !calls_by_address(function))
        return;
    for (uint32_t i = 0; i < module->function_count; i++)
        if (!module->functions[i].is_kernel && !reached[i])
            *changed = reached[i] = true;
}

static void mark_reached(const struct module *module, const struct function *kernel, bool certain,
                         bool *reached)
{
    memset(reached, 0, module->function_count * sizeof *reached);
    reached[kernel->index] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < module->function_count; i++)
            if (reached[i])
                mark_callees(module, &module->functions[i], certain, reached, &changed);
    }
}

/* Blocks are ordered by fences, and by the results of atomics, which tell what another block did
 * before. */
static bool may_order(const struct op *op)
{
    if (op->row->flags & OP_ATOMIC && op->dst != NO_REGISTER)
        return op->space != SPACE_SHARED;
    return (op->run == fence || op->orders) && !op->in_block;
}

static void gather_order(const struct module *module, struct function *kernel, const bool *reached)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct function *function = &module->functions[i];
        for (uint32_t j = 0; reached[i] && j < function->op_count; j++) {
            kernel->orders_blocks |= may_order(&function->ops[j]);
            kernel->copies_in_bulk |= op_is_bulk(&function->ops[j]);
        }
    }
}

/* A kernel is refused when a function that it is certain to call is refused: with that function's
 * sentence, which ends in a parenthesis, and the kernel's own name. */
static bool gather_refusal(struct module *module, struct function *kernel, const bool *reached)
{
    uint32_t i = 0;
    while (i < module->function_count && !(reached[i] && module->functions[i].refusal))
        i++;
    if (i == module->function_count || kernel->refusal)
        return true;
    const char *why = module->functions[i].refusal;
    char sentence[400], name[64];
    sim_plain_name(kernel->name, name, sizeof name);
    snprintf(sentence, sizeof sentence, "%.*s, called by kernel %s)", (int)strlen(why) - 1, why,
             name);
    kernel->refusal = arena_copy(&module->arena, sentence, strlen(sentence));
    kernel->refusal_line = module->functions[i].refusal_line;
    return kernel->refusal != NULL;
}

static bool close_kernel(struct module *module, struct function *kernel)
{
    bool *reached = calloc(module->function_count + 1, sizeof *reached);
    if (!reached)
        return false;
    mark_reached(module, kernel, false, reached);
    gather_order(module, kernel, reached);
    for (uint32_t i = 0; i < module->function_count; i++)
        kernel->hands_on |= reached[i] && function_hands_on(&module->functions[i]);
    mark_reached(module, kernel, true, reached);
    bool ok = gather_refusal(module, kernel, reached);
    free(reached);
    return ok;
}

/* --- A module --------------------------------------------------------------------------------- */

static bool make_functions(struct module *module)
{
    const struct ptx_module *syntax = module->syntax;
    struct arena *arena = &module->arena;
    module->function_count = (uint32_t)syntax->function_count;
    module->functions = arena_alloc(arena, (syntax->function_count + 1) * sizeof(struct function));
    module->variable_address = arena_alloc(arena, (syntax->variable_count + 1) * sizeof(uint64_t));
    if (!module->functions || !module->variable_address || !make_lines(module))
        return false;
    for (uint32_t i = 0; i < module->function_count; i++)
        if (!make_function(module, i))
            return false;
    if (!shared_layout(module))
        return false;
    module->ops = arena_alloc(arena, (module->op_count + 1) * sizeof *module->ops);
    module->attached = arena_alloc(arena, sizeof *module->attached);
    return module->ops && module->attached;
}

static bool build(struct sim_context *context, struct module *module, struct sim_error *error)
{
    if (!make_functions(module))
        return fail(error, SIM_HOST_OUT_OF_MEMORY, "the module needs too much memory");
    if (!variables_make(context, module, error))
        return false;
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i].has_body &&
            !decode_function(context->machine, &module->functions[i],
                             &module->syntax->functions[i]))
            return fail(error, SIM_HOST_OUT_OF_MEMORY, "the module needs too much memory");
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_kernel && !close_kernel(module, &module->functions[i]))
            return fail(error, SIM_HOST_OUT_OF_MEMORY, "the module needs too much memory");
    return true;
}

static struct ptx_module *parse(const struct fatbin *fatbin, struct sim_error *error)
{
    struct ptx_error where;
    struct ptx_module *syntax = ptx_parse(fatbin->ptx, fatbin->ptx_bytes, &where);
    if (syntax)
        return syntax;
    error->code = SIM_BAD_IMAGE;
    snprintf(error->message, sizeof error->message, "PTX line %u: %s", where.line, where.message);
    return NULL;
}

void module_free(struct module *module)
{
    if (!module)
        return;
    if (module->attached && module->attached->model)
        module->attached->free_model(module->attached->model);
    ptx_free(module->syntax);
    arena_free(&module->arena);
    free(module);
}

static bool keep(struct sim_context *context, struct module *module)
{
    struct module **grown =
        realloc(context->modules, (context->module_count + 1) * sizeof(struct module *));
    if (!grown)
        return false;
    context->modules = grown;
    context->modules[context->module_count++] = module;
    module->id = context->machine->next_module_id++;
    return true;
}

struct module *sim_module_load(struct sim_context *context, const void *image, size_t size_bytes,
                               struct sim_error *error)
{
    const struct sim_profile *profile = &context->machine->profile;
    unsigned arch = (unsigned)(profile->compute_major * 10 + profile->compute_minor);
    struct fatbin fatbin;
    struct module *module = NULL;
    *error = (struct sim_error){0};
    if (!fatbin_read(image, size_bytes, arch, &fatbin, error))
        goto done;
    module = calloc(1, sizeof *module);
    if (!module) {
        fail(error, SIM_HOST_OUT_OF_MEMORY, "the module needs too much memory");
        goto done;
    }
    arena_init(&module->arena, 0);
    module->text = arena_copy(&module->arena, fatbin.ptx, fatbin.ptx_bytes);
    if (!module->text) {
        fail(error, SIM_HOST_OUT_OF_MEMORY, "the module needs too much memory");
        module_free(module);
        module = NULL;
        goto done;
    }
    module->syntax = parse(&fatbin, error);
    if (!module->syntax || !build(context, module, error) || !keep(context, module)) {
        module_free(module);
        module = NULL;
        goto done;
    }
    read_machine_code(module, &fatbin);
done:
    fatbin_free(&fatbin);
    return module;
}

/* --- Questions about a module ----------------------------------------------------------------- */

/* Ids of ops and of basic blocks both count through all functions of a module. */
static const struct function *function_with(const struct module *module, uint32_t id, bool of_op)
{
    uint32_t low = 0, high = module->function_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        const struct function *function = &module->functions[middle];
        if ((of_op ? function->first_op_id : function->first_block_id) <= id)
            low = middle;
        else
            high = middle;
    }
    return &module->functions[low];
}

const struct function *function_of_op(const struct module *module, uint32_t op)
{
    return function_with(module, op, true);
}

const struct function *function_of_block(const struct module *module, uint32_t block)
{
    return function_with(module, block, false);
}

const struct function *sim_module_kernel(const struct module *module, const char *name)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_kernel && strcmp(module->functions[i].name, name) == 0)
            return &module->functions[i];
    return NULL;
}

void sim_kernel_ptx(const struct function *kernel, uint32_t ptx_line, char *text, size_t bytes)
{
    const char *at = kernel->module->text;
    size_t used = 0;
    for (uint32_t line = 1; at && line < ptx_line; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    for (; at && *at && *at != ';' && used + 1 < bytes; at++) {
        bool blank = *at == ' ' || *at == '\t' || *at == '\n' || *at == '\r';
        if (!blank || (used && text[used - 1] != ' '))
            text[used++] = blank ? ' ' : *at;
    }
    text[used] = 0;
}

const struct function *sim_module_kernel_at(const struct module *module, size_t index)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_kernel && index-- == 0)
            return &module->functions[i];
    return NULL;
}

const struct sim_symbol *sim_module_symbol(const struct module *module, const char *name)
{
    for (uint32_t i = 0; i < module->symbol_count; i++)
        if (strcmp(module->symbols[i].name, name) == 0)
            return &module->symbols[i];
    return NULL;
}

bool sim_kernel_parameter(const struct function *kernel, uint32_t index, uint32_t *offset_bytes,
                          uint32_t *size_bytes)
{
    if (index >= kernel->parameter_count)
        return false;
    *offset_bytes = kernel->parameters[index].offset;
    *size_bytes = kernel->parameters[index].bytes;
    return true;
}

/* "sm_90a": 90. */
static uint32_t architecture_of(const struct module *module)
{
    const char *number = strchr(module->syntax->target, '_');
    return number ? (uint32_t)strtoul(number + 1, NULL, 10) : 0;
}

void sim_kernel_info(const struct sim_context *context, const struct function *kernel,
                     struct sim_kernel_info *info)
{
    (void)context;
    uint32_t constant_bytes = 0;
    for (uint32_t i = 0; i < kernel->module->symbol_count; i++)
        if (kernel->module->symbols[i].constant)
            constant_bytes += (uint32_t)kernel->module->symbols[i].size_bytes;
    *info = (struct sim_kernel_info){
        .name = kernel->name,
        .parameter_count = kernel->parameter_count,
        .parameter_bytes = kernel->parameter_bytes,
        .static_shared_bytes = kernel->shared_bytes,
        .local_bytes = kernel->ptxas_registers ? kernel->ptxas_local_bytes : kernel->local_bytes,
        .registers = kernel->ptxas_registers,
        .max_threads = kernel->max_threads ? kernel->max_threads : 1024,
        .constant_bytes = constant_bytes,
        .cluster = {kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]},
        .must_cluster = kernel->explicit_cluster,
        .architecture = architecture_of(kernel->module)};
}
