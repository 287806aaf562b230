/* plan.c - from hand-ins to tasks. */
#include "class/plan.h"

#include "check/record.h"
#include "check/source.h"
#include "class/enter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct planning {
    struct plan *plan;
    const struct task_settings *settings;
    struct book *book;
    const struct lesson *lesson; /* given for all, or NULL */
};

/* --- One file --------------------------------------------------------------------------------- */

/* Does the course have that path's first two parts, outside its exercises? */
static bool begins_in_course(const struct course *course, const char *path)
{
    static const char *const FOLDERS[] = {"solutions/", "grader/", "lessons/", "common/"};
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        size_t bytes = strlen(FOLDERS[i]);
        if (strncmp(path, FOLDERS[i], bytes) != 0 || !path[bytes])
            continue;
        bytes += strcspn(path + bytes, "/");
        return file_exists(path_of("%s/%.*s", course->root.text, (int)bytes, path).text);
    }
    return false;
}

/* Below a student's own folder, a clone of the course: its solutions and known mistakes are no
 * hand-in. A folder that is only called like one of the course's may hold one. */
static bool is_of_course(const struct planning *planning, const char *shown)
{
    for (const char *at = shown; (at = strchr(at, '/'));)
        if (begins_in_course(planning->settings->course, ++at))
            return true;
    return false;
}

/* Which lesson a text is for: what it says itself, or, if it says nothing, the one that was asked
 * for. NULL, or why it is for none that is graded now. */
static const char *find_lesson(const struct planning *planning, const char *text,
                               struct lesson *lesson)
{
    static char other[120];
    bool says = text && course_lesson_of_source(planning->settings->course, text, lesson);
    if (!planning->lesson)
        return says ? NULL
                    : "it is for no lesson: it neither includes a lesson's contract nor mentions "
                      "its function";
    if (says && lesson->number != planning->lesson->number &&
        !course_source_mentions(planning->lesson, text)) {
        snprintf(other, sizeof other, "it is for lesson %d, and lesson %d was to be graded",
                 lesson->number, planning->lesson->number);
        return other;
    }
    *lesson = *planning->lesson;
    return NULL;
}

static long long modified(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return 0;
    return status.st_mtim.tv_sec * 1000000000LL + status.st_mtim.tv_nsec;
}

/* text_hash: NULL when there is no text, and then refusal or problem says why. */
static bool add_wanted(struct planning *planning, const struct hand_in *file,
                       const struct lesson *lesson, const char *text_hash, const char *refusal,
                       const char *problem)
{
    struct plan *plan = planning->plan;
    struct wanted *wanted = &plan->wanted[plan->wanted_count];
    *wanted = (struct wanted){.path = path_of("%s", file->path),
                              .modified = modified(file->path),
                              .remark = strdup(file->remark),
                              .refusal = refusal ? strdup(refusal) : NULL};
    wanted->note = (struct hand_in_note){.student = file->student,
                                         .lesson = lesson->key,
                                         .file = file->shown,
                                         .problem = problem,
                                         .remark = wanted->remark};
    if (!wanted->remark || (refusal && !wanted->refusal))
        return false;
    if (text_hash || refusal)
        task_key(planning->settings, lesson->key, text_hash ? text_hash : refusal, wanted->key);
    plan->wanted_count++;
    return true;
}

/* What cannot be read here says nothing of the student. */
static bool add_blocked(struct planning *planning, const struct hand_in *file)
{
    planning->plan->blocked++;
    if (planning->lesson)
        return add_wanted(planning, file, planning->lesson, NULL, NULL, file->problem);
    return book_note(planning->book, file->student, file->shown, file->problem);
}

/* Where a clone of the course has the exercise that the text is. */
static bool is_in_its_place(const char *shown, const char *text, const struct lesson *lesson)
{
    return text && lesson->key && course_source_mentions(lesson, text) &&
           strstr(shown, path_of("/exercises/%s/", lesson->key).text);
}

/* A file of a student's. Where it has no text, only LESSON can say what it is for. */
static bool add_file(struct planning *planning, const struct hand_in *file)
{
    struct source source = {0};
    struct lesson lesson = {.key = NULL};
    char reason[PATH_MAX + 200];
    const char *refusal = file->state == HANDED_IN_BAD ? file->problem : NULL;
    if (!refusal && !source_read_as(file->path, file->shown, true, &source, reason, sizeof reason))
        refusal = reason;
    const char *why = find_lesson(planning, source.text, &lesson);
    bool in_clone = why && is_in_its_place(file->shown, source.text, &lesson);
    bool good =
        in_clone ? true
        : why    ? book_note(planning->book, file->student, file->shown, refusal ? refusal : why)
                 : add_wanted(planning, file, &lesson, refusal ? NULL : source.sha256, refusal, "");
    source_free(&source);
    return good;
}

static bool add(struct planning *planning, const struct hand_in *file)
{
    if (is_of_course(planning, file->shown))
        return true;
    if (file->state == HANDED_IN_LEFT_OUT || !*file->student)
        return book_note(planning->book, file->student, file->shown, file->problem);
    return file->state == HANDED_IN_BLOCKED ? add_blocked(planning, file)
                                            : add_file(planning, file);
}

/* --- Which counts ----------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct wanted *first = a, *second = b;
    int order = strcmp(first->note.student, second->note.student);
    return order ? order : strcmp(first->note.lesson, second->note.lesson);
}

/* The one that was changed last; of two at once, the one whose name comes last. */
static int by_age(const void *a, const void *b)
{
    const struct wanted *first = a, *second = b;
    int order = by_place(a, b);
    if (order)
        return order;
    if (first->modified != second->modified)
        return first->modified < second->modified ? -1 : 1;
    return strcmp(first->note.file, second->note.file);
}

static bool set_aside(struct planning *planning, struct wanted *older, struct wanted *counts)
{
    char *remark = NULL;
    const char *why =
        older->modified == counts->modified ? "whose name comes last" : "which was changed last";
    struct path what = path_of("not judged: %s, %s, counts", counts->note.file, why);
    bool same = strcmp(older->key, counts->key) == 0 && *older->key;
    bool good = same || book_note(planning->book, older->note.student, older->note.file, what.text);
    if (good && !same &&
        asprintf(&remark, "%s%stwo different files were handed in: %s, %s, counts", counts->remark,
                 *counts->remark ? "; " : "", counts->note.file, why) >= 0) {
        free(counts->remark);
        counts->note.remark = counts->remark = remark;
    }
    free(older->remark);
    free(older->refusal);
    return good;
}

static bool keep_latest(struct planning *planning)
{
    struct plan *plan = planning->plan;
    size_t kept = 0;
    bool good = true;
    qsort(plan->wanted, plan->wanted_count, sizeof *plan->wanted, by_age);
    for (size_t i = 0; good && i < plan->wanted_count; i++) {
        if (i + 1 < plan->wanted_count && by_place(&plan->wanted[i], &plan->wanted[i + 1]) == 0)
            good = set_aside(planning, &plan->wanted[i], &plan->wanted[i + 1]);
        else
            plan->wanted[kept++] = plan->wanted[i];
    }
    plan->wanted_count = good ? kept : plan->wanted_count;
    return good;
}

/* --- Tasks ------------------------------------------------------------------------------------ */

static int by_key(const void *a, const void *b)
{
    const struct task *first = a, *second = b;
    return strcmp(first->key, second->key);
}

/* What could not be judged the last time is judged again. */
static bool is_judged(const struct task_settings *settings, const char *key)
{
    json_t *record = task_record(settings, key);
    bool judged = record && verdict_points(record_verdict(record)) != POINTS_AGAIN;
    json_decref(record);
    if (!judged)
        task_forget(settings, key);
    return judged;
}

/* A copy of what was hashed is judged, whatever happens to the file meanwhile. Where it has changed
 * since, the next run judges it. */
static bool copy_file(struct planning *planning, struct wanted *wanted)
{
    struct source source;
    char reason[PATH_MAX + 200], key[HASH_TEXT] = "";
    bool read =
        source_read_as(wanted->path.text, wanted->note.file, true, &source, reason, sizeof reason);
    if (read)
        task_key(planning->settings, wanted->note.lesson, source.sha256, key);
    if (strcmp(key, wanted->key) != 0) {
        source_free(&source);
        planning->plan->blocked++;
        wanted->key[0] = '\0';
        wanted->note.problem = "the file was changed while it was read: the next run judges it";
        return true;
    }
    bool written = file_write(enter_copy(planning->settings, key).text, source.text, source.bytes);
    source_free(&source);
    return written;
}

static bool add_task(struct planning *planning, struct wanted *wanted)
{
    struct plan *plan = planning->plan;
    struct task *task = &plan->tasks[plan->task_count];
    if (!wanted->refusal && !copy_file(planning, wanted))
        return false;
    if (!*wanted->key)
        return true;
    snprintf(task->key, sizeof task->key, "%s", wanted->key);
    task->lesson = wanted->note.lesson;
    task->refusal = wanted->refusal;
    task->file = enter_copy(planning->settings, wanted->key);
    plan->task_count++;
    return true;
}

static size_t drop_doubles(struct task *tasks, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(tasks[i].key, tasks[kept - 1].key) != 0)
            tasks[kept++] = tasks[i];
    return kept;
}

/* What else the gradebook has for the lessons of this run is no longer handed in. */
static bool forget_earlier(struct planning *planning)
{
    const struct plan *plan = planning->plan;
    const char *known[MARKS_LESSONS];
    size_t count = 0;
    bool good = true;
    for (size_t i = 0; good && i < plan->wanted_count; i++) {
        size_t at = 0;
        while (at < count && known[at] != plan->wanted[i].note.lesson)
            at++;
        if (at < count || count == MARKS_LESSONS)
            continue;
        known[count++] = plan->wanted[i].note.lesson;
        good = book_forget_hand_ins(planning->book, known[count - 1]);
    }
    return good;
}

static bool make_tasks(struct planning *planning)
{
    struct plan *plan = planning->plan;
    bool good = forget_earlier(planning);
    plan->tasks = calloc(plan->wanted_count + 1, sizeof *plan->tasks);
    for (size_t i = 0; plan->tasks && good && i < plan->wanted_count; i++) {
        struct wanted *wanted = &plan->wanted[i];
        wanted->note.key = wanted->key; /* it moves no more */
        wanted->from_before = *wanted->key && book_has_attempt(planning->book, &wanted->note);
        good = (!*wanted->key || wanted->from_before || add_task(planning, wanted)) &&
               book_note_hand_in(planning->book, &wanted->note);
    }
    if (!plan->tasks || !good)
        return false;
    qsort(plan->tasks, plan->task_count, sizeof *plan->tasks, by_key);
    plan->task_count = drop_doubles(plan->tasks, plan->task_count);
    return true;
}

/* Judged by a run that ended before it could be entered in the book: nothing is left to do. */
static void drop_judged(struct planning *planning)
{
    struct plan *plan = planning->plan;
    size_t kept = 0;
    for (size_t i = 0; i < plan->task_count; i++)
        if (!is_judged(planning->settings, plan->tasks[i].key))
            plan->tasks[kept++] = plan->tasks[i];
    plan->task_count = kept;
}

/* --- All of it -------------------------------------------------------------------------------- */

bool plan_make(struct plan *plan, const struct task_settings *settings, struct book *book,
               const struct handed_in *handed_in, const struct lesson *lesson)
{
    struct planning planning = {plan, settings, book, lesson};
    memset(plan, 0, sizeof *plan);
    plan->wanted = calloc(handed_in->count + 1, sizeof *plan->wanted);
    bool good = plan->wanted && book_begin(book) && book_clear_notices(book);
    for (size_t i = 0; good && i < handed_in->count; i++)
        good = add(&planning, &handed_in->files[i]);
    good = book_end(book, good && keep_latest(&planning) && make_tasks(&planning));
    if (good)
        drop_judged(&planning);
    return good;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->wanted_count; i++) {
        free(plan->wanted[i].remark);
        free(plan->wanted[i].refusal);
    }
    free(plan->wanted);
    free(plan->tasks);
    memset(plan, 0, sizeof *plan);
}
