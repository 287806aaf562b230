/* work_clock.c - see work_clock.h. */
#include "lib/work_clock.h"

/* Between looks; and a stretch, which is longer than a thread waits at a time: a wait is counted
 * when it is over, and may have begun before the previous look. */
static const int64_t LOOK_NS = 100000000, STRETCH_NS = 1000000000;

void work_clock_open(struct work_clock *clock, pid_t root)
{
    work_watch_open(&clock->watch, root);
    clock->from = clock->watch.last;
    clock->before_ns = clock->looked_ns = clock->told_ns = clock->from.wall_ns;
}

struct work_moment work_clock_look(struct work_clock *clock)
{
    struct work_moment now = work_watch_look(&clock->watch);
    clock->looked_ns = clock->before_ns + work_between_ns(&clock->from, &now);
    if (now.wall_ns - clock->from.wall_ns >= STRETCH_NS) {
        clock->from = now;
        clock->before_ns = clock->looked_ns;
    }
    return now;
}

int64_t work_clock_now_ns(struct work_clock *clock)
{
    if (work_wall_ns() - clock->watch.last.wall_ns >= LOOK_NS)
        work_clock_look(clock);
    int64_t now_ns = clock->looked_ns + (work_wall_ns() - clock->watch.last.wall_ns);
    if (now_ns > clock->told_ns)
        clock->told_ns = now_ns;
    return clock->told_ns;
}

struct work_deadline work_clock_in(struct work_clock *clock, int64_t patience_ns)
{
    return (struct work_deadline){.work_ns = work_clock_now_ns(clock) + patience_ns,
                                  .wall_ns = work_wall_ns() + WORK_CLOCK_TIMES * patience_ns};
}

int64_t work_clock_left_ns(struct work_clock *clock, const struct work_deadline *deadline)
{
    int64_t work = deadline->work_ns - work_clock_now_ns(clock);
    int64_t wall = deadline->wall_ns - work_wall_ns();
    return work < wall ? work : wall;
}

bool work_clock_was_busy(struct work_clock *clock, const struct work_deadline *deadline)
{
    return work_clock_now_ns(clock) < deadline->work_ns;
}
