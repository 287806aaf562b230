/* road_others.c - a lesson's launchers one by one: one that is checked alone, and those besides the
 * one that was not right, which have gates and a verdict of their own in the record. */
#include "check/conclude.h"
#include "check/record.h"
#include "check/road.h"
#include "check/utilization.h"

#include <string.h>

void road_name_launchers(const struct road *road, json_t *job)
{
    const char *only = road->request->only;
    json_object_set_new(job, "only", json_string(only ? only : ""));
    json_object_set_new(job, "others", json_boolean(!only && road->request->tell_others));
}

static void add_gates(const struct road *road, const json_t *result, json_t *other)
{
    static const char *const STAGES[] = {"safety", "numerics", "counters"};
    const json_t *timed = json_object_get(result, road->simulated ? "counters" : "timing");
    for (size_t i = 0; i < sizeof STAGES / sizeof *STAGES; i++) {
        json_t *outcome = json_object_get(result, STAGES[i]);
        if (outcome)
            record_add_gate(other, STAGES[i], json_copy(outcome));
    }
    json_t *outcome = utilization_outcome(&road->lesson, timed, !road->simulated,
                                          json_object_get(road->record, "ceilings"));
    if (outcome)
        record_add_gate(other, "utilization", outcome);
}

/* The verdict of the first gate that is not passed. */
static void add_verdict(json_t *other)
{
    size_t i;
    json_t *gate;
    road_set_text(other, "verdict", verdict_name(VERDICT_PASS));
    json_array_foreach (json_object_get(other, "gates"), i, gate) {
        if (record_verdict(gate) == VERDICT_PASS)
            continue;
        road_set_text(other, "verdict", record_text(gate, "verdict"));
        road_set_text(other, "reason", record_text(gate, "reason"));
        road_set_text(other, "failed_gate", record_text(gate, "gate"));
        return;
    }
}

void road_note_others(struct road *road, const json_t *result)
{
    size_t i;
    json_t *one, *others = json_array();
    json_array_foreach (json_object_get(result, "others"), i, one) {
        json_t *other = json_pack("{s:s, s:[]}", "launcher", record_text(one, "launcher"), "gates");
        add_gates(road, one, other);
        add_verdict(other);
        json_array_append_new(others, other);
    }
    if (json_array_size(others) > 0)
        json_object_set(road->record, "others", others);
    json_decref(others);
}

void road_conclude_others(struct road *road)
{
    size_t i;
    json_t *other;
    json_array_foreach (json_object_get(road->record, "others"), i, other) {
        conclude_line(other, &road->source, road->lesson.slug);
    }
}

/* A launcher without a timed case needs no time. */
void road_complete_untimed(struct road *road)
{
    const json_t *counters = record_gate(road->record, "counters");
    if (json_is_true(json_object_get(counters, "untimed")) &&
        !record_gate(road->record, "utilization"))
        record_add_gate(road->record, "utilization",
                        record_outcome(VERDICT_PASS, record_text(counters, "reason")));
}

/* One launcher that is right does not pass the lesson. */
void road_conclude_only(struct road *road)
{
    json_t *record = road->record;
    road_set_text(record, "only", road->request->only);
    if (record_verdict(record) == VERDICT_PASS)
        road_set_text(record, "verdict", verdict_name(VERDICT_PART));
    json_object_set_new(record, "points", json_null());
    json_object_set_new(record, "gold", json_false());
}
