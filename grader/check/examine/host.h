/* host.h - what the submission's process does on the host: in its calls, between them, and when it
 * is loaded.
 *
 * No figure of the device tells it, and on a GPU it is time like any other. All of it is measured
 * by this machine's clock, which is why nobody is accused by one figure: a call is repeated, the
 * reference does the same in the same check, and what sleeps on a busy machine is told from what
 * waits for a processor by doing so every time.
 */
#ifndef EXAMINE_HOST_H
#define EXAMINE_HOST_H

#include "check/examine/figures.h"
#include "check/examine/measure.h"

/* A call on link has taken wall_ns. False, with a finding, when all calls of the submission
 * together have kept the host for longer than a check may. */
bool host_note_call(struct lab *lab, const struct link *link,
                    const struct runner_command *command, int64_t wall_ns,
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
