/* table.h - grades.csv: a line for each student and lesson, what is undecided first. */
#ifndef CLASS_TABLE_H
#define CLASS_TABLE_H

#include "class/marks.h"

#include <stdio.h>

bool table_write(const struct marks *marks, FILE *out);

#endif
