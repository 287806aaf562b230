/* record.h - the record of one check: JSON, from which everything else is derived.
 *
 *   schema 1      lesson, title, number      grader (version)      seed "0x..."
 *   started       "2026-11-20T10:00:00Z"     seconds      parts {name: seconds}
 *   submission    {path, is_own (the exercise in its place), sha256, bytes}
 *   device        {name, simulated, compute, memory_bytes, l2_bytes, ipc}: what judged numerics
 *                 and utilization
 *   device_note   why it is the simulated one although there seems to be a GPU; usually absent
 *   sandbox       "bubblewrap", "landlock" or "none" (runner/sandbox.h)
 *   self_check    true without a sandbox, or when data crossed by shared memory: must not be graded
 *   gates         in their order, as far as they were run:
 *     {gate, verdict, reason, advice, file, line, other_line, seconds, launch {count, blocks,
 *     threads, shared_bytes, and of a fault block and thread} (judge.h)} and
 *     build         cached, messages
 *     safety        cases, done, case (that failed)
 *     numerics      the same, device, worst_share, worst_case, wrong {buffer, total, wrong, first,
 *                   got, want, allowed, pattern, unwritten, zeros, stride}
 *     counters      wrong, as of numerics, shown (index of the case that failed, or 0),
 *                   broken_in_small (by a small case, whose name case is),
 *                   broken_rule (the counter, where the contract forbids it), cases [{case,
 *                   verdict, figures [{name, value, at_least or at_most, ok, rule, and of one that
 *                   is missed refuses, gain}],
 *                   remarks [sentences], refused or broken_rule (a counter), all {name: value},
 *                   worst_line {file, line, says, time, counters}, modelled {...}, regimes
 *                   [{regime, case, time_ns, reference_ns, share (of the reference's speed), least
 *                   (that is asked for); or regime, case, unsampled (why)}], in_another_case (slow
 *                   there, and not in this one), regime_kernel (as kernel below, and its case; then
 *                   worst_line is one of that case)}]
 *     utilization   measured, device, ratio, bar, gold, gold_bar, shown, cases [{case,
 *                   launcher, verdict, time_ns, reference_ns, ratio, low, high, rate, rate_unit,
 *                   ceiling, of_ceiling, ceiling_rate, and how it was timed}]
 *   verdict, failed_gate, reason, advice, broken_rule, in_another_case   of the first gate that is
 *                 not PASS
 *   missing_gates ["safety", ...]            that the simulated device could not measure, since it
 *                 does not know something in the submission; mostly absent
 *   line          {number, text, says, time, other {number, text}}     the source line to look at,
 *                 where one is known; time says its part of the modelled time; other is a race's
 *                 other party
 *   mistake       {name, hint}               when it is one of the lesson's known ones
 *   levels        [[sentences] of hint 1, of hint 2, of hint 3]   examine/levels.h
 *   kernel        of a SLOW one, what its longest launch filled (examine/facts.h), and, if it is
 *                 slow in another case than the timed one, case: which one that launch is of
 *   points        0 to 100, null when the check is to be run again; gold true or false
 *   log, log_capped                          what the submission printed
 *   settings      of the class for this lesson on this GPU (settings.h), where they counted
 *   ceilings      of the device (ceilings.h), when known
 *
 * A gate's "verdict" is a name of verdict.def.
 */
#ifndef CHECK_RECORD_H
#define CHECK_RECORD_H

#include "check/verdict.h"

#include <jansson.h>

enum { RECORD_SCHEMA = 1 };

/* Member of an object, "" or NAN or 0 when it is not there. */
const char *record_text(const json_t *object, const char *key);
double record_real(const json_t *object, const char *key);
int record_integer(const json_t *object, const char *key);

/* A gate by its name, or NULL. */
json_t *record_gate(const json_t *record, const char *name);
enum verdict record_verdict(const json_t *object);
/* Add a gate; takes ownership of outcome and returns it. */
json_t *record_add_gate(json_t *record, const char *name, json_t *outcome);
/* Text that came from elsewhere, as a JSON string whatever its bytes. */
json_t *record_clean(const char *text, size_t bytes);
json_t *record_outcome(enum verdict verdict, const char *reason);

/* Write it so that the file is complete or absent. False with errno. */
bool record_write(const json_t *record, const char *path);

#endif
