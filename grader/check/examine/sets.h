/* sets.h - one timed case at several places in device memory, with new contents for every block.
 *
 * Each launch of a block uses another set, with its own inputs and a poisoned output: so a
 * submission can remember nothing from one launch to the next, and every launch of a block is
 * verified. There are two sides. The reference works in rooms of its own, which the submission's
 * process is never shown: so a submission cannot find the reference's results. Both sides get the
 * same inputs, from a counter-based generator: element i is a function of a key and of i (data.h),
 * and the key is new for every set of every block. The host draws what a device cannot (special
 * values, or what a judge fills itself): small buffers each time, large ones once, but with another
 * offset each time.
 *
 * Outputs are compared with the reference's on the same inputs: at this size the truth of a matrix
 * product would take the CPU minutes, and the reference has been compared with the truth in the
 * small cases. Where a call works in place, the inputs that the truth needs are gone after it, and
 * a set that several launches of a block use has advanced by the same number of steps on both
 * sides.
 */
#ifndef EXAMINE_SETS_H
#define EXAMINE_SETS_H

#include "check/examine/truth.h"

enum sets_side { SETS_OF_SUBMISSION, SETS_OF_REFERENCE, SETS_SIDES };

struct sets {
    const struct judge_case *problem;
    struct image image; /* the layout; its bytes are not made */
    size_t count, sides;
    struct room rooms[SETS_SIDES][RUNNER_MOST_SETS];
    uint64_t key;                            /* secret: no report shows it */
    uint64_t blocks;                         /* made so far */
    size_t first;                            /* set of the current block's first launch */
    unsigned char *pool[JUDGE_MOST_BUFFERS]; /* device memory for data drawn once, or NULL */
    uint64_t slack[JUDGE_MOST_BUFFERS]; /* how many elements a pool is longer than its buffer */
    unsigned char *flush;               /* device memory larger than the L2 cache */
    double scale[JUDGE_MOST_BUFFERS];   /* root mean square of each output */
    bool scaled;
    struct truth_held held; /* of outputs that were compared with the truth */
    bool is_held;
    unsigned char *brought[SETS_SIDES]; /* an image of each, without CUDA IPC */
};

/* Open as many sets as fit, at most that many, for one side or for both. */
bool sets_open(struct lab *lab, const struct judge_case *problem, size_t most, size_t sides,
               struct sets *sets, struct finding *finding);
void sets_close(struct lab *lab, struct sets *sets);
/* Tell a runner of one side. */
void sets_show(struct sets *sets, enum sets_side side, struct link *link);
/* Make it forget everything that it was shown. */
void sets_hide(struct link *link);

/* A new block: new inputs in every set, poisoned outputs, nothing useful in the L2 cache. Returns
 * when the device is done. */
bool sets_refresh(struct lab *lab, struct sets *sets);
/* The launch command for that many launches over the sets of a side. */
void sets_command(const struct sets *sets, enum sets_side side, uint32_t launches,
                  struct runner_command *command);

/* The set that a launch of the current block uses, and where its image is: on the device, or in
 * memory shared with the runner. */
size_t sets_of_launch(const struct sets *sets, size_t launch);
unsigned char *sets_image(const struct lab *lab, const struct sets *sets, enum sets_side side,
                          size_t set);

/* Compare what the submission left in the sets of its launches with what the reference left in the
 * same ones, on the device: copying to the host would take longer than all the launches. Every
 * output is compared, and the inputs of one set, drawn now. In the first block and in one of eight,
 * drawn now, elements of that set are compared with the judge's own truth, too (truth.h). */
bool sets_verify(struct lab *lab, struct sets *sets, uint32_t launches, struct finding *finding);

#endif
