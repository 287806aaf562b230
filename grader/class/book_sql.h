/* book_sql.h - statements on an open gradebook; for book.c and its neighbours only. */
#ifndef CLASS_BOOK_SQL_H
#define CLASS_BOOK_SQL_H

#include "class/book.h"
#include "lib/database.h"

struct book {
    sqlite3 *db;
    bool is_open;     /* and is a gradebook */
    int lock;         /* of the lock's file */
    struct path head; /* the file that says how much was in it when it was closed */
    struct seal_key key;
    char reason[400];
};

/* A statement with its texts bound, in order; NULL binds as NULL. NULL on failure, with a reason.
 * The texts must live until the statement is finalised. */
sqlite3_stmt *book_prepare(struct book *book, const char *sql, const char *const *texts, int count);
/* Runs a statement that returns no rows, and finalises it. */
bool book_run(struct book *book, sqlite3_stmt *statement);
/* SQLite's reason becomes the book's. Returns false. */
bool book_fail(struct book *book);
/* The columns of an attempt that book_row_is_sealed reads, in its order: first of a SELECT. */
#define BOOK_SEALED "student, lesson, file, key, record, seal"
bool book_row_is_sealed(const struct book *book, sqlite3_stmt *row);
/* The text with that hash, for the caller to free; NULL when it is lost or was changed. */
char *book_source(struct book *book, const char *sha256, size_t *bytes);

#endif
