/* check_keyed.c - numbers are sorted by a key, and the sort is stable. */
#include "keyed.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdlib.h>

enum { COUNT = 5000 };

static int by_key_then_number(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static uint64_t drawn(uint64_t i)
{
    uint64_t word = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return (word ^ word >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
}

/* Keys that differ in the bits of a mask only. */
START_TEST(keys_come_in_order_and_equal_ones_stay)
{
    static const uint64_t MASKS[] = {
        0, 1, 0x7FF, 0x800, 0xFFFFFFFF, UINT64_C(0xF00000000000003F), UINT64_MAX};
    static struct keyed list[COUNT], scratch[COUNT], want[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        want[i] = list[i] = (struct keyed){(drawn(i) & MASKS[_i]) | (~MASKS[_i] & 0x5A5A), i};
    qsort(want, COUNT, sizeof *want, by_key_then_number);
    keyed_sort(list, scratch, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_uint_eq(list[i].key, want[i].key);
        ck_assert_uint_eq(list[i].number, want[i].number);
    }
}
END_TEST

START_TEST(nothing_and_one_are_in_order)
{
    struct keyed one = {7, 3}, scratch;
    keyed_sort(&one, &scratch, 0);
    keyed_sort(&one, &scratch, 1);
    ck_assert_uint_eq(one.key, 7);
    ck_assert_uint_eq(one.number, 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("keyed");
    TCase *tests = tcase_create("keyed");
    tcase_add_loop_test(tests, keys_come_in_order_and_equal_ones_stay, 0, 7);
    tcase_add_test(tests, nothing_and_one_are_in_order);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
