/* recognise.c - which known mistake is this? Runs the judge's own tests on all evidence. */
#include "check/examine/evidence.h"
#include "check/examine/facts.h"
#include "check/examine/levels.h"
#include "check/examine/stages.h"
#include "check/record.h"

#include <math.h>
#include <string.h>

static double real_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    if (text) /* NaN and infinities cross as text */
        return strcmp(text, "inf") == 0 ? INFINITY : strcmp(text, "-inf") == 0 ? -INFINITY : NAN;
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static uint64_t count_of(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static void read_counters(const json_t *object, double counter[JUDGE_COUNTERS])
{
    for (int i = 0; i < JUDGE_COUNTERS; i++)
        counter[i] = real_of(object, counter_name((enum judge_counter)i));
}

static double most_bytes(const struct judge *judge, const struct judge_case *problem)
{
    struct judge_buffer buffers[JUDGE_MOST_BUFFERS];
    size_t count = problem && judge->buffers ? judge->buffers(problem, buffers) : 0;
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, (double)buffers[i].count * (double)judge_type_bytes(buffers[i].type));
    return most;
}

/* A numerics case, or a timed one, from the device that judged or from the simulated one, which
 * counts for all devices. timed gets the timed case. */
static const struct judge_case *case_named(const struct judge *judge, const json_t *from,
                                           const char *key,
                                           struct judge_case timed[MOST_TIMED_CASES])
{
    const char *name = json_string_value(json_object_get(from, key));
    const json_t *known = json_object_get(from, "device");
    struct judge_device device = {.memory_bytes = (uint64_t)real_of(known, "memory_bytes"),
                                  .l2_bytes = (uint64_t)real_of(known, "l2_bytes")};
    if (!name)
        return NULL;
    const struct judge_case *found = judge_case_named(judge->cases, judge->case_count, name);
    if (!found)
        found = judge_case_named(judge->large, judge->large_count, name);
    for (int simulated = 0; simulated < 2 && !found && known; simulated++) {
        device.simulated = simulated;
        found = judge_case_named(timed, judge->timed(&device, timed, MOST_TIMED_CASES), name);
    }
    return found;
}

static void read_wrong(const json_t *wrong, struct judge_evidence *evidence)
{
    evidence->wrong = count_of(wrong, "wrong");
    evidence->total = count_of(wrong, "total");
    evidence->first_wrong = count_of(wrong, "first");
    evidence->unwritten = count_of(wrong, "unwritten");
    evidence->zeros = count_of(wrong, "zeros");
    evidence->stride = count_of(wrong, "stride");
    evidence->wrong_is_unwritten = evidence->wrong && evidence->unwritten == evidence->wrong;
    evidence->wrong_is_tail = strcmp(record_text(wrong, "pattern"), "tail") == 0;
    evidence->got = real_of(wrong, "got");
    evidence->want = real_of(wrong, "want");
    evidence->largest_error = real_of(wrong, "largest_error");
}

static void read_launch(const json_t *from, struct judge_launch *launch)
{
    launch->count = count_of(from, "count");
    launch->blocks = count_of(from, "blocks");
    launch->threads = count_of(from, "threads");
    launch->shared_bytes = count_of(from, "shared_bytes");
    launch->has_place = json_object_get(from, "thread") != NULL;
    launch->block = count_of(from, "block");
    launch->thread = count_of(from, "thread");
}

static void read_evidence(const struct judge *judge, const json_t *from,
                          struct judge_case timed[2][MOST_TIMED_CASES],
                          struct judge_evidence *evidence)
{
    const char *verdict = json_string_value(json_object_get(from, "verdict"));
    enum verdict named = VERDICT_PASS;
    memset(evidence, 0, sizeof *evidence);
    if (verdict)
        verdict_named(verdict, &named);
    evidence->verdict = (int)named;
    evidence->error = (int)count_of(from, "error");
    evidence->process = (uint32_t)count_of(from, "process");
    evidence->null_pointer = count_of(from, "null_pointer") != 0;
    evidence->absent_lane = count_of(from, "absent_lane") != 0;
    evidence->where = case_named(judge, from, "case", timed[0]);
    evidence->counted = case_named(judge, from, "counted", timed[1]);
    evidence->is_large =
        evidence->where >= judge->large && evidence->where < judge->large + judge->large_count;
    evidence->most_bytes = most_bytes(judge, evidence->where);
    read_counters(json_object_get(from, "counters"), evidence->counter);
    read_counters(json_object_get(from, "line_counters"), evidence->worst_line_counter);
    evidence->broken_in_small = json_is_true(json_object_get(from, "broken_in_small"));
    evidence->refused = counter_named(json_string_value(json_object_get(from, "refused")));
    facts_read_kernel(json_object_get(from, "kernel"), &evidence->kernel);
    facts_read_kernel(json_object_get(from, "regime_kernel"), &evidence->elsewhere);
    facts_read_line(json_object_get(from, "line_facts"), &evidence->line);
    evidence->ratio = real_of(from, "ratio");
    evidence->changes_between_runs = named == VERDICT_NONDETERMINISTIC;
    evidence->said = json_string_value(json_object_get(from, "said"));
    evidence->advice = json_string_value(json_object_get(from, "advice"));
    evidence->mends_by_barrier =
        !evidence->said || !(strstr(evidence->said, "global memory race") ||
                             strstr(evidence->said, "variable of all calls") ||
                             strstr(evidence->said, "missing proxy fence"));
    evidence->at_line = (uint32_t)count_of(from, "line");
    evidence->other_line = (uint32_t)count_of(from, "other_line");
    evidence->in_another_case = json_is_true(json_object_get(from, "in_another_case"));
    read_wrong(json_object_get(from, "wrong"), evidence);
    read_launch(json_object_get(from, "launch"), &evidence->launch);
}

json_t *recognise_stage(const struct judge *judge, const json_t *from)
{
    struct judge_evidence evidence;
    struct judge_case timed[2][MOST_TIMED_CASES];
    const struct judge_mistake *mistake = NULL;
    read_evidence(judge, from, timed, &evidence);
    /* A submission that is slow in another case has no mistake of the timed case, and these figures
     * are from the timed case. And an address far from all memory tells nothing of an index. */
    bool is_of_case = !evidence.in_another_case && !over_outputs(&evidence) && !nowhere(&evidence);
    size_t count = is_of_case && judge->mistakes ? judge->mistakes->count : 0;
    for (size_t i = 0; i < count && !mistake; i++)
        if (judge->mistakes->rows[i].seen(&evidence))
            mistake = &judge->mistakes->rows[i];
    json_t *found = json_object();
    if (mistake) {
        json_object_set_new(found, "name", json_string(mistake->name));
        json_object_set_new(found, "hint", json_string(mistake->hint));
    }
    json_object_set_new(found, "levels", levels_of(judge, &evidence, mistake));
    return found;
}
