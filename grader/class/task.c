/* task.c - judges one file, and keeps the sealed record. */
#include "class/task.h"

#include "check/conclude.h"
#include "check/record.h"
#include "lib/timestamp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const DEVICES[] = {"auto", "sim", "gpu"};

void task_key(const struct task_settings *settings, const char *lesson, const char *contents,
              char key[HASH_TEXT])
{
    struct hash hash;
    hash_init(&hash);
    hash_add_text(&hash, course_version(settings->course));
    hash_add_text(&hash, lesson);
    hash_add_text(&hash, DEVICES[settings->device]);
    hash_add_text(&hash, path_of("%llx", (unsigned long long)settings->seed).text);
    hash_add_text(&hash, contents);
    hash_text(&hash, key);
}

static struct path place_of(const struct task_settings *settings, const char *key)
{
    return path_of("%s/judged/%s.json", settings->out, key);
}

/* Where and with what it was judged, which a check by itself does not say. */
static void note_place(const struct task_settings *settings, json_t *record)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    json_object_set_new(record, "host", record_clean(host, strlen(host)));
    json_object_set_new(record, "toolkit",
                        json_string(course_setting(settings->course, "NVCC_VERSION").text));
}

static bool keep(const struct task_settings *settings, const char *key, const json_t *record)
{
    char seal[HASH_TEXT];
    char *text = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text)
        return false;
    seal_make(settings->key, (const char *const[]){key, text}, 2, seal);
    json_t *file = json_pack("{s:s, s:s}", "seal", seal, "record", text);
    free(text);
    bool written = file && record_write(file, place_of(settings, key).text);
    json_decref(file);
    return written;
}

json_t *task_check(const struct task_settings *settings, const char *lesson, const char *file)
{
    const char *slug = strchr(lesson, '_');
    struct path shown = path_of("%s.cu", slug ? slug + 1 : lesson);
    struct check_request check = {.course = settings->course,
                                  .lesson = lesson,
                                  .submission = file,
                                  .shown = shown.text,
                                  .device = settings->device,
                                  .seed = settings->seed,
                                  .strict = true,
                                  .tell_others = true,
                                  .no_ipc = settings->no_ipc,
                                  .threads = settings->threads};
    /* The user inside the walls has to enter the folders that it is built in. */
    mode_t mask = umask(S_IWGRP | S_IWOTH);
    json_t *record = check_run(&check);
    umask(mask);
    return record;
}

/* The record of a file that nothing can be judged of. */
static json_t *refuse(const struct task_settings *settings, const struct task *task)
{
    char reason[300], started[TIMESTAMP_TEXT];
    struct lesson lesson;
    if (!course_lesson(settings->course, task->lesson, &lesson, reason, sizeof reason))
        return NULL;
    json_t *record = json_pack("{s:i, s:s, s:s, s:s, s:s, s:i, s:s, s:{}, s:[]}", "schema",
                               RECORD_SCHEMA, "started", timestamp_now(started), "grader",
                               course_version(settings->course), "lesson", lesson.key, "title",
                               lesson.title, "number", lesson.number, "seed", "", "parts", "gates");
    record_add_gate(record, "build", record_outcome(VERDICT_REFUSED, task->refusal));
    conclude_verdict(record, true);
    return record;
}

bool task_judge(const struct task_settings *settings, const struct task *task, bool *written)
{
    json_t *record = task->refusal ? refuse(settings, task)
                                   : task_check(settings, task->lesson, task->file.text);
    if (!record)
        return false;
    note_place(settings, record);
    *written = keep(settings, task->key, record);
    json_decref(record);
    return true;
}

json_t *task_record(const struct task_settings *settings, const char *key)
{
    json_t *file = json_load_file(place_of(settings, key).text, 0, NULL);
    const char *text = record_text(file, "record");
    const char *const sealed[] = {key, text};
    bool whole = file && seal_holds(settings->key, sealed, 2, record_text(file, "seal"));
    json_t *record = whole ? json_loads(text, 0, NULL) : NULL;
    json_decref(file);
    return record;
}

void task_forget(const struct task_settings *settings, const char *key)
{
    unlink(place_of(settings, key).text);
}
