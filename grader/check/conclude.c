/* conclude.c - the verdict is that of the first gate that is not passed.
 *
 * A gate that the simulated device could not measure (NOT_SIMULATED) is not passed: what was not
 * observed is not proved, and the submission chose the instruction. It gives the verdict only if no
 * other gate fails, since that says more. A GPU's numerics and times do not make up for it, since
 * races, stray reads and the rules of a contract are seen on the simulated device alone. The record
 * names the gates that are missing, for an instructor who reads the kernel instead.
 */
#include "check/conclude.h"

#include "check/record.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const GATES[] = {"build", "safety", "numerics", "counters", "utilization"};
enum { GATE_COUNT = sizeof GATES / sizeof *GATES };

static bool passed(const json_t *record, const char *gate)
{
    const json_t *outcome = record_gate(record, gate);
    return outcome && record_verdict(outcome) == VERDICT_PASS;
}

static bool is_missing(const json_t *gate)
{
    return gate && record_verdict(gate) == VERDICT_NOT_SIMULATED;
}

/* The first gate that is not passed. A gate may be there twice, since a later cause of the same
 * gate counts as well. NULL when none is. */
static json_t *first_failed(const json_t *record)
{
    size_t i;
    json_t *gate, *missing = NULL;
    json_array_foreach (json_object_get(record, "gates"), i, gate) {
        if (is_missing(gate))
            missing = missing ? missing : gate;
        else if (record_verdict(gate) != VERDICT_PASS)
            return gate;
    }
    return missing;
}

static void copy_text(json_t *to, const char *key, const json_t *from)
{
    json_t *text = json_object_get(from, key);
    if (text)
        json_object_set(to, key, text);
}

/* ["safety", "counters"]; a verdict without a reason of its own has theirs. */
static void note_missing(json_t *record)
{
    size_t i;
    json_t *gate, *names = json_array();
    json_array_foreach (json_object_get(record, "gates"), i, gate) {
        if (is_missing(gate))
            json_array_append(names, json_object_get(gate, "gate"));
        if (is_missing(gate) && !json_object_get(record, "reason"))
            copy_text(record, "reason", gate);
    }
    if (json_array_size(names) > 0)
        json_object_set(record, "missing_gates", names);
    json_decref(names);
}

static json_t *points_of(const json_t *record, enum verdict verdict)
{
    int points = 0;
    switch (verdict_points(verdict)) {
    case POINTS_AGAIN: return json_null();
    case POINTS_NONE: return json_integer(0);
    case POINTS_ALL:
    case POINTS_GATES: break;
    }
    if (passed(record, "safety") && passed(record, "numerics"))
        points += POINTS_NUMERICS;
    if (points && passed(record, "counters"))
        points += POINTS_COUNTERS;
    if (points == POINTS_NUMERICS + POINTS_COUNTERS && passed(record, "utilization"))
        points += POINTS_UTILIZATION;
    return json_integer(points);
}

/* A check that ended without a failure and without all gates: something of ours went wrong. */
static json_t *complete(json_t *record, bool strict)
{
    for (size_t i = 0; i < GATE_COUNT; i++)
        if (!record_gate(record, GATES[i]))
            return record_add_gate(record, GATES[i],
                                   record_outcome(VERDICT_INTERNAL, "this gate was not run"));
    if (strict && json_is_true(json_object_get(record, "self_check")))
        return record_add_gate(record, "grade",
                               record_outcome(VERDICT_DEVICE,
                                              "this GPU has no CUDA IPC, so a check on it is a "
                                              "self-check: grade with DEVICE=sim"));
    return NULL;
}

void conclude_verdict(json_t *record, bool strict)
{
    json_t *failed = first_failed(record);
    if (!failed)
        failed = complete(record, strict);
    enum verdict verdict = failed ? record_verdict(failed) : VERDICT_PASS;
    json_object_set_new(record, "verdict", json_string(verdict_name(verdict)));
    json_object_set_new(record, "points", points_of(record, verdict));
    const json_t *gold = json_object_get(record_gate(record, "utilization"), "gold");
    json_object_set_new(record, "gold",
                        json_boolean(verdict == VERDICT_PASS && json_is_true(gold)));
    if (failed) {
        copy_text(record, "reason", failed);
        copy_text(record, "advice", failed);
        json_object_set(record, "failed_gate", json_object_get(failed, "gate"));
        copy_text(record, "broken_rule", failed);
        if (json_is_true(json_object_get(failed, "in_another_case")))
            json_object_set_new(record, "in_another_case", json_true());
    }
    note_missing(record);
}

/* --- The line --------------------------------------------------------------------------------- */

/* The counters of the timed case that the failed gate is about, else of the first one. */
static const json_t *counted(const json_t *record)
{
    const json_t *gate = record_gate(record, record_text(record, "failed_gate"));
    json_t *cases = json_object_get(record_gate(record, "counters"), "cases");
    return json_array_get(cases, (size_t)record_integer(gate, "shown"));
}

/* For slow ones the line that costs most is blamed; faults name their line themselves. A rule that
 * a small case breaks is on no line of the timed case. */
static const json_t *blamed(const json_t *record)
{
    const json_t *failed = record_gate(record, record_text(record, "failed_gate"));
    if (json_is_true(json_object_get(failed, "broken_in_small")))
        return NULL;
    if (json_is_true(json_object_get(failed, "in_another_case")) &&
        !json_object_get(counted(record), "regime_kernel"))
        return NULL; /* the worst line is one of the timed case, which is fast */
    if (record_verdict(record) == VERDICT_SLOW)
        return json_object_get(counted(record), "worst_line");
    return failed;
}

static json_t *line_of(const struct source *source, int number)
{
    json_t *line = json_pack("{s:i}", "number", number);
    char *text = source_line(source, (unsigned)number);
    if (text)
        json_object_set_new(line, "text", record_clean(text, strlen(text)));
    free(text);
    return line;
}

/* Does it contain something that may touch memory: an index, a pointer, a call? */
static bool has_access(const char *text)
{
    static const char *const NO_CALL[] = {"if", "for", "while", "switch", "return", "sizeof"};
    if (strchr(text, '[') || strstr(text, "*(") || *text == '*' || strstr(text, "= *"))
        return true;
    for (const char *at = strchr(text, '('); at; at = strchr(at + 1, '(')) {
        const char *start = at;
        while (start > text && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
            start--;
        bool is_call = start < at;
        for (size_t i = 0; i < sizeof NO_CALL / sizeof *NO_CALL; i++)
            is_call = is_call && ((size_t)(at - start) != strlen(NO_CALL[i]) ||
                                  strncmp(start, NO_CALL[i], strlen(NO_CALL[i])) != 0);
        if (is_call)
            return true;
    }
    return false;
}

/* If both sides of a branch make a load, the compiler moves it up to the branch, and gives it the
 * branch's line. So a line that is named for its accesses is the next one whose text has any. */
static int line_of_access(const json_t *record, const struct source *source, int number)
{
    enum { NEAR = 8 };
    static const char *const OF_ACCESS[] = {"efficiency", "bytes", "sectors", "wavefronts"};
    const char *refused = record_text(counted(record), "refused");
    bool is_asked = false;
    for (size_t i = 0; i < sizeof OF_ACCESS / sizeof *OF_ACCESS; i++)
        is_asked |= strstr(refused, OF_ACCESS[i]) != NULL;
    for (int next = number; is_asked && next < number + NEAR; next++) {
        char *text = source_line(source, (unsigned)next);
        bool found = text && has_access(text);
        free(text);
        if (found)
            return next;
    }
    return number;
}

/* What the longest launch filled, of the case that was slow, or else of the timed one, by name. */
static void add_kernel(json_t *record)
{
    const json_t *counters = counted(record);
    const json_t *another = json_object_get(counters, "regime_kernel");
    const json_t *from = another ? another : json_object_get(counters, "kernel");
    if (!json_is_object(from))
        return;
    json_t *kernel = json_deep_copy(from);
    if (!another && json_is_true(json_object_get(record, "in_another_case")))
        copy_text(kernel, "case", counters);
    json_object_set_new(record, "kernel", kernel);
}

void conclude_line(json_t *record, const struct source *source, const char *slug)
{
    const json_t *from = blamed(record);
    if (record_verdict(record) == VERDICT_SLOW)
        add_kernel(record);
    int number = record_integer(from, "line"), other = record_integer(from, "other_line");
    struct path own = path_of("%s.cu", slug);
    if (number <= 0 || strcmp(record_text(from, "file"), own.text) != 0)
        return;
    if (record_verdict(record) == VERDICT_SLOW)
        number = line_of_access(record, source, number);
    json_t *line = line_of(source, number);
    copy_text(line, "says", from);
    copy_text(line, "time", from);
    copy_text(line, "gain", from);
    if (other > 0 && other != number)
        json_object_set_new(line, "other", line_of(source, other));
    json_object_set_new(record, "line", line);
}

/* --- Evidence --------------------------------------------------------------------------------- */

/* The line that the compiler's first error is on; else the sentence of the gate that failed. */
static json_t *said(const json_t *record, const json_t *failed)
{
    const char *messages = record_text(failed, "messages"), *error = strstr(messages, "error");
    if (!error)
        return json_string(record_text(record, "reason"));
    while (error > messages && error[-1] != '\n')
        error--;
    return record_clean(error, strcspn(error, "\n"));
}

/* What a fault, or a race's other party, is on; 0 where it is not in the submission. */
static void add_lines(json_t *evidence, const json_t *record)
{
    const json_t *line = json_object_get(record, "line");
    json_object_set_new(evidence, "line", json_integer(record_integer(line, "number")));
    json_object_set_new(evidence, "other_line",
                        json_integer(record_integer(json_object_get(line, "other"), "number")));
}

json_t *conclude_evidence(const json_t *record)
{
    json_t *evidence = json_object();
    const json_t *failed = record_gate(record, record_text(record, "failed_gate"));
    const json_t *counters = counted(record);
    const json_t *shown =
        json_array_get(json_object_get(failed, "cases"), (size_t)record_integer(failed, "shown"));
    copy_text(evidence, "verdict", record);
    copy_text(evidence, "device", record);
    copy_text(evidence, "case", shown); /* a timed one, if the gate is about those */
    copy_text(evidence, "case", failed);
    copy_text(evidence, "wrong", failed);
    copy_text(evidence, "error", failed);
    copy_text(evidence, "process", failed);
    copy_text(evidence, "null_pointer", failed);
    copy_text(evidence, "absent_lane", failed);
    copy_text(evidence, "launch", failed);
    copy_text(evidence, "advice", failed);
    copy_text(evidence, "in_another_case", record);
    json_object_set_new(evidence, "said", said(record, failed));
    add_lines(evidence, record);
    json_t *all = json_object_get(counters, "all"), *name = json_object_get(counters, "case");
    if (name)
        json_object_set(evidence, "counted", name);
    const json_t *worst = json_object_get(counters, "worst_line");
    json_t *line = json_object_get(worst, "counters");
    if (all)
        json_object_set(evidence, "counters", all);
    if (line)
        json_object_set(evidence, "line_counters", line);
    copy_text(evidence, "kernel", counters);
    copy_text(evidence, "regime_kernel", counters);
    copy_text(evidence, "refused", counters);
    if (json_object_get(failed, "broken_rule"))
        json_object_set(evidence, "refused", json_object_get(failed, "broken_rule"));
    copy_text(evidence, "broken_in_small", failed);
    copy_text(evidence, "in_another_case", failed);
    if (json_object_get(worst, "facts"))
        json_object_set(evidence, "line_facts", json_object_get(worst, "facts"));
    copy_text(evidence, "ratio", record_gate(record, "utilization"));
    return evidence;
}
