/* small.c - the small cases: safety and numerics, in one stage and in a drawn order.
 *
 * Every case runs at least three times on the simulated device: once with every check on, and plain
 * over different poison; all runs must be right and give the same bits, unless the lesson allows
 * otherwise. Which run of which case comes next is drawn from the seed, so that a submission cannot
 * tell when it is checked more closely, or when that is over.
 *
 * What is reported does not depend on the order: it is the finding that comes first by rank. So
 * once something is wrong, only those runs continue whose finding would come before it; and if
 * these take too long, as endless ones do, none.
 */
#include "check/again_claims.h"
#include "check/examine/data.h"
#include "check/examine/large.h"
#include "check/examine/small_ahead.h"

#include "lib/process.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_REPEATS = 2, MOST_REPEATS = 16 };
static const uint64_t ORDER_PURPOSE = 0x6F72646572; /* a stream no case's index can be */

/* Added each time that the runner has to start again. */
enum { MOST_RACED_CASES = 8 };

/* All runs together take a few seconds; a run that does not end by itself takes ten. */
#define MOST_SINCE_FAILED_NS INT64_C(20000000000)

/* The first finding so far of one of the two gates; rank SIZE_MAX when there is none. */
struct best {
    size_t rank, index; /* which case's */
    struct finding finding;
};

struct small {
    struct lab *lab;
    size_t count; /* of cases */
    struct small_case *cases;
    struct small_run *runs;
    size_t run_count;
    bool has_safety;
    struct best safety, numerics;
    size_t raced;            /* runs that ended in a race in global memory */
    int64_t since_failed_ns; /* time of all runs since the first with a fault other than a race */
    double worst_share;      /* of what is allowed, over all cases */
    const char *worst_case;
};

/* --- Which runs, and when --------------------------------------------------------------------- */

static size_t most_runs(const struct judge *judge)
{
    return judge->case_count * (MOST_REPEATS + 1);
}

static unsigned repeats_of(const struct judge_case *problem)
{
    unsigned repeats = problem->once ? 1 : problem->repeats ? problem->repeats : LEAST_REPEATS;
    return repeats < MOST_REPEATS ? repeats : MOST_REPEATS;
}

/* Safety skips cases that must be refused, since numerics sees whether they are, and cases that are
 * too large for every check. */
static bool has_checked_run(const struct judge_case *problem)
{
    return !problem->refused_with && !problem->once;
}

static void list_runs(struct small *small, const struct small_asked *asked)
{
    enum small_way way = asked->pretend_zeros ? SMALL_ZEROS : SMALL_PLAIN;
    for (size_t i = 0; i < small->count; i++) {
        struct small_case *of = &small->cases[i];
        if (asked->half && asked->half != 1 + i % 2)
            continue;
        if (small->has_safety && has_checked_run(of->problem))
            small->runs[small->run_count++] = (struct small_run){of, SMALL_CHECKED, 0};
        for (unsigned run = 0; asked->numerics && run < repeats_of(of->problem); run++)
            small->runs[small->run_count++] = (struct small_run){of, way, run};
    }
}

static void shuffle(struct small_run *runs, size_t count, uint64_t seed)
{
    for (size_t left = count; left > 1; left--) {
        size_t other = data_word(seed, left) % left;
        struct small_run last = runs[left - 1];
        runs[left - 1] = runs[other];
        runs[other] = last;
    }
}

static void draw_order(struct small *small)
{
    uint64_t seed = data_seed(small->lab->seed, ORDER_PURPOSE);
    if (!small->lab->judge->in_order) {
        shuffle(small->runs, small->run_count, seed);
        return;
    }
    for (size_t from = 0, end; from < small->run_count; from = end) {
        for (end = from + 1; end < small->run_count; end++)
            if (small->runs[end].of != small->runs[from].of)
                break;
        shuffle(small->runs + from, end - from, data_seed(seed, from));
    }
}

/* --- What is reported first
 * ----------------------------------------------------------------------- */

static size_t index_of(const struct small *small, const struct small_run *run)
{
    return (size_t)(run->of - small->cases);
}

/* A case continues after a race in global memory, which may come from an index that is also wrong
 * elsewhere. So accesses outside the buffers, and kernels that do not end, are reported first, and
 * instructions that the device does not know are reported last. */
static size_t safety_rank(const struct small *small, size_t index, const struct finding *finding)
{
    size_t group = finding->verdict == VERDICT_NOT_SIMULATED ? 2 : finding->global_race ? 1 : 0;
    return group * small->count + index;
}

/* Within a case, findings of the plain runs come in their order; then come those that only a
 * checked run shows, and those that only two runs together show. */
static size_t numerics_rank(size_t index, unsigned place)
{
    return index * (MOST_REPEATS + 2) + place;
}

static void note(struct best *best, size_t rank, size_t index, const struct small_result *result)
{
    if (rank < best->rank)
        *best = (struct best){rank, index, result->finding};
}

/* If a checked run's results are wrong, numerics reports it. */
static void note_result(struct small *small, const struct small_run *run,
                        const struct small_result *result)
{
    size_t index = index_of(small, run);
    bool is_checked = run->way == SMALL_CHECKED;
    if (result->finding.verdict == VERDICT_PASS) {
        if (result->worst_share > small->worst_share) {
            small->worst_share = result->worst_share;
            small->worst_case = run->of->problem->name;
        }
        return;
    }
    if (again_is_claim(result->finding.verdict)) {
        note(small->has_safety ? &small->safety : &small->numerics, 0, index, result);
        return;
    }
    if (is_checked && !result->launched) {
        small->raced += result->finding.global_race;
        note(&small->safety, safety_rank(small, index, &result->finding), index, result);
        return;
    }
    unsigned place = result->differs ? MOST_REPEATS + 1 : is_checked ? MOST_REPEATS : run->number;
    note(&small->numerics, numerics_rank(index, place), index, result);
}

/* Could its finding still be the one that is reported? */
static bool is_wanted(const struct small *small, const struct small_run *run)
{
    size_t index = index_of(small, run);
    bool has_harmed = small->safety.rank < 2 * small->count;
    bool may_be_numerics =
        !has_harmed &&
        small->numerics.rank >
            numerics_rank(index, run->way == SMALL_CHECKED ? MOST_REPEATS : run->number);
    if (run->way != SMALL_CHECKED || may_be_numerics)
        return may_be_numerics;
    bool tired = small->raced >= MOST_RACED_CASES;
    return (tired ? small->count : 0) + index < small->safety.rank;
}

/* Then its memory is for later cases: the process gets memory that it has already used faster than
 * new memory. */
static void forget_if_done(struct small *small, size_t run)
{
    size_t later = run + 1;
    while (later < small->run_count && small->runs[later].of != small->runs[run].of)
        later++;
    if (later == small->run_count)
        small_case_free(small->runs[run].of);
}

static void run_all(struct small *small, struct small_ahead *ahead)
{
    struct lab *lab = small->lab;
    for (size_t i = 0; i < small->run_count; i++) {
        const struct small_run *run = &small->runs[i];
        struct small_result result = {.finding = {.verdict = VERDICT_PASS}};
        int64_t start_ns = process_work_ns();
        lab_progress("small cases, run %zu of %zu", i + 1, small->run_count);
        if (!is_wanted(small, run))
            continue;
        small_ahead_reach(ahead, i);
        if (run->way == SMALL_ZEROS || lab->link.pid ||
            lab_start(lab, &lab->link, lab->submission, &result.finding))
            small_run(lab, run, &result);
        note_result(small, run, &result);
        forget_if_done(small, i);
        bool failed = result.finding.verdict != VERDICT_PASS && !result.finding.global_race;
        if (failed || small->since_failed_ns)
            small->since_failed_ns += process_work_ns() - start_ns;
        if (small->since_failed_ns > MOST_SINCE_FAILED_NS)
            break;
        if (again_is_claim(result.finding.verdict)) /* nothing that comes after it means much */
            break;
    }
}

/* --- The stage -------------------------------------------------------------------------------- */

static bool get_ready(struct small *small)
{
    const struct judge *judge = small->lab->judge;
    small->count = judge->case_count;
    small->safety.rank = small->numerics.rank = SIZE_MAX;
    small->safety.finding.verdict = small->numerics.finding.verdict = VERDICT_PASS;
    small->cases = calloc(small->count + 1, sizeof *small->cases);
    small->runs = calloc(most_runs(judge) + 1, sizeof *small->runs);
    for (size_t i = 0; small->cases && i < small->count; i++)
        small->cases[i] = (struct small_case){.problem = &judge->cases[i],
                                              .seed = data_seed(small->lab->seed, i)};
    return small->cases && small->runs;
}

static void forget(struct small *small)
{
    for (size_t i = 0; small->cases && i < small->count; i++)
        small_case_free(&small->cases[i]);
    free(small->cases);
    free(small->runs);
}

/* Of the first count cases, those that only numerics uses. */
static size_t cases_unchecked(const struct judge *judge, size_t count)
{
    size_t unchecked = 0;
    for (size_t i = 0; i < count; i++)
        unchecked += !has_checked_run(&judge->cases[i]);
    return unchecked;
}

/* With its rank: of two halves the finding that comes first is reported (halves.h). */
static json_t *best_json(const struct best *best)
{
    json_t *result = finding_json(&best->finding);
    if (best->rank != SIZE_MAX)
        json_object_set_new(result, "rank", json_integer((json_int_t)best->rank));
    return result;
}

static json_t *safety_json(const struct small *small)
{
    const struct judge *judge = small->lab->judge;
    const struct best *best = &small->safety;
    size_t done = best->rank == SIZE_MAX ? small->count : best->index;
    json_t *result = best_json(best);
    size_t unchecked = cases_unchecked(judge, small->count);
    json_object_set_new(result, "cases", json_integer((json_int_t)(small->count - unchecked)));
    json_object_set_new(result, "done",
                        json_integer((json_int_t)(done - cases_unchecked(judge, done))));
    if (done < small->count)
        json_object_set_new(result, "case", json_string(judge->cases[done].name));
    return result;
}

/* The cases of which only some blocks are run, or only windows are read; after all small ones were
 * right. Returns how many passed. */
static size_t check_large(struct small *small, struct large *large)
{
    struct best *best = &small->numerics;
    large_judge(small->lab, large, &best->finding);
    if (large->worst_share > small->worst_share) {
        small->worst_share = large->worst_share;
        small->worst_case = large->worst_case;
    }
    return large->done;
}

static const char *case_name(const struct judge *judge, size_t index)
{
    return index < judge->case_count ? judge->cases[index].name
                                     : judge->large[index - judge->case_count].name;
}

static json_t *numerics_json(struct small *small, const struct small_asked *asked)
{
    const struct judge *judge = small->lab->judge;
    struct best *best = &small->numerics;
    struct large large = {.done = 0};
    size_t count = small->count + (asked->pretend_zeros ? 0 : judge->large_count);
    size_t done = best->rank == SIZE_MAX ? small->count : best->index;
    bool has_harmed = small->safety.rank < 2 * small->count;
    if (asked->large && done == small->count && done < count && !has_harmed)
        done += check_large(small, &large);
    json_t *result = best_json(best);
    json_object_set_new(result, "cases", json_integer((json_int_t)count));
    json_object_set_new(result, "done", json_integer((json_int_t)(done - large.unjudged)));
    json_object_set_new(result, "worst_share", json_real(small->worst_share));
    if (small->worst_case)
        json_object_set_new(result, "worst_case", json_string(small->worst_case));
    if (best->finding.verdict != VERDICT_PASS)
        json_object_set_new(result, "case", json_string(case_name(judge, done)));
    if (large.cases)
        json_object_set_new(result, "large", large.cases);
    return result;
}

json_t *small_stage(struct lab *lab, const struct small_asked *asked)
{
    struct small small = {.lab = lab};
    json_t *result = json_object();
    if (get_ready(&small)) {
        small.has_safety = asked->safety && !asked->pretend_zeros;
        list_runs(&small, asked);
        draw_order(&small);
        struct small_ahead *ahead = small_ahead_begin(lab, small.runs, small.run_count);
        run_all(&small, ahead);
        small_ahead_end(ahead);
    } else {
        finding_set(&small.numerics.finding, VERDICT_DEVICE, "this machine is out of memory");
    }
    if (asked->safety)
        json_object_set_new(result, "safety", safety_json(&small));
    if (asked->numerics)
        json_object_set_new(result, "numerics", numerics_json(&small, asked));
    forget(&small);
    return result;
}
