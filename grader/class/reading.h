/* reading.h - marks while they are read from the gradebook; for marks.c and standing.c. */
#ifndef CLASS_READING_H
#define CLASS_READING_H

#include "class/book.h"

struct reading {
    struct book *book;
    const struct course *course;
    const struct points *points;
    struct marks *marks;
};

/* Of mark, student and lesson are known; the rest is zeros. */
void reading_mark(struct reading *reading, struct mark *mark);

#endif
