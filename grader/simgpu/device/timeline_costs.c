/* timeline_costs.c - see timeline_costs.h. Measured on an H200 by the programs that the comments
 * name: ../fidelity/timeline/held_in.def. */
#include "timeline_costs.h"

const struct timeline_costs TIMELINE_COSTS = {
    .launch_ns = 3950,     /* tiny_100 */
    .copy_ns = 1500,       /* up_pinned_40_small, sync_between_steps */
    .set_ns = 950,         /* set_100_small */
    .graph_ns = 1500,      /* graph_with_syncs */
    .graph_node_ns = 43,   /* graph_100_tiny */
    .event_ns = 260,       /* events_ping_pong */
    .wait_event_ns = 290,  /* the same */
    .call_ns = 500,        /* nothing_to_do */
    .timed_event_ns = 950, /* one_tiny */
    .switch_ns = 1100,     /* tiny_2_streams */
    .nothing_ns = 0,       /* by definition */
    .return_ns = 1900,     /* with the next: tiny_and_sync_40 */
    .arrival_ns = 2500,
    .graph_arrival_ns = 2600,       /* graph_with_syncs */
    .next_ns = 1300,                /* full_20_times */
    .next_in_graph_ns = 170,        /* graph_100_tiny */
    .next_copy_ns = 1800,           /* up_pinned_40_small, up_2_streams_pinned */
    .other_ns = 4300,               /* chunks_1_stream_pinned, graph_copy_kernel_copy */
    .after_mark_ns = 600,           /* events_ping_pong */
    .mark_ns = 250,                 /* the same */
    .timed_mark_ns = 1500,          /* one_tiny beside tiny_and_sync_40 */
    .function_ns = 20000,           /* not measured */
    .events_around_ns = 1000,       /* graph_100_tiny */
    .up_bytes_per_ns = 55.3,        /* up_pinned_256M */
    .down_bytes_per_ns = 55.5,      /* down_pinned_32M */
    .both_share = 0.9,              /* up_and_down_pinned */
    .copy_start_ns = 1100,          /* up_pinned_4K */
    .small_bytes = 64 << 10,        /* the documentation of cudaMemcpyAsync */
    .staging_bytes_per_ns = 15.8,   /* up_paged_64K */
    .small_bytes_per_ns = 14.7,     /* the same */
    .paged_up_bytes_per_ns = 7.3,   /* up_paged_256M */
    .cached_up_bytes_per_ns = 13.2, /* up_paged_4M */
    .host_cache_bytes = 20 << 20,   /* put_paged_16M fits, up_paged_24M of set_aside.def does not */
    .buffer_bytes = 1 << 20,        /* up_paged_4M beside up_paged_256K */
    .buffers_bytes = 2 << 20,       /* no fewer: fresh_paged_beside_pinned; more were not tried */
    .paged_down_start_ns = 3300,    /* down_paged_4K */
    .slow_down_bytes = 8 << 20,     /* down_paged_2M, get_paged_16M */
    .slow_down_bytes_per_ns = 9.3,
    .paged_down_bytes_per_ns = 14, /* down_paged_256M */
    .move_start_ns = 1600,         /* move_64M */
    .set_start_ns = 1670,          /* set_100_small */
    .set_in_graph_ns = 1100,       /* graph_of_sets */
};
