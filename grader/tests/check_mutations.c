/* check_mutations.c - texts are moved and classed, and a list keeps macros whole. */
#include "mutants/mutations.h"

#include "tests/check_main.h"

#include <jansson.h>
#include <string.h>

static const char *moved(const char *number, int by)
{
    static char text[80];
    return moved_number(number, strlen(number), by, text, sizeof text) ? text : "no";
}

START_TEST(a_number_keeps_its_base_and_its_type)
{
    ck_assert_str_eq(moved("255", 1), "256");
    ck_assert_str_eq(moved("255u", -1), "254u");
    ck_assert_str_eq(moved("0x1F", 1), "0x20");
    ck_assert_str_eq(moved("0xFFFFFFFFull", 1), "0x100000000ull");
    ck_assert_str_eq(moved("0.5f", 1), "(0.5f + 1)");
    ck_assert_str_eq(moved("0x1p32", -1), "(0x1p32 - 1)");
    ck_assert_str_eq(moved("1e-3", 1), "(1e-3 + 1)");
    ck_assert_str_eq(moved("0xE0", 1), "0xe1"); /* its E is a digit */
}
END_TEST

START_TEST(below_zero_only_where_the_type_goes_there)
{
    ck_assert_str_eq(moved("0", -1), "(-1)");
    ck_assert_str_eq(moved("0L", -1), "(-1L)");
    ck_assert_str_eq(moved("0u", -1), "no");
}
END_TEST

START_TEST(what_is_no_number_is_left_alone)
{
    ck_assert_str_eq(moved("INT_MAX", 1), "no");
    ck_assert_str_eq(moved("", 1), "no");
    ck_assert_str_eq(moved("99999999999999999999", 1), "no");
}
END_TEST

START_TEST(calls_are_classed_by_what_is_lost_without_them)
{
    ck_assert_int_eq(kind_of_call("__syncthreads"), MUTATION_barrier);
    ck_assert_int_eq(kind_of_call("sync"), MUTATION_barrier);
    ck_assert_int_eq(kind_of_call("consumer_wait"), MUTATION_barrier);
    ck_assert_int_eq(kind_of_call("pthread_mutex_lock"), MUTATION_barrier);
    ck_assert_int_eq(kind_of_call("__threadfence_block"), MUTATION_fence);
    ck_assert_int_eq(kind_of_call("cudaMemsetAsync"), MUTATION_statement);
    ck_assert_int_eq(kind_of_call("blocks_for"), MUTATION_statement);
    ck_assert_int_eq(kind_of_asm("asm(\"membar.gl;\")", 16), MUTATION_fence);
    ck_assert_int_eq(kind_of_asm("asm(\"bar.sync 0;\")", 17), MUTATION_barrier);
    ck_assert_int_eq(kind_of_asm("asm(\"add.f32\")", 14), MUTATION_KINDS);
}
END_TEST

START_TEST(directions_have_another)
{
    ck_assert_str_eq(other_direction("rows"), "cols");
    ck_assert_str_eq(other_direction("y"), "x");
    ck_assert_ptr_null(other_direction("stream"));
}
END_TEST

static json_t *printed(struct mutations *mutations)
{
    char text[4000] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    ck_assert(mutations_write(mutations, out));
    fclose(out);
    json_t *list = json_loads(text, 0, NULL);
    ck_assert(json_is_array(list));
    return list;
}

START_TEST(a_macro_is_replaced_whole_or_not_at_all)
{
    struct mutations mutations = {.source = "int x = MOST(a, 1) + 2;"};
    mutations_close(&mutations, (struct span){8, 18});
    mutations_add(&mutations, MUTATION_constant, (struct span){16, 17}, "2"); /* within */
    mutations_add(&mutations, MUTATION_term, (struct span){8, 18}, "0");
    mutations_add(&mutations, MUTATION_constant, (struct span){21, 22}, "3");
    ck_assert_uint_eq(mutations.count, 2);
    mutations_free(&mutations);
}
END_TEST

START_TEST(nothing_is_listed_twice_or_unchanged)
{
    struct mutations mutations = {.source = "a < b"};
    mutations_add(&mutations, MUTATION_boundary, (struct span){2, 3}, "<=");
    mutations_add(&mutations, MUTATION_boundary, (struct span){2, 3}, "<=");
    mutations_add(&mutations, MUTATION_boundary, (struct span){2, 3}, "<");
    ck_assert_uint_eq(mutations.count, 1);
    mutations_free(&mutations);
}
END_TEST

START_TEST(those_alike_are_numbered_in_the_order_of_the_source)
{
    struct mutations mutations = {.source = "\n  x(); \n  x();\n"};
    mutations_add(&mutations, MUTATION_statement, (struct span){11, 14}, "%s", "");
    mutations_add(&mutations, MUTATION_statement, (struct span){3, 6}, "%s", "");
    json_t *list = printed(&mutations);
    for (size_t i = 0; i < 2; i++) {
        const json_t *one = json_array_get(list, i);
        ck_assert_int_eq(json_integer_value(json_object_get(one, "nth")), (json_int_t)i + 1);
        ck_assert_int_eq(json_integer_value(json_object_get(one, "at")), (json_int_t)i + 2);
        ck_assert_int_eq(json_integer_value(json_object_get(one, "column")), 3);
        ck_assert_str_eq(json_string_value(json_object_get(one, "line")), "x();");
        ck_assert_str_eq(json_string_value(json_object_get(one, "old")), "x()");
    }
    json_decref(list);
    mutations_free(&mutations);
}
END_TEST

TESTS("mutations", a_number_keeps_its_base_and_its_type, below_zero_only_where_the_type_goes_there,
      what_is_no_number_is_left_alone, calls_are_classed_by_what_is_lost_without_them,
      directions_have_another, a_macro_is_replaced_whole_or_not_at_all,
      nothing_is_listed_twice_or_unchanged, those_alike_are_numbered_in_the_order_of_the_source)
