/* seeds.h - does a file get the same verdict whatever inputs are drawn?
 *
 * Two students with one file must get one verdict. So files that are close to a bar, or wrong for
 * few inputs, are checked with many seeds. Each verdict is kept in build/seeds, so that an
 * interrupted run resumes where it stopped.
 */
#ifndef CHECK_SEEDS_H
#define CHECK_SEEDS_H

#include "check/check.h"
#include "lib/terminal.h"

struct seeds_request {
    const struct course *course;
    const char *lesson; /* NULL: the one that each file's launcher belongs to */
    const char *files;  /* paths, blanks between them; NULL: the lesson's own corpus */
    unsigned count;     /* of seeds: 1, 2, ...; 0 stands for 200 */
    enum device_choice device;
};

/* Prints a line for each file: its verdict, or how often it got each one. The exit status is 0 when
 * each file's verdict is the same for every seed, 1 when not, 8 for files that are not there, 130
 * when interrupted. */
int seeds(const struct seeds_request *request, const struct terminal *terminal);

#endif
