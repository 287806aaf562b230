/* timeline_costs.h - the constants of the timeline: one table, each with its unit; their sources
 * are in timeline_costs.c. */
#ifndef TIMELINE_COSTS_H
#define TIMELINE_COSTS_H

struct timeline_costs {
    /* The host, until a call has handed over what it queues; ns. */
    double launch_ns, copy_ns, set_ns, graph_ns, graph_node_ns, event_ns, wait_event_ns, call_ns;
    double nothing_ns; /* what is no call of the runtime */
    double return_ns;  /* from the end of what it waits for until a call returns */
    /* From the end of a call until what it has queued can begin; ns. */
    double arrival_ns, graph_arrival_ns;
    /* From the end of what a piece depends on until it can begin; ns. */
    double next_ns, next_in_graph_ns;   /* a kernel after a kernel */
    double other_ns, other_in_graph_ns; /* a copy after a kernel, a kernel after a copy, .. */
    double mark_ns;                     /* an event is recorded, or waited for by a stream */
    double function_ns;                 /* a function of the host: a guess */
    /* What a launch's modelled time has besides its own; ns. */
    double events_around_ns;
    /* Copies over the bus. */
    double up_bytes_per_ns, down_bytes_per_ns; /* of pinned memory, */
    double both_share;                         /* while the other direction copies, too */
    double copy_start_ns;
    double paged_up_bytes_per_ns, paged_down_bytes_per_ns;
    double paged_up_start_ns, paged_down_start_ns;
    double small_bytes;          /* so much pageable memory is copied by the call itself, */
    double staging_bytes_per_ns; /* to a buffer of the driver's */
    /* On the device. */
    double move_start_ns, set_start_ns;
};

extern const struct timeline_costs TIMELINE_COSTS;

#endif
