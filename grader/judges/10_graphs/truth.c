/* truth.c - lesson 10: what p, m, v and *step must be after the runs, to the last bit.
 *
 * The contract leaves no order open, and every rounding is written down there. So this is the same
 * arithmetic in the plainest loops: fmaf, and single operations of float.
 */
#include "check/judge_philox.h"
#include "judges/10_graphs/parts.h"
#include "judges/10_graphs/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A network at work. */
struct state {
    struct graphs_network size;
    const struct judge_case *problem;
    struct quest_rng_key key;
    float *p, *m, *v;
    float *batch, *hidden, *gHidden, *gY;
    double power1, power2; /* of this step */
};

static float real_of(const struct state *state, int field)
{
    return (float)state->problem->real[field];
}

static double power(double base, uint64_t exponent)
{
    double result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result *= base;
        base *= base;
    }
    return result;
}

/* --- Forward ---------------------------------------------------------------------------------- */

static bool is_kept(const struct state *state, uint64_t step, uint64_t i)
{
    uint32_t word[PHILOX_WORDS] = {(uint32_t)(i / 4), (uint32_t)(i / 4 >> 32), (uint32_t)step,
                                   (uint32_t)(step >> 32)};
    const uint32_t key[PHILOX_KEYS] = {state->key.seed, state->key.layer};
    philox4x32_10(word, key);
    return word[i % 4] >= (uint32_t)((double)real_of(state, DROP) * 0x1p32);
}

/* Element (row, col) of [A 1] W, where A has k columns. */
static float with_bias(const float *A, const float *W, int row, int col, int k, int cols)
{
    float sum = 0;
    for (int i = 0; i <= k; i++)
        sum = fmaf(i < k ? A[(int64_t)row * k + i] : 1.0F, W[(int64_t)i * cols + col], sum);
    return sum;
}

static void forward(struct state *state, uint64_t step)
{
    const struct graphs_network *size = &state->size;
    const float *W2 = state->p + ((int64_t)size->in + 1) * size->hidden;
    const float *y = state->batch + (int64_t)size->batch * size->in;
    float scale = 1.0F / (1.0F - real_of(state, DROP));
    for (int row = 0; row < size->batch; row++)
        for (int col = 0; col < size->hidden; col++) {
            int64_t i = (int64_t)row * size->hidden + col;
            float z = with_bias(state->batch, state->p, row, col, size->in, size->hidden);
            state->hidden[i] = z > 0 && is_kept(state, step, (uint64_t)i) ? z * scale : 0;
        }
    for (int row = 0; row < size->batch; row++)
        for (int col = 0; col < size->out; col++) {
            int64_t i = (int64_t)row * size->out + col;
            float is = with_bias(state->hidden, W2, row, col, size->hidden, size->out);
            state->gY[i] = (is - y[i]) / ((float)size->batch * (float)size->out);
        }
}

/* --- Backward --------------------------------------------------------------------------------- */

static void backward(struct state *state)
{
    const struct graphs_network *size = &state->size;
    const float *W2 = state->p + ((int64_t)size->in + 1) * size->hidden;
    float scale = 1.0F / (1.0F - real_of(state, DROP));
    for (int row = 0; row < size->batch; row++)
        for (int col = 0; col < size->hidden; col++) {
            int64_t i = (int64_t)row * size->hidden + col;
            float sum = 0;
            for (int j = 0; j < size->out; j++)
                sum = fmaf(state->gY[(int64_t)row * size->out + j],
                           W2[(int64_t)col * size->out + j], sum);
            state->gHidden[i] = state->hidden[i] > 0 ? sum * scale : 0;
        }
}

static void adamw(struct state *state, int64_t i, float g)
{
    float beta1 = real_of(state, BETA1), beta2 = real_of(state, BETA2), lr = real_of(state, LR);
    float correction1 = (float)(1 / (1 - state->power1));
    float correction2 = (float)(1 / sqrt(1 - state->power2));
    float m = fmaf(beta1, state->m[i], (1 - beta1) * g);
    float v = fmaf(beta2, state->v[i], (1 - beta2) * g * g);
    float update = m * correction1 / fmaf(sqrtf(v), correction2, real_of(state, EPS));
    state->p[i] = fmaf(-lr, fmaf(real_of(state, WEIGHT_DECAY), state->p[i], update), state->p[i]);
    state->m[i] = m;
    state->v[i] = v;
}

/* A layer's weights, from first on: the gradient of a weight is a sum over the rows of a batch. */
static void update(struct state *state, const float *A, const float *gradient, int k, int cols,
                   int64_t first)
{
    for (int row = 0; row <= k; row++)
        for (int col = 0; col < cols; col++) {
            float sum = 0;
            for (int i = 0; i < state->size.batch; i++)
                sum = fmaf(row < k ? A[(int64_t)i * k + row] : 1.0F,
                           gradient[(int64_t)i * cols + col], sum);
            adamw(state, first + (int64_t)row * cols + col, sum);
        }
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void do_run(struct state *state, int which, int run)
{
    const struct graphs_network *size = &state->size;
    uint64_t step = graphs_step(state->problem, which, run);
    for (size_t i = 0; i < graphs_batch_floats(size); i++)
        state->batch[i] = graphs_batch_number(state->problem, which, run, i);
    state->power1 = power(real_of(state, BETA1), step + 1);
    state->power2 = power(real_of(state, BETA2), step + 1);
    forward(state, step);
    backward(state);
    update(state, state->batch, state->gHidden, size->in, size->hidden, 0);
    update(state, state->hidden, state->gY, size->hidden, size->out,
           ((int64_t)size->in + 1) * size->hidden);
}

static void leave(const float *from, struct judge_host *to)
{
    for (uint64_t i = 0; i < to->count; i++)
        to->expected[i] = judge_of_float(&from[i]);
}

static void take(struct state *state, const struct judge_host *from)
{
    size_t bytes = graphs_parameters(&state->size) * sizeof(float);
    memcpy(state->p, from[P].input, bytes);
    memcpy(state->m, from[M].input, bytes);
    memcpy(state->v, from[V].input, bytes);
}

/* back: the buffers of what overwrites it. */
static void train(struct state *state, int which, struct judge_host *host,
                  const struct judge_host *back)
{
    const struct graphs_network *size = &state->size;
    int before = graphs_back_before(state->problem, which);
    take(state, host);
    for (int run = 0; run < size->runs; run++) {
        if (before && run == before)
            take(state, back);
        do_run(state, which, run);
    }
    leave(state->p, &host[P]);
    leave(state->m, &host[M]);
    leave(state->v, &host[V]);
    host[STEP].expected[0] = (double)(graphs_step(state->problem, which, size->runs - 1) + 1);
}

/* Without memory nothing is expected, which no answer fulfils. */
static void truth_of(const struct judge_case *problem, int which, struct judge_host *all)
{
    struct judge_host *host = all + which * OF_NETWORK;
    struct state state = {.size = graphs_network(problem, which),
                          .problem = problem,
                          .key = graphs_key(problem, which)};
    size_t parameters = graphs_parameters(&state.size);
    size_t hidden = (size_t)state.size.batch * (size_t)state.size.hidden;
    size_t out = (size_t)state.size.batch * (size_t)state.size.out;
    size_t batch = graphs_batch_floats(&state.size);
    float *memory = malloc((3 * parameters + 2 * hidden + out + batch) * sizeof *memory);
    if (!memory)
        return;
    state.p = memory;
    state.m = state.p + parameters;
    state.v = state.m + parameters;
    state.batch = state.v + parameters;
    state.hidden = state.batch + batch;
    state.gHidden = state.hidden + hidden;
    state.gY = state.gHidden + hidden;
    train(&state, which, host, all + graphs_back_to(problem, which));
    free(memory);
}

void graphs_truth(const struct judge_case *problem, struct judge_host *host)
{
    for (int which = 0; which < graphs_networks(problem); which++)
        truth_of(problem, which, host);
    if (problem->script == AHEAD)
        host[ARRIVED].expected[0] = 1;
    if (problem->script == HELD_UP)
        host[WENT_ON].expected[0] = 1;
}
