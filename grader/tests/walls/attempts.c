/* attempts.c - what a submission might try against its walls, one attempt a run. Status 0: it was
 * refused; 1: it got through, and a line says how. Attempts that use up a resource end in other
 * ways, which hold.c knows.
 *
 *     attempts NAME [ARGUMENT...]
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REFUSED = 0, THROUGH = 1, UNKNOWN = 64, MEBIBYTE = 1 << 20 };

static int through(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    return THROUGH;
}

static bool opens(const char *path, int flags)
{
    int file = open(path, flags | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0)
        close(file);
    return file >= 0;
}

/* --- /proc ------------------------------------------------------------------------------------ */

static int writable_below(const char *folder, int depth)
{
    char path[4096];
    DIR *list = opendir(folder);
    struct dirent *entry;
    int found = REFUSED;
    while (list && !found && (entry = readdir(list))) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.')
            continue;
        if (entry->d_type == DT_DIR && depth)
            found = writable_below(path, depth - 1);
        else if (entry->d_type == DT_REG && opens(path, O_WRONLY))
            found = through("%s opens for writing", path);
    }
    if (list)
        closedir(list);
    return found;
}

static int sysctl(char **arguments)
{
    (void)arguments;
    const char *known[] = {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
                           "/proc/sys/vm/drop_caches", "/proc/irq/default_smp_affinity"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (opens(known[i], O_WRONLY))
            return through("%s opens for writing", known[i]);
    return writable_below("/proc/sys", 6);
}

/* What can be known of a process of somebody else's. */
static int look_at(long pid)
{
    static const char *const PARTS[] = {"environ", "mem", "maps",    "auxv",  "fd",       "cwd/",
                                        "root/",   "io",  "syscall", "stack", "map_files"};
    char path[320], text[65536];
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        snprintf(path, sizeof path, "/proc/%ld/%s", pid, PARTS[i]);
        if (opens(path, O_RDONLY))
            return through("%s opens", path);
    }
    snprintf(path, sizeof path, "/proc/%ld/mem", pid);
    if (opens(path, O_RDWR))
        return through("%s opens for writing", path);
    snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    FILE *file = fopen(path, "re");
    size_t bytes = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < bytes; i++)
        text[i] = text[i] ? text[i] : ' ';
    text[bytes] = '\0';
    return strstr(text, "/hold") ? through("%s tells: %s", path, text) : REFUSED;
}

/* The grader's above all, whose number is the ARGUMENT. */
static int other_processes(char **arguments)
{
    enum { MOST = 3000 };
    long known[] = {getppid(), strtol(arguments[0], NULL, 10)};
    int found = REFUSED;
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++)
        found = look_at(known[i]);
    for (long pid = 1; pid < MOST && !found; pid++)
        found = pid == getpid() ? REFUSED : look_at(pid);
    if (!found && getenv("SECRET"))
        return through("the environment tells: %s", getenv("SECRET"));
    return found;
}

/* --- Calls ------------------------------------------------------------------------------------ */

static int empty(void *nothing)
{
    (void)nothing;
    return 0;
}

static int namespaces(char **arguments)
{
    static char stack[65536];
    static const int KINDS[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    uint64_t clone_arguments[8] = {CLONE_NEWUSER};
    (void)arguments;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (unshare(KINDS[i]) == 0 || unshare(KINDS[i] | CLONE_NEWUSER) == 0)
            return through("unshare(0x%x)", KINDS[i]);
        if (clone(empty, stack + sizeof stack, KINDS[i] | SIGCHLD, NULL) >= 0)
            return through("clone(0x%x)", KINDS[i]);
    }
    clone_arguments[4] = SIGCHLD;
    long pid = syscall(435, clone_arguments, sizeof clone_arguments);
    if (pid == 0)
        _exit(0);
    return pid > 0 ? through("clone3") : REFUSED;
}

static int tracing(char **arguments)
{
    pid_t others[] = {getppid(), 1, (pid_t)strtol(arguments[0], NULL, 10)};
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
        return through("traced by the parent");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (ptrace(PTRACE_ATTACH, others[i], NULL, NULL) == 0 ||
            ptrace(PTRACE_SEIZE, others[i], NULL, NULL) == 0)
            return through("traces %d", (int)others[i]);
        if (process_vm_readv(others[i], &here, 1, &there, 1, 0) > 0 || errno != EPERM)
            return through("process_vm_readv says %s", strerror(errno));
    }
    return REFUSED;
}

/* With arguments that would get another error from a kernel that looked at them. */
static int calls(char **arguments)
{
    static const struct {
        const char *name;
        long number, arguments[3];
    } CALLS[] = {
        {"bpf", SYS_bpf, {0}},
        {"perf_event_open", SYS_perf_event_open, {0}},
        {"io_uring_setup", SYS_io_uring_setup, {8}},
        {"io_uring_enter", SYS_io_uring_enter, {-1}},
        {"keyctl", SYS_keyctl, {0, -3, 1}},
        {"add_key", SYS_add_key, {0}},
        {"request_key", SYS_request_key, {0}},
        {"userfaultfd", SYS_userfaultfd, {1}},
        {"mount", SYS_mount, {0}},
        {"umount2", SYS_umount2, {0}},
        {"pivot_root", SYS_pivot_root, {0}},
        {"chroot", SYS_chroot, {0}},
        {"setns", SYS_setns, {-1}},
        {"fsopen", 430, {0}},
        {"open_tree", 428, {-1}},
        {"kexec_load", SYS_kexec_load, {0}},
        {"init_module", SYS_init_module, {0}},
        {"finit_module", SYS_finit_module, {-1}},
        {"delete_module", SYS_delete_module, {0}},
        {"personality", SYS_personality, {0x0040000}},
        {"open_by_handle_at", SYS_open_by_handle_at, {-1}},
        {"fanotify_init", SYS_fanotify_init, {0}},
        {"memfd_create", SYS_memfd_create, {0}},
        {"memfd_secret", 447, {0}},
        {"shmget", SYS_shmget, {0, 4096, 01600}},
        {"semget", SYS_semget, {0, 1, 01600}},
        {"msgget", SYS_msgget, {0, 01600}},
        {"mq_open", SYS_mq_open, {0}},
        {"reboot", SYS_reboot, {0}},
        {"sethostname", SYS_sethostname, {0}},
        {"pidfd_getfd", 438, {-1}},
        {"kcmp", SYS_kcmp, {1, 1, 0}},
        {"swapon", SYS_swapon, {0}},
        {"acct", SYS_acct, {0}},
    };
    (void)arguments;
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
        const long *with = CALLS[i].arguments;
        errno = 0;
        long said = syscall(CALLS[i].number, with[0], with[1], with[2], 0, 0, 0);
        if (said >= 0 || (errno != EPERM && errno != ENOSYS))
            return through("%s says %ld, %s", CALLS[i].name, said, strerror(errno));
    }
    return REFUSED;
}

/* Calls of the 32-bit kind have other numbers, which the filter must not mistake for its own. */
static int other_numbers(char **arguments)
{
    (void)arguments;
#ifdef __x86_64__
    long x32 = syscall(0x40000000L + SYS_ptrace, 0, 0, 0, 0);
    if (x32 >= 0 || errno != ENOSYS)
        return through("x32: %s", strerror(errno));
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        int said;
        __asm__ volatile("int $0x80" : "=a"(said) : "a"(26 /* ptrace */), "b"(0) : "memory");
        _exit(said == -ENOSYS ? 0 : 1);
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
        return through("int 0x80 makes calls");
#endif
    return REFUSED;
}

static int sockets(char **arguments)
{
    static const int FAMILIES[] = {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, 40 /* VSOCK */};
    (void)arguments;
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
        for (int kind = SOCK_STREAM; kind <= SOCK_RAW; kind++)
            if (socket(FAMILIES[i], kind, 0) >= 0)
                return through("socket(%d, %d)", FAMILIES[i], kind);
    return REFUSED;
}

/* --- Others ----------------------------------------------------------------------------------- */

/* ARGUMENT: a process of the grader's. Process 1 may be told, and does not mind. */
static int signals(char **arguments)
{
    pid_t grader = (pid_t)strtol(arguments[0], NULL, 10);
    struct rlimit limit;
    if (kill(grader, 0) == 0 || kill(-grader, 0) == 0)
        return through("a signal reaches the grader");
    if (getppid() != 1 && kill(getppid(), 0) == 0)
        return through("a signal reaches the launcher");
    if (prlimit(getppid(), RLIMIT_CPU, NULL, &limit) == 0)
        return through("prlimit of another process");
    if (setpriority(PRIO_PROCESS, (id_t)getppid(), 19) == 0)
        return through("setpriority of another process");
    cpu_set_t all, one, now;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
    sched_getaffinity(0, sizeof now, &now);
    if (!CPU_EQUAL(&all, &now))
        return through("it chose its processor");
    kill(1, SIGKILL), kill(1, SIGSTOP), kill(getppid(), SIGKILL), kill(getppid(), SIGSTOP);
    signal(SIGTERM, SIG_IGN);
    kill(-1, SIGTERM);
    return REFUSED;
}

static int privileges(char **arguments)
{
    (void)arguments;
    if (getuid() == 0 || geteuid() == 0 || getgid() == 0)
        return through("is root");
    if (setuid(0) == 0 || setgid(0) == 0 || seteuid(0) == 0)
        return through("became root");
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 || prctl(PR_GET_SECCOMP) != 2)
        return through("no_new_privs or the filter are not set");
    return REFUSED;
}

/* ARGUMENTS: what must not be there, besides the usual. */
static int files(char **arguments)
{
    static const char *const USUAL[] = {"/root", "/home", "/etc/passwd", "/etc/shadow", "/var",
                                        "/run",  "/boot", "/mnt",        "/srv",        "/opt"};
    for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++)
        if (opens(USUAL[i], O_RDONLY))
            return through("%s opens", USUAL[i]);
    for (; *arguments; arguments++)
        if (opens(*arguments, O_RDONLY) || opens(*arguments, O_WRONLY))
            return through("%s opens", *arguments);
    return REFUSED;
}

static int writing(char **arguments)
{
    static const char *const FOLDERS[] = {"/",      "/usr",  "/usr/lib", "/lib",     "/etc", "/dev",
                                          "/quest", "/proc", "/sys",     "/var/tmp", "/run"};
    char path[4096];
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        snprintf(path, sizeof path, "%s/warpquest-attempt", FOLDERS[i]);
        if (opens(path, O_WRONLY | O_CREAT))
            return through("%s was made", path);
    }
    for (; *arguments; arguments++)
        if (opens(*arguments, O_WRONLY) || chmod(*arguments, 0777) == 0 ||
            unlink(*arguments) == 0 || truncate(*arguments, 0) == 0)
            return through("%s can be changed", *arguments);
    return REFUSED;
}

static int descriptors(char **arguments)
{
    (void)arguments;
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return through("descriptor %d is open", fd);
    return REFUSED;
}

/* ARGUMENTS: libraries, by path or name. */
static int libraries(char **arguments)
{
    for (; *arguments; arguments++)
        if (dlopen(*arguments, RTLD_NOW))
            return through("%s is loaded", *arguments);
    return REFUSED;
}

static int terminal(char **arguments)
{
    (void)arguments;
    return ioctl(0, TIOCSTI, "x") == 0 || opens("/dev/tty", O_RDWR) ? through("a terminal")
                                                                    : REFUSED;
}

/* --- Using it up ------------------------------------------------------------------------------ */

/* Status 0 when the system stopped it well before. */
static int fork_bomb(char **arguments)
{
    enum { WANTED = 10000, ALLOWED = 300 };
    int started = 0;
    (void)arguments;
    for (; started < WANTED; started++) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0)
            for (;;)
                pause();
    }
    return started > ALLOWED ? through("%d processes", started) : REFUSED;
}

static int touch_all(char *memory, size_t bytes)
{
    for (size_t i = 0; memory && i < bytes; i += 4096)
        memory[i] = 1;
    return memory != NULL;
}

static int heap(char **arguments)
{
    size_t had = 0;
    (void)arguments;
    for (; had < 8192; had += 64) {
        char *memory = malloc(64 * MEBIBYTE);
        if (!touch_all(memory, memory ? 64 * MEBIBYTE : 0))
            return REFUSED;
    }
    return through("8 GiB by malloc");
}

/* By children, each of which keeps to the limit of one process. */
static int shared_memory(char **arguments)
{
    enum { CHILDREN = 16, EACH_MEBIBYTES = 512 };
    (void)arguments;
    for (int i = 0; i < CHILDREN; i++) {
        if (fork() != 0)
            continue;
        for (size_t had = 0; had < EACH_MEBIBYTES; had += 16) {
            char *memory = mmap(NULL, 16 * MEBIBYTE, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            touch_all(memory == MAP_FAILED ? NULL : memory, 16 * MEBIBYTE);
        }
        pause();
    }
    sleep(20);
    return through("8 GiB of shared memory");
}

/* Into files of one folder, 64 MiB each. ARGUMENT: the folder; HOME when absent. */
static int fill(char **arguments)
{
    static char piece[MEBIBYTE];
    char path[4096];
    const char *folder = arguments[0] ? arguments[0] : getenv("HOME");
    for (int file = 0; file < 160; file++) {
        snprintf(path, sizeof path, "%s/fill-%d", folder, file);
        int fd = open(path, O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < 64; i++)
            if (fd < 0 || write(fd, piece, sizeof piece) != sizeof piece)
                return REFUSED;
        close(fd);
    }
    return through("10 GB in %s", folder);
}

static int one_large_file(char **arguments)
{
    char path[4096];
    (void)arguments;
    signal(SIGXFSZ, SIG_IGN);
    snprintf(path, sizeof path, "%s/large", getenv("HOME"));
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    return fd >= 0 && pwrite(fd, "x", 1, (off_t)10 << 30) == 1 ? through("a file of 10 GB")
                                                               : REFUSED;
}

static int many_files(char **arguments)
{
    char path[4096];
    (void)arguments;
    for (int i = 0; i < 2000000; i++) {
        snprintf(path, sizeof path, "%s/f%d", getenv("HOME"), i);
        if (mkdir(path, 0700) != 0)
            return REFUSED;
    }
    return through("two million folders");
}

static int loops(char **arguments)
{
    (void)arguments;
    signal(SIGCHLD, SIG_IGN); /* so that their time is nobody's when they end */
    for (int i = 0; i < 7; i++)
        if (fork() == 0)
            break;
    for (volatile unsigned long i = 0; i < ~0UL; i++)
        ;
    return through("an endless loop");
}

/* A process that has left its session and its parents. */
static int daemons(char **arguments)
{
    (void)arguments;
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            prctl(PR_SET_NAME, "wq_leftover");
            signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN);
            for (;;)
                pause();
        }
        _exit(0);
    }
    wait(NULL);
    return REFUSED;
}

static int daemon_and_sleep(char **arguments)
{
    daemons(arguments);
    sleep(60);
    return through("nobody ended it");
}

static int stopped(char **arguments)
{
    daemons(arguments);
    kill(getpid(), SIGSTOP);
    return through("it went on");
}

static int status_of_a_signal(char **arguments)
{
    (void)arguments;
    _exit(128 + SIGXCPU);
}

/* clang-format off */
static const struct {
    const char *name;
    int (*attempt)(char **arguments);
} ATTEMPTS[] = {
    {"sysctl", sysctl}, {"other_processes", other_processes}, {"namespaces", namespaces},
    {"tracing", tracing}, {"calls", calls}, {"other_numbers", other_numbers},
    {"sockets", sockets}, {"signals", signals}, {"privileges", privileges}, {"files", files},
    {"writing", writing}, {"descriptors", descriptors}, {"libraries", libraries},
    {"terminal", terminal}, {"fork_bomb", fork_bomb}, {"heap", heap},
    {"shared_memory", shared_memory}, {"fill", fill}, {"one_large_file", one_large_file},
    {"many_files", many_files}, {"loops", loops}, {"daemons", daemons},
    {"daemon_and_sleep", daemon_and_sleep}, {"stopped", stopped},
    {"status_of_a_signal", status_of_a_signal},
};
/* clang-format on */

int main(int count, char **words)
{
    for (size_t i = 0; count > 1 && i < sizeof ATTEMPTS / sizeof *ATTEMPTS; i++)
        if (strcmp(words[1], ATTEMPTS[i].name) == 0)
            return ATTEMPTS[i].attempt(words + 2);
    return UNKNOWN;
}
