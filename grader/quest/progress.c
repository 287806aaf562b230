/* progress.c - keeps the last and the best record of each lesson. */
#include "check/record.h"
#include "quest/quest.h"

#include <string.h>

static struct path file_of(const struct course *course, const char *key, const char *ending)
{
    return path_of("%s/records/%s%s", course->build.text, key, ending);
}

json_t *quest_last(const struct course *course, const char *lesson_key)
{
    return json_load_file(file_of(course, lesson_key, ".json").text, 0, NULL);
}

json_t *quest_last_of(const struct course *course, const char *lesson_key, const char *path)
{
    json_t *last = json_load_file(file_of(course, lesson_key, ".submission.json").text, 0, NULL);
    if (strcmp(record_text(json_object_get(last, "submission"), "path"), path) == 0)
        return last;
    json_decref(last);
    return NULL;
}

json_t *quest_best(const struct course *course, const char *lesson_key)
{
    return json_load_file(file_of(course, lesson_key, ".best.json").text, 0, NULL);
}

/* Points never go down: an earned band stays earned. Gold counts above plain points. */
static int worth(const json_t *record)
{
    return 2 * record_integer(record, "points") + json_is_true(json_object_get(record, "gold"));
}

bool quest_note(const struct course *course, const json_t *record)
{
    const char *key = record_text(record, "lesson");
    enum verdict verdict = record_verdict(record);
    bool is_part = *record_text(record, "only"); /* kept for hints, but no progress */
    if (!*key || (verdict_points(verdict) == POINTS_AGAIN && verdict != VERDICT_PART))
        return true; /* it says nothing about the exercise */
    if (!folder_make(path_of("%s/records", course->build.text).text))
        return false;
    const json_t *submission = json_object_get(record, "submission");
    if (json_is_false(json_object_get(submission, "is_own")))
        return record_write(record, file_of(course, key, ".submission.json").text);
    json_t *best = quest_best(course, key);
    bool is_best = !is_part && (!best || worth(record) >= worth(best));
    json_decref(best);
    return record_write(record, file_of(course, key, ".json").text) &&
           (!is_best || record_write(record, file_of(course, key, ".best.json").text));
}
