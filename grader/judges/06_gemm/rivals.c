/* rivals.c - lesson 6, in the runner: a process that saves while another one does.
 *
 * The first saver is this process, stopped in its first write: its limit is no byte written to a
 * file, and the signal for that starts the second saver, which has another process id, the same
 * path and no such limit. The second shares our memory, as after vfork(), since a forked process
 * cannot use the device. When it is done, any file that the first one had made next to the path
 * must still be there: if it is gone, the second one had opened the same file.
 *
 * A second saver that waits for the first, by a lock say, waits in vain: an alarm ends it, and
 * nothing is known then. Nothing is known, either, if a save by such a process fails even when it
 * is alone.
 */
#include "judges/06_gemm/calls.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RIVAL_PATH_BYTES = 256, RIVAL_WAITS_S = 2, MOST_BESIDE = 32 };

/* A file, whatever it is called now. */
struct beside {
    char path[2 * RIVAL_PATH_BYTES];
    ino_t number;
};

/* For the signal's handler. */
static struct rivals {
    const struct judge_call *call;
    struct lesson6_context *second;
    bool met, gave_up, apart; /* gave_up: the second one, waiting */
} rivals;

/* The files in the folder of path, but for path itself. */
static int files_beside(const char *path, struct beside list[MOST_BESIDE])
{
    char folder[RIVAL_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    struct stat file;
    struct dirent *entry;
    int count = 0;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    DIR *open_folder = opendir(folder);
    while (open_folder && count < MOST_BESIDE && (entry = readdir(open_folder))) {
        struct beside *beside = &list[count];
        snprintf(beside->path, sizeof beside->path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, slash ? slash + 1 : path) != 0 &&
            stat(beside->path, &file) == 0 && S_ISREG(file.st_mode)) {
            beside->number = file.st_ino;
            count++;
        }
    }
    if (open_folder)
        closedir(open_folder);
    return count;
}

static bool are_there(const struct beside *list, int count)
{
    struct stat file;
    for (int i = 0; i < count; i++)
        if (stat(list[i].path, &file) != 0 || file.st_ino != list[i].number)
            return false;
    return true;
}

/* By a process of another id, that may write as it likes. False unless it said that it had. */
static bool second_saves(bool *gave_up)
{
    int status = 0;
    pid_t second = vfork();
    if (second == 0) {
        struct rlimit most;
        getrlimit(RLIMIT_FSIZE, &most);
        most.rlim_cur = most.rlim_max;
        setrlimit(RLIMIT_FSIZE, &most);
        signal(SIGALRM, SIG_DFL);
        alarm(RIVAL_WAITS_S);
        _exit(gemm_save(rivals.call, rivals.second, rivals.call->file) == cudaSuccess ? 0 : 1);
    }
    if (second < 0 || waitpid(second, &status, 0) != second)
        return false;
    *gave_up = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void first_is_stopped(int signal_number)
{
    struct beside list[MOST_BESIDE];
    (void)signal_number;
    if (rivals.met)
        return;
    rivals.met = true;
    int count = files_beside(rivals.call->file, list);
    bool saved = second_saves(&rivals.gave_up);
    rivals.apart = rivals.gave_up || (saved && are_there(list, count));
}

static void first_saves(const struct judge_call *call, struct lesson6_context *first)
{
    struct rlimit before, none;
    getrlimit(RLIMIT_FSIZE, &before);
    none = (struct rlimit){0, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, first_is_stopped);
    setrlimit(RLIMIT_FSIZE, &none);
    gemm_save(call, first, call->file);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
}

/* Is what two processes save at once kept apart? The second one's context may be left locked by
 * one that the alarm has ended, so nobody touches it any more. */
bool gemm_saves_apart(const struct judge_call *call, struct lesson6_context *first)
{
    struct lesson6_context *second = NULL;
    if (gemm_create(call, &second) != cudaSuccess)
        return false;
    rivals = (struct rivals){.call = call, .second = second, .apart = true};
    if (second_saves(&rivals.gave_up))
        first_saves(call, first);
    if (!rivals.gave_up)
        gemm_destroy(call, second);
    return rivals.apart;
}
