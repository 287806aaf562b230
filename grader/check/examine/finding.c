/* finding.c - findings in words and as JSON, and the line of progress. */
#include "check/examine/lab.h"

#include "check/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RESULT_FD = 3 };

bool finding_set(struct finding *finding, enum verdict verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    finding->verdict = verdict;
    finding->wrong.wrong = 0;
    vsnprintf(finding->reason, sizeof finding->reason, format, arguments);
    va_end(arguments);
    return verdict == VERDICT_PASS;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (*text)
        json_object_set_new(object, key, record_clean(text, strlen(text)));
}

static void set_number(json_t *object, const char *key, unsigned number)
{
    if (number)
        json_object_set_new(object, key, json_integer(number));
}

/* JSON has no NaN or infinity: those are written as text. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value)
                           : json_string(isnan(value) ? "nan"
                                         : value > 0  ? "inf"
                                                      : "-inf");
}

static json_t *comparison_json(const char *buffer, const struct comparison *result)
{
    static const char *const PATTERNS[] = {"scattered", "all", "tail", "head", "strided"};
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:s, s:I, s:I}", "buffer", buffer,
                     "total", (json_int_t)result->looked_at, "wrong", (json_int_t)result->wrong,
                     "first", (json_int_t)result->first_wrong, "got", number(result->got), "want",
                     number(result->want), "allowed", number(result->allowed), "largest_error",
                     number(result->largest_error), "pattern", PATTERNS[result->pattern],
                     "unwritten", (json_int_t)result->unwritten, "zeros",
                     (json_int_t)result->zeros);
}

void finding_wrong(struct finding *finding, const char *buffer, const struct comparison *result)
{
    finding->wrong = *result;
    snprintf(finding->wrong_buffer, sizeof finding->wrong_buffer, "%s", buffer);
}

json_t *finding_json(const struct finding *finding)
{
    json_t *object = json_object();
    set_text(object, "verdict", verdict_name(finding->verdict));
    set_text(object, "reason", finding->reason);
    set_text(object, "advice", finding->advice);
    set_text(object, "file", finding->file);
    set_number(object, "line", finding->line);
    set_number(object, "other_line", finding->other_line);
    set_number(object, "error", (unsigned)finding->error);
    set_number(object, "process", finding->process);
    set_number(object, "null_pointer", finding->null_pointer);
    set_number(object, "absent_lane", finding->absent_lane);
    if (finding->verdict == VERDICT_WRONG && finding->wrong.wrong)
        json_object_set_new(object, "wrong",
                            comparison_json(finding->wrong_buffer, &finding->wrong));
    return object;
}

void lab_say(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    if (!text || dprintf(RESULT_FD, "%s\n", text) < 0)
        _exit(1); /* the reader is gone */
    free(text);
}

void lab_progress(const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lab_say(json_pack("{s:s}", "progress", text));
}
