/* markup.c - see markup.h. */
#include "markup.h"

#include <string.h>

void markup_part(FILE *stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\t': fputs("    ", stream); break;
        default: putc((unsigned char)text[i] < ' ' ? '?' : text[i], stream);
        }
}

void markup_text(FILE *stream, const char *text)
{
    markup_part(stream, text, strlen(text));
}
