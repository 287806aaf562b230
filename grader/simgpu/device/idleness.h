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
    double unanswered_ms;           /* since then, that it had asked the device and got no answer */
    uint64_t seen_answers;
};

enum idleness_says { IDLENESS_UNCLEAR, IDLENESS_WAITS, IDLENESS_GIVE_UP };

/* Of what it asks the device. */
struct talk {
    uint64_t acts;    /* requests so far that are no waiting */
    uint64_t answers; /* requests so far, of any kind, that were answered */
    bool is_asking;   /* there is one that is not answered yet */
};

/* A look at it, interval_ms after the last one. seen: NULL if nothing can be seen. */
enum idleness_says idleness_note(struct idleness *idleness, const struct talk *talk,
                                 const struct process_seen *seen, double interval_ms);

#endif
