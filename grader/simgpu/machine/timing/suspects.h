/* suspects.h - the source lines of a launch, and which mends of them are worth asking for. */
#ifndef SIM_SUSPECTS_H
#define SIM_SUSPECTS_H

#include "machine_internal.h"

struct waste {
    double spent, needed;
};

/* A line of the source as far as the launch ran it, or all of them together. */
struct suspect {
    const struct sim_line *line;             /* NULL: all of them */
    double ns, barrier_ns;                   /* its part of the modelled time */
    uint64_t local;                          /* words spilled and requests to local memory */
    bool answers_for_local;                  /* no line has more such words */
    bool splits;                             /* warps, at a branch */
    struct waste loads, stores, other;       /* sectors of global memory; other: of atomics */
    struct waste wavefronts, lanes, atomics; /* atomics: lanes, and addresses that they update */
    struct waste reads; /* sectors of traced blocks, and those that a block had not yet
                                    * read when it asked for them */
};

/* The lines of the launch, those that take longest first, into *suspects, which the caller frees;
 * *all is their sum. Returns how many; 0 also without memory. */
size_t suspects_find(const struct launch *launch, struct suspect **suspects, struct suspect *all);

/* May that mend be worth anything? */
bool suspect_may_gain(const struct suspect *suspect, enum sim_mend mend, double launch_ns);

/* Is all that such a mend of all lines can save the suspect's? Then both gain the same. */
bool suspect_has_all(const struct suspect *suspect, const struct suspect *all, enum sim_mend mend);
/* Does a mend of the suspect change what the op, by its id, does? */
bool suspect_has_op(const struct suspect *suspect, enum sim_mend mend, const struct module *module,
                    uint32_t op);
/* Is it that line, or, without a number, all of them? */
bool suspect_is_line(const struct suspect *suspect, const struct sim_line *line);

#endif
