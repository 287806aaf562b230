/* alike_ptx.c - the cases of a .test file of grader/tests/ptx, each by a module of its own. One
 * that does not parse ends a WebAssembly instance, so the case is told before it is loaded. */
#include "alike.h"
#include "live_internal.h"
#include "tests/ptx_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t MEMORY_BYTES = UINT64_C(64) << 20;
static struct sim_machine *machine;

static bool open_machine(void)
{
    struct sim_error error;
    unsigned char *memory = malloc((size_t)MEMORY_BYTES);
    machine = memory ? machine_in(memory, MEMORY_BYTES, &error) : NULL;
    return machine;
}

struct buffers {
    uint64_t address[3]; /* inputs, results, memory: the parameters */
    unsigned char *host[3];
    size_t bytes[3];
};

static bool make_buffers(struct sim_context *context, const struct ptx_case *one,
                         struct buffers *buffers, struct sim_error *error)
{
    const size_t bytes[] = {cases_inputs_bytes(one), cases_results_bytes(one),
                            cases_memory_bytes(one)};
    for (int i = 0; i < 3; i++) {
        buffers->bytes[i] = bytes[i];
        buffers->address[i] = sim_allocate(context, bytes[i], SIM_MEMORY_DEVICE, NULL, error);
        buffers->host[i] = buffers->address[i] ? sim_host_pointer(context, buffers->address[i],
                                                                  bytes[i], true, error)
                                               : NULL;
        if (!buffers->host[i])
            return false;
        memset(buffers->host[i], 0, bytes[i]);
    }
    cases_fill_inputs(one, buffers->host[0]);
    cases_clear_results(one, buffers->host[1]);
    return true;
}

static void tell_launch(struct launch *launch, const struct function *kernel,
                        const struct buffers *buffers)
{
    static struct text text;
    tell_result(&text, launch, kernel);
    const struct sim_launch_result *result = sim_launch_result(launch);
    printf("result %016" PRIx64 " stored %016" PRIx64 " %016" PRIx64 " %.17g ns\n",
           print_of(text.start, text.used), print_of(buffers->host[1], buffers->bytes[1]),
           print_of(buffers->host[2], buffers->bytes[2]), result ? result->modelled_ns : 0);
}

static bool run(struct sim_context *context, const struct ptx_case *one, const char *ptx,
                struct sim_error *error)
{
    char name[32];
    struct buffers buffers;
    cases_kernel_name(one, name, sizeof name);
    const struct module *module = sim_module_load(context, ptx, strlen(ptx), error);
    if (!module || !make_buffers(context, one, &buffers, error))
        return false;
    struct sim_launch_config config = {
        .block = {one->block[0], one->block[1], one->block[2]},
        .cluster = {one->cluster[0], one->cluster[1], one->cluster[2]},
        .checks = one->refusal ? SIM_CHECK_ALL : SIM_CHECK_MEMORY,
        .count = true,
        .workers = 1};
    cases_blocks(one, config.grid);
    const struct function *kernel = sim_module_kernel(module, name);
    struct launch *launch = sim_launch_new(context, kernel, &config, buffers.address, error);
    if (!launch)
        return false;
    sim_launch_work(launch, 0);
    tell_launch(launch, kernel, &buffers);
    sim_launch_free(launch);
    return true;
}

static bool is_this(const struct ptx_case *one, const void *this)
{
    return one == this;
}

static void run_case(const struct cases_file *file, const struct ptx_case *one)
{
    struct sim_error error = {.message = "no memory"};
    struct sim_context *context = sim_context_new(machine, &error);
    char *text = context ? cases_module(file, "sm_90a", is_this, one) : NULL;
    printf("%s:%u: ", one->file, one->line);
    fflush(stdout);
    if (!text || !run(context, one, text, &error))
        printf("refused: %s\n", strncmp(error.message, "PTX line", 8) ? error.message : "parser");
    free(text);
    if (context)
        sim_context_free(context);
}

int alike_ptx(const char *path, unsigned after_line)
{
    struct cases_file file;
    char error[400];
    if (!cases_read(path, &file, error, sizeof error) || !open_machine()) {
        fprintf(stderr, "%s: %s\n", path, error);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < file.count; i++)
        if (file.cases[i].line > after_line)
            run_case(&file, &file.cases[i]);
    cases_free(&file);
    sim_machine_free(machine);
    return EXIT_SUCCESS;
}
