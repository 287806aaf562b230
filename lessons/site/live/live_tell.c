/* live_tell.c - the result of a launch as JSON. Doubles have 17 digits, so that none is lost. */
#include "live_internal.h"

#include <inttypes.h>
#include <string.h>

static void tell_access(struct text *text, const char *name, const struct sim_access_counters *of)
{
    text_add(text, ",\"%s\":{\"neighbour_bytes\":%" PRId64, name, of->neighbour_bytes);
#define ACCESS_COUNTER(field, memory, meaning) \
    text_add(text, ",\"" #field "\":%" PRIu64, of->field);
#define MACHINE_COUNTER(field, meaning) ACCESS_COUNTER(field, EITHER, meaning)
#include "access_counters.def"
    text_add(text, "}");
}

static void tell_totals(struct text *text, const struct sim_totals *totals)
{
    text_add(text,
             ",\"totals\":{\"warp_inst\":%" PRIu64 ",\"thread_inst\":%" PRIu64
             ",\"thread_inst_pred_on\":%" PRIu64 ",\"divergent_branches\":%" PRIu64
             ",\"branches\":%" PRIu64 ",\"barriers\":%" PRIu64,
             totals->warp_inst, totals->thread_inst, totals->thread_inst_pred_on,
             totals->divergent_branches, totals->branches, totals->barriers);
#define LAUNCH_ACCESS(name, memory) tell_access(text, #name, &totals->name);
#include "accesses.def"
    text_add(text, "}");
}

static void tell_example(struct text *text, const char *name, const struct sim_request *request)
{
    if (!request)
        return;
    text_add(text, ",\"%s\":{\"active\":%" PRIu32 ",\"bytes\":%" PRIu32 ",\"address\":[", name,
             request->active, request->bytes);
    for (int lane = 0; lane < 32; lane++)
        text_add(text, "%s%" PRIu64, lane ? "," : "", request->address[lane] - request->allocation);
    text_add(text, "]}");
}

static void tell_op(struct text *text, const struct sim_op_counters *op,
                    const struct function *kernel)
{
    char ptx[200];
    sim_kernel_ptx(kernel, op->ptx_line, ptx, sizeof ptx);
    text_add(text, "{\"line\":%u,\"ptx_line\":%" PRIu32 ",\"ptx\":", op->line.line, op->ptx_line);
    text_quote(text, ptx);
    text_add(text,
             ",\"mnemonic\":\"%s\",\"executions\":%" PRIu64 ",\"lanes\":%" PRIu64
             ",\"lanes_on\":%" PRIu64 ",\"divergent\":%" PRIu64 ",\"branches\":%" PRIu64
             ",\"spilled_words\":%" PRIu64 ",\"access\":%d,\"shared_access\":%d",
             op->mnemonic, op->executions, op->lanes, op->lanes_on, op->divergent, op->branches,
             op->spilled_words, op->access, op->shared_access);
    if (op->access)
        tell_access(text, "memory", &op->memory);
    if (op->shared_access)
        tell_access(text, "shared", &op->shared);
    tell_example(text, "memory_example", op->memory_example);
    tell_example(text, "shared_example", op->shared_example);
    text_add(text, ",\"modelled_ns\":[");
    for (int i = 0; i < SIM_WAITS; i++)
        text_add(text, "%s%.17g", i ? "," : "", op->modelled_ns[i]);
    text_add(text, "]}");
}

static void tell_fault(struct text *text, const struct sim_fault *fault, uint64_t count)
{
    text_add(text, "{\"title\":");
    text_quote(text, sim_fault_title(fault->kind));
    text_add(text,
             ",\"line\":%u,\"other_line\":%u,\"count\":%" PRIu64 ",\"message\":", fault->line.line,
             fault->other.line, count);
    text_quote(text, fault->message);
    text_add(text, ",\"advice\":");
    text_quote(text, fault->advice);
    text_add(text, "}");
}

static void tell_faults(struct text *text, struct launch *launch)
{
    size_t count = 0;
    const struct sim_fault *fault = sim_launch_fault(launch);
    const struct sim_finding *findings = sim_launch_findings(launch, &count);
    text_add(text, "\"fault\":");
    if (fault)
        tell_fault(text, fault, 1);
    else
        text_add(text, "null");
    text_add(text, ",\"findings\":[");
    for (size_t i = 0; i < count; i++) {
        text_add(text, i ? "," : "");
        tell_fault(text, &findings[i].fault, findings[i].count);
    }
    text_add(text, "]");
}

void tell_result(struct text *text, struct launch *launch, const struct function *kernel)
{
    text_clear(text);
    text_add(text, "{");
    tell_faults(text, launch);
    const struct sim_launch_result *result = sim_launch_result(launch);
    if (result) {
        text_add(text, ",\"modelled_ns\":%.17g,\"bound\":", result->modelled_ns);
        text_quote(text, result->bound);
        text_add(text,
                 ",\"registers\":%u,\"blocks_per_multiprocessor\":%u,\"shared_bytes\":%" PRIu32
                 ",\"occupancy_limit\":",
                 result->registers, result->blocks_per_multiprocessor, result->shared_bytes);
        text_quote(text, result->occupancy_limit);
        text_add(text, ",\"dram_read_bytes\":%.17g,\"dram_write_bytes\":%.17g,\"l2_bytes\":%.17g",
                 result->dram_read_bytes, result->dram_write_bytes, result->l2_bytes);
        tell_totals(text, &result->totals);
        text_add(text, ",\"ops\":[");
        for (size_t i = 0; i < result->op_count; i++) {
            text_add(text, i ? "," : "");
            tell_op(text, &result->ops[i], kernel);
        }
        text_add(text, "]");
    }
    text_add(text, "}");
}
