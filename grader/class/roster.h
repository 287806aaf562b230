/* roster.h - who is in the class: a CSV file with a header, one student to a line.
 *
 * Columns are found by their names, whatever their order and case; others are ignored:
 *
 *     id        "id", "student id", "sid", "username", "idnumber", "identifier", "SIS Login ID"
 *     name      "name", "student", "full name"; or "first name" and "last name"
 *     email     "email", "email address"
 *     section   "section"
 *     canvas_id "ID" of a Canvas export, beside its "SIS User ID" and "SIS Login ID"
 *
 * Spaces, hyphens and underscores in these names do not count. In a Canvas export the id is the
 * login, where there is none the SIS User ID, and then Canvas's own; its rows about columns, such
 * as "Points Possible", are no students.
 *
 * Fields may be quoted (RFC 4180; csv.h); a byte order mark and CRLF are allowed. The file must be
 * UTF-8. All texts are made clean (clean.h).
 */
#ifndef CLASS_ROSTER_H
#define CLASS_ROSTER_H

#include <stdbool.h>
#include <stddef.h>

struct student {
    char *id; /* unique; what hand-ins are named after */
    char *name, *email, *section;
    char *canvas_id, *sis_id, *sis_login; /* of a Canvas export */
    bool listed;                          /* in the roster; false: only by a hand-in */
};

struct roster {
    struct student *students; /* in the file's order */
    size_t count;
};

/* False with a sentence that names the file, the line and what to do: no id column, a line without
 * an id, two lines with one id, more fields than the header has, a quote that is never closed, text
 * that is not UTF-8, no student at all. */
bool roster_read(const char *path, struct roster *roster, char *reason, size_t reason_bytes);
void roster_free(struct roster *roster);
/* What the student points to. */
void student_free(struct student *student);
/* NULL when nobody in it has the id. Ids are compared without regard to case and outer spaces. */
const struct student *roster_find(const struct roster *roster, const char *id);

#endif
