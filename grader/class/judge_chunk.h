/* judge_chunk.h - judges one chunk of a run's tasks (task_list.h) on a node of a cluster.
 *
 * It needs the folder of the gradebook, the key of the seals in it, and not the gradebook, which
 * another machine may be writing. A task that has a sealed record is never judged again, so that
 * the same chunk may be started as often as its node fails.
 */
#ifndef CLASS_JUDGE_CHUNK_H
#define CLASS_JUDGE_CHUNK_H

#include "check/course.h"
#include "lib/terminal.h"

enum { JUDGE_UNFIT = 75 }; /* EX_TEMPFAIL of sysexits.h: this node cannot judge */

/* chunk: its number as text, from 0 on. The exit status: 0 when each of its tasks has a record,
 * JUDGE_UNFIT when the course's own solution does not pass here, 130 when interrupted, that of
 * VERDICT_DEVICE when tasks are left for another reason. */
int judge_chunk(const struct course *course, const char *out, const char *chunk,
                const struct terminal *terminal);

#endif
