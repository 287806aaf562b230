/* warden.c - runs one command and tells which processes it left behind.
 *
 *     warden SECONDS LEFT COMMAND...
 *
 * A process whose parent ends becomes the child of the nearest ancestor that adopts orphans. The
 * warden adopts them, so nothing that the command started can leave its sight, whatever session or
 * group it moved to. What still runs a moment after the command has ended is written into the file
 * LEFT, a line each (number and name), and killed. After SECONDS the command is interrupted, and a
 * little later killed.
 *
 * Exit status: the command's; 124 when it was out of time, 125 when it could not be started.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_LATE = 124, EXIT_NOT_STARTED = 125 };
enum { PATIENCE_S = 5, GRACE_MS = 3000, PAUSE_MS = 20, NAME_BYTES = 64 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000}, NULL);
}

/* The first process whose parent this one is, 0 when there is none; name gets its name. Those that
 * have ended and were not waited for (state Z) are none. */
static pid_t first_child(char *name)
{
    pid_t found = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));) {
        char path[300], state;
        int parent;
        pid_t pid = (pid_t)atol(entry->d_name);
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = pid > 0 ? fopen(path, "r") : NULL;
        if (file && fscanf(file, "%*d (%63[^)]) %c %d", name, &state, &parent) == 3 &&
            parent == getpid() && state != 'Z')
            found = pid;
        if (file)
            fclose(file);
    }
    if (folder)
        closedir(folder);
    return found;
}

static void reap(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

static bool has_ended(pid_t command, double seconds, int *status)
{
    for (double end = now() + seconds; now() < end; pause_shortly())
        if (waitpid(command, status, WNOHANG) == command)
            return true;
    return false;
}

/* The status that wait() gives, or -1 when the command was out of time and is dead. It is first
 * asked to end, as Ctrl-C does: then it has no excuse for what it leaves. */
static int wait_for(pid_t command, double seconds)
{
    int status;
    if (has_ended(command, seconds, &status))
        return status;
    kill(command, SIGINT);
    if (!has_ended(command, PATIENCE_S, &status)) {
        kill(command, SIGKILL);
        waitpid(command, &status, 0);
    }
    return -1;
}

/* Some walls take a moment to fall. After that, whoever is there was left behind. */
static void tell_and_kill(FILE *left)
{
    char name[NAME_BYTES];
    for (double end = now() + GRACE_MS / 1000.0; now() < end && first_child(name); pause_shortly())
        reap();
    for (pid_t child; (child = first_child(name)); reap()) {
        fprintf(left, "%d %s\n", (int)child, name);
        kill(child, SIGKILL);
        pause_shortly();
    }
}

int main(int count, char **words)
{
    FILE *left = count > 3 ? fopen(words[2], "w") : NULL;
    if (!left) {
        fprintf(stderr, "usage: warden SECONDS LEFT COMMAND...\n");
        return EXIT_NOT_STARTED;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t command = fork();
    if (command == 0) {
        fclose(left);
        setsid();
        execvp(words[3], words + 3);
        fprintf(stderr, "warden: %s: %s\n", words[3], strerror(errno));
        _exit(EXIT_NOT_STARTED);
    }
    int status = command > 0 ? wait_for(command, atof(words[1])) : 0;
    tell_and_kill(left);
    fclose(left);
    if (command < 0)
        return EXIT_NOT_STARTED;
    return status == -1        ? EXIT_LATE
           : WIFEXITED(status) ? WEXITSTATUS(status)
                               : 128 + WTERMSIG(status);
}
