/* plan.h - what a run has to do: which file counts for each student and lesson, and which of these
 * files have not been judged yet.
 */
#ifndef CLASS_PLAN_H
#define CLASS_PLAN_H

#include "class/book.h"
#include "class/handed_in.h"
#include "class/task.h"

struct wanted { /* a student's file for a lesson */
    struct hand_in_note note;
    char key[HASH_TEXT];
    struct path path;   /* where it was handed in */
    char *remark;       /* note.remark */
    char *refusal;      /* why there is nothing to judge; NULL when there is a text */
    bool from_before;   /* its judgement is in the book already */
    bool entered;       /* this run has entered it */
    long long modified; /* nanoseconds since 1970 */
};

struct plan {
    struct wanted *wanted; /* in order of student and lesson */
    size_t wanted_count;
    struct task *tasks; /* in order of their keys, which is as good as drawn */
    size_t task_count;
    size_t blocked; /* files that cannot be read here */
};

/* Of what was handed in; lesson is NULL when each file says its own. Copies of the files to be
 * judged are left beside where their records go. What is no hand-in becomes a notice of the book.
 * False with the book's reason, or, where that is empty, with errno. */
bool plan_make(struct plan *plan, const struct task_settings *settings, struct book *book,
               const struct handed_in *handed_in, const struct lesson *lesson);
void plan_free(struct plan *plan);

#endif
