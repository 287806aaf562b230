/* others.c - the launchers of a lesson besides the one that was not right.
 *
 * A stage ends with the first case that fails, so as long as the first of two launchers is wrong,
 * nothing would be known about the second. Here each of the others is examined alone.
 */
#include "check/examine/others.h"

#include "check/examine/only.h"
#include "check/record.h"

#include <string.h>

/* The launcher whose case ended a stage that gives a verdict on the submission, or NULL. */
static const char *failed_launcher(const struct judge *judge, const json_t *result)
{
    static const char *const STAGES[] = {"safety", "numerics", "large"};
    for (size_t i = 0; i < sizeof STAGES / sizeof *STAGES; i++) {
        const json_t *outcome = json_object_get(result, STAGES[i]);
        const char *name = record_text(outcome, "case");
        if (!outcome || verdict_points(record_verdict(outcome)) != POINTS_NONE)
            continue;
        const struct judge_case *problem = judge_case_named(judge->cases, judge->case_count, name);
        if (!problem)
            problem = judge_case_named(judge->large, judge->large_count, name);
        return problem ? judge->launchers[problem->launcher] : NULL;
    }
    return NULL;
}

static json_t *examine_one(struct lab *lab, const struct judge *judge, const json_t *job,
                           const char *launcher, others_stages *stages)
{
    json_t *result = json_pack("{s:s}", "launcher", launcher);
    lab->judge = only_judge(judge, launcher);
    lab->missed_bar = NULL;
    lab->missed_in = NULL;
    lab->unjudged = NULL;
    lab_stop(lab, &lab->link);
    if (lab->judge)
        stages(lab, job, result);
    return result;
}

json_t *others_examine(struct lab *lab, const json_t *job, const json_t *result,
                       others_stages *stages)
{
    const struct judge *judge = lab->judge;
    const char *failed = failed_launcher(judge, result);
    size_t i;
    json_t *part, *parts = only_parts(judge), *others = json_array(), *own = json_deep_copy(job);
    if (json_object_get(job, "stages_of_others"))
        json_object_set(own, "stages", json_object_get(job, "stages_of_others"));
    json_array_foreach (parts, i, part) {
        const char *launcher = json_string_value(part);
        if (failed && strcmp(launcher, failed) != 0)
            json_array_append_new(others, examine_one(lab, judge, own, launcher, stages));
    }
    lab->judge = judge;
    json_decref(parts);
    json_decref(own);
    return others;
}
