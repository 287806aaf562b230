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

request_handler request_matmul_search;

/* Is payload a product that can be computed? Else false, and exchange failed. */
bool blaslt_accept(struct exchange *exchange, const void *payload, uint64_t payload_bytes);
/* Carry out a WORK_MATMUL; the client's lock is not held. Returns its modelled duration in ns. */
double blaslt_execute(struct client *client, struct work *work);

/* --- blaslt_model.c --------------------------------------------------------------------------- */

struct blaslt_estimate {
    double time_ns;                     /* modelled, from start to end */
    double waves;                       /* blocks for each multiprocessor */
    double dram_read_bytes, dram_write_bytes, l2_bytes;
    double tensor_instructions;         /* warp instructions of 16 x 8 x 16 */
    uint64_t blocks;
    const char *bound;                  /* "tensor cores", "FP32", "L2", "DRAM", "latency" */
};

/* problem and algo are checked: algo_check. */
struct blaslt_estimate blaslt_estimate(const struct sim_profile *profile,
                                       const struct matmul_problem *problem,
                                       const struct algo *algo);

/* --- blaslt_search.c -------------------------------------------------------------------------- */

/* What search asks for, best guess first; returns how many, at most MATMUL_MOST_CANDIDATES. */
size_t blaslt_search(const struct sim_profile *profile, const struct matmul_search *search,
                     struct matmul_candidate candidates[MATMUL_MOST_CANDIDATES]);

#endif
