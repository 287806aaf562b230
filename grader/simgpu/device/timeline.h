/* timeline.h - the device's record of what programs requested, from which timeline_model.h computes
 * when each piece of work would run on a GPU.
 *
 * It is kept only where it is needed: for `simgpu run --timeline` and --json, and for a program in
 * control that asks for it. It covers the watched program since the mark. It has its own lock,
 * which is the last to be taken.
 *
 * Order of calls: for each request timeline_call, then timeline_queues before its handler queues
 * anything, timeline_item and timeline_after as work.c queues, timeline_waits_.. if the host waits;
 * for each piece timeline_kernel and timeline_done when the engine has done it; timeline_read at
 * the end.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "device.h"
#include "timeline_model.h"

struct timeline;

/* NULL if memory is exhausted. */
struct timeline *timeline_new(void);
/* Start over with an empty record. */
void timeline_clear(struct timeline *timeline);

/* Is there a record of this client's work? */
bool timeline_is_kept(const struct client *client);
/* The host makes this call; requests that are not in timeline_calls.def are ignored. */
void timeline_call(struct exchange *exchange);
/* The program asked whether some work is done, and the answer is yes: then it has waited. work: the
 * last piece that it waited for; 0: all on stream, as in timeline_waits_for_stream. */
void timeline_found_over(struct exchange *exchange, uint64_t work, uint64_t stream);
/* Work that the client queues from now on belongs to this call. */
void timeline_queues(struct exchange *exchange);
/* The call returns when this piece of work has ended; */
void timeline_waits_for(struct exchange *exchange, uint64_t work);
/* when all work queued on stream has ended; 0: on any stream. */
void timeline_waits_for_stream(struct exchange *exchange, uint64_t stream);

/* A piece of work has got its number. */
void timeline_item(struct client *client, const struct work *work);
/* Work waits for other work, whether that is already done or not. */
void timeline_after(struct client *client, uint64_t work, uint64_t before);
/* The piece, which only waits for its stream, is a copy to pageable memory. */
void timeline_is_copy_to_host(struct client *client, uint64_t work,
                              const struct copy_request *copy);
/* A conditional node has queued a body, and waits for it. The body's pieces are those from first
 * on. */
void timeline_decided(struct client *client, uint64_t node, uint64_t first);
void timeline_kernel(struct client *client, const struct work *work,
                     const struct sim_launch_result *result);
void timeline_done(struct client *client, const struct work *work, double duration_ns);

/* --- Reading ---------------------------------------------------------------------------------- */

/* What is known about an item besides its times. */
struct timeline_piece {
    uint64_t process, stream;
    enum work_kind work;
    double bytes;       /* of copies and sets */
    const char *kernel; /* mangled; NULL: no kernel of the program */
};

struct timeline_act { /* a call */
    uint64_t process;
    uint32_t request;     /* enum request_kind */
    bool is_asynchronous; /* a copy that returns at once, if it can */
    bool is_paged;        /* a copy of pageable memory */
    const char *text;     /* a range's name; or NULL */
    const char *file;     /* where the program makes it; NULL: unknown */
    unsigned line;
};

/* The whole record, with the model's times. */
struct timeline_view {
    struct timeline_input model;
    struct timeline_piece *pieces; /* of model.items */
    struct timeline_act *acts;     /* of model.calls */
    uint32_t thread_count;
    bool is_cut; /* there was more than is kept */
};

/* False if memory is exhausted. The caller frees the view. */
bool timeline_read(struct device *device, struct timeline_view *view);
void timeline_view_free(struct timeline_view *view);
/* The place of a call, as its request gives it. */
void timeline_place(const struct client *client, uint32_t place, struct timeline_act *act);
/* What graders get from it, and what is shown. */
void timeline_sum_up(const struct timeline_view *view, struct simgpu_timeline *sums);
/* "cudaMemcpyAsync of pageable memory" */
const char *timeline_act_name(const struct timeline_act *act);
/* "copy to the device" */
const char *timeline_kind_name(enum timeline_kind kind);

#endif
