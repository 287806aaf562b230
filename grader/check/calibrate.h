/* calibrate.h - where does a bar belong on this machine's GPU? `make calibrate LESSON=N`.
 *
 * Times the reference against itself and against every right and every slow submission of the
 * lesson's corpus, several times each with new processes. From the spread of pairs of blocks and of
 * runs it works out how often a right one would fail at a proposed bar, and how often one that is
 * too slow would pass (statistics.h). It shows where the corpus falls, and keeps bar and tolerance
 * for the class (settings.h) if both are rarer than one in a thousand.
 */
#ifndef CHECK_CALIBRATE_H
#define CHECK_CALIBRATE_H

#include "check/check.h"
#include "lib/terminal.h"

struct calibrate_request {
    const struct course *course;
    const char *lesson;
    double bar;                /* proposed; 0: the lesson's own */
    uint64_t times;            /* each submission; 0: 5 */
    enum device_choice device; /* DEVICE_SIM: a simulated one as if it were a GPU, for tests */
};

/* Prints the table. The exit status is 0 when the settings were written, 1 when the bar is not good
 * enough, and a verdict's when nothing could be timed. */
int calibrate(const struct calibrate_request *request, const struct terminal *terminal);

#endif
