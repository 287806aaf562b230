/* field_json.c - text and numbers of others as JSON. */
#include "class/field_json.h"

#include "lib/field.h"

#include <math.h>
#include <stdlib.h>

json_t *field_json(const char *text)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    if (!out)
        return NULL;
    field_line(out, text);
    json_t *string = fclose(out) == 0 ? json_string(line) : NULL;
    free(line);
    return string;
}

json_t *field_json_number(double number)
{
    long long all = field_hundredths(number);
    return all % 100 ? json_real((double)all / 100) : json_integer(all / 100);
}
