/* entry_files.c - lists whole entries and patches alike, and applies the patches. */
#include "check/entry_files.h"

#include "check/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char WHOLE[] = ".cu", PATCH[] = ".patch";

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends to names. An entry that is stored twice is there twice; reading it says so. */
static bool add_patches(const char *folder, char ***names, int *count)
{
    char **patches;
    int more = folder_list(folder, PATCH, &patches);
    char **all = more < 0 ? NULL : reallocarray(*names, (size_t)(*count + more) + 1, sizeof *all);
    for (int i = 0; i < more; i++) {
        size_t stem = strlen(patches[i]) - strlen(PATCH);
        strcpy(patches[i] + stem, WHOLE); /* which is shorter */
        if (all)
            all[(*count)++] = patches[i];
        else
            free(patches[i]);
    }
    if (more >= 0)
        free(patches);
    *names = all ? all : *names;
    return all != NULL;
}

int entry_files_list(const struct lesson *lesson, const char *folder, char ***names)
{
    struct path path = path_of("%s/%s", lesson->judge_folder.text, folder);
    int count = folder_list(path.text, WHOLE, names);
    if (count < 0)
        return -1;
    if (!add_patches(path.text, names, &count)) {
        while (count)
            free((*names)[--count]);
        free(*names);
        return -1;
    }
    qsort(*names, (size_t)count, sizeof **names, by_name);
    return count;
}

static struct path stored(const struct entry_file *entry, const char *ending)
{
    int stem = (int)(strlen(entry->name) - strlen(WHOLE));
    return path_of("%s/%s/%.*s%s", entry->lesson->judge_folder.text, entry->folder, stem,
                   entry->name, ending);
}

/* A path as people type it in the course's top folder. */
static const char *below(const struct course *course, const char *path)
{
    size_t root = strlen(course->root.text);
    bool is_below = strncmp(path, course->root.text, root) == 0 && path[root] == '/';
    return is_below ? path + root + 1 : path;
}

/* False with a sentence if it is not stored exactly once. */
static bool is_patch(const struct entry_file *entry, bool *patch, char *reason, size_t reason_bytes)
{
    struct path whole = stored(entry, WHOLE), difference = stored(entry, PATCH);
    bool has_whole = file_exists(whole.text);
    *patch = file_exists(difference.text);
    if (has_whole != *patch)
        return true;
    snprintf(reason, reason_bytes,
             has_whole ? "%s and %s are the same entry: remove one" : "neither %s nor %s is there",
             below(entry->course, whole.text), path_base(difference.text));
    return false;
}

static char *read_text(const char *path, char *reason, size_t reason_bytes)
{
    char *text = file_read(path, SOURCE_MOST_BYTES, NULL);
    if (!text)
        snprintf(reason, reason_bytes, "%s cannot be read: %s", path, strerror(errno));
    return text;
}

static char *applied(const struct entry_file *entry, const char *patch, enum patch_place place,
                     char *reason, size_t reason_bytes)
{
    struct path file = stored(entry, PATCH), base;
    const char *shown = below(entry->course, file.text);
    char why[300];
    if (!patch_base(patch, &base, why, sizeof why)) {
        snprintf(reason, reason_bytes, "%s: %s", shown, why);
        return NULL;
    }
    struct path from = path_of("%s/%s", entry->course->root.text, base.text);
    char *text = read_text(from.text, reason, reason_bytes);
    char *result = text ? patch_apply(text, patch, place, why, sizeof why) : NULL;
    if (text && !result)
        snprintf(reason, reason_bytes,
                 "%s does not apply to %s: %s. If the base was edited, `make entry-patch "
                 "NAME=%s/%s/%.*s` finds lines that have only moved; otherwise change the patch",
                 shown, base.text, why, entry->lesson->key, entry->folder,
                 (int)(strlen(entry->name) - strlen(WHOLE)), entry->name);
    free(text);
    return result;
}

char *entry_file_text(const struct entry_file *entry, enum patch_place place, char *reason,
                      size_t reason_bytes)
{
    bool patch;
    if (!is_patch(entry, &patch, reason, reason_bytes))
        return NULL;
    char *text = read_text(stored(entry, patch ? PATCH : WHOLE).text, reason, reason_bytes);
    if (!text || !patch)
        return text;
    char *result = applied(entry, text, place, reason, reason_bytes);
    free(text);
    return result;
}

/* Left alone if it has this text already, so that nothing is built anew. */
static bool update(const char *path, const char *text)
{
    size_t bytes = 0;
    char *old = file_read(path, SOURCE_MOST_BYTES, &bytes);
    bool same = old && bytes == strlen(text) && memcmp(old, text, bytes) == 0;
    free(old);
    return same || file_write(path, text, strlen(text));
}

bool entry_file_path(const struct entry_file *entry, struct path *path, char *reason,
                     size_t reason_bytes)
{
    bool patch;
    if (!is_patch(entry, &patch, reason, reason_bytes))
        return false;
    *path = stored(entry, WHOLE);
    if (!patch)
        return true;
    char *text = entry_file_text(entry, PATCH_EXACT, reason, reason_bytes);
    if (!text)
        return false;
    struct path folder =
        path_of("%s/corpus/%s/%s", entry->course->build.text, entry->lesson->key, entry->folder);
    *path = path_of("%s/%s", folder.text, entry->name);
    bool made = folder_make(folder.text) && update(path->text, text);
    if (!made)
        snprintf(reason, reason_bytes, "%s cannot be written: %s", path->text, strerror(errno));
    free(text);
    return made;
}

bool entry_file_read(const struct entry_file *entry, struct path *path,
                     struct expectation *expectation, char *reason, size_t reason_bytes)
{
    struct source source = {.text = NULL};
    bool sound = entry_file_path(entry, path, reason, reason_bytes) &&
                 source_read(path->text, false, &source, reason, reason_bytes) &&
                 expectation_of_source(source.text, expectation, reason, reason_bytes);
    source_free(&source);
    return sound;
}
