/* enter.h - takes a sealed judgement from its file (task.h) into the gradebook. */
#ifndef CLASS_ENTER_H
#define CLASS_ENTER_H

#include "class/book.h"
#include "class/task.h"

/* The copy of a task's text, which stays until its judgement has been entered. */
struct path enter_copy(const struct task_settings *settings, const char *key);

/* Gives the judgement with that key to each of these hand-ins, or, when the disk is full, to none.
 * *record is afterwards the judgement, for the caller to free; NULL when there is none, and then
 * nothing is entered. False with the book's reason. */
bool enter_judgement(struct book *book, const struct task_settings *settings, const char *key,
                     const struct hand_in_note *const *notes, size_t count, json_t **record);

/* Removes all that runs have left beside the gradebook, and nothing else. */
void enter_tidy_all(const struct task_settings *settings);
/* Removes the files of a judgement that has been entered. */
void enter_tidy(const struct task_settings *settings, const char *key);

#endif
