/* record.c - reads and writes members of records. */
#include "check/record.h"

#include "lib/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *record_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double record_real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

int record_integer(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

json_t *record_gate(const json_t *record, const char *name)
{
    size_t i;
    json_t *gate;
    json_array_foreach (json_object_get(record, "gates"), i, gate) {
        if (strcmp(record_text(gate, "gate"), name) == 0)
            return gate;
    }
    return NULL;
}

enum verdict record_verdict(const json_t *object)
{
    enum verdict verdict = VERDICT_INTERNAL;
    verdict_named(record_text(object, "verdict"), &verdict);
    return verdict;
}

json_t *record_add_gate(json_t *record, const char *name, json_t *outcome)
{
    json_object_set_new(outcome, "gate", json_string(name));
    json_array_append_new(json_object_get(record, "gates"), outcome);
    return outcome;
}

json_t *record_outcome(enum verdict verdict, const char *reason)
{
    return json_pack("{s:s, s:o}", "verdict", verdict_name(verdict), "reason",
                     record_clean(reason, strlen(reason)));
}

json_t *record_clean(const char *text, size_t bytes)
{
    json_t *string = json_stringn(text, bytes); /* refuses what is not UTF-8 */
    if (string)
        return string;
    char *plain = strndup(text, bytes);
    for (char *at = plain; at && *at; at++)
        if (*at < ' ' && *at != '\n' && *at != '\t')
            *at = '?'; /* includes every byte above 127, which is negative here */
    string = json_string(plain ? plain : "");
    free(plain);
    return string;
}

bool record_write(const json_t *record, const char *path)
{
    char *text = json_dumps(record, JSON_INDENT(1));
    bool written = text && file_write(path, text, strlen(text));
    free(text);
    return written;
}
