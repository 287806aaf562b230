/* task.h - one judgement that a class needs: of one file, for one lesson, whoever handed it in.
 *
 * A task has a key: the hash of what its verdict depends on. So identical files are judged once, a
 * run resumes where the last one ended, and several machines can share the work: each judgement is
 * a sealed file of its own, complete or absent, at judged/KEY.json below the gradebook's folder.
 */
#ifndef CLASS_TASK_H
#define CLASS_TASK_H

#include "check/check.h"
#include "class/seal.h"

struct task_settings { /* of all tasks of a run */
    const struct course *course;
    const char *out; /* the gradebook's folder */
    const struct seal_key *key;
    enum device_choice device;
    uint64_t seed;    /* one for the whole class; 0: one drawn for each task */
    bool no_ipc;      /* as if the device had no CUDA IPC; for tests */
    unsigned threads; /* of each task's simulated device; 0: one for each processor */
};

struct task {
    char key[HASH_TEXT];
    const char *lesson; /* the lesson's key; lives in the course */
    struct path file;   /* what is judged */
    char *refusal;      /* why it cannot be: then the record says so; NULL else */
};

/* contents: the file's SHA-256, or why it has none. */
void task_key(const struct task_settings *settings, const char *lesson, const char *contents,
              char key[HASH_TEXT]);
/* Judges a file as a task's is judged, and leaves nothing. NULL when interrupted; the caller frees
 * it. */
json_t *task_check(const struct task_settings *settings, const char *lesson, const char *file);
/* Judges it and leaves the record. False when interrupted; *written says whether the record could
 * be written. */
bool task_judge(const struct task_settings *settings, const struct task *task, bool *written);
/* Its record, if it was judged and the seal is whole; else NULL. The caller frees it. */
json_t *task_record(const struct task_settings *settings, const char *key);
/* Forgets the judgement. */
void task_forget(const struct task_settings *settings, const char *key);

#endif
