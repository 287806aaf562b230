/* slurm.c - calls sbatch, squeue and scancel. */
#include "class/slurm.h"

#include "check/record.h"
#include "lib/process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 96, SECONDS_TO_ANSWER = 120 };

#define COLLECTOR_NAME "warpquest-collect"

/* --- One command of Slurm's ------------------------------------------------------------------- */

struct answer {
    char out[65536], err[1000]; /* their beginnings, each ended by a zero */
    int status;
};

static void take(int fd, char *text, size_t bytes)
{
    ssize_t got = pread(fd, text, bytes - 1, 0);
    text[got > 0 ? got : 0] = '\0';
}

/* An interrupt does not end it: a job that was submitted must be known here. */
static int wait_for(pid_t pid)
{
    int status = 0;
    int64_t end_ns = process_now_ns() + SECONDS_TO_ANSWER * INT64_C(1000000000);
    while (waitpid(pid, &status, WNOHANG) != pid) {
        if (process_now_ns() > end_ns)
            return process_end(pid);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return status;
}

/* False with a sentence. */
static bool call(const char *const *argv, struct answer *answer, char *reason, size_t bytes)
{
    int fds[] = {open("/dev/null", O_RDONLY | O_CLOEXEC), memfd_create("out", MFD_CLOEXEC),
                 memfd_create("err", MFD_CLOEXEC)};
    struct process_spec spec = {.argv = argv, .fd_count = 3};
    memcpy(spec.fds, fds, sizeof fds);
    memset(answer, 0, sizeof *answer);
    pid_t pid = fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0 ? process_start(&spec) : -1;
    answer->status = pid > 0 ? wait_for(pid) : -1;
    take(fds[1], answer->out, sizeof answer->out);
    take(fds[2], answer->err, sizeof answer->err);
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    if (answer->status == 0)
        return true;
    for (char *c = answer->err; *c; c++)
        *c = (char)(iscntrl((unsigned char)*c) ? ' ' : *c);
    if (WIFEXITED(answer->status) && WEXITSTATUS(answer->status) == 127)
        snprintf(reason, bytes,
                 "%s is not on the PATH: ENGINE=slurm needs the commands of Slurm on this machine",
                 argv[0]);
    else
        snprintf(reason, bytes, "%s refused: %s", argv[0],
                 *answer->err ? answer->err : "it says nothing, or did not answer in time");
    return false;
}

/* --- What is known of the jobs ---------------------------------------------------------------- */

static struct path place_of(const char *out)
{
    return path_of("%s/queue/jobs.json", out);
}

bool slurm_jobs_write(const struct slurm_jobs *jobs, const char *out)
{
    json_t *file = json_pack("{s:i, s:s, s:i, s:s, s:s, s:b}", "most", (int)jobs->most, "options",
                             jobs->options, "again", (int)jobs->again, "array", jobs->array,
                             "collector", jobs->collector, "done", jobs->done);
    bool written = file && record_write(file, place_of(out).text);
    json_decref(file);
    return written;
}

bool slurm_jobs_read(struct slurm_jobs *jobs, const char *out)
{
    json_t *file = json_load_file(place_of(out).text, 0, NULL);
    memset(jobs, 0, sizeof *jobs);
    jobs->most = (unsigned)record_integer(file, "most");
    jobs->again = (unsigned)record_integer(file, "again");
    jobs->done = json_is_true(json_object_get(file, "done"));
    snprintf(jobs->options, sizeof jobs->options, "%s", record_text(file, "options"));
    snprintf(jobs->array, sizeof jobs->array, "%s", record_text(file, "array"));
    snprintf(jobs->collector, sizeof jobs->collector, "%s", record_text(file, "collector"));
    json_decref(file);
    return *jobs->array && *jobs->collector;
}

/* --- Submitting ------------------------------------------------------------------------------- */

struct words {
    const char *list[MOST_WORDS + 1];
    size_t count;
    char *own; /* of the caller's options */
};

static void add(struct words *words, const char *word)
{
    if (words->count < MOST_WORDS)
        words->list[words->count++] = word;
}

/* The caller's options word by word, before ours, which thereby count. */
static bool open_words(struct words *words, const char *options)
{
    char *rest = words->own = strdup(options), *word;
    words->count = 0;
    add(words, "sbatch");
    while (rest && (word = strsep(&rest, " \t\n")))
        if (*word)
            add(words, word);
    return words->own && words->count < MOST_WORDS / 2;
}

/* "12" or "12;cluster". */
static bool read_job(const char *text, char job[32])
{
    size_t digits = strspn(text, "0123456789");
    snprintf(job, 32, "%.*s", digits < 31 ? (int)digits : 0, text);
    return *job != '\0';
}

/* script: of the folder of this program's scripts. own: options that only this job has. */
static bool submit(const struct slurm_jobs *jobs, const struct course *course, const char *out,
                   const char *script, const char *const own[3], char job[32], char *reason,
                   size_t bytes)
{
    struct words words;
    struct answer answer;
    struct path place = path_real(out), folder = path_of("--chdir=%s", place.text);
    struct path self = path_real("/proc/self/exe");
    struct path file = path_of("%s/grader/class/slurm/%s", course->root.text, script);
    bool good = open_words(&words, jobs->options);
    const char *const ours[] = {"--parsable",
                                "--requeue",
                                "--open-mode=append",
                                folder.text,
                                own[0],
                                own[1],
                                own[2],
                                file.text,
                                self.text,
                                course->root.text,
                                course->build.text,
                                place.text};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        add(&words, ours[i]);
    words.list[words.count] = NULL;
    if (!good)
        snprintf(reason, bytes, "SBATCH has too many words: give at most %d", MOST_WORDS / 2 - 2);
    good = good && call(words.list, &answer, reason, bytes);
    if (good && !read_job(answer.out, job)) {
        snprintf(reason, bytes, "sbatch did not say which job it submitted, but: %.200s",
                 answer.out);
        good = false;
    }
    free(words.own);
    return good;
}

static void cancel(const char *job)
{
    struct answer answer;
    char reason[SLURM_REASON_BYTES];
    call((const char *const[]){"scancel", job, NULL}, &answer, reason, sizeof reason);
}

static bool submit_both(struct slurm_jobs *jobs, const struct task_list *list,
                        const struct course *course, const char *out, char *reason, size_t bytes)
{
    struct path range = path_of("--array=0-%zu%%%u", task_list_chunks(list) - 1, jobs->most);
    const char *const array[] = {range.text, "--output=queue/%A_%a.log", "--job-name=warpquest"};
    if (!submit(jobs, course, out, "chunk.sh", array, jobs->array, reason, bytes))
        return false;
    struct path after = path_of("--dependency=afterany:%s", jobs->array);
    const char *const collector[] = {after.text, "--output=queue/collect-%j.log",
                                     "--job-name=" COLLECTOR_NAME};
    if (submit(jobs, course, out, "collect.sh", collector, jobs->collector, reason, bytes))
        return true;
    cancel(jobs->array);
    return false;
}

bool slurm_submit(struct slurm_jobs *jobs, const struct task_list *list,
                  const struct course *course, const char *out, char *reason, size_t reason_bytes)
{
    jobs->done = false;
    if (!task_list_write(list, course, out)) {
        snprintf(reason, reason_bytes, "%s/queue/tasks.json: %s", out, strerror(errno));
        return false;
    }
    if (!submit_both(jobs, list, course, out, reason, reason_bytes))
        return false;
    if (slurm_jobs_write(jobs, out))
        return true;
    snprintf(reason, reason_bytes, "%s/queue/jobs.json: %s", out, strerror(errno));
    cancel(jobs->array);
    cancel(jobs->collector);
    return false;
}

/* --- Asking ----------------------------------------------------------------------------------- */

static bool has_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (; text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
        if (strncmp(text, line, length) == 0 && (text[length] == '\n' || !text[length]))
            return true;
    return false;
}

/* All such jobs are asked for, since an error about one job could mean that it has ended, or that
 * Slurm does not answer. */
enum slurm_answer slurm_ask(const struct slurm_jobs *jobs, char *reason, size_t reason_bytes)
{
    struct answer answer;
    struct path user = path_of("--user=%u", (unsigned)getuid());
    const char *const argv[] = {"squeue",      "--noheader", user.text, "--name=" COLLECTOR_NAME,
                                "--format=%A", NULL};
    if (!call(argv, &answer, reason, reason_bytes))
        return SLURM_SILENT;
    return has_line(answer.out, jobs->collector) ? SLURM_THERE : SLURM_GONE;
}

void slurm_end_of(const struct slurm_jobs *jobs, size_t chunk, char end[64])
{
    struct answer answer;
    char reason[SLURM_REASON_BYTES];
    struct path job = path_of("--jobs=%s_%zu", jobs->array, chunk);
    const char *const argv[] = {"squeue", "--noheader",  "--states=all",
                                job.text, "--format=%T", NULL};
    bool good = call(argv, &answer, reason, sizeof reason);
    snprintf(end, 64, "%.*s", good ? (int)strspn(answer.out, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") : 0,
             answer.out);
}
