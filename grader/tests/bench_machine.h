/* bench_machine.h - a machine for tests: PTX goes in, numbers come out.
 *
 * Order of calls: bench_open, bench_load, bench_buffer ..., bench_run, bench_close. Anything that
 * goes wrong fails the running test.
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "machine.h"

struct bench {
    struct sim_machine *machine;
    struct sim_context *context;
    struct module *module;
    struct launch *launch;
    struct sim_launch_config config; /* what bench_run launches; one block of 32 threads at first */
    void *arena;
    unsigned char parameters[4096];
    uint32_t parameter_count;
};

void bench_open(struct bench *bench);
/* With an arena that begins so many bytes further than the others'. */
void bench_open_at(struct bench *bench, uint64_t further);
void bench_close(struct bench *bench);

/* Load PTX text; bench_body wraps a kernel "test(.param .u64 p0 ... p7)" around instructions, with
 * registers %r<64> b32, %rd<64> b64, %f<64> f32, %d<64> f64, %h<64> b16, %p<16> pred. */
void bench_load(struct bench *bench, const char *ptx);
void bench_body(struct bench *bench, const char *instructions);

/* Device memory of size_bytes, as the next kernel parameter; its host pointer. */
void *bench_buffer(struct bench *bench, uint64_t size_bytes);
void bench_integer(struct bench *bench, uint64_t value);

/* Run the kernel and return its fault kind; the result stays until the next run. */
enum sim_fault_kind bench_run(struct bench *bench, const char *kernel);
const struct sim_launch_result *bench_result(struct bench *bench);

#endif
