/* main.c - runs the trials, each in a process of its own, and reports how each went.
 *
 *     torture-lesson6 submission.so [seed]
 *     torture-lesson6 submission.so seed --run NAME FILE      one trial, or a part of one
 *
 * What a trial finds goes to its standard output: nothing else is printed there.
 */
#include "torture.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 512, LONGEST_TRIAL_S = 300 };

#define TRIAL(function) void function(const char *file)
TRIAL(trial_addresses);
TRIAL(trial_keys);
TRIAL(trial_many);
TRIAL(trial_rooms);
TRIAL(trial_next);
TRIAL(part_next);
TRIAL(trial_beside);
TRIAL(trial_damage);
TRIAL(trial_unwritable);
TRIAL(trial_killed);
TRIAL(part_saves_for_ever);
TRIAL(trial_rivals);
TRIAL(part_saves);
TRIAL(trial_arguments);

/* Trials that are parts of others have no title: they are started by name. */
const struct trial TRIALS[] = {
    {"addresses", "tensors at new addresses", trial_addresses},
    {"keys", "kinds that look alike", trial_keys},
    {"many", "many kinds", trial_many},
    {"rooms", "workspaces of all sizes", trial_rooms},
    {"next process", "the next process", trial_next},
    {"next", NULL, part_next},
    {"beside", "a file beside what is known", trial_beside},
    {"damage", "files not to be believed", trial_damage},
    {"unwritable", "paths that cannot be written", trial_unwritable},
    {"killed", "kill -9 while saving", trial_killed},
    {"saves for ever", NULL, part_saves_for_ever},
    {"rivals", "two processes that save", trial_rivals},
    {"saves", NULL, part_saves},
    {"arguments", "arguments to be refused", trial_arguments},
};
const size_t TRIAL_COUNT = sizeof TRIALS / sizeof *TRIALS;

static const char *own_name, *submission_name, *seed_text;
static uint64_t state;

/* --- For trials ------------------------------------------------------------------------------- */

static void say(const char *format, va_list arguments)
{
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    dprintf(STDOUT_FILENO, "%s\n", text);
}

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(1);
}

void remark(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

/* splitmix64 */
uint64_t drawn(void)
{
    uint64_t word = state += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

/* --- Processes -------------------------------------------------------------------------------- */

int start_process(const char *trial, const char *file)
{
    int process = fork();
    if (process == 0) {
        alarm(LONGEST_TRIAL_S);
        execl(own_name, own_name, submission_name, seed_text, "--run", trial, file, (char *)NULL);
        _exit(127);
    }
    if (process < 0)
        fail("no process can be started: %s", strerror(errno));
    return process;
}

/* How it ended, in words; NULL when it ended well or was killed by us. */
static const char *end_of(int status, char text[80])
{
    int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal_number == SIGALRM)
        snprintf(text, 80, "it did not end within %d s", LONGEST_TRIAL_S);
    else if (signal_number && signal_number != SIGKILL)
        snprintf(text, 80, "it crashed: %s", strsignal(signal_number));
    else
        return NULL;
    return text;
}

bool end_process(int process)
{
    int status = 0;
    char text[80];
    waitpid(process, &status, 0);
    const char *end = end_of(status, text);
    if (end)
        dprintf(STDOUT_FILENO, "%s\n", end);
    return !end && (WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
}

/* --- The report ------------------------------------------------------------------------------- */

/* Runs it and collects what it says. */
static bool run_trial(const struct trial *trial, const char *folder, char *said, size_t bytes)
{
    int ends[2];
    char file[PATH_BYTES];
    size_t used = 0;
    snprintf(file, sizeof file, "%s/%zu", folder, (size_t)(trial - TRIALS));
    fflush(stdout);
    if (pipe(ends) != 0)
        return false;
    int own_output = dup(STDOUT_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    int process = start_process(trial->name, file);
    dup2(own_output, STDOUT_FILENO);
    close(own_output);
    for (ssize_t got; used + 1 < bytes && (got = read(ends[0], said + used, bytes - used - 1)) > 0;)
        used += (size_t)got;
    said[used] = '\0';
    int status = 0;
    waitpid(process, &status, 0);
    close(ends[0]);
    char text[80];
    const char *end = end_of(status, text);
    if (end && used + 1 < bytes)
        snprintf(said + used, bytes - used, "%s", end);
    said[strcspn(said, "\n")] = '\0';
    return !end && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int run_all(void)
{
    char folder[] = "/tmp/torture-XXXXXX", said[4096], command[PATH_BYTES];
    size_t count = 0, stood = 0;
    if (!mkdtemp(folder))
        return 70;
    for (size_t i = 0; i < TRIAL_COUNT; i++) {
        if (!TRIALS[i].title)
            continue;
        bool well = run_trial(&TRIALS[i], folder, said, sizeof said);
        printf("  %s  %-30s %s\n", well ? "ok" : "NO", TRIALS[i].title, said);
        count++;
        stood += well;
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s could not be removed\n", folder);
    printf("%s: %zu of %zu trials, seed %s\n", stood == count ? "It stood all of them" : "NOT YET",
           stood, count, seed_text);
    return stood == count ? 0 : 1;
}

static int run_one(const char *name, const char *file)
{
    for (size_t i = 0; i < TRIAL_COUNT; i++)
        if (strcmp(TRIALS[i].name, name) == 0) {
            state = strtoull(seed_text, NULL, 0) * 1000 + i;
            submission_open(submission_name);
            TRIALS[i].run(file);
            return 0;
        }
    return 64;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "torture-lesson6: name a submission, built as a shared library\n");
        return 64;
    }
    own_name = "/proc/self/exe";
    submission_name = argv[1];
    seed_text = argc > 2 ? argv[2] : "1";
    return argc == 6 ? run_one(argv[4], argv[5]) : run_all();
}
