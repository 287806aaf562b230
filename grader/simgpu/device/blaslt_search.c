/* blaslt_search.c - cublasLtMatmulAlgoGetHeuristic: which algorithms are possible, best guess
 * first.
 *
 * Every family, tile and split that fits gets the modelled time, times a small error of its own:
 * the real heuristic does not know the truth either. On an H200 its first of eight candidates was
 * up to 10 % slower than the best of them, so ours is wrong by up to 5 % each way, always the same
 * for the same query. A program that times the candidates finds the best.
 */
#include "blaslt.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t SPLITS[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
static const uint32_t REDUCTIONS[] = {MATMUL_REDUCTION_INPLACE, MATMUL_REDUCTION_COMPUTE_TYPE,
                                      MATMUL_REDUCTION_OUTPUT_TYPE};
enum {
    SPLIT_COUNT = sizeof SPLITS / sizeof *SPLITS,
    REDUCTION_COUNT = sizeof REDUCTIONS / sizeof *REDUCTIONS
};

static const double GUESS_ERROR = 0.05;

struct guess {
    struct matmul_candidate candidate;
    double time_ns;
};

struct hunt {
    const struct sim_profile *profile;
    const struct matmul_search *search;
    uint32_t signature;
    uint64_t hash; /* of the problem */
    struct guess *guesses;
    size_t count, room;
};

/* Between -1 and 1, the same for the same bytes of problem and algorithm. */
static double error_of(const struct hunt *hunt, const struct algo *algo)
{
    uint64_t hash = algo_hash(hunt->hash, algo, sizeof *algo);
    hash ^= hash >> 32;
    return (double)(hash & 0xFFFF) / 32767.5 - 1;
}

/* What cublasLtNumericalImplFlags_t says about the units. */
static bool units_allowed(const struct matmul_search *search, const struct algo_family *family)
{
    static const uint64_t UNITS[] = {/* ..._FMA, ..._HMMA, ..._FMA or ..._DMMA */
                                     [ALGO_FMA] = 1,
                                     [ALGO_TENSOR] = 2,
                                     [ALGO_DOUBLE] = 1 | 8};
    return search->implementations & UNITS[family->math];
}

/* Does the promised alignment suffice for this family? */
static bool pointers_allow(const struct matmul_search *search, const struct algo_family *family)
{
    return algo_aligned(&search->problem, family, search->alignment_a, search->alignment_b,
                        search->alignment_c, search->alignment_d);
}

static void consider(struct hunt *hunt, const struct algo *algo)
{
    const struct matmul_search *search = hunt->search;
    uint64_t workspace_bytes;
    if (hunt->count == hunt->room ||
        algo_check(&search->problem, algo, &workspace_bytes) != ALGO_OK ||
        workspace_bytes > search->workspace_bytes)
        return;
    struct library_estimate estimate = blaslt_estimate(hunt->profile, &search->problem, algo);
    if (search->most_waves > 0 && estimate.waves > search->most_waves)
        return;
    struct guess *guess = &hunt->guesses[hunt->count++];
    *guess = (struct guess){
        .candidate = {.workspace_bytes = workspace_bytes, .waves = (float)estimate.waves},
        .time_ns = estimate.time_ns * (1 + GUESS_ERROR * error_of(hunt, algo))};
    algo_seal(algo, guess->candidate.algo);
}

/* All splits of one family and tile. */
static void consider_splits(struct hunt *hunt, struct algo algo)
{
    for (size_t i = 0; i < SPLIT_COUNT; i++) {
        algo.splits = SPLITS[i];
        algo.reduction = MATMUL_REDUCTION_NONE;
        if (algo.splits == 1)
            consider(hunt, &algo);
        for (size_t j = 0; algo.splits > 1 && j < REDUCTION_COUNT; j++) {
            algo.reduction = REDUCTIONS[j];
            if (hunt->search->reductions & algo.reduction)
                consider(hunt, &algo);
        }
    }
}

static void consider_family(struct hunt *hunt, const struct algo_family *family)
{
    size_t tile_count;
    const struct algo_tile *tiles = algo_tiles(&tile_count);
    for (size_t i = 0; i < tile_count; i++)
        consider_splits(hunt, (struct algo){.family = family->id,
                                            .tile = tiles[i].id,
                                            .stages = family->stages_id,
                                            .signature = hunt->signature});
}

static int quickest_first(const void *a, const void *b)
{
    const struct guess *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return memcmp(x->candidate.algo, y->candidate.algo, sizeof x->candidate.algo);
}

size_t blaslt_search(const struct sim_profile *profile, const struct matmul_search *search,
                     struct matmul_candidate candidates[MATMUL_MOST_CANDIDATES])
{
    const struct matmul_problem *problem = &search->problem;
    size_t family_count, tile_count, wanted = search->wanted;
    const struct algo_family *families = algo_families(&family_count);
    algo_tiles(&tile_count);
    struct hunt hunt = {.profile = profile, .search = search};
    hunt.signature = algo_signature(problem->compute, problem->scale_type, problem->a.type,
                                    problem->b.type, problem->c.type, problem->d.type);
    hunt.hash = algo_hash(ALGO_HASH, problem, sizeof *problem);
    hunt.room = family_count * tile_count * SPLIT_COUNT * REDUCTION_COUNT;
    hunt.guesses = calloc(hunt.room, sizeof *hunt.guesses);
    for (size_t i = 0; hunt.guesses && i < family_count; i++)
        if (algo_family_fits(&families[i], hunt.signature) &&
            (!search->only_algo || families[i].id == search->algo_id) &&
            units_allowed(search, &families[i]) && pointers_allow(search, &families[i]))
            consider_family(&hunt, &families[i]);
    if (hunt.count)
        qsort(hunt.guesses, hunt.count, sizeof *hunt.guesses, quickest_first);
    wanted = wanted < MATMUL_MOST_CANDIDATES ? wanted : MATMUL_MOST_CANDIDATES;
    wanted = wanted < hunt.count ? wanted : hunt.count;
    for (size_t i = 0; i < wanted; i++)
        candidates[i] = hunt.guesses[i].candidate;
    free(hunt.guesses);
    return wanted;
}
