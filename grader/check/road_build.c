/* road_build.c - a check up to two compiled files: the submission and the reference. */
#include "check/record.h"
#include "check/road.h"

#include <stdio.h>
#include <string.h>

static bool build_one(struct road *road, const struct lesson *lesson, const struct source *source,
                      const char *shown, struct build *build)
{
    struct build_request request = {.course = road->request->course,
                                    .lesson = lesson,
                                    .source = source,
                                    .shown_path = shown,
                                    .compute = road->compute,
                                    .sandbox = road->sandbox};
    build_run(&request, build);
    json_object_set_new(json_object_get(road->record, "parts"),
                        build == &road->submission ? "compiling" : "compiling the reference",
                        json_real(build->seconds));
    road->interrupted |= build->interrupted;
    return build->verdict == VERDICT_PASS && !build->interrupted;
}

bool road_build_submission(struct road *road)
{
    struct build *build = &road->submission;
    road_tell(road, "compiling");
    bool built = build_one(road, &road->lesson, &road->source, road->shown_path, build);
    json_t *gate =
        record_add_gate(road->record, "build", record_outcome(build->verdict, build->reason));
    json_object_set_new(gate, "seconds", json_real(build->seconds));
    json_object_set_new(gate, "cached", json_boolean(build->cached));
    if (build->messages && *build->messages)
        road_set_text(gate, "messages", build->messages);
    return built;
}

bool road_build_solution(struct road *road, const struct lesson *lesson, struct build *build)
{
    struct source source;
    memset(build, 0, sizeof *build);
    build->verdict = VERDICT_INTERNAL;
    if (!source_read(lesson->solution.text, false, &source, build->reason, sizeof build->reason))
        return false;
    road_tell(road, "compiling the reference");
    bool built = build_one(road, lesson, &source, lesson->solution.text, build);
    source_free(&source);
    return built;
}

/* If our own solution cannot be built, that is never the learner's fault. */
bool road_build_reference(struct road *road)
{
    char reason[PATH_MAX + 600];
    struct build *build = &road->reference;
    if (road_build_solution(road, &road->lesson, build))
        return true;
    snprintf(reason, sizeof reason, "the reference %s cannot be built: %s",
             road->lesson.solution.text, build->reason);
    return road_stop(road, "build",
                     build->verdict == VERDICT_DEVICE ? VERDICT_DEVICE : VERDICT_INTERNAL, reason);
}
