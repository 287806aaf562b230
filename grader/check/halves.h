/* halves.h - one result of the two examinations that judge a submission on the simulated device.
 *
 * They share nothing but the files they are about, so they run side by side where there is room:
 * {"safety", "numerics", "calls"} of the small cases, and {"large", "counters"} of the large ones
 * and the timed ones. What they become does not depend on whether they did.
 */
#ifndef CHECK_HALVES_H
#define CHECK_HALVES_H

#include <jansson.h>
#include <stdbool.h>

/* Does the first half leave a question for the second? Not once a small case is wrong. */
bool halves_go_on(const json_t *small);
/* Make small's result, which goes on, that of both: numerics has the large cases, and counters what
 * all calls have broken, unless the timed cases themselves are found wrong or slow. */
void halves_join(json_t *small, const json_t *rest);

#endif
