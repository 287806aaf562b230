/* hold.c - runs each attempt (attempts.c) inside each kind of walls that this machine permits, and
 * says whether the walls held. A kind that it does not permit is named, and not counted.
 *
 *     hold ATTEMPTS CUBLASLT COURSE      the program, a library of the toolkit, the course's root
 */
#include "runner/libraries.h"

#include "lib/process.h"
#include "runner/tree.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BY_SIGNAL = 128, CPU_SECONDS = 2, DEADLINE_MS = 20000 };

/* Which statuses mean that the walls held. */
enum held { WHEN_REFUSED, WHEN_REFUSED_OR_ENDED, WHEN_OUT_OF_TIME, WHEN_UNHEARD, WHEN_STOPPED };

struct attempt {
    const char *name, *claim;
    enum held held;
    const char *arguments[4];
    int64_t deadline_ms; /* 0 for the usual one */
};

static const char *program, *library, *course;
static char own_pid[16], records[4096], solutions[4096], socket_path[4096];
static bool failed;

/* The limits of a submission's runner, but smaller: this is a test for any machine. */
static const struct walls LIMITS = {.memory_bytes = UINT64_C(768) << 20,
                                    .data_bytes = UINT64_C(512) << 20,
                                    .address_bytes = UINT64_C(1) << 30,
                                    .file_bytes = UINT64_C(128) << 20,
                                    .room_bytes = UINT64_C(128) << 20,
                                    .open_files = 256,
                                    .threads = 256,
                                    .cpu_seconds = CPU_SECONDS};

/* As link.c starts a runner: with libraries, but no device and none of its descriptors. */
static void run(enum sandbox_kind kind, const struct attempt *attempt,
                struct process_result *result)
{
    struct sandbox sandbox;
    sandbox_open(&sandbox, kind, &LIMITS);
    libraries_show(&sandbox, "/nowhere", NULL, NULL, 13, false);
    sandbox_show(&sandbox, program, "/quest/attempts");
    sandbox_set(&sandbox, "PATH", "/usr/bin:/bin");
    sandbox_set(&sandbox, "HOME", "/tmp");
    sandbox_enter(&sandbox, "/tmp");
    sandbox_word(&sandbox, sandbox_name(&sandbox, program, "/quest/attempts"));
    sandbox_word(&sandbox, attempt->name);
    for (size_t i = 0; i < 4 && attempt->arguments[i]; i++)
        sandbox_word(&sandbox, attempt->arguments[i]);
    struct process_job job = {
        .spec = {.argv = sandbox.argv, .environment = sandbox.environment, .folder = "/tmp"},
        .deadline_ms = attempt->deadline_ms ? attempt->deadline_ms : DEADLINE_MS,
        .most_output_bytes = 4096};
    process_run(&job, result);
    sandbox_close(&sandbox);
}

static bool is_held(const struct attempt *attempt, const struct process_result *result)
{
    int status = WIFEXITED(result->status) ? WEXITSTATUS(result->status)
                                           : BY_SIGNAL + WTERMSIG(result->status);
    bool by_launcher = strstr(result->output, "walls: ended, since") != NULL;
    switch (attempt->held) {
    case WHEN_REFUSED: return !result->timed_out && status == 0;
    case WHEN_REFUSED_OR_ENDED:
        return !result->timed_out &&
               (status == 0 || (status == BY_SIGNAL + SIGKILL && by_launcher));
    case WHEN_OUT_OF_TIME: /* eight at once: at once, if there are processors, and never 8 times */
        return !result->timed_out && status == BY_SIGNAL + SIGXCPU && by_launcher;
    case WHEN_UNHEARD: return !result->timed_out && status == BY_SIGNAL;
    case WHEN_STOPPED: return result->timed_out;
    }
    return false;
}

/* --- What is left ----------------------------------------------------------------------------- */

/* Processes below us, or of a sandbox's user, or of that name. */
static bool processes_left(void)
{
    struct tree_use use;
    glob_t names;
    char text[64];
    bool found = tree_use(getpid(), &use) && use.processes > 0;
    if (glob("/proc/[0-9]*/comm", GLOB_NOSORT, NULL, &names) == 0)
        for (size_t i = 0; i < names.gl_pathc; i++) {
            FILE *file = fopen(names.gl_pathv[i], "re");
            found |= file && fgets(text, sizeof text, file) && strcmp(text, "wq_leftover\n") == 0;
            if (file)
                fclose(file);
        }
    globfree(&names);
    return found;
}

static bool boxes_left(void)
{
    glob_t names;
    bool found = glob("/dev/shm/warpquest-box-*", 0, NULL, &names) == 0;
    globfree(&names);
    return found;
}

/* --- All of it -------------------------------------------------------------------------------- */

static const struct attempt ATTEMPTS[] = {
    {"sysctl", "settings of the kernel cannot be written"},
    {"other_processes", "no other process's memory, files or environment can be opened",
     .arguments = {own_pid}},
    {"namespaces", "no namespace can be made"},
    {"tracing", "nothing can be traced", .arguments = {own_pid}},
    {"calls", "34 calls that no submission needs are refused"},
    {"other_numbers", "calls by other numbers are refused"},
    {"sockets", "there is no network"},
    {"signals", "signals reach nobody outside", .arguments = {own_pid}},
    {"privileges", "it is not root, and does not become root"},
    {"files", "home folders, records and solutions cannot be read",
     .arguments = {records, solutions, socket_path}},
    {"writing", "nothing outside its own folder can be written", .arguments = {records}},
    {"descriptors", "no descriptor is inherited"},
    {"libraries", "cuBLASLt cannot be loaded, by path or by name",
     .arguments = {"libcublasLt.so.13", "libcublas.so.13", "libcublasLt.so"}},
    {"terminal", "there is no terminal"},
    {"fork_bomb", "10,000 processes are not to be had", WHEN_REFUSED_OR_ENDED},
    {"heap", "nor 8 GiB by malloc", WHEN_REFUSED_OR_ENDED},
    {"shared_memory", "nor 8 GiB of shared memory in 16 processes", WHEN_REFUSED_OR_ENDED},
    {"fill", "nor 10 GB in files of its folder", WHEN_REFUSED_OR_ENDED},
    {"fill", "nor in /dev/shm", WHEN_REFUSED_OR_ENDED, {"/dev/shm"}},
    {"one_large_file", "nor in one file"},
    {"many_files", "nor two million folders", WHEN_REFUSED_OR_ENDED},
    {"loops", "endless loops in 8 processes share one processor time", WHEN_OUT_OF_TIME},
    {"status_of_a_signal", "it cannot pretend to have been ended", WHEN_UNHEARD},
    {"daemons", "what leaves its parents ends with the rest"},
    {"daemon_and_sleep", "and so it does when time is up", WHEN_STOPPED, .deadline_ms = 1000},
    {"stopped", "and when it has stopped itself", WHEN_STOPPED, .deadline_ms = 1000},
};

static void try_one(enum sandbox_kind kind, const struct attempt *attempt)
{
    struct process_result result;
    run(kind, attempt, &result);
    bool left = processes_left() || boxes_left(), held = is_held(attempt, &result) && !left;
    printf("  %-5s %s as %s: %s\n", held ? "ok" : "FAIL", sandbox_kind_name(kind),
           geteuid() == 0 ? "root" : "user", attempt->claim);
    if (!held)
        printf("        status 0x%x after %.1f s%s: %s\n", (unsigned)result.status, result.seconds,
               left ? ", something is left" : "", result.output);
    fflush(stdout);
    failed |= !held;
    process_result_free(&result);
}

/* The library of lesson 6 where it is allowed, so that its absence elsewhere means something. */
static void try_library(enum sandbox_kind kind)
{
    static const struct attempt LOADS = {"libraries", "", .arguments = {"libcublasLt.so.13"}};
    static const char *const ALLOWED[] = {"cublasLt", NULL};
    struct path folder = path_of("%.*s", (int)(path_base(library) - library - 1), library);
    struct process_result result;
    struct sandbox sandbox;
    struct walls limits = LIMITS;
    limits.address_bytes = limits.data_bytes = limits.memory_bytes = 0; /* it has 500 MB */
    sandbox_open(&sandbox, kind, &limits);
    libraries_show(&sandbox, folder.text, NULL, ALLOWED, 13, false);
    sandbox_show(&sandbox, program, "/quest/attempts");
    sandbox_enter(&sandbox, "/tmp");
    sandbox_word(&sandbox, sandbox_name(&sandbox, program, "/quest/attempts"));
    sandbox_word(&sandbox, LOADS.name);
    sandbox_word(&sandbox, LOADS.arguments[0]);
    struct process_job job = {.spec = {.argv = sandbox.argv, .environment = sandbox.environment},
                              .deadline_ms = DEADLINE_MS,
                              .most_output_bytes = 4096};
    process_run(&job, &result);
    bool loads = strstr(result.output, "is loaded") != NULL;
    printf("  %-5s %s as %s: cuBLASLt can be loaded where the lesson allows it\n",
           loads ? "ok" : "FAIL", sandbox_kind_name(kind), geteuid() == 0 ? "root" : "user");
    failed |= !loads;
    sandbox_close(&sandbox);
    process_result_free(&result);
}

static void try_kind(enum sandbox_kind kind)
{
    setenv("WARPQUEST_SANDBOX", sandbox_kind_name(kind), 1);
    if (sandbox_find() != kind) {
        printf("  --    %s as %s: this machine refuses it; nothing is tested\n",
               sandbox_kind_name(kind), geteuid() == 0 ? "root" : "user");
        return;
    }
    for (size_t i = 0; i < sizeof ATTEMPTS / sizeof *ATTEMPTS; i++)
        try_one(kind, &ATTEMPTS[i]);
    if (access(library, R_OK) == 0)
        try_library(kind);
}

int main(int count, char **words)
{
    if (count != 4)
        return 64;
    program = words[1], library = words[2], course = words[3];
    setenv("SECRET", "SECRET of the grader", 1);
    snprintf(own_pid, sizeof own_pid, "%d", (int)getpid());
    snprintf(records, sizeof records, "%s/README.md", course);
    snprintf(solutions, sizeof solutions, "%s/solutions/01_coalescing/coalescing.cu", course);
    snprintf(socket_path, sizeof socket_path, "%s", library);
    process_adopt_orphans();
    try_kind(SANDBOX_BUBBLEWRAP);
    try_kind(SANDBOX_LANDLOCK);
    return failed;
}
