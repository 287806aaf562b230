/* aside.h - a piece of work that a process of its own does, next to this one.
 *
 * A check ends everything below it when it ends a child (process.h), so two examinations cannot
 * share a process; each further one has its own. What it changes in memory is not seen here: its
 * answer is a text.
 */
#ifndef LIB_ASIDE_H
#define LIB_ASIDE_H

#include <stdbool.h>
#include <sys/types.h>

struct aside {
    pid_t pid;
    int answer; /* our end of the pipe */
};

/* work returns a text, which its process frees. False if no process can be started, or if
 * PROCESS_MOST_SPARED are at work: then nothing has happened. */
bool aside_begin(struct aside *aside, char *(*work)(void *context), void *context);
/* Wait until it is done. The caller frees the text; NULL if its process was ended, or gave none. */
char *aside_end(struct aside *aside);
/* End it, with all that it has started. */
void aside_cancel(struct aside *aside);

#endif
