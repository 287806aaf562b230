/* expectation.h - what a planted fault says will be reported of it.
 *
 * The comment above a fault, as in planted/bounds.cu:
 *
 *     // fault NAME: TITLE              the fault's title, or "refused" when the launch or the
 *                                       call has to fail by itself
 *     //     x[i] = 1;                  the source line that has to be quoted, and under it the
 *     //     ^                          caret
 *     // by thread (1,0,0) of block (0,0,0)
 *     // other [thread (0,0,0)]         the other party, with its line and caret behind it
 *     // made                           where the buffer was allocated, with its line behind it
 *     // says TEXT                      what the message has to contain; as often as wanted
 *     // sanitizer TOOL [TEXT]          what compute-sanitizer's TOOL has to say of it, on a GPU;
 *     // sanitizer none[: WHY]          or that no tool of it says anything: seen on an H200
 *
 * Lines are given by their text, so that nothing here has a number to keep up to date: the quoted
 * line is looked for between this comment and the next one, and must be there once.
 */
#ifndef EXPECTATION_H
#define EXPECTATION_H

#include <stdbool.h>
#include <stddef.h>

struct quotation {
    char *text;    /* the source line without its indentation; NULL when none is asked for */
    size_t caret;  /* columns from its first character; NO_CARET */
    unsigned line; /* in the file; 0 when it is not there, or more than once */
};

#define NO_CARET ((size_t)-1)
enum { MOST_SAYS = 8 };

struct expectation {
    const char *file;
    char *name, *title;
    struct quotation at, other, made;
    char *by, *other_by; /* NULL when not asked for */
    char *says[MOST_SAYS];
    size_t say_count;
    char *sanitizer; /* "memcheck TEXT"; NULL when not said */
    struct expectation *next;
};

/* All expectations of a source file, in its order; NULL with a sentence on stderr when it cannot
 * be read or says something else than the words above. The list is never freed. */
struct expectation *expectations_read(const char *path);

#endif
