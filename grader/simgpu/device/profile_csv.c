/* profile_csv.c - a row a launch, in launch order, under the column names of a hardware profile. */
#include "profile.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* The counters, between grid and times. */
static const struct {
    const char *heading;
    size_t offset; /* of a uint64_t in a launch */
} COUNTERS[] = {
#define COUNTER(heading, field)                        \
    {                                                  \
        heading, offsetof(struct simgpu_launch, field) \
    }
    COUNTER("requests_ld", global_load.requests),
    COUNTER("sectors_ld", global_load.sectors),
    COUNTER("requests_st", global_store.requests),
    COUNTER("sectors_st", global_store.sectors),
    COUNTER("sectors_red", global_reduction.sectors),
    COUNTER("shared_ld", shared_load.requests),
    COUNTER("wavefronts_ld", shared_load.wavefronts),
    COUNTER("shared_st", shared_store.requests),
    COUNTER("wavefronts_st", shared_store.wavefronts),
    COUNTER("warp_inst", warp_instructions),
    COUNTER("thread_inst", thread_instructions),
    COUNTER("thread_inst_pred_on", thread_instructions_on),
    COUNTER("divergent_branches", divergent),
#undef COUNTER
};
enum { COLUMNS = sizeof COUNTERS / sizeof *COUNTERS };

static void print_heading(FILE *stream)
{
    fputs("launch,kernel,block,grid", stream);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(stream, ",%s", COUNTERS[i].heading);
    fputs(",dram_read_bytes,dram_write_bytes,registers,modelled_ns,bound\n", stream);
}

/* RFC 4180: quoted where it must be. */
static void print_text(FILE *stream, const char *text)
{
    bool plain = !strpbrk(text, ",\"\r\n");
    if (!plain)
        putc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', stream);
        putc(*text, stream);
    }
    if (!plain)
        putc('"', stream);
}

static void print_row(FILE *stream, const struct profile *profile, size_t index)
{
    const struct simgpu_launch *launch = &profile->launches[index];
    fprintf(stream, "%zu,", index);
    print_text(stream, profile_name(profile->device->history, launch->kernel));
    fprintf(stream, ",\"(%u, %u, %u)\",\"(%u, %u, %u)\"", launch->block[0], launch->block[1],
            launch->block[2], launch->grid[0], launch->grid[1], launch->grid[2]);
    for (size_t i = 0; i < COLUMNS; i++) {
        uint64_t counter;
        memcpy(&counter, (const char *)launch + COUNTERS[i].offset, sizeof counter);
        fprintf(stream, ",%" PRIu64, counter);
    }
    fprintf(stream, ",%.0f,%.0f,%u,%.0f,", launch->dram_read_bytes, launch->dram_write_bytes,
            launch->registers, launch->modelled_ns);
    print_text(stream, launch->bound);
    putc('\n', stream);
}

void profile_write_csv(const struct profile *profile, FILE *stream)
{
    print_heading(stream);
    for (size_t i = 0; i < profile->launch_count; i++)
        print_row(stream, profile, i);
}
