/* host.h - what the submission's process does on the host: in its calls, between them, and when it
 * is loaded.
 *
 * No figure of the device tells it, and on a GPU it is time like any other. All of it is measured
 * by a clock that stands while the work waits for a processor (work_clock.h), which is not exact.
 * So no submission is accused by one figure: a call is repeated, and the reference does the same in
 * the same check.
 */
#ifndef EXAMINE_HOST_H
#define EXAMINE_HOST_H

#include "check/examine/figures.h"
#include "check/examine/measure.h"

/* How long a call takes, without what this machine keeps it waiting for a processor: by the
 * process's clock, and where calls are compared by looks at its begin and its end. */
struct host_call {
    bool exact;
    int64_t start_ns;
    struct work_moment from;
};
struct host_call host_call_begin(const struct lab *lab);
int64_t host_call_ns(const struct host_call *call);
/* A call on link has taken took_ns. False, with a finding, when all calls of the submission
 * together have kept the host for longer than a check may. */
bool host_note_call(struct lab *lab, const struct link *link,
                    const struct runner_command *command, int64_t took_ns,
                    struct finding *finding);
/* Wait until a runner that was started has loaded its submission: some seconds, and some times as
 * long as the reference takes. */
enum link_event host_await_loaded(struct lab *lab, struct link *link,
                                  struct runner_answer *answer);

/* The window is shut after a call, and is to be opened for the next one: what the runner's
 * processor time is between these two. False, with a finding, when it works all the time. */
void host_note_shut(struct lab *lab, const struct link *link);
bool host_note_open(struct lab *lab, const struct link *link, struct finding *finding);

/* Once all cases are right. Does the timed call, which took host_ns, take the host much longer than
 * the reference's, each time? */
bool host_is_quick(struct lab *lab, struct timed *timed,
                   const struct figures_reference *reference, double host_ns,
                   struct finding *finding);
/* Do a third of all calls, and again when they are repeated? */
bool host_is_quick_in_all(struct lab *lab, struct finding *finding);

#endif
