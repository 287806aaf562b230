/* profile.h - what programs did on the device, as people and other programs want to read it.
 *
 *     profile.c          gathers: sums by kernel and by source line
 *     profile_ranges.c   and by NVTX range
 *     profile_screen.c   one screen, at the end of `simgpu run`
 *     profile_csv.c      a row a launch, under the column names of a hardware profile
 *     profile_json.c     all of it
 *     profile_junit.c    the run as a test's result
 *     profile_sarif.c    what was found, for tools that show findings next to the source
 *     profile_html.c     a page: the source with counters, drawings of requests (profile_draw.c)
 *     profile_name.c     kernels' names as they are written in the source
 *     profile_source.c   the text of source lines
 *
 * Order of calls: profile_gather, any of the writers, profile_free. A profile's pointers are valid
 * as long as the device's history.
 *
 * Writers return nothing: check the stream for errors, as output.c does.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include "device.h"

struct kernel_sum {
    const char *mangled;
    const char *name;  /* of the kernel alone: see profile_name */
    const char *bound; /* of its longest launch */
    uint64_t calls;
    double time_ns, least_ns, most_ns;
};

/* NVTX ranges of one name and style, and what was launched inside them. */
struct range_sum {
    const struct range_kind *kind;
    double middle_ns, deviation_ns; /* median and standard deviation of an instance's time */
    struct kernel_sum *kernels;     /* the longest first */
    size_t kernel_count;
};

/* A source file whose text could be read; see profile_source_line. */
struct source_file;

/* How the program ended, and what simgpu makes of that. */
struct outcome {
    char **program;     /* its words, ended by NULL */
    int program_status; /* 128 and more: the signal that ended it */
    int status;
    double seconds; /* by the wall's clock */
};

struct profile {
    const struct device *device;
    struct outcome outcome;
    const char *device_name;
    const struct simgpu_launch *launches; /* in the order they ran */
    size_t launch_count;
    uint64_t dropped;           /* further launches, of which nothing was kept */
    struct kernel_sum *kernels; /* the longest first */
    size_t kernel_count;
    double kernel_ns;         /* of all launches */
    struct range_sum *ranges; /* the longest first; those that were never closed are left out */
    size_t range_count;
    double range_ns; /* of all ranges, as nsys has it: nested ones count twice */
    /* Each line with a place, once: first the one that gains most when mended, then the longest. */
    struct simgpu_line *lines;
    size_t line_count;
    struct source_file *sources;
    struct timeline_view *timeline; /* timeline.h; NULL: nobody asked for it */
};

/* False when memory is exhausted. */
bool profile_gather(struct profile *profile, const struct device *device,
                    const struct outcome *outcome);
void profile_free(struct profile *profile);

/* The modelled time, in ns, of all launches that the line was part of. */
double profile_time_around(const struct profile *profile, const struct simgpu_line *line);

typedef void profile_writer(const struct profile *profile, FILE *stream);
profile_writer profile_print, profile_write_csv, profile_write_json, profile_write_html,
    profile_write_junit, profile_write_sarif, profile_write_timeline, profile_write_lanes;

/* Text from elsewhere as JSON: text that is not UTF-8 loses everything but ASCII. */
struct json_t;
struct json_t *json_text(const char *text);

/* "transpose<32>" of "_Z9transposeILi32EEvPfPKf": no result, no parameters. The text itself if it
 * is not a mangled name. It lives as long as the history. */
const char *profile_name(struct history *history, const char *mangled);

/* Line number of file, from 1, without its end; NULL when it cannot be read. *length in bytes. */
const char *profile_source_line(const struct profile *profile, const char *file, unsigned number,
                                size_t *length);
/* Read the file name, unless it has been read; the other one reads all files that the profile's
 * lines name. False when memory is exhausted. name must live as long as the profile. */
bool profile_source_read(struct profile *profile, const char *name);
bool profile_sources_read(struct profile *profile);
/* How many lines file has; 0 when it cannot be read. */
unsigned profile_source_lines(const struct profile *profile, const char *file);
void profile_sources_free(struct source_file *sources);

/* profile_ranges.c, for profile.c: fill in the ranges, and free them. False when memory is
 * exhausted. */
bool profile_gather_ranges(struct profile *profile);
void profile_free_ranges(struct profile *profile);
/* profile_trace.c: likewise the timeline, if it was recorded. */
bool profile_gather_timeline(struct profile *profile);
void profile_free_timeline(struct profile *profile);
/* profile_kernel.c: Add a launch to the kernels of a list, which grows. False when memory is
 * exhausted. */
bool profile_add_launch(const struct profile *profile, struct kernel_sum **kernels, size_t *count,
                        const struct simgpu_launch *launch);
void profile_sort_kernels(struct kernel_sum *kernels, size_t count);

/* The last part of a path. */
const char *profile_base_name(const char *path);

#endif
