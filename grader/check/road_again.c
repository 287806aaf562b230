/* road_again.c - a verdict that takes no points is believed if the reference fares no better.
 *
 * Within an examination examine/again.h does this. But a submission may also end the device, or the
 * process that examines it. Then the reference is examined in its place, by a new process and on a
 * new device. If that works, the submission is examined once more; and if that ends in the same
 * way, the submission causes it.
 */
#include "check/again_claims.h"
#include "check/road.h"

#include <stdio.h>
#include <string.h>

static bool takes_no_points(json_t *result, const struct run *run)
{
    return result ? again_claim_in(result) != NULL : again_is_claim(run->verdict);
}

static bool reference_comes_through(struct road *road, enum run_on on, const json_t *job)
{
    struct run run;
    json_t *own = json_deep_copy(job);
    json_object_set_new(own, "submission", json_string(road->reference.library.text));
    road_tell(road, "asking the machine");
    json_t *result = road_examine(road, "asking the machine", on, own, &run);
    bool came =
        result && !takes_no_points(result, &run) && !again_doubt_in(result) && !road->interrupted;
    run_free(&run);
    return came;
}

json_t *road_examine_surely(struct road *road, const char *part, enum run_on on, json_t *job,
                            struct run *run)
{
    json_t *kept = json_deep_copy(job);
    json_t *result = road_examine(road, part, on, job, run);
    for (int time = 0; !road->interrupted && takes_no_points(result, run); time++) {
        if (!reference_comes_through(road, on, kept))
            break;
        if (time > 0 && result) {
            again_blame(result);
        } else if (time > 0) {
            size_t used = strlen(run->reason);
            run->verdict = VERDICT_DISTURBS;
            snprintf(run->reason + used, sizeof run->reason - used,
                     "; without it the machine works");
        } else {
            run_free(run);
            result = road_examine(road, part, on, json_deep_copy(kept), run);
        }
        if (time > 0)
            break;
    }
    json_decref(kept);
    return result;
}
