/* profile_csv.c - a row a launch, in launch order, under the column names of a hardware profile. */
#include "profile.h"

#include <inttypes.h>
#include <string.h>

static const char HEADING[] =
    "launch,kernel,block,grid,requests_ld,sectors_ld,requests_st,sectors_st,sectors_red,shared_ld,"
    "wavefronts_ld,shared_st,wavefronts_st,warp_inst,thread_inst,thread_inst_pred_on,"
    "divergent_branches,dram_read_bytes,dram_write_bytes,registers,modelled_ns,bound\n";

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
    const uint64_t counters[] = {
        launch->global_load.requests, launch->global_load.sectors,
        launch->global_store.requests, launch->global_store.sectors,
        launch->global_reduction.sectors, launch->shared_load.requests,
        launch->shared_load.wavefronts, launch->shared_store.requests,
        launch->shared_store.wavefronts, launch->warp_instructions,
        launch->thread_instructions, launch->thread_instructions_on, launch->divergent};
    fprintf(stream, "%zu,", index);
    print_text(stream, profile_name(profile->device->history, launch->kernel));
    fprintf(stream, ",\"(%u, %u, %u)\",\"(%u, %u, %u)\"", launch->block[0], launch->block[1],
            launch->block[2], launch->grid[0], launch->grid[1], launch->grid[2]);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        fprintf(stream, ",%" PRIu64, counters[i]);
    fprintf(stream, ",%.0f,%.0f,%u,%.0f,", launch->dram_read_bytes, launch->dram_write_bytes,
            launch->registers, launch->modelled_ns);
    print_text(stream, launch->bound);
    putc('\n', stream);
}

void profile_write_csv(const struct profile *profile, FILE *stream)
{
    fputs(HEADING, stream);
    for (size_t i = 0; i < profile->launch_count; i++)
        print_row(stream, profile, i);
}
