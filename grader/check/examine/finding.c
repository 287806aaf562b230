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
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:s, s:I, s:I, s:I}", "buffer", buffer, "total",
        (json_int_t)result->looked_at, "wrong", (json_int_t)result->wrong, "first",
        (json_int_t)result->first_wrong, "got", number(result->got), "want", number(result->want),
        "allowed", number(result->allowed), "largest_error", number(result->largest_error),
        "pattern", PATTERNS[result->pattern], "unwritten", (json_int_t)result->unwritten, "zeros",
        (json_int_t)result->zeros, "stride", (json_int_t)result->stride);
}

void finding_wrong(struct finding *finding, const char *buffer, const struct comparison *result)
{
    finding->wrong = *result;
    snprintf(finding->wrong_buffer, sizeof finding->wrong_buffer, "%s", buffer);
}

static uint64_t product(const uint32_t sides[3])
{
    return (uint64_t)sides[0] * sides[1] * sides[2];
}

static uint64_t number_of(const uint32_t at[3], const uint32_t sides[3])
{
    return at[0] + sides[0] * (at[1] + (uint64_t)sides[1] * at[2]);
}

void finding_note_launch(struct finding *finding, const struct simgpu_report *report, size_t i)
{
    if (i >= report->launch_count)
        return;
    const struct simgpu_launch *launch = &report->launches[i];
    const struct simgpu_fault *fault = &launch->fault;
    finding->launch = (struct judge_launch){.count = report->launch_count,
                                            .blocks = product(launch->grid),
                                            .threads = product(launch->block),
                                            .shared_bytes = launch->shared_bytes,
                                            .has_place = fault->kind != 0,
                                            .block = number_of(fault->block, launch->grid),
                                            .thread = number_of(fault->thread, launch->block)};
}

static json_t *launch_json(const struct judge_launch *launch)
{
    json_t *object = json_pack("{s:I, s:I, s:I, s:I}", "count", (json_int_t)launch->count, "blocks",
                               (json_int_t)launch->blocks, "threads", (json_int_t)launch->threads,
                               "shared_bytes", (json_int_t)launch->shared_bytes);
    if (launch->has_place) {
        json_object_set_new(object, "block", json_integer((json_int_t)launch->block));
        json_object_set_new(object, "thread", json_integer((json_int_t)launch->thread));
    }
    return object;
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
    set_number(object, "starved", finding->starved);
    set_number(object, "null_pointer", finding->null_pointer);
    set_number(object, "absent_lane", finding->absent_lane);
    if (finding->launch.count)
        json_object_set_new(object, "launch", launch_json(&finding->launch));
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
