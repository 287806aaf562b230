/* timeline_costs.h - the constants of the timeline: one table, each with its unit; their sources
 * are in timeline_costs.c. */
#ifndef TIMELINE_COSTS_H
#define TIMELINE_COSTS_H

struct timeline_costs {
    /* The host's time until a call has handed over the work that it queues; ns. */
    double launch_ns, copy_ns, set_ns, graph_ns, graph_node_ns, event_ns, wait_event_ns, call_ns;
    double timed_event_ns; /* an event with a time, besides */
    double switch_ns;      /* a launch or copy on another stream than the last */
    double nothing_ns;     /* what is no call of the runtime */
    double return_ns;      /* from the end of what it waits for until a call returns */
    /* From the end of a call until the work that it has queued can begin; ns. */
    double arrival_ns, graph_arrival_ns;
    /* From the end of all that a piece depends on until the piece can begin; ns. */
    double next_ns, next_in_graph_ns; /* a kernel after a kernel, */
    double next_copy_ns;              /* a copy after a copy in its direction, on any stream, */
    double other_ns;                  /* a copy after a kernel, a kernel after a copy, */
    double after_mark_ns;             /* something after an event */
    double mark_ns, timed_mark_ns;    /* an event is recorded, or waited for by a stream */
    double function_ns;               /* a function of the host */
    double events_around_ns;          /* what a launch's modelled time has besides its own */
    /* Copies over the bus. */
    double up_bytes_per_ns, down_bytes_per_ns; /* of pinned memory, */
    double both_share;                         /* while the other direction copies, too */
    double copy_start_ns;
    /* The same for pageable memory. */
    double small_bytes;          /* so much is copied by the call itself, */
    double staging_bytes_per_ns; /* to a buffer of the driver's, */
    double small_bytes_per_ns;   /* and from there to the device */
    double paged_up_bytes_per_ns, cached_up_bytes_per_ns; /* by what the host's cache has */
    double host_cache_bytes, buffer_bytes;
    double buffers_bytes; /* all of them */
    double paged_down_start_ns, slow_down_bytes, slow_down_bytes_per_ns, paged_down_bytes_per_ns;
    /* On the device; ns. */
    double move_start_ns, set_start_ns, set_in_graph_ns;
};

extern const struct timeline_costs TIMELINE_COSTS;

#endif
