/* field_json.h - text and numbers of others as JSON; the text as lib/field.h makes it harmless. */
#ifndef CLASS_FIELD_JSON_H
#define CLASS_FIELD_JSON_H

#include <jansson.h>

/* NULL when memory is exhausted. */
json_t *field_json(const char *text);
/* With two decimals at most; 0 when it is not finite. */
json_t *field_json_number(double number);

#endif
