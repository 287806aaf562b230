/* source.h - can this file be judged at all? Decided before anything else reads it. */
#ifndef CHECK_SOURCE_H
#define CHECK_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

enum { SOURCE_MOST_BYTES = 256 * 1024 };

struct source {
    char *text; /* ended by a zero */
    size_t bytes;
    char sha256[65];
};

/* Read path, which must be a regular file of text of at most SOURCE_MOST_BYTES; strict refuses
 * symbolic links as well, since a student's link could name anything. False with a sentence. */
bool source_read(const char *path, bool strict, struct source *source, char *reason,
                 size_t reason_bytes);
/* The same; the sentence uses shown as the file's name. */
bool source_read_as(const char *path, const char *shown, bool strict, struct source *source,
                    char *reason, size_t reason_bytes);
void source_free(struct source *source);

/* Line number, from 1, without its indentation; the caller frees it. NULL when there is none. */
char *source_line(const struct source *source, unsigned number);

#endif
