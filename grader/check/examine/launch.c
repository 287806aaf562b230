/* launch.c - launches that always end in a finding, in one process or in several, one after the
 * other.
 *
 * A case of several processes shows what a submission has really saved: the processes after the
 * first load it anew, without its memory, and get its file (runner/protocol.h). They are runners
 * like the first one, started as new programs and not forked, since CUDA does not survive a fork.
 */
#include "check/examine/lab.h"

#include "check/examine/handed.h"
#include "check/examine/host.h"
#include "check/examine/relay.h"
#include "check/examine/window.h"
#include "lib/files.h"
#include "check/judge_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On the simulated device a kernel ends by its step budget and the host's code by its processor
 * time (link.c), both the same however busy the machine is; the clock ends one that sleeps. The
 * slowest launch of the corpus takes a third of it. */
enum { LAUNCH_DEADLINE_MS = 10000, SIMULATED_DEADLINE_MS = 90000 };

/* --- Launches --------------------------------------------------------------------------------- */

static void note_fault(const struct simgpu_fault *fault, struct finding *finding)
{
    const struct simgpu_place *place = &fault->place;
    finding->verdict = verdict_of_fault(fault->kind);
    finding->null_pointer = verdict_is_null_pointer(fault->kind);
    finding->absent_lane = verdict_is_absent_lane(fault->kind);
    finding->global_race = verdict_is_global_race(fault->kind);
    snprintf(finding->reason, sizeof finding->reason, "%s: %s", fault->title, fault->message);
    snprintf(finding->advice, sizeof finding->advice, "%s", fault->advice);
    snprintf(finding->file, sizeof finding->file, "%s", path_base(place->file));
    finding->line = place->line;
    finding->other_line = fault->other.line;
}

/* Work on another stream is not ordered with the caller's, and the caller's clock does not time
 * it. */
static void note_stray_launch(struct finding *finding)
{
    finding_set(finding, VERDICT_STREAM,
                "a kernel was launched on a default stream, the device's "
                "or its thread's, and not on the one that was given");
    snprintf(finding->advice, sizeof finding->advice,
             "the stream is the fourth thing in a launch: kernel<<<blocks, threads, 0, stream>>>");
}

/* The given stream waits for all other work, and all other work waits for it. */
static void note_unjoined(uint64_t pieces, struct finding *finding)
{
    finding_set(finding, VERDICT_STREAM,
                "%llu launches, copies or sets are on other streams than "
                "the one that was given, and not ordered with it",
                (unsigned long long)pieces);
    snprintf(finding->advice, sizeof finding->advice,
             "give each that stream (cudaMemset() takes none, cudaMemsetAsync() does); a stream of "
             "your own first waits for an event of the one given, and that one for an event of "
             "yours at the end (cudaStreamWaitEvent())");
}

/* A lesson names the libraries that it is about; in other lessons a library's product is not an
 * answer. */
static bool uses_library(const struct judge *judge, const struct simgpu_report *report,
                         struct finding *finding)
{
    if (report->calls.library_products == 0 || judge->libraries)
        return false;
    finding_set(finding, VERDICT_REFUSED,
                "the launcher calls a library of matrix products, where "
                "the lesson asks for a kernel");
    return true;
}

/* What the device itself, not the runner, has seen since the window was opened. NULL on a GPU, and
 * if the device does not say. */
static struct simgpu_report *seen_by_device(const struct lab *lab)
{
    struct simgpu_report *report = NULL;
    return lab->simgpu && lab->simgpu->report(&report) == SIMGPU_OK ? report : NULL;
}

/* Work that had to be ordered with the stream given. A launcher that makes something and is given
 * no stream has none that it could be ordered with; those that come after it do. */
static uint64_t unjoined_pieces(const struct lab *lab, const struct simgpu_calls *calls)
{
    if (lab->prepared_apart)
        return 0;
    return lab->made                  ? calls->unawaited_work
           : lab->judge->copies_ahead ? calls->unjoined_work
                                      : calls->unjoined;
}

/* A command that launches nothing finds what the call before it left. */
static void note_kind_of_call(struct lab *lab, const struct runner_command *command)
{
    if (command->launch.launches == 0)
        return;
    lab->prepared_apart = command->launch.prepares && lab->judge->prepares_apart;
    lab->made = command->launch.problem.makes;
}

/* The first launch with a fault. Of work that nothing orders there is more to say if it is on a
 * stream where it should not be, so such faults are looked for by themselves. */
static bool note_launch(const struct simgpu_report *report, bool unordered, struct finding *finding)
{
    for (size_t i = 0; i < report->launch_count; i++) {
        const struct simgpu_fault *fault = &report->launches[i].fault;
        if (fault->kind == 0 || verdict_is_unordered(fault->kind) != unordered)
            continue;
        note_fault(fault, finding);
        finding_note_launch(finding, report, i);
        return true;
    }
    return false;
}

static bool note_unordered(const struct simgpu_report *report, struct finding *finding)
{
    if (note_launch(report, true, finding))
        return true;
    if (report->unordered.kind)
        note_fault(&report->unordered, finding);
    return report->unordered.kind != 0;
}

/* Did a kernel do something wrong, or something that the device does not know? */
static bool device_fault(const struct lab *lab, const struct runner_command *command,
                         const struct simgpu_report *report, struct finding *finding)
{
    if (!report)
        return false;
    bool found = note_launch(report, false, finding);
    if (!found && report->refused.kind) {
        note_fault(&report->refused, finding);
        found = true;
    }
    if (!found && report->calls.default_stream_launches && !command->launch.on_default) {
        note_stray_launch(finding);
        found = true;
    }
    uint64_t unjoined = unjoined_pieces(lab, &report->calls);
    if (!found && unjoined && !lab->shared) { /* shared: the runner copies, too */
        note_unjoined(unjoined, finding);
        found = true;
    }
    found = found || note_unordered(report, finding);
    return found || uses_library(lab->judge, report, finding);
}

/* --- What launches nothing -------------------------------------------------------------------- */

static uint64_t kernels_launched(const struct simgpu_report *report)
{
    return report ? report->launch_count : 0;
}

/* On such a stream every launch fails (judge_graph.h). A launch on the submission's own stream,
 * joined with it by events, does not. */
static bool launched_elsewhere(const struct simgpu_report *report, const struct judge_case *problem)
{
    return problem->refused_with == JUDGE_LAUNCH_FAILS && kernels_launched(report) > 0;
}

/* If nothing may be launched, the reason why a launched kernel fails does not matter. */
static bool launched_anyway(const struct simgpu_report *report, const struct judge_case *problem,
                            struct finding *finding)
{
    bool may_not = (problem->launches_nothing || problem->refused_with) && !problem->makes;
    if (!may_not || kernels_launched(report) == 0)
        return false;
    finding_set(finding, VERDICT_ARGUMENTS,
                "a kernel was launched, where the contract says that "
                "nothing is");
    snprintf(finding->advice, sizeof finding->advice, "return %s before the launch",
             cudaGetErrorName((cudaError_t)problem->refused_with));
    return true;
}

static bool not_refused(const struct judge_case *problem, enum link_event event,
                        const struct runner_answer *answer, struct finding *finding)
{
    if (event != LINK_ANSWERED || answer->stage != RUNNER_NOT_REFUSED)
        return false;
    bool fails = problem->refused_with == JUDGE_LAUNCH_FAILS;
    finding_set(finding, VERDICT_ARGUMENTS, "the launcher returned %s, where %s %s",
                cudaGetErrorName((cudaError_t)answer->error),
                fails ? "the launch gave" : "the contract says",
                cudaGetErrorName((cudaError_t)problem->refused_with));
    snprintf(finding->advice, sizeof finding->advice, "%s",
             fails ? "return what the launch gave: cudaGetLastError(), right after it"
                   : "look at the arguments before anything else, and return that error");
    finding->error = answer->error;
    return true;
}

/* --- What is left ----------------------------------------------------------------------------- */

/* In words, how much of each kind: "2 streams, 1 event". */
static void name_objects(const int64_t *alive, char *text, size_t room)
{
    static const char *const NAMES[SIMGPU_OBJECTS] = {[SIMGPU_MEMORY] = "allocation",
                                                      [SIMGPU_STREAM] = "stream",
                                                      [SIMGPU_EVENT] = "event",
                                                      [SIMGPU_GRAPH] = "graph",
                                                      [SIMGPU_READY_GRAPH] = "executable graph",
                                                      [SIMGPU_TEXTURE] = "texture object"};
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < SIMGPU_OBJECTS && used < room; i++)
        if (alive[i] > 0)
            used += (size_t)snprintf(text + used, room - used, "%s%lld %s%s", used ? ", " : "",
                                     (long long)alive[i], NAMES[i], alive[i] == 1 ? "" : "s");
}

/* What is given back of one kind makes good for nothing of another. A preparation may keep what it
 * makes. */
static bool left_something(const struct runner_command *command, const struct simgpu_report *report,
                           struct finding *finding)
{
    char left[160];
    bool is_asked = command->launch.problem.leaves_nothing && !command->launch.prepares;
    if (!is_asked || command->launch.launches != 1 || !report)
        return false;
    name_objects(report->calls.alive, left, sizeof left);
    if (!*left)
        return false;
    finding_set(finding, VERDICT_WRONG, "what was made in the case is left on the device: %s",
                left);
    return true;
}

static int64_t deadline_of(const struct lab *lab)
{
    return lab->simgpu        ? SIMULATED_DEADLINE_MS
           : lab->deadline_ms ? lab->deadline_ms
                              : LAUNCH_DEADLINE_MS;
}

/* --- In one process --------------------------------------------------------------------------- */

/* The finding has been made, so the runner is no longer needed. */
static bool give_up(struct lab *lab, struct link *link)
{
    lab_stop(lab, link);
    return false;
}

/* Is a call right according to the runner and the device? report: seen_by_device, if the call has
 * ended. */
static bool went_well(struct lab *lab, struct link *link, const struct runner_command *command,
                      enum link_event event, const struct runner_answer *answer,
                      const struct simgpu_report *report, struct finding *finding)
{
    const struct judge_case *problem = &command->launch.problem;
    bool done = event == LINK_ANSWERED && answer->stage == RUNNER_DONE;
    lab->launched_elsewhere = event == LINK_ANSWERED && launched_elsewhere(report, problem);
    if (!lab->launched_elsewhere &&
        (launched_anyway(report, problem, finding) || not_refused(problem, event, answer, finding)))
        return false;
    if ((done && !lab->simgpu) || lab->launched_elsewhere)
        return true;
    if (device_fault(lab, command, report, finding))
        return false;
    if (done)
        return !left_something(command, report, finding);
    finding->verdict =
        link_verdict(link, lab->judge, event, answer, finding->reason, sizeof finding->reason);
    finding->starved = link->starved;
    if (finding->verdict == VERDICT_LAUNCH_ERROR)
        finding->error = answer->error;
    return false;
}

/* Launch, once the command is filled in and the device is ready. */
static bool call(struct lab *lab, struct link *link, struct runner_command *command,
                 struct runner_answer *answer, struct finding *finding)
{
    struct host_call host = host_call_begin(lab);
    note_kind_of_call(lab, command);
    link_launch(link, command); /* if that fails, the wait says why */
    enum link_event event = lab_wait(lab, link, deadline_of(lab), answer);
    int64_t took_ns = host_call_ns(&host);
    bool done = event == LINK_ANSWERED && answer->stage == RUNNER_DONE;
    if (done && command->launch.launches == 0 && lab->launched_elsewhere)
        return true; /* the device still shows that call, which was right */
    struct simgpu_report *report = event == LINK_LATE ? NULL : seen_by_device(lab);
    bool right =
        went_well(lab, link, command, event, answer, report, finding) &&
        (lab->launched_elsewhere || host_note_call(lab, link, command, took_ns, report, finding));
    if (report)
        lab->simgpu->report_free(report);
    return right || give_up(lab, link);
}

/* In a window. */
static bool launch(struct lab *lab, struct link *link, struct runner_command *command,
                   const struct lab_fill *fill, struct runner_answer *answer,
                   struct finding *finding)
{
    /* Times on a GPU have windows of their own (timed_window.h). */
    bool held = fill || lab->simgpu || command->launch.prepares;
    bool ready =
        !held ||
        (lab_settle(lab, link, finding) && window_shut(lab, link, WINDOW_BEFORE, finding) &&
         (!fill || fill->write(fill->context, command->launch.process, finding)) &&
         (!lab->simgpu || host_note_open(lab, link, finding)) && window_open(lab, link, finding));
    if (!ready)
        return give_up(lab, link);
    bool done = call(lab, link, command, answer, finding) &&
                (!held || window_shut(lab, link, WINDOW_AFTER, finding) || give_up(lab, link));
    if (done && lab->simgpu)
        host_note_shut(lab, link);
    return done;
}

/* The preparation of a case has a window of its own, so that it is not in the report. Inputs are
 * not there yet. */
static bool launch_prepared(struct lab *lab, struct link *link, struct runner_command *command,
                            const struct lab_fill *fill, struct runner_answer *answer,
                            struct finding *finding)
{
    const struct judge_case *problem = &command->launch.problem;
    bool is_last = command->launch.process + 1 >= problem->processes;
    command->launch.prepares = problem->prepares && is_last;
    bool ready = !command->launch.prepares || launch(lab, link, command, NULL, answer, finding);
    command->launch.prepares = 0;
    return ready && launch(lab, link, command, fill, answer, finding);
}

/* --- Cases of several processes --------------------------------------------------------------- */

static unsigned processes_of(const struct runner_command *command)
{
    return command->launch.problem.processes > 1 ? command->launch.problem.processes : 1;
}

/* Tell the learner where to look: a result that is right in the first process may be lost in the
 * next. */
static void note_process(const struct runner_command *command, struct finding *finding)
{
    size_t used = strlen(finding->reason);
    finding->process = command->launch.process;
    snprintf(finding->reason + used, sizeof finding->reason - used, ", in process %u of %u",
             command->launch.process + 1, processes_of(command));
}

/* One of the processes after the first. It is shown the rooms that opened has. */
static bool go_on(struct lab *lab, const struct link *opened, struct link *link,
                  struct runner_command *command, const struct lab_fill *fill,
                  struct runner_answer *answer, struct finding *finding)
{
    bool done =
        lab_await(lab, link, finding) &&
        (link_open_like(link, opened), launch_prepared(lab, link, command, fill, answer, finding));
    if (!done)
        note_process(command, finding);
    return done;
}

bool lab_run(struct lab *lab, struct link *link, struct runner_command *command,
             const struct lab_fill *fill, struct runner_answer *answer, struct finding *finding)
{
    unsigned processes = processes_of(command);
    struct link *now = NULL, *next = NULL; /* NULL: link itself */
    bool done = true;
    for (unsigned process = 0; done && process < processes; process++) {
        command->launch.process = process;
        next = process + 1 < processes ? relay_next(lab, link, finding) : NULL;
        done = (next || process + 1 == processes) &&
               (process == 0 ? launch_prepared(lab, link, command, fill, answer, finding)
                             : go_on(lab, link, now, command, fill, answer, finding)) &&
               (!next || handed_on(lab, now ? now : link, next, &command->launch.problem, finding));
        relay_end(lab, now, link == &lab->link);
        now = next;
    }
    relay_end(lab, now, link == &lab->link);
    return done;
}

bool lab_launch(struct lab *lab, struct link *link, struct runner_command *command,
                struct runner_answer *answer, struct finding *finding)
{
    return lab_run(lab, link, command, NULL, answer, finding);
}

void lab_resume(struct lab *lab)
{
    window_release(lab, NULL);
}

bool lab_settle(struct lab *lab, struct link *link, struct finding *finding)
{
    struct runner_command nothing = {.launch = {.launches = 0, .sets = 1}};
    struct runner_answer answer;
    window_release(lab, link);
    return call(lab, link, &nothing, &answer, finding);
}
