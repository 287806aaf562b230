/* formats.h - the formats of export.c, and how each ends its file. */
#ifndef CLASS_FORMATS_H
#define CLASS_FORMATS_H

#include "class/export.h"

extern const struct export_format export_gradescope, export_autolab, export_classroom,
    export_canvas, export_moodle, export_junit, export_sarif, export_tap;

/* ASCII, so that nothing reorders or hides text; numbers as they were rounded (field.h). */
enum { EXPORT_JSON = JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12) };

/* All was written. */
bool export_done(FILE *out);
/* Takes ownership of value, which may be NULL: then memory was exhausted. */
bool export_json(json_t *value, FILE *out);

#endif
