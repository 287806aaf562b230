/* check_frame.c - registers that share a place do not get in each other's way.
 *
 * Programs are drawn at random: sums and products of a few variables, through short-lived
 * registers; guarded instructions; branches in which the lanes part; loops that lanes leave at
 * different times. Each is written as PTX, and also computed here, lane by lane, with the same
 * numbers.
 */
#include "bench_machine.h"
#include "machine_internal.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { VARIABLES = 24, DEEPEST = 3, STATEMENTS = 6, PROGRAMS = 200, TEXT_BYTES = 1 << 18 };

static struct bench bench;
static char text[TEXT_BYTES];
static size_t used;
static unsigned temporaries, labels;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    ck_assert_uint_lt(used, sizeof text);
}

/* --- Programs --------------------------------------------------------------------------------- */

/* A statement by its number: what it does, and to which variables. */
struct statement {
    enum { SUM, PRODUCT, GUARDED, BRANCH, LOOP, KINDS } kind;
    unsigned to, a, b, c;
    uint64_t number; /* of the statements inside it */
};

static struct statement statement_of(uint64_t block, unsigned index, unsigned depth)
{
    uint64_t number = (block + index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    number = (number ^ number >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    number ^= number >> 32;
    return (struct statement){.kind = number % (depth < DEEPEST ? KINDS : BRANCH),
                              .to = number / 8 % VARIABLES,
                              .a = number / 256 % VARIABLES,
                              .b = number / 8192 % VARIABLES,
                              .c = number / (1 << 18) % VARIABLES,
                              .number = number};
}

/* variable `to` = (a + b) * c, say, with a register of its own for what is in the brackets. */
static void write_sum(const struct statement *it, const char *guard)
{
    unsigned temporary = temporaries++;
    say("%s add.u32 %%t%u, %%v%u, %%v%u; %s %s %%v%u, %%t%u, %%v%u;\n", guard, temporary, it->a,
        it->b, guard, it->kind == PRODUCT ? "mul.lo.u32" : "xor.b32", it->to, temporary, it->c);
}

static void write_block(uint64_t block, unsigned depth)
{
    for (unsigned i = 0; i < STATEMENTS; i++) {
        struct statement it = statement_of(block, i, depth);
        unsigned label = labels++;
        switch (it.kind) {
        case GUARDED:
            say("setp.lt.u32 %%p0, %%v%u, %%v%u;\n", it.b, it.c);
            write_sum(&it, "@%p0");
            break;
        case BRANCH:
            say("setp.lt.u32 %%p%u, %%v%u, %%v%u; @%%p%u bra L%u;\n", depth + 1, it.a, it.b,
                depth + 1, label);
            write_block(it.number + 1, depth + 1);
            say("bra M%u; L%u:\n", label, label);
            write_block(it.number + 2, depth + 1);
            say("M%u:\n", label);
            break;
        case LOOP: /* as often as the lowest bits of a variable say */
            say("and.b32 %%n%u, %%v%u, 3; L%u:\n", depth, it.a, label);
            write_block(it.number + 1, depth + 1);
            say("setp.ne.u32 %%p%u, %%n%u, 0; sub.u32 %%n%u, %%n%u, 1; @%%p%u bra L%u;\n",
                depth + 1, depth, depth, depth, depth + 1, label);
            break;
        default: write_sum(&it, ""); break;
        }
    }
}

static void run_sum(const struct statement *it, uint32_t *variables)
{
    uint32_t sum = variables[it->a] + variables[it->b];
    variables[it->to] = it->kind == PRODUCT ? sum * variables[it->c] : sum ^ variables[it->c];
}

static void run_block(uint64_t block, unsigned depth, uint32_t *variables)
{
    for (unsigned i = 0; i < STATEMENTS; i++) {
        struct statement it = statement_of(block, i, depth);
        switch (it.kind) {
        case GUARDED:
            if (variables[it.b] < variables[it.c])
                run_sum(&it, variables);
            break;
        case BRANCH:
            run_block(it.number + (variables[it.a] < variables[it.b] ? 2 : 1), depth + 1,
                      variables);
            break;
        case LOOP:
            for (uint32_t left = (variables[it.a] & 3) + 1; left > 0; left--)
                run_block(it.number + 1, depth + 1, variables);
            break;
        default: run_sum(&it, variables); break;
        }
    }
}

static uint32_t first_value(uint32_t lane, unsigned variable)
{
    return (lane + 1) * (2654435761u + variable * 40503);
}

/* A kernel "test" that leaves variables 0 to 3 of each lane at p0. */
static void write_program(uint64_t program)
{
    used = temporaries = labels = 0;
    say(".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry test(.param .u64 p0)\n{\n"
        ".reg .b32 %%v<%u>, %%t<9999>, %%n<9>, %%l<4>; .reg .b64 %%rd<4>; .reg .pred %%p<9>;\n"
        "mov.u32 %%l0, %%tid.x; add.u32 %%l1, %%l0, 1; ld.param.u64 %%rd0, [p0];\n"
        "mad.wide.u32 %%rd1, %%l0, 16, %%rd0;\n",
        VARIABLES);
    for (unsigned i = 0; i < VARIABLES; i++)
        say("mul.lo.u32 %%v%u, %%l1, %u;\n", i, 2654435761u + i * 40503);
    write_block(program, 0);
    say("st.global.v4.u32 [%%rd1], {%%v0, %%v1, %%v2, %%v3}; ret;\n}\n");
}

START_TEST(a_random_program_gives_what_it_gives_lane_by_lane)
{
    uint32_t *out = bench_buffer(&bench, 512);
    write_program((uint64_t)_i << 32);
    bench_load(&bench, text);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t variables[VARIABLES];
        for (unsigned i = 0; i < VARIABLES; i++)
            variables[i] = first_value(lane, i);
        run_block((uint64_t)_i << 32, 0, variables);
        for (unsigned i = 0; i < 4; i++)
            ck_assert_msg(out[4 * lane + i] == variables[i], "program %d, lane %u, variable %u", _i,
                          lane, i);
    }
}
END_TEST

/* --- Frames ----------------------------------------------------------------------------------- */

static uint32_t frame_bytes(void)
{
    return sim_module_kernel(bench.module, "test")->register_bytes;
}

START_TEST(a_long_chain_of_registers_needs_two_places)
{
    used = 0;
    say(".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry test()\n{\n"
        ".reg .b32 %%t<1000>;\nmov.u32 %%t0, %%tid.x;\n");
    for (unsigned i = 1; i < 1000; i++)
        say("add.u32 %%t%u, %%t%u, %%t%u;\n", i, i - 1, i - 1);
    say("ret;\n}\n");
    bench_load(&bench, text);
    ck_assert_uint_eq(frame_bytes(), 2 * 128);
}
END_TEST

START_TEST(what_a_loop_brings_back_keeps_its_place)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, "mov.u32 %r1, %tid.x; mov.u32 %r2, 1; mov.u32 %r3, 0;\n"
                       "LOOP: add.u32 %r4, %r2, %r3; mov.u32 %r3, %r2; mov.u32 %r2, %r4;\n"
                       "add.u32 %r5, %r3, 0; setp.lt.u32 %p1, %r5, 100; @%p1 bra LOOP;\n"
                       "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                       "st.global.u32 [%rd2], %r2;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    ck_assert_uint_eq(out[31], 233); /* of 1 2 3 5 8 ... the one behind 144 */
}
END_TEST

START_TEST(what_an_instruction_reads_before_it_writes_it_comes_from_the_turn_before)
{
    uint32_t *out = bench_buffer(&bench, 128);
    bench_body(&bench, "mov.u32 %r1, %tid.x; mov.u32 %r3, 0; mov.u32 %r6, 0;\n"
                       "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                       "LOOP: add.u32 %r3, %r3, 1; st.global.u32 [%rd2], %r3;\n"
                       "add.u32 %r4, %r1, 7; add.u32 %r5, %r4, %r1; add.u32 %r6, %r6, %r5;\n"
                       "setp.lt.u32 %p1, %r6, 1000; @%p1 bra LOOP;");
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(out[lane], (1000 + 2 * lane + 6) / (2 * lane + 7));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frame");
    TCase *tests = tcase_create("frame");
    tcase_add_checked_fixture(tests, open_bench, close_bench);
    tcase_set_timeout(tests, MOST_SECONDS);
    tcase_add_loop_test(tests, a_random_program_gives_what_it_gives_lane_by_lane, 0, PROGRAMS);
    tcase_add_test(tests, a_long_chain_of_registers_needs_two_places);
    tcase_add_test(tests, what_a_loop_brings_back_keeps_its_place);
    tcase_add_test(tests, what_an_instruction_reads_before_it_writes_it_comes_from_the_turn_before);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
