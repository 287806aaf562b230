/* host.h - what the submission's process does on the host: in its calls, between them, and when it
 * is loaded.
 *
 * No figure of the device shows this, and on a GPU it is part of the measured time. It is measured
 * by a clock that stops while the work waits for a processor (work_clock.h), and that clock is not
 * exact. So a single figure condemns no submission: the call is repeated, and the reference does
 * the same in the same check.
 */
#ifndef EXAMINE_HOST_H
#define EXAMINE_HOST_H

#include "check/examine/figures.h"
#include "check/examine/measure.h"

/* How long a call takes, without the time that it waits for a processor: by the process's clock or,
 * where calls are compared, by samples at the call's beginning and end. */
struct host_call {
    bool exact;
    int64_t start_ns;
    struct work_moment from;
};
struct host_call host_call_begin(const struct lab *lab);
int64_t host_call_ns(const struct host_call *call);
/* Note that a call on link has taken took_ns, of which the device has seen report; NULL: nothing.
 * False, with a finding, when all calls of the submission together have used more of the host's
 * time than a check may. */
bool host_note_call(struct lab *lab, const struct link *link, const struct runner_command *command,
                    int64_t took_ns, const struct simgpu_report *report, struct finding *finding);
/* Wait until a runner that was started has loaded its submission: for some seconds, plus a multiple
 * of what the reference takes. */
enum link_event host_await_loaded(struct lab *lab, struct link *link, struct runner_answer *answer);

/* Note the runner's processor time when the window is shut after a call, and before it is opened
 * for the next one. False, with a finding, when the runner works all the time between these two. */
void host_note_shut(struct lab *lab, const struct link *link);
bool host_note_open(struct lab *lab, const struct link *link, struct finding *finding);

/* Called once all cases are right. False if the timed call, which took host_ns, takes the host much
 * longer than the reference's call each time. */
bool host_is_quick(struct lab *lab, struct timed *timed, const struct figures_reference *reference,
                   double host_ns, struct finding *finding);
/* The same for a third of all calls, even when they are repeated. */
bool host_is_quick_in_all(struct lab *lab, struct finding *finding);

#endif
