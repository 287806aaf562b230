/* check_gradients.c - the truth of lesson 8, held to finite differences of the forward formulas. */
#include "check/judge.h"
#include "judges/08_backward/parts.h"
#include "judges/08_backward/problem.h"
#include "tests/check_main.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 6, COLS = 5, DEPTH = 4, ENTRIES = 8 };

/* A layer, and what its result is worth: the sum of gY y over all elements. Its gradients by A, B
 * and bias are gA, gB and gBias. */
struct layer {
    double a[ROWS * DEPTH], b[DEPTH * COLS], bias[COLS];
    float gy[ROWS * COLS];
    enum quest_activation activation;
};

static const double SLOPE_OF_LEAKY = 0.25;

static double argument(const struct layer *layer, int row, int col)
{
    double z = layer->bias[col];
    for (int i = 0; i < DEPTH; i++)
        z += layer->a[row * DEPTH + i] * layer->b[i * COLS + col];
    return z;
}

static double worth(const struct layer *layer)
{
    double sum = 0;
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++)
            sum += layer->gy[row * COLS + col] *
                   backward_activate(argument(layer, row, col), layer->activation, SLOPE_OF_LEAKY);
    return sum;
}

/* The slope of worth() at one number of the layer. */
static double difference(const struct layer *layer, double *number)
{
    const double step = 1e-6, before = *number;
    *number = before + step;
    double up = worth(layer);
    *number = before - step;
    double down = worth(layer);
    *number = before;
    return (up - down) / (2 * step);
}

static double uniform(uint64_t *seed)
{
    return (double)judge_draw(seed, -(1 << 20), 1 << 20) / (1 << 20);
}

/* Multiples of 2^-20: floats have them exactly. z is an input of its own, rounded to a float. */
static void draw_layer(uint64_t *seed, struct layer *layer)
{
    for (int i = 0; i < ROWS * DEPTH; i++)
        layer->a[i] = uniform(seed);
    for (int i = 0; i < DEPTH * COLS; i++)
        layer->b[i] = 2 * uniform(seed);
    for (int i = 0; i < COLS; i++)
        layer->bias[i] = uniform(seed);
    for (int i = 0; i < ROWS * COLS; i++)
        layer->gy[i] = (float)uniform(seed);
}

static void take_truth(const struct layer *layer, struct judge_host host[BUFFERS])
{
    static float a[ROWS * DEPTH], b[DEPTH * COLS], gy[ROWS * COLS], z[ROWS * COLS];
    static double expected[3][ROWS * COLS], allowed[3][ROWS * COLS];
    const struct judge_case problem = {.size = {ROWS, COLS, DEPTH, layer->activation, true},
                                       .real = {SLOPE_OF_LEAKY}};
    for (int i = 0; i < ROWS * DEPTH; i++)
        a[i] = (float)layer->a[i];
    for (int i = 0; i < DEPTH * COLS; i++)
        b[i] = (float)layer->b[i];
    for (int i = 0; i < ROWS * COLS; i++) {
        gy[i] = layer->gy[i];
        z[i] = (float)argument(layer, i / COLS, i % COLS);
    }
    host[A] = (struct judge_host){.input = a, .count = ROWS * DEPTH};
    host[B] = (struct judge_host){.input = b, .count = DEPTH * COLS};
    host[GY] = (struct judge_host){.input = gy, .count = ROWS * COLS};
    host[Z] = (struct judge_host){.input = z, .count = ROWS * COLS};
    for (int i = GA; i < BUFFERS; i++)
        host[i] = (struct judge_host){.expected = expected[i - GA], .allowed = allowed[i - GA]};
    backward_truth(&problem, host);
}

/* z is rounded to a float for the truth and not here; and differences err by their step's square,
 * and by the rounding of worth() over the step. */
static void claim_alike(double expected, double by_differences)
{
    ck_assert_double_eq_tol(expected, by_differences, 2e-6 * fmax(1, fabs(by_differences)));
}

START_TEST(gradients_are_what_finite_differences_of_the_forward_call_say)
{
    uint64_t seed = 2026;
    struct layer layer = {.activation = (enum quest_activation)_i};
    struct judge_host host[BUFFERS];
    draw_layer(&seed, &layer);
    take_truth(&layer, host);
    for (int i = 0; i < ENTRIES; i++) {
        int64_t of_a = judge_draw(&seed, 0, ROWS * DEPTH - 1);
        int64_t of_b = judge_draw(&seed, 0, DEPTH * COLS - 1);
        int64_t of_bias = judge_draw(&seed, 0, COLS - 1);
        claim_alike(host[GA].expected[of_a], difference(&layer, &layer.a[of_a]));
        claim_alike(host[GB].expected[of_b], difference(&layer, &layer.b[of_b]));
        claim_alike(host[GBIAS].expected[of_bias], difference(&layer, &layer.bias[of_bias]));
    }
}
END_TEST

START_TEST(a_derivative_is_its_limit_where_z_is_large)
{
    static const double LIMITS[ACTIVATIONS][2] = {
        [QUEST_ACT_NONE] = {1, 1},          [QUEST_ACT_RELU] = {0, 1},
        [QUEST_ACT_LEAKY_RELU] = {0.25, 1}, [QUEST_ACT_SIGMOID] = {0, 0},
        [QUEST_ACT_TANH] = {0, 0},          [QUEST_ACT_GELU_ERF] = {0, 1},
        [QUEST_ACT_GELU_TANH] = {0, 1}};
    static const double LARGE[] = {39, 41, 1e10, 0x1p127, INFINITY};
    enum quest_activation activation = (enum quest_activation)_i;
    for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; i++) {
        ck_assert_double_eq_tol(backward_derivative(-LARGE[i], activation, SLOPE_OF_LEAKY),
                                LIMITS[activation][0], 1e-15);
        ck_assert_double_eq_tol(backward_derivative(LARGE[i], activation, SLOPE_OF_LEAKY),
                                LIMITS[activation][1], 1e-15);
    }
}
END_TEST

START_TEST(at_zero_relus_have_the_slope_below_it)
{
    ck_assert_double_eq(backward_derivative(0, QUEST_ACT_RELU, SLOPE_OF_LEAKY), 0);
    ck_assert_double_eq(backward_derivative(0, QUEST_ACT_LEAKY_RELU, SLOPE_OF_LEAKY),
                        SLOPE_OF_LEAKY);
    ck_assert_double_eq(backward_derivative(-0.0, QUEST_ACT_LEAKY_RELU, SLOPE_OF_LEAKY),
                        SLOPE_OF_LEAKY);
}
END_TEST

/* All elements by truth_at, one run after the other, are those of truth. */
START_TEST(parts_of_the_truth_are_those_of_the_whole)
{
    uint64_t seed = 8;
    struct layer layer = {.activation = (enum quest_activation)_i};
    struct judge_host host[BUFFERS];
    struct judge_inputs inputs = {.parts = NULL};
    const uint64_t counts[] = {[GA] = ROWS * DEPTH, [GB] = DEPTH * COLS, [GBIAS] = COLS};
    const struct judge_case problem = {.size = {ROWS, COLS, DEPTH, layer.activation, true},
                                       .real = {SLOPE_OF_LEAKY}};
    draw_layer(&seed, &layer);
    take_truth(&layer, host);
    for (int i = GY; i <= Z; i++)
        inputs.of[i] = (struct judge_input){host[i].input, host[i].count, JUDGE_F32, NULL, NULL};
    for (size_t output = GA; output <= GBIAS; output++) {
        double expected[ROWS * COLS], allowed[ROWS * COLS] = {0};
        backward_truth_at(&problem, &inputs, output, 1, counts[output] - 1, expected, allowed);
        for (uint64_t i = 1; i < counts[output]; i++) {
            ck_assert_double_eq_tol(expected[i - 1], host[output].expected[i], 1e-14);
            ck_assert_double_eq_tol(allowed[i - 1], host[output].allowed[i], 1e-14);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gradients");
    TCase *tcase = tcase_create("lesson 8");
    tcase_add_loop_test(tcase, gradients_are_what_finite_differences_of_the_forward_call_say, 0,
                        ACTIVATIONS);
    tcase_add_loop_test(tcase, a_derivative_is_its_limit_where_z_is_large, 0, ACTIVATIONS);
    tcase_add_test(tcase, at_zero_relus_have_the_slope_below_it);
    tcase_add_loop_test(tcase, parts_of_the_truth_are_those_of_the_whole, 0, ACTIVATIONS);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
