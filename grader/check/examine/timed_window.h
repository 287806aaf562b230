/* timed_window.h - one launch command, with no other work of its program before or after it.
 *
 *     its processes are stopped, and the device is empty     timed_window_is_clear
 *     its processes continue; the command; its answer           timed_window_launch
 *     its processes are stopped, and the device is empty
 *
 * Contents are written before, while every process of the submission and of the reference is
 * stopped (process_pause); outputs are read after. What a process has left on the device keeps
 * running while the process is stopped. One of the grader's kernels has to wait for it
 * (watch_device), and so notices it; by the grader's clock it is inside the window, which closes
 * when that kernel starts. That clock does not depend on the runner. CUDA has no event that two
 * processes share and that has a time: one with cudaEventInterprocess must be made with
 * cudaEventDisableTiming.
 */
#ifndef EXAMINE_TIMED_WINDOW_H
#define EXAMINE_TIMED_WINDOW_H

#include "check/examine/lab.h"
#include "lib/process.h"

struct timed_window {
    double event_ns; /* a launch, by the runner's own events: a claim */
    double wall_ns;  /* all of it, by our clock: until the device is empty */
    bool clear;      /* nothing ran on after its end */
};

/* A runner, and its processes as they were last stopped. */
struct timed_runner {
    struct link *link;
    struct process_tree tree;
};

/* How late a kernel of ours may start on an empty device: measured when nothing else runs. */
struct timed_patience {
    double late_ns;
};

/* Look at the device for a while, with every runner stopped: how late is late? */
bool timed_window_learn(const struct lab *lab, struct timed_patience *patience);
/* Is the device idle now? False if it does not answer. */
bool timed_window_is_clear(const struct timed_patience *patience);
/* Stop a runner's processes: they were started, or have answered. */
bool timed_window_stop(struct timed_runner *runner, struct finding *finding);
/* Let the processes continue, to end or to get a command other than a launch. */
void timed_window_release(struct timed_runner *runner);

/* Let the runner launch that many times over its side of the sets. False with a finding; the runner
 * has then been ended or released. */
bool timed_window_launch(struct lab *lab, struct timed_runner *runner,
                         struct runner_command *command, const struct timed_patience *patience,
                         struct timed_window *window, struct finding *finding);

#endif
