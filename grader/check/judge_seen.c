/* judge_seen.c - see judge_seen.h. */
#include "check/judge_seen.h"

#include "check/judge_graph.h"

#include <math.h>

bool judge_failed(const struct judge_evidence *e, enum verdict verdict)
{
    return e->verdict == (int)verdict && e->where;
}

bool judge_wrong(const struct judge_evidence *e)
{
    return judge_failed(e, VERDICT_WRONG);
}

bool judge_is_near(const struct judge_evidence *e)
{
    const double near = 1.0 / 8;
    return judge_wrong(e) && !e->wrong_is_unwritten && isfinite(e->want) && e->want != 0 &&
           e->largest_error <= near * fabs(e->want);
}

bool judge_is_past_an_int(int64_t m, int64_t n, int64_t k)
{
    return m * k > INT32_MAX || k * n > INT32_MAX || m * n > INT32_MAX;
}

bool judge_slow(const struct judge_evidence *e, enum judge_counter counter, double least,
                double most)
{
    return e->verdict == VERDICT_SLOW && e->refused == counter && e->counter[counter] >= least &&
           e->counter[counter] <= most;
}

bool judge_late(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_SLOW && e->refused == JUDGE_COUNTER_NONE;
}

double judge_refused_width(const struct judge_evidence *e)
{
    return e->refused == JUDGE_LOAD_EFFICIENCY    ? e->line.load_width
           : e->refused == JUDGE_STORE_EFFICIENCY ? e->line.store_width
                                                  : NAN;
}

double judge_refused_apart(const struct judge_evidence *e)
{
    return e->refused == JUDGE_LOAD_EFFICIENCY    ? fabs(e->line.load_apart)
           : e->refused == JUDGE_STORE_EFFICIENCY ? fabs(e->line.store_apart)
                                                  : NAN;
}

bool judge_has_zeros(const struct judge_case *problem)
{
    return problem->data == JUDGE_DATA_ZEROS_IN_FIRST ||
           problem->data == JUDGE_DATA_ZEROS_IN_SECOND;
}

bool judge_has_tiny_products(const struct judge_case *problem)
{
    return problem->data == JUDGE_DATA_TINY || problem->data == JUDGE_DATA_SUBNORMAL ||
           problem->data == JUDGE_DATA_FAINT_FIRST || problem->data == JUDGE_DATA_FAINT_SECOND;
}

bool judge_is_unaligned(const struct judge_case *problem)
{
    for (int i = 0; i < JUDGE_MOST_BUFFERS; i++)
        if (problem->offset_bytes[i] % 16)
            return true;
    return false;
}

bool judge_error_ignored(const struct judge_evidence *e)
{
    return judge_failed(e, VERDICT_ARGUMENTS) && e->where->refused_with == JUDGE_LAUNCH_FAILS &&
           e->error == cudaSuccess;
}

bool judge_right_for_the_list(const struct judge_evidence *e)
{
    return judge_wrong(e) && e->where->drawn;
}
