/* idleness.c - see idleness.h. */
#include "idleness.h"

#include <math.h>
#include <unistd.h>

/* Without an act for so long, it waits; after so many looks that do not tell, nobody looks on. */
static const double WAITS_MS = 500;
enum { MOST_LOOKS = 100 };
/* For so long it is the device that may be late with an answer: its threads, too, need a
 * processor. A program can leave a request incomplete for as long as it likes. */
static const double MOST_UNANSWERED_MS = 5000;

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

/* A process that sleeps until the device answers does not wait for its work. One that asks in a
 * loop gets answers from one look to the next. */
static bool is_for_an_answer(struct idleness *idleness, const struct talk *talk, double interval_ms)
{
    bool is_asking = talk->is_asking && talk->answers == idleness->seen_answers;
    if (!is_asking || idleness->unanswered_ms >= MOST_UNANSWERED_MS)
        return false;
    idleness->unanswered_ms += interval_ms;
    return true;
}

enum idleness_says idleness_note(struct idleness *idleness, const struct talk *talk,
                                 const struct process_seen *seen, double interval_ms)
{
    if (talk->acts != idleness->seen_acts) {
        idleness->idle_ms = 0;
        idleness->unanswered_ms = 0;
        idleness->looks = 0;
    } else if (seen && !is_for_an_answer(idleness, talk, interval_ms)) {
        bool starved = seen->state == 'R' && seen->ticks == idleness->seen_ticks;
        idleness->idle_ms += idle_ms(idleness, seen, interval_ms);
        idleness->looks += !starved; /* so other load hides nothing */
    }
    idleness->seen_acts = talk->acts;
    idleness->seen_answers = talk->answers;
    if (seen)
        idleness->seen_ticks = seen->ticks;
    if (idleness->idle_ms >= WAITS_MS)
        return IDLENESS_WAITS;
    return idleness->looks >= MOST_LOOKS ? IDLENESS_GIVE_UP : IDLENESS_UNCLEAR;
}
