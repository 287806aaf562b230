/* grade.c - a run: hand-ins are collected, what has no judgement is judged, all is entered. */
#include "class/grade.h"

#include "class/derived.h"
#include "class/enter.h"
#include "class/run.h"
#include "lib/process.h"
#include "runner/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INTERRUPTED = 130 };

bool run_stop(struct run *run, const char *what, const char *why)
{
    if (!*run->reason)
        snprintf(run->reason, sizeof run->reason, "%s: %s", what, why);
    return false;
}

int grade_refuse(const struct terminal *terminal, const char *reason)
{
    fprintf(terminal->out, "%s\n", reason);
    return verdict_exit_code(VERDICT_REFUSED);
}

/* --- The class -------------------------------------------------------------------------------- */

bool run_open_book(struct run *run)
{
    char reason[PATH_MAX + 400];
    run->book = book_open(run->request->out, reason, sizeof reason);
    run->settings.key = run->book ? book_key(run->book) : NULL;
    return run->book || run_stop(run, run->request->out, reason);
}

static bool enter_students(struct run *run, const struct roster *roster,
                           const struct handed_in *handed_in)
{
    bool good = book_begin(run->book) && (!roster->count || book_forget_roster(run->book));
    for (size_t i = 0; good && i < roster->count; i++) {
        struct student student = roster->students[i];
        student.listed = true;
        good = book_note_student(run->book, &student);
    }
    for (size_t i = 0; good && i < handed_in->count; i++) {
        const struct hand_in *file = &handed_in->files[i];
        char *none = "";
        struct student student = {file->student, none, none, none, none, none, none, false};
        bool counts = file->state != HANDED_IN_LEFT_OUT && *file->student;
        good = !counts || book_note_student(run->book, &student);
    }
    return book_end(run->book, good) || run_stop(run, run->request->out, book_reason(run->book));
}

static bool judge_handed_in(struct run *run, const struct roster *roster,
                            const struct handed_in *handed_in)
{
    if (!enter_students(run, roster, handed_in))
        return false;
    if (!plan_make(&run->plan, &run->settings, run->book, handed_in,
                   run->request->lesson ? &run->lesson : NULL))
        return run_stop(run, run->request->out,
                        *book_reason(run->book) ? book_reason(run->book) : strerror(errno));
    run->began = true;
    bool judged = run_enter_left_behind(run) &&
                  (run->request->slurm ? run_judge_by_slurm(run) : run_judge(run));
    if (!judged)
        return false;
    enter_tidy_all(&run->settings); /* copies of what an earlier run meant to judge, too */
    return true;
}

static bool take_in(struct run *run, const struct roster *roster, const char *unpacked)
{
    struct handed_in handed_in = {0};
    if (!handed_in_collect(run->request->submissions, unpacked, roster, &handed_in, run->reason,
                           sizeof run->reason))
        return false;
    if (handed_in.count == 0)
        run_stop(run, run->request->submissions, "nothing was handed in: there is no .cu file");
    else
        judge_handed_in(run, roster, &handed_in);
    run->plan.blocked += handed_in.unreadable;
    handed_in_free(&handed_in);
    return !*run->reason;
}

/* Zip files are unpacked into a folder that this run makes and removes. */
static bool collect(struct run *run, const struct roster *roster)
{
    struct path unpacked = path_of("%s/unpacked-XXXXXX", run->request->out);
    if (!folder_make(path_of("%s/judged", run->request->out).text) || !mkdtemp(unpacked.text))
        return run_stop(run, run->request->out, strerror(errno));
    bool good = take_in(run, roster, unpacked.text);
    folder_remove(unpacked.text);
    return good;
}

/* --- The end ---------------------------------------------------------------------------------- */

/* The book is closed while jobs of Slurm judge. */
static int leave_to_slurm(const struct run *run)
{
    fprintf(run->terminal->out, "interrupted: the jobs of Slurm go on; the same command shows what "
                                "became of them, and scancel ends them\n");
    return INTERRUPTED;
}

/* What is known is written, however the run ended. */
static int finish(struct run *run)
{
    if (!run->book && process_interrupted())
        return leave_to_slurm(run);
    if (!run->book)
        return grade_refuse(run->terminal, run->reason);
    char reason[PATH_MAX + 400];
    struct marks marks;
    int status = 0;
    if (!derived_marks(run->book, run->request->course, run->request->out, &marks, reason,
                       sizeof reason)) {
        run_stop(run, run->request->out, reason);
    } else {
        if (derived_write(&marks, run->request->out, reason, sizeof reason))
            run_show_end(run, &marks);
        else
            run_stop(run, run->request->out, reason);
        status = run->plan.blocked || run_count_standing(&marks, MARK_UNDECIDED)
                     ? verdict_exit_code(VERDICT_DEVICE)
                     : 0;
        marks_free(&marks);
    }
    if (process_interrupted()) {
        fprintf(run->terminal->out, "interrupted: the same command resumes from here\n");
        return INTERRUPTED;
    }
    if (!*run->reason)
        return status;
    fprintf(run->terminal->out, "%s\n", run->reason);
    return verdict_exit_code(VERDICT_REFUSED);
}

/* Without walls there is no mark: a submission could write the records itself. */
static int refuse_without_walls(const struct terminal *terminal)
{
    terminal_wrap(terminal,
                  "nothing is graded, since no sandbox works here: install bubblewrap and allow "
                  "user namespaces (`make doctor` says what is in the way), or grade as root, in a "
                  "course that every user may read",
                  0, 0);
    return verdict_exit_code(VERDICT_DEVICE);
}

/* What a run writes must not be among what it reads. */
static bool is_within(const char *inner, const char *outer)
{
    struct path in = path_real(inner), out = path_real(outer);
    size_t bytes = strlen(out.text);
    return *out.text && strncmp(in.text, out.text, bytes) == 0 &&
           (in.text[bytes] == '/' || !in.text[bytes]);
}

/* NULL, or which option was given and says nothing. */
static const char *empty_option(const struct grade_request *request)
{
    if (request->lesson && !*request->lesson)
        return "LESSON";
    return request->roster && !*request->roster ? "ROSTER" : NULL;
}

/* What was asked for is possible, as far as can be told before a gradebook is made. */
static bool can_begin(struct run *run, struct roster *roster)
{
    const struct grade_request *request = run->request;
    if (empty_option(request))
        return run_stop(run, empty_option(request), "it is empty: give a value, or leave it out");
    if (request->lesson && !course_lesson(request->course, request->lesson, &run->lesson,
                                          run->reason, sizeof run->reason))
        return false;
    if (access(request->submissions, R_OK) != 0)
        return run_stop(run, request->submissions, strerror(errno));
    if (is_within(request->submissions, request->out))
        return run_stop(run, request->submissions,
                        "it is in OUT, where the gradebook writes: give that a folder of its own");
    return !request->roster ||
           roster_read(request->roster, roster, run->reason, sizeof run->reason);
}

/* A points policy with a mistake is found before anything is judged. */
static bool has_policy(struct run *run)
{
    struct points points;
    return derived_points(run->request->course, run->request->out, &points, run->reason,
                          sizeof run->reason);
}

static int grade_class(struct run *run, const struct roster *roster)
{
    const struct grade_request *request = run->request;
    run->settings = (struct task_settings){.course = request->course,
                                           .out = request->out,
                                           .device = request->device,
                                           .seed = request->seed,
                                           .no_ipc = request->no_ipc};
    if ((!request->slurm || run_wait_for_earlier(run)) && run_open_book(run) && has_policy(run))
        collect(run, roster);
    int status = run->began || process_interrupted() ? finish(run)
                                                     : grade_refuse(run->terminal, run->reason);
    plan_free(&run->plan);
    book_close(run->book);
    return status;
}

int grade(const struct grade_request *request, const struct terminal *terminal)
{
    struct run run = {.request = request, .terminal = terminal};
    struct roster roster = {0};
    if (!request->slurm && sandbox_find() == SANDBOX_NONE) /* each node looks for its own */
        return refuse_without_walls(terminal);
    int status =
        can_begin(&run, &roster) ? grade_class(&run, &roster) : grade_refuse(terminal, run.reason);
    roster_free(&roster);
    return status;
}
