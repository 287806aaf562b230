/* host.c - see host.h. */
#include "check/examine/host.h"

#include "check/examine/statistics.h"
#include "lib/work_unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A call launches, which takes about 0.1 ms here. One that takes SLOW_NS may have been delayed; all
 * calls of a check take less than a second, and not more than MOST_NS on any machine. */
static const double QUICK_NS = 1e6, SLOW_NS = 20e6, MOST_NS = 20e9;
/* The same for processor time, in units of work (work_unit.h): the solutions' calls take 1 to 5,
 * and a first one up to 12, even with ten programs for each processor. */
static const double QUICK_UNITS = 8, SLOW_UNITS = 50;
/* Times what the reference takes. */
static const double TIMES_REFERENCE = 10;
enum { TRIES = 5 };

/* An honest submission is loaded in less than a second. */
enum { LOAD_PATIENCE_MS = 6000, SECOND_LOAD_PATIENCE_MS = 2000, MOST_LOAD_MS = 40000 };
static const int64_t USUAL_LOAD_NS = INT64_C(1000000000);

/* --- All calls -------------------------------------------------------------------------------- */

/* The examination of a submission knows the reference only as the probe (again.h). */
static const char *reference_of_lesson(const struct lab *lab)
{
    return *lab->reference ? lab->reference : lab->probe;
}

static bool is_of_submission(const struct link *link)
{
    return link->spec.spent_ns != NULL;
}

static bool say_too_long(const struct host_use *host, struct finding *finding)
{
    finding_set(finding, VERDICT_TIMEOUT,
                "its process has kept the host busy for %.0f s in %u calls, besides the device's "
                "work; a check allows %.0f s",
                host->total_ns * 1e-9, host->calls, MOST_NS * 1e-9);
    snprintf(finding->advice, sizeof finding->advice,
             "on the host a call has only to launch: look for a sleep or a calculation");
    return false;
}

struct host_call host_call_begin(const struct lab *lab)
{
    struct host_call call = {.exact = lab->simgpu && lab->host.compares};
    if (call.exact)
        call.from = work_clock_look(process_clock());
    call.start_ns = process_work_ns();
    return call;
}

int64_t host_call_ns(const struct host_call *call)
{
    if (!call->exact)
        return process_work_ns() - call->start_ns;
    struct work_moment now = work_clock_look(process_clock());
    return work_between_ns(&call->from, &now);
}

bool host_note_call(struct lab *lab, const struct link *link, const struct runner_command *command,
                    int64_t took_ns, const struct simgpu_report *report, struct finding *finding)
{
    struct host_use *host = &lab->host;
    uint32_t launches = command->launch.launches;
    if (!report || lab->shared || launches == 0)
        return true;
    double own_ns = fmax(0, (double)took_ns - report->calls.work_ns);
    host->last_ns = own_ns / launches;
    host->last_launches = launches;
    host->last_case = (struct host_case){command->launch.problem, lab->is_spread};
    if (!is_of_submission(link))
        return true;
    host->calls++;
    host->total_ns += own_ns;
    if (host->last_ns > SLOW_NS) {
        host->slow++;
        host->slow_case = host->last_case;
    }
    return host->total_ns <= MOST_NS || say_too_long(host, finding);
}

/* --- Loading ---------------------------------------------------------------------------------- */

/* The time that the reference takes now; 0 if that is not known. */
static int64_t load_of_reference_ns(struct lab *lab)
{
    struct link *other = calloc(1, sizeof *other);
    struct link_spec spec = lab->runner;
    struct runner_answer answer;
    int64_t start_ns = process_work_ns(), took_ns = 0;
    spec.submission = reference_of_lesson(lab);
    if (other && link_start(other, &spec) &&
        link_wait(other, MOST_LOAD_MS, &answer) == LINK_ANSWERED)
        took_ns = process_work_ns() - start_ns;
    if (other)
        link_stop(other);
    free(other);
    return took_ns;
}

enum link_event host_await_loaded(struct lab *lab, struct link *link, struct runner_answer *answer)
{
    if (!is_of_submission(link) || !lab->simgpu)
        return lab_wait(lab, link, MOST_LOAD_MS, answer);
    int64_t start_ns = process_work_ns();
    bool again = lab->host.loaded_late;
    enum link_event event =
        link_wait(link, again ? SECOND_LOAD_PATIENCE_MS : LOAD_PATIENCE_MS, answer);
    if (event == LINK_LATE && !link->deaf && !again) {
        int64_t more_ms = (int64_t)(TIMES_REFERENCE * (double)load_of_reference_ns(lab) * 1e-6);
        event = lab_wait(lab, link, more_ms < MOST_LOAD_MS ? more_ms + 1 : MOST_LOAD_MS, answer);
    }
    if (event == LINK_LATE)
        link->load_late = lab->host.loaded_late = true;
    int64_t took_ns = process_work_ns() - start_ns;
    if (took_ns > USUAL_LOAD_NS)
        lab->host.total_ns += (double)(took_ns - USUAL_LOAD_NS);
    return event;
}

/* --- Between calls ---------------------------------------------------------------------------- */

/* An honest process opens memory between calls: 0.07 s in a whole check, a sixteenth of the time
 * between its calls (the six solutions, two idle cores). A thread that works two thirds of the time
 * reaches a third of it there, and a fifth on a loaded machine. */
static const double MOST_BETWEEN_S = 0.5, MOST_SHARE = 0.12;

/* Processor time of the runner and all that it started. Our launcher, which looks at them fifty
 * times a second, is not part of it, and neither is bubblewrap before it. */
static uint64_t ran_ns(const struct link *link)
{
    unsigned ours = link->spec.sandbox == SANDBOX_BUBBLEWRAP ? 2 : 1;
    return link->pid ? process_tree_ran_ns(link->pid, ours) : 0;
}

void host_note_shut(struct lab *lab, const struct link *link)
{
    struct host_use *host = &lab->host;
    host->shut_ns = process_now_ns();
    host->shut_ran_ns = ran_ns(link);
    host->shut_pid = link->pid;
    uint64_t ran =
        host->shut_ran_ns > host->open_ran_ns ? host->shut_ran_ns - host->open_ran_ns : 0;
    host->last_ran_ns = (double)ran / fmax(1, host->last_launches);
    if (is_of_submission(link) && host->last_ran_ns > SLOW_UNITS * work_unit_ns()) {
        host->hard++;
        host->hard_case = host->last_case;
    }
}

bool host_note_open(struct lab *lab, const struct link *link, struct finding *finding)
{
    struct host_use *host = &lab->host;
    bool is_next = host->shut_pid == link->pid && link->pid && is_of_submission(link);
    uint64_t now_ns = ran_ns(link);
    host->shut_pid = 0;
    host->open_ran_ns = now_ns;
    if (!is_next || now_ns < host->shut_ran_ns)
        return true;
    host->between_s += (double)(process_now_ns() - host->shut_ns) * 1e-9;
    host->worked_s += (double)(now_ns - host->shut_ran_ns) * 1e-9;
    if (host->worked_s <= MOST_BETWEEN_S || host->worked_s <= MOST_SHARE * host->between_s)
        return true;
    finding_set(finding, VERDICT_OUTSIDE,
                "its process has used %.2f s of processor time between its calls, within %.2f s",
                host->worked_s, host->between_s);
    snprintf(finding->advice, sizeof finding->advice,
             "a call's work on the host must end when it returns: look for threads of your own");
    return false;
}

/* --- Quick? ----------------------------------------------------------------------------------- */

/* Which time of a call is compared. */
enum measure {
    UNTIL_IT_RETURNS, /* and functions in the stream */
    BESIDES_DEVICE,   /* all time that is not the device's */
    PROCESSOR,        /* processor time, on which the load of the machine has little influence */
};

/* Call once more. Less than 0 with a finding. */
static double try_again(struct lab *lab, struct link *link, struct timed *timed, enum measure what,
                        const struct figures_reference *reference, struct finding *finding)
{
    struct measured again = {.report = NULL};
    lab->host.compares = true;
    bool done = measure(lab, link, timed, reference, &again, finding);
    if (!done && finding->verdict == VERDICT_PASS && timed->brief) { /* too few blocks ran */
        measure_forget(lab, &again);
        timed->brief = false;
        measure_options(lab, timed, false, measure_patience(reference));
        done = measure(lab, link, timed, reference, &again, finding);
    }
    double own_ns = what == PROCESSOR        ? lab->host.last_ran_ns
                    : what == BESIDES_DEVICE ? lab->host.last_ns
                    : done ? again.report->calls.host_ns + again.report->calls.host_function_ns
                           : 0;
    lab->host.compares = false;
    measure_forget(lab, &again);
    return done ? own_ns : -1;
}

/* The shortest of several calls of the reference until it returns, or the median of what else is
 * compared, in the same case; 0 for none. */
static double reference_ns(struct lab *lab, struct timed *timed, enum measure what,
                           const struct figures_reference *reference)
{
    struct finding ignored = {.verdict = VERDICT_PASS};
    struct link *link = calloc(1, sizeof *link);
    double took_ns[TRIES] = {0};
    size_t count = 0;
    if (link && lab_start(lab, link, reference_of_lesson(lab), &ignored))
        while (count < TRIES &&
               (took_ns[count] = try_again(lab, link, timed, what, reference, &ignored)) >= 0)
            count++;
    if (link)
        lab_stop(lab, link);
    free(link);
    double least_ns = INFINITY;
    for (size_t i = 0; i < count; i++)
        least_ns = fmin(least_ns, took_ns[i]);
    return count == 0 ? 0 : what == UNTIL_IT_RETURNS ? least_ns : statistics_median(took_ns, count);
}

static void say_slow(struct finding *finding, const char *which, double own_ns, double its_ns)
{
    finding_set(finding, VERDICT_SLOW,
                "the launcher takes %.1f ms on the host %s; the reference takes %.2f ms on this "
                "machine",
                own_ns * 1e-6, which, its_ns * 1e-6);
    snprintf(finding->advice, sizeof finding->advice,
             "on the host a call has only to launch: look for a sleep or a calculation, there or "
             "in a function on the stream");
}

/* The shortest of several calls, the first of which took least_ns; stops at a quick one. Less than
 * 0 with a finding. */
static double least_of(struct lab *lab, struct timed *timed,
                       const struct figures_reference *reference, double least_ns, double most_ns,
                       struct finding *finding)
{
    for (int i = 0; i < TRIES && least_ns > most_ns; i++) {
        double again_ns = try_again(lab, &lab->link, timed, UNTIL_IT_RETURNS, reference, finding);
        least_ns = fmin(least_ns, again_ns);
    }
    return least_ns;
}

/* A case may make several calls of the launcher, for all of which there is one time, and each of
 * them asks the device for several things: kernels, copies, events. */
static double calls_in(const struct timed *timed)
{
    enum { ASKED = 4 };
    return timed->problem->calls > 1 ? ASKED * timed->problem->calls : 1;
}

static bool returns_soon(struct lab *lab, struct timed *timed,
                         const struct figures_reference *reference, double host_ns,
                         struct finding *finding)
{
    double quick_ns = QUICK_NS * calls_in(timed);
    double least_ns = least_of(lab, timed, reference, host_ns, quick_ns, finding);
    if (least_ns <= quick_ns)
        return least_ns >= 0;
    double its_ns = reference_ns(lab, timed, UNTIL_IT_RETURNS, reference);
    double most_ns = its_ns > 0 ? fmax(quick_ns, TIMES_REFERENCE * its_ns) : SLOW_NS;
    least_ns = least_of(lab, timed, reference, least_ns, most_ns, finding);
    if (least_ns <= most_ns)
        return least_ns >= 0;
    say_slow(finding, "before it returns, or in its stream (the least of several calls)", least_ns,
             its_ns);
    return false;
}

/* The median of several calls, compared with quick_ns and with the reference; stops, if it may, at
 * a call that is quick. */
static bool takes_little(struct lab *lab, struct timed *timed, enum measure what, bool may_stop,
                         const struct figures_reference *reference, double quick_ns,
                         const char *which, struct finding *finding)
{
    double took_ns[TRIES];
    for (size_t i = 0; i < TRIES; i++) {
        took_ns[i] = try_again(lab, &lab->link, timed, what, reference, finding);
        if (took_ns[i] < 0 || (may_stop && took_ns[i] <= quick_ns))
            return took_ns[i] >= 0;
    }
    double median_ns = statistics_median(took_ns, TRIES);
    if (median_ns <= quick_ns)
        return true;
    double its_ns = reference_ns(lab, timed, what, reference);
    if (median_ns <= TIMES_REFERENCE * its_ns)
        return true;
    say_slow(finding, which, median_ns, its_ns);
    return false;
}

bool host_is_quick(struct lab *lab, struct timed *timed, const struct figures_reference *reference,
                   double host_ns, struct finding *finding)
{
    struct timed once = *timed;
    once.brief = timed->sampled; /* what the host does is the same with fewer blocks */
    measure_options(lab, &once, false, measure_patience(reference));
    double quick_ns = QUICK_UNITS * calls_in(timed) * work_unit_ns();
    bool is_quick = lab->host.last_ran_ns <= quick_ns; /* in the latest of its calls */
    return returns_soon(lab, &once, reference, host_ns, finding) &&
           (is_quick || takes_little(lab, &once, PROCESSOR, true, reference, quick_ns,
                                     "in processor time (the median of several calls)", finding));
}

/* What a launcher does in large cases, it does in the timed one. */
static bool is_large(const struct judge *judge, const struct judge_case *problem)
{
    return judge_case_named(judge->large, judge->large_count, problem->name) != NULL;
}

/* Too many calls were clearly too long; one of them was of that case. It is called once more as it
 * was: a whole one as a whole. */
static bool few_are_long(struct lab *lab, unsigned slow, const struct host_case *its,
                         enum measure what, double most_ns, struct finding *finding)
{
    const struct figures_reference unknown = {.known = false};
    const struct judge_case *problem = &its->problem;
    struct timed timed = {.problem = problem,
                          .seed = lab->seed,
                          .two = !its->is_spread,
                          .sampled = its->is_spread,
                          .brief = its->is_spread};
    if (3 * slow <= lab->host.calls || lab->judge->libraries || problem->refused_with ||
        !lab->link.pid || is_large(lab->judge, problem))
        return true;
    measure_options(lab, &timed, false, 0);
    return takes_little(lab, &timed, what, false, &unknown, most_ns,
                        what == PROCESSOR ? "in processor time, in a third of its calls or more"
                                          : "in a third of its calls or more",
                        finding) ||
           finding->verdict == VERDICT_PASS; /* its blocks stand for no others this time */
}

bool host_is_quick_in_all(struct lab *lab, struct finding *finding)
{
    const struct host_case slow = lab->host.slow_case, hard = lab->host.hard_case;
    return few_are_long(lab, lab->host.slow, &slow, BESIDES_DEVICE, SLOW_NS, finding) &&
           few_are_long(lab, lab->host.hard, &hard, PROCESSOR, SLOW_UNITS * work_unit_ns(),
                        finding);
}
