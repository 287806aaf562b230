/* relay.h - the runners of a case of several processes, after the first.
 *
 * On a GPU a process needs half a second to begin and a tenth of one to end. So there the
 * submission's next ones are begun ahead, before a case asks for them, and the last one ends while
 * the check goes on. A process that was begun ahead has loaded the submission and knows of no
 * memory.
 */
#ifndef EXAMINE_RELAY_H
#define EXAMINE_RELAY_H

#include "check/examine/lab.h"

/* The runner in which the case continues after link's; the caller waits until it is loaded
 * (lab_await). NULL, with a finding, when that is not possible. */
struct link *relay_next(struct lab *lab, const struct link *link, struct finding *finding);
/* It has done its part, and is freed; its log is kept if it is the submission's. NULL: nothing. */
void relay_end(struct lab *lab, struct link *link, bool is_submission);
/* End all that were begun ahead, and wait for all that end. */
void relay_close(struct lab *lab);

#endif
