/* check_bulk.c - what the checks say of bulk copies: exec_bulk.c, races.c, initialised.c.
 *
 * A row is what a block of two warps does. Thread 0 has made s_full, an mbarrier that waits for one
 * arrival, and all threads have met since; s_row is 256 bytes of shared memory, of which each
 * thread has word %r3. %rd1 is the address of 256 bytes of global memory that are written, %rd2
 * that of as many that are not; %p1 is true for thread 0, %p2 for warp 1.
 */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
    bench.config.checks = SIM_CHECK_INITIALISED | SIM_CHECK_RACES;
    sim_watch_initialisation(bench.context, true);
    bench.config.block[0] = 64;
}

static void close_bench(void)
{
    bench_close(&bench);
}

#define LOAD "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
#define STORE "cp.async.bulk.global.shared::cta.bulk_group "
#define EXPECT "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [s_full], 256;\n"
#define ASK EXPECT "@%p1 " LOAD "[s_row], [%rd1], 256, [s_full];\n"
#define WAIT(label, parity)                                                         \
    label ": mbarrier.try_wait.parity.shared::cta.b64 %p9, [s_full], " parity ";\n" \
          "@!%p9 bra " label ";\n"
#define MEET "bar.sync 0;\n"
#define FENCE "fence.proxy.async.shared::cta;\n"
#define DONE "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
#define FILL "st.shared.u32 [%r3], %r1;\n"
#define READ "ld.shared.u32 %r9, [%r3];\n"
#define USE READ "setp.eq.u32 %p8, %r9, 7; @%p8 bra ON; ON:\n"

static const struct row {
    const char *claim, *body;
    enum sim_fault_kind fault;
    const char *said; /* a part of it */
} ROWS[] = {
    {"all threads wait for the phase", ASK WAIT("W", "0") USE, SIM_FAULT_NONE, ""},
    {"one thread waits, and all meet", ASK "@!%p1 bra PAST;\n" WAIT("W", "0") "PAST:\n" MEET USE,
     SIM_FAULT_NONE, ""},
    {"a second turn of a stage", ASK WAIT("W", "0") USE MEET ASK WAIT("V", "1") READ,
     SIM_FAULT_NONE, ""},
    {"no thread waits before a read", ASK MEET READ WAIT("W", "0"), SIM_FAULT_MISSING_WAIT,
     "to which a copy of thread (0,0,0) is still under way"},
    {"a thread writes meanwhile", ASK MEET "@%p2 st.shared.u32 [%r3], 5;\n" WAIT("W", "0"),
     SIM_FAULT_RACE, "thread (0,0,0) copied into"},
    {"only warp 0 waits",
     ASK "@%p2 bra PAST;\n" WAIT("W", "0") "PAST:\n@%p2 nanosleep.u32 9;\n" READ WAIT("V", "0"),
     SIM_FAULT_RACE, "shared memory at offset"},
    {"a stage is asked for while it is read", ASK WAIT("W", "0") READ ASK WAIT("V", "1"),
     SIM_FAULT_RACE, "copies into shared memory"},
    {"threads write their parts, meet, and one stores",
     FILL FENCE MEET "@%p1 " STORE "[%rd2], [s_row], 256;\n"
                     "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;\n" MEET FILL,
     SIM_FAULT_NONE, ""},
    {"they do not meet before the store",
     FILL FENCE "@%p1 " STORE "[%rd2], [s_row], 256;\n"
                "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
     SIM_FAULT_RACE, "shared memory at offset"},
    {"they meet, and no thread has fenced what it wrote",
     FILL MEET "@%p1 " STORE "[%rd2], [s_row], 256;\n" DONE, SIM_FAULT_MISSING_FENCE,
     "at offset 16, which thread (0,0,0) wrote, without fence.proxy.async"},
    {"the thread that asks has fenced for all",
     FILL MEET "@%p1 " FENCE "@%p1 " STORE "[%rd2], [s_row], 256;\n" DONE, SIM_FAULT_NONE, ""},
    {"a warp writes again after all have fenced",
     FILL FENCE MEET "@%p2 st.shared.u32 [%r3], 9;\n" MEET "@%p1 " STORE
                     "[%rd2], [s_row], 256;\n" DONE,
     SIM_FAULT_MISSING_FENCE, "which thread (32,0,0) wrote"},
    {"what came in bulk goes away in bulk",
     ASK WAIT("W", "0") "@%p1 " STORE "[%rd2], [s_row], 256;\n" DONE, SIM_FAULT_NONE, ""},
    {"the source is written before it was read",
     FILL FENCE MEET "@%p1 " STORE "[%rd2], [s_row], 256;\ncp.async.bulk.commit_group;\n" MEET FILL
                     "cp.async.bulk.wait_group.read 0;\n",
     SIM_FAULT_MISSING_WAIT, "from which a copy of thread (0,0,0) is still under way"},
    {"another group is waited for",
     FILL FENCE MEET "@%p1 " STORE "[%rd2], [s_row], 256;\ncp.async.bulk.commit_group;\n"
                     "cp.async.bulk.wait_group.read 1;\n" MEET FILL "cp.async.bulk.wait_group 0;\n",
     SIM_FAULT_MISSING_WAIT, "from which a copy"},
    {"no thread waits for a store at all",
     FILL FENCE MEET "@%p1 " STORE "[%rd2], [s_row], 256;\ncp.async.bulk.commit_group;\n",
     SIM_FAULT_MISSING_WAIT, "out of shared memory in bulk, and no thread waits"},
    {"no thread waits for a load at all", ASK, SIM_FAULT_MISSING_WAIT,
     "into shared memory in bulk, and no thread waits"},
    {"what is copied was written nowhere",
     EXPECT "@%p1 " LOAD "[s_row], [%rd2], 256, [s_full];\n" WAIT("W", "0") USE,
     SIM_FAULT_UNINITIALISED, "decides a branch"},
    {"what is stored was written nowhere",
     "@%p1 " STORE "[%rd2], [s_row], 256;\n"
     "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
     SIM_FAULT_UNINITIALISED, "is stored in global memory"},
    {"global memory is written by two threads",
     FILL FENCE MEET "@%p1 " STORE "[%rd2], [s_row], 256;\n"
                     "setp.eq.u32 %p2, %r1, 63; @%p2 st.global.u32 [%rd2], %r1;\n"
                     "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
     SIM_FAULT_GLOBAL_RACE, "256-byte buffer"},
    {"what follows a store in its line is another thread's",
     FILL FENCE MEET "@%p1 " STORE "[%rd2], [s_row], 144;\n"
                     "setp.eq.u32 %p2, %r1, 40; @%p2 st.global.u32 [%rd2+144], %r1;\n" DONE,
     SIM_FAULT_NONE, ""},
    {"the end of a buffer is passed", EXPECT "@%p1 " LOAD "[s_row], [%rd1+16], 256, [s_full];\n",
     SIM_FAULT_OUT_OF_BOUNDS, "reads 256 bytes of global memory"},
};

static void load_row(const struct row *row)
{
    char text[4096];
    snprintf(text, sizeof text,
             ".shared .align 8 .b8 s_full[8]; .shared .align 16 .b8 s_row[256];\n"
             "ld.param.u64 %%rd1, [p0]; ld.param.u64 %%rd2, [p1];\n"
             "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, s_row; mad.lo.u32 %%r3, %%r1, 4, %%r2;\n"
             "setp.eq.u32 %%p1, %%r1, 0; setp.ge.u32 %%p2, %%r1, 32;\n"
             "mul.wide.u32 %%rd3, %%r1, 4; add.u64 %%rd3, %%rd1, %%rd3;\n"
             "st.global.u32 [%%rd3], %%r1;\n"
             "@%%p1 mbarrier.init.shared::cta.b64 [s_full], 1;\n"
             "fence.mbarrier_init.release.cluster;\n" MEET "%s",
             row->body);
    bench_body(&bench, text);
}

static void unwritten_buffer(uint64_t size_bytes)
{
    struct sim_error error;
    bench_integer(&bench, sim_allocate(bench.context, size_bytes, SIM_MEMORY_DEVICE, NULL, &error));
}

START_TEST(each_row_is_told)
{
    const struct row *row = &ROWS[_i];
    load_row(row);
    bench_buffer(&bench, 256);
    unwritten_buffer(256);
    enum sim_fault_kind fault = bench_run(&bench, "test");
    const char *said = fault ? sim_launch_fault(bench.launch)->message : "";
    ck_assert_msg(fault == row->fault, "%s: fault %d, not %d: %s", row->claim, fault, row->fault,
                  said);
    ck_assert_msg(strstr(said, row->said) != NULL, "%s: '%s'", row->claim, said);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bulk");
    TCase *tcase = tcase_create("checks");
    tcase_add_checked_fixture(tcase, open_bench, close_bench);
    tcase_add_loop_test(tcase, each_row_is_told, 0, sizeof ROWS / sizeof *ROWS);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
