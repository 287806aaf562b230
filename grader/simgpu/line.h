/* line.h - source lines of a report: adding them up, ranking them, and saying in a sentence what is
 * wrong with one.
 *
 * The profile of `simgpu run` and the check both use it, and so say the same of the same line.
 */
#ifndef SIMGPU_LINE_H
#define SIMGPU_LINE_H

#include "machine/machine.h"
#include "simgpu.h"

/* If the distances of neighbours differ in the two, the sum has none. */
void line_add_access(struct simgpu_access *to, const struct simgpu_access *from);
/* to keeps its place. */
void line_add(struct simgpu_line *to, const struct simgpu_line *from);

/* By file name, then by number; for qsort. */
int line_compare_places(const void *a, const void *b);

/* All accesses of global and local memory together, and all of shared memory. */
struct simgpu_access line_memory(const struct simgpu_line *line);
struct simgpu_access line_shared(const struct simgpu_line *line);

/* What a line costs, in issue slots: a warp instruction takes one, a request as many more as it
 * has sectors or wavefronts. Good enough to sort by. */
uint64_t line_cost(const struct simgpu_line *line);

/* Its part of the modelled time of what was launched, in ns: what its warps spend on issuing its
 * instructions or waiting for them. */
double line_time(const struct simgpu_line *line);

/* One sentence without the line's number, into text. */

/* "loads touch 32.0 sectors a request, 4.0 would do: neighbouring lanes read addresses 1 KiB
 * apart"; access has requests. */
void line_say_loads(const struct simgpu_access *access, char *text, size_t bytes);
void line_say_stores(const struct simgpu_access *access, char *text, size_t bytes);
/* "shared memory takes 32.0 wavefronts a request, 1.0 would do: ..." */
void line_say_shared(const struct simgpu_line *line, char *text, size_t bytes);
/* "16.0 of 32 lanes work: ..." */
void line_say_lanes(const struct simgpu_line *line, char *text, size_t bytes);
/* Where most of its time goes: "81 % of it waiting for memory"; empty when it has no time. */
void line_say_time(const struct simgpu_line *line, char *text, size_t bytes);
/* The mend of the line that gains most, and what it gains, in ns of modelled time; 0 when there is
 * none. */
double line_gain(const struct simgpu_line *line, enum sim_mend *mend);
/* "with as few sectors as its bytes need this kernel would take 0.17 of its time (modelled)", where
 * whole_ns is the modelled time of all that the line was part of, called whole ("this kernel").
 * Empty when it would gain less than one part in a hundred. */
void line_say_gain(const struct simgpu_line *line, double whole_ns, const char *whole, char *text,
                   size_t bytes);
/* What is worst about the line; if nothing is bad, what it spends its time on. */
void line_say(const struct simgpu_line *line, char *text, size_t bytes);

#endif
