/* process.c - starts children with chosen descriptors and environment, and ends them. */
#include "lib/process.h"

#include "lib/group.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;
static bool adopts; /* we inherit our children's children, and run one child at a time */
static pid_t spared[PROCESS_MOST_SPARED]; /* besides these, which end their own; 0: none */

static void note_interrupt(int signal)
{
    interrupted = signal;
}

bool process_interrupted(void)
{
    return interrupted != 0;
}

void process_adopt_orphans(void)
{
    struct sigaction action = {.sa_handler = note_interrupt}; /* no SA_RESTART: poll returns */
    adopts = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

static bool replace_spared(pid_t old, pid_t new)
{
    for (int i = 0; i < PROCESS_MOST_SPARED; i++)
        if (spared[i] == old) {
            spared[i] = new;
            return true;
        }
    return false;
}

bool process_spare(pid_t pid)
{
    return replace_spared(0, pid);
}

void process_spare_no_more(pid_t pid)
{
    replace_spared(pid, 0);
}

static bool is_spared(pid_t pid)
{
    for (int i = 0; i < PROCESS_MOST_SPARED; i++)
        if (spared[i] == pid)
            return true;
    return false;
}

int64_t process_now_ns(void)
{
    return work_wall_ns();
}

static struct work_clock work_clock;
static pid_t clock_owner, clock_root; /* a forked child has a clock of its own */

struct work_clock *process_clock(void)
{
    pid_t self = getpid();
    if (clock_owner != self) {
        clock_owner = self;
        work_clock_open(&work_clock, clock_root ? clock_root : self);
    }
    return &work_clock;
}

void process_clock_of(pid_t root)
{
    clock_root = root;
    clock_owner = 0;
}

int64_t process_work_ns(void)
{
    return work_clock_now_ns(process_clock());
}

/* --- In the child, before exec ---------------------------------------------------------------- */

/* The chosen descriptors become 0, 1, ...; first all move out of each other's way. */
static bool place_fds(const struct process_spec *spec)
{
    int moved[PROCESS_MOST_FDS];
    for (size_t i = 0; i < spec->fd_count; i++)
        if ((moved[i] = fcntl(spec->fds[i], F_DUPFD, PROCESS_MOST_FDS)) < 0)
            return false;
    for (size_t i = 0; i < spec->fd_count; i++)
        if (dup2(moved[i], (int)i) < 0)
            return false;
    if (syscall(SYS_close_range, (unsigned)spec->fd_count, ~0U, 0) != 0)
        for (int fd = (int)spec->fd_count; fd < 1024; fd++) /* kernels before 5.9 */
            close(fd);
    return true;
}

static void become(const struct process_spec *spec, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before we asked */
        _exit(127);
    signal(SIGPIPE, SIG_DFL);
    if (spec->group)
        group_enter(spec->group); /* if that fails, counting works as without one */
    if (spec->folder && chdir(spec->folder) != 0)
        _exit(127);
    if (!place_fds(spec))
        _exit(127);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    char *const *argv = (char *const *)spec->argv;
    if (spec->environment)
        execvpe(argv[0], argv, (char *const *)spec->environment);
    else
        execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "%s cannot be executed\n", argv[0]);
    _exit(127);
}

/* vfork, since the examining process has hundreds of megabytes, and fork copies the tables of all
 * its pages. Until it is another program, the child has the parent's memory: it keeps to its own
 * variables and to calls of the system, and never returns. */
pid_t process_start(const struct process_spec *spec)
{
    pid_t parent = getpid(), pid = vfork();
    if (pid == 0)
        become(spec, parent);
    if (pid > 0)
        setpgid(pid, pid); /* in both processes: whichever is first */
    return pid;
}

/* --- Ending ----------------------------------------------------------------------------------- */

/* Wait for pid until the deadline. */
static bool ended(pid_t pid, int *status, int64_t patience_ns)
{
    struct work_deadline deadline = work_clock_in(process_clock(), patience_ns);
    for (;;) {
        pid_t done = waitpid(pid, status, WNOHANG);
        if (done == pid || (done < 0 && errno == ECHILD))
            return true;
        if (work_clock_left_ns(process_clock(), &deadline) <= 0)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* One of our children that is not spared, or 0. */
static pid_t any_child(void)
{
    int pid = 0;
    FILE *children = fopen("/proc/thread-self/children", "re");
    if (!children)
        return 0;
    do
        if (fscanf(children, "%d", &pid) != 1)
            pid = 0;
    while (pid && is_spared(pid));
    fclose(children);
    return pid;
}

/* What is left of the group, and, if we adopt orphans, everything that was below it. */
static void end_rest(pid_t group)
{
    kill(-group, SIGKILL);
    while (waitpid(-group, NULL, 0) > 0 || errno == EINTR)
        ;
    pid_t orphan;
    while (adopts && (orphan = any_child()) > 0) {
        kill(orphan, SIGKILL);
        waitpid(orphan, NULL, 0);
    }
}

int process_end(pid_t pid)
{
    int status = 0;
    kill(-pid, SIGTERM);
    if (!ended(pid, &status, INT64_C(1000000000))) {
        kill(-pid, SIGKILL);
        ended(pid, &status, INT64_C(10000000000));
    }
    end_rest(pid);
    return status;
}

int process_wait(pid_t pid, int64_t patience_ns)
{
    int status = 0;
    if (!ended(pid, &status, patience_ns))
        return process_end(pid);
    end_rest(pid);
    return status;
}
