/* check_truth.c - elements of outputs of any size are checked against the judge's bound. */
#include "check/examine/truth.h"

#include "tests/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* y = 2 x, off by a thousandth at most; of a million elements. */
enum { X, Y, COUNT = 1 << 20 };
static const double ALLOWED = 0x1p-10;

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    (void)problem;
    list[X] = (struct judge_buffer){.name = "x", .role = JUDGE_IN, .count = COUNT};
    list[Y] = (struct judge_buffer){.name = "y", .role = JUDGE_OUT, .count = COUNT};
    return 2;
}

static void twice(const struct judge_case *problem, const struct judge_inputs *inputs,
                  size_t output, uint64_t first, uint64_t count, double *expected, double *allowed)
{
    (void)problem, (void)output;
    for (uint64_t i = 0; i < count; i++) {
        float x;
        judge_input(inputs, X, first + i, 1, &x);
        expected[i] = 2 * x;
        allowed[i] = ALLOWED;
    }
}

static struct judge_work work(const struct judge_case *problem)
{
    (void)problem;
    return (struct judge_work){.bytes = 8.0 * COUNT};
}

static const struct judge JUDGE = {.buffers = buffers, .truth_at = twice, .work = work};
static const struct judge_case CASE = {.name = "a million"};

static struct image image;
static float *x, *y;

static void start(void)
{
    ck_assert(image_make(&JUDGE, &CASE, 5, &image));
    x = (float *)(image.bytes + image.part[X].offset);
    y = (float *)(image.bytes + image.part[Y].offset);
    for (int i = 0; i < COUNT; i++)
        y[i] = 2 * x[i];
}

static bool holds(uint64_t seed, struct truth_held *held, struct finding *finding)
{
    struct truth_inputs inputs;
    uint64_t most = truth_elements(&JUDGE, &CASE, 0x1p14);
    ck_assert(truth_inputs(&image, image.bytes, true, &inputs));
    bool right = truth_hold(&JUDGE, &CASE, &inputs, most, seed, held, finding);
    truth_forget(&inputs);
    return right;
}

START_TEST(what_is_right_holds_with_its_share_of_what_is_allowed)
{
    struct truth_held held;
    struct finding finding = {.verdict = VERDICT_PASS};
    start();
    y[0] += (float)ALLOWED / 4; /* the ends are always looked at */
    ck_assert(holds(1, &held, &finding));
    ck_assert_double_eq_tol(held.worst_share, 0.25, 0.01);
    ck_assert_uint_ge(held.elements, 4000);
    ck_assert_double_eq_tol(held.share[Y], ALLOWED / (2 / sqrt(3)), ALLOWED / 100);
    image_free(&image);
}
END_TEST

START_TEST(both_ends_are_held_whatever_the_seed)
{
    for (uint64_t seed = 0; seed < 10; seed++)
        for (int end = 0; end < 2; end++) {
            struct finding finding = {.verdict = VERDICT_PASS};
            start();
            y[end ? COUNT - 1 : 0] += 2 * (float)ALLOWED;
            ck_assert(!holds(seed, NULL, &finding));
            ck_assert_int_eq(finding.verdict, VERDICT_WRONG);
            image_free(&image);
        }
}
END_TEST

/* As of a product that was computed with too few bits: any element shows it. */
START_TEST(what_is_off_everywhere_is_seen_by_any_seed)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct finding finding = {.verdict = VERDICT_PASS};
        start();
        for (int i = 3; i < COUNT - 1000; i += 50)
            y[i] += 2 * (float)ALLOWED;
        y[0] = 2 * x[0];
        ck_assert(!holds(seed, NULL, &finding));
        image_free(&image);
    }
}
END_TEST

TESTS("truth", what_is_right_holds_with_its_share_of_what_is_allowed,
      both_ends_are_held_whatever_the_seed, what_is_off_everywhere_is_seen_by_any_seed)
