/* conclude.h - from the gates of a record to its verdict, points, source line and evidence. */
#ifndef CHECK_CONCLUDE_H
#define CHECK_CONCLUDE_H

#include "check/course.h"
#include "check/source.h"

#include <jansson.h>

/* What each gate is worth; a lesson has 100 points. */
enum { POINTS_NUMERICS = 40, POINTS_COUNTERS = 30, POINTS_UTILIZATION = 30 };

/* Sets verdict, failed_gate, reason, advice, points and gold from the gates. A record without all
 * five gates cannot pass. strict: one whose data crossed by shared memory gets no grade. */
void conclude_verdict(json_t *record, bool strict);

/* Sets line, when a gate knows one and it is in the learner's file (slug.cu). */
void conclude_line(json_t *record, const struct source *source, const char *slug);

/* What a judge's mistakes are recognised by (struct judge_evidence). */
json_t *conclude_evidence(const json_t *record);

#endif
