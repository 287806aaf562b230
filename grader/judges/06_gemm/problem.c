/* problem.c - lesson 6: what follows from a case. */
#include "judges/06_gemm/problem.h"

/* A token, a few, many. */
static const int64_t DECODE_ROWS[] = {1, 8, 64};

enum judge_type gemm_buffer_type(int64_t type)
{
    return type == LESSON6_F16 ? JUDGE_F16 : JUDGE_BF16;
}

bool gemm_is_reloaded(const struct judge_case *problem)
{
    return problem->script == RELOADED || problem->script == RELOADED_CAPTURED ||
           problem->script == WIDE_ROOM;
}

bool gemm_has_second_y(const struct judge_case *problem)
{
    return problem->script == OTHER_BIAS || problem->script == REPEATED ||
           gemm_is_reloaded(problem) || problem->script == TWO_ROOMS ||
           problem->script == MANY_CONTEXTS || problem->script == LESS_ROOM;
}

bool gemm_has_answers(const struct judge_case *problem)
{
    return problem->script == SPOILT || problem->script == INTERRUPTED ||
           problem->script == LESS_ROOM || problem->script == LIBRARY_FAILS ||
           problem->script == FULL || problem->script == LONG_SIDES || problem->script == CROWD;
}

int64_t gemm_rows_of_call(const struct judge_case *problem, int call)
{
    return call == NEW_CALL       ? NEW_ROWS
           : call == NEW_CALL - 1 ? problem->size[M]
                                  : DECODE_ROWS[call];
}

int64_t gemm_rows_of_round(const struct judge_case *problem)
{
    int64_t rows = 0;
    for (int call = 0; call < NEW_CALL; call++)
        rows += gemm_rows_of_call(problem, call);
    return rows;
}

int64_t gemm_all_rows(const struct judge_case *problem, int set)
{
    if (problem->script != SERVED)
        return gemm_rows_of_round(problem) + NEW_ROWS;
    return ROUNDS * gemm_rows_of_round(problem) + (set == 0 ? GRAPH_ROWS : 0) + NEW_ROWS;
}

bool gemm_is_mix(const struct judge_case *problem)
{
    return problem->script == SERVED || problem->script == STEADY;
}

int64_t gemm_odd_side(int64_t side)
{
    return side / 2 - 3;
}
