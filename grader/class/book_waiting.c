/* book_waiting.c - which hand-ins a gradebook has no mark for. */
#include "class/book_sql.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6 };

static bool add(struct waiting *waiting, sqlite3_stmt *row)
{
    char *texts[COLUMNS];
    bool good = true;
    size_t room = (waiting->count + 1) * sizeof *waiting->notes;
    struct hand_in_note *notes = realloc(waiting->notes, room);
    if (!notes)
        return false;
    waiting->notes = notes;
    for (int i = 0; i < COLUMNS; i++) {
        texts[i] = strdup(database_text(row, i));
        good = good && texts[i];
    }
    waiting->notes[waiting->count++] =
        (struct hand_in_note){texts[0], texts[1], texts[2], texts[3], texts[4], texts[5]};
    return good;
}

bool book_waiting(struct book *book, struct waiting *waiting)
{
    sqlite3_stmt *rows = book_prepare(book,
                                      "SELECT student, lesson, file, key, problem, remark FROM "
                                      "hand_in WHERE key <> '' ORDER BY key, student",
                                      NULL, 0);
    int step = SQLITE_ERROR;
    bool good = rows != NULL;
    memset(waiting, 0, sizeof *waiting);
    while (good && (step = sqlite3_step(rows)) == SQLITE_ROW) {
        const struct hand_in_note note = {.student = database_text(rows, 0),
                                          .lesson = database_text(rows, 1),
                                          .key = database_text(rows, 3)};
        if (!book_has_attempt(book, &note))
            good = add(waiting, rows);
    }
    if (good && step != SQLITE_DONE)
        good = book_fail(book);
    sqlite3_finalize(rows);
    return good;
}

void waiting_free(struct waiting *waiting)
{
    for (size_t i = 0; i < waiting->count; i++) {
        const struct hand_in_note *note = &waiting->notes[i];
        const char *const texts[COLUMNS] = {note->student, note->lesson,  note->file,
                                            note->key,     note->problem, note->remark};
        for (int text = 0; text < COLUMNS; text++)
            free((char *)texts[text]);
    }
    free(waiting->notes);
    memset(waiting, 0, sizeof *waiting);
}
