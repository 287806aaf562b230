/* changes.h - how much two texts differ, counted in lines. */
#ifndef QUEST_CHANGES_H
#define QUEST_CHANGES_H

#include <stddef.h>

struct changes {
    size_t added, removed;
};

/* Of the fewest lines that lead from one to the other. Beyond 4000 lines between the first and the
 * last one that differ, all of these count as changed. */
struct changes changes_between(const char *before, const char *after);

#endif
