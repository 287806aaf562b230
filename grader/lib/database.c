/* database.c - see database.h. */
#include "lib/database.h"

#include <stddef.h>

sqlite3_stmt *database_prepare(sqlite3 *db, const char *sql, const char *const *texts, int count)
{
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK;
    for (int i = 0; good && i < count; i++)
        good = sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC) == SQLITE_OK;
    if (good)
        return statement;
    sqlite3_finalize(statement);
    return NULL;
}

bool database_run(sqlite3_stmt *statement)
{
    bool done = statement && sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return done;
}

bool database_execute(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

int database_number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *row = database_prepare(db, sql, NULL, 0);
    int number = row && sqlite3_step(row) == SQLITE_ROW ? sqlite3_column_int(row, 0) : -1;
    sqlite3_finalize(row);
    return number;
}

const char *database_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

const char *database_trouble(sqlite3 *db)
{
    switch (sqlite3_errcode(db)) {
    case SQLITE_FULL:
    case SQLITE_IOERR: return "it cannot be written: is the disk full?";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return "it is damaged: restore it from a backup";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN: return "it cannot be opened for writing";
    default: return sqlite3_errmsg(db);
    }
}
