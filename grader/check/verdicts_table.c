/* verdicts_table.c - what two records of one submission have in common, in lines and as CSV. */
#include "lib/field.h"
#include "check/record.h"
#include "check/verdicts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- Comparing -------------------------------------------------------------------------------- */

static const char *failed_case(const json_t *record)
{
    const json_t *gate = record_gate(record, record_text(record, "failed_gate"));
    return record_text(gate, "case");
}

static const char *mistake_of(const json_t *record)
{
    return record_text(json_object_get(record, "mistake"), "name");
}

/* Each device draws the addresses of its memory, so one may stand for the other. */
static bool same_words(const char *a, const char *b)
{
    static const char HEX[] = "0123456789abcdef";
    for (; *a && *a == *b; a++, b++)
        if (strncmp(a, "0x", 2) == 0 && strncmp(b, "0x", 2) == 0) {
            a += 1 + strspn(a + 2, HEX);
            b += 1 + strspn(b + 2, HEX);
        }
    return *a == *b;
}

/* What a gate of the simulated device says is the same in both, except for the block in which a
 * budget of steps ran out: that depends on how far the workers of the launch had come. In the other
 * gates only numbers may differ; and it is chance in which case two runs first give two results. */
static bool same_reason(const json_t *a, const json_t *b)
{
    const char *gate = record_text(a, "failed_gate");
    bool of_simulated = (strcmp(gate, "safety") == 0 || strcmp(gate, "counters") == 0) &&
                        record_verdict(a) != VERDICT_TIMEOUT;
    return strcmp(gate, record_text(b, "failed_gate")) == 0 &&
           (record_verdict(a) == VERDICT_NONDETERMINISTIC ||
            strcmp(failed_case(a), failed_case(b)) == 0) &&
           strcmp(mistake_of(a), mistake_of(b)) == 0 &&
           (!of_simulated || same_words(record_text(a, "reason"), record_text(b, "reason")));
}

bool verdicts_agree(const struct verdicts_row *row)
{
    const json_t *a = row->record[VERDICTS_SIMULATED], *b = row->record[VERDICTS_GPU];
    return !a || !b || (record_verdict(a) == record_verdict(b) && same_reason(a, b));
}

bool verdicts_expected(const struct verdicts_row *row)
{
    char reason[600];
    bool met = true;
    for (int side = 0; side < VERDICTS_SIDES; side++) {
        const json_t *record = row->record[side];
        if (record && row->entry->has_expectation)
            met = met && expectation_met(&row->entry->expectation, record, reason, sizeof reason);
    }
    return met;
}

double verdicts_seconds(const json_t *record)
{
    const json_t *waited = json_object_get(json_object_get(record, "parts"), "waiting for the GPU");
    return record_real(record, "seconds") - json_number_value(waited);
}

/* --- Lines ------------------------------------------------------------------------------------ */

void verdicts_print_head(const char *gpu, const struct terminal *terminal)
{
    fprintf(terminal->out, "     %-32s %-26s %5s", "submission", "simulated device", "s");
    if (gpu)
        fprintf(terminal->out, "  %-26s %5s", gpu, "s");
    putc('\n', terminal->out);
}

static void print_side(const json_t *record, const struct terminal *terminal)
{
    enum verdict verdict = record_verdict(record);
    struct path text = path_of("%s %s", verdict_name(verdict), record_text(record, "failed_gate"));
    terminal_print(terminal, verdict == VERDICT_PASS ? STYLE_GOOD : STYLE_PLAIN, "%-26s ",
                   text.text);
    fprintf(terminal->out, "%5.1f  ", verdicts_seconds(record));
}

static void print_reason(const json_t *record, const char *who, const struct terminal *terminal)
{
    const char *mistake = mistake_of(record);
    struct path text = path_of("%s%s%s%s", who, record_text(record, "reason"),
                               *mistake ? "; mistake " : "", mistake);
    if (*record_text(record, "reason"))
        terminal_wrap(terminal, text.text, 7, 0);
}

void verdicts_print_row(const struct verdicts_row *row, const struct terminal *terminal)
{
    const json_t *simulated = row->record[VERDICTS_SIMULATED], *gpu = row->record[VERDICTS_GPU];
    bool agree = verdicts_agree(row), expected = verdicts_expected(row);
    fprintf(terminal->out, "  %-2d %-32s ", row->entry->lesson.number, row->entry->name);
    print_side(simulated, terminal);
    if (gpu) {
        print_side(gpu, terminal);
        terminal_print(terminal, agree ? STYLE_PLAIN : STYLE_BAD, "%s", agree ? "same" : "DIFFERS");
    }
    if (gpu && json_is_true(json_object_get(gpu, "passed_on_gpu_alone")))
        fputs("  (the GPU alone found nothing)", terminal->out);
    if (!expected)
        terminal_print(terminal, STYLE_BAD, "  NOT AS EXPECTED");
    putc('\n', terminal->out);
    print_reason(simulated, gpu && !agree ? "simulated: " : "", terminal);
    if (gpu && !agree)
        print_reason(gpu, "GPU: ", terminal);
    fflush(terminal->out);
}

/* --- Tables ----------------------------------------------------------------------------------- */

static void put_text(FILE *table, const char *text)
{
    putc(',', table);
    field_csv(table, text);
}

static void put_number(FILE *table, double value, const char *format)
{
    putc(',', table);
    if (isfinite(value))
        fprintf(table, format, value);
}

static void put_side(FILE *table, const json_t *record)
{
    put_text(table, record ? verdict_name(record_verdict(record)) : "");
    put_text(table, record_text(record, "failed_gate"));
    put_text(table, failed_case(record));
    put_text(table, mistake_of(record));
    put_text(table, record_text(record, "reason"));
    put_number(table, record ? verdicts_seconds(record) : NAN, "%.1f");
}

static const char VERDICTS_HEAD[] =
    "lesson,submission,same,expected,simulated verdict,gate,case,mistake,reason,check s,"
    "gpu verdict,gate,case,mistake,reason,check s,gpu,date\n";

char *verdicts_known_line(const char *table, const struct entry *entry)
{
    struct path start = path_of("%s,%s,", entry->lesson.key, entry->name);
    for (const char *line = table; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, start.text, strlen(start.text)) == 0)
            return strndup(line, strcspn(line, "\n"));
    return NULL;
}

static void put_verdicts(FILE *table, const struct verdicts_row *rows, size_t count,
                         const char *device, const char *date)
{
    fputs(VERDICTS_HEAD, table);
    for (size_t i = 0; i < count; i++) {
        const struct verdicts_row *row = &rows[i];
        bool both = row->record[VERDICTS_GPU] && row->record[VERDICTS_SIMULATED];
        if (row->known)
            fprintf(table, "%s\n", row->known);
        if (row->known || !row->record[VERDICTS_SIMULATED]) /* or interrupted before its turn */
            continue;
        fputs(row->entry->lesson.key, table);
        put_text(table, row->entry->name);
        put_text(table, !both ? "" : verdicts_agree(row) ? "same" : "DIFFERS");
        put_text(table, verdicts_expected(row) ? "yes" : "no");
        for (int side = 0; side < VERDICTS_SIDES; side++)
            put_side(table, row->record[side]);
        put_text(table, device);
        put_text(table, date);
        putc('\n', table);
    }
}

/* The case comes last: it contains commas, and a program that reads the table need not know about
 * quotes. */
static const char TIMES_HEAD[] = "lesson,submission,expected,launcher,kind,device,time us,"
                                 "reference us,ratio,low,high,of ceiling,ceiling,date,case\n";

static void put_expected(FILE *table, const struct entry *entry)
{
    const struct expectation *expectation = &entry->expectation;
    fprintf(table, ",%s%s%s", entry->has_expectation ? verdict_name(expectation->verdict) : "",
            *expectation->gate ? " " : "", expectation->gate);
}

static void put_times(FILE *table, const struct verdicts_row *row, const json_t *record,
                      const char *date)
{
    size_t i;
    json_t *one;
    const json_t *gate = record_gate(record, "utilization");
    bool measured = json_is_true(json_object_get(gate, "measured"));
    json_array_foreach (json_object_get(gate, "cases"), i, one) {
        fprintf(table, "%s,%s", row->entry->lesson.key, row->entry->name);
        put_expected(table, row->entry);
        put_text(table, record_text(one, "launcher"));
        put_text(table, measured ? "measured" : "modelled");
        put_text(table, record_text(gate, "device"));
        put_number(table, record_real(one, "time_ns") * 1e-3, "%.3f");
        put_number(table, record_real(one, "reference_ns") * 1e-3, "%.3f");
        put_number(table, record_real(one, "ratio"), "%.4f");
        put_number(table, record_real(one, "low"), "%.4f");
        put_number(table, record_real(one, "high"), "%.4f");
        put_number(table, record_real(one, "of_ceiling"), "%.4f");
        put_text(table, record_text(one, "ceiling"));
        put_text(table, date);
        put_text(table, record_text(one, "case"));
        putc('\n', table);
    }
}

static bool write_table(const char *folder, const char *name, FILE *table, char **text)
{
    bool whole =
        fclose(table) == 0 && file_write(path_of("%s/%s", folder, name).text, *text, strlen(*text));
    free(*text);
    return whole;
}

bool verdicts_write(const struct verdicts_row *rows, size_t count, const char *device,
                    const char *folder)
{
    char date[16], *text = NULL;
    size_t bytes;
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    FILE *table = open_memstream(&text, &bytes);
    if (!table)
        return false;
    put_verdicts(table, rows, count, device, date);
    if (!write_table(folder, "verdicts.csv", table, &text))
        return false;
    table = open_memstream(&text, &bytes);
    if (!table)
        return false;
    fputs(TIMES_HEAD, table);
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < VERDICTS_SIDES; side++)
            put_times(table, &rows[i], rows[i].record[side], date);
    return write_table(folder, "times.csv", table, &text);
}
