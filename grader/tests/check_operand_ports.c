/* check_operand_ports.c - how long FFMAs wait for their operands (operand_ports.c), compared with
 * what an H200 took for the same machine code. */
#include "operand_ports.h"
#include "timing/units.h"
#include "tests/check_main.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Instructions that repeat, each written as its three operands: E a register of an even number, O
 * of an odd one; e and o the same, marked to be used again; = the first operand once more. The
 * third operand is a sum, another one in each instruction of the sequence.
 *
 * Cycles an instruction, on an H200 (driver 580, 23 November 2026): 768 FFMAs in a loop of 200
 * turns, whose two other instructions and branch are 0.03 of it; a warp a scheduler. */
static const struct {
    const char *text;
    unsigned times; /* each instruction of the text comes so often before the next one */
    double measured;
} SEQUENCES[] = {
    {"eOE eEO", 1, 1.032},  {"eEE eOO", 1, 1.033}, {"eEE", 1, 2.030},     {"EOE", 1, 2.029},
    {"EOE EOO", 1, 1.529},  {"EEE", 1, 3.028},     {"EEE OOO", 1, 1.529}, {"eeE eeO", 1, 1.032},
    {"eeE", 1, 1.033},      {"E=O", 1, 1.032},     {"E=E", 1, 2.029},     {"eOE", 1, 1.033},
    {"eEE eOO", 2, 1.532},  {"eEE eOO", 3, 1.698}, {"eEE eOO", 4, 1.780}, {"eEE eOO", 8, 1.905},
    {"eEE eOO", 32, 1.998}, {"EOE OEO", 1, 1.528}, {"EOE OEO", 2, 1.532}, {"EOE OEO", 4, 1.780},
    {"eEE eeE", 1, 1.533},  {"eEE eeE", 4, 1.532}, {"eEE o=O", 2, 1.282}, {"eEE o=O", 4, 1.405},
};
enum { LENGTH = 768, TURNS = 4, SUMS = 20 };

/* One FFMA, as 128 bits. */
static void write_ffma(const char *operands, unsigned sum, uint64_t *low, uint64_t *high)
{
    uint8_t registers[3];
    uint64_t reuse = 0;
    for (unsigned i = 0; i < 3; i++) {
        bool odd = operands[i] == 'o' || operands[i] == 'O';
        registers[i] = operands[i] == '='
                           ? registers[0]
                           : (uint8_t)(4 * i + odd + (i == 2 ? 8 + 2 * (sum % SUMS) : 0));
        reuse |= (uint64_t)(islower(operands[i]) || (operands[i] == '=' && islower(operands[0])))
                 << i;
    }
    *low = 0x223 | 7 << 12 | (uint64_t)registers[0] << 24 | (uint64_t)registers[1] << 32;
    *high = registers[2] | reuse << (122 - 64);
}

START_TEST(sequences_take_as_long_as_on_an_h200)
{
    const char *text = SEQUENCES[_i].text;
    size_t instructions = (strlen(text) + 1) / 4;
    struct operand_ports ports = {0};
    int64_t waited = 0;
    for (unsigned i = 0; i < TURNS * LENGTH; i++) {
        uint64_t low, high;
        write_ffma(text + 4 * (i / SEQUENCES[_i].times % instructions), i, &low, &high);
        waited += operand_ports_issue(&ports, low, high);
    }
    double cycles = 1 + (double)waited / (TURNS * LENGTH);
    ck_assert_msg(cycles > SEQUENCES[_i].measured - 0.06 && cycles < SEQUENCES[_i].measured + 0.01,
                  "%s: %.3f cycles an instruction, measured %.3f", text, cycles,
                  SEQUENCES[_i].measured);
}
END_TEST

START_TEST(constants_and_zeros_are_not_read)
{
    struct operand_ports ports = {0};
    uint64_t low, high;
    write_ffma("EEE", 0, &low, &high);
    for (unsigned i = 0; i < LENGTH; i++) /* the second a constant, the third RZ */
        ck_assert_int_eq(operand_ports_issue(&ports, (low & ~UINT64_C(0xFFF)) | 0xa23, high | 0xFF),
                         0);
}
END_TEST

START_TEST(others_leave_the_ports_time)
{
    struct operand_ports ports = {0};
    uint64_t low, high;
    write_ffma("eEE", 0, &low, &high);
    operand_ports_issue(&ports, low, high); /* reads what the others reuse */
    operand_ports_issue(&ports, 0x984, 0);
    operand_ports_issue(&ports, 0x984, 0);
    for (unsigned i = 0; i < LENGTH; i++) {
        ck_assert_int_eq(operand_ports_issue(&ports, low, high), 0);
        ck_assert_int_eq(operand_ports_issue(&ports, 0x984, 0), 0); /* a load from shared memory */
    }
}
END_TEST

/* Who waits for ports holds the FMA unit: a load or what another unit does is issued meanwhile. */
START_TEST(a_wait_for_ports_holds_the_fma_unit_alone)
{
    enum { TIMES = 100 };
    const struct sim_profile profile = {
        .schedulers = 4, .fp32_lanes = 128, .int_lanes = 64, .sfu_lanes = 16, .fp64_lanes = 64};
    const struct op_cost ffma = {.fma = 1, .port_cycles = 0.5F}, other = {.other = 1},
                         logic = {.alu = 1};
    struct units units;
    units_init(&units, &profile);
    double now = 0;
    for (unsigned i = 0; i < TIMES; i++) {
        now = units_ready(&units, &ffma, 0, now);
        units_use(&units, &ffma, 0, now);
    }
    ck_assert_double_eq_tol(now, 1.5 * TIMES, 3);
    ck_assert_double_eq(units_ready(&units, &other, 0, 0), 0);
    ck_assert_double_eq(units_ready(&units, &logic, 0, 0), 0);
    ck_assert_double_eq(cost_issues(&ffma), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("operand_ports");
    TCase *tests = tcase_create("FFMA");
    tcase_add_loop_test(tests, sequences_take_as_long_as_on_an_h200, 0,
                        sizeof SEQUENCES / sizeof *SEQUENCES);
    tcase_add_test(tests, constants_and_zeros_are_not_read);
    tcase_add_test(tests, others_leave_the_ports_time);
    tcase_add_test(tests, a_wait_for_ports_holds_the_fma_unit_alone);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
