/* timestamp.h - a point in time as records have it: "2026-11-20T10:00:00Z" (ISO 8601, UTC). */
#ifndef LIB_TIMESTAMP_H
#define LIB_TIMESTAMP_H

#include <time.h>

enum { TIMESTAMP_TEXT = 32 };

/* Returns text. */
const char *timestamp_of(time_t time, char text[TIMESTAMP_TEXT]);
const char *timestamp_now(char text[TIMESTAMP_TEXT]);

#endif
