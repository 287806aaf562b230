/* figures.h - what one call of the launcher cost on the simulated device, in the judge's terms.
 *
 * The device reports launches and source lines; this turns them into the counters of judge.h, and
 * finds the line to blame for one of them. Pure functions over a report: tested without a device.
 */
#ifndef EXAMINE_FIGURES_H
#define EXAMINE_FIGURES_H

#include "check/examine/figure.h"
#include "check/judge.h"
#include "simgpu/simgpu.h"

/* The denominators of some counters. */
struct figures_reference {
    bool known; /* else the others say nothing */
    double warp_instructions, load_bytes, asked_bytes;
    double modelled_ns;
};

/* Figures that are not in the report. */
struct figures_own {
    uint64_t synchronisations, copies; /* made by the runner around the submission's */
    bool is_shared;                    /* several processes, with copies around them */
    bool by_time_line;                 /* judge.h */
    double span_ns;                    /* of the time line, then */
    struct figure handed_bytes;        /* from process to process */
};

struct figures {
    struct figure counter[JUDGE_COUNTERS];
    struct figures_reference sums; /* of this call, for another's ratios */
    const char *bound;             /* what bounds the longest launch; lives in the report */
};

void figures_of(const struct simgpu_report *report, const struct judge_work *work,
                const struct figures_own *own, const struct figures_reference *reference,
                struct figures *figures);

/* The same of a single source line. */
void figures_of_line(const struct simgpu_line *line, struct figure counter[JUDGE_COUNTERS]);

/* All launches' lines, each place once; only those of file (a base name) if it has any. The caller
 * frees the list. NULL when there are none. */
struct simgpu_line *figures_lines(const struct simgpu_report *report, const char *file,
                                  size_t *count);

/* The line that contributes most to counter, or NULL. JUDGE_COUNTER_NONE: the line with the most
 * modelled time. */
const struct simgpu_line *figures_worst(const struct simgpu_line *lines, size_t count,
                                        enum judge_counter counter);
/* What is wrong with that line, without its number: "loads touch 32.0 sectors a request, 4.0 would
 * do". Empty if there is nothing to say. */
void figures_say(const struct simgpu_line *lines, size_t count, const struct simgpu_line *line,
                 enum judge_counter counter, char *text, size_t bytes);
/* The line's part of the report's modelled time, and what it is spent on; if another line takes
 * longest, which one. Empty if the line takes no time. "62 % of the kernels' time (modelled,
 * simulated NVIDIA H200) goes into this line, 81 % of it waiting for memory" */
void figures_say_time(const struct simgpu_report *report, const struct simgpu_line *lines,
                      size_t count, const struct simgpu_line *line, char *text, size_t bytes);
/* The time that the call's kernels would take with that line fixed; empty if that gains nothing. */
void figures_say_gain(const struct simgpu_report *report, const struct simgpu_line *line,
                      char *text, size_t bytes);

#endif
