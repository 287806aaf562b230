/* truth.h - outputs of any size compared with the judge's truth, by drawn elements.
 *
 * The truth of all elements of a GPU's timed case would take the CPU minutes; that of one takes
 * microseconds. So windows of each output are drawn after the launch, and every element in them
 * must be within the bound of judge.truth_at, as on the simulated device. The elements between the
 * windows are compared with the reference's elsewhere; truth_held.share says how far apart two
 * results within the bound may be.
 *
 * Order of calls: truth_inputs, truth_hold (any number of times), truth_forget.
 */
#ifndef EXAMINE_TRUTH_H
#define EXAMINE_TRUTH_H

#include "check/examine/compare.h"
#include "check/examine/lab.h"

/* Memory of an image's layout, the device's or the host's: what a launch has left. Pages of its
 * inputs, which must not change until truth_forget, are copied to the host on demand. */
struct truth_copy;
struct truth_inputs {
    const struct image *image;
    const unsigned char *memory;
    bool on_host;
    struct judge_inputs inputs; /* as judge.truth_at takes them */
    struct truth_copy *copy[JUDGE_MOST_BUFFERS];
};
/* False: memory on the host is exhausted, and there is nothing to forget. */
bool truth_inputs(const struct image *image, const unsigned char *memory, bool on_host,
                  struct truth_inputs *inputs);
void truth_forget(struct truth_inputs *inputs);

struct truth_held {
    uint64_t elements;  /* that were held */
    double worst_share; /* largest |error| / allowed of them */
    /* By part, for outputs: the largest allowed / the root mean square of expected, over finite
     * ones. Two results within their bounds differ by at most twice that. 0: they differ only in
     * the bits of a NaN. */
    double share[JUDGE_MOST_BUFFERS];
};

/* Can elements of this judge's outputs be compared one by one? */
bool truth_is_known(const struct judge *judge);
/* Compare about `most` elements of each output, at places drawn by seed, always including both
 * ends. False with a finding when one is wrong, or the device gives no copy. held may be NULL. */
bool truth_hold(const struct judge *judge, const struct judge_case *problem,
                const struct truth_inputs *inputs, uint64_t most, uint64_t seed,
                struct truth_held *held, struct finding *finding);
/* The number of elements whose truth takes about that many operations: 2^24 take about 20 ms. */
uint64_t truth_elements(const struct judge *judge, const struct judge_case *problem,
                        double operations);

#endif
