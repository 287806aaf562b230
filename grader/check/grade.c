/* grade.c - the batch: keys, records, and the table that is derived from them. */
#include "check/grade.h"

#include "lib/hash.h"
#include "lib/process.h"
#include "check/record.h"
#include "check/report.h"
#include "check/source.h"
#include "runner/sandbox.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INTERRUPTED = 130, REPORT_COLUMNS = 100 };
enum { VERDICT_COLUMNS = 16, ID_COLUMNS = 20, MOST_ID_COLUMNS = 40 }; /* on the screen */

static const char HEADER[] = "id,verdict,points,ratio,lesson,line,mistake,device,seed,reason\n";

/* --- The table -------------------------------------------------------------------------------- */

char *grade_csv_field(const char *text)
{
    char *field = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&field, &bytes);
    if (!out)
        return NULL;
    bool formula = *text && strchr("=+-@\t", *text);
    bool quoted = formula || strpbrk(text, ",\"\r\n");
    if (quoted)
        putc('"', out);
    if (formula)
        putc('\'', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
    if (quoted)
        putc('"', out);
    fclose(out);
    return field;
}

static void put_field(FILE *table, const char *text, char end)
{
    char *field = grade_csv_field(text);
    fprintf(table, "%s%c", field ? field : "", end);
    free(field);
}

static void put_row(FILE *table, const char *id, const json_t *record)
{
    char points[16] = "", ratio[16] = "", line[16] = "";
    int number = record_integer(json_object_get(record, "line"), "number");
    const json_t *given = json_object_get(record, "points");
    double reached = record_real(record_gate(record, "utilization"), "ratio");
    if (json_is_integer(given))
        snprintf(points, sizeof points, "%d", (int)json_integer_value(given));
    if (isfinite(reached))
        snprintf(ratio, sizeof ratio, "%.3f", reached);
    put_field(table, id, ',');
    put_field(table, record_text(record, "verdict"), ',');
    put_field(table, points, ',');
    if (number > 0)
        snprintf(line, sizeof line, "%d", number);
    put_field(table, ratio, ',');
    put_field(table, record_text(record, "lesson"), ',');
    put_field(table, line, ',');
    put_field(table, record_text(json_object_get(record, "mistake"), "name"), ',');
    put_field(table, record_text(json_object_get(record, "device"), "name"), ',');
    put_field(table, record_text(record, "seed"), ',');
    put_field(table, record_text(record, "reason"), '\n');
}

/* --- For the student -------------------------------------------------------------------------- */

/* What a check prints, and the hint on the mistake that was recognised, or on the verdict. */
static bool write_report(const struct grade_request *request, const char *id, const json_t *record,
                         const struct terminal *terminal)
{
    char *text = NULL;
    size_t bytes = 0;
    const char *hint = record_text(json_object_get(record, "mistake"), "hint");
    if (!*hint)
        hint = verdict_advice(record_verdict(record));
    struct terminal page = {.out = open_memstream(&text, &bytes),
                            .unicode = terminal->unicode,
                            .columns = REPORT_COLUMNS};
    if (!page.out)
        return false;
    report_print(record, &page);
    if (*hint) {
        putc('\n', page.out);
        terminal_wrap(&page, hint, 0, 0);
    }
    fclose(page.out);
    bool written = file_write(path_of("%s/reports/%s.txt", request->out, id).text, text, bytes);
    free(text);
    return written;
}

/* --- One submission --------------------------------------------------------------------------- */

/* What a record is valid for: this file, this lesson, this grader. */
static void make_key(const struct grade_request *request, const char *path, char key[HASH_TEXT])
{
    struct hash hash;
    hash_init(&hash);
    hash_add_text(&hash, course_version(request->course));
    hash_add_text(&hash, request->lesson ? request->lesson : "");
    hash_add_text(&hash, (const char *[]){"auto", "sim", "gpu"}[request->device]);
    struct source source;
    char reason[PATH_MAX + 200];
    bool read = source_read(path, true, &source, reason, sizeof reason);
    hash_add_text(&hash, read ? source.sha256 : reason);
    source_free(&source);
    hash_text(&hash, key);
}

/* The record of an earlier run, if it still holds; else NULL. */
static json_t *kept_record(const char *path, const char *key)
{
    json_t *record = json_load_file(path, 0, NULL);
    if (record && strcmp(record_text(record, "grade_key"), key) == 0 &&
        verdict_points(record_verdict(record)) != POINTS_AGAIN)
        return record;
    json_decref(record);
    return NULL;
}

/* NULL when interrupted. kept says that nothing had to be done. */
static json_t *grade_one(const struct grade_request *request, const char *id, const char *path,
                         bool *kept)
{
    char key[HASH_TEXT];
    struct path shown = path_of("%s.cu", id);
    struct path file = path_of("%s/records/%s.json", request->out, id);
    make_key(request, path, key);
    json_t *record = kept_record(file.text, key);
    *kept = record != NULL;
    if (record)
        return record;
    struct check_request check = {.course = request->course,
                                  .lesson = request->lesson,
                                  .submission = path,
                                  .shown = shown.text,
                                  .device = request->device,
                                  .strict = true,
                                  .tell_others = true,
                                  .no_ipc = request->no_ipc,
                                  .progress = terminal_progress};
    record = check_run(&check);
    if (!record)
        return NULL;
    json_object_set_new(record, "grade_key", json_string(key));
    json_object_set_new(record, "id", record_clean(id, strlen(id)));
    if (!record_write(record, file.text))
        json_object_set_new(record, "not_written", json_string(strerror(errno)));
    return record;
}

/* A line; the whole reason is in the table and in the report. */
static void show_one(const struct terminal *terminal, const char *id, const json_t *record,
                     bool kept)
{
    enum verdict verdict = record_verdict(record);
    terminal_progress(NULL);
    terminal_print(terminal, verdict == VERDICT_PASS ? STYLE_GOOD : STYLE_PLAIN, "  %-*s ",
                   VERDICT_COLUMNS, verdict_name(verdict));
    int at = 2 + VERDICT_COLUMNS + 1 + terminal_cell(terminal, id, ID_COLUMNS, MOST_ID_COLUMNS);
    at += fprintf(terminal->out, " %s", kept ? "(from before) " : "");
    terminal_cell(terminal, record_text(record, "reason"), 0, terminal->columns - at);
    putc('\n', terminal->out);
    fflush(terminal->out);
}

/* --- All of them ------------------------------------------------------------------------------ */

/* The table is complete at any time: it is rewritten after each submission. */
static bool write_table(const struct grade_request *request, const char *rows)
{
    struct path path = path_of("%s/grades.csv", request->out);
    char *text = NULL;
    bool written =
        asprintf(&text, "%s%s", HEADER, rows) >= 0 && file_write(path.text, text, strlen(text));
    free(text);
    return written;
}

static int fail(const struct terminal *terminal, const char *path, const char *what)
{
    fprintf(terminal->out, "%s: %s\n", path, what);
    return verdict_exit_code(VERDICT_REFUSED);
}

static void free_names(char **names, int count)
{
    for (int i = 0; i < count; i++)
        free(names[i]);
    if (count >= 0)
        free(names);
}

/* So that a student who handed in a folder, or another name, is not forgotten. */
static void show_left_out(const struct grade_request *request, const struct terminal *terminal,
                          int judged)
{
    char **names;
    int count = folder_list(request->submissions, "", &names);
    if (count > judged)
        fprintf(terminal->out,
                "left out: %d of %s, which are not .cu files; folders are not "
                "searched\n",
                count - judged, request->submissions);
    free_names(names, count);
}

static int grade_list(const struct grade_request *request, const struct terminal *terminal,
                      char **names, int count)
{
    char *rows = NULL;
    size_t bytes = 0;
    int done = 0, kept_count = 0, status = 0;
    FILE *table = open_memstream(&rows, &bytes);
    while (table && done < count && status == 0) {
        struct path path = path_of("%s/%s", request->submissions, names[done]);
        struct path id = path_of("%.*s", (int)strlen(names[done]) - 3, names[done]);
        bool kept;
        json_t *record = grade_one(request, id.text, path.text, &kept);
        if (!record) {
            status = INTERRUPTED;
            break;
        }
        kept_count += kept;
        show_one(terminal, id.text, record, kept);
        put_row(table, id.text, record);
        fflush(table);
        if (json_object_get(record, "not_written") || !write_table(request, rows) ||
            !write_report(request, id.text, record, terminal))
            status = fail(terminal, request->out,
                          "records cannot be written there: is the disk "
                          "full?");
        else
            done++;
        json_decref(record);
    }
    if (table)
        fclose(table);
    free(rows);
    fprintf(terminal->out,
            "%d of %d submissions have a record (%d from before): %s/grades.csv,\n"
            "with a report for each student in %s/reports\n",
            done, count, kept_count, request->out, request->out);
    show_left_out(request, terminal, count);
    if (status == INTERRUPTED)
        fprintf(terminal->out, "interrupted: the same command resumes from here\n");
    return status;
}

/* Without walls there is no mark: a submission could write the records itself. */
static int refuse_without_walls(const struct terminal *terminal)
{
    terminal_wrap(terminal,
                  "nothing is graded, since no sandbox works here: install bubblewrap and allow "
                  "user namespaces (`make doctor` says what is in the way), or grade as root, in a "
                  "course that every user may read",
                  0, 0);
    return verdict_exit_code(VERDICT_DEVICE);
}

int grade(const struct grade_request *request, const struct terminal *terminal)
{
    char **names;
    if (sandbox_find() == SANDBOX_NONE)
        return refuse_without_walls(terminal);
    int count = folder_list(request->submissions, ".cu", &names);
    if (count < 0)
        return fail(terminal, request->submissions, strerror(errno));
    int status = 0;
    if (count == 0)
        status = fail(terminal, request->submissions,
                      "there is no .cu file in this folder (folders in it are not searched)");
    else if (!folder_make(path_of("%s/records", request->out).text) ||
             !folder_make(path_of("%s/reports", request->out).text) || !write_table(request, ""))
        status = fail(terminal, request->out, strerror(errno));
    if (status == 0)
        status = grade_list(request, terminal, names, count);
    free_names(names, count);
    return status;
}
