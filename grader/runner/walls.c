/* walls.c - the launcher: starts one program within limits, watches its tree, and ends it.
 *
 *     walls OPTION=VALUE... -- program argument...     (walls.h)
 *     walls --inside                                   status 0 if it runs inside walls
 *
 * All that it watches descends from it: it is process 1 of a sandbox, or adopts orphans.
 */
#include "runner/walls.h"

#include "lib/files.h"
#include "runner/filter.h"
#include "runner/landlock.h"
#include "runner/starved.h"
#include "runner/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_USAGE = 64, EXIT_CANNOT = 127, EXIT_SIGNAL = 128 };
enum { MOST_NAMES = 4096 }; /* files in its folder */
#define LOOK_NS INT64_C(20000000)

struct launch {
    struct walls walls;
    struct landlock landlock;
    struct path box; /* the program's own folder; empty if it has none */
    char **program;
    pid_t child;
    struct starved starved;
};

static int complain(const char *what)
{
    fprintf(stderr, "walls: %s: %s\n", what, strerror(errno));
    return EXIT_CANNOT;
}

/* --- Words ------------------------------------------------------------------------------------ */

static bool read_number(struct walls *walls, const char *word, const char *value)
{
    size_t length = (size_t)(value - word);
#define WALLS_NUMBER(name, meaning)                                             \
    if (length == strlen(#name "=") && strncmp(word, #name "=", length) == 0) { \
        walls->name = strtoull(value, NULL, 10);                                \
        return true;                                                            \
    }
    WALLS_NUMBERS
#undef WALLS_NUMBER
    return false;
}

/* False for an unknown word; walls must never be weaker than requested. */
static bool read_words(struct launch *launch, char **words)
{
    for (; *words && strcmp(*words, "--") != 0; words++) {
        const char *value = strchr(*words, '=');
        bool is_path = value && value[1] == '/';
        if (!value || (!is_path && !read_number(&launch->walls, *words, value + 1)))
            return false;
    }
    launch->program = words + (*words != NULL);
    return *launch->program != NULL;
}

static bool allow_words(const struct launch *launch, char **words)
{
    static const char *const NAMES[] = {
        [LANDLOCK_READ] = "read=", [LANDLOCK_USE] = "use=", [LANDLOCK_CHANGE] = "change="};
    for (; strcmp(*words, "--") != 0; words++)
        for (size_t right = 0; right < sizeof NAMES / sizeof *NAMES; right++) {
            size_t length = strlen(NAMES[right]);
            if (strncmp(*words, NAMES[right], length) == 0 &&
                !landlock_allow(&launch->landlock, *words + length, (enum landlock_right)right))
                return false;
        }
    return true;
}

/* --- A folder of its own ---------------------------------------------------------------------- */

/* Folders in memory are made and removed fast, however much is put into them. */
static bool is_memory(const char *folder)
{
    struct statfs status;
    return statfs(folder, &status) == 0 && status.f_type == TMPFS_MAGIC &&
           access(folder, W_OK) == 0;
}

/* If the program has no /tmp of its own, it gets this folder; the environment says so. */
static bool make_box(struct launch *launch)
{
    const char *above = getenv("TMPDIR");
    if (is_memory("/dev/shm"))
        above = "/dev/shm";
    launch->box = path_of("%s/warpquest-box-XXXXXX", above && *above ? above : "/tmp");
    if (!mkdtemp(launch->box.text) ||
        chown(launch->box.text, (uid_t)launch->walls.user, (gid_t)launch->walls.group) != 0)
        return false;
    return setenv("TMPDIR", launch->box.text, 1) == 0 && setenv("HOME", launch->box.text, 1) == 0;
}

/* What is in the folders for temporary files: in that one, or in a sandbox's own. */
static void use_of_folders(const struct launch *launch, struct folder_use *use)
{
    static const char *const OWN[] = {"/tmp", "/dev/shm"};
    struct statvfs status;
    memset(use, 0, sizeof *use);
    if (launch->box.text[0]) {
        folder_use(launch->box.text, MOST_NAMES, use);
        return;
    }
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN && getpid() == 1; i++)
        if (statvfs(OWN[i], &status) == 0)
            use->names += (unsigned)(status.f_files - status.f_ffree);
}

/* --- In the child, before it becomes the program ---------------------------------------------- */

static void limit(int resource, uint64_t value)
{
    struct rlimit both = {.rlim_cur = value, .rlim_max = value};
    if (value)
        setrlimit((__rlimit_resource_t)resource, &both);
}

/* If the user has other processes and the kernel counts them (before 5.14, or outside a namespace
 * of its own), the limit may not allow even one more. Then only the watch counts. */
static void limit_threads(uint64_t most)
{
    struct rlimit before;
    getrlimit(RLIMIT_NPROC, &before);
    if (most == 0 || before.rlim_max <= most)
        return;
    setrlimit(RLIMIT_NPROC, &(struct rlimit){most, before.rlim_max});
    pid_t tried = fork();
    if (tried == 0)
        _exit(0);
    if (tried > 0)
        waitpid(tried, NULL, 0);
    setrlimit(RLIMIT_NPROC, tried > 0 ? &(struct rlimit){most, most} : &before);
}

static void limit_all(const struct walls *walls)
{
    enum { MOST_LOCKED_BYTES = 64 << 20 };
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_MSGQUEUE, &none);
    limit(RLIMIT_FSIZE, walls->file_bytes);
    limit(RLIMIT_DATA, walls->data_bytes);
    limit(RLIMIT_AS, walls->address_bytes);
    limit(RLIMIT_NOFILE, walls->open_files);
    if (walls->address_bytes) /* a GPU's driver locks what it likes */
        limit(RLIMIT_MEMLOCK, MOST_LOCKED_BYTES);
    if (walls->cpu_seconds) /* SIGXCPU says why; a second later comes SIGKILL, which does not */
        setrlimit(RLIMIT_CPU, &(struct rlimit){walls->cpu_seconds, walls->cpu_seconds + 1});
}

static bool become_user(const struct walls *walls)
{
    uid_t user = (uid_t)walls->user;
    gid_t group = (gid_t)walls->group;
    return walls->user == 0 || (setgroups(0, NULL) == 0 && setresgid(group, group, group) == 0 &&
                                setresuid(user, user, user) == 0);
}

/* None of the privileges that root gave up may be inherited. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
           syscall(SYS_capset, &header, none) == 0;
}

/* If memory runs out nevertheless, the kernel kills the submission first. */
static void be_the_first_to_go(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0 && write(file, "1000", 4) != 4)
        errno = 0; /* not essential: the limits hold without it */
    if (file >= 0)
        close(file);
}

static bool confine_files(const struct launch *launch, char **words)
{
    static const char *const OWN[] = {"/proc/self", "/dev/null",   "/dev/zero",
                                      "/dev/full",  "/dev/random", "/dev/urandom"};
    static const char *const SEEN[] = {"/proc/cpuinfo",     "/proc/meminfo", "/proc/stat",
                                       "/proc/filesystems", "/proc/version", "/proc/devices",
                                       "/proc/modules",     "/proc/driver",  "/proc/sys"};
    if (!launch->walls.landlock)
        return true;
    bool allowed = landlock_allow(&launch->landlock, launch->box.text, LANDLOCK_CHANGE);
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++)
        allowed = allowed && landlock_allow(&launch->landlock, OWN[i], LANDLOCK_USE);
    for (size_t i = 0; i < sizeof SEEN / sizeof *SEEN; i++)
        allowed = allowed && landlock_allow(&launch->landlock, SEEN[i], LANDLOCK_READ);
    return allowed && allow_words(launch, words) && landlock_enforce(&launch->landlock);
}

static int become_program(const struct launch *launch, char **words, const sigset_t *signals)
{
    const struct walls *walls = &launch->walls;
    sigprocmask(SIG_SETMASK, signals, NULL);
    setsid();
    prctl(PR_SET_DUMPABLE, 1); /* otherwise it may not use its own part of /proc */
    be_the_first_to_go();
    if (!become_user(walls))
        return complain("it cannot get a user of its own");
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of user forgets it, so after that */
    prctl(PR_SET_DUMPABLE, 1);
    if (!drop_capabilities() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return complain("privileges cannot be dropped");
    if (walls->at_home && chdir(launch->box.text) != 0)
        return complain(launch->box.text);
    limit_all(walls);
    limit_threads(walls->threads);
    if (!confine_files(launch, words))
        return complain("files cannot be hidden by Landlock");
    if (!filter_install(walls->for_gpu))
        return complain("system calls cannot be filtered");
    execvp(launch->program[0], launch->program);
    return complain(launch->program[0]);
}

/* --- The watch -------------------------------------------------------------------------------- */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Of children that have ended, with all that they had waited for. */
static uint64_t reaped_ms(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

static int too_much(const char *what, uint64_t limit, int signal_number)
{
    fprintf(stderr, "walls: ended, since the process and those it started had more than %llu %s\n",
            (unsigned long long)limit, what);
    return EXIT_SIGNAL + signal_number;
}

/* 0 while the tree keeps within its limits; otherwise the status to end with. */
static int judge_use(struct launch *launch)
{
    const struct walls *walls = &launch->walls;
    struct tree_use use;
    struct folder_use room;
    if (!tree_use(getpid(), &use))
        return 0;
    starved_note_bytes(&launch->starved, use.memory_bytes);
    use_of_folders(launch, &room);
    if (walls->cpu_seconds && use.cpu_ms + reaped_ms() > walls->cpu_seconds * 1000)
        return too_much("s of processor time", walls->cpu_seconds, SIGXCPU);
    if (walls->memory_bytes && use.memory_bytes > walls->memory_bytes)
        return too_much("MiB of memory", walls->memory_bytes >> 20, SIGKILL);
    if (walls->threads && use.threads > walls->threads)
        return too_much("threads", walls->threads, SIGKILL);
    if (walls->room_bytes && room.bytes > walls->room_bytes)
        return too_much("MiB of files", walls->room_bytes >> 20, SIGKILL);
    if (room.names >= MOST_NAMES)
        return too_much("files", MOST_NAMES, SIGKILL);
    return 0;
}

static int status_of(int status)
{
    if (WIFSIGNALED(status))
        return EXIT_SIGNAL + WTERMSIG(status);
    return WEXITSTATUS(status) < EXIT_SIGNAL ? WEXITSTATUS(status) : EXIT_SIGNAL;
}

static void look_at_kills(struct launch *launch)
{
    uint64_t kills = 0;
    bool is_counted = starved_count(&kills);
    starved_look(&launch->starved, is_counted, kills, now_ns());
}

/* Reap all that ended. True if the program itself did. */
static bool reap(struct launch *launch, int *status)
{
    int ended;
    pid_t pid;
    struct rusage usage;
    bool done = false, was_killed = false;
    while ((pid = wait4(-1, &ended, WNOHANG, &usage)) > 0) {
        starved_note_bytes(&launch->starved, (uint64_t)usage.ru_maxrss << 10);
        if (pid != launch->child)
            continue;
        *status = status_of(ended);
        was_killed = WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL;
        done = true;
    }
    if (was_killed) {
        look_at_kills(launch);
        if (starved_is_it(&launch->starved, now_ns()))
            *status = WALLS_STARVED;
    }
    return done;
}

/* Until the program has ended or must end, or we are told to end. Looking takes at most a fifth of
 * the time, however many processes there are. */
static int watch(struct launch *launch, const sigset_t *awaited)
{
    int status = 0;
    for (;;) {
        int64_t before = now_ns();
        look_at_kills(launch);
        int over = judge_use(launch);
        if (over)
            return over;
        int64_t took = now_ns() - before, pause = 4 * took < LOOK_NS ? LOOK_NS : 4 * took;
        struct timespec until = {pause / 1000000000, pause % 1000000000};
        int told = sigtimedwait(awaited, NULL, &until);
        if (told == SIGTERM)
            return EXIT_SIGNAL + SIGTERM;
        if (reap(launch, &status))
            return status;
    }
}

/* --- From start to end ------------------------------------------------------------------------ */

/* A tree that forks faster than it is killed ends when all processes of its user are killed at
 * once. */
static void kill_user(uid_t user)
{
    pid_t killer = fork();
    if (killer == 0) {
        if (setresuid(user, user, user) == 0)
            kill(-1, SIGKILL);
        _exit(0);
    }
    if (killer > 0)
        waitpid(killer, NULL, 0);
}

/* Process 1 need not do this: its whole namespace ends with it. */
static void end_tree(const struct launch *launch)
{
    if (getpid() == 1)
        return;
    if (launch->walls.user)
        kill_user((uid_t)launch->walls.user);
    tree_kill();
    if (launch->box.text[0])
        folder_remove(launch->box.text);
}

/* Descriptors belong to the program; we keep the one for error messages. */
static void let_go_of_files(void)
{
    close(0), close(1);
    if (syscall(SYS_close_range, 3U, ~0U, 0) != 0)
        for (int fd = 3; fd < 1024; fd++)
            close(fd);
    open("/dev/null", O_RDWR), open("/dev/null", O_RDWR);
}

static int run(struct launch *launch, char **words)
{
    sigset_t awaited, before;
    if (getpid() != 1) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* and not SIGKILL: there is something to clean up */
    }
    prctl(PR_SET_DUMPABLE, 0);
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    if (launch->walls.landlock && (!landlock_open(&launch->landlock) || !make_box(launch)))
        return complain("Landlock, or a folder for it, is not available");
    launch->child = fork();
    if (launch->child == 0)
        _exit(become_program(launch, words, &before));
    if (launch->child < 0)
        return complain("no process can be started");
    let_go_of_files();
    int status = watch(launch, &awaited);
    end_tree(launch);
    return status;
}

/* Does the kernel say that this process is confined? */
static bool is_inside(void)
{
    return getuid() != 0 && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
           prctl(PR_GET_SECCOMP) == SECCOMP_MODE_FILTER;
}

int main(int count, char **words)
{
    static struct launch launch = {.landlock = {.rules = -1}};
    if (count == 2 && strcmp(words[1], "--inside") == 0)
        return !is_inside();
    if (!read_words(&launch, words + 1)) {
        fprintf(stderr, "walls: started by the grader only, as: walls OPTION=VALUE... -- program "
                        "argument...\n");
        return EXIT_USAGE;
    }
    return run(&launch, words + 1);
}
