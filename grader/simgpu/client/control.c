/* control.c - the grader's side of the device: ../simgpu.h over the connection. */
#include "client.h"
#include "../report.h"

#include <stdlib.h>

const struct simgpu_api *simgpu_get_api(void);

static enum simgpu_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return SIMGPU_OK;
    case cudaErrorNotPermitted: return SIMGPU_DENIED;
    case cudaErrorMemoryAllocation: return SIMGPU_OUT_OF_MEMORY;
    default: return SIMGPU_GONE;
    }
}

static enum simgpu_status set_options(const struct simgpu_options *options)
{
    struct call call = new_call(REQUEST_OPTIONS);
    call.request.options.checks = options->checks;
    call.request.options.count = options->count;
    call.request.options.step_budget = options->step_budget;
    call.request.options.most_steps = options->most_steps;
    call.request.options.seed = options->seed;
    call.request.options.what_if = options->what_if;
    call.request.options.fewer = options->fewer;
    call.request.options.approximation_seed = options->approximation_seed;
    call.request.options.keep_going = options->keep_going;
    call.request.options.hold_back = options->hold_back;
    call.request.options.slice = options->slice;
    call.request.options.timeline = options->timeline;
    call.request.options.places = options->places;
    call.request.options.sampling = options->sampling;
    return status_of(perform(&call));
}

static enum simgpu_status set_window(enum simgpu_window window, pid_t process,
                                     struct simgpu_over *over)
{
    struct call call = new_call(REQUEST_WINDOW);
    call.request.window.window = window;
    call.request.window.process = (uint32_t)process;
    enum simgpu_status status = status_of(perform(&call));
    if (over)
        *over = (struct simgpu_over){call.reply.value[0], call.reply.value[1]};
    return status;
}

/* Offsets in the block become pointers into it. */
static void relocate(void *block, const void **pointer)
{
    *pointer = (const char *)block + (uintptr_t)*pointer;
}

static enum simgpu_status report(struct simgpu_report **result)
{
    struct call call = new_call(REQUEST_REPORT);
    cudaError_t error = perform(&call);
    *result = NULL;
    if (error != cudaSuccess || call.answer_bytes < sizeof **result) {
        free(call.answer);
        return error == cudaSuccess ? SIMGPU_OUT_OF_MEMORY : status_of(error);
    }
    struct simgpu_report *made = call.answer;
    relocate(made, (const void **)&made->device);
    relocate(made, (const void **)&made->unsampled);
    relocate(made, (const void **)&made->launches);
    report_visit_fault(&made->refused, relocate, made);
    report_visit_fault(&made->unordered, relocate, made);
    for (size_t i = 0; i < made->launch_count; i++) {
        struct simgpu_launch *launch = &made->launches[i];
        report_visit_launch(launch, relocate, made);
        relocate(made, (const void **)&launch->lines);
        relocate(made, (const void **)&launch->stretches);
        relocate(made, (const void **)&launch->written);
        for (size_t j = 0; j < launch->line_count; j++)
            report_visit_place(&launch->lines[j].place, relocate, made);
    }
    made->memory = made;
    *result = made;
    return SIMGPU_OK;
}

static void report_free(struct simgpu_report *made)
{
    if (made)
        free(made->memory);
}

static enum simgpu_status repeat(void *buffer, const void *pattern, size_t pattern_bytes,
                                 uint64_t seed, bool is_output)
{
    struct call call = new_call(REQUEST_REPEAT);
    call.request.repeat.address = (uint64_t)(uintptr_t)buffer;
    call.request.repeat.seed = seed;
    call.request.repeat.is_output = is_output;
    call.payload = pattern;
    call.payload_bytes = pattern_bytes;
    return status_of(perform(&call));
}

static enum simgpu_status touched(const void *buffer, uint64_t from, struct simgpu_touched **list,
                                  size_t *count, const unsigned char **content)
{
    struct call call = new_call(REQUEST_TOUCHED);
    call.request.touched.address = (uint64_t)(uintptr_t)buffer;
    call.request.touched.from = from;
    call.request.touched.with_content = content != NULL;
    enum simgpu_status status = status_of(perform(&call));
    *list = call.answer;
    *count = status == SIMGPU_OK ? call.reply.value[0] : 0;
    if (status == SIMGPU_OK && *count * sizeof **list > call.answer_bytes)
        return SIMGPU_OUT_OF_MEMORY;
    if (content)
        *content = (const unsigned char *)(*list + *count);
    return status;
}

/* An address has eight bytes, here as in a request. */
_Static_assert(sizeof(void *) == sizeof(uint64_t), "pointers are sent as they are");

static bool was_stored_to(const void *const buffers[], size_t count)
{
    struct call call = new_call(REQUEST_WAS_STORED_TO);
    call.payload = buffers;
    call.payload_bytes = count * sizeof *buffers;
    return status_of(perform(&call)) != SIMGPU_OK || call.reply.value[0];
}

static enum simgpu_status set_gaps(const void *buffer, const struct simgpu_gaps *gaps)
{
    struct call call = new_call(REQUEST_GAPS);
    call.request.gaps.address = (uint64_t)(uintptr_t)buffer;
    call.request.gaps.first = gaps->first;
    call.request.gaps.bytes = gaps->bytes;
    call.request.gaps.every = gaps->every;
    return status_of(perform(&call));
}

static bool gaps_were_stored_to(const void *buffer)
{
    struct call call = new_call(REQUEST_WAS_STORED_TO);
    call.payload = &buffer;
    call.payload_bytes = sizeof buffer;
    return status_of(perform(&call)) != SIMGPU_OK || call.reply.value[1];
}

static enum simgpu_status forget_stores(const void *const buffers[], size_t count)
{
    struct call call = new_call(REQUEST_FORGET_STORES);
    call.payload = buffers;
    call.payload_bytes = count * sizeof *buffers;
    return status_of(perform(&call));
}

static enum simgpu_status admit(const void *library, size_t size_bytes)
{
    struct call call = new_call(REQUEST_ADMIT);
    call.payload = library;
    call.payload_bytes = size_bytes;
    return status_of(perform(&call));
}

static enum simgpu_status timeline(struct simgpu_timeline *timeline)
{
    struct call call = new_call(REQUEST_TIMELINE);
    call.answer = timeline;
    call.answer_room = sizeof *timeline;
    return status_of(perform(&call));
}

const struct simgpu_api *simgpu_get_api(void)
{
    static const struct simgpu_api API = {
        set_options, set_window,    report,        report_free, caller_name_memory,  repeat,
        touched,     was_stored_to, forget_stores, set_gaps,    gaps_were_stored_to, admit,
        timeline};
    return &API;
}
