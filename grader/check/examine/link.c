/* link.c - starts a runner, sends it commands, waits for answers against a deadline. */
#include "check/examine/link.h"

#include "check/process.h"
#include "runner/sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Starting --------------------------------------------------------------------------------- */

/* The folder of the libcudart that this process runs with: the runner must get the same one, be
 * it NVIDIA's or the simulated device's. */
static struct path cudart_folder(void)
{
    Dl_info info;
    void *address = NULL;
    *(cudaError_t (**)(void **, size_t))&address = cudaMalloc;
    if (!dladdr(address, &info) || !info.dli_fname)
        return path_of("%s", "");
    struct path folder = path_real(info.dli_fname);
    char *slash = strrchr(folder.text, '/');
    if (slash)
        *slash = '\0';
    return folder;
}

/* Libraries first of that folder, then where our own search goes. */
static void show_libraries(struct sandbox *sandbox)
{
    struct path own = cudart_folder();
    const char *more = getenv("LD_LIBRARY_PATH");
    struct path all = path_of("%s%s%s", own.text, more ? ":" : "", more ? more : "");
    struct path piece = all;
    char *rest = piece.text, *folder;
    while ((folder = strsep(&rest, ":")))
        if (*folder == '/')
            sandbox_show(sandbox, folder, NULL);
    sandbox_set(sandbox, "LD_LIBRARY_PATH", all.text);
}

static void show_device(struct sandbox *sandbox, bool gpu)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES"), *socket = getenv("SIMGPU_SOCKET");
    if (gpu) {
        sandbox_show_gpu(sandbox);
        sandbox_set(sandbox, "CUDA_VISIBLE_DEVICES", visible ? visible : "0");
        sandbox_set(sandbox, "CUDA_CACHE_DISABLE", "1");
    } else if (socket) {
        sandbox_share(sandbox, socket, NULL);
        sandbox_set(sandbox, "SIMGPU_SOCKET", socket);
    }
}

static bool start_process(struct link *link, const struct link_spec *spec,
                          const int fds[RUNNER_FDS])
{
    static const char RUNNER[] = "/quest/runner", SUBMISSION[] = "/quest/submission.so";
    enum { MOST_FILES = 256, MOST_CPU_SECONDS = 5 };
    const uint64_t most_file_bytes = UINT64_C(1) << 30; /* in its own /tmp */
    const uint64_t most_data_bytes = UINT64_C(4) << 30;
    struct sandbox sandbox;
    sandbox_open(&sandbox, spec->sandbox);
    show_libraries(&sandbox);
    show_device(&sandbox, spec->gpu);
    sandbox_show(&sandbox, spec->runner, RUNNER);
    sandbox_show(&sandbox, spec->submission, SUBMISSION);
    sandbox_set(&sandbox, "PATH", "/usr/bin:/bin");
    sandbox_set(&sandbox, "HOME", "/tmp");
    sandbox_enter(&sandbox, "/tmp");
    sandbox_word(&sandbox, sandbox_name(&sandbox, spec->runner, RUNNER));
    sandbox_word(&sandbox, spec->lesson);
    sandbox_word(&sandbox, sandbox_name(&sandbox, spec->submission, SUBMISSION));
    struct process_spec process = {
        .argv = sandbox.argv,
        .environment = sandbox.walled ? NULL : sandbox.environment,
        .folder = "/tmp",
        .fd_count = RUNNER_FDS,
        /* With a GPU, waiting for it is processor time too; then only the clock tells. And its
         * driver takes what memory it needs. The simulated device sees every submission first. */
        .limits = {.file_bytes = most_file_bytes,
                   .data_bytes = spec->gpu ? 0 : most_data_bytes,
                   .open_files = MOST_FILES,
                   .cpu_seconds = spec->gpu ? 0 : MOST_CPU_SECONDS},
    };
    memcpy(process.fds, fds, RUNNER_FDS * sizeof *fds);
    link->pid = sandbox.too_long ? 0 : process_start(&process);
    sandbox_close(&sandbox);
    return link->pid > 0;
}

bool link_start(struct link *link, const struct link_spec *spec)
{
    int commands[2], answers[2], log[2], nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    memset(link, 0, sizeof *link);
    link->spec = *spec;
    signal(SIGPIPE, SIG_IGN); /* a runner that is gone shows as a failed write */
    if (nothing < 0 || pipe2(commands, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0 ||
        pipe2(log, O_CLOEXEC) != 0)
        return false;
    int theirs[RUNNER_FDS] = {nothing, log[1], log[1], commands[0], answers[1],
                              spec->shared_fd >= 0 ? spec->shared_fd : nothing,
                              spec->handed_fd >= 0 ? spec->handed_fd : nothing};
    bool started = start_process(link, spec, theirs);
    close(nothing), close(commands[0]), close(answers[1]), close(log[1]);
    link->commands = commands[1];
    link->answers = answers[0];
    link->log_fd = log[0];
    return started;
}

bool link_start_like(struct link *link, const struct link *other)
{
    return link_start(link, &other->spec);
}

/* --- Listening -------------------------------------------------------------------------------- */

/* False at the end of the log. */
static bool take_log(struct link *link)
{
    char piece[8192];
    ssize_t got = read(link->log_fd, piece, sizeof piece);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    size_t room = LINK_LOG_BYTES - link->log_bytes, keep = (size_t)got < room ? (size_t)got : room;
    memcpy(link->log + link->log_bytes, piece, keep);
    link->log_bytes += keep;
    link->log_capped |= keep < (size_t)got;
    return true;
}

static void stop(struct link *link, int64_t patience_ns)
{
    if (link->pid <= 0)
        return;
    close(link->commands);
    link->status = process_wait(link->pid, patience_ns);
    fcntl(link->log_fd, F_SETFL, O_NONBLOCK); /* someone may have kept the other end */
    while (take_log(link) && !link->log_capped)
        ;
    close(link->answers);
    close(link->log_fd);
    link->pid = 0;
}

void link_stop(struct link *link)
{
    stop(link, INT64_C(200000000));
}

enum link_event link_wait(struct link *link, int64_t deadline_ms, struct runner_answer *answer)
{
    int64_t deadline_ns = process_now_ns() + deadline_ms * 1000000;
    unsigned char *at = (unsigned char *)answer;
    size_t left = sizeof *answer;
    struct pollfd polled[] = {{.fd = link->answers, .events = POLLIN},
                              {.fd = link->log_fd, .events = POLLIN}};
    while (left) {
        int64_t left_ms = (deadline_ns - process_now_ns() + 999999) / 1000000;
        if (left_ms <= 0)
            return LINK_LATE;
        if (poll(polled, 2, (int)left_ms) <= 0)
            continue;
        if (polled[1].revents && !take_log(link))
            polled[1].fd = -1;
        if (!polled[0].revents)
            continue;
        ssize_t got = read(link->answers, at, left);
        if (got == 0)
            return LINK_ENDED;
        if (got > 0) {
            at += got;
            left -= (size_t)got;
        }
    }
    bool sensible = answer->magic == RUNNER_MAGIC && answer->serial == link->serial &&
                    answer->stage <= RUNNER_DONE;
    return sensible ? LINK_ANSWERED : LINK_BABBLED;
}

/* --- Talking ---------------------------------------------------------------------------------- */

static bool send(struct link *link, const struct runner_command *command)
{
    const unsigned char *at = (const unsigned char *)command;
    size_t left = sizeof *command;
    while (left) {
        ssize_t put = write(link->commands, at, left);
        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0) {
            at += put;
            left -= (size_t)put;
        }
    }
    return true;
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
    struct runner_command command = {.magic = RUNNER_MAGIC, .kind = RUNNER_CLOSE,
                                     .close = {.slot = slot}};
    link->open[slot].size_bytes = 0;
    return send(link, &command);
}

bool link_launch(struct link *link, struct runner_command *command)
{
    command->magic = RUNNER_MAGIC;
    command->kind = RUNNER_LAUNCH;
    command->launch.serial = ++link->serial;
    return send(link, command);
}

/* --- What it means ---------------------------------------------------------------------------- */

static enum verdict ended_verdict(struct link *link, char *reason, size_t bytes)
{
    stop(link, INT64_C(5000000000)); /* it is ending by itself: its status is of interest */
    int status = link->status;
    /* bubblewrap passes a signal on as 128 + its number. */
    int signal = WIFSIGNALED(status)            ? WTERMSIG(status)
                 : WEXITSTATUS(status) > 128    ? WEXITSTATUS(status) - 128
                                                : 0;
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

/* The simulated device says in words what an error number cannot: the last thing in the log. */
static void add_explanation(struct link *link, char *reason, size_t bytes)
{
    static const char MARK[] = "simgpu: ";
    char *last = NULL;
    link_stop(link); /* and take all of its log */
    for (char *at = link->log; (at = strstr(at, MARK)); at += strlen(MARK))
        last = at;
    char *end = last ? strchr(last, '\n') : NULL;
    if (!end || end[1])
        return;
    *end = '\0';
    size_t used = strlen(reason);
    snprintf(reason + used, bytes - used, " (%.200s)", last + strlen(MARK));
    link->log_bytes = (size_t)(last - link->log);
}

/* What a GPU says of a kernel that it stopped, in the verdict that the simulated device has for the
 * same. Where the number says no more than that it stopped: LAUNCH_ERROR. */
static enum verdict stopped_verdict(int error)
{
    switch ((cudaError_t)error) {
    case cudaErrorIllegalAddress:
    case cudaErrorInvalidAddressSpace:
        return VERDICT_OUT_OF_BOUNDS;
    case cudaErrorMisalignedAddress:
        return VERDICT_MISALIGNED;
    case cudaErrorAssert:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc:
        return VERDICT_STOPPED;
    default:
        return VERDICT_LAUNCH_ERROR;
    }
}

static enum verdict answer_verdict(struct link *link, const struct judge *judge,
                                   const struct runner_answer *answer, char *reason, size_t bytes)
{
    const char *error = cudaGetErrorString((cudaError_t)answer->error);
    size_t launchers = 0;
    while (judge->launchers[launchers])
        launchers++;
    switch ((enum runner_stage)answer->stage) {
    case RUNNER_NOT_LOADED:
        link_stop(link);
        snprintf(reason, bytes, "the compiled kernel does not load: %.300s", link->log);
        return VERDICT_BUILD;
    case RUNNER_NO_SYMBOL:
        snprintf(reason, bytes,
                 "%s() is not defined as common/contracts/%s.h declares it: was it renamed, or "
                 "made static?",
                 (size_t)answer->error < launchers ? judge->launchers[answer->error] : "?",
                 judge->lesson);
        return VERDICT_NO_LAUNCHER;
    case RUNNER_NO_DEVICE:
        snprintf(reason, bytes, "the runner cannot use the device: %s", error);
        return VERDICT_DEVICE;
    case RUNNER_NOT_LAUNCHED:
        if (answer->error == cudaErrorNoKernelImageForDevice) {
            snprintf(reason, bytes, "this device is older than what lessons are compiled for "
                                    "(compute capability 8.0)");
            return VERDICT_DEVICE;
        }
        snprintf(reason, bytes, "the launcher returned an error: %s", error);
        add_explanation(link, reason, bytes);
        return stopped_verdict(answer->error); /* one that waits is told by its own kernel */
    case RUNNER_NOT_FINISHED:
        snprintf(reason, bytes, "the kernel stopped with an error: %s", error);
        return stopped_verdict(answer->error);
    case RUNNER_NOT_REFUSED: /* launch.c knows which error was asked for */
    case RUNNER_READY:
    case RUNNER_DONE:
        break;
    }
    snprintf(reason, bytes, "the runner answered out of turn");
    return VERDICT_CRASH;
}

enum verdict link_verdict(struct link *link, const struct judge *judge, enum link_event event,
                          const struct runner_answer *answer, char *reason, size_t reason_bytes)
{
    enum verdict verdict = VERDICT_CRASH;
    switch (event) {
    case LINK_ENDED:
        return ended_verdict(link, reason, reason_bytes);
    case LINK_LATE:
        snprintf(reason, reason_bytes, "no answer within the time limit");
        verdict = VERDICT_TIMEOUT;
        break;
    case LINK_BABBLED:
        snprintf(reason, reason_bytes, "the process wrote into the grader's pipe");
        break;
    case LINK_ANSWERED:
        verdict = answer_verdict(link, judge, answer, reason, reason_bytes);
        break;
    }
    link_stop(link);
    return verdict;
}
