/* names.c - endings, and the patterns of Canvas and Moodle. */
#include "class/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    return length > end && strcasecmp(name + length - end, ending) == 0;
}

enum name_kind name_kind(const char *name)
{
    static const char *const ARCHIVES[] = {".tar", ".tgz", ".gz", ".bz2",
                                           ".xz",  ".zst", ".7z", ".rar"};
    if (*name == '.' || strcmp(name, "__MACOSX") == 0)
        return NAME_HIDDEN;
    if (strcmp(name, "submission_metadata.yml") == 0)
        return NAME_METADATA;
    if (ends_in(name, ".cu"))
        return NAME_SOURCE;
    if (ends_in(name, ".zip"))
        return NAME_ZIP;
    for (size_t i = 0; i < sizeof ARCHIVES / sizeof *ARCHIVES; i++)
        if (ends_in(name, ARCHIVES[i]))
            return NAME_ARCHIVE;
    /* A browser, an editor or a mail program appends one more: x.cu.txt, x.cu.download. */
    const char *last = strrchr(name, '.');
    bool renamed = last && last - name > 3 && strncasecmp(last - 3, ".cu", 3) == 0;
    return renamed ? NAME_RENAMED : NAME_OTHER;
}

size_t name_stem(const char *name)
{
    enum name_kind kind = name_kind(name);
    return strlen(name) - (kind == NAME_SOURCE ? 3 : kind == NAME_ZIP ? 4 : 0);
}

/* --- Canvas and Moodle ------------------------------------------------------------------------ */

/* "x-2.cu": the second file that was called x.cu. */
static void note_version(struct name_parts *parts)
{
    size_t stem = name_stem(parts->file), end = stem;
    while (end > 0 && isdigit((unsigned char)parts->file[end - 1]))
        end--;
    parts->file_stem = stem;
    if (end == stem || stem - end > 3 || end < 2 || parts->file[end - 1] != '-')
        return;
    parts->version = (unsigned)strtoul(parts->file + end, NULL, 10);
    parts->file_stem = end - 1;
}

/* lastfirst_LATE_123_456_name-2.cu: where Canvas found no underscore that ends the name before. */
static bool is_canvas(const char *name, struct name_parts *parts)
{
    size_t whose = strcspn(name, "_");
    const char *at = name + whose;
    bool late = strncmp(at, "_LATE_", 6) == 0;
    if (whose == 0 || !*at)
        return false;
    at += late ? 6 : 1;
    size_t digits = strspn(at, "0123456789");
    size_t submission = at[digits] == '_' ? strspn(at + digits + 1, "0123456789") : 0;
    const char *file = at + digits + 1 + submission;
    if (digits == 0 || submission == 0 || file[0] != '_' || !file[1])
        return false;
    *parts = (struct name_parts){.system = NAME_CANVAS,
                                 .whose = whose,
                                 .number = at,
                                 .digits = digits,
                                 .late = late,
                                 .file = file + 1};
    note_version(parts);
    return true;
}

/* "Ann Lee_123_assignsubmission_file_", with a file's name after it where there are no folders. */
static bool is_moodle(const char *name, struct name_parts *parts)
{
    static const char *const WORDS[] = {"_assignsubmission_file", "_assignsubmission_onlinetext"};
    const char *word = strstr(name, WORDS[0]);
    size_t length = strlen(WORDS[0]), digits = 0;
    if (!word) {
        word = strstr(name, WORDS[1]);
        length = strlen(WORDS[1]);
    }
    while (word && word - digits > name && isdigit((unsigned char)word[-1 - (long)digits]))
        digits++;
    if (!word || digits == 0 || word - digits - name < 2 || word[-1 - (long)digits] != '_')
        return false;
    const char *file = word + length;
    *parts = (struct name_parts){.system = NAME_MOODLE,
                                 .whose = (size_t)(word - digits - 1 - name),
                                 .number = word - digits,
                                 .digits = digits,
                                 .file = file + (*file == '_')};
    parts->file_stem = name_stem(parts->file);
    return true;
}

struct name_parts name_parts(const char *name)
{
    struct name_parts parts;
    if (is_moodle(name, &parts) || is_canvas(name, &parts))
        return parts;
    return (struct name_parts){.system = NAME_PLAIN, .file = ""};
}

/* --- Lessons ---------------------------------------------------------------------------------- */

/* "lesson3", "lesson_03_divergence", "03_divergence". A bare number may be part of a login. */
static bool is_lesson(const char *text, size_t length)
{
    size_t at = 0, digits = 0;
    bool word = length > 6 && strncasecmp(text, "lesson", 6) == 0;
    if (word)
        at = strchr("_- ", text[6]) && text[6] ? 7 : 6;
    for (; at < length && isdigit((unsigned char)text[at]) && digits < 3; digits++)
        at++;
    if (digits == 0 || digits > 2 || (!word && digits != 2))
        return false;
    if (at == length)
        return word;
    return (text[at] == '_' || text[at] == '-') && at + 1 < length &&
           isalpha((unsigned char)text[at + 1]);
}

size_t name_before_lesson(const char *name, size_t length)
{
    for (size_t at = 1; at + 1 < length; at++)
        if (strchr("_.- ", name[at]) && name[at] && is_lesson(name + at + 1, length - at - 1))
            return at;
    return length;
}
