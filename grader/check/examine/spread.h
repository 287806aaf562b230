/* spread.h - a case of any size in memory: every buffer is a separate allocation, and never whole
 * on the host.
 *
 * A long input is made from a period of random elements. On the simulated device it is made where
 * it is touched (simgpu.h, repeat), from sectors of the period in a drawn order, so a kernel that
 * has not read an element does not know it. On a GPU it is copied, period by period; the period's
 * length is a prime, so that no power of two and no row of a matrix leads back to the same element.
 * Outputs hold NaNs at first on a GPU, and on the simulated device drawn numbers, which look like
 * answers. Then everything that the blocks touched is verified or, on a GPU, windows: at both ends,
 * around the elements where a 32-bit index overflows, and at random places.
 *
 * Order of calls: spread_open, spread_command, lab_run with spread_fill, spread_verify,
 * spread_close.
 */
#ifndef EXAMINE_SPREAD_H
#define EXAMINE_SPREAD_H

#include "check/examine/compare.h"
#include "check/examine/device.h"
#include "check/examine/lab.h"

struct spread_source {
    const struct spread *spread;
    size_t part;
};

struct spread {
    struct lab *lab;
    const struct judge_case *problem;
    struct image image;                        /* parts and sizes; offsets and bytes are not used */
    struct room rooms[JUDGE_MOST_BUFFERS];     /* by part; none for parts with a home elsewhere */
    unsigned char *period[JUDGE_MOST_BUFFERS]; /* of inputs, and of drawn poison */
    uint64_t period_bytes[JUDGE_MOST_BUFFERS];
    uint64_t order[JUDGE_MOST_BUFFERS]; /* seed of the order of its sectors; 0: it repeats */
    struct spread_source source[JUDGE_MOST_BUFFERS];
    struct judge_inputs inputs;
    uint64_t seed;
    bool all_blocks;   /* all ran, so each touched element has its value */
    bool is_timed;     /* blocks ran that share a multiprocessor, besides those that chance chose */
    bool is_drawn;     /* chance chose these, too; or all ran */
    uint64_t verified; /* elements of outputs compared with the truth */
};

/* Bytes that the case takes on the device. */
uint64_t spread_bytes(const struct lab *lab, const struct judge_case *problem);
bool spread_open(struct lab *lab, const struct judge_case *problem, uint64_t seed,
                 struct spread *spread, struct finding *finding);
/* Write what the case starts with: for struct lab_fill, whose context is the spread. */
bool spread_fill(void *spread, unsigned process, struct finding *finding);
/* The same for one part that has its own room. */
bool spread_fill_part(struct spread *spread, size_t part, struct finding *finding);
/* link: the runner that was told about it. */
void spread_close(struct lab *lab, struct link *link, struct spread *spread);
/* Tell the runner about it, and make the command for one launch. */
void spread_command(struct link *link, const struct spread *spread, struct runner_command *command);
/* Compare what was touched, or the windows, with the truth: at most that many elements, 0 for all.
 * Inputs must be unchanged. report: of the launches, on the simulated device; otherwise NULL.
 * comparison and buffer: of the first output that is wrong. */
bool spread_verify(struct lab *lab, struct spread *spread, const struct simgpu_report *report,
                   uint64_t most, struct comparison *comparison, size_t *buffer,
                   struct finding *finding);

/* On the simulated device: did several launches, copies or sets do the case, some of which ran in
 * part? Then a block may miss what another launch should have left for it, and what a whole launch
 * left first may remain where blocks of the last did not run. */
bool spread_is_mixed(const struct simgpu_report *report);

/* On a GPU: the elements of an output that no block has written; none if it is an input, too.
 * False: the device refuses. */
bool spread_unwritten(const struct spread *spread, size_t part, struct device_found *found);

/* Where a part's memory was touched, on the simulated device: the caller frees the list. */
struct stretches {
    struct simgpu_touched *list;
    size_t count;
};
bool spread_stretches(struct lab *lab, const struct spread *spread, size_t part,
                      struct stretches *stretches);

#endif
