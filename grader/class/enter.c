/* enter.c - one judgement, and all who handed in the file that it is of. */
#include "class/enter.h"

#include "check/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct path enter_copy(const struct task_settings *settings, const char *key)
{
    return path_of("%s/judged/%s.cu", settings->out, key);
}

bool enter_judgement(struct book *book, const struct task_settings *settings, const char *key,
                     const struct hand_in_note *const *notes, size_t count, json_t **record)
{
    struct source source;
    char reason[PATH_MAX + 200];
    *record = task_record(settings, key);
    if (!*record)
        return true;
    bool has_text =
        source_read(enter_copy(settings, key).text, true, &source, reason, sizeof reason);
    bool good = book_begin(book);
    for (size_t i = 0; good && i < count; i++)
        good = book_add_attempt(book, notes[i], has_text ? &source : NULL, *record);
    source_free(&source);
    return book_end(book, good);
}

void enter_tidy(const struct task_settings *settings, const char *key)
{
    task_forget(settings, key);
    unlink(enter_copy(settings, key).text);
}

/* KEY.cu, KEY.json, or what is written before it gets that name. */
static bool is_of_a_task(const char *name)
{
    return strspn(name, "0123456789abcdef") == HASH_TEXT - 1 && name[HASH_TEXT - 1] == '.';
}

void enter_tidy_all(const struct task_settings *settings)
{
    struct path folder = path_of("%s/judged", settings->out);
    char **names;
    int count = folder_list(folder.text, "", &names);
    for (int i = 0; i < count; i++) {
        if (is_of_a_task(names[i]))
            unlink(path_of("%s/%s", folder.text, names[i]).text);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    rmdir(folder.text); /* stays when there is something else in it */
}
