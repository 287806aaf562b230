/* idleness.c - see idleness.h. */
#include "idleness.h"

#include <math.h>
#include <unistd.h>

/* Without an act for so long, it waits; after so many looks that do not tell, nobody looks on. */
static const double WAITS_MS = 500;
enum { MOST_LOOKS = 100 };

/* A process that keeps a processor busy waits for as long as it has one: on a busy machine an
 * honest one may compute for a few milliseconds of each interval, and for a second in all. */
static double idle_ms(const struct idleness *idleness, const struct process_seen *seen,
                      double interval_ms)
{
    double ticks = (double)(seen->ticks - idleness->seen_ticks);
    double computed_ms = ticks * 1e3 / (double)sysconf(_SC_CLK_TCK);
    bool stopped = seen->state == 'D' || seen->state == 'T' || seen->state == 't';
    if (seen->state == 'R' || stopped)
        return stopped ? 0 : fmin(computed_ms, interval_ms);
    return interval_ms;
}

enum idleness_says idleness_note(struct idleness *idleness, uint64_t acts,
                                 const struct process_seen *seen, double interval_ms)
{
    if (acts != idleness->seen_acts) {
        idleness->idle_ms = 0;
        idleness->looks = 0;
    } else if (seen) {
        bool starved = seen->state == 'R' && seen->ticks == idleness->seen_ticks;
        idleness->idle_ms += idle_ms(idleness, seen, interval_ms);
        idleness->looks += !starved; /* so other load hides nothing */
    }
    idleness->seen_acts = acts;
    if (seen)
        idleness->seen_ticks = seen->ticks;
    if (idleness->idle_ms >= WAITS_MS)
        return IDLENESS_WAITS;
    return idleness->looks >= MOST_LOOKS ? IDLENESS_GIVE_UP : IDLENESS_UNCLEAR;
}
