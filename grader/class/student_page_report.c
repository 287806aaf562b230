/* student_page_report.c - a record as its student may see it, and the terminal's report of it.
 *
 * A check has taken the folders of its machine out of the record already (check/redact.h). A book
 * may be older than that, or come from elsewhere, so what still looks like a path is cut to the
 * name of its file. The lines of the student's own source stay as they are.
 */
#include "class/student_page.h"

#include "check/record.h"
#include "check/report.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT_COLUMNS = 92 };

/* --- Without folders -------------------------------------------------------------------------- */

static bool starts_word(const char *text, const char *at)
{
    return at == text || strchr(" \t\r\n\"'([<=", at[-1]) != NULL;
}

/* Does a path with a folder start here? Returns the bytes up to its last name, else 0. */
static size_t folders_at(const char *text)
{
    size_t length = strcspn(text, " \t\r\n\"'()[]<>,;");
    if (strncmp(text, "/", 1) != 0 && strncmp(text, "~/", 2) != 0)
        return 0;
    if (strncmp(text, "//", 2) == 0)
        return 0; /* a comment */
    while (length && text[length - 1] == '/')
        length--;
    while (length && text[length - 1] != '/')
        length--;
    return length > 1 ? length : 0;
}

char *student_text(const char *text)
{
    char *result = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&result, &bytes);
    if (!out)
        return NULL;
    for (const char *at = text; *at;) {
        at += starts_word(text, at) ? folders_at(at) : 0;
        if (*at)
            putc(*at++, out);
    }
    fclose(out);
    return result;
}

/* Of a path, with the slash after it; "" where that is so short that it could be another word. */
static struct path folder_of(const char *path)
{
    enum { SHORTEST = 4 };
    size_t length = (size_t)(path_base(path) - path);
    return path_of("%.*s", length >= SHORTEST ? (int)length : 0, path);
}

/* text without that folder, wherever a word starts with it. */
static char *without_folder(const char *text, const char *folder)
{
    char *result = NULL;
    size_t bytes = 0, length = strlen(folder);
    FILE *out = open_memstream(&result, &bytes);
    if (!out)
        return NULL;
    for (const char *at = text; *at;) {
        if (length && starts_word(text, at) && strncmp(at, folder, length) == 0)
            at += length;
        if (*at)
            putc(*at++, out);
    }
    fclose(out);
    return result;
}

/* folder: that of the submission, relative and with its slash, or "". */
static void clean_string(json_t *string, const char *folder)
{
    char *plain = without_folder(json_string_value(string), folder);
    char *cleaner = plain ? student_text(plain) : NULL;
    if (!cleaner || json_string_set(string, cleaner) != 0)
        json_string_set(string, "");
    free(plain);
    free(cleaner);
}

static void clean(json_t *value, const char *folder)
{
    size_t i;
    const char *key;
    json_t *member;
    if (json_is_string(value))
        clean_string(value, folder);
    json_array_foreach (value, i, member) {
        clean(member, folder);
    }
    json_object_foreach (value, key, member) {
        if (strcmp(key, "text") != 0) /* a line of the source */
            clean(member, folder);
    }
}

json_t *student_record(const json_t *record)
{
    json_t *copy = record ? json_deep_copy(record) : NULL;
    json_t *submission = json_object_get(copy, "submission");
    if (!copy)
        return NULL;
    struct path folder = folder_of(record_text(submission, "path"));
    clean(copy, folder.text);
    json_object_set_new(submission, "path",
                        json_string(path_base(record_text(submission, "path"))));
    json_object_set_new(submission, "is_own", json_false());
    json_object_set_new(submission, "is_graded", json_true()); /* no command to type */
    return copy;
}

/* --- The report ------------------------------------------------------------------------------- */

bool student_put_report(FILE *out, const json_t *record)
{
    char *text = NULL;
    size_t bytes = 0;
    struct terminal page = {
        .out = open_memstream(&text, &bytes), .unicode = true, .columns = REPORT_COLUMNS};
    if (!page.out)
        return false;
    report_print(record, &page);
    bool complete = !ferror(page.out);
    complete &= fclose(page.out) == 0;
    fputs("<details><summary>The same as a check prints it in a terminal</summary>\n<pre>", out);
    page_put(out, complete ? text : "");
    fputs("</pre></details>\n", out);
    free(text);
    return complete;
}
