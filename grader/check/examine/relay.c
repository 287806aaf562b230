/* relay.c - see relay.h. */
#include "check/examine/relay.h"

#include "check/examine/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void forget(struct link *link)
{
    if (link->spec.handed_fd >= 0)
        close(link->spec.handed_fd);
    free(link);
}

/* One that is started as link was; NULL when that is not possible. */
static struct link *start_like(const struct link *link)
{
    struct link *next = calloc(1, sizeof *next);
    struct link_spec spec = link->spec;
    if (!next)
        return NULL;
    spec.handed_fd = memfd_create("warpquest-handed", MFD_CLOEXEC);
    next->spec.handed_fd = spec.handed_fd;
    if (spec.handed_fd >= 0 && link_start(next, &spec))
        return next;
    forget(next);
    return NULL;
}

/* Only of the submission: the reference's processes are few. */
static struct link *take_ahead(struct lab *lab, const struct link *link)
{
    struct link *next = lab->ahead[0];
    if (lab->simgpu || link->spec.submission != lab->submission)
        return NULL;
    memmove(lab->ahead, lab->ahead + 1, sizeof lab->ahead - sizeof *lab->ahead);
    lab->ahead[LAB_AHEAD - 1] = NULL;
    for (size_t i = 0; i < LAB_AHEAD; i++)
        if (!lab->ahead[i])
            lab->ahead[i] = start_like(link);
    return next;
}

struct link *relay_next(struct lab *lab, const struct link *link, struct finding *finding)
{
    struct link *next = take_ahead(lab, link);
    if (!next)
        next = start_like(link);
    if (!next)
        finding_set(finding, VERDICT_INTERNAL, "the runner cannot be started: %s", strerror(errno));
    return next;
}

static void stop(struct lab *lab, struct link *link)
{
    link_stop(link);
    lab_keep_log(lab, link);
    forget(link);
}

void relay_end(struct lab *lab, struct link *link, bool is_submission)
{
    struct link *before = lab->ending;
    if (!link)
        return;
    window_end(lab); /* what is stopped does not end by itself, and must not go on */
    if (!is_submission) {
        link_stop(link);
        forget(link);
        return;
    }
    if (lab->simgpu) {
        stop(lab, link);
        return;
    }
    link_let_go(link);
    lab->ending = link;
    if (before)
        stop(lab, before);
}

void relay_close(struct lab *lab)
{
    struct link *ending = lab->ending;
    lab->ending = NULL;
    if (ending)
        stop(lab, ending);
    for (size_t i = 0; i < LAB_AHEAD; i++) {
        struct link *ahead = lab->ahead[i];
        lab->ahead[i] = NULL;
        if (ahead)
            stop(lab, ahead);
    }
}
