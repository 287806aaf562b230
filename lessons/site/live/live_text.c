/* live_text.c - text that grows, for JSON. */
#include "live_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void text_clear(struct text *text)
{
    text->used = 0;
    text_add(text, "%s", "");
}

static bool reserve(struct text *text, size_t bytes)
{
    if (text->used + bytes < text->room)
        return true;
    size_t room = 2 * (text->used + bytes) + 1024;
    char *grown = realloc(text->start, room);
    if (!grown)
        return false;
    text->start = grown;
    text->room = room;
    return true;
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && reserve(text, (size_t)length + 1)) {
        vsnprintf(text->start + text->used, (size_t)length + 1, format, again);
        text->used += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void text_quote(struct text *text, const char *string)
{
    if (!string) {
        text_add(text, "null");
        return;
    }
    text_add(text, "\"");
    for (; *string; string++)
        if (*string == '"' || *string == '\\')
            text_add(text, "\\%c", *string);
        else if ((unsigned char)*string < ' ')
            text_add(text, "\\u%04x", *string);
        else
            text_add(text, "%c", *string);
    text_add(text, "\"");
}
