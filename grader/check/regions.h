/* regions.h - the marked regions of an exercise, which are all that a learner has to change.
 *
 *     // quest: begin
 *     ...
 *     // quest: end
 *
 * Outside of them an exercise and its solution are the same text: what is given is given in both.
 */
#ifndef CHECK_REGIONS_H
#define CHECK_REGIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Is everything outside the regions the same? False with a sentence that names the lines, or says
 * that a region is not closed, or that there is none. */
bool regions_agree(const char *exercise, const char *solution, char *reason, size_t reason_bytes);

#endif
