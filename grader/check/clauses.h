/* clauses.h - a lesson's contract next to what tests it: clause by clause, the cases and bars.
 *
 * A judge lists the clauses of its contract (judge.h), word for word. Checked here: something tests
 * each clause, each is in the contract as it is quoted, and no words of the contract are left over.
 * So a sentence that is changed or added without its case is noticed.
 */
#ifndef CHECK_CLAUSES_H
#define CHECK_CLAUSES_H

#include "check/course.h"
#include "lib/terminal.h"

/* Is each clause of judge (its "contract" in judges.json) tested, and does header, the text of the
 * contract's file, say exactly that? False with a sentence. */
bool clauses_hold(const json_t *contract, const char *header, char *reason, size_t reason_bytes);

/* Print a lesson's clauses with their cases, or all lessons' (lesson NULL). The exit status is 0
 * when all hold, 1 when not. */
int clauses(const struct course *course, const char *lesson, const struct terminal *terminal);

#endif
