/* work_clock.h - a clock that stops while the work that it times waits for a processor.
 *
 * A submission's limit is one of work, and on a busy machine real time says little about that.
 * Nothing is unlimited: a deadline also has a limit in real time, WORK_CLOCK_TIMES as long. If that
 * is reached first, it does not show that the work is endless, only that the machine has no time
 * for it.
 */
#ifndef LIB_WORK_CLOCK_H
#define LIB_WORK_CLOCK_H

#include "lib/work_watch.h"

enum { WORK_CLOCK_TIMES = 10 };

struct work_clock {
    struct work_watch watch;
    struct work_moment from; /* the current stretch begins here */
    int64_t before_ns;       /* the clock's time then, */
    int64_t looked_ns;       /* at the last look, */
    int64_t told_ns;         /* and as last returned: it never goes back */
};

struct work_deadline {
    int64_t work_ns, wall_ns;
};

/* It starts at real time. Only one thread may use it. */
void work_clock_open(struct work_clock *clock, pid_t root);
/* It looks at most ten times a second, so this may be off by a tenth of a second, though never by
 * more, however often it is asked. */
int64_t work_clock_now_ns(struct work_clock *clock);

/* Look now, to measure between two looks (work_between_ns). */
struct work_moment work_clock_look(struct work_clock *clock);

struct work_deadline work_clock_in(struct work_clock *clock, int64_t patience_ns);
/* The time until one of the two limits is reached: 0 or less when it is. A wait has to end after a
 * tenth of a second, and ask again. */
int64_t work_clock_left_ns(struct work_clock *clock, const struct work_deadline *deadline);
/* Once a deadline is reached: was it only the one in real time? */
bool work_clock_was_busy(struct work_clock *clock, const struct work_deadline *deadline);

#endif
