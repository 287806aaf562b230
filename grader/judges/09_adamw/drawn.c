/* drawn.c - lesson 9: what is drawn from the check's seed, small, large and in timed cases. */
#include "judges/09_adamw/parts.h"
#include "judges/09_adamw/problem.h"

#include <math.h>
#include <stdio.h>

static float one_of(uint64_t *seed, const float *list, int64_t count)
{
    return list[judge_draw(seed, 0, count - 1)];
}

/* Less than `most`, by a factor that has no round bits. */
static float less_than(uint64_t *seed, float most)
{
    return most * (float)(0.5 + 0x1p-25 * (double)judge_draw(seed, 0, (1 << 24) - 1));
}

/* 1 - beta is 2^-10 to 2^-2 of the usual kind, or down to 2^-24, or beta is 0 or anything below
 * 1. */
static float any_beta(uint64_t *seed)
{
    int64_t kind = judge_draw(seed, 0, 7);
    int least = kind == 2 ? 11 : 1, most = kind == 2 ? 23 : 10;
    float rest = less_than(seed, ldexpf(1, -(int)judge_draw(seed, least, most)));
    return kind == 0 ? 0 : kind == 1 ? less_than(seed, 0.99F) : 1 - rest;
}

static void draw_hyper(uint64_t *seed, struct judge_case *problem)
{
    static const float EPSILONS[] = {1e-8F, 1e-6F, 1e-3F, 1e-12F};
    problem->real[LR] = less_than(seed, ldexpf(1, -(int)judge_draw(seed, 0, 10)));
    problem->real[BETA1] = any_beta(seed);
    problem->real[BETA2] = any_beta(seed);
    problem->real[EPS] = less_than(seed, one_of(seed, EPSILONS, 4));
    problem->real[WEIGHT_DECAY] = judge_draw(seed, 0, 3) ? less_than(seed, 0.3F) : 0;
    problem->real[DECAY_RATE] = judge_draw(seed, 0, 3) ? 1 - less_than(seed, 0.5F) : 1;
    problem->size[DECAY_STEPS] = judge_draw_size(seed, 1, 20000);
}

/* The first ones, some of any size that a run reaches, and one that only 64 bits hold. The learning
 * rate must not have decayed to nothing, which would hide everything else: less than 24 times. */
static void draw_step(uint64_t *seed, struct judge_case *problem)
{
    int64_t kind = judge_draw(seed, 0, 3), most = 24 * problem->size[DECAY_STEPS];
    int64_t step = kind == 0 ? judge_draw(seed, 0, 3) : judge_draw_size(seed, 4, 2000000);
    if (kind == 1)
        step = (judge_draw(seed, 1, 9) << 32) + judge_draw(seed, 0, 3);
    if (kind == 2) /* where a power of a beta counts, and is not 1 any more */
        step = (int64_t)((double)judge_draw(seed, 1, 64) / 16 /
                         (1 - fmax(problem->real[BETA1], problem->real[BETA2])));
    if (kind > 0 && kind < 3 && step > most)
        problem->real[DECAY_RATE] = 1;
    problem->size[STEP] = problem->real[DECAY_RATE] < 1 && step > most ? step % most : step;
}

/* Any exponent is as likely as another; below 2^-126 a float is subnormal. */
static float any_float(uint64_t *seed, int least, int most)
{
    int exponent = (int)judge_draw(seed, least, most);
    return (float)ldexp(1 + 0x1p-24 * (double)judge_draw(seed, 0, (1 << 24) - 1), exponent);
}

/* Of an eps that is tiny, the root must be 0 to show it, and the rate small, so that in no order of
 * operations a quotient exceeds what a float holds. */
static void any_eps(uint64_t *seed, struct judge_case *problem)
{
    enum { LEAST = -140, MOST = 126, TINY = -40, LEAST_QUOTIENT = 118 };
    float eps = any_float(seed, LEAST, MOST);
    int exponent = ilogbf(eps);
    problem->real[EPS] = eps;
    problem->real[LR] =
        ldexp(problem->real[LR], exponent < -LEAST_QUOTIENT ? exponent + LEAST_QUOTIENT : 0);
    if (exponent < TINY)
        problem->data = JUDGE_DATA_TINY;
}

/* The product with the rate is about 1/8, as far as a float holds such a rate. */
static void any_weight_decay(uint64_t *seed, struct judge_case *problem)
{
    float decay = any_float(seed, -149, 100);
    problem->real[WEIGHT_DECAY] = decay;
    problem->real[LR] = ldexp(1, (int)fmin(-3 - ilogbf(decay), 120));
    problem->real[DECAY_RATE] = 1;
    problem->size[ZEROS] = ONLY_P;
}

/* One field is any float that the contract allows, and the others let it show. */
static void draw_field(uint64_t *seed, int field, struct judge_case *problem)
{
    enum { LEAST = -149, MOST_RATE = 99 };
    problem->size[ZEROS] = ZERO_RUNS;
    if (field == EPS)
        any_eps(seed, problem);
    else if (field == WEIGHT_DECAY)
        any_weight_decay(seed, problem);
    else
        problem->real[field] = any_float(seed, LEAST, field == LR ? MOST_RATE : -1);
    if (field == LR)
        problem->real[DECAY_RATE] = 1;
    if (field == DECAY_RATE)
        problem->size[STEP] = judge_draw(seed, 0, 3);
    problem->size[DECAY_STEPS] += 32; /* three steps decay by no more than 2^14 */
}

static struct judge_case any_list(uint64_t *seed, int64_t most_tensors, int64_t most_elements)
{
    struct judge_case problem = {.size = {[LIST] = DRAWN,
                                          [COUNT] = judge_draw_size(seed, 1, most_tensors),
                                          [ELEMENTS] = most_elements,
                                          [HALVES] = judge_draw(seed, NO_HALVES, ALL_HALVES),
                                          [PLACES] = judge_draw(seed, DRAWN_PLACES, 1 << 30)}};
    draw_hyper(seed, &problem);
    draw_step(seed, &problem);
    return problem;
}

static void name_drawn(struct judge_case *problem)
{
    snprintf(problem->name, sizeof problem->name, "%lld tensors, step %llu, places %lld, drawn",
             (long long)problem->size[COUNT], (unsigned long long)problem->size[STEP],
             (long long)problem->size[PLACES]);
}

static void name_long(struct judge_case *problem)
{
    snprintf(problem->name, sizeof problem->name, "%lld tensors, one of %lld, places %lld, drawn",
             (long long)problem->size[COUNT], (long long)problem->size[ELEMENTS],
             (long long)problem->size[PLACES]);
}

/* A middle one, of which one tensor is longer than any small case's. */
static struct judge_case middle(uint64_t *seed)
{
    struct judge_case problem = any_list(seed, 40, 1000);
    problem.size[LIST] = judge_draw(seed, 0, 1) ? MIXED : FIRST;
    problem.size[ELEMENTS] = judge_draw(seed, 300000, 900000);
    problem.size[PLACES] = judge_draw(seed, APART, PACKED);
    problem.data = JUDGE_DATA_SPARSE_SPECIALS;
    problem.once = 1;
    return problem;
}

static void name_field(int field, struct judge_case *problem)
{
    static const char *const NAMES[] = {[LR] = "lr",
                                        [BETA1] = "beta1",
                                        [BETA2] = "beta2",
                                        [EPS] = "eps",
                                        [WEIGHT_DECAY] = "weight_decay",
                                        [DECAY_RATE] = "decay_rate"};
    snprintf(problem->name, sizeof problem->name, "%lld tensors, %s %g, drawn",
             (long long)problem->size[COUNT], NAMES[field], problem->real[field]);
}

/* Where m and v begin, they are 0, and the first steps are where their corrections count. */
size_t adamw_draw(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum { SMALL = 7, FROM_ZEROS = 3 };
    size_t count = 0;
    for (; count <= SMALL && count < room; count++) {
        int64_t most = count % 2 ? 300 : 9000;
        cases[count] = count == SMALL ? middle(&seed) : any_list(&seed, most / 10 % 64 + 2, most);
        if (count == FROM_ZEROS) {
            cases[count].data = JUDGE_DATA_ZEROS_IN_FIRST;
            cases[count].size[STEP] = judge_draw(&seed, 0, 2);
        }
        if (count != FROM_ZEROS)
            cases[count].size[ZEROS] =
                count == SMALL ? ZERO_RUNS : judge_draw(&seed, FEW_ZEROS, ZERO_TENSORS);
        if (count == SMALL)
            name_long(&cases[count]);
        else
            name_drawn(&cases[count]);
    }
    for (int field = LR; field <= DECAY_RATE && count < room; field++, count++) {
        cases[count] = any_list(&seed, 4, 600);
        draw_field(&seed, field, &cases[count]);
        name_field(field, &cases[count]);
    }
    return count;
}

/* One between each power of two and the next up to 2^27, and one past 2^32; in turn with gradients
 * of either type, and with pointers that are aligned or not. */
size_t adamw_draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum { FIRST_POWER = 23, LAST_POWER = 27, PAST_UNSIGNED, FLOATS = G + 1 };
    int64_t turn = judge_draw(&seed, 0, 3);
    size_t count = 0;
    for (int64_t power = FIRST_POWER; power <= PAST_UNSIGNED && count < room; power++, turn++) {
        struct judge_case *problem = &cases[count++];
        int64_t least = INT64_C(1) << power;
        *problem = any_list(&seed, 12, 1);
        problem->data = JUDGE_DATA_SPARSE_SPECIALS;
        problem->size[LIST] = judge_draw(&seed, 0, 1) ? MIXED : FIRST;
        problem->size[ELEMENTS] = power == PAST_UNSIGNED
                                      ? (INT64_C(1) << 32) + judge_draw(&seed, 1, 1 << 20)
                                      : judge_draw(&seed, least, 2 * least - 1);
        problem->size[HALVES] = turn & 1 ? ALL_HALVES : NO_HALVES;
        problem->size[PLACES] = turn & 2 ? judge_draw(&seed, P_OFF, PACKED) : APART;
        judge_draw_pointers(&seed, FLOATS, !(turn & 2), problem);
        name_long(problem);
    }
    return count;
}

/* All that the results depend on, and the time does not. */
void adamw_redraw(uint64_t seed, struct judge_case *problem)
{
    draw_hyper(&seed, problem);
    draw_step(&seed, problem);
}

/* The same network, a little less wide, and special values. */
void adamw_nearby(uint64_t seed, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_SPECIALS;
    problem->size[ELEMENTS] -= judge_draw(&seed, 1, 1 + problem->size[ELEMENTS] / 50);
}
