/* reset.c - `make reset-lessonN`: restores the exercise as it was shipped; the learner's is
   kept. */
#include "check/source.h"
#include "quest/quest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CANNOT = 70, MOST_BYTES = 64 << 20 };

static int fail(const struct terminal *terminal, const char *path)
{
    fprintf(terminal->out, "%s: %s; nothing was changed\n", path, strerror(errno));
    return CANNOT;
}

/* build/stash/01_coalescing-20261120-101500.cu; with a number if there is one of the same
   second. */
static struct path stash_name(const struct course *course, const struct lesson *lesson)
{
    char when[32];
    time_t now = time(NULL);
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime(&now));
    struct path name = path_of("%s/stash/%s-%s.cu", course->build.text, lesson->key, when);
    for (int more = 2; file_exists(name.text); more++)
        name = path_of("%s/stash/%s-%s-%d.cu", course->build.text, lesson->key, when, more);
    return name;
}

int quest_reset(const struct course *course, const struct lesson *lesson,
                const struct terminal *terminal)
{
    struct path shipped = path_of("%s/exercise.cu", lesson->judge_folder.text);
    size_t shipped_bytes = 0, bytes = 0;
    int status = 0;
    char *fresh = file_read(shipped.text, SOURCE_MOST_BYTES, &shipped_bytes);
    if (!fresh)
        return fail(terminal, shipped.text);
    char *mine = file_read(lesson->exercise.text, MOST_BYTES, &bytes);
    struct path stash = stash_name(course, lesson);
    if (!mine && errno != ENOENT) {
        status = fail(terminal, lesson->exercise.text);
    } else if (mine && bytes == shipped_bytes && memcmp(mine, fresh, bytes) == 0) {
        fprintf(terminal->out, "the exercise of lesson %d is as it was shipped\n", lesson->number);
    } else if (mine && (!folder_make(path_of("%s/stash", course->build.text).text) ||
                        !file_write(stash.text, mine, bytes))) {
        status = fail(terminal, stash.text);
    } else if (!file_write(lesson->exercise.text, fresh, shipped_bytes)) {
        status = fail(terminal, lesson->exercise.text);
    } else {
        fprintf(terminal->out, "exercises/%s/%s.cu is as it was shipped\n", lesson->key,
                lesson->slug);
        if (mine)
            fprintf(terminal->out, "what you had is in %s\n", stash.text);
    }
    free(fresh);
    free(mine);
    return status;
}
