/* markup.h - text from elsewhere in HTML and XML. */
#ifndef MARKUP_H
#define MARKUP_H

#include <stddef.h>
#include <stdio.h>

/* Between tags or in quotes. Control characters become question marks, a tab four blanks. */
void markup_part(FILE *stream, const char *text, size_t length);
void markup_text(FILE *stream, const char *text);

#endif
