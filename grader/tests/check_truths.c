/* check_truths.c - the truth of a whole case is what truth_at gives for its parts, in lessons whose
 * judges make the whole in another way. */
#include "check/examine/stages.h"

#include "tests/check_main.h"

#include <math.h>
#include <string.h>

static const char *const LESSONS[] = {"02_tiling", "04_epilogue", "07_layout", "09_adamw"};
enum { LESSON_COUNT = sizeof LESSONS / sizeof *LESSONS, PART = 100 };

static bool is_same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static struct judge_inputs inputs_of(const struct prepared *prepared)
{
    struct judge_inputs inputs = {.parts = NULL};
    for (size_t i = 0; i < prepared->image.count; i++)
        inputs.of[i] = (struct judge_input){.period = prepared->hosts[i].input,
                                            .count = prepared->hosts[i].count,
                                            .type = prepared->image.part[i].buffer.type};
    return inputs;
}

static void hold_part(const struct judge *judge, const struct prepared *prepared,
                      const struct judge_inputs *inputs, size_t output, uint64_t first)
{
    double expected[PART], allowed[PART] = {0};
    const struct judge_host *host = &prepared->hosts[output];
    uint64_t count = host->count - first < PART ? host->count - first : PART;
    judge->truth_at(prepared->problem, inputs, output, first, count, expected, allowed);
    for (uint64_t i = 0; i < count; i++) {
        const double *whole = &host->allowed[first + i];
        bool is_bits = host->same_bits && allowed[i] == JUDGE_SAME_BITS;
        ck_assert_msg(is_same(expected[i], host->expected[first + i]) &&
                          (is_bits || is_same(allowed[i], *whole)),
                      "%s, %s: element %llu of output %zu", judge->lesson, prepared->problem->name,
                      (unsigned long long)(first + i), output);
    }
}

static void hold_case(const struct judge *judge, const struct judge_case *problem, uint64_t seed)
{
    struct lab lab = {.judge = judge};
    struct finding finding;
    struct prepared prepared;
    ck_assert(prepare(&lab, problem, seed, &prepared, &finding));
    struct judge_inputs inputs = inputs_of(&prepared);
    for (size_t output = 0; output < prepared.image.count; output++) {
        const struct judge_host *host = &prepared.hosts[output];
        if (prepared.image.part[output].buffer.type != JUDGE_F32) /* which step it is: no sum */
            continue;
        uint64_t step = host->count < 50 * PART ? PART : host->count / 50; /* both ends, and some */
        for (uint64_t first = 0; host->expected && first < host->count; first += step)
            hold_part(judge, &prepared, &inputs, output, first);
        if (host->expected && host->count > PART)
            hold_part(judge, &prepared, &inputs, output, host->count - PART);
    }
    prepared_free(&prepared);
}

START_TEST(parts_of_a_truth_are_those_of_the_whole)
{
    const struct judge *judge = judge_named(LESSONS[_i]);
    ck_assert(judge);
    for (size_t i = 0; i < judge->case_count; i++)
        if (!judge->cases[i].refused_with)
            hold_case(judge, &judge->cases[i], i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("truths");
    TCase *tcase = tcase_create("truths");
    tcase_set_timeout(tcase, MOST_SECONDS);
    tcase_add_loop_test(tcase, parts_of_a_truth_are_those_of_the_whole, 0, LESSON_COUNT);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
