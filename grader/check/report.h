/* report.h - a record as one screen for the learner, the verdict last.
 *
 * The last line starts with a word that programs can look for: PASS, NOT YET, INCONCLUSIVE or NO
 * VERDICT.
 */
#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include "lib/terminal.h"

#include <jansson.h>

void report_print(const json_t *record, const struct terminal *terminal);

#endif
