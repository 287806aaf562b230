/* work_clock.h - a clock that stands while the work that it is for waits for a processor.
 *
 * What a submission may take is a limit of work, and on a busy machine the wall's clock says little
 * of that. Nothing is unlimited: a deadline has the wall's clock as well, WORK_CLOCK_TIMES as wide.
 * Whoever meets that one first has not shown that the work does not end, but that the machine has
 * no time for it.
 */
#ifndef LIB_WORK_CLOCK_H
#define LIB_WORK_CLOCK_H

#include "lib/work_watch.h"

enum { WORK_CLOCK_TIMES = 10 };

struct work_clock {
    struct work_watch watch;
    struct work_moment from;   /* the stretch that is not over yet begins here */
    int64_t before_ns;         /* the clock's time then, */
    int64_t looked_ns;         /* at the last look, */
    int64_t told_ns;           /* and as it was told last: it never goes back */
};

struct work_deadline {
    int64_t work_ns, wall_ns;
};

/* It begins at the wall's time. One thread uses it. */
void work_clock_open(struct work_clock *clock, pid_t root);
/* It looks at most ten times a second, so this may be off by a tenth of a second, though never by
 * more, however often it is asked. */
int64_t work_clock_now_ns(struct work_clock *clock);

/* Look now, for what is measured between two looks (work_between_ns). */
struct work_moment work_clock_look(struct work_clock *clock);

struct work_deadline work_clock_in(struct work_clock *clock, int64_t patience_ns);
/* Until one of the two is met: 0 or less when it is. A wait has to end after a tenth of a second,
 * and ask again. */
int64_t work_clock_left_ns(struct work_clock *clock, const struct work_deadline *deadline);
/* Once a deadline is met: was it the wall's alone? */
bool work_clock_was_busy(struct work_clock *clock, const struct work_deadline *deadline);

#endif
