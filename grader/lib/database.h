/* database.h - statements on an SQLite database, and what to tell when one fails. */
#ifndef LIB_DATABASE_H
#define LIB_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>

/* A statement with its texts bound, in order; NULL binds as NULL. NULL on failure: then
 * database_trouble says why. The texts must live until the statement is finalised. */
sqlite3_stmt *database_prepare(sqlite3 *db, const char *sql, const char *const *texts, int count);
/* Runs a statement that returns no rows, and finalises it. False for NULL, and on failure. */
bool database_run(sqlite3_stmt *statement);
/* Statements that return no rows, one after the other. */
bool database_execute(sqlite3 *db, const char *sql);
/* What a query of one number says; -1 when it fails. */
int database_number(sqlite3 *db, const char *sql);
/* A column's text, "" for NULL. */
const char *database_text(sqlite3_stmt *statement, int column);
/* What went wrong last, and what to do, without the file's name. */
const char *database_trouble(sqlite3 *db);

#endif
