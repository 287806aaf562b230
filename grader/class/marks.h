/* marks.h - what a gradebook says of a class: one mark for each student and lesson.
 *
 * Tables, pages and exports are made from this alone. It is read from the gradebook (book.h), and
 * marks_free frees all that it points to. Texts are UTF-8 and have no control characters; where
 * nothing is known they are "", never NULL.
 */
#ifndef CLASS_MARKS_H
#define CLASS_MARKS_H

#include "class/roster.h"
#include "lib/timestamp.h"

#include <jansson.h>

enum standing {
    MARK_ABSENT,    /* nothing was handed in */
    MARK_UNDECIDED, /* handed in, and not judged yet: counts as not handed in, see why */
    MARK_JUDGED,    /* by the grader */
    MARK_DECIDED,   /* by the instructor, whose reason is why */
};

struct mark {
    const struct student *student;
    const char *lesson; /* "03_divergence" */
    const char *title;  /* "Warp divergence" */
    int number;         /* 3 */
    enum standing standing;
    const char *band;  /* of the points policy (points.h): "gold", "pass", ...; "" with no points */
    double points, of; /* given; the most that the lesson can give. points is 0 if there are none */
    const char *why;   /* MARK_UNDECIDED: the cause. MARK_DECIDED: the reason. Else "" */
    unsigned attempts; /* how many are in the book */
    long attempt;      /* the number of the one that counts; 0 if there is none */
    json_t *record;    /* of the attempt that counts (check/record.h); NULL if there is none */
    const char *sha256; /* of the file that it judged */
    const char *source; /* its text */
    char **flags;       /* what the instructor should look at, a sentence each */
    size_t flag_count;
};

/* A file that is no hand-in, or none that can be given to a student and a lesson. */
struct notice {
    char *student, *file, *what;
};

enum { MARKS_LESSONS = 32 };

struct marks {
    const char *lessons[MARKS_LESSONS]; /* keys of those that anybody handed in, in order */
    size_t lesson_count;
    struct student *students; /* in order of their ids */
    size_t student_count;
    struct mark *marks; /* student by student, each in order of lessons: all of them */
    size_t mark_count;
    struct notice *notices; /* of the latest run */
    size_t notice_count;
    char made[TIMESTAMP_TEXT]; /* "2026-11-20T10:00:00Z" */
};

/* What it says, without the file's name before it. */
const char *notice_what(const struct notice *notice);
/* Only the marks of that lesson are left. */
void marks_keep_lesson(struct marks *marks, const char *lesson);
/* One more sentence for the instructor, as printf. Without memory it is lost. */
void mark_flag(struct mark *mark, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
