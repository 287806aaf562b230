/* derived.h - what is made from the gradebook each time it changes: tables and pages. */
#ifndef CLASS_DERIVED_H
#define CLASS_DERIVED_H

#include "class/book.h"
#include "lib/terminal.h"

/* The points policy of the gradebook's folder, where the course's is put if there is none. False
 * with a sentence. */
bool derived_points(const struct course *course, const char *out, struct points *points,
                    char *reason, size_t reason_bytes);
/* The marks by that policy. False with a sentence. */
bool derived_marks(struct book *book, const struct course *course, const char *out,
                   struct marks *marks, char *reason, size_t reason_bytes);
/* Writes everything that is derived from the marks. False with a sentence. */
bool derived_write(const struct marks *marks, const char *out, char *reason, size_t reason_bytes);

#endif
