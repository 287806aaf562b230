/* idleness.h - does a process only wait? What it looks like, several times in a row, tells. */
#ifndef SIMGPU_IDLENESS_H
#define SIMGPU_IDLENESS_H

#include "lib/process_seen.h"

#include <stdbool.h>
#include <stdint.h>

struct idleness {
    uint64_t seen_acts, seen_ticks; /* at the last look; ticks: of processor time */
    double idle_ms;                 /* that it slept or computed since its latest act */
    unsigned looks;                 /* since then, but for those at which it had no processor */
};

enum idleness_says { IDLENESS_UNCLEAR, IDLENESS_WAITS, IDLENESS_GIVE_UP };

/* A look at it, interval_ms after the last one. acts: what it has done so far that is no waiting;
 * seen: NULL if nothing can be seen. */
enum idleness_says idleness_note(struct idleness *idleness, uint64_t acts,
                                 const struct process_seen *seen, double interval_ms);

#endif
