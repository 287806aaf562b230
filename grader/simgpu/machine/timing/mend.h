/* mend.h - the traces of a launch as they would be if a source line were as good as it can be.
 *
 *     suspects.c      finds the lines that are worth it
 *     what_if.c       asks for each mend of each
 *     gather.c        finds the basic blocks that whole warps would run less often
 *     regroup.c       finds out what each warp then does
 *     mend.c          rewrites the traces: below, word by word
 *     keep_sectors.c  what of a request remains; left_over.c: what is added to one
 *     thin.c          leaves arithmetic out
 *     mended_time.c   models the launch that comes of it
 *
 * Only what the mended line itself does changes; all else stays as it was traced. What becomes of a
 * request follows from the launch's exact counters: as many sectors as its bytes need, as few
 * wavefronts as the banks allow. Which of its lines remain is a guess: each request keeps some of
 * those that it touched, which no other has kept, so that together they still go through all of
 * them, but each goes through its own.
 */
#ifndef SIM_MEND_H
#define SIM_MEND_H

#include "observers.h"
#include "traced_sectors.h"

struct mend {
    enum sim_mend kind;
    double share; /* the share that is left, if the kind leaves some out */
    const struct launch *launch;
    bool *ops;           /* by op id: those of the line */
    double *block_share; /* by basic block id: of its executions, those that are left */
};

/* Does that kind of mend bring an access of that class down to as few sectors as possible? */
static inline bool mend_is_of_sectors(enum sim_mend kind, enum sim_access_class class)
{
    return kind == SIM_MEND_SECTORS ||
           (kind == SIM_MEND_LOAD_SECTORS && class == SIM_ACCESS_LOAD) ||
           (kind == SIM_MEND_STORE_SECTORS && class == SIM_ACCESS_STORE);
}

/* Does it leave some of the accesses of that class out? */
static inline bool mend_leaves_out(enum sim_mend kind, enum sim_access_class class)
{
    return class != SIM_ACCESS_NONE &&
           (kind == SIM_MEND_MOVED || (kind == SIM_MEND_LOADED && class == SIM_ACCESS_LOAD));
}

/* Fill in block_share: all ones, but with SIM_MEND_LANES. */
void mend_gather(const struct mend *mend);

/* The traces of the launch, mended; all else about it is as before. NULL when memory is exhausted.
 * The caller frees with mended_traces_free. */
struct traces *mended_traces(const struct mend *mend);
void mended_traces_free(struct traces *traces);

/* The modelled time of the launch, mended; before: of its own traces; footprint: its own. 0 without
 * memory. */
double mended_time(const struct mend *mend, const struct traced_sectors *before,
                   const struct footprint_bytes *footprint);

#endif
