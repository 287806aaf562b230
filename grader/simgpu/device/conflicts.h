/* conflicts.h - work that nothing orders and that touches the same bytes, of which one piece writes
 * some: a race, whatever order the device happens to choose.
 *
 * Watched are kernels of which all blocks run, copies, sets and frees in the order of a stream,
 * while races are checked. Each is held against those before it that do not precede it (order.h).
 * Not watched are libraries' kernels, host functions, what the host itself does to memory that it
 * sees, and other programs.
 */
#ifndef DEVICE_CONFLICTS_H
#define DEVICE_CONFLICTS_H

#include "device.h"

/* What was done, the latest last: conflicts.c. */
struct operations {
    struct operation *first, **end; /* end: NULL while there is none */
    size_t count;
    uint64_t ranges; /* of bytes, in all of them */
};

void operations_free(struct operations *operations);

/* Work has been done (a free is about to be), launch being the kernel's, or else NULL. True, with a
 * fault, if it races with work done before. The client's lock is not held, but for the other
 * functions it is. */
bool conflicts_of_work(struct client *client, const struct work *work, const struct launch *launch,
                       struct sim_fault *fault);
/* The same of a copy to the host, which is done where the work with that id is, and was asked for
 * at that place. The fault is told. */
void conflicts_of_copy_to_host(struct client *client, uint64_t id, const struct copy_request *copy,
                               uint32_t place);
/* Tell a fault of work that is no launch, or of a launch that goes on. */
void conflicts_tell(struct client *client, const struct sim_fault *fault);

/* findings.c: keep it, for the exit status and for files. Is it to be printed? */
bool findings_note_unordered(struct device *device, const struct sim_fault *fault);
/* history.c: remember it for the report, if it is the first one since the mark. */
void history_unordered(struct device *device, const struct client *client,
                       const struct sim_fault *fault);

#endif
