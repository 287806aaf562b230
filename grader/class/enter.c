/* enter.c - one judgement, and all who handed in the file that it is of. */
#include "class/enter.h"

#include "check/source.h"

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
    good = good && book_commit(book);
    source_free(&source);
    return good;
}

void enter_tidy(const struct task_settings *settings, const char *key)
{
    task_forget(settings, key);
    unlink(enter_copy(settings, key).text);
}
