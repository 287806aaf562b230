/* window.c - see window.h. */
#include "check/examine/window.h"

#include <stdio.h>

#define STOP_PATIENCE_NS INT64_C(1000000000)

static bool set_window(struct lab *lab, enum simgpu_window window, const struct link *link,
                       struct simgpu_over *over)
{
    return lab->simgpu->window(window, link ? link->pid : 0, over) == SIMGPU_OK;
}

static void go_on(struct lab *lab)
{
    process_resume(&lab->paused);
    lab->paused.count = 0;
}

void window_end(struct lab *lab)
{
    process_kill(&lab->paused);
    lab->paused.count = 0;
}

bool window_release(struct lab *lab, const struct link *link)
{
    go_on(lab);
    return !lab->simgpu || set_window(lab, SIMGPU_WINDOW_NONE, link, NULL);
}

static bool pause_runner(struct lab *lab, const struct link *link, struct finding *finding)
{
    if (!link->pid || process_pause(link->pid, &lab->paused, STOP_PATIENCE_NS))
        return true;
    return finding_set(finding, VERDICT_REFUSED, "processes that it started cannot be stopped");
}

static bool say_gone(struct finding *finding)
{
    return finding_set(finding, VERDICT_DEVICE, "the simulated device does not answer");
}

bool window_shut(struct lab *lab, const struct link *link, enum window_edge edge,
                 struct finding *finding)
{
    struct simgpu_over over;
    if (!lab->simgpu)
        return pause_runner(lab, link, finding);
    if (!set_window(lab, SIMGPU_WINDOW_SHUT, link, &over))
        return say_gone(finding);
    if (over.pieces == 0)
        return true;
    finding_set(finding, VERDICT_OUTSIDE,
                edge == WINDOW_BEFORE
                    ? "%llu launches or copies were at work before the launcher was called%s"
                    : "%llu launches or copies were still at work when the launcher's stream had "
                      "ended%s",
                (unsigned long long)over.pieces, over.endless ? ", and did not end" : "");
    snprintf(finding->advice, sizeof finding->advice,
             "all that a call does on the device begins in it and ends before its stream does: "
             "look for threads and processes of your own");
    return false;
}

bool window_open(struct lab *lab, const struct link *link, struct finding *finding)
{
    go_on(lab);
    return !lab->simgpu || set_window(lab, SIMGPU_WINDOW_OPEN, link, NULL) || say_gone(finding);
}
