/* quest.h - the learner's side of the course: where they stand, hints, the solution, starting over.
 *
 * All that is known about a learner are their own checks (progress.h) and which hints they have
 * seen:
 *     build/records/NN_slug.hints       how many hints have been shown
 *     build/records/NN_slug.told        the last hint after an error
 * Nothing else is kept, and nothing leaves the machine.
 */
#ifndef QUEST_QUEST_H
#define QUEST_QUEST_H

#include "check/course.h"
#include "lib/terminal.h"

#include <stdbool.h>

/* Keep the record of a check; it counts for the lesson if it is of the learner's own exercise.
 * False with a sentence when it cannot be written. */
bool quest_note(const struct course *course, const json_t *record, char *reason,
                size_t reason_bytes);

/* Has the exercise ever passed? */
bool quest_has_passed(const struct course *course, const char *lesson_key);

/* Each returns an exit status: 0, one of a verdict (check/verdict.h), or one of these. */
enum { EXIT_USAGE = 64, EXIT_INTERRUPTED = 130 };
int quest_status(const struct course *course, const struct terminal *terminal);
/* level 1 to 3, or 0 for the next one. submission: the name, as typed then, of a file that was
 * checked instead of the exercise; NULL for the exercise. */
int quest_hint(const struct course *course, const struct lesson *lesson, const char *submission,
               int level, const struct terminal *terminal);
/* give_up: even if the lesson has not been passed. */
int quest_diff(const struct course *course, const struct lesson *lesson, bool give_up,
               const struct terminal *terminal);
int quest_reset(const struct course *course, const struct lesson *lesson,
                const struct terminal *terminal);
/* Each check of the exercise in order; of all lessons if lesson is NULL. */
int quest_log(const struct course *course, const struct lesson *lesson,
              const struct terminal *terminal);
/* Below a report: what this check, the record of which has been noted, has earned; nothing if that
 * is nothing, or with QUEST=0. */
void quest_tell_earned(const struct course *course, const json_t *record,
                       const struct terminal *terminal);
/* The lessons with bands, the level, the achievements. */
int quest_map(const struct course *course, const struct terminal *terminal);
/* Copies all checks to a new file; adds those of such a file that are not known yet. */
int quest_export(const struct course *course, const char *path, const struct terminal *terminal);
int quest_import(const struct course *course, const char *path, const struct terminal *terminal);
/* Writes build/submit/slug.cu, if who has only that file and the course can judge it. */
int quest_submit(const struct course *course, const struct lesson *lesson,
                 const struct terminal *terminal);

/* The best record, or NULL; the caller frees it. */
json_t *quest_best(const struct course *course, const char *lesson_key);
json_t *quest_last(const struct course *course, const char *lesson_key);
/* The last one of another file, if that was path. */
json_t *quest_last_of(const struct course *course, const char *lesson_key, const char *path);

#endif
