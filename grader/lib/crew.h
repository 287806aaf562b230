/* crew.h - a list of independent tasks, done by several processes at a time.
 *
 * One check adopts its orphans and ends all of them when it is done (process.h), so two checks
 * cannot share a process. Each worker here is a process of its own that takes the next free task;
 * results are reported in the order of the list, each as soon as all before it are known, unless
 * the caller wants them as they come.
 */
#ifndef LIB_CREW_H
#define LIB_CREW_H

#include <stdbool.h>
#include <stddef.h>

enum { CREW_REASON_BYTES = 700 };

struct crew_outcome {
    bool done; /* false: the worker that had it died */
    bool told; /* the crew's own: it has been reported */
    bool holds;
    char reason[CREW_REASON_BYTES];
};

struct crew {
    size_t tasks, workers;
    bool in_any_order; /* report each task as it ends */
    /* In a worker: do that task. False when interrupted. */
    bool (*work)(void *context, size_t task, struct crew_outcome *outcome);
    /* In the caller's process, once for each task. */
    void (*tell)(void *context, size_t task, const struct crew_outcome *outcome);
    void *context;
};

/* False when interrupted: then no worker is left, and not everything has been reported. */
bool crew_run(const struct crew *crew);

/* As many workers as there are such processors, at most that many. */
size_t crew_workers(size_t most);

/* Such processors for each of that many workers, at least one: how many threads its simulated
 * device should have. */
unsigned crew_share(size_t workers);

#endif
