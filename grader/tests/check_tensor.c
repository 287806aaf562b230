/* check_tensor.c - matrix instructions against the plain triple loop, as nvcc writes them. */
#include "bench_machine.h"
#include "tensor_cases.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char KERNELS[] = "tensor_kernels.ptx"; /* beside the program */
enum { MOST_ROWS = 2048 };

static struct bench bench;
static char *kernels_ptx; /* of tensor_kernels.cu */
static bool *ran;         /* each row of the opcode table; shared between the tests' processes */

static void open_bench(void)
{
    bench_open(&bench);
    bench.config.checks = SIM_CHECK_ALL;
}

static void close_bench(void)
{
    bench_close(&bench);
}

/* --- Cases ------------------------------------------------------------------------------------ */

static void note_rows(void)
{
    const struct sim_launch_result *result = bench_result(&bench);
    for (size_t i = 0; i < result->op_count; i++)
        ran[result->ops[i].row] = true;
}

static void compare(const struct tensor_case *one, const int *expected, const int *got, int count)
{
    for (int i = 0; i < count; i++)
        if (expected[i] != got[i])
            ck_abort_msg("%s: value %d is %d, and should be %d", one->kernel, i, got[i],
                         expected[i]);
}

/* Run the kernel of a case; d is where its results are. */
static void run_case(const struct tensor_case *one, int **buffers)
{
    bench_load(&bench, kernels_ptx);
    for (int i = 0; i < 4; i++)
        buffers[i] = bench_buffer(&bench, MATRIX_INTS * sizeof(int));
    bench_buffer(&bench, SCRATCH_BYTES);
    tensor_fill(one, 1, buffers[0], buffers[1], buffers[2]);
    memset(buffers[3], 0x55, MATRIX_INTS * sizeof(int));
    if (bench_run(&bench, one->kernel) != SIM_FAULT_NONE)
        ck_abort_msg("%s: %s", one->kernel, sim_launch_fault(bench.launch)->message);
    note_rows();
}

START_TEST(a_matrix_instruction_gives_what_the_triple_loop_gives)
{
    static int expected[MATRIX_INTS];
    const struct tensor_case *one = &TENSOR_CASES[_i];
    int *buffers[4];
    memset(expected, 0x55, sizeof expected);
    run_case(one, buffers);
    compare(one, expected, buffers[3],
            tensor_expect(one, buffers[0], buffers[1], buffers[2], expected));
}
END_TEST

START_TEST(every_matrix_row_of_the_opcode_table_has_a_case)
{
    struct sim_opcode_row row;
    unsigned missing = 0;
    for (size_t i = 0; sim_opcode_row(i, &row); i++) {
        ck_assert_uint_lt(i, MOST_ROWS);
        if (!strstr(row.mnemonic, ".sync.aligned") || ran[i])
            continue;
        printf("no case runs %s with types '%s'\n", row.mnemonic, row.types);
        missing++;
    }
    ck_assert_uint_eq(missing, 0);
}
END_TEST

/* --- What a profiler counts ------------------------------------------------------------------- */

static const struct tensor_case *case_named(const char *kernel)
{
    for (int i = 0; i < TENSOR_CASE_COUNT; i++)
        if (strcmp(TENSOR_CASES[i].kernel, kernel) == 0)
            return &TENSOR_CASES[i];
    ck_abort_msg("there is no case '%s'", kernel);
    return NULL;
}

START_TEST(ldmatrix_takes_a_wavefront_for_each_row_of_a_block_in_the_same_banks)
{
    int *buffers[4];
    const struct tensor_case *one = &TENSOR_CASES[_i];
    if (one->kind != TENSOR_BANKS || !one->wavefronts)
        return;
    run_case(one, buffers);
    const struct sim_access_counters *loads = &bench_result(&bench)->totals.shared_load;
    ck_assert_uint_eq(loads->requests, 1);
    ck_assert_msg((int)loads->wavefronts == one->wavefronts, "%s: %d wavefronts", one->kernel,
                  (int)loads->wavefronts);
}
END_TEST

static const struct sim_op_counters *load_of_a(const char *kernel)
{
    int *buffers[4];
    run_case(case_named(kernel), buffers);
    const struct sim_launch_result *result = bench_result(&bench);
    for (size_t i = 0; i < result->op_count; i++)
        if (strncmp(result->ops[i].mnemonic, "wmma.load.a", 11) == 0)
            return &result->ops[i];
    ck_abort_msg("%s loads no matrix a", kernel);
    return NULL;
}

/* Of a in shared memory ptxas makes an LDSM.x4; its rows are 48 bytes apart. */
START_TEST(wmma_loads_from_shared_memory_count_as_ldmatrix)
{
    const struct sim_op_counters *load = load_of_a("wmma_m16n16k16_f16_f32_f32_row_row_in_shared");
    ck_assert_int_eq(load->class, SIM_OP_SHARED);
    ck_assert_int_eq(load->shared_access, SIM_ACCESS_LOAD);
    ck_assert_uint_eq(load->shared.requests, 1);
    ck_assert_uint_eq(load->shared.wavefronts, 4);
}
END_TEST

/* Of a in global memory it makes four LDG, each of 16 bytes of 8 rows. */
START_TEST(wmma_loads_from_global_memory_count_block_by_block)
{
    const struct sim_op_counters *load = load_of_a("wmma_m16n16k16_f16_f32_f32_row_col_in_global");
    ck_assert_int_eq(load->class, SIM_OP_GLOBAL);
    ck_assert_int_eq(load->access, SIM_ACCESS_LOAD);
    ck_assert_uint_eq(load->memory.requests, 4);
    ck_assert_uint_eq(load->memory.sectors, 4 * 8);
}
END_TEST

/* --- Numbers ---------------------------------------------------------------------------------- */

static void load_fragments(const char *instruction)
{
    char *body;
    ck_assert_int_ge(asprintf(&body,
                              "mov.u32 %%r1, %%tid.x; ld.param.u64 %%rd1, [p0];\n"
                              "ld.param.u32 %%r2, [p1]; ld.param.u32 %%r3, [p2];\n"
                              "mov.b32 %%f1, 0f00000000; mov.b32 %%f2, 0f00000000;\n"
                              "mov.b32 %%f3, 0f00000000; mov.b32 %%f4, 0f00000000;\n"
                              "%s\nmad.wide.u32 %%rd2, %%r1, 4, %%rd1;\n"
                              "st.global.f32 [%%rd2], %%f1;",
                              instruction),
                     0);
    bench_body(&bench, body);
    free(body);
}

START_TEST(tf32_ignores_the_low_13_bits)
{
    float *out = bench_buffer(&bench, 128);
    bench_integer(&bench, 0x3F801FFF); /* 1.00097644 */
    bench_integer(&bench, 0x40000001);
    load_fragments("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, "
                   "{%r2,%r2}, {%r3}, {%f1,%f2,%f3,%f4};");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_float_eq(out[0], 8);
}
END_TEST

START_TEST(halves_multiply_exactly_and_add_in_float)
{
    float *out = bench_buffer(&bench, 128);
    bench_integer(&bench, 0x3C013C01); /* 1 + 2^-10, twice */
    bench_integer(&bench, 0x3C013C01);
    load_fragments("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, "
                   "{%r2,%r2}, {%r3}, {0f3F800000,%f2,%f3,%f4};");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_float_eq(out[0], 1 + 8 * (1 + 0x1p-9f + 0x1p-20f));
}
END_TEST

/* --- Addresses -------------------------------------------------------------------------------- */

/* Lane l fills row l with its number; of the first block it then gets a piece of row l / 4. */
START_TEST(ldmatrix_takes_shared_and_generic_addresses)
{
    static const char *const LOADS[] = {
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3,%r4,%r5,%r6}, [%r2];",
        "ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%r3,%r4,%r5,%r6}, [%r2];",
        "cvt.u64.u32 %rd3, %r2; cvta.shared.u64 %rd3, %rd3;\n"
        "ldmatrix.sync.aligned.m8n8.x4.b16 {%r3,%r4,%r5,%r6}, [%rd3];"};
    char *body;
    uint32_t *out = bench_buffer(&bench, 128);
    ck_assert_int_ge(asprintf(&body,
                              ".shared .align 16 .b8 s[512];\n"
                              "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, s;\n"
                              "mad.lo.u32 %%r2, %%r1, 16, %%r2; ld.param.u64 %%rd1, [p0];\n"
                              "st.shared.v4.u32 [%%r2], {%%r1,%%r1,%%r1,%%r1};\n"
                              "bar.warp.sync -1; %s\n"
                              "mad.wide.u32 %%rd2, %%r1, 4, %%rd1; st.global.u32 [%%rd2], %%r3;",
                              LOADS[_i]),
                     0);
    bench_body(&bench, body);
    free(body);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(out[lane], lane / 4);
}
END_TEST

/* --- Lanes that part -------------------------------------------------------------------------- */

/* movmatrix of the lane number, twice over; the result of each lane to memory. */
#define MOVE_AND_STORE                                  \
    "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;\n" \
    "mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r3;\n"
#define LANE "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [p0];\n"

static void check_moved(const uint32_t *out)
{
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t column = lane / 4, row = lane % 4 * 2; /* of the halves it gets */
        uint32_t low = column % 2 ? 0 : row * 4 + column / 2;
        uint32_t high = column % 2 ? 0 : (row + 1) * 4 + column / 2;
        ck_assert_uint_eq(out[lane], low | high << 16);
    }
}

START_TEST(movmatrix_turns_rows_into_columns)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, LANE MOVE_AND_STORE);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    check_moved(out);
}
END_TEST

/* Half of the lanes may have left by the time the others come, so they join only at the end. */
START_TEST(lanes_that_come_by_different_ways_wait_for_each_other)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, LANE "setp.lt.u32 %p1, %r1, 12; setp.gt.u32 %p2, %r1, 99;\n"
                            "@!%p1 bra JOIN; mov.u32 %r9, 7; @%p2 ret;\n"
                            "JOIN: " MOVE_AND_STORE);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    check_moved(out);
}
END_TEST

START_TEST(a_matrix_instruction_in_half_a_warp_is_a_fault)
{
    bench_buffer(&bench, 128);
    bench_body(&bench, LANE MOVE_AND_STORE);
    bench.config.block[0] = 16;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_PARTIAL_WARP);
    ck_assert_str_eq(sim_launch_fault(bench.launch)->message,
                     "thread (0,0,0) of block (0,0,0) runs a matrix instruction that needs all 32 "
                     "threads of its warp, but 16 of them have exited or were never launched");
}
END_TEST

START_TEST(a_condition_that_leaves_lanes_out_is_a_fault)
{
    bench_buffer(&bench, 128);
    bench_body(&bench, LANE "setp.lt.u32 %p1, %r1, 31;\n"
                            "@%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_PARTIAL_WARP);
}
END_TEST

START_TEST(two_sides_of_a_branch_cannot_share_a_matrix_instruction)
{
    bench_buffer(&bench, 128);
    bench_body(&bench, LANE "setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW;\n"
                            "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2; bra JOIN;\n"
                            "LOW: shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;\n"
                            "JOIN: add.u32 %r3, %r3, 1;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_PARTIAL_WARP);
}
END_TEST

/* --- Bounds ----------------------------------------------------------------------------------- */

static void load_ldmatrix(const char *address)
{
    char *ptx;
    ck_assert_int_ge(asprintf(&ptx,
                              ".version 9.0\n.target sm_80\n.address_size 64\n"
                              ".visible .entry test()\n{\n.reg .b32 %%r<9>; .reg .b64 %%rd<3>;\n"
                              ".shared .align 16 .b8 s[512];\n"
                              ".loc 1 7 0\nmov.u32 %%r1, %%tid.x; mov.u32 %%r2, s;\n%s\n"
                              ".loc 1 9 0\nldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                              "{%%r3,%%r4,%%r5,%%r6}, [%%r2];\nret;\n}\n.file 1 \"kernel.cu\"\n",
                              address),
                     0);
    bench_load(&bench, ptx);
    free(ptx);
    bench.config.checks = 0;
}

START_TEST(a_row_outside_shared_memory_is_a_fault_of_its_lane_and_line)
{
    load_ldmatrix("mad.lo.u32 %r2, %r1, 20, %r2; and.b32 %r2, %r2, -16;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_OUT_OF_BOUNDS);
    const struct sim_fault *fault = sim_launch_fault(bench.launch);
    ck_assert_uint_eq(fault->line.line, 9);
    ck_assert_str_eq(fault->line.file, "kernel.cu");
    ck_assert_uint_eq(fault->thread[0], 26); /* 26 * 20 = 520: the first row behind byte 496 */
}
END_TEST

START_TEST(a_row_that_is_not_aligned_to_16_bytes_is_a_fault)
{
    load_ldmatrix("mad.lo.u32 %r2, %r1, 8, %r2;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_MISALIGNED);
    ck_assert_uint_eq(sim_launch_fault(bench.launch)->thread[0], 1);
}
END_TEST

START_TEST(a_shape_that_is_not_supported_is_refused_by_name)
{
    struct sim_error error;
    static const char PTX[] =
        ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry test()\n{\n"
        ".reg .b32 %r<9>;\n"
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r5,%r6}, "
        "{%r1,%r2,%r3,%r4};\nret;\n}\n";
    bench.module = sim_module_load(bench.context, PTX, strlen(PTX), &error);
    ck_assert_ptr_nonnull(bench.module);
    bench.launch = sim_launch_new(bench.context, sim_module_kernel(bench.module, "test"),
                                  &bench.config, bench.parameters, &error);
    ck_assert_ptr_null(bench.launch);
    ck_assert_ptr_nonnull(strstr(error.message, "'mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16' "
                                                "is not supported"));
}
END_TEST

/* --- All of them ------------------------------------------------------------------------------ */

static TCase *cases(void)
{
    TCase *tcase = tcase_create("cases");
    tcase_add_checked_fixture(tcase, open_bench, close_bench);
    tcase_add_loop_test(tcase, a_matrix_instruction_gives_what_the_triple_loop_gives, 0,
                        TENSOR_CASE_COUNT);
    tcase_add_test(tcase, every_matrix_row_of_the_opcode_table_has_a_case);
    tcase_add_loop_test(tcase, ldmatrix_takes_a_wavefront_for_each_row_of_a_block_in_the_same_banks,
                        0, TENSOR_CASE_COUNT);
    tcase_add_test(tcase, wmma_loads_from_shared_memory_count_as_ldmatrix);
    tcase_add_test(tcase, wmma_loads_from_global_memory_count_block_by_block);
    return tcase;
}

static TCase *edges(void)
{
    TCase *tcase = tcase_create("edges");
    tcase_add_checked_fixture(tcase, open_bench, close_bench);
    tcase_add_test(tcase, tf32_ignores_the_low_13_bits);
    tcase_add_test(tcase, halves_multiply_exactly_and_add_in_float);
    tcase_add_loop_test(tcase, ldmatrix_takes_shared_and_generic_addresses, 0, 3);
    tcase_add_test(tcase, movmatrix_turns_rows_into_columns);
    tcase_add_test(tcase, lanes_that_come_by_different_ways_wait_for_each_other);
    tcase_add_test(tcase, a_matrix_instruction_in_half_a_warp_is_a_fault);
    tcase_add_test(tcase, a_condition_that_leaves_lanes_out_is_a_fault);
    tcase_add_test(tcase, two_sides_of_a_branch_cannot_share_a_matrix_instruction);
    tcase_add_test(tcase, a_row_outside_shared_memory_is_a_fault_of_its_lane_and_line);
    tcase_add_test(tcase, a_row_that_is_not_aligned_to_16_bytes_is_a_fault);
    tcase_add_test(tcase, a_shape_that_is_not_supported_is_refused_by_name);
    return tcase;
}

static char *read_all(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &room, 0, file) < 0)
        fprintf(stderr, "cannot read %s: make unit makes it\n", path);
    if (file)
        fclose(file);
    return text;
}

int main(int count, char **words)
{
    const char *slash = count ? strrchr(words[0], '/') : NULL;
    char path[4096];
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - words[0]) : 0, words[0],
             KERNELS);
    kernels_ptx = read_all(path);
    ran = mmap(NULL, MOST_ROWS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!kernels_ptx || ran == MAP_FAILED)
        return EXIT_FAILURE;
    Suite *suite = suite_create("tensor");
    suite_add_tcase(suite, cases());
    suite_add_tcase(suite, edges());
    int status = run_suite(suite);
    free(kernels_ptx);
    return status;
}
