/* json_value.c - prints one value of a JSON file: json_value FILE KEY-OR-INDEX... */
#include <jansson.h>
#include <stdlib.h>

int main(int count, char **words)
{
    json_error_t error;
    json_t *root = json_load_file(count > 1 ? words[1] : "", 0, &error), *at = root;
    if (!root)
        fprintf(stderr, "%s:%d: %s\n", count > 1 ? words[1] : "", error.line, error.text);
    for (int i = 2; i < count && at; i++)
        at = json_is_array(at) ? json_array_get(at, strtoul(words[i], NULL, 10))
                               : json_object_get(at, words[i]);
    if (!at)
        return 1;
    if (json_is_string(at))
        puts(json_string_value(at));
    else
        json_dumpf(at, stdout, JSON_ENCODE_ANY | JSON_COMPACT);
    return 0;
}
