/* verdict.h - the one list of verdicts, with what each means for exit code and points.
 *
 * verdict.def holds the list; everything about verdicts expands from it.
 */
#ifndef CHECK_VERDICT_H
#define CHECK_VERDICT_H

#include <stdbool.h>

enum verdict {
#define VERDICT(name, exit_code, points, sentence, advice) VERDICT_##name,
#include "check/verdict.def"
#undef VERDICT
    VERDICTS
};

enum verdict_points { POINTS_ALL, POINTS_GATES, POINTS_NONE, POINTS_AGAIN };

/* "OUT_OF_BOUNDS": as in records, corpus headers and grades.csv. */
const char *verdict_name(enum verdict verdict);
/* False when name is no verdict. */
bool verdict_named(const char *name, enum verdict *verdict);
int verdict_exit_code(enum verdict verdict);
enum verdict_points verdict_points(enum verdict verdict);
/* What the kernel did, without its subject: "gives wrong results". */
const char *verdict_sentence(enum verdict verdict);
/* What it means and where to look, in about two sentences; or "", where a lesson's hints help. */
const char *verdict_advice(enum verdict verdict);

/* The verdict for a fault of the simulated device (SIM_FAULT_..., machine.h). */
enum verdict verdict_of_fault(int fault);
/* The plainest fault of those that give OUT_OF_BOUNDS. */
bool verdict_is_null_pointer(int fault);
/* One of those that give BARRIER: a shuffle from a lane that the block does not have. */
bool verdict_is_absent_lane(int fault);
/* Is it a race in global memory, after which a launch goes on? */
bool verdict_is_global_race(int fault);
/* Is it a race between pieces of work that nothing orders? */
bool verdict_is_unordered(int fault);

#endif
