/* sarif.c - SARIF 2.1.0: a result for each judged mark that is no pass and has a line.
 *
 * Editors and code scanning show the reason at that line of the student's file, which is named
 * folder/file as in a class folder with a folder for each student. A verdict is a rule.
 */
#include "check/record.h"
#include "class/field_json.h"
#include "class/formats.h"
#include "class/mark_text.h"
#include "lib/field.h"

#include "lib/files.h"

#include <stdlib.h>
#include <string.h>

static bool has_result(const struct mark *mark)
{
    return mark->standing == MARK_JUDGED && !mark_passed(mark) && mark_line(mark) > 0;
}

static const char *level(enum verdict verdict)
{
    return verdict == VERDICT_SLOW ? "warning" : "error";
}

/* "ann/divergence.cu", percent-encoded. */
static json_t *make_uri(const struct mark *mark)
{
    const char *path = record_text(json_object_get(mark->record, "submission"), "path");
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    field_uri(out, mark->student->id);
    putc('/', out);
    field_uri(out, *path_base(path) ? path_base(path) : "submission.cu");
    json_t *uri = fclose(out) == 0 ? json_string(text) : NULL;
    free(text);
    return uri;
}

static json_t *make_message(const struct mark *mark)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    const char *reason = mark_reason(mark);
    field_line(out, *reason ? reason : verdict_sentence(record_verdict(mark->record)));
    fputs(*mark_hint(mark) ? "\nHint: " : "", out);
    field_line(out, mark_hint(mark));
    json_t *message = fclose(out) == 0 ? json_string(text) : NULL;
    free(text);
    return message;
}

static json_t *make_result(const struct mark *mark)
{
    enum verdict verdict = record_verdict(mark->record);
    return json_pack("{s:s, s:s, s:{s:o}, s:[{s:{s:{s:o}, s:{s:i}}}], s:{s:o, s:o}}", "ruleId",
                     verdict_name(verdict), "level", level(verdict), "message", "text",
                     make_message(mark), "locations", "physicalLocation", "artifactLocation", "uri",
                     make_uri(mark), "region", "startLine", mark_line(mark), "properties",
                     "student", field_json(mark->student->id), "lesson", field_json(mark->lesson));
}

static json_t *make_rule(enum verdict verdict)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence, "Your code %s.", verdict_sentence(verdict));
    const char *advice = verdict_advice(verdict);
    return json_pack("{s:s, s:{s:s}, s:{s:s}, s:{s:s}}", "id", verdict_name(verdict),
                     "shortDescription", "text", sentence, "help", "text",
                     *advice ? advice : sentence, "defaultConfiguration", "level", level(verdict));
}

/* Those of the results. */
static json_t *make_rules(const bool used[VERDICTS])
{
    json_t *rules = json_array();
    for (unsigned verdict = 0; verdict < VERDICTS; verdict++)
        if (used[verdict] && json_array_append_new(rules, make_rule(verdict)) != 0) {
            json_decref(rules);
            return NULL;
        }
    return rules;
}

static bool write_log(const struct marks *marks, const struct student *student, FILE *out)
{
    (void)student;
    bool used[VERDICTS] = {false}, complete = true;
    json_t *results = json_array();
    for (size_t i = 0; i < marks->mark_count; i++) {
        const struct mark *mark = &marks->marks[i];
        if (!has_result(mark))
            continue;
        used[record_verdict(mark->record)] = true;
        complete &= json_array_append_new(results, make_result(mark)) == 0;
    }
    json_t *log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:o}}, s:o}]}", "$schema",
                            "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                            "runs", "tool", "driver", "name", "Warpquest", "rules",
                            make_rules(used), "results", results);
    return export_json(log, out) && complete;
}

const struct export_format export_sarif = {
    .name = "sarif", .file = "sarif.json", .for_each = false, .write = write_log};
