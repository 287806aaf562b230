/* redact.h - takes this machine's folders out of a record that a student gets.
 *
 * Reasons, compiler messages and what a submission prints may name the folders of the course, its
 * products, the toolkit or the submissions. A class is graded on its instructor's machine: what a
 * student reads names none of these.
 */
#ifndef CHECK_REDACT_H
#define CHECK_REDACT_H

#include "check/course.h"

#include <jansson.h>

/* In every text of the record, in place. submission: the path of the file that was checked. */
void redact_record(json_t *record, const struct course *course, const char *submission);

/* text with each from replaced by to, where from is followed by a slash or ends a word. The caller
 * frees it; NULL without memory, or where from is empty or "/". */
char *redact_text(const char *text, const char *from, const char *to);

#endif
