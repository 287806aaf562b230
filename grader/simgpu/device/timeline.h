/* timeline.h - the device's record of what programs asked for, from which timeline_model.h finds
 * when each piece of work would run on a GPU.
 *
 * It is kept only where somebody looks at it: for `simgpu run --timeline` and --json, and for a
 * program in control that asks for it, of the watched program since the mark. It has a lock of its
 * own, which is the last that is taken.
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

/* NULL without memory. */
struct timeline *timeline_new(void);
/* Begin again: nothing has been asked for. */
void timeline_clear(struct timeline *timeline);

/* Is there one for this client's work? */
bool timeline_is_kept(const struct client *client);
/* The host makes this call; nothing happens for requests that timeline_calls.def does not have. */
void timeline_call(struct exchange *exchange);
/* The program asked whether something is over, and is told that it is: then it has waited. work:
 * the last piece that it waited for; 0: all on stream, as timeline_waits_for_stream has it. */
void timeline_found_over(struct exchange *exchange, uint64_t work, uint64_t stream);
/* What the client queues from now on belongs to this call. */
void timeline_queues(struct exchange *exchange);
/* The call returns when this piece of work has ended; */
void timeline_waits_for(struct exchange *exchange, uint64_t work);
/* when everything queued on stream has; 0: on any stream. */
void timeline_waits_for_stream(struct exchange *exchange, uint64_t stream);

/* A piece of work has got its number. */
void timeline_item(struct client *client, const struct work *work);
/* Work waits for other work, done already or not. */
void timeline_after(struct client *client, uint64_t work, uint64_t before);
/* What the piece is, that only waits for its stream, is a copy to pageable memory. */
void timeline_is_copy_to_host(struct client *client, uint64_t work,
                              const struct copy_request *copy);
/* A conditional node has queued a body, and waits for it. The pieces are those from first on. */
void timeline_decided(struct client *client, uint64_t node, uint64_t first);
void timeline_kernel(struct client *client, const struct work *work,
                     const struct sim_launch_result *result);
void timeline_done(struct client *client, const struct work *work, double duration_ns);

/* --- Reading ---------------------------------------------------------------------------------- */

/* What is known of an item besides times. */
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

/* All of it, with the model's times. */
struct timeline_view {
    struct timeline_input model;
    struct timeline_piece *pieces; /* of model.items */
    struct timeline_act *acts;     /* of model.calls */
    uint32_t thread_count;
    bool is_cut; /* there was more than is kept */
};

/* False without memory. The caller frees the view. */
bool timeline_read(struct device *device, struct timeline_view *view);
void timeline_view_free(struct timeline_view *view);
/* Where a call is made, as place of its request says. */
void timeline_place(const struct client *client, uint32_t place, struct timeline_act *act);
/* What is told of it to graders, and shown. */
void timeline_sum_up(const struct timeline_view *view, struct simgpu_timeline *sums);
/* "cudaMemcpyAsync of pageable memory" */
const char *timeline_act_name(const struct timeline_act *act);
/* "copy to the device" */
const char *timeline_kind_name(enum timeline_kind kind);

#endif
