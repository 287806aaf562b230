/* marks_file.h - a file that is made from marks, complete or as it was before. */
#ifndef CLASS_MARKS_FILE_H
#define CLASS_MARKS_FILE_H

#include "class/marks.h"

#include <stdio.h>

/* student: whose file it is; NULL for one of the class. False when something is exhausted. */
typedef bool marks_writer(const struct marks *marks, const struct student *student, FILE *out);

/* False with errno. */
bool marks_write_file(marks_writer *write, const struct marks *marks, const struct student *student,
                      const char *place);

#endif
