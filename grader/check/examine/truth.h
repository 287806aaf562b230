/* truth.h - outputs of any size held to the judge's truth, by elements that are drawn.
 *
 * The truth of all elements of a GPU's timed case would take the CPU minutes; that of one takes
 * microseconds. So windows of each output are drawn after the launch, and every element in them is
 * held to the bound of judge.truth_at: the same that the simulated device's outputs are held to.
 * The elements between the windows are for whoever holds the whole output to the reference's;
 * truth_held.share says how far two results that are both within the bound may lie apart.
 *
 * Order of calls: truth_inputs, truth_hold (any number of times), truth_forget.
 */
#ifndef EXAMINE_TRUTH_H
#define EXAMINE_TRUTH_H

#include "check/examine/compare.h"
#include "check/examine/lab.h"

/* Memory of an image's layout, the device's or the host's: what a launch has left. Of its inputs,
 * which must be what they were before, and stay so until truth_forget, pages are copied to the host
 * when they are asked for. */
struct truth_copy;
struct truth_inputs {
    const struct image *image;
    const unsigned char *memory;
    bool on_host;
    struct judge_inputs inputs;            /* as judge.truth_at takes them */
    struct truth_copy *copy[JUDGE_MOST_BUFFERS];
};
/* False: no memory on the host; nothing has to be forgotten then. */
bool truth_inputs(const struct image *image, const unsigned char *memory, bool on_host,
                  struct truth_inputs *inputs);
void truth_forget(struct truth_inputs *inputs);

struct truth_held {
    uint64_t elements;                     /* that were held */
    double worst_share;                    /* largest |error| / allowed of them */
    /* By part, of outputs: the largest allowed / the root mean square of expected, of finite ones.
     * Two results within their bounds differ by at most twice that. 0: in nothing but the bits of
     * a NaN. */
    double share[JUDGE_MOST_BUFFERS];
};

/* Can elements of this judge's outputs be held one by one? */
bool truth_is_known(const struct judge *judge);
/* Hold about `most` elements of each output, whose places come from seed, at both ends in any case.
 * False with a finding when one is wrong, or the device gives no copy. held may be NULL. */
bool truth_hold(const struct judge *judge, const struct judge_case *problem,
                const struct truth_inputs *inputs, uint64_t most, uint64_t seed,
                struct truth_held *held, struct finding *finding);
/* So many elements that their truth takes about so many operations: 2^24 is some 20 ms. */
uint64_t truth_elements(const struct judge *judge, const struct judge_case *problem,
                        double operations);

#endif
