/* link_means.c - the verdict for a runner's end, or for its answer.
 *
 * A runner's answers are claims. A claim about itself may cost it points; a claim about the device
 * becomes DEVICE here, which again.h believes only if the device confirms it. No reason is taken
 * from its log.
 */
#include "check/examine/link_internal.h"

#include "lib/process.h"
#include "lib/process_seen.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The simulated device's process started this one. Most checks take less than 0.5 GB of it
 * (lib/memory_limits.h). */
static bool device_took_little(void)
{
    const uint64_t most_kib = UINT64_C(1) << 20;
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/status", (int)getppid());
    const char *at = process_read(path, text, sizeof text) ? strstr(text, "\nVmHWM:") : NULL;
    return at && strtoull(at + strlen("\nVmHWM:"), NULL, 10) < most_kib;
}

/* A claim of the launcher's, which the kernel's count supports. Memory of the device's process may
 * also be due to the submission: only if that process, too, has taken little is the submission not
 * to blame. */
static enum verdict starved_verdict(struct link *link, char *reason, size_t bytes)
{
    link->starved = link->spec.gpu || device_took_little();
    snprintf(reason, bytes,
             "this machine ran out of memory, and its kernel ended the process, which had taken "
             "little: run fewer programs next to the check");
    return VERDICT_DEVICE;
}

static enum verdict ended_verdict(struct link *link, char *reason, size_t bytes)
{
    link_stop_within(link, INT64_C(5000000000)); /* it ends by itself: its status is wanted */
    int status = link->status;
    if (WIFEXITED(status) && WEXITSTATUS(status) == WALLS_STARVED)
        return starved_verdict(link, reason, bytes);
    int signal = process_signal_of(status);
    if (signal == SIGXCPU) {
        snprintf(reason, bytes, "the host code used up its processor time, which is a few seconds");
        return VERDICT_TIMEOUT;
    }
    if (signal) {
        snprintf(reason, bytes, "the process was killed by signal %d (%s)", signal,
                 strsignal(signal));
        return VERDICT_CRASH;
    }
    snprintf(reason, bytes, "the process ended with status %d before the check was done",
             WEXITSTATUS(status));
    return VERDICT_EARLY_EXIT;
}

/* A GPU's error for a kernel that it stopped, as the verdict that the simulated device gives for
 * the same. LAUNCH_ERROR if the number says only that the kernel stopped. */
static enum verdict stopped_verdict(int error)
{
    switch ((cudaError_t)error) {
    case cudaErrorIllegalAddress:
    case cudaErrorInvalidAddressSpace: return VERDICT_OUT_OF_BOUNDS;
    case cudaErrorMisalignedAddress: return VERDICT_MISALIGNED;
    case cudaErrorAssert:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc: return VERDICT_STOPPED;
    default: return VERDICT_LAUNCH_ERROR;
    }
}

/* What was returned instead of success, by the launcher or by the judge's code around it. */
static void say_returned(const struct judge *judge, int error, char *reason, size_t bytes)
{
    for (const struct judge_ending *e = judge->endings; e && e->says; e++)
        if ((int)e->error == error) {
            snprintf(reason, bytes, "%s", e->says);
            return;
        }
    snprintf(reason, bytes, "the launcher returned an error: %s",
             cudaGetErrorString((cudaError_t)error));
}

static enum verdict answer_verdict(const struct judge *judge, const struct runner_answer *answer,
                                   char *reason, size_t bytes)
{
    const char *error = cudaGetErrorString((cudaError_t)answer->error);
    size_t launchers = 0;
    while (judge->launchers[launchers])
        launchers++;
    switch ((enum runner_stage)answer->stage) {
    case RUNNER_NOT_LOADED:
        snprintf(reason, bytes, "the compiled kernel does not load");
        return VERDICT_BUILD;
    case RUNNER_NO_SYMBOL:
        snprintf(reason, bytes,
                 "%s() is not defined as common/contracts/%s.h declares it: was it renamed, or "
                 "made static?",
                 (size_t)answer->error < launchers ? judge->launchers[answer->error] : "?",
                 judge->lesson);
        return VERDICT_NO_LAUNCHER;
    case RUNNER_NO_DEVICE: /* a claim: again.h finds out */
        snprintf(reason, bytes, "its process says that it cannot use the device: %s", error);
        return VERDICT_DEVICE;
    case RUNNER_NOT_LAUNCHED:
        say_returned(judge, answer->error, reason, bytes);
        return stopped_verdict(answer->error); /* a launcher that waits gets its kernel's error */
    case RUNNER_NOT_FINISHED:
        snprintf(reason, bytes, "the kernel stopped with an error: %s", error);
        return stopped_verdict(answer->error);
    case RUNNER_NOT_REFUSED: /* launch.c knows which error was asked for */
    case RUNNER_READY:
    case RUNNER_DONE: break;
    }
    snprintf(reason, bytes, "the runner answered out of turn");
    return VERDICT_CRASH;
}

static const char TOO_BUSY[] =
    "this machine is too busy: its process got hardly any processor time";

static const char *why_late(const struct link *link)
{
    const struct link_spec *spec = &link->spec;
    if (link->load_late)
        return "its process takes much longer to load than the reference's";
    if (link->deaf)
        return "its process no longer listens to the grader";
    if (spec->spent_ns && *spec->spent_ns >= spec->most_ns)
        return "all its launches together take longer than a check may";
    return "no answer within the time limit";
}

enum verdict link_verdict(struct link *link, const struct judge *judge, enum link_event event,
                          const struct runner_answer *answer, char *reason, size_t reason_bytes)
{
    enum verdict verdict = VERDICT_CRASH;
    switch (event) {
    case LINK_ENDED: return ended_verdict(link, reason, reason_bytes);
    case LINK_LATE:
        snprintf(reason, reason_bytes, "%s", link->was_busy ? TOO_BUSY : why_late(link));
        verdict = link->was_busy ? VERDICT_DEVICE : VERDICT_TIMEOUT;
        break;
    case LINK_BABBLED:
        snprintf(reason, reason_bytes, "%s",
                 link->babbled ? "the process answered what it had not been asked"
                               : "the process wrote into the grader's pipe");
        break;
    case LINK_ANSWERED: verdict = answer_verdict(judge, answer, reason, reason_bytes); break;
    }
    link_stop(link);
    return verdict;
}
