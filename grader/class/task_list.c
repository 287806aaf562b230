/* task_list.c - writes and reads the tasks of a run. */
#include "class/task_list.h"

#include "check/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const DEVICES[] = {"auto", "sim", "gpu"};

static struct path place_of(const char *out)
{
    return path_of("%s/queue/tasks.json", out);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static json_t *pack(const struct task_list *list, const struct course *course, const char *out)
{
    size_t above = strlen(out) + 1;
    json_t *tasks = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct task *task = &list->tasks[i];
        json_array_append_new(tasks, json_pack("{s:s, s:s, s:s}", "key", task->key, "lesson",
                                               task->lesson, "file", task->file.text + above));
    }
    return json_pack("{s:s, s:s, s:s, s:b, s:I, s:o}", "grader", course_version(course), "device",
                     DEVICES[list->device], "seed",
                     path_of("0x%llx", (unsigned long long)list->seed).text, "no_ipc", list->no_ipc,
                     "chunk", (json_int_t)list->chunk, "tasks", tasks);
}

bool task_list_write(const struct task_list *list, const struct course *course, const char *out)
{
    if (!folder_make(path_of("%s/queue", out).text))
        return false;
    json_t *file = pack(list, course, out);
    bool written = file && record_write(file, place_of(out).text);
    json_decref(file);
    return written;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static const char *lesson_of(const struct course *course, const char *key)
{
    struct lesson lesson;
    for (size_t i = 0; i < course_lesson_count(course); i++) {
        course_lesson_at(course, i, &lesson);
        if (strcmp(lesson.key, key) == 0)
            return lesson.key;
    }
    return NULL;
}

static bool read_task(struct task *task, const struct course *course, const char *out,
                      const json_t *entry)
{
    const char *key = record_text(entry, "key"), *file = record_text(entry, "file");
    bool good = strlen(key) == HASH_TEXT - 1 && !key[strspn(key, "0123456789abcdef")] && *file &&
                *file != '/' && !strstr(file, "..");
    snprintf(task->key, sizeof task->key, "%s", key);
    task->file = path_of("%s/%s", out, file);
    task->lesson = lesson_of(course, record_text(entry, "lesson"));
    return good && task->lesson;
}

static bool read_tasks(struct task_list *list, const struct course *course, const char *out,
                       const json_t *entries)
{
    bool good = json_is_array(entries);
    list->tasks = calloc(json_array_size(entries) + 1, sizeof *list->tasks);
    for (size_t i = 0; list->tasks && good && i < json_array_size(entries); i++)
        good = read_task(&list->tasks[list->count++], course, out, json_array_get(entries, i));
    return good && list->tasks;
}

static bool read_device(struct task_list *list, const char *name)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(name, DEVICES[i]) == 0) {
            list->device = (enum device_choice)i;
            return true;
        }
    return false;
}

static bool unpack(struct task_list *list, const struct course *course, const char *out,
                   const json_t *file)
{
    json_int_t chunk = json_integer_value(json_object_get(file, "chunk"));
    const char *seed = record_text(file, "seed");
    list->seed = strtoull(seed, NULL, 16);
    list->no_ipc = json_is_true(json_object_get(file, "no_ipc"));
    list->chunk = (size_t)chunk;
    return chunk >= 1 && chunk <= CHUNK_MOST && *seed &&
           read_device(list, record_text(file, "device")) &&
           read_tasks(list, course, out, json_object_get(file, "tasks"));
}

bool task_list_read(struct task_list *list, const struct course *course, const char *out,
                    char *reason, size_t reason_bytes)
{
    struct path place = place_of(out);
    json_error_t error;
    json_t *file = json_load_file(place.text, 0, &error);
    bool same = strcmp(record_text(file, "grader"), course_version(course)) == 0;
    memset(list, 0, sizeof *list);
    bool good = file && same && unpack(list, course, out, file);
    if (!file)
        snprintf(reason, reason_bytes,
                 "%s cannot be read (%s): `make grade ENGINE=slurm` writes it", place.text,
                 error.text);
    else if (!same)
        snprintf(reason, reason_bytes,
                 "%s is of another version of the course: grade again with this one", place.text);
    else if (!good)
        snprintf(reason, reason_bytes, "%s is damaged: the same `make grade` writes it anew",
                 place.text);
    json_decref(file);
    if (!good)
        task_list_free(list);
    return good;
}

void task_list_free(struct task_list *list)
{
    free(list->tasks);
    memset(list, 0, sizeof *list);
}

size_t task_list_chunks(const struct task_list *list)
{
    return (list->count + list->chunk - 1) / list->chunk;
}

struct task_settings task_list_settings(const struct task_list *list, const struct course *course,
                                        const char *out, const struct seal_key *key)
{
    return (struct task_settings){.course = course,
                                  .out = out,
                                  .key = key,
                                  .device = list->device,
                                  .seed = list->seed,
                                  .no_ipc = list->no_ipc};
}
