/* calls.c - see calls.h. */
#include "check/examine/calls.h"

#include "check/examine/every_case.h"
#include "check/examine/host.h"
#include "check/examine/stages.h"

bool calls_hold(struct lab *lab, json_t *said, struct finding *finding)
{
    if (!host_is_quick_in_all(lab, finding))
        return false;
    if (every_case_holds(lab, finding))
        return true;
    calls_say_broken(finding, said);
    return false;
}

void calls_say_broken(const struct finding *finding, json_t *said)
{
    json_object_set_new(said, "broken_rule", json_string(counter_name(finding->broken_rule)));
    json_object_set_new(said, "broken_in_small", json_true());
    json_object_set_new(said, "case", json_string(finding->broken_in));
}

json_t *calls_stage(struct lab *lab)
{
    struct finding finding = {.verdict = VERDICT_PASS};
    json_t *said = json_object();
    calls_hold(lab, said, &finding);
    json_t *result = finding_json(&finding);
    json_object_update_new(result, said);
    return result;
}
