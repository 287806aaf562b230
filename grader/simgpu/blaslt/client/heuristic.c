/* heuristic.c - cublasLtMatmulAlgoGetHeuristic: asks the device, which knows how long its kernels
 * take, and which also counts the queries.
 */
#include "blaslt.h"

#include <stdlib.h>
#include <string.h>

static uint32_t alignment_of(uint32_t asked)
{
    return asked ? asked : 1;
}

static struct matmul_search search_of(const struct matmul_problem *problem,
                                      const struct preference *preference, int wanted)
{
    return (struct matmul_search){.problem = *problem,
                                  .workspace_bytes = preference->workspace_bytes,
                                  .implementations = preference->implementations,
                                  .alignment_a = alignment_of(preference->alignment_a),
                                  .alignment_b = alignment_of(preference->alignment_b),
                                  .alignment_c = alignment_of(preference->alignment_c),
                                  .alignment_d = alignment_of(preference->alignment_d),
                                  .reductions = preference->reductions,
                                  .most_waves = preference->most_waves,
                                  .wanted = (uint32_t)wanted};
}

/* Ask the device; at most room candidates. */
static cublasStatus_t ask(const struct matmul_search *search, struct matmul_candidate *candidates,
                          size_t room, size_t *found)
{
    struct call call = {.request = {.kind = REQUEST_MATMUL_SEARCH}, .fd = -1};
    call.payload = search;
    call.payload_bytes = sizeof *search;
    call.answer = candidates;
    call.answer_room = room * sizeof *candidates;
    cudaError_t error = simgpu_extension()->perform(&call);
    *found = error == cudaSuccess ? call.answer_bytes / sizeof *candidates : 0;
    if (error != cudaSuccess)
        return status_of_error(error);
    return *found ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t heuristic_default(const struct matmul_problem *problem,
                                 uint64_t words[MATMUL_ALGO_WORDS])
{
    struct preference preference;
    struct matmul_candidate candidate;
    size_t found;
    preference_default(&preference);
    struct matmul_search search = search_of(problem, &preference, 1);
    cublasStatus_t status = ask(&search, &candidate, 1, &found);
    if (status == CUBLAS_STATUS_SUCCESS)
        memcpy(words, candidate.algo, sizeof candidate.algo);
    return status;
}

static void write_results(const struct matmul_candidate *candidates, size_t count,
                          cublasLtMatmulHeuristicResult_t *results)
{
    for (size_t i = 0; i < count; i++) {
        results[i] =
            (cublasLtMatmulHeuristicResult_t){.workspaceSize = candidates[i].workspace_bytes,
                                              .state = CUBLAS_STATUS_SUCCESS,
                                              .wavesCount = candidates[i].waves};
        memcpy(results[i].algo.data, candidates[i].algo, sizeof candidates[i].algo);
    }
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preferred, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *written)
{
    struct matmul_candidate candidates[MATMUL_MOST_CANDIDATES];
    const struct preference *preference = preference_of(preferred);
    struct matmul_problem problem;
    size_t found;
    if (!handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (wanted <= 0 || !preference || !results || !written)
        return CUBLAS_STATUS_INVALID_VALUE;
    *written = 0;
    cublasStatus_t status = problem_of(operation, a, b, c, d, &problem);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    int room = wanted < MATMUL_MOST_CANDIDATES ? wanted : MATMUL_MOST_CANDIDATES;
    struct matmul_search search = search_of(&problem, preference, room);
    if (preference->search_mode == CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID) {
        struct algo opened;
        if (!algo_open(results[0].algo.data, &opened))
            return CUBLAS_STATUS_INVALID_VALUE;
        search.only_algo = 1;
        search.algo_id = opened.family;
    }
    status = ask(&search, candidates, (size_t)room, &found);
    write_results(candidates, found, results);
    *written = (int)found;
    return status;
}
