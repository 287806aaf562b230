/* finding.c - findings in words and as JSON, and the line of progress. */
#include "check/examine/lab.h"

#include "check/record.h"

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
    return object;
}

void lab_say(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    if (!text || dprintf(RESULT_FD, "%s\n", text) < 0)
        _exit(1); /* nobody listens any more */
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
