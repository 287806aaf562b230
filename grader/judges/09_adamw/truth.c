/* truth.c - lesson 9: what p, m and v must be, in double, and how far off each may be. */
#include "judges/09_adamw/parts.h"
#include "judges/09_adamw/problem.h"

#include <float.h>
#include <math.h>

/* --- What is allowed -------------------------------------------------------------------------- */

/* In units of 2^-24 of the terms that are added. m is a product, a product and a sum, and 1 - beta
 * is rounded where beta is less than 1/2: 3 units of its terms. The form that moves m towards g by
 * a part of the distance rounds that distance, too, so m counts whole. v is the same of g g, which
 * is one product more. p is a product and two sums. */
enum { ROUNDINGS = 5 };

/* Of the update itself, (m / c1) / (sqrt(v / c2) + eps) times the rate. What the contract allows
 * the rate and c1 makes 8 units, and c2, under a root, 2 more. They are rounded to float: 1, 1 and
 * 1/2. Two quotients, a root, a sum and two products are 2 each where the compiler takes the
 * approximations of -use_fast_math, together 12. 1 - powf(0.999, 2) is off by 250, and
 * by 125 under the root. */
enum { UPDATE_ROUNDINGS = 26 };

/* An element, and how far off it may be: errors of one call are what the next begins with. */
struct element {
    double p, m, v, p_off, m_off, v_off;
};

struct rates {
    double beta1, beta2, eps, weight_decay, rate, correction1, correction2;
};

static struct rates rates_of(const struct judge_case *problem, uint64_t step)
{
    const double *real = problem->real;
    double t = (double)step + 1, exponent = (double)step / (double)problem->size[DECAY_STEPS];
    return (struct rates){.beta1 = real[BETA1],
                          .beta2 = real[BETA2],
                          .eps = real[EPS],
                          .weight_decay = real[WEIGHT_DECAY],
                          .rate = real[LR] * pow(real[DECAY_RATE], exponent),
                          .correction1 = -expm1(t * log(real[BETA1])),
                          .correction2 = -expm1(t * log(real[BETA2]))};
}

static double to_range(double value)
{
    return fabs(value) > FLT_MAX ? copysign(INFINITY, value) : value;
}

static double rounded(double magnitude, double roundings)
{
    return roundings * (JUDGE_U32_ROUNDOFF * magnitude + JUDGE_SMALLEST_FLOAT);
}

/* The same of a sum of terms: if all of them are 0, so is the sum, in any order. */
static double sum_rounded(double magnitude, double roundings)
{
    return magnitude == 0 ? 0 : rounded(magnitude, roundings);
}

/* Of a quotient that may be subnormal, whose numerator may be off. */
static double quotient_off(double value, double off, double below)
{
    return value == 0 && off == 0 ? 0 : (off + 2 * JUDGE_SMALLEST_FLOAT) / below;
}

/* How much a root can change when its argument does: sqrt(x + e) - sqrt(x) is less than either. */
static double root_off(double root, double off)
{
    return root > 0 ? fmin(sqrt(off), off / root) : sqrt(off);
}

/* The update without its rate, and how far off that may be. */
static double update_of(const struct rates *rates, const struct element *e, double *off)
{
    double root = sqrt(e->v / rates->correction2), below = root + rates->eps;
    double update = e->m / rates->correction1 / below;
    if (!isfinite(update) || isinf(root)) {
        *off = 0;
        return update;
    }
    double of_root = root_off(root, quotient_off(e->v, e->v_off, rates->correction2)) +
                     JUDGE_SMALLEST_FLOAT / sqrt(rates->correction2); /* where eps is scaled, too */
    double of_m = quotient_off(e->m, e->m_off, rates->correction1);
    double least = fmax(below - of_root, rates->eps);
    *off = of_m / least + fabs(update) * of_root / least +
           (e->m == 0 ? 0 : rounded(fabs(update), UPDATE_ROUNDINGS));
    return update;
}

/* A rate below that, and what it is multiplied with, may be subnormal. */
#define SMALL_RATE 0x1p-100

/* One call. */
static void advance(const struct rates *rates, double g, struct element *e)
{
    double rest1 = 1 - rates->beta1, rest2 = 1 - rates->beta2, update_off;
    e->m_off = e->m_off * rates->beta1 + sum_rounded(fabs(e->m) + rest1 * fabs(g), ROUNDINGS);
    e->v_off = e->v_off * rates->beta2 + sum_rounded(e->v + rest2 * g * g, ROUNDINGS);
    e->m = to_range(rates->beta1 * e->m + rest1 * g);
    e->v = to_range(rates->beta2 * e->v + rest2 * g * g);
    double update = update_of(rates, e, &update_off), decay = rates->rate * rates->weight_decay;
    double of_rate = rates->rate < SMALL_RATE ? JUDGE_SMALLEST_FLOAT : 0;
    e->p_off = e->p_off * (1 + decay) + rates->rate * (update_off + JUDGE_SMALLEST_FLOAT) +
               of_rate * (rates->weight_decay * fabs(e->p) + fabs(update)) +
               rounded(fabs(e->p) * (1 + decay), ROUNDINGS);
    e->p = to_range(e->p - rates->rate * (rates->weight_decay * e->p + update));
}

/* --- Where it is ------------------------------------------------------------------------------ */

/* Elements that are read at once. */
enum { AT_ONCE = 64 };

static double old_of(const struct judge_inputs *inputs, size_t buffer, int64_t at)
{
    float value;
    judge_input(inputs, buffer, (uint64_t)at, 1, &value);
    return judge_of_float(&value);
}

/* Of count elements of a tensor from element i on. */
static void read_gradients(const struct judge_inputs *inputs, const struct adamw_place *tensor,
                           int64_t i, uint64_t count, double *g)
{
    size_t buffer = tensor->half ? G16 : G;
    float values[AT_ONCE]; /* or halves */
    judge_input(inputs, buffer, (uint64_t)(tensor->at[buffer] + i), count, values);
    for (uint64_t at = 0; at < count; at++)
        g[at] = tensor->half ? judge_element(values, JUDGE_F16, at) : judge_of_float(&values[at]);
}

static void read_numbers(const struct judge_inputs *inputs, const struct adamw_place *tensor,
                         size_t buffer, int64_t i, uint64_t count, float *values)
{
    judge_input(inputs, buffer, (uint64_t)(tensor->at[buffer] + i), count, values);
}

/* What a call makes of them; of no more than AT_ONCE. */
static void elements_of(const struct judge_case *problem, const struct rates *rates,
                        const struct judge_inputs *inputs, const struct adamw_place *tensor,
                        int64_t i, uint64_t count, struct element *elements)
{
    double g[AT_ONCE];
    float p[AT_ONCE], m[AT_ONCE], v[AT_ONCE];
    int runs = adamw_has_runs(problem) ? RUNS : 1;
    read_gradients(inputs, tensor, i, count, g);
    read_numbers(inputs, tensor, P, i, count, p);
    read_numbers(inputs, tensor, M, i, count, m);
    read_numbers(inputs, tensor, V, i, count, v);
    for (uint64_t at = 0; at < count; at++) {
        struct element e = {
            .p = judge_of_float(&p[at]), .m = judge_of_float(&m[at]), .v = judge_of_float(&v[at])};
        for (int run = 0; run < runs; run++)
            advance(&rates[run], g[at], &e);
        elements[at] = e;
    }
}

static void rates_of_runs(const struct judge_case *problem, struct rates *rates)
{
    for (int run = 0; run < RUNS; run++)
        rates[run] = rates_of(problem, adamw_step_of_run(problem, run));
}

/* Moves on to the tensor of an element, or to the last one before it. */
static const struct adamw_place *tensor_of(const struct adamw_list *list, size_t output, int64_t at,
                                           const struct adamw_place *before)
{
    if (before && at < before->at[output] + before->n)
        return before;
    int which = adamw_tensor_at(list, output, at);
    return which < 0 ? NULL : &list->of[which];
}

/* Elements of the tensor from `at` on that are looked at together; 0: `at` is between two. */
static uint64_t part_of(const struct adamw_place *tensor, size_t output, int64_t at, uint64_t most)
{
    int64_t left = tensor ? tensor->at[output] + tensor->n - at : 0;
    uint64_t part = left > 0 ? (uint64_t)left : 0;
    part = part < AT_ONCE ? part : AT_ONCE;
    return part < most ? part : most;
}

static void set_output(const struct element *e, size_t output, double *expected, double *allowed)
{
    *expected = output == P ? e->p : output == M ? e->m : e->v;
    *allowed = output == P ? e->p_off : output == M ? e->m_off : e->v_off;
}

void adamw_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                    size_t output, uint64_t first, uint64_t count, double *expected,
                    double *allowed)
{
    const struct adamw_list *list = adamw_list(problem);
    const struct adamw_place *tensor = NULL;
    struct element elements[AT_ONCE];
    struct rates rates[RUNS];
    rates_of_runs(problem, rates);
    for (uint64_t done = 0, part; done < count; done += part) {
        int64_t at = (int64_t)(first + done);
        tensor = tensor_of(list, output, at, tensor);
        part = part_of(tensor, output, at, count - done);
        if (part == 0) { /* between two tensors */
            expected[done] = old_of(inputs, output, at);
            allowed[done] = JUDGE_SAME_BITS;
            part = 1;
            continue;
        }
        elements_of(problem, rates, inputs, tensor, at - tensor->at[output], part, elements);
        for (uint64_t i = 0; i < part; i++)
            set_output(&elements[i], output, &expected[done + i], &allowed[done + i]);
    }
}

struct whole {
    const struct judge_case *problem;
    struct judge_host *host;
    struct judge_inputs inputs;
    size_t output;
};

static const size_t OUTPUTS[] = {M, V, P};
enum { OUTPUT_COUNT = sizeof OUTPUTS / sizeof *OUTPUTS };

/* As it is between two tensors. */
static void keep_part(void *context, uint64_t first, uint64_t end)
{
    const struct whole *whole = context;
    struct judge_host *to = &whole->host[whole->output];
    const float *old = to->input;
    for (uint64_t at = first; at < end; at++) {
        to->expected[at] = judge_of_float(&old[at]);
        to->allowed[at] = JUDGE_SAME_BITS;
    }
}

/* What a call makes of elements whose m are from first to before end: all three outputs at once. */
static void truth_of_part(void *context, uint64_t first, uint64_t end)
{
    const struct whole *whole = context;
    const struct adamw_list *list = adamw_list(whole->problem);
    const struct adamw_place *tensor = NULL;
    struct element elements[AT_ONCE];
    struct rates rates[RUNS];
    rates_of_runs(whole->problem, rates);
    for (uint64_t at = first, part; at < end; at += part ? part : 1) {
        tensor = tensor_of(list, M, (int64_t)at, tensor);
        part = part_of(tensor, M, (int64_t)at, end - at);
        if (part == 0)
            continue;
        int64_t from = (int64_t)at - tensor->at[M];
        elements_of(whole->problem, rates, &whole->inputs, tensor, from, part, elements);
        for (size_t i = 0; i < OUTPUT_COUNT; i++) {
            struct judge_host *to = &whole->host[OUTPUTS[i]];
            int64_t place = tensor->at[OUTPUTS[i]] + from;
            for (uint64_t j = 0; j < part; j++)
                set_output(&elements[j], OUTPUTS[i], &to->expected[place + (int64_t)j],
                           &to->allowed[place + (int64_t)j]);
        }
    }
}

void adamw_truth(const struct judge_case *problem, struct judge_host *host)
{
    enum { STEPS_AN_ELEMENT = 200 };
    struct whole whole = {.problem = problem, .host = host};
    for (size_t i = 0; i < ARENAS; i++)
        whole.inputs.of[i] =
            (struct judge_input){host[i].input, host[i].count, i == G16 ? JUDGE_F16 : JUDGE_F32};
    for (size_t i = 0; i < OUTPUT_COUNT; i++) {
        whole.output = OUTPUTS[i];
        judge_rows_side_by_side(host[OUTPUTS[i]].count, 1, keep_part, &whole);
    }
    judge_rows_side_by_side(host[M].count, STEPS_AN_ELEMENT, truth_of_part, &whole);
    if (adamw_has_runs(problem))
        host[NOW].expected[0] = (double)adamw_step_of_run(problem, RUNS - 1);
}
