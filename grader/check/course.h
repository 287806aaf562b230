/* course.h - where the course is, where its products go, and what its lessons are called.
 *
 *     root/exercises/NN_slug/slug.cu      root/solutions/NN_slug/slug.cu
 *     root/common/                        root/grader/judges/NN_slug/
 *     build/bin/                          the programs: warpquest, examine, runner, simgpu
 *     build/version                       what results depend on, as a hash
 *     build/judges.json                   what the judges say about themselves (examine --judges)
 *     build/work, build/records, build/stash, build/ceilings-*.json
 */
#ifndef CHECK_COURSE_H
#define CHECK_COURSE_H

#include "lib/files.h"

#include <jansson.h>

struct course {
    struct path root, build;
    bool is_given; /* not the one that the program lies in: another course, or a test's */
    json_t *judges;
};

struct lesson {
    const char *key;  /* "01_coalescing"; lives in the course */
    const char *slug; /* "coalescing" */
    int number;
    const char *title;
    json_t *judge; /* its entry of judges.json; borrowed */
    struct path exercise, solution, judge_folder;
};

/* Open the course at root (NULL: two folders above the running program), with products in build
 * (NULL: one above). False with a sentence. */
bool course_open(struct course *course, const char *root, const char *build, char *reason,
                 size_t reason_bytes);
void course_close(struct course *course);

/* A lesson by "1", "01", "lesson1" or "01_coalescing". False with a sentence. */
bool course_lesson(const struct course *course, const char *name, struct lesson *lesson,
                   char *reason, size_t reason_bytes);
/* The lesson whose contract a source includes or, if none, whose launcher it mentions; the first
 * such lesson. False when there is none. */
bool course_lesson_of_source(const struct course *course, const char *text, struct lesson *lesson);
/* Does it include that lesson's contract, or mention its function? */
bool course_source_mentions(const struct lesson *lesson, const char *text);
size_t course_lesson_count(const struct course *course);
/* In order of number. */
void course_lesson_at(const struct course *course, size_t index, struct lesson *lesson);

/* The path of one of our programs. */
struct path course_program(const struct course *course, const char *name);
/* Are all the grader's own files there that a check uses? If not, a sentence names the file and the
 * command that restores it. */
bool course_is_built(const struct course *course, char *reason, size_t reason_bytes);
/* What set-up found (build/config.mk), or the environment says, for name "NVCC". Empty when
 * unknown. */
struct path course_setting(const struct course *course, const char *name);
/* A hash over what a verdict depends on (version.sh): results of one version are not mixed with
 * another's. */
const char *course_version(const struct course *course);

#endif
