/* progress.c - see progress.h and quest.h. */
#include "quest/progress.h"

#include "check/record.h"
#include "check/source.h"
#include "lib/hash.h"
#include "quest/quest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "WpQp" to file(1); the version of progress.sql. */
enum { APPLICATION_ID = 0x57705170, VERSION = 1, BUSY_MS = 5000 };

static const char SCHEMA[] =
#include "quest/progress.sql.inc"
    ;

/* --- The file --------------------------------------------------------------------------------- */

struct path progress_path(const struct course *course)
{
    const char *named = getenv("WARPQUEST_PROGRESS"), *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    if (course->is_given)
        return path_of("%s/progress.db", course->build.text);
    if (named && *named)
        return path_of("%s", named);
    if (data && *data == '/') /* the specification: a relative one does not count */
        return path_of("%s/warpquest/progress.db", data);
    if (home && *home == '/')
        return path_of("%s/.local/share/warpquest/progress.db", home);
    return path_of("%s/progress.db", course->build.text);
}

/* Points never go down: an earned band stays earned. Gold counts above plain points. */
static int worth_of(const json_t *record)
{
    return 2 * record_integer(record, "points") + json_is_true(json_object_get(record, "gold"));
}

static bool insert(sqlite3 *db, const json_t *record, const char *source)
{
    const json_t *submission = json_object_get(record, "submission");
    bool is_own = !json_is_false(json_object_get(submission, "is_own"));
    char *text = json_dumps(record, JSON_COMPACT), worth[16];
    snprintf(worth, sizeof worth, "%d", worth_of(record));
    const char *const texts[] = {record_text(record, "lesson"),
                                 is_own ? "" : record_text(submission, "path"),
                                 *record_text(record, "only") ? "1" : "0",
                                 worth,
                                 source,
                                 text ? text : ""};
    bool done = text && database_run(database_prepare(
                            db,
                            "INSERT INTO attempt (lesson, file, only_part, worth, source, record) "
                            "VALUES (?1, ?2, CAST(?3 AS INTEGER), CAST(?4 AS INTEGER), ?5, ?6)",
                            texts, 6));
    free(text);
    return done;
}

static json_t *old_record(const struct course *course, const char *lesson, const char *ending)
{
    return json_load_file(path_of("%s/records/%s%s", course->build.text, lesson, ending).text, 0,
                          NULL);
}

/* What earlier versions kept of each lesson: the best record and the last one, often the same. */
static bool take_over(sqlite3 *db, const struct course *course)
{
    bool good = true;
    for (size_t i = 0; good && i < course_lesson_count(course); i++) {
        struct lesson lesson;
        course_lesson_at(course, i, &lesson);
        json_t *best = old_record(course, lesson.key, ".best.json");
        json_t *last = old_record(course, lesson.key, ".json");
        good = (!best || json_equal(best, last) || insert(db, best, "")) &&
               (!last || insert(db, last, ""));
        json_decref(best);
        json_decref(last);
    }
    return good;
}

static bool make_tables(sqlite3 *db, const struct course *course)
{
    char version[80];
    snprintf(version, sizeof version, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, VERSION);
    if (!database_execute(db, "BEGIN IMMEDIATE"))
        return false;
    if (database_number(db, "PRAGMA user_version") == VERSION) /* another check was first */
        return database_execute(db, "ROLLBACK");
    return database_execute(db, SCHEMA) && database_execute(db, version) && take_over(db, course) &&
           database_execute(db, "COMMIT");
}

/* NULL when it can be used, else why not. */
static const char *trouble_with(sqlite3 *db, const struct course *course)
{
    int version = database_number(db, "PRAGMA user_version");
    if (version == 0 && database_number(db, "SELECT count(*) FROM sqlite_master") == 0)
        return make_tables(db, course) ? NULL : database_trouble(db);
    if (version < 0)
        return database_trouble(db);
    if (database_number(db, "PRAGMA application_id") != APPLICATION_ID)
        return "it keeps no checks of this course: name another by WARPQUEST_PROGRESS";
    return version == VERSION ? NULL : "a newer version of the course made it: use that";
}

static const char *trouble_reading(sqlite3 *db)
{
    int version = database_number(db, "PRAGMA user_version");
    if (version < 0)
        return database_trouble(db);
    if (database_number(db, "PRAGMA application_id") != APPLICATION_ID)
        return "it keeps no checks of this course";
    if (version != VERSION)
        return "a newer version of the course made it: use that";
    if (database_number(db, "SELECT count(*) FROM pragma_quick_check WHERE quick_check <> 'ok'") ||
        database_number(db, "SELECT count(*) FROM attempt WHERE NOT json_valid(record)"))
        return "it is damaged: restore it from a backup";
    return NULL;
}

bool progress_can_be_read(const char *path, char *reason, size_t reason_bytes)
{
    sqlite3 *db = NULL;
    bool found = file_exists(path);
    int code = found ? sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) : SQLITE_OK;
    const char *trouble = !found              ? "there is no such file"
                          : code == SQLITE_OK ? trouble_reading(db)
                                              : database_trouble(db);
    snprintf(reason, reason_bytes, "%s", trouble ? trouble : "");
    sqlite3_close(db);
    return !trouble;
}

static bool has_old_records(const struct course *course)
{
    return file_exists(path_of("%s/records", course->build.text).text);
}

sqlite3 *progress_open(const struct course *course, bool create, char *reason, size_t reason_bytes)
{
    struct path path = progress_path(course), folder = path;
    sqlite3 *db = NULL;
    char *slash = strrchr(folder.text, '/');
    *reason = '\0';
    if (!file_exists(path.text) && !create && !has_old_records(course))
        return NULL;
    if (slash && slash != folder.text) {
        *slash = '\0';
        folder_make(folder.text); /* if it cannot be made, opening tells */
    }
    int code = sqlite3_open_v2(path.text, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    sqlite3_busy_timeout(db, BUSY_MS);
    const char *trouble = code == SQLITE_OK ? trouble_with(db, course) : database_trouble(db);
    if (!trouble)
        return db;
    snprintf(reason, reason_bytes, "%s: %s", path.text, trouble);
    sqlite3_close(db);
    return NULL;
}

/* --- Noting ----------------------------------------------------------------------------------- */

static struct path path_of_checked(const struct course *course, const json_t *record)
{
    const json_t *submission = json_object_get(record, "submission");
    char reason[300];
    struct lesson lesson;
    if (!json_is_false(json_object_get(submission, "is_own")) &&
        course_lesson(course, record_text(record, "lesson"), &lesson, reason, sizeof reason))
        return lesson.exercise;
    return path_of("%s", record_text(submission, "path"));
}

/* The text that was checked, if it is still there as it was. */
static char *source_of(const struct course *course, const json_t *record)
{
    const json_t *submission = json_object_get(record, "submission");
    char *text = file_read(path_of_checked(course, record).text, SOURCE_MOST_BYTES, NULL);
    char sha256[HASH_TEXT];
    struct hash hash;
    hash_init(&hash);
    hash_add(&hash, text ? text : "", text ? strlen(text) : 0);
    hash_text(&hash, sha256);
    if (text && strcmp(sha256, record_text(submission, "sha256")) == 0)
        return text;
    free(text);
    return NULL;
}

bool quest_note(const struct course *course, const json_t *record, char *reason,
                size_t reason_bytes)
{
    enum verdict verdict = record_verdict(record);
    *reason = '\0';
    if (!*record_text(record, "lesson") ||
        (verdict_points(verdict) == POINTS_AGAIN && verdict != VERDICT_PART))
        return true; /* it says nothing about the exercise */
    sqlite3 *db = progress_open(course, true, reason, reason_bytes);
    char *source = source_of(course, record);
    bool noted = db && insert(db, record, source ? source : "");
    if (db && !noted)
        snprintf(reason, reason_bytes, "%s: %s", progress_path(course).text, database_trouble(db));
    sqlite3_close(db);
    free(source);
    return noted;
}

/* --- Reading ---------------------------------------------------------------------------------- */

void progress_tell(const char *reason)
{
    static bool told;
    if (*reason && !told)
        fprintf(stderr, "your checks so far cannot be read: %s\n", reason);
    told = told || *reason;
}

/* The record that the query finds for that lesson, or NULL. */
static json_t *record_by(const struct course *course, const char *sql, const char *lesson)
{
    char reason[600];
    sqlite3 *db = progress_open(course, false, reason, sizeof reason);
    sqlite3_stmt *row = db ? database_prepare(db, sql, &lesson, 1) : NULL;
    json_t *record = NULL;
    int code = row ? sqlite3_step(row) : SQLITE_DONE;
    if (code == SQLITE_ROW)
        record = json_loads(database_text(row, 0), 0, NULL);
    else if (code != SQLITE_DONE)
        snprintf(reason, sizeof reason, "%s: %s", progress_path(course).text, database_trouble(db));
    progress_tell(reason);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return record;
}

json_t *quest_last(const struct course *course, const char *lesson_key)
{
    return record_by(course,
                     "SELECT record FROM attempt WHERE lesson = ?1 AND file = '' "
                     "ORDER BY number DESC LIMIT 1",
                     lesson_key);
}

json_t *quest_last_of(const struct course *course, const char *lesson_key, const char *path)
{
    json_t *last = record_by(course,
                             "SELECT record FROM attempt WHERE lesson = ?1 AND file <> '' "
                             "ORDER BY number DESC LIMIT 1",
                             lesson_key);
    if (strcmp(record_text(json_object_get(last, "submission"), "path"), path) == 0)
        return last;
    json_decref(last);
    return NULL;
}

json_t *quest_best(const struct course *course, const char *lesson_key)
{
    return record_by(course,
                     "SELECT record FROM attempt WHERE lesson = ?1 AND file = '' "
                     "AND only_part = 0 ORDER BY worth DESC, number DESC LIMIT 1",
                     lesson_key);
}

bool quest_has_passed(const struct course *course, const char *lesson_key)
{
    json_t *best = quest_best(course, lesson_key);
    bool passed = best && record_verdict(best) == VERDICT_PASS;
    json_decref(best);
    return passed;
}
