/* timed_window.c - see timed_window.h. */
#include "check/examine/timed_window.h"

#include "check/examine/watch.h"

#include <math.h>

enum { LOOKS = 8 };

#define STOP_PATIENCE_NS INT64_C(1000000000)
#define WATCH_NS 20e3 /* short: only how late it starts matters */
#define LATE_NS \
    150e3            /* an H200: 11 to 32 us when empty, else 0.2 to 2.4 ms; but some
                                    * 0.3 ms when another process has just finished */
#define LATE_TIMES 4 /* of the least seen, if a launch takes longer */

/* A simulated device does one thing after another: there is nothing to observe, and its lateness
 * depends on the host's other work. */
bool timed_window_learn(const struct lab *lab, struct timed_patience *patience)
{
    struct watched seen;
    double least = INFINITY;
    for (int i = 0; i < LOOKS && !lab->device.simulated; i++) {
        if (!watch_device(WATCH_NS, &seen))
            return false;
        least = fmin(least, seen.late_ns);
    }
    patience->late_ns = fmax(LATE_NS, LATE_TIMES * least);
    return true;
}

static bool is_clear(const struct timed_patience *patience, const struct watched *seen)
{
    return seen->late_ns <= patience->late_ns && seen->gap_ns <= patience->late_ns;
}

bool timed_window_is_clear(const struct timed_patience *patience)
{
    struct watched seen;
    return watch_device(WATCH_NS, &seen) && is_clear(patience, &seen);
}

bool timed_window_stop(struct timed_runner *runner, struct finding *finding)
{
    if (!runner->link->pid || process_pause(runner->link->pid, &runner->tree, STOP_PATIENCE_NS))
        return true;
    return finding_set(finding, VERDICT_REFUSED, "processes that it started cannot be stopped");
}

void timed_window_release(struct timed_runner *runner)
{
    if (runner->link->pid)
        process_resume(&runner->tree);
}

/* The known processes are stopped as soon as the runner has answered, so that the window ends soon;
 * then any others are looked for. */
bool timed_window_launch(struct lab *lab, struct timed_runner *runner,
                         struct runner_command *command, const struct timed_patience *patience,
                         struct timed_window *window, struct finding *finding)
{
    struct runner_answer answer;
    struct watched seen;
    int64_t start = watch_clock_ns();
    timed_window_release(runner);
    if (!lab_launch(lab, runner->link, command, &answer, finding))
        return false;
    process_halt(&runner->tree);
    if (!watch_device(WATCH_NS, &seen))
        return finding_set(finding, VERDICT_DEVICE, "the device stopped answering");
    window->wall_ns = (double)(watch_clock_ns() - start) - seen.duration_ns;
    if (!timed_window_stop(runner, finding))
        return false;
    if (!(isfinite(answer.milliseconds) && answer.milliseconds >= 0))
        return finding_set(finding, VERDICT_TIMER_MISMATCH, "its own events give no time at all");
    window->event_ns = fmax((double)answer.milliseconds * 1e6 / command->launch.launches, 1);
    window->clear = timed_window_is_clear(patience);
    return true;
}
