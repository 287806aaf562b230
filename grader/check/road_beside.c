/* road_beside.c - see road_beside.h. */
#include "check/road_beside.h"

#include "check/record.h"

#include <stdio.h>
#include <stdlib.h>

/* {"result", "verdict", "reason", "parts"} */
static char *as_text(void *context)
{
    const struct beside *beside = context;
    struct road own = *beside->road;
    struct check_request request = *own.request;
    struct run run;
    request.progress = NULL; /* the other one's is shown */
    own.request = &request;
    json_t *result = beside->examine(&own, beside->which, &run), *answer = json_object();
    if (result)
        json_object_set(answer, "result", result);
    json_object_set_new(answer, "verdict", json_string(verdict_name(run.verdict)));
    json_object_set_new(answer, "reason", json_string(run.reason));
    json_object_set(answer, "parts", json_object_get(own.record, "parts"));
    char *text = own.interrupted ? NULL : json_dumps(answer, JSON_COMPACT);
    json_decref(answer);
    run_free(&run);
    return text;
}

void beside_begin(struct beside *beside)
{
    beside->is_running = aside_begin(&beside->aside, as_text, beside);
}

bool beside_end(struct beside *beside, struct run *run)
{
    char *text = beside->is_running ? aside_end(&beside->aside) : NULL;
    json_t *answer = text ? json_loads(text, 0, NULL) : NULL;
    beside->is_running = false;
    free(text);
    *run = (struct run){.result = NULL};
    if (!answer)
        return false;
    run->result = json_incref(json_object_get(answer, "result"));
    run->verdict = record_verdict(answer);
    snprintf(run->reason, sizeof run->reason, "%s", record_text(answer, "reason"));
    json_object_update_missing(json_object_get(beside->road->record, "parts"),
                               json_object_get(answer, "parts"));
    json_decref(answer);
    return true;
}

void beside_cancel(struct beside *beside)
{
    if (beside->is_running)
        aside_cancel(&beside->aside);
    beside->is_running = false;
}
