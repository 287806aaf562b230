/* link_talk.c - sends a runner commands and waits for its answers, both against a deadline.
 *
 * Our ends of the pipes never block. While a command is on its way the log is read as well, so that
 * a runner that prints before it listens is not stuck; one that does not listen at all is deaf from
 * then on, and the next wait says that it is late.
 */
#include "check/examine/data.h"
#include "check/judge_graph.h"
#include "check/examine/link_internal.h"

#include "lib/process.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Between launches a runner only opens memory and forgets it. */
enum { LISTENING_DEADLINE_MS = 20000 };
/* The interval between readings of the clock. */
enum { LOOK_MS = 100 };

/* --- Waiting ---------------------------------------------------------------------------------- */

/* Wait until fd is ready, and read the log meanwhile. False when the time is up. */
static bool await(struct link *link, int fd, short events, const struct work_deadline *deadline)
{
    struct pollfd polled[] = {{.fd = fd, .events = events},
                              {.fd = link->log_ended ? -1 : link->log_fd, .events = POLLIN}};
    for (;;) {
        int64_t left_ms = (work_clock_left_ns(process_clock(), deadline) + 999999) / 1000000;
        int look_ms = left_ms <= 0 ? 0 : left_ms < LOOK_MS ? (int)left_ms : LOOK_MS;
        if (poll(polled, 2, look_ms) <= 0) { /* what is there already is not late */
            if (left_ms > 0)
                continue;
            link->was_busy = work_clock_was_busy(process_clock(), deadline);
            return false;
        }
        if (polled[1].revents && !link_take_log(link) && errno != EAGAIN) {
            polled[1].fd = -1;
            link->log_ended = true;
        }
        if (polled[0].revents)
            return true;
    }
}

/* A call that has to be refused: with that error? */
static void see_if_refused(int32_t wanted, struct runner_answer *answer)
{
    bool has_returned = answer->stage == RUNNER_NOT_LAUNCHED || answer->stage == RUNNER_DONE;
    int32_t returned = answer->stage == RUNNER_NOT_LAUNCHED ? answer->error : 0;
    if (!has_returned)
        return;
    answer->stage = returned != wanted ? RUNNER_NOT_REFUSED
                    : answer->finished ? RUNNER_NOT_FINISHED
                                       : RUNNER_DONE;
    answer->error = returned != wanted ? returned : answer->finished;
}

static enum link_event hear(struct link *link, const struct work_deadline *deadline,
                            struct runner_answer *answer)
{
    unsigned char *at = (unsigned char *)answer;
    size_t left = sizeof *answer;
    while (left) {
        if (!await(link, link->answers, POLLIN, deadline))
            return LINK_LATE;
        ssize_t got = read(link->answers, at, left);
        if (got == 0)
            return LINK_ENDED;
        if (got > 0) {
            at += got;
            left -= (size_t)got;
        }
    }
    bool sensible = answer->magic == RUNNER_MAGIC && answer->serial == link->serial &&
                    answer->stage <= RUNNER_DONE && answer->stage != RUNNER_NOT_REFUSED;
    if (sensible && link->wanted)
        see_if_refused(link->wanted, answer);
    return sensible ? LINK_ANSWERED : LINK_BABBLED;
}

enum link_event link_wait(struct link *link, int64_t deadline_ms, struct runner_answer *answer)
{
    int64_t start_ns = process_work_ns(), patience_ns = deadline_ms * 1000000;
    int64_t *spent_ns = link->spec.spent_ns;
    memset(answer, 0, sizeof *answer);
    if (link->deaf || link->babbled)
        return link->deaf ? LINK_LATE : LINK_BABBLED;
    if (spent_ns && patience_ns > link->spec.most_ns - *spent_ns)
        patience_ns = link->spec.most_ns - *spent_ns;
    struct work_deadline deadline = work_clock_in(process_clock(), patience_ns);
    enum link_event event = hear(link, &deadline, answer);
    if (spent_ns)
        *spent_ns += process_work_ns() - start_ns;
    return event;
}

/* --- Talking ---------------------------------------------------------------------------------- */

static bool send(struct link *link, const struct runner_command *command)
{
    int64_t patience_ms = link->spec.listening_ms ? link->spec.listening_ms : LISTENING_DEADLINE_MS;
    struct work_deadline deadline = work_clock_in(process_clock(), patience_ms * 1000000);
    const unsigned char *at = (const unsigned char *)command;
    size_t left = runner_command_bytes(command);
    while (left && !link->deaf) {
        ssize_t put = write(link->commands, at, left);
        if (put < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (put > 0) {
            at += put;
            left -= (size_t)put;
        } else if (!await(link, link->commands, POLLOUT, &deadline)) {
            link->deaf = true;
        }
    }
    return !link->deaf;
}

bool link_open(struct link *link, uint32_t slot, const struct runner_open *open)
{
    struct runner_command command = {.magic = RUNNER_MAGIC, .kind = RUNNER_OPEN, .open = *open};
    command.open.slot = slot;
    link->open[slot] = command.open;
    return send(link, &command);
}

bool link_open_like(struct link *link, const struct link *other)
{
    for (uint32_t slot = 0; slot < RUNNER_MOST_SLOTS; slot++)
        if (other->open[slot].size_bytes && !link_open(link, slot, &other->open[slot]))
            return false;
    return true;
}

bool link_close(struct link *link, uint32_t slot)
{
    struct runner_command command = {
        .magic = RUNNER_MAGIC, .kind = RUNNER_CLOSE, .close = {.slot = slot}};
    link->open[slot].size_bytes = 0;
    return send(link, &command);
}

/* An answer that comes before its command is invalid. */
static bool has_answered_ahead(const struct link *link)
{
    struct pollfd answers = {.fd = link->answers, .events = POLLIN};
    return poll(&answers, 1, 0) > 0 && answers.revents & POLLIN;
}

/* What a call needs, and no more: a submission that found the rest in its memory would know what is
 * tested, and what to answer. That a launch will fail, its stream shows as well. */
static void keep_back(struct judge_case *told)
{
    bool fails = told->refused_with == JUDGE_LAUNCH_FAILS;
    memset(told->name, 0, sizeof told->name);
    told->tampers = told->after = told->repeats = told->on_default = 0;
    told->once = told->drawn = told->nondeterministic = told->simulated_only = 0;
    told->asks = 0;
    told->launches_nothing = told->leaves_nothing = told->makes = 0;
    told->refused_with = fails ? JUDGE_LAUNCH_FAILS : 0;
}

bool link_launch(struct link *link, const struct runner_command *asked)
{
    struct runner_command told = *asked, *command = &told;
    keep_back(&told.launch.problem);
    link->babbled |= has_answered_ahead(link);
    link->serial = (uint32_t)data_word(link->secret, link->launches++);
    link->wanted = asked->launch.problem.refused_with;
    command->magic = RUNNER_MAGIC;
    command->kind = RUNNER_LAUNCH;
    command->launch.serial = link->serial;
    return send(link, command);
}
