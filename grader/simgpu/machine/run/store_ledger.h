/* store_ledger.h - which bytes do all warps of a launch store to, as far as registers tell?
 *
 * Scouts (scout.h) go through warps without their data. Where they follow all warps of a launch to
 * the end, their stores tell of every byte of an output whether any warp writes it, not only of the
 * bytes that belong to blocks which run. Where control flow or an address depends on data, a ledger
 * is wrong: before relying on one, ask whether it fills most of an output.
 */
#ifndef SIM_STORE_LEDGER_H
#define SIM_STORE_LEDGER_H

#include "warp.h"

struct ledger;
/* NULL without memory; every other function then does nothing. */
struct ledger *ledger_new(struct sim_context *context);
void ledger_free(struct ledger *ledger);
/* The active lanes store bytes each at those addresses of global memory. */
void ledger_store(struct ledger *ledger, lane_mask active, const uint64_t *address, uint32_t bytes);
/* Something may be stored that is not in the ledger: from now on it says nothing. */
void ledger_spoil(struct ledger *ledger);
bool ledger_is_spoilt(const struct ledger *ledger);
/* What was stored, a sim_written for each buffer of repeated memory (sim_repeat); NULL when it says
 * nothing. It lives as long as the ledger. */
const struct sim_written *ledger_written(struct ledger *ledger, size_t *count);

#endif
