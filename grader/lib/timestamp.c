/* timestamp.c - see timestamp.h. */
#include "lib/timestamp.h"

const char *timestamp_of(time_t time, char text[TIMESTAMP_TEXT])
{
    struct tm parts;
    strftime(text, TIMESTAMP_TEXT, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time, &parts));
    return text;
}

const char *timestamp_now(char text[TIMESTAMP_TEXT])
{
    return timestamp_of(time(NULL), text);
}
