#include "bench_machine.h"

#include "simgpu/protocol.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ARENA_PARTS = 8 }; /* of the device's */
static const uint64_t ARENA = PLAIN_ARENA_ADDRESS, BYTES = PLAIN_ARENA_BYTES / ARENA_PARTS;

static bool commit(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    return bytes == 0 || mprotect((void *)address, bytes, PROT_READ | PROT_WRITE) == 0;
}

static void release(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    if (bytes)
        madvise((void *)address, bytes, MADV_DONTNEED);
}

void bench_open(struct bench *bench)
{
    bench_open_at(bench, 0);
}

void bench_open_at(struct bench *bench, uint64_t further)
{
    struct sim_error error;
    memset(bench, 0, sizeof *bench);
    bench->arena = mmap((void *)(ARENA + further), BYTES, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    ck_assert_ptr_eq(bench->arena, (void *)(ARENA + further));
    struct sim_arena arena = {.address = ARENA + further,
                              .bytes = BYTES,
                              .host = bench->arena,
                              .commit = commit,
                              .release = release};
    bench->machine = sim_machine_new(sim_profile_named("h200"), &arena, &error);
    ck_assert_ptr_nonnull(bench->machine);
    bench->context = sim_context_new(bench->machine, &error);
    ck_assert_ptr_nonnull(bench->context);
    bench->config = (struct sim_launch_config){
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .count = true, .workers = 1};
}

void bench_close(struct bench *bench)
{
    sim_launch_free(bench->launch);
    sim_context_free(bench->context);
    sim_machine_free(bench->machine);
    munmap(bench->arena, BYTES);
}

void bench_load(struct bench *bench, const char *ptx)
{
    struct sim_error error;
    bench->module = sim_module_load(bench->context, ptx, strlen(ptx), &error);
    if (!bench->module)
        ck_abort_msg("%s", error.message);
}

void bench_body(struct bench *bench, const char *instructions)
{
    static const char HEAD[] =
        ".version 9.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry test(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3,\n"
        "    .param .u64 p4, .param .u64 p5, .param .u64 p6, .param .u64 p7)\n{\n"
        ".reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<64>; .reg .f64 %d<64>;\n"
        ".reg .b16 %h<64>; .reg .pred %p<16>;\n";
    char *ptx;
    ck_assert_int_ge(asprintf(&ptx, "%s%s\nret;\n}\n", HEAD, instructions), 0);
    bench_load(bench, ptx);
    free(ptx);
}

void bench_integer(struct bench *bench, uint64_t value)
{
    memcpy(bench->parameters + 8 * bench->parameter_count++, &value, sizeof value);
}

void *bench_buffer(struct bench *bench, uint64_t size_bytes)
{
    struct sim_error error;
    uint64_t address = sim_allocate(bench->context, size_bytes, SIM_MEMORY_DEVICE, NULL, &error);
    ck_assert_uint_ne(address, 0);
    bench_integer(bench, address);
    return sim_host_pointer(bench->context, address, size_bytes, true, &error);
}

struct turn {
    struct launch *launch;
    uint32_t worker;
    pthread_barrier_t *start; /* all begin at once, so that none is done before the next begins */
};

static void *take_turn(void *argument)
{
    const struct turn *turn = argument;
    pthread_barrier_wait(turn->start);
    sim_launch_work(turn->launch, turn->worker);
    return NULL;
}

static void work(struct launch *launch, uint32_t workers)
{
    enum { MOST_WORKERS = 16 };
    pthread_t threads[MOST_WORKERS];
    struct turn turns[MOST_WORKERS];
    pthread_barrier_t start;
    ck_assert_uint_le(workers, MOST_WORKERS);
    pthread_barrier_init(&start, NULL, workers);
    for (uint32_t i = 0; i < workers; i++) {
        turns[i] = (struct turn){launch, i, &start};
        if (i > 0)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, take_turn, &turns[i]), 0);
    }
    take_turn(&turns[0]);
    for (uint32_t i = 1; i < workers; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
}

enum sim_fault_kind bench_run(struct bench *bench, const char *kernel)
{
    struct sim_error error;
    const struct function *function = sim_module_kernel(bench->module, kernel);
    ck_assert_ptr_nonnull(function);
    sim_launch_free(bench->launch);
    bench->launch =
        sim_launch_new(bench->context, function, &bench->config, bench->parameters, &error);
    if (!bench->launch)
        ck_abort_msg("%s", error.message);
    if (sim_launch_sampled(bench->launch))
        for (uint32_t i = 0; i < sim_launch_workers(bench->launch); i++)
            sim_launch_work(bench->launch, i);
    else
        work(bench->launch, bench->config.workers);
    const struct sim_fault *fault = sim_launch_fault(bench->launch);
    return fault ? fault->kind : SIM_FAULT_NONE;
}

const struct sim_launch_result *bench_result(struct bench *bench)
{
    return sim_launch_result(bench->launch);
}
