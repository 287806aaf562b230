/* sets.h - one timed case in several places of device memory, made fresh for every block.
 *
 * A block of launches goes through sets, each of which has its own inputs and a poisoned output,
 * and through none of them twice: nothing can be remembered from one launch to the next, and every
 * launch of a block is verified. There are two sides. The reference works in rooms of its own,
 * which the submission's process is never shown: what the reference has worked out lies nowhere
 * that a submission could find it. Both sides get the same inputs, from a generator that counts:
 * element i is a function of a key and of i (data.h), and the key is new for every set of every
 * block. What a device cannot draw (special values, or what a judge fills itself) is drawn by the
 * host: small buffers anew each time, large ones once, and then they start at another offset each
 * time.
 *
 * Outputs are held to the reference's on the same inputs: at this size the truth of a matrix
 * product would take the CPU minutes, and the reference has been held to the truth on the small
 * cases.
 */
#ifndef EXAMINE_SETS_H
#define EXAMINE_SETS_H

#include "check/examine/truth.h"

enum sets_side { SETS_OF_SUBMISSION, SETS_OF_REFERENCE, SETS_SIDES };

struct sets {
    const struct judge_case *problem;
    struct image image;                    /* the layout; its bytes are not made */
    size_t count, sides;
    struct room rooms[SETS_SIDES][RUNNER_MOST_SETS];
    uint64_t key;                          /* secret, and no part of what a report shows */
    uint64_t blocks;                       /* made so far */
    size_t first;                          /* set of the current block's first launch */
    unsigned char *pool[JUDGE_MOST_BUFFERS]; /* device memory of what is drawn once, or NULL */
    uint64_t slack[JUDGE_MOST_BUFFERS];    /* elements that a pool is longer than its buffer */
    unsigned char *flush;                  /* device memory that the L2 cache has no room beside */
    double scale[JUDGE_MOST_BUFFERS];      /* root mean square of each output */
    bool scaled;
    struct truth_held held;                /* of outputs that were held to the truth */
    bool is_held;
    unsigned char *brought[SETS_SIDES];    /* an image of each, without CUDA IPC */
};

/* As many sets as fit, at most that many, of one side or of both. */
bool sets_open(struct lab *lab, const struct judge_case *problem, size_t most, size_t sides,
               struct sets *sets, struct finding *finding);
void sets_close(struct lab *lab, struct sets *sets);
/* Tell a runner of one side. */
void sets_show(struct sets *sets, enum sets_side side, struct link *link);
/* Let it forget all that it was shown. */
void sets_hide(struct link *link);

/* A new block: new inputs in every set, poisoned outputs, nothing of use in the L2 cache. Returns
 * when the device is done. */
bool sets_refresh(struct lab *lab, struct sets *sets);
/* The launch command for so many launches over the sets of a side. */
void sets_command(const struct sets *sets, enum sets_side side, uint32_t launches,
                  struct runner_command *command);

/* The set that a launch of the current block works in, and where its image lies: on the device, or
 * in memory shared with the runner. */
size_t sets_of_launch(const struct sets *sets, size_t launch);
unsigned char *sets_image(const struct lab *lab, const struct sets *sets, enum sets_side side,
                          size_t set);

/* Hold what the submission left in the sets of its launches to what the reference left in the same
 * ones, on the device: crossing to the host would take longer than all the launches. Every output
 * is looked at, and the inputs of one set, drawn now. In the first block and in one of eight, drawn
 * now, elements of that set are held to the judge's own truth, too (truth.h). */
bool sets_verify(struct lab *lab, struct sets *sets, uint32_t launches, struct finding *finding);

#endif
