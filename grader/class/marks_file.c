/* marks_file.c - what is to be a file is made in memory first, and then put in its place. */
#include "class/marks_file.h"

#include "lib/files.h"

#include <stdlib.h>

bool marks_write_file(marks_writer *write, const struct marks *marks, const struct student *student,
                      const char *place)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    bool good = out && write(marks, student, out);
    if (out)
        good &= fclose(out) == 0;
    good = good && file_write(place, text, bytes);
    free(text);
    return good;
}
