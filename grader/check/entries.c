/* entries.c - lists what comes with the lessons, in the order in which people read about it. */
#include "check/entries.h"

#include "check/record.h"
#include "check/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct listing {
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

static bool add_file(struct listing *listing, const struct lesson *lesson, const char *folder,
                     const char *file)
{
    struct path path = path_of("%s/%s/%s", lesson->judge_folder.text, folder, file);
    struct path name = path_of("%s/%.*s", folder, (int)strlen(file) - 3, file);
    struct entry *entry = add(listing, lesson, name.text, path.text);
    struct source source;
    char why[400];
    if (!entry)
        return false;
    entry->has_expectation =
        source_read(path.text, false, &source, why, sizeof why) &&
        expectation_of_source(source.text, &entry->expectation, why, sizeof why);
    source_free(&source);
    if (!entry->has_expectation)
        snprintf(listing->reason, listing->reason_bytes, "%s: %s", path.text, why);
    return entry->has_expectation;
}

static bool add_corpus(struct listing *listing, const struct lesson *lesson)
{
    bool sound = true;
    for (size_t i = 0; i < CORPUS_FOLDERS; i++) {
        char **files;
        struct path folder = path_of("%s/%s", lesson->judge_folder.text, corpus_folder[i]);
        int count = folder_list(folder.text, ".cu", &files);
        for (int file = 0; file < count; file++) {
            sound = sound && add_file(listing, lesson, corpus_folder[i], files[file]);
            free(files[file]);
        }
        if (count >= 0)
            free(files);
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
    struct listing listing = {.reason = reason, .reason_bytes = reason_bytes};
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
