/* device.h - what a GPU does for the grader itself, so that gigabytes need not cross to the host:
 * draw inputs, find what no block has written, compare one output with another.
 *
 * These are the grader's own kernels (device.cu), launched on its own memory and on the default
 * stream. Each call returns when the device is done, unless its comment says that it is queued.
 * False: the device refuses.
 */
#ifndef EXAMINE_DEVICE_H
#define EXAMINE_DEVICE_H

#include "check/judge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Inputs ----------------------------------------------------------------------------------- */

/* Can device_fill draw such data? */
bool device_fills(enum judge_type type, enum judge_data data);
/* Fill count elements at both places (the second may be NULL) with what data_fill (data.h) draws
 * from the stream of seed. Queued. */
bool device_fill(void *first, void *second, enum judge_type type, enum judge_data data,
                 uint64_t count, uint64_t seed);

/* --- Searches --------------------------------------------------------------------------------- */

/* Elements that a search found. */
struct device_found {
    uint64_t count;
    uint64_t first, last; /* by index; of none when count is 0 */
};

/* Find elements whose bytes are all poison: nothing has been written there. */
bool device_find_unwritten(const void *memory, uint64_t count, uint64_t element_bytes,
                           unsigned char poison, struct device_found *found);

/* Find elements of got that are farther from wanted than share * (|wanted| + scale); if share and
 * scale are 0, those with another value. Any two NaNs are equal. Both arrays are on the device. */
bool device_find_unlike(const void *got, const void *wanted, enum judge_type type, uint64_t count,
                        double share, double scale, struct device_found *found);

/* Several searches at a time: begin, queue each under its own number, end. */
enum { DEVICE_MOST_SEARCHES = 1024 };
bool device_search_begin(void);
bool device_search_unlike(size_t search, const void *got, const void *wanted, enum judge_type type,
                          uint64_t count, double share, double scale);
bool device_search_end(size_t count, struct device_found *found);

#ifdef __cplusplus
}
#endif

#endif
