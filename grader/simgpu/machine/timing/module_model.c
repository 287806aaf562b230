/* module_model.c - see module_model.h. */
#include "module_model.h"

#include <stdlib.h>

static void model_free(struct module_model *model)
{
    for (uint32_t i = 0; model->schedules && i < model->function_count; i++)
        schedule_free(model->schedules[i]);
    free(model->schedules);
    free(model->seen);
    free(model);
}

static struct module_model *model_new(const struct module *module)
{
    struct module_model *model = calloc(1, sizeof *model);
    if (!model)
        return NULL;
    model->function_count = module->function_count;
    model->schedules = calloc(module->function_count + 1, sizeof(struct schedule *));
    model->seen = calloc(module->op_count + 1, sizeof *model->seen);
    if (model->schedules && model->seen)
        return model;
    model_free(model);
    return NULL;
}

/* Of two threads that make it at once, one keeps its own. */
struct module_model *module_model_of(const struct module *module)
{
    struct module_attached *attached = module->attached;
    struct module_model *known = __atomic_load_n(&attached->model, __ATOMIC_ACQUIRE);
    if (known)
        return known;
    struct module_model *made = model_new(module);
    if (!made)
        return NULL;
    __atomic_store_n(&attached->free_model, model_free, __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&attached->model, &known, made, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    model_free(made);
    return known;
}

void module_model_saw(const struct module *module, const uint8_t *seen)
{
    struct module_model *model = module_model_of(module);
    for (uint32_t op = 0; model && op < module->op_count; op++)
        if (seen[op])
            __atomic_fetch_or(&model->seen[op], seen[op], __ATOMIC_RELAXED);
}
