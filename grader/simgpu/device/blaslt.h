/* blaslt.h - the device's part of cuBLASLt: which algorithms to try for a product, how long each
 * would take, and the product itself.
 *
 * The library (../blaslt/client) keeps descriptors and answers what needs no device; it sends the
 * plain data of ../blaslt/matmul.h. As everywhere here, nothing that comes from a program is
 * trusted: blaslt_accept checks it again.
 *
 * Reading order: blaslt_model.c (time), blaslt_search.c (candidates), blaslt.c (work).
 */
#ifndef DEVICE_BLASLT_H
#define DEVICE_BLASLT_H

#include "../blaslt/algo.h"
#include "device.h"
#include "library_work.h"

request_handler request_matmul_search;

/* Is payload a product that can be computed? Else false, and exchange failed. */
bool blaslt_accept(struct exchange *exchange, const void *payload, uint64_t payload_bytes);
/* Carry out a WORK_MATMUL; the client's lock is not held. Returns its modelled duration in ns. */
double blaslt_execute(struct client *client, struct work *work);

/* --- blaslt_model.c --------------------------------------------------------------------------- */

/* problem and algo are checked: algo_check. */
struct library_estimate blaslt_estimate(const struct sim_profile *profile,
                                        const struct matmul_problem *problem,
                                        const struct algo *algo);

/* --- blaslt_search.c -------------------------------------------------------------------------- */

/* The algorithms for a search, best guess first; returns how many, at most
 * MATMUL_MOST_CANDIDATES. */
size_t blaslt_search(const struct sim_profile *profile, const struct matmul_search *search,
                     struct matmul_candidate candidates[MATMUL_MOST_CANDIDATES]);

#endif
