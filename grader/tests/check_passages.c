/* check_passages.c - what two sources have in common. */
#include "class/passages.h"

#include "tests/check_main.h"

#include <stdio.h>

static const char SUMS[] =
    "__global__ void sums(const float *x, float *out, int rows, int columns)\n"
    "{\n"
    "    int row = blockIdx.x;\n"
    "    float sum = 0;\n"
    "    for (int column = threadIdx.x; column < columns; column += blockDim.x)\n"
    "        sum += x[row * columns + column] * x[row * columns + column];\n"
    "    atomicAdd(&out[row], sum);\n"
    "}\n";

static const char COPY[] = "__global__ void copy(const float *from, float *to, int n)\n"
                           "{\n"
                           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (i >= n)\n"
                           "        return;\n"
                           "    to[i] = from[i] > 0 ? from[i] : 2 * from[i];\n"
                           "}\n";

/* How many passages of the first are in the second; of how many. */
static size_t shared_of(const char *first, const char *second, size_t *of)
{
    struct passages one, other;
    ck_assert(passages_of(first, &one) && passages_of(second, &other));
    size_t shared = passages_shared(&one, &other);
    *of = one.count;
    passages_free(&one);
    passages_free(&other);
    return shared;
}

START_TEST(names_numbers_comments_layout_and_defines_make_no_difference)
{
    size_t of;
    size_t shared = shared_of(
        SUMS,
        "#define NEVER_USED \\\n 1 + 2 + 3\n"
        "__global__ void k(const float *in, float *o, int h, int w) { // squares\n"
        "int r = blockIdx.x; float t = 1; for (int c = threadIdx.x; c < w; c += blockDim.x)\n"
        "t += in[r * w + c] * in[r * w + c]; atomicAdd(&o[r], t); }",
        &of);
    ck_assert_uint_gt(of, 12);
    ck_assert_uint_eq(shared, of);
}
END_TEST

START_TEST(order_of_functions_makes_hardly_any)
{
    char first[2000], second[2000];
    size_t of;
    snprintf(first, sizeof first, "%s%s", SUMS, COPY);
    snprintf(second, sizeof second, "%s%s", COPY, SUMS);
    size_t shared = shared_of(first, second, &of);
    ck_assert_uint_lt(shared, of);
    ck_assert_uint_ge(shared * 10, of * 8);
}
END_TEST

START_TEST(another_kernel_shares_little)
{
    size_t of;
    size_t shared = shared_of(COPY, SUMS, &of);
    ck_assert_uint_gt(of, 5);
    ck_assert_uint_le(shared * 10, of * 2);
}
END_TEST

START_TEST(short_texts_have_none)
{
    static const char *const SHORT[] = {"", "int x;", "/* never ends", "#define A", "\"a b c"};
    for (size_t i = 0; i < sizeof SHORT / sizeof *SHORT; i++) {
        size_t of;
        ck_assert_uint_eq(shared_of(SHORT[i], SUMS, &of), 0);
        ck_assert_uint_eq(of, 0);
    }
}
END_TEST

START_TEST(what_was_given_does_not_count)
{
    char both[2000];
    struct passages all, given, own;
    snprintf(both, sizeof both, "%s%s", SUMS, COPY);
    ck_assert(passages_of(both, &all) && passages_of(SUMS, &given) && passages_of(COPY, &own));
    passages_remove(&all, &given);
    ck_assert_uint_eq(passages_shared(&all, &given), 0);
    ck_assert_uint_eq(passages_shared(&own, &all), own.count);
    passages_free(&all);
    passages_free(&given);
    passages_free(&own);
}
END_TEST

TESTS("passages", names_numbers_comments_layout_and_defines_make_no_difference,
      order_of_functions_makes_hardly_any, another_kernel_shares_little, short_texts_have_none,
      what_was_given_does_not_count)
