/* book.c - opens a gradebook, and runs statements on it. */
#include "class/book_sql.h"

#include "lib/database.h"
#include "lib/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* "WpQb" to file(1); the version of book.sql. */
enum { APPLICATION_ID = 0x57705162, VERSION = 1, BUSY_MS = 5000 };

static const char SCHEMA[] =
#include "class/book.sql.inc"
    ;

/* --- Statements ------------------------------------------------------------------------------- */

bool book_fail(struct book *book)
{
    snprintf(book->reason, sizeof book->reason, "gradebook.sqlite: %s", database_trouble(book->db));
    return false;
}

sqlite3_stmt *book_prepare(struct book *book, const char *sql, const char *const *texts, int count)
{
    sqlite3_stmt *statement = database_prepare(book->db, sql, texts, count);
    if (!statement)
        book_fail(book);
    return statement;
}

bool book_run(struct book *book, sqlite3_stmt *statement)
{
    if (!statement) /* book_prepare has said why */
        return false;
    return database_run(statement) || book_fail(book);
}

static bool execute(struct book *book, const char *sql)
{
    return database_execute(book->db, sql) || book_fail(book);
}

bool book_begin(struct book *book)
{
    return execute(book, "BEGIN IMMEDIATE");
}

bool book_end(struct book *book, bool good)
{
    if (good && execute(book, "COMMIT"))
        return true;
    if (!sqlite3_get_autocommit(book->db)) /* the book's reason stays that of the failure */
        sqlite3_exec(book->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

const char *book_reason(const struct book *book)
{
    return book->reason;
}

const struct seal_key *book_key(const struct book *book)
{
    return &book->key;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static bool say(struct book *book, const char *what)
{
    snprintf(book->reason, sizeof book->reason, "%s", what);
    return false;
}

/* Of two runs on one gradebook the second is refused, since both would judge the same files. */
static bool take_lock(struct book *book, const char *out)
{
    struct path path = path_of("%s/gradebook.lock", out);
    book->lock = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (book->lock < 0) {
        snprintf(book->reason, sizeof book->reason, "gradebook.lock: %s", strerror(errno));
        return false;
    }
    return flock(book->lock, LOCK_EX | LOCK_NB) == 0 ||
           say(book, "another command is working on this gradebook: wait until it is done");
}

/* The key's name under itself: another key is noticed. */
static const char *const KEY_NAME[] = {"the key of this gradebook"};

static bool make_tables(struct book *book)
{
    char version[80], seal[HASH_TEXT];
    const char *const texts[] = {seal};
    seal_make(&book->key, KEY_NAME, 1, seal);
    snprintf(version, sizeof version, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             APPLICATION_ID, VERSION);
    return book_end(
        book, book_begin(book) && execute(book, SCHEMA) && execute(book, version) &&
                  book_run(book, book_prepare(book, "INSERT INTO key VALUES (?1)", texts, 1)));
}

static bool know_version(struct book *book)
{
    int version = database_number(book->db, "PRAGMA user_version");
    if (version == 0 && database_number(book->db, "SELECT count(*) FROM sqlite_master") == 0)
        return make_tables(book);
    if (version < 0)
        return book_fail(book);
    if (database_number(book->db, "PRAGMA application_id") != APPLICATION_ID)
        return say(book, "gradebook.sqlite: it is no gradebook of this course: give another OUT");
    return version == VERSION ||
           say(book, "gradebook.sqlite: a newer version of the course made it: grade with that");
}

static bool know_key(struct book *book)
{
    sqlite3_stmt *row = book_prepare(book, "SELECT seal FROM key", NULL, 0);
    bool known = row && sqlite3_step(row) == SQLITE_ROW &&
                 seal_holds(&book->key, KEY_NAME, 1, database_text(row, 0));
    sqlite3_finalize(row);
    return known || say(book, "gradebook.key: it is not the key of this gradebook: restore the "
                              "right one from a backup");
}

static bool is_whole(struct book *book)
{
    sqlite3_stmt *check = book_prepare(book, "PRAGMA quick_check(1)", NULL, 0);
    bool whole =
        check && sqlite3_step(check) == SQLITE_ROW && strcmp(database_text(check, 0), "ok") == 0;
    sqlite3_finalize(check);
    return whole || say(book, "gradebook.sqlite: it is damaged: restore it from a backup");
}

/* --- What was there when it was closed -------------------------------------------------------- */

static void count_rows(struct book *book, long counts[2])
{
    counts[0] = database_number(book->db, "SELECT count(*) FROM attempt");
    counts[1] = database_number(book->db, "SELECT count(*) FROM decision");
}

/* Nothing is ever removed: if there is less than before, the file is not the one that it was. */
static bool has_all(struct book *book)
{
    long before[2], now[2];
    char *text = file_read(book->head.text, 200, NULL);
    bool said = text && sscanf(text, "%ld judgements, %ld decisions", &before[0], &before[1]) == 2;
    free(text);
    if (!said)
        return true;
    count_rows(book, now);
    return (now[0] >= before[0] && now[1] >= before[1]) ||
           say(book, "gradebook.sqlite: it has fewer judgements or decisions than gradebook.head "
                     "says: an older copy is in its place, or some were removed. Restore the newer "
                     "one, or remove gradebook.head to go on with this one");
}

static void note_all(struct book *book)
{
    long now[2];
    count_rows(book, now);
    struct path text = path_of("%ld judgements, %ld decisions\n", now[0], now[1]);
    if (now[0] >= 0 && now[1] >= 0)
        file_write(book->head.text, text.text, strlen(text.text));
}

/* --- Opening it ------------------------------------------------------------------------------- */

static bool open_db(struct book *book, const char *path)
{
    if (sqlite3_open_v2(path, &book->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return book_fail(book);
    sqlite3_busy_timeout(book->db, BUSY_MS);
    /* Exclusive: then no memory is shared, which network file systems do not have. */
    book->is_open = execute(book, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;"
                                  "PRAGMA synchronous = FULL;"
                                  "PRAGMA trusted_schema = OFF;") &&
                    know_version(book) && is_whole(book) && know_key(book) && has_all(book);
    return book->is_open;
}

static bool is_empty(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || status.st_size == 0;
}

/* A gradebook and its key belong together. A run that was killed while it made them may leave a
 * key alone. */
static bool take_key(struct book *book, const char *out, const char *db)
{
    struct path key = path_of("%s/gradebook.key", out);
    if (!file_exists(key.text) && !is_empty(db))
        return say(book, "gradebook.key: it is missing, and without it nothing in this gradebook "
                         "can be believed: restore it from a backup");
    if (is_empty(db) && file_exists(book->head.text))
        return say(book, "gradebook.sqlite: it is missing or empty: restore it from a backup, or "
                         "remove gradebook.head to begin anew");
    return seal_key_open(key.text, &book->key, book->reason, sizeof book->reason);
}

/* What it holds is the instructor's to show. A folder that is there already keeps its rights. */
static bool make_private(struct book *book, const char *out)
{
    bool is_new = !file_exists(out);
    if (!folder_make(out) || (is_new && chmod(out, S_IRWXU) != 0))
        return say(book, strerror(errno));
    return true;
}

struct book *book_open(const char *out, char *reason, size_t reason_bytes)
{
    struct book *book = calloc(1, sizeof *book);
    if (!book)
        return NULL;
    book->lock = -1;
    struct path db = path_of("%s/gradebook.sqlite", out);
    book->head = path_of("%s/gradebook.head", out);
    if (make_private(book, out) && take_lock(book, out) && take_key(book, out, db.text) &&
        open_db(book, db.text))
        return book;
    snprintf(reason, reason_bytes, "%s", book->reason);
    book_close(book);
    return NULL;
}

void book_close(struct book *book)
{
    if (!book)
        return;
    if (book->is_open) {
        book_end(book, false); /* a change that was not finished */
        note_all(book);
    }
    sqlite3_close(book->db);
    if (book->lock >= 0)
        close(book->lock);
    free(book);
}
