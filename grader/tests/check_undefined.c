/* check_undefined.c - which values count as undefined, operation by operation: undefined.h.
 *
 * A row is PTX that makes %r9 (or %rd9) of %r1, a word of shared memory that no thread has written.
 * %r2 is the lane, %r3 is 77, %p1 is true in lanes 0 to 15. A branch depends on the result. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
    bench.config.checks = SIM_CHECK_INITIALISED;
}

static void close_bench(void)
{
    bench_close(&bench);
}

static enum sim_fault_kind fault_of(const char *instructions, const char *decision)
{
    char text[2048];
    snprintf(text, sizeof text,
             ".shared .align 16 .b8 s_words[256]; mov.u32 %%r10, s_words;\n"
             "mov.u32 %%r2, %%tid.x; mov.u32 %%r3, 77; setp.lt.u32 %%p1, %%r2, 16;\n"
             "mov.u32 %%r9, 0; mov.u64 %%rd9, 0;\n"
             "ld.shared.u32 %%r1, [%%r10];\n%s;\n%s\n",
             instructions, decision);
    bench_body(&bench, text);
    return bench_run(&bench, "test");
}

struct row {
    const char *instructions;
    bool is_undefined;
};

static const struct row WORDS[] = {
    /* sums and products */
    {"add.u32 %r9, %r1, 5", true},
    {"sub.u32 %r9, %r3, %r1", true},
    {"mul.lo.u32 %r9, %r1, %r3", true},
    {"mul.lo.u32 %r9, %r1, 0", false},
    {"mad.lo.u32 %r9, %r1, 0, %r3", false},
    {"mad.lo.u32 %r9, %r3, 0, %r1", true},
    {"add.cc.u32 %r4, %r1, 1; addc.u32 %r9, %r3, 0", true},
    {"add.cc.u32 %r4, %r3, 1; addc.u32 %r9, %r3, 0", false},
    {"div.u32 %r9, %r1, 3", true},
    {"sub.u32 %r9, %r1, %r1", false},
    {"sub.cc.u32 %r4, %r1, %r1; subc.u32 %r9, %r3, 0", false},
    {"add.u32 %r4, %r1, 0; sub.u32 %r9, %r4, %r1", true},
    {"and.b32 %r4, %r1, 255; add.u32 %r4, %r4, 255; shr.u32 %r9, %r4, 9", false},
    {"and.b32 %r4, %r1, 255; add.u32 %r4, %r4, 255; shr.u32 %r9, %r4, 8", true},
    {"and.b32 %r4, %r1, 15; sub.u32 %r4, 31, %r4; shr.u32 %r9, %r4, 5", false},
    {"and.b32 %r4, %r1, 15; sub.u32 %r4, 14, %r4; shr.u32 %r9, %r4, 5", true},
    {"mov.b32 %f1, %r1; sub.f32 %f2, %f1, %f1; mov.b32 %r9, %f2", true},
    /* the lesser, the larger */
    {"min.u32 %r9, %r1, 3", true},
    {"min.u32 %r9, %r1, 0", false},
    {"min.s32 %r9, %r1, 0", true},
    {"max.u32 %r9, %r1, -1", false},
    {"max.s32 %r9, %r1, -1", true},
    {"max.s32 %r9, %r1, 0x7FFFFFFF", false},
    {"and.b32 %r4, %r1, 15; max.s32 %r9, %r4, 15", false},
    {"and.b32 %r4, %r1, 15; max.s32 %r9, %r4, 14", true},
    {"or.b32 %r4, %r1, 0x80000000; max.s32 %r9, %r4, %r2", false},
    {"or.b32 %r4, %r1, 0x80000000; max.u32 %r9, %r4, %r2", true},
    {"mov.b32 %f1, %r1; min.f32 %f2, %f1, 0f00000000; mov.b32 %r9, %f2", true},
    /* the first 1 */
    {"clz.b32 %r9, %r1", true},
    {"or.b32 %r4, %r1, 0x80000000; clz.b32 %r9, %r4", false},
    {"or.b32 %r4, %r1, 0x40000000; clz.b32 %r9, %r4", true},
    {"or.b32 %r4, %r1, 0x40000000; clz.b32 %r5, %r4; shr.u32 %r9, %r5, 1", false},
    {"or.b32 %r4, %r1, 1; brev.b32 %r4, %r4; clz.b32 %r9, %r4", false},
    {"or.b32 %r4, %r1, 2; brev.b32 %r4, %r4; clz.b32 %r9, %r4", true},
    {"or.b32 %r4, %r1, 0x80000000; bfind.u32 %r9, %r4", false},
    {"shr.u32 %r4, %r1, 31; bfind.u32 %r9, %r4", true},
    {"or.b32 %r4, %r1, 0x80000000; bfind.s32 %r9, %r4", true},
    {"or.b32 %r4, %r1, 0x80000000; bfind.shiftamt.u32 %r9, %r4", false},
    {"mov.b64 %rd1, {%r1, %r3}; clz.b64 %r9, %rd1", false},
    {"mov.b64 %rd1, {%r3, %r1}; clz.b64 %r9, %rd1", true},
    /* a word of characters of which the second is the last: where its 0 is hangs on no other */
    {"and.b32 %r4, %r1, 0xFFFF0000; or.b32 %r4, %r4, 0x41; sub.u32 %r5, %r4, 0x01010101;"
     "not.b32 %r4, %r4; and.b32 %r5, %r5, %r4; and.b32 %r5, %r5, 0x80808080; brev.b32 %r5, %r5;"
     "clz.b32 %r9, %r5",
     false},
    {"and.b32 %r4, %r1, 0xFFFF0000; or.b32 %r4, %r4, 0x4141; sub.u32 %r5, %r4, 0x01010101;"
     "not.b32 %r4, %r4; and.b32 %r5, %r5, %r4; and.b32 %r5, %r5, 0x80808080; brev.b32 %r5, %r5;"
     "clz.b32 %r9, %r5",
     true},
    {"mov.b32 %f1, %r1; mul.f32 %f2, %f1, 0f00000000; mov.b32 %r9, %f2", true},
    {"mov.b32 %f1, %r1; fma.rn.f32 %f2, %f1, %f1, %f1; cvt.rzi.s32.f32 %r9, %f2", true},
    {"cvt.rn.f32.s32 %f1, %r1; mov.b32 %r9, %f1", true},
    /* bits */
    {"and.b32 %r9, %r1, 0", false},
    {"and.b32 %r9, %r1, 1", true},
    {"or.b32 %r9, %r1, -1", false},
    {"or.b32 %r9, %r1, 1", true},
    {"xor.b32 %r9, %r1, %r3", true},
    {"not.b32 %r9, %r1", true},
    {"shl.b32 %r4, %r1, 8; and.b32 %r9, %r4, 255", false},
    {"shl.b32 %r4, %r1, 8; and.b32 %r9, %r4, 256", true},
    {"shr.u32 %r4, %r1, 24; and.b32 %r9, %r4, 0xFF00", false},
    {"shr.s32 %r4, %r1, 24; and.b32 %r9, %r4, 0xFF00", true},
    {"shr.u32 %r9, %r3, %r1", true},
    {"bfi.b32 %r4, %r3, %r1, 4, 4; bfe.u32 %r9, %r4, 4, 4", false},
    {"bfi.b32 %r4, %r3, %r1, 4, 4; bfe.u32 %r9, %r4, 4, 5", true},
    {"bfi.b32 %r4, %r1, %r3, 4, 4; bfe.u32 %r9, %r4, 8, 8", false},
    {"prmt.b32 %r9, %r1, %r3, 0x7654", false},
    {"prmt.b32 %r9, %r1, %r3, 0x7651", true},
    {"lop3.b32 %r9, %r1, %r3, %r2, 0xCC", false},
    {"lop3.b32 %r9, %r1, %r3, %r2, 0xE8", true},
    {"brev.b32 %r9, %r1", true},
    {"popc.b32 %r9, %r1", true},
    {"shf.l.wrap.b32 %r9, %r1, %r3, 0", false},
    {"shf.l.wrap.b32 %r9, %r1, %r3, 1", true},
    /* moves and widths */
    {"mov.b32 {%h1, %h2}, %r1; mov.b32 %r9, {%h1, %h1}", true},
    {"mov.b32 {%h1, %h2}, %r3; mov.b32 %r9, {%h1, %h2}", false},
    {"mov.b64 %rd1, {%r3, %r1}; cvt.u32.u64 %r9, %rd1", false},
    {"mov.b64 %rd1, {%r3, %r1}; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r9, %rd1", true},
    {"mov.b64 %rd1, {%r3, %r1}; mov.b64 {%r9, %r4}, %rd1", false},
    {"mov.b64 %rd1, {%r3, %r1}; mov.b64 {%r4, %r9}, %rd1", true},
    {"cvt.u64.u32 %rd1, %r1; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r9, %rd1", false},
    {"cvt.s64.s32 %rd1, %r1; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r9, %rd1", true},
    {"cvt.u16.u32 %h1, %r1; cvt.u32.u16 %r4, %h1; shr.u32 %r9, %r4, 16", false},
    {"add.f16x2 %r4, %r1, %r3; mov.b32 %r9, %r4", true},
    {"prmt.b32 %r4, %r3, %r1, 0x5410; add.f16x2 %r5, %r4, %r4; and.b32 %r9, %r5, 0xFFFF", false},
    {"prmt.b32 %r4, %r3, %r1, 0x5410; add.f16x2 %r5, %r4, %r4; shr.u32 %r9, %r5, 16", true},
    {"mov.b32 %f1, %r1; mov.b32 %f2, %r3; cvt.rn.f16x2.f32 %r4, %f1, %f2; and.b32 %r9, %r4, 65535",
     false},
    /* selection and predicates */
    {"selp.b32 %r9, %r1, %r3, %p1", true},
    {"setp.lt.u32 %p2, %r2, 0; selp.b32 %r9, %r1, %r3, %p2", false},
    {"setp.lt.u32 %p2, %r1, 5; selp.b32 %r9, %r3, %r2, %p2", true},
    {"setp.lt.u32 %p2, %r1, 5; selp.b32 %r9, %r3, %r3, %p2", false},
    {"setp.lt.u32 %p2, %r1, 5; and.pred %p3, %p2, 0; selp.b32 %r9, 1, 2, %p3", false},
    {"setp.lt.u32 %p2, %r1, 5; or.pred %p3, %p2, %p1; selp.b32 %r9, 1, 2, %p3", true},
    {"setp.lt.u32 %p2, %r1, 5; mov.pred %p3, %p2; selp.b32 %r9, 1, 2, %p3", true},
    {"or.b32 %r4, %r1, 1; setp.eq.u32 %p2, %r4, 0; selp.b32 %r9, 1, 2, %p2", false},
    {"setp.eq.u32 %p2, %r1, 0; selp.b32 %r9, 1, 2, %p2", true},
    {"setp.lt.u32 %p2, %r1, %r1; selp.b32 %r9, 1, 2, %p2", false},
    {"mov.b32 %f1, %r1; setp.eq.f32 %p2, %f1, %f1; selp.b32 %r9, 1, 2, %p2", true},
    {"and.b32 %r4, %r1, 255; setp.gt.u32 %p2, %r4, 255; selp.b32 %r9, 1, 2, %p2", false},
    {"and.b32 %r4, %r1, 255; setp.ge.u32 %p2, %r4, 255; selp.b32 %r9, 1, 2, %p2", true},
    {"and.b32 %r4, %r1, 255; setp.le.s32 %p2, %r4, -1; selp.b32 %r9, 1, 2, %p2", false},
    {"and.b32 %r4, %r1, 255; setp.le.s32 %p2, %r4, 0; selp.b32 %r9, 1, 2, %p2", true},
    {"or.b32 %r4, %r1, 0x80000000; setp.lt.s32 %p2, %r4, 0; selp.b32 %r9, 1, 2, %p2", false},
    {"or.b32 %r4, %r1, 1; setp.lt.s32 %p2, %r4, 0; selp.b32 %r9, 1, 2, %p2", true},
    {"setp.gt.u32 %p3, %r2, 99; setp.eq.and.u32 %p2, %r1, 0, %p3; selp.b32 %r9, 1, 2, %p2", false},
    {"setp.lt.u32 %p2, %r1, 5; @%p2 mov.u32 %r9, 4", true},
    /* lanes */
    {"selp.b32 %r4, %r1, %r3, %p1; shfl.sync.idx.b32 %r9, %r4, 20, 31, -1", false},
    {"selp.b32 %r4, %r1, %r3, %p1; shfl.sync.idx.b32 %r9, %r4, 2, 31, -1", true},
    {"selp.b32 %r4, %r1, %r3, %p1; shfl.sync.down.b32 %r9, %r4, 16, 31, -1", false},
    {"selp.b32 %r4, %r1, %r3, %p1; shfl.sync.up.b32 %r9, %r4, 1, 0, -1", true},
    {"setp.lt.u32 %p2, %r1, 5; vote.sync.ballot.b32 %r9, %p2, -1", true},
    {"setp.lt.u32 %p2, %r1, 5; or.pred %p3, %p2, %p1; vote.sync.any.pred %p4, %p3, -1;"
     "selp.b32 %r9, 1, 2, %p4",
     false},
    {"setp.lt.u32 %p2, %r1, 5; vote.sync.all.pred %p4, %p2, -1; selp.b32 %r9, 1, 2, %p4", true},
    {"redux.sync.add.u32 %r9, %r1, -1", true},
    /* memory */
    {"st.shared.u32 [%r10 + 4], %r1; ld.shared.u32 %r9, [%r10 + 4]", true},
    {"st.shared.u32 [%r10], %r3; ld.shared.u32 %r9, [%r10]", false},
    {"st.shared.u32 [%r10 + 4], %r3; st.shared.u32 [%r10 + 4], %r1; ld.shared.u32 %r9, [%r10 + 4]",
     true},
    {"ld.shared.v2.u32 {%r4, %r5}, [%r10]; mov.u32 %r9, %r5", true},
    {"st.shared.u32 [%r10 + 4], %r3; ld.shared.v2.u32 {%r4, %r9}, [%r10]", false},
    {"st.shared.u8 [%r10], %r3; ld.shared.u32 %r4, [%r10]; and.b32 %r9, %r4, 255", false},
    {"st.shared.u8 [%r10], %r3; ld.shared.u32 %r9, [%r10]", true},
    {"st.shared.u8 [%r10 + 5], %r1; ld.shared.u8 %r9, [%r10 + 5]", true},
    {"ld.shared.s8 %r4, [%r10]; shr.u32 %r9, %r4, 16", true},
    {"ld.shared.u8 %r4, [%r10]; shr.u32 %r9, %r4, 16", false},
    {"bfi.b32 %r4, %r3, %r1, 0, 3; st.shared.u8 [%r10], %r4; ld.shared.u8 %r5, [%r10];"
     "and.b32 %r9, %r5, 7",
     false},
    {"atom.shared.exch.b32 %r4, [%r10], %r2; ld.shared.u32 %r9, [%r10]", false},
    {"mad.lo.u32 %r11, %r2, 4, %r10; atom.shared.exch.b32 %r9, [%r11 + 128], %r2", true},
};

START_TEST(a_result_is_undefined_as_its_operation_has_it)
{
    const struct row *row = &WORDS[_i];
    enum sim_fault_kind fault =
        fault_of(row->instructions, "mul.lo.u32 %r9, %r9, 0x9E3779B1;" /* no bit gets lost, */
                                    "setp.gt.u32 %p9, %r9, 40;"        /* however low */
                                    "@%p9 bra OUT; mov.u32 %r9, 1; OUT:");
    ck_assert_msg(fault == (row->is_undefined ? SIM_FAULT_UNINITIALISED : SIM_FAULT_NONE), "%s: %s",
                  row->instructions, sim_fault_title(fault));
}
END_TEST

/* What decides, and what does not. */
static const struct row USES[] = {
    {"mov.u32 %r9, %r1", false},
    {"st.shared.u32 [%r10 + 8], %r1", false},
    {"cvt.u64.u32 %rd1, %r1; and.b64 %rd1, %rd1, 4; cvt.u32.u64 %r4, %rd1; add.u32 %r4, %r4, %r10;"
     "ld.shared.u32 %r5, [%r4]",
     true},
    {"and.b32 %r4, %r1, 4; add.u32 %r4, %r4, %r10; st.shared.u32 [%r4], %r3", true},
    {"setp.lt.u32 %p2, %r1, 5; @%p2 st.shared.u32 [%r10], %r3", true},
    {"setp.lt.u32 %p2, %r1, 5; @%p2 ld.shared.u32 %r4, [%r10]", false},
    {"or.b32 %r4, %r1, -1; shfl.sync.idx.b32 %r5, %r3, 2, 31, %r4", false},
    {"shfl.sync.idx.b32 %r5, %r3, 2, 31, %r1", true},
    {"shfl.sync.idx.b32 %r5, %r3, %r1, 31, -1", false},
    {"bar.warp.sync %r1", true},
    {"atom.shared.add.u32 %r4, [%r10], 1", true},
    {"red.shared.add.u32 [%r10], 1", true},
    {"atom.shared.exch.b32 %r4, [%r10], 1", false},
    {"st.shared.u32 [%r10], 0; bar.sync 0; atom.shared.add.u32 %r4, [%r10], %r1", false},
    {"st.shared.u32 [%r10], 0; bar.sync 0; atom.shared.cas.b32 %r4, [%r10], %r1, %r3", true},
    {"setp.lt.u32 %p2, %r1, 5; @%p2 exit", true},
};

START_TEST(a_value_counts_where_it_decides)
{
    enum sim_fault_kind fault = fault_of(USES[_i].instructions, "");
    ck_assert_msg(fault == (USES[_i].is_undefined ? SIM_FAULT_UNINITIALISED : SIM_FAULT_NONE),
                  "%s: %s", USES[_i].instructions, sim_fault_title(fault));
}
END_TEST

START_TEST(results_are_the_same_whether_values_are_followed_or_not)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, ".shared .align 16 .b8 s_words[256]; mov.u32 %r10, s_words;\n"
                       "mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [p0];\n"
                       "mad.wide.u32 %rd2, %r2, 4, %rd1; ld.shared.u32 %r1, [%r10];\n"
                       "and.b32 %r4, %r1, 0; or.b32 %r4, %r4, %r2; bfi.b32 %r4, %r2, %r4, 8, 8;\n"
                       "prmt.b32 %r5, %r1, %r4, 0x7654; selp.b32 %r1, %r1, %r5, 0;\n"
                       "and.b32 %r1, %r1, 0xFFFF; st.global.u32 [%rd2], %r1;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(out[lane], lane << 8 | lane);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("undefined");
    TCase *rows = tcase_create("rows");
    tcase_add_checked_fixture(rows, open_bench, close_bench);
    tcase_set_timeout(rows, MOST_SECONDS);
    tcase_add_loop_test(rows, a_result_is_undefined_as_its_operation_has_it, 0,
                        sizeof WORDS / sizeof *WORDS);
    tcase_add_loop_test(rows, a_value_counts_where_it_decides, 0, sizeof USES / sizeof *USES);
    tcase_add_test(rows, results_are_the_same_whether_values_are_followed_or_not);
    suite_add_tcase(suite, rows);
    return run_suite(suite);
}
