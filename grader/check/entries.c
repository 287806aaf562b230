/* entries.c - lists what comes with the lessons, in the order in which people read about it. */
#include "check/entries.h"

#include "check/entry_files.h"
#include "check/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct listing {
    const struct course *course;
    struct entry *entries;
    size_t count, room;
    char *reason;
    size_t reason_bytes;
};

static struct entry *add(struct listing *listing, const struct lesson *lesson, const char *name,
                         const char *path)
{
    if (listing->count == listing->room) {
        size_t room = listing->room ? 2 * listing->room : 64;
        struct entry *larger = realloc(listing->entries, room * sizeof *larger);
        if (!larger) {
            snprintf(listing->reason, listing->reason_bytes, "this machine is out of memory");
            return NULL;
        }
        listing->entries = larger;
        listing->room = room;
    }
    struct entry *entry = &listing->entries[listing->count++];
    *entry = (struct entry){.lesson = *lesson, .path = path_of("%s", path)};
    snprintf(entry->name, sizeof entry->name, "%s", name);
    return entry;
}

static bool add_exercise(struct listing *listing, const struct lesson *lesson)
{
    const char *words = record_text(lesson->judge, "as_shipped");
    struct path shipped = path_of("%s/exercise.cu", lesson->judge_folder.text);
    struct entry *entry = add(listing, lesson, "exercise", shipped.text);
    if (!entry)
        return false;
    bool passes = json_is_true(json_object_get(lesson->judge, "passes_as_shipped"));
    entry->has_expectation = passes || *words;
    entry->expectation.verdict = VERDICT_PASS;
    return !*words ||
           expectation_parse(words, &entry->expectation, listing->reason, listing->reason_bytes);
}

static bool add_solution(struct listing *listing, const struct lesson *lesson)
{
    struct entry *entry = add(listing, lesson, "solution", lesson->solution.text);
    if (!entry)
        return false;
    entry->has_expectation = true;
    entry->expectation.verdict = VERDICT_PASS;
    return true;
}

static bool add_file(struct listing *listing, const struct entry_file *file)
{
    struct path path,
        name = path_of("%s/%.*s", file->folder, (int)strlen(file->name) - 3, file->name);
    struct expectation expectation;
    char why[2 * PATH_MAX];
    if (!entry_file_read(file, &path, &expectation, why, sizeof why)) {
        snprintf(listing->reason, listing->reason_bytes, "%s/%s: %s", file->lesson->key, name.text,
                 why);
        return false;
    }
    struct entry *entry = add(listing, file->lesson, name.text, path.text);
    if (!entry)
        return false;
    entry->has_expectation = true;
    entry->expectation = expectation;
    return true;
}

static bool add_corpus(struct listing *listing, const struct lesson *lesson)
{
    bool sound = true;
    for (size_t i = 0; i < CORPUS_FOLDERS; i++) {
        char **names;
        int count = entry_files_list(lesson, corpus_folder[i], &names);
        for (int at = 0; at < count; at++) {
            struct entry_file file = {listing->course, lesson, corpus_folder[i], names[at]};
            sound = sound && add_file(listing, &file);
            free(names[at]);
        }
        if (count >= 0)
            free(names);
    }
    return sound;
}

static bool add_lesson(struct listing *listing, const struct lesson *lesson)
{
    return add_exercise(listing, lesson) && add_solution(listing, lesson) &&
           add_corpus(listing, lesson);
}

struct entry *entries_list(const struct course *course, const char *name, size_t *count,
                           char *reason, size_t reason_bytes)
{
    struct listing listing = {.course = course, .reason = reason, .reason_bytes = reason_bytes};
    struct lesson lesson;
    bool sound = !name || course_lesson(course, name, &lesson, reason, reason_bytes);
    if (sound && name)
        sound = add_lesson(&listing, &lesson);
    for (size_t i = 0; sound && !name && i < course_lesson_count(course); i++) {
        course_lesson_at(course, i, &lesson);
        sound = add_lesson(&listing, &lesson);
    }
    *count = listing.count;
    if (sound)
        return listing.entries;
    free(listing.entries);
    return NULL;
}
