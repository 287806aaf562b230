/* process_run.c - one child from start to end: writes its input, reads its output, and watches the
   clock. */
#include "lib/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_LINE_BYTES = 16 << 20 }; /* a result that contains every line of a long source */

#define PATIENCE_NS INT64_C(5000000000) /* for a child that has closed its pipes to exit */

/* The ends we keep of the child's pipes; -1 once closed. */
struct ends {
    int input, output, lines;
    const char *left; /* of the input */
    char *line;       /* the line that is not complete yet */
    size_t line_bytes, line_room;
};

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool open_ends(const struct process_job *job, struct ends *ends, int theirs[4])
{
    int in[2], out[2], lines[2] = {-1, -1};
    if (pipe2(in, O_CLOEXEC) != 0)
        return false;
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]), close(in[1]);
        return false;
    }
    if (job->line && pipe2(lines, O_CLOEXEC) != 0) {
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        return false;
    }
    *ends = (struct ends){
        .input = in[1], .output = out[0], .lines = lines[0], .left = job->input ? job->input : ""};
    fcntl(ends->input, F_SETFL, O_NONBLOCK);
    memcpy(theirs, (int[]){in[0], out[1], out[1], lines[1]}, 4 * sizeof *theirs);
    return true;
}

static void feed(struct ends *ends)
{
    size_t bytes = strlen(ends->left);
    ssize_t put = bytes ? write(ends->input, ends->left, bytes) : 0;
    if (put > 0)
        ends->left += put;
    if ((put < 0 && errno != EAGAIN && errno != EINTR) || *ends->left == '\0')
        shut(&ends->input);
}

static void take_output(const struct process_job *job, struct ends *ends,
                        struct process_result *result)
{
    char piece[16384];
    ssize_t got = read(ends->output, piece, sizeof piece);
    if (got <= 0) {
        if (got == 0 || errno != EINTR)
            shut(&ends->output);
        return;
    }
    size_t room = job->most_output_bytes - result->output_bytes, keep = (size_t)got;
    if (keep > room) {
        keep = room;
        result->output_capped = true;
    }
    memcpy(result->output + result->output_bytes, piece, keep);
    result->output_bytes += keep;
    result->output[result->output_bytes] = '\0';
}

static void hand_on_lines(const struct process_job *job, struct ends *ends)
{
    char *start = ends->line, *end;
    size_t left = ends->line_bytes;
    while ((end = memchr(start, '\n', left))) {
        *end = '\0';
        job->line(job->context, start);
        left -= (size_t)(end + 1 - start);
        start = end + 1;
    }
    memmove(ends->line, start, left);
    ends->line_bytes = left;
}

static void take_lines(const struct process_job *job, struct ends *ends)
{
    if (ends->line_room - ends->line_bytes < 4096) {
        size_t room = ends->line_room ? 2 * ends->line_room : 65536;
        char *larger = room <= MOST_LINE_BYTES ? realloc(ends->line, room) : NULL;
        if (!larger) {
            shut(&ends->lines);
            return;
        }
        ends->line = larger;
        ends->line_room = room;
    }
    ssize_t got =
        read(ends->lines, ends->line + ends->line_bytes, ends->line_room - ends->line_bytes);
    if (got > 0) {
        ends->line_bytes += (size_t)got;
        hand_on_lines(job, ends);
    } else if (got == 0 || errno != EINTR) {
        shut(&ends->lines);
    }
}

/* proc(5), /proc/pid/statm: the second number, in pages. */
static uint64_t resident_bytes(pid_t pid)
{
    char name[64];
    unsigned long long pages = 0;
    snprintf(name, sizeof name, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(name, "re");
    if (file && fscanf(file, "%*u %llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Does the child have more memory than it may? Looks again only after a while. */
static bool is_too_large(const struct process_job *job, pid_t pid, int64_t *next_look_ns)
{
    enum { BETWEEN_LOOKS_NS = 100000000 };
    int64_t now = process_now_ns();
    if (job->most_resident_bytes == 0 || now < *next_look_ns)
        return false;
    *next_look_ns = now + BETWEEN_LOOKS_NS;
    return resident_bytes(pid) > job->most_resident_bytes;
}

/* Until the child has closed its pipes, has used too much, or we are interrupted. */
static void converse(const struct process_job *job, struct ends *ends, pid_t pid,
                     const struct work_deadline *deadline, struct process_result *result)
{
    int64_t next_look_ns = 0;
    while (ends->output >= 0 || ends->lines >= 0) {
        struct pollfd polled[] = {{.fd = ends->input, .events = POLLOUT},
                                  {.fd = ends->output, .events = POLLIN},
                                  {.fd = ends->lines, .events = POLLIN}};
        int64_t left_ms = work_clock_left_ns(process_clock(), deadline) / 1000000;
        result->timed_out = left_ms <= 0;
        result->was_busy = left_ms <= 0 && work_clock_was_busy(process_clock(), deadline);
        result->interrupted = process_interrupted();
        result->too_large = is_too_large(job, pid, &next_look_ns);
        if (result->timed_out || result->interrupted || result->too_large)
            return;
        /* An interrupt between the test above and poll waits for at most this long. */
        int ready = poll(polled, 3, left_ms < 100 ? (int)left_ms : 100);
        if (ready <= 0)
            continue;
        if (polled[0].revents)
            feed(ends);
        if (polled[1].revents)
            take_output(job, ends, result);
        if (polled[2].revents)
            take_lines(job, ends);
    }
}

void process_run(const struct process_job *job, struct process_result *result)
{
    int64_t start = process_now_ns();
    struct work_deadline deadline = work_clock_in(process_clock(), job->deadline_ms * 1000000);
    struct process_job run = *job;
    struct ends ends;
    int theirs[4];
    memset(result, 0, sizeof *result);
    signal(SIGPIPE, SIG_IGN);
    result->output = calloc(1, job->most_output_bytes + 1);
    if (!result->output || !open_ends(job, &ends, theirs))
        return;
    memcpy(run.spec.fds, theirs, sizeof theirs);
    run.spec.fd_count = job->line ? 4 : 3;
    pid_t pid = process_start(&run.spec);
    result->started = pid > 0;
    close(theirs[0]), close(theirs[1]);
    if (theirs[3] >= 0)
        close(theirs[3]);
    if (result->started) {
        converse(&run, &ends, pid, &deadline, result);
        bool end_it = result->timed_out || result->interrupted || result->too_large;
        result->status = end_it ? process_end(pid) : process_wait(pid, PATIENCE_NS);
    }
    shut(&ends.input), shut(&ends.output), shut(&ends.lines);
    free(ends.line);
    result->seconds = (double)(process_now_ns() - start) * 1e-9;
}

void process_result_free(struct process_result *result)
{
    free(result->output);
    result->output = NULL;
}

int process_signal_of(int status)
{
    return WIFSIGNALED(status)         ? WTERMSIG(status)
           : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128
                                       : 0;
}
