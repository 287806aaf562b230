/* link.c - starts a runner and ends it. Next: link_talk.c, commands and answers; link_means.c, what
 * they mean. */
#include "check/examine/link_internal.h"

#include "lib/memory_limits.h"
#include "lib/process.h"
#include "runner/libraries.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Starting --------------------------------------------------------------------------------- */

/* The libraries are those of this process. */
static void show_libraries(struct sandbox *sandbox, const struct link_spec *spec)
{
    enum { VERSION = CUDART_VERSION / 1000 };
    const struct judge *judge = judge_named(spec->lesson);
    libraries_show(sandbox, libraries_folder(VERSION).text, getenv("LD_LIBRARY_PATH"),
                   judge ? judge->libraries : NULL, VERSION, spec->gpu);
}

static void show_device(struct sandbox *sandbox, bool gpu)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES"), *socket = getenv("SIMGPU_SOCKET");
    if (gpu) {
        sandbox_show_gpu(sandbox);
        sandbox_set(sandbox, "CUDA_VISIBLE_DEVICES", visible ? visible : "0");
        sandbox_set(sandbox, "CUDA_CACHE_DISABLE", "1");
    } else if (socket) {
        sandbox_admit(sandbox, socket);
    }
}

/* The descriptor of the simulated device's socket, so that no variable and no file has to name it;
 * -1 on a GPU. */
static int open_device(bool gpu)
{
    const char *socket = getenv("SIMGPU_SOCKET");
    return gpu || !socket ? -1 : open(socket, O_PATH | O_CLOEXEC);
}

/* Waiting for a GPU takes processor time too, so there only the clock counts. Its driver reserves
 * addresses without limit, and uses memory of its own; in a class the simulated device tests every
 * submission first. Memory that is shared for lack of CUDA IPC is mapped whole. */
static struct walls limits_of(const struct link_spec *spec)
{
    enum { MOST_FILES = 256, MOST_THREADS = 256, MOST_CPU_SECONDS = 5 };
    const uint64_t mebibyte = UINT64_C(1) << 20;
    const uint64_t own_bytes = memory_limits().runner;
    struct walls limits = {.memory_bytes = own_bytes,
                           .data_bytes = own_bytes,
                           .address_bytes = spec->shared_fd < 0 ? 8192 * mebibyte : 0,
                           .file_bytes = 256 * mebibyte,
                           .room_bytes = 512 * mebibyte,
                           .open_files = MOST_FILES,
                           .threads = MOST_THREADS,
                           .cpu_seconds = MOST_CPU_SECONDS};
    if (spec->gpu) {
        limits.memory_bytes = 16384 * mebibyte;
        limits.data_bytes = limits.address_bytes = limits.cpu_seconds = 0;
        limits.for_gpu = 1;
    }
    return limits;
}

/* The name of the runner's file inside: no submission knows it (runner/ordinary.h). */
static struct path drawn_name(void)
{
    uint32_t word = 0;
    if (getentropy(&word, sizeof word) != 0)
        word = (uint32_t)process_now_ns();
    struct path name = path_of("/quest/%c%07x", 'a' + word % 26, word >> 4);
    return name;
}

static bool start_process(struct link *link, const struct link_spec *spec,
                          const int fds[RUNNER_FDS])
{
    static const char SUBMISSION[] = "/quest/submission.so";
    struct path runner = drawn_name();
    struct walls limits = limits_of(spec);
    struct sandbox sandbox;
    sandbox_open(&sandbox, spec->sandbox, &limits);
    show_libraries(&sandbox, spec);
    show_device(&sandbox, spec->gpu);
    sandbox_show(&sandbox, spec->runner, runner.text);
    sandbox_show(&sandbox, spec->submission, SUBMISSION);
    sandbox_set(&sandbox, "PATH", "/usr/bin:/bin");
    sandbox_set(&sandbox, "HOME", "/tmp");
    sandbox_enter(&sandbox, "/tmp");
    sandbox_word(&sandbox, sandbox_name(&sandbox, spec->runner, runner.text));
    sandbox_word(&sandbox, spec->lesson);
    sandbox_word(&sandbox, sandbox_name(&sandbox, spec->submission, SUBMISSION));
    /* The launcher's own count ends it first, and says why; the kernel's limit is for the time
     * between two counts. */
    const struct group_limits around = {.memory_bytes = limits.memory_bytes / 4 * 5,
                                        .tasks = limits.threads / 4 * 5};
    group_open(&link->group, &around);
    struct process_spec process = {.argv = sandbox.argv,
                                   .group =
                                       link->group.folder.text[0] ? link->group.folder.text : NULL,
                                   .environment = sandbox.environment,
                                   .folder = "/tmp",
                                   .fd_count = RUNNER_FDS};
    memcpy(process.fds, fds, RUNNER_FDS * sizeof *fds);
    link->pid = sandbox.too_long ? 0 : process_start(&process);
    sandbox_close(&sandbox);
    if (link->pid <= 0)
        group_close(&link->group);
    return link->pid > 0;
}

bool link_start(struct link *link, const struct link_spec *spec)
{
    int commands[2], answers[2], log[2], nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int device = open_device(spec->gpu);
    memset(link, 0, sizeof *link);
    link->spec = *spec;
    signal(SIGPIPE, SIG_IGN); /* a runner that is gone shows as a failed write */
    if (nothing < 0 || pipe2(commands, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0 ||
        pipe2(log, O_CLOEXEC) != 0)
        return false;
    int theirs[RUNNER_FDS] = {nothing,
                              log[1],
                              log[1],
                              commands[0],
                              answers[1],
                              spec->shared_fd >= 0 ? spec->shared_fd : nothing,
                              spec->handed_fd >= 0 ? spec->handed_fd : nothing,
                              device >= 0 ? device : nothing};
    bool started = start_process(link, spec, theirs);
    if (getentropy(&link->secret, sizeof link->secret) != 0)
        started = false;
    close(nothing), close(commands[0]), close(answers[1]), close(log[1]);
    if (device >= 0)
        close(device);
    link->commands = commands[1];
    link->answers = answers[0];
    link->log_fd = log[0];
    /* Nothing that a runner does, or fails to do, keeps the grader waiting. */
    const int ours[] = {link->commands, link->answers, link->log_fd};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        fcntl(ours[i], F_SETFL, O_NONBLOCK);
    return started;
}

/* --- Ending ----------------------------------------------------------------------------------- */

bool link_take_log(struct link *link)
{
    char piece[8192];
    errno = 0;
    ssize_t got = read(link->log_fd, piece, sizeof piece);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    size_t room = LINK_LOG_BYTES - link->log_bytes, keep = (size_t)got < room ? (size_t)got : room;
    memcpy(link->log + link->log_bytes, piece, keep);
    link->log_bytes += keep;
    link->log_capped |= keep < (size_t)got;
    return true;
}

void link_let_go(struct link *link)
{
    if (link->pid > 0 && link->commands >= 0)
        close(link->commands);
    link->commands = -1;
}

void link_stop_within(struct link *link, int64_t patience_ns)
{
    if (link->pid <= 0)
        return;
    link_let_go(link);
    link->status = process_wait(link->pid, patience_ns);
    group_close(&link->group);
    while (link_take_log(link) && !link->log_capped)
        ;
    close(link->answers);
    close(link->log_fd);
    link->pid = 0;
}

void link_stop(struct link *link)
{
    link_stop_within(link, INT64_C(200000000));
}
