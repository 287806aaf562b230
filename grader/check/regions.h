/* regions.h - the marked regions of an exercise, which a learner has to change and nothing else.
 *
 *     // quest: begin
 *     ...
 *     // quest: end
 *
 * Outside these regions an exercise and its solution have the same text.
 */
#ifndef CHECK_REGIONS_H
#define CHECK_REGIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Is everything outside the regions the same? False with a sentence that names the lines, or says
 * that a region is not closed, or that there is none. */
bool regions_agree(const char *exercise, const char *solution, char *reason, size_t reason_bytes);

#endif
