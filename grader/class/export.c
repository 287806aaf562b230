/* export.c - the list of formats. */
#include "class/export.h"

#include "class/formats.h"

#include <string.h>

const struct export_format *const export_formats[] = {
    &export_gradescope, &export_autolab, &export_classroom, &export_canvas, &export_moodle,
    &export_junit,      &export_sarif,   &export_tap,       NULL,
};

const struct export_format *export_named(const char *name)
{
    for (const struct export_format *const *format = export_formats; *format; format++)
        if (strcmp((*format)->name, name) == 0)
            return *format;
    return NULL;
}

bool export_done(FILE *out)
{
    return fflush(out) == 0 && !ferror(out);
}

bool export_json(json_t *value, FILE *out)
{
    bool written = value && json_dumpf(value, out, EXPORT_JSON | JSON_INDENT(1)) == 0;
    json_decref(value);
    putc('\n', out);
    return export_done(out) && written;
}
