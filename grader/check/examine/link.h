/* link.h - the grader's end of the pipes to one runner.
 *
 * What comes through the answers' pipe was written by untrusted code: it is read in pieces of fixed
 * size and only ever means "go on" or "stop". What the runner prints is kept up to a limit and then
 * thrown away, but always read, so that a flood blocks nothing.
 */
#ifndef EXAMINE_LINK_H
#define EXAMINE_LINK_H

#include "lib/group.h"
#include "check/verdict.h"
#include "runner/protocol.h"
#include "runner/sandbox.h"

#include <sys/types.h>

enum { LINK_LOG_BYTES = 64 * 1024 };

struct link_spec {
    const char *runner; /* the program */
    const char *lesson;
    const char *submission; /* the .so */
    enum sandbox_kind sandbox;
    bool gpu;      /* show it the device nodes */
    int shared_fd; /* memory shared with it, or -1 */
    int handed_fd; /* the file that this process hands on, or -1: handed.h */
    /* The total wait for a submission's runners so far, and its limit; NULL if there is none, as
     * for the reference. */
    int64_t *spent_ns, most_ns;
    int listening_ms; /* it must read a command within that; 0 for the usual seconds */
};

struct link {
    pid_t pid;             /* 0 when there is none */
    struct group group;    /* of it and all it starts, if available */
    struct link_spec spec; /* how it was started, so that another can be as well */
    struct runner_open open[RUNNER_MOST_SLOTS]; /* by slot; size_bytes 0 when not open */
    int commands, answers, log_fd;
    uint64_t secret;           /* what serials come from */
    uint32_t serial, launches; /* of the last launch; and how many there were */
    int32_t wanted;            /* judge_case.refused_with of that one */
    bool load_late;            /* it took much longer to load than the reference */
    bool was_busy;             /* a deadline was missed in real time only: work_clock.h */
    bool deaf;                 /* it did not read what it was sent in time */
    bool starved;              /* the kernel ended it for want of memory, which it did not cause */
    bool babbled;              /* it answered a question that it had not been asked yet */
    char log[LINK_LOG_BYTES + 1];
    size_t log_bytes;
    bool log_capped, log_ended;
    int status; /* once it has ended */
};

/* How a wait for an answer ended. */
enum link_event { LINK_ANSWERED, LINK_ENDED, LINK_LATE, LINK_BABBLED };

/* Start a runner; it begins by loading the submission. False when it cannot be started. */
bool link_start(struct link *link, const struct link_spec *spec);
/* Also collects its whole log. */
void link_stop(struct link *link);
/* Have it end by itself; link_stop is still to be called. */
void link_let_go(struct link *link);

/* Commands without an answer. False when the runner is gone, or does not listen; the next wait
 * reports that. None of these waits longer than a few seconds. */
bool link_open(struct link *link, uint32_t slot, const struct runner_open *open);
bool link_close(struct link *link, uint32_t slot);
/* Open every room that is open in other. */
bool link_open_like(struct link *link, const struct link *other);

/* Send a launch: problem and sets are filled in; the rest is filled in here. wall_ns gets the time
 * from just before the command to the answer. */
bool link_launch(struct link *link, const struct runner_command *command);
enum link_event link_wait(struct link *link, int64_t deadline_ms, struct runner_answer *answer);

/* The verdict for an event or answer other than RUNNER_DONE or RUNNER_READY, with its reason in
 * words; the process has been stopped before, so that its exit status is known. */
enum verdict link_verdict(struct link *link, const struct judge *judge, enum link_event event,
                          const struct runner_answer *answer, char *reason, size_t reason_bytes);

#endif
