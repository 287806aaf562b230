/* table.c - writes grades.csv. */
#include "class/table.h"

#include "check/record.h"
#include "lib/field.h"

#include <math.h>
#include <string.h>

static const char *const STANDINGS[] = {"absent", "undecided", "judged", "decided"};
static const char HEADER[] =
    "id,name,lesson,standing,band,points,of,gold,ratio,ratio_low,ratio_high,verdict,gate,line,"
    "mistake,reason,sha256,seed,device,sandbox,grader,started,attempt,attempts,flags\n";

static void put(FILE *out, const char *text)
{
    field_csv(out, text);
    putc(',', out);
}

static void put_number(FILE *out, const char *format, double value)
{
    if (isfinite(value))
        fprintf(out, format, value);
    putc(',', out);
}

/* The timed case whose ratio decided: its interval. */
static const json_t *deciding_case(const json_t *utilization)
{
    size_t i;
    json_t *timed;
    json_array_foreach (json_object_get(utilization, "cases"), i, timed)
        if (record_real(timed, "ratio") == record_real(utilization, "ratio"))
            return timed;
    return NULL;
}

static void put_ratio(const json_t *record, FILE *out)
{
    const json_t *utilization = record_gate(record, "utilization");
    const json_t *timed = deciding_case(utilization);
    put_number(out, "%.3f", record_real(utilization, "ratio"));
    put_number(out, "%.3f", record_real(timed, "low"));
    put_number(out, "%.3f", record_real(timed, "high"));
}

static void put_record(const struct mark *mark, FILE *out)
{
    const json_t *record = mark->record;
    bool judged = mark->standing == MARK_JUDGED;
    int line = record_integer(json_object_get(record, "line"), "number");
    put(out, judged && json_is_true(json_object_get(record, "gold")) ? "yes" : "");
    put_ratio(record, out);
    put(out, record_text(record, "verdict"));
    put(out, record_text(record, "failed_gate"));
    put_number(out, "%.0f", line > 0 ? line : NAN);
    put(out, record_text(json_object_get(record, "mistake"), "name"));
    put(out, *mark->why ? mark->why : record_text(record, "reason"));
    put(out, mark->sha256);
    put(out, record_text(record, "seed"));
    put(out, record_text(json_object_get(record, "device"), "name"));
    put(out, record_text(record, "sandbox"));
    put(out, record_text(record, "grader"));
    put(out, record_text(record, "started"));
}

static void put_flags(const struct mark *mark, FILE *out)
{
    char text[2000] = "";
    for (size_t i = 0, at = 0; i < mark->flag_count && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i ? "; " : "", mark->flags[i]);
    field_csv(out, text);
    putc('\n', out);
}

static void put_mark(const struct mark *mark, FILE *out)
{
    bool has_points = mark->standing == MARK_JUDGED || mark->standing == MARK_DECIDED;
    put(out, mark->student->id);
    put(out, mark->student->name);
    put(out, mark->lesson);
    put(out, STANDINGS[mark->standing]);
    put(out, mark->band);
    put_number(out, "%.10g", has_points ? mark->points : NAN);
    put_number(out, "%.10g", mark->of);
    put_record(mark, out);
    put_number(out, "%.0f", mark->attempt ? (double)mark->attempt : NAN);
    put_number(out, "%.0f", mark->attempts);
    put_flags(mark, out);
}

bool table_write(const struct marks *marks, FILE *out)
{
    fputs(HEADER, out);
    for (int undecided = 1; undecided >= 0; undecided--)
        for (size_t i = 0; i < marks->mark_count; i++)
            if ((marks->marks[i].standing == MARK_UNDECIDED) == undecided)
                put_mark(&marks->marks[i], out);
    return !ferror(out);
}
