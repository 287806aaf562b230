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
    json_object_set_new(said, "broken_rule", json_string(counter_name(lab->missed_bar->counter)));
    json_object_set_new(said, "broken_in_small", json_true());
    json_object_set_new(said, "case", json_string(lab->missed_in->name));
    return false;
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
