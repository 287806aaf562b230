/* ranges.h - NVTX ranges: which are open, how long those of each name took, and what was launched
 * inside.
 *
 * A range that is pushed belongs to the thread (so to its line); one that is started belongs to the
 * program. Times are the host's on the modelled time line: what calls cost, and what it waited for.
 *
 * device->lock guards all of it, except struct open_ranges, which belongs to its line or its
 * client.
 */
#ifndef RANGES_H
#define RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device;

enum range_style { RANGE_PUSH_POP, RANGE_START_END };

/* All ranges of one name and style. Lives as long as the device. */
struct range_kind {
    struct range_kind *next;
    const char *name; /* "domain:message", or the message alone */
    enum range_style style;
    uint64_t instances; /* that were closed */
    double total_ns, least_ns, most_ns;
    double *times_ns; /* of the first time_count instances */
    size_t time_count, time_room;
};

/* The ranges around something, innermost first; NULL for none. Each combination exists once and
 * lives as long as the device, so a pointer is all that a launch has to keep. */
struct range_path {
    struct range_path *next; /* in the list of all */
    const struct range_path *outer;
    struct range_kind *kind;
};

struct open_range {
    uint64_t id;
    struct range_kind *kind;
    double start_ns;
};

struct open_ranges {
    struct open_range *open; /* outermost first */
    size_t count, room;
    const struct range_path *path;
};

/* What was open when a piece of work was issued. */
struct ranges_around {
    const struct range_path *of_thread, *of_program;
};

/* Close what the program left open and free ranges. */
void ranges_end(struct device *device, struct open_ranges *ranges, double now_ns);

/* All kinds, the latest made first. */
const struct range_kind *ranges_kinds(const struct device *device);

#endif
