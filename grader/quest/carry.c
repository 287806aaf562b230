/* carry.c - `make quest-export` and `make quest-import`: checks that go to another machine.
 *
 * What is exported is a copy of the progress file. Importing adds the checks that are not there
 * yet, and numbers all of them anew by when they were made: numbers are what the last check, and
 * what came before what, are told by.
 */
#include "lib/files.h"
#include "quest/progress.h"
#include "quest/quest.h"

#include <stdio.h>
#include <string.h>

static int refuse(const char *path, const char *why)
{
    fprintf(stderr, "warpquest: %s: %s\n", path, why);
    return EXIT_USAGE;
}

static sqlite3 *open_progress(const struct course *course, bool create)
{
    char reason[600];
    sqlite3 *db = progress_open(course, create, reason, sizeof reason);
    if (!db)
        fprintf(stderr, "warpquest: %s\n",
                *reason ? reason : "no check has been made yet: make check-lesson1 is the first");
    return db;
}

static int count_of(sqlite3 *db)
{
    return database_number(db, "SELECT count(*) FROM attempt");
}

/* NULL, or what is wrong. */
static const char *copy(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (backup)
        sqlite3_backup_step(backup, -1);
    sqlite3_backup_finish(backup);
    return sqlite3_errcode(to) == SQLITE_OK ? NULL : database_trouble(to);
}

int quest_export(const struct course *course, const char *path, const struct terminal *terminal)
{
    if (file_exists(path))
        return refuse(path, "it is there already: name a new file by FILE=");
    sqlite3 *db = open_progress(course, false), *to = NULL;
    if (!db)
        return EXIT_USAGE;
    int code = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    const char *trouble = code == SQLITE_OK ? copy(db, to) : database_trouble(to);
    int status = 0;
    if (trouble)
        status = refuse(path, trouble);
    else
        fprintf(terminal->out, "%s has your %d checks: make quest-import FILE= takes them over\n",
                path, count_of(to));
    sqlite3_close(to);
    sqlite3_close(db);
    if (trouble && code == SQLITE_OK)
        remove(path);
    return status;
}

/* As one transaction. Checks of the same second keep the order of the other file. Negative numbers
 * are free, so that no two checks have the same in between. */
static const char MERGE[] =
    "BEGIN IMMEDIATE;"
    "INSERT INTO attempt (lesson, file, only_part, worth, source, record) "
    "SELECT lesson, file, only_part, worth, source, record FROM other.attempt AS theirs "
    "WHERE NOT EXISTS (SELECT 1 FROM main.attempt AS mine WHERE mine.lesson = theirs.lesson "
    "AND mine.file = theirs.file AND mine.record = theirs.record) ORDER BY number;"
    "CREATE TEMP TABLE place AS SELECT number, row_number() OVER "
    "(ORDER BY json_extract(record, '$.started'), coalesce((SELECT theirs.number "
    "FROM other.attempt AS theirs WHERE theirs.lesson = mine.lesson AND theirs.record = "
    "mine.record), number), number) AS place FROM main.attempt AS mine;"
    "CREATE INDEX temp.place_of ON place (number);"
    "UPDATE main.attempt SET number = -(SELECT place FROM temp.place "
    "WHERE place.number = attempt.number);"
    "UPDATE main.attempt SET number = -number;"
    "COMMIT";

int quest_import(const struct course *course, const char *path, const struct terminal *terminal)
{
    char reason[600];
    if (!progress_can_be_read(path, reason, sizeof reason))
        return refuse(path, reason);
    sqlite3 *db = open_progress(course, true);
    if (!db)
        return EXIT_USAGE;
    int before = count_of(db), status = 0;
    if (!database_run(database_prepare(db, "ATTACH ?1 AS other", &path, 1)) ||
        !database_execute(db, MERGE))
        status = refuse(path, database_trouble(db)); /* closing undoes what was begun */
    else
        fprintf(terminal->out, "%d checks are new, of %d in %s\n", count_of(db) - before,
                database_number(db, "SELECT count(*) FROM other.attempt"), path);
    sqlite3_close(db);
    return status;
}
