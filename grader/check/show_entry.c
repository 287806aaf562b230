/* show_entry.c - reads an entry's name as people have it at hand, and prints the entry. */
#include "check/show_entry.h"

#include "check/entry_files.h"
#include "check/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LESSON, FOLDER, NAME, PARTS };

static bool is_folder(const char *text)
{
    for (size_t i = 0; i < CORPUS_FOLDERS; i++)
        if (strcmp(corpus_folder[i], text) == 0)
            return true;
    return false;
}

/* The last three parts of a path, which is cut into them. */
static bool split(char *path, char *part[PARTS])
{
    for (int i = PARTS - 1; i > 0; i--) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = '\0';
        part[i] = slash + 1;
    }
    char *slash = strrchr(path, '/');
    part[LESSON] = slash ? slash + 1 : path;
    return is_folder(part[FOLDER]) && *part[NAME];
}

static struct path whole_name(const char *name)
{
    const char *ending = strrchr(name, '.');
    return path_of("%.*s.cu", (int)(ending ? ending - name : (long)strlen(name)), name);
}

int show_entry(const struct course *course, const char *name, enum patch_place place,
               const struct terminal *terminal)
{
    char reason[2 * PATH_MAX], *part[PARTS], *text = NULL;
    struct path path = path_of("%s", name), kept;
    struct lesson lesson;
    if (!split(path.text, part))
        snprintf(reason, sizeof reason,
                 "\"%s\" is no entry of a corpus: its name is LESSON/FOLDER/NAME, as in "
                 "01_coalescing/slow/one_block",
                 name);
    else if (course_lesson(course, part[LESSON], &lesson, reason, sizeof reason)) {
        struct path file = whole_name(part[NAME]);
        struct entry_file entry = {course, &lesson, part[FOLDER], file.text};
        if (place == PATCH_MOVED || entry_file_path(&entry, &kept, reason, sizeof reason))
            text = entry_file_text(&entry, place, reason, sizeof reason);
    }
    if (!text) {
        fprintf(stderr, "warpquest: %s\n", reason);
        return verdict_exit_code(VERDICT_REFUSED);
    }
    fputs(text, terminal->out);
    free(text);
    return 0;
}
