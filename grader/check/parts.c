/* parts.c - looks up a launcher among those of a lesson's cases. */
#include "check/parts.h"

#include <stdio.h>
#include <string.h>

const char *parts_short(const char *name)
{
    const char *line = strchr(name, '_');
    return line ? line + 1 : name;
}

const char *parts_named(const struct lesson *lesson, const char *word, char *reason,
                        size_t reason_bytes)
{
    size_t i;
    json_t *part, *parts = json_object_get(lesson->judge, "parts");
    int used = snprintf(reason, reason_bytes, "ONLY=%.100s: lesson %d has no such launcher; it has",
                        word, lesson->number);
    json_array_foreach (parts, i, part) {
        const char *name = json_string_value(part);
        if (strcmp(name, word) == 0 || strcmp(parts_short(name), word) == 0)
            return name;
        if (used >= 0 && (size_t)used < reason_bytes)
            used += snprintf(reason + used, reason_bytes - (size_t)used, "%s %s", i ? "," : "",
                             parts_short(name));
    }
    return NULL;
}
