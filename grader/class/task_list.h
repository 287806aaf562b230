/* task_list.h - the tasks of a run as a file, for machines that judge them without the gradebook.
 *
 *     OUT/queue/tasks.json   {"grader": version, "device": "sim", "seed": "0x7", "no_ipc": false,
 *                             "chunk": 20, "tasks": [{"key", "lesson", "file"}, ...]}
 *
 * Paths of files are relative to OUT, which may be mounted elsewhere on another machine. Chunk i is
 * tasks i * chunk and those after it.
 */
#ifndef CLASS_TASK_LIST_H
#define CLASS_TASK_LIST_H

#include "class/task.h"

enum { CHUNK_USUAL = 20, CHUNK_MOST = 1000 };

struct task_list {
    enum device_choice device;
    uint64_t seed;
    bool no_ipc;
    size_t chunk; /* how many tasks one has */
    struct task *tasks;
    size_t count;
};

/* The file is afterwards complete or as it was before. False with errno. */
bool task_list_write(const struct task_list *list, const struct course *course, const char *out);
/* For task_list_free. False with a sentence: there is none, it is damaged, or it was written by
 * another version of the course, whose tasks have other keys. */
bool task_list_read(struct task_list *list, const struct course *course, const char *out,
                    char *reason, size_t reason_bytes);
void task_list_free(struct task_list *list);
size_t task_list_chunks(const struct task_list *list);
/* The settings that its tasks are judged with. */
struct task_settings task_list_settings(const struct task_list *list, const struct course *course,
                                        const char *out, const struct seal_key *key);

#endif
