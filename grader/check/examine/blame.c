/* blame.c - which source line is to blame for a counter, and what to say of it. */
#include "check/examine/figures.h"

#include "simgpu/line.h"

#include <stdio.h>
#include <string.h>

/* Sectors or passes beyond those that would do. */
static double beyond(const struct simgpu_access *access)
{
    return (double)access->sectors - (double)access->ideal_sectors;
}

static double conflicts(const struct simgpu_line *line)
{
    return (double)(line->shared_load.wavefronts + line->shared_store.wavefronts) -
           (double)(line->shared_load.ideal_wavefronts + line->shared_store.ideal_wavefronts);
}

/* What bounds the call decides which of a line's costs is time. */
static double time_cost(const struct simgpu_line *line, const char *bound)
{
    double sectors = (double)(line->global_load.sectors + line->global_store.sectors +
                              line->global_atomic.sectors);
    double passes = (double)(line->shared_load.wavefronts + line->shared_store.wavefronts);
    if (strcmp(bound, "DRAM") == 0 || strcmp(bound, "L2") == 0 || strcmp(bound, "L1") == 0)
        return sectors;
    if (strcmp(bound, "shared memory") == 0)
        return passes;
    return (double)line->warp_instructions;
}

static double cost(const struct simgpu_line *line, enum judge_counter counter, const char *bound)
{
    switch (counter) {
    case JUDGE_LOAD_EFFICIENCY:
    case JUDGE_SECTORS_PER_LOAD:
        return beyond(&line->global_load);
    case JUDGE_STORE_EFFICIENCY:
    case JUDGE_SECTORS_PER_STORE:
        return beyond(&line->global_store);
    case JUDGE_WAVEFRONT_RATIO:
        return conflicts(line);
    case JUDGE_LANES_ON:
        return 32 * (double)line->warp_instructions - (double)line->lanes_on;
    case JUDGE_WARP_INSTRUCTIONS:
    case JUDGE_TENSOR_INSTRUCTIONS:
        return (double)line->warp_instructions;
    case JUDGE_BYTES_RATIO:
        return (double)(line->global_load.bytes + line->global_store.bytes +
                        line->global_atomic.bytes);
    case JUDGE_LOAD_BYTES_RATIO:
        return (double)line->global_load.bytes;
    case JUDGE_LOCAL_REQUESTS:
        return (double)line->local.requests;
    case JUDGE_COUNTER_NONE:
        return time_cost(line, bound);
    default: /* calls of the host: no line of a kernel makes them */
        return 0;
    }
}

const struct simgpu_line *figures_worst(const struct simgpu_line *lines, size_t count,
                                        enum judge_counter counter, const char *bound)
{
    const struct simgpu_line *worst = NULL;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        double own = cost(&lines[i], counter, bound);
        if (own > most) {
            most = own;
            worst = &lines[i];
        }
    }
    return worst;
}

static void say_share(const char *what, const struct simgpu_line *lines, size_t count,
                      const struct simgpu_line *line, enum judge_counter counter, char *text,
                      size_t bytes)
{
    double all = 0, own = cost(line, counter, "");
    for (size_t i = 0; i < count; i++)
        all += cost(&lines[i], counter, "");
    snprintf(text, bytes, "%.0f %% of all %s come from here", 100 * own / all, what);
}

/* The costlier of loads and stores, where either may be meant. */
static void say_traffic(const struct simgpu_line *line, char *text, size_t bytes)
{
    if (line->global_load.sectors >= line->global_store.sectors && line->global_load.requests)
        line_say_loads(&line->global_load, text, bytes);
    else if (line->global_store.requests)
        line_say_stores(&line->global_store, text, bytes);
}

void figures_say(const struct simgpu_line *lines, size_t count, const struct simgpu_line *line,
                 enum judge_counter counter, char *text, size_t bytes)
{
    *text = '\0';
    switch (counter) {
    case JUDGE_LOAD_EFFICIENCY:
    case JUDGE_SECTORS_PER_LOAD:
        line_say_loads(&line->global_load, text, bytes);
        break;
    case JUDGE_STORE_EFFICIENCY:
    case JUDGE_SECTORS_PER_STORE:
        line_say_stores(&line->global_store, text, bytes);
        break;
    case JUDGE_WAVEFRONT_RATIO:
        line_say_shared(line, text, bytes);
        break;
    case JUDGE_LANES_ON:
        line_say_lanes(line, text, bytes);
        break;
    case JUDGE_BYTES_RATIO:
    case JUDGE_LOAD_BYTES_RATIO:
        say_share("bytes asked of global memory", lines, count, line, counter, text, bytes);
        break;
    case JUDGE_LOCAL_REQUESTS:
        say_share("requests to local memory", lines, count, line, counter, text, bytes);
        break;
    case JUDGE_COUNTER_NONE:
        if (line->global_load.requests + line->global_store.requests) {
            say_traffic(line, text, bytes);
            break;
        } /* fall through */
    default:
        say_share("warp instructions", lines, count, line, JUDGE_WARP_INSTRUCTIONS, text, bytes);
        break;
    }
}
