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
    double of_root = root_off(root, (e->v_off + 2 * JUDGE_SMALLEST_FLOAT) / rates->correction2);
    double of_m = (e->m_off + 2 * JUDGE_SMALLEST_FLOAT) / rates->correction1;
    double least = fmax(below - of_root, rates->eps);
    *off = of_m / least + fabs(update) * of_root / least + rounded(fabs(update), UPDATE_ROUNDINGS);
    return update;
}

/* One call. */
static void advance(const struct rates *rates, double g, struct element *e)
{
    double rest1 = 1 - rates->beta1, rest2 = 1 - rates->beta2, update_off;
    e->m_off = e->m_off * rates->beta1 + rounded(fabs(e->m) + rest1 * fabs(g), ROUNDINGS);
    e->v_off = e->v_off * rates->beta2 + rounded(e->v + rest2 * g * g, ROUNDINGS);
    e->m = to_range(rates->beta1 * e->m + rest1 * g);
    e->v = to_range(rates->beta2 * e->v + rest2 * g * g);
    double update = update_of(rates, e, &update_off), decay = rates->rate * rates->weight_decay;
    e->p_off = e->p_off * (1 + decay) + rates->rate * update_off +
               rounded(fabs(e->p) * (1 + decay), ROUNDINGS);
    e->p = to_range(e->p - rates->rate * (rates->weight_decay * e->p + update));
}

/* --- Where it is ------------------------------------------------------------------------------ */

static double old_of(const struct judge_inputs *inputs, size_t buffer, int64_t at)
{
    float value;
    judge_input(inputs, buffer, (uint64_t)at, 1, &value);
    return judge_of_float(&value);
}

static double gradient_of(const struct judge_inputs *inputs, const struct adamw_place *tensor,
                          int64_t i)
{
    uint16_t half;
    if (!tensor->half)
        return old_of(inputs, G, tensor->at[G] + i);
    judge_input(inputs, G16, (uint64_t)(tensor->at[G16] + i), 1, &half);
    return judge_element(&half, JUDGE_F16, 0);
}

static struct element element_of(const struct judge_case *problem, const struct rates *rates,
                                 const struct judge_inputs *inputs,
                                 const struct adamw_place *tensor, int64_t i)
{
    double g = gradient_of(inputs, tensor, i);
    struct element e = {.p = old_of(inputs, P, tensor->at[P] + i),
                        .m = old_of(inputs, M, tensor->at[M] + i),
                        .v = old_of(inputs, V, tensor->at[V] + i)};
    for (int run = 0; run < (adamw_has_runs(problem) ? RUNS : 1); run++)
        advance(&rates[run], g, &e);
    return e;
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

void adamw_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                    size_t output, uint64_t first, uint64_t count, double *expected,
                    double *allowed)
{
    const struct adamw_list *list = adamw_list(problem);
    const struct adamw_place *tensor = NULL;
    struct rates rates[RUNS];
    for (int run = 0; run < RUNS; run++)
        rates[run] = rates_of(problem, adamw_step_of_run(problem, run));
    for (uint64_t done = 0; done < count; done++) {
        int64_t at = (int64_t)(first + done);
        tensor = tensor_of(list, output, at, tensor);
        if (!tensor || at >= tensor->at[output] + tensor->n) { /* between two tensors */
            expected[done] = old_of(inputs, output, at);
            allowed[done] = JUDGE_SAME_BITS;
            continue;
        }
        struct element e = element_of(problem, rates, inputs, tensor, at - tensor->at[output]);
        expected[done] = output == P ? e.p : output == M ? e.m : e.v;
        allowed[done] = output == P ? e.p_off : output == M ? e.m_off : e.v_off;
    }
}

struct whole {
    const struct judge_case *problem;
    struct judge_host *host;
    struct judge_inputs inputs;
    size_t output;
};

static void truth_of_part(void *context, uint64_t first, uint64_t end)
{
    const struct whole *whole = context;
    struct judge_host *to = &whole->host[whole->output];
    adamw_truth_at(whole->problem, &whole->inputs, whole->output, first, end - first,
                   to->expected + first, to->allowed + first);
}

void adamw_truth(const struct judge_case *problem, struct judge_host *host)
{
    static const size_t OUTPUTS[] = {M, V, P};
    enum { STEPS_AN_ELEMENT = 200 };
    struct whole whole = {.problem = problem, .host = host};
    for (size_t i = 0; i < ARENAS; i++)
        whole.inputs.of[i] =
            (struct judge_input){host[i].input, host[i].count, i == G16 ? JUDGE_F16 : JUDGE_F32};
    for (size_t i = 0; i < sizeof OUTPUTS / sizeof *OUTPUTS; i++) {
        whole.output = OUTPUTS[i];
        judge_rows_side_by_side(host[whole.output].count, STEPS_AN_ELEMENT, truth_of_part, &whole);
    }
    if (adamw_has_runs(problem))
        host[NOW].expected[0] = (double)adamw_step_of_run(problem, RUNS - 1);
}
