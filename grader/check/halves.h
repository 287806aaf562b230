/* halves.h - one result of the examinations that judge a submission on the simulated device.
 *
 * They share nothing but the files they are about, so they run side by side where there is room:
 * {"safety", "numerics", "calls"} of the small cases, perhaps in two halves, {"large", "calls"} of
 * the large ones, and {"counters"} of the timed ones. What they become does not depend on whether
 * they did.
 */
#ifndef CHECK_HALVES_H
#define CHECK_HALVES_H

#include <jansson.h>
#include <stdbool.h>

/* Do the cases joined so far leave a question for the next ones? Not once one is wrong. */
bool halves_go_on(const json_t *small);
/* Make small's result that of both. The other half of the small cases is joined first: at each gate
 * the finding that comes first in the order of the cases counts ("rank"). The rest is joined if
 * small goes on: numerics has the large cases, and counters what all calls have broken, unless the
 * timed cases themselves are found wrong or slow. The large cases are joined before the timed
 * ones. */
void halves_join(json_t *small, const json_t *rest);
/* All are joined that will be. */
void halves_end(json_t *small);

#endif
