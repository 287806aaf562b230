/* run.c - starts examine on the device that was chosen, and reads its lines. */
#include "check/run.h"

#include "lib/memory_limits.h"
#include "lib/process.h"
#include "runner/starved.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MESSAGE_BYTES = 16 * 1024 };

struct reader {
    json_t *result;
    void (*progress)(const char *text);
};

static void read_line(void *context, const char *text)
{
    struct reader *reader = context;
    json_t *line = json_loads(text, 0, NULL), *result = json_object_get(line, "result");
    const char *progress = json_string_value(json_object_get(line, "progress"));
    if (result) {
        json_decref(reader->result);
        reader->result = json_incref(result);
    } else if (progress && reader->progress) {
        reader->progress(progress);
    }
    json_decref(line);
}

bool run_sees_gpu(void)
{
    return file_exists("/dev/nvidiactl") || file_exists("/dev/dxg"); /* the latter under WSL2 */
}

static void fail(struct run *run, enum verdict verdict, const char *reason)
{
    run->verdict = verdict;
    snprintf(run->reason, sizeof run->reason, "%s", reason);
}

/* The last line that a program wrote to its standard error. */
static const char *last_line(char *output)
{
    size_t length = strlen(output);
    while (length && output[length - 1] == '\n')
        output[--length] = '\0';
    const char *line = strrchr(output, '\n');
    return line ? line + 1 : output;
}

static void note_failure(struct run *run, struct process_result *result, bool was_starved)
{
    char reason[400];
    run->interrupted = result->interrupted;
    if (result->interrupted)
        return;
    if (!result->started) {
        fail(run, VERDICT_INTERNAL, "the examining process cannot be started");
    } else if (result->was_busy) {
        fail(run, VERDICT_DEVICE,
             "this machine is too busy: the examination got hardly any "
             "processor time");
    } else if (result->timed_out) {
        fail(run, VERDICT_TIMEOUT, "the examination did not end in time");
    } else if (result->too_large) {
        fail(run, VERDICT_CRASH,
             "it makes the simulated device take far more memory than any case needs");
    } else if (process_signal_of(result->status) == SIGKILL && was_starved) {
        fail(run, VERDICT_DEVICE,
             "this machine ran out of memory, and its kernel ended a process of the grader's: run "
             "fewer programs next to the check");
    } else {
        snprintf(reason, sizeof reason, "the examining process ended without a result: %.300s",
                 *result->output ? last_line(result->output) : "it said nothing");
        fail(run, VERDICT_INTERNAL, reason);
    }
}

static void note_result(struct run *run, json_t *result)
{
    const char *no_device = json_string_value(json_object_get(result, "no_device"));
    const char *error = json_string_value(json_object_get(result, "error"));
    if (no_device)
        fail(run, VERDICT_DEVICE, no_device);
    else if (error)
        fail(run, VERDICT_INTERNAL, error);
    else
        run->result = json_incref(result);
}

/* Both devices' programs keep sockets and the like in a folder that is removed with the run. */
static bool enter_temporary_folder(struct path *folder)
{
    const char *above = getenv("TMPDIR");
    *folder = path_of("%s/warpquest-XXXXXX", above && *above ? above : "/tmp");
    if (!mkdtemp(folder->text))
        return false;
    setenv("TMPDIR", folder->text, 1);
    return true;
}

/* TMPDIR is again what it was: the folder's own folder. */
static void leave_temporary_folder(struct path *folder)
{
    folder_remove(folder->text);
    *strrchr(folder->text, '/') = '\0';
    setenv("TMPDIR", folder->text, 1);
}

/* --- A job ------------------------------------------------------------------------------------ */

enum { MOST_WORDS = 16 };

/* The program that does the job, and on what device. */
static void make_words(const struct run_request *request, const struct path *examine,
                       const struct path *simgpu, const struct path *threads,
                       const char *words[MOST_WORDS])
{
    size_t count = 0;
    if (request->on == RUN_SIMULATED) {
        words[count++] = simgpu->text;
        words[count++] = "run";
        words[count++] = "--quiet";
        words[count++] = "--control";
        if (request->threads) {
            words[count++] = "--threads";
            words[count++] = threads->text;
        }
        if (request->page) {
            words[count++] = "--html";
            words[count++] = request->page;
        }
        if (request->timeline) {
            words[count++] = "--timeline";
            words[count++] = request->timeline;
        }
        words[count++] = "--";
    }
    words[count++] = examine->text;
    words[count] = NULL;
}

static void run_in_folder(const struct run_request *request, char *job_text, struct run *run)
{
    struct path examine = course_program(request->course, "examine"), folder;
    struct path simgpu = course_program(request->course, "simgpu");
    struct path threads = path_of("%u", request->threads);
    const char *words[MOST_WORDS];
    make_words(request, &examine, &simgpu, &threads, words);
    struct reader reader = {.progress = request->progress};
    struct process_result result;
    if (!job_text || !enter_temporary_folder(&folder)) {
        fail(run, VERDICT_DEVICE, "there is no room in /tmp for the check's temporary folder");
        return;
    }
    struct process_job job = {.spec = {.argv = words, .folder = request->folder},
                              .input = job_text,
                              .deadline_ms = request->deadline_ms,
                              .most_resident_bytes =
                                  request->on == RUN_SIMULATED ? memory_limits().device_ends : 0,
                              .most_output_bytes = MOST_MESSAGE_BYTES,
                              .line = read_line,
                              .context = &reader};
    uint64_t before, after;
    bool is_counted = starved_count(&before);
    process_run(&job, &result);
    bool was_starved = is_counted && starved_count(&after) && after > before;
    if (reader.result)
        note_result(run, reader.result);
    else
        note_failure(run, &result, was_starved);
    run->seconds = result.seconds;
    json_decref(reader.result);
    process_result_free(&result);
    leave_temporary_folder(&folder);
}

void run_examine(const struct run_request *request, struct run *run)
{
    memset(run, 0, sizeof *run);
    if (request->on == RUN_ON_GPU) /* one file for all checks of this course: examine/turn.h */
        json_object_set_new(request->job, "turn",
                            json_string(path_of("%s/gpu.turn", request->course->build.text).text));
    char *job_text = json_dumps(request->job, JSON_COMPACT);
    run_in_folder(request, job_text, run);
    free(job_text);
    run->waited_seconds = json_number_value(json_object_get(run->result, "waited"));
    run->seconds -= run->waited_seconds;
}

void run_free(struct run *run)
{
    json_decref(run->result);
    run->result = NULL;
}
