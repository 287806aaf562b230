/* aside.c - a fork that works, writes its text into a pipe, and exits. */
#include "lib/aside.h"

#include "lib/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* It ends its own children first, which takes them up to a second. */
#define PATIENCE_NS INT64_C(15000000000)

static void answer(int to, const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        ssize_t put = write(to, text, left);
        if (put < 0 && errno != EINTR)
            return;
        text += put > 0 ? put : 0;
        left -= put > 0 ? (size_t)put : 0;
    }
}

static void become(char *(*work)(void *), void *context, int to, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    process_adopt_orphans();
    signal(SIGPIPE, SIG_IGN);
    char *text = getppid() == parent ? work(context) : NULL;
    if (text && !process_interrupted())
        answer(to, text);
    free(text);
    _exit(0);
}

bool aside_begin(struct aside *aside, char *(*work)(void *), void *context)
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    fflush(NULL); /* otherwise it would write the buffered output again */
    aside->answer = ends[0];
    aside->pid = fork();
    if (aside->pid == 0) {
        close(ends[0]);
        become(work, context, ends[1], parent);
    }
    close(ends[1]);
    if (aside->pid > 0 && process_spare(aside->pid))
        return true;
    if (aside->pid > 0)
        aside_cancel(aside);
    else
        close(ends[0]);
    return false;
}

/* Its process has ended, or is about to. */
static void see_off(struct aside *aside)
{
    close(aside->answer);
    process_spare_no_more(aside->pid);
    process_wait(aside->pid, PATIENCE_NS);
}

char *aside_end(struct aside *aside)
{
    size_t bytes = 0, room = 1 << 16;
    char *text = malloc(room);
    ssize_t got = 1;
    while (text && got != 0 && !process_interrupted()) {
        got = read(aside->answer, text + bytes, room - 1 - bytes);
        if (got < 0 && errno != EINTR)
            break;
        bytes += got > 0 ? (size_t)got : 0;
        if (room - 1 - bytes == 0) {
            char *larger = realloc(text, room *= 2);
            if (!larger)
                free(text);
            text = larger;
        }
    }
    if (process_interrupted() || !text) {
        aside_cancel(aside);
        free(text);
        return NULL;
    }
    see_off(aside);
    text[bytes] = '\0';
    if (bytes == 0) {
        free(text);
        return NULL;
    }
    return text;
}

void aside_cancel(struct aside *aside)
{
    kill(aside->pid, SIGTERM);
    see_off(aside);
}
