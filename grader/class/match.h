/* match.h - which student of the roster a name means.
 *
 * A name is compared with the ids first, then with other things that the roster knows of a student,
 * in the order of match_kind; the first kind that fits decides. When it fits two students, the name
 * means nobody, since a guess would give one student the other's marks.
 */
#ifndef CLASS_MATCH_H
#define CLASS_MATCH_H

#include "class/roster.h"

/* Without regard to case; names as clean_name_key has them, in any order of their words. */
enum match_kind { MATCH_ID, MATCH_EMAIL, MATCH_LOCAL_PART, MATCH_SIS, MATCH_CANVAS, MATCH_NAME };
enum { MATCH_KINDS = MATCH_NAME + 1 };
#define MATCH_ANY ((1U << MATCH_KINDS) - 1)
/* What a part of a longer name is compared with: numbers and names of people are too common. */
#define MATCH_LOGIN (1U << MATCH_ID | 1U << MATCH_EMAIL | 1U << MATCH_LOCAL_PART | 1U << MATCH_SIS)

struct match_entry {
    enum match_kind kind;
    char *key;
    const struct student *student;
};

struct match {
    struct match_entry *entries; /* in order of kind, then of key */
    size_t count;
};

struct match_found {
    const struct student *student; /* NULL: nobody */
    const struct student *rival;   /* not NULL: the name also fits this one */
    enum match_kind kind;
};

/* roster may be NULL: then every name means nobody. It has to stay. False when memory is
 * exhausted. */
bool match_open(struct match *match, const struct roster *roster);
void match_close(struct match *match);

/* kinds: which to compare with, a bit each. With a rival, student is the other one. */
struct match_found match_find(const struct match *match, const char *name, size_t length,
                              unsigned kinds);

#endif
