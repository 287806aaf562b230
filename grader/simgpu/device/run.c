/* run.c - simgpu: runs an ordinary CUDA program on a simulated GPU.
 *
 *     simgpu run [options] -- program arguments...
 *
 * This process is the device. It listens on a socket in a folder of its own, starts the program
 * with our libcudart instead of NVIDIA's, serves it and all programs that it starts, and prints
 * what it did when it ends. Next: client.c.
 */
#include "exit_status.h"
#include "options.h"
#include "program_file.h"
#include "suppress.h"
#include "timeline.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int complain(const char *what, const char *name)
{
    fprintf(stderr, "simgpu: %s%s%s\n", what, name ? ": " : "", name ? name : "");
    return EXIT_CANNOT;
}

/* --- Listings --------------------------------------------------------------------------------- */

static int list_devices(void)
{
    for (const struct sim_profile *profile = sim_profiles(); profile->key; profile++)
        printf("%-8s  %-34s  compute %d.%d, %u multiprocessors, %.0f GB/s copy rate\n"
               "          %s\n",
               profile->key, profile->name, profile->compute_major, profile->compute_minor,
               profile->multiprocessors, profile->dram_bytes_per_s * 1e-9, profile->held_to);
    return 0;
}

static int list_opcodes(void)
{
    struct sim_opcode_row row;
    for (size_t i = 0; sim_opcode_row(i, &row); i++)
        printf("%-24s %-28s %s\n", row.mnemonic, row.types, row.meaning);
    return 0;
}

/* --- The socket ------------------------------------------------------------------------------- */

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder && strlen(folder) < 60 ? folder : "/tmp";
}

/* A private folder, so that no other user's program can connect. */
static bool make_socket(struct device *device, int *listener)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(device->directory, sizeof device->directory, "%s/simgpu-XXXXXX", temporary_folder());
    if (!mkdtemp(device->directory))
        return false;
    snprintf(device->socket_path, sizeof device->socket_path, "%.90s/socket", device->directory);
    strcpy(address.sun_path, device->socket_path);
    *listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return *listener >= 0 &&
           bind(*listener, (const struct sockaddr *)&address, sizeof address) == 0 &&
           listen(*listener, 64) == 0;
}

static void remove_socket(const struct device *device)
{
    if (device->socket_path[0])
        unlink(device->socket_path);
    if (device->directory[0])
        rmdir(device->directory);
}

struct listening {
    struct device *device;
    int listener;
};

/* Takes ownership of socket. */
static void serve_line(struct device *device, int socket, pid_t control_of)
{
    pthread_t thread;
    struct connection *connection = malloc(sizeof *connection);
    if (connection)
        *connection = (struct connection){device, socket, control_of};
    if (connection && pthread_create(&thread, NULL, client_serve, connection) == 0) {
        pthread_detach(thread);
        return;
    }
    close(socket);
    free(connection);
}

static void *accept_clients(void *argument)
{
    struct listening *listening = argument;
    for (;;) {
        int socket = accept4(listening->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0 && errno != EINTR && errno != ECONNABORTED)
            return NULL;
        if (socket >= 0)
            serve_line(listening->device, socket, 0);
    }
}

/* --- The device ------------------------------------------------------------------------------- */

/* Of the environment's SIMGPU_THREADS, as a machine of so many processors would have them. */
static unsigned processors(void)
{
    const char *wanted = getenv("SIMGPU_THREADS");
    long count = wanted && atol(wanted) > 0 ? atol(wanted) : sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}

static int make_device(struct device *device, struct options *options)
{
    struct sim_arena arena;
    struct sim_error error;
    const char *key = getenv("SIMGPU_DEVICE");
    const struct sim_profile *profile = sim_profile_named(key && *key ? key : "h200");
    if (!profile)
        return complain("SIMGPU_DEVICE names no GPU that is known (see simgpu devices)", key);
    pthread_mutex_init(&device->lock, NULL);
    pthread_cond_init(&device->clients_changed, NULL);
    window_init(&device->window);
    /* A program in control says when there is to be one. */
    bool with_timeline = !options->control && (options->outputs[OUTPUT_TIMELINE].path ||
                                               options->outputs[OUTPUT_JSON].path);
    device->quiet = options->quiet;
    device->keep_examples = options->outputs[OUTPUT_HTML].path != NULL;
    device->shows_timeline = options->outputs[OUTPUT_TIMELINE].path != NULL;
    device->options = (struct simgpu_options){.checks = options->checks,
                                              .count = true,
                                              .seed = options->seed,
                                              .approximation_seed = options->seed,
                                              .step_budget = options->step_budget,
                                              .keep_going = options->keep_going,
                                              .timeline = with_timeline,
                                              .places = with_timeline,
                                              .what_if = true};
    device->like_a_gpu = options->control;
    if (!arena_reserve(&arena, device->like_a_gpu))
        return complain("the system does not give enough addresses for device memory", NULL);
    device->machine = sim_machine_new(profile, &arena, &error);
    device->history = history_new();
    device->timeline = timeline_new();
    device->pool = pool_new(options->workers ? options->workers : processors());
    if (device->history && options->steps.kernel)
        device->steps = steps_new(&options->steps, device);
    if (!device->machine || !device->history || !device->timeline || !device->pool ||
        (options->steps.kernel && !device->steps))
        return complain("out of memory", NULL);
    return 0;
}

/* --- The program ------------------------------------------------------------------------------ */

/* Our libraries are near us: in lib/simgpu if we are installed, else in build/lib/sim. */
static void library_folder(char *folder, size_t size)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    snprintf(folder, size, "%.3500s/../lib/simgpu", self);
    if (access(folder, X_OK) != 0)
        snprintf(folder, size, "%.3500s/../lib/sim", self);
}

/* A thread of OpenBLAS that has nothing to do gives its processor away for some hundredths of a
 * second, again and again, before it sleeps. It is told to sleep at once, before other threads read
 * the environment; the program, which may have an OpenBLAS of its own, is not told. */
static const char SLEEPS_AFTER[] = "OPENBLAS_THREAD_TIMEOUT", AT_ONCE[] = "4"; /* 2^4 cycles */
static bool is_ours;

static void let_idle_threads_sleep(void)
{
    is_ours = !getenv(SLEEPS_AFTER) && setenv(SLEEPS_AFTER, AT_ONCE, 1) == 0;
}

static void prepare_environment(const struct device *device)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    const char *before = getenv("LD_LIBRARY_PATH");
    library_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/libwarpquest-nvtx.so", folder);
    if (access(path, R_OK) == 0)
        setenv("NVTX_INJECTION64_PATH", path, 1);
    snprintf(path, sizeof path, "%s%s%.4000s", folder, before && *before ? ":" : "",
             before ? before : "");
    setenv("LD_LIBRARY_PATH", path, 1);
    setenv("SIMGPU_SOCKET", device->socket_path, 1);
    if (is_ours)
        unsetenv(SLEEPS_AFTER);
}

/* In the child. An end that already has that number would still be closed on exec: dup2 of a
 * descriptor to itself does nothing. */
static bool becomes_control(int theirs)
{
    return theirs == CONTROL_FD ? fcntl(theirs, F_SETFD, 0) == 0 : dup2(theirs, CONTROL_FD) >= 0;
}

/* theirs: the program's end of the line that has control; -1 for none. */
static pid_t start_program(const struct device *device, char **program, int theirs)
{
    pid_t parent = getpid();
    fflush(NULL);
    pid_t child = fork();
    if (child != 0)
        return child;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || (theirs >= 0 && !becomes_control(theirs)))
        _exit(EXIT_CANNOT);
    prepare_environment(device);
    execvp(program[0], program);
    fprintf(stderr, "simgpu: cannot start %s: %s\n", program[0], strerror(errno));
    _exit(EXIT_NO_PROGRAM);
}

static pid_t the_program;

/* What clients look at without a lock is settled before the first one is accepted. */
static bool settle(struct device *device, const struct options *options)
{
    device->has_control = options->control;
    return getrandom(device->drawn_uuid, sizeof device->drawn_uuid, 0) >= 0 &&
           (!(options->control || options->memory_bytes) ||
            memory_share_watch(device, options->memory_bytes));
}

/* The program, and for the grader the line to it that has control of the device. */
static bool start(struct device *device, const struct options *options)
{
    int pair[2] = {-1, -1};
    if (options->control && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    the_program = start_program(device, options->program, pair[1]);
    if (pair[1] >= 0)
        close(pair[1]);
    if (the_program > 0 && pair[0] >= 0)
        serve_line(device, pair[0], the_program);
    return the_program > 0;
}

/* An interrupt goes to the program, which decides; the device ends when the program does. */
static void pass_on(int signal_number)
{
    if (the_program > 0 && signal_number != SIGINT)
        kill(the_program, signal_number);
}

static int wait_for_program(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_CANNOT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Programs that the program started may still be at work: their clients end with their connections,
 * which the kernel closes. Wait a little, so that the profile is complete. */
static void wait_for_clients(struct device *device)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    pthread_mutex_lock(&device->lock);
    while (device->clients)
        if (pthread_cond_timedwait(&device->clients_changed, &device->lock, &until) != 0)
            break;
    pthread_mutex_unlock(&device->lock);
}

/* Print and write to files what the programs did. */
static bool report(const struct device *device, struct options *options,
                   const struct outcome *outcome)
{
    struct profile profile;
    char complaint[512];
    bool shown = !device->steps || steps_finish(device->steps, complaint, sizeof complaint);
    if (!shown)
        complain(complaint, NULL);
    if (!profile_gather(&profile, device, outcome)) {
        complain("out of memory: there is no profile", NULL);
        return false;
    }
    if (!options->quiet && !device->steps) /* steps fill the screen */
        profile_print(&profile, stderr);
    if (!options->quiet)
        findings_print(device, stderr);
    bool written = outputs_write(options->outputs, &profile);
    profile_free(&profile);
    return written && shown;
}

/* If part of the program was refused, its status must not look like success. As a test, what was
 * found comes before the status of the program. */
static int status_of(struct device *device, const struct options *options, int program_status)
{
    pthread_mutex_lock(&device->lock);
    int found = options->test ? findings_status(device) : 0;
    if (found == 0 && program_status == 0 && device->refusals)
        found = EXIT_CANNOT;
    else if (found == 0 && program_status == 0 &&
             (findings_went_on(device) > 0 ||
              (options->keep_going && findings_ended_launch(device))))
        found = EXIT_FOUND;
    pthread_mutex_unlock(&device->lock);
    return found ? found : program_status;
}

/* The program has ended: report, and the exit status. */
static int finish(struct device *device, struct options *options, int program_status,
                  double seconds)
{
    int status = status_of(device, options, program_status);
    const struct outcome outcome = {options->program, program_status, status, seconds};
    if (!report(device, options, &outcome))
        return EXIT_CANNOT;
    if (status == EXIT_CANNOT && program_status == 0)
        complain("the program ended with 0, but what it called was refused, as said above", NULL);
    return status;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_served(char **program)
{
    char folder[PATH_MAX], complaint[512];
    library_folder(folder, sizeof folder);
    if (program_is_served(program[0], folder, complaint, sizeof complaint))
        return true;
    complain(complaint, NULL);
    return false;
}

static int run(struct options *options)
{
    static struct device device; /* threads use it until the process ends */
    static struct listening listening;
    pthread_t thread;
    if (!is_served(options->program))
        return EXIT_CANNOT;
    char complaint[512];
    if (options->suppressions) {
        device.suppressions = suppressions_read(options->suppressions, complaint, sizeof complaint);
        if (!device.suppressions) {
            complain(complaint, NULL);
            return EXIT_USAGE;
        }
    }
    let_idle_threads_sleep();
    int status = make_device(&device, options);
    if (status)
        return status;
    if (!outputs_open(options->outputs, options->program[0]))
        return EXIT_CANNOT;
    if (!make_socket(&device, &listening.listener)) {
        remove_socket(&device);
        return complain("cannot make a socket in the temporary folder", strerror(errno));
    }
    listening.device = &device;
    if (!settle(&device, options) ||
        pthread_create(&thread, NULL, accept_clients, &listening) != 0) {
        remove_socket(&device);
        return complain("cannot start a thread", NULL);
    }
    signal(SIGINT, pass_on);
    signal(SIGTERM, pass_on);
    double start_s = now_s();
    status = start(&device, options) ? wait_for_program(the_program)
                                     : complain("cannot start a process", strerror(errno));
    wait_for_clients(&device);
    remove_socket(&device);
    return finish(&device, options, status, now_s() - start_s);
}

/* --- The command line ------------------------------------------------------------------------- */

static int run_words(int count, char **words)
{
    struct options options;
    char complaint[256];
    if (!options_read(count, words, &options, complaint, sizeof complaint)) {
        complain(complaint, NULL);
        return EXIT_USAGE;
    }
    if (options.help) {
        fputs(options_help(), stdout);
        return 0;
    }
    return run(&options);
}

int main(int count, char **words)
{
    const char *verb = count > 1 ? words[1] : "";
    if (strcmp(verb, "devices") == 0)
        return list_devices();
    if (strcmp(verb, "opcodes") == 0)
        return list_opcodes();
    if (strcmp(verb, "run") == 0)
        return run_words(count - 1, words + 1);
    bool asked = strcmp(verb, "--help") == 0 || strcmp(verb, "help") == 0;
    fputs(options_help(), asked ? stdout : stderr);
    return asked ? 0 : EXIT_USAGE;
}
