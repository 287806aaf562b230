/* blame.c - which source line is to blame for a counter, and what to say about it. */
#include "check/examine/figures.h"

#include "simgpu/line.h"

#include <stdio.h>
#include <string.h>

/* Sectors or passes beyond those that are needed. */
static double beyond(const struct simgpu_access *access)
{
    return (double)access->sectors - (double)access->ideal_sectors;
}

static double conflicts(const struct simgpu_line *line)
{
    return (double)(line->shared_load.wavefronts + line->shared_store.wavefronts) -
           (double)(line->shared_load.ideal_wavefronts + line->shared_store.ideal_wavefronts);
}

static double cost(const struct simgpu_line *line, enum judge_counter counter)
{
    switch (counter) {
    case JUDGE_LOAD_EFFICIENCY:
    case JUDGE_SECTORS_PER_LOAD: return beyond(&line->global_load);
    case JUDGE_STORE_EFFICIENCY:
    case JUDGE_SECTORS_PER_STORE: return beyond(&line->global_store);
    case JUDGE_WAVEFRONT_RATIO: return conflicts(line);
    case JUDGE_LANES_ON: return 32 * (double)line->warp_instructions - (double)line->lanes_on;
    case JUDGE_WARP_INSTRUCTIONS:
    case JUDGE_TENSOR_INSTRUCTIONS: return (double)line->warp_instructions;
    case JUDGE_FP64_INSTRUCTIONS: return (double)line->fp64_instructions;
    case JUDGE_BYTES_RATIO:
    case JUDGE_ALL_BYTES_RATIO: /* what lanes of a request share counts once there */
        return (double)(line->global_load.distinct_bytes + line->global_store.distinct_bytes +
                        line->global_atomic.distinct_bytes);
    case JUDGE_LOAD_BYTES_RATIO: return (double)line->global_load.bytes;
    case JUDGE_LOCAL_REQUESTS: return (double)line->local.requests;
    case JUDGE_COUNTER_NONE: return line_time(line);
    default: /* calls of the host: no line of a kernel makes them */ return 0;
    }
}

const struct simgpu_line *figures_worst(const struct simgpu_line *lines, size_t count,
                                        enum judge_counter counter)
{
    const struct simgpu_line *worst = NULL;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        double own = cost(&lines[i], counter);
        if (own > most) {
            most = own;
            worst = &lines[i];
        }
    }
    return worst;
}

/* Share of the lines that can be named: those of a given header cannot. */
static void say_share(const char *what, const struct simgpu_line *lines, size_t count,
                      const struct simgpu_line *line, enum judge_counter counter, char *text,
                      size_t bytes)
{
    double all = 0, own = cost(line, counter);
    for (size_t i = 0; i < count; i++)
        all += cost(&lines[i], counter);
    snprintf(text, bytes, "%.0f %% of your lines' %s come from here", 100 * own / all, what);
}

void figures_say(const struct simgpu_line *lines, size_t count, const struct simgpu_line *line,
                 enum judge_counter counter, char *text, size_t bytes)
{
    *text = '\0';
    switch (counter) {
    case JUDGE_LOAD_EFFICIENCY:
    case JUDGE_SECTORS_PER_LOAD: line_say_loads(&line->global_load, text, bytes); break;
    case JUDGE_STORE_EFFICIENCY:
    case JUDGE_SECTORS_PER_STORE: line_say_stores(&line->global_store, text, bytes); break;
    case JUDGE_WAVEFRONT_RATIO: line_say_shared(line, text, bytes); break;
    case JUDGE_LANES_ON: line_say_lanes(line, text, bytes); break;
    case JUDGE_BYTES_RATIO:
    case JUDGE_ALL_BYTES_RATIO:
        say_share("bytes to and from global memory", lines, count, line, counter, text, bytes);
        break;
    case JUDGE_LOAD_BYTES_RATIO:
        say_share("bytes loaded from global memory", lines, count, line, counter, text, bytes);
        break;
    case JUDGE_FP64_INSTRUCTIONS:
        say_share("FP64 instructions", lines, count, line, counter, text, bytes);
        break;
    case JUDGE_LOCAL_REQUESTS:
        say_share("requests to local memory", lines, count, line, counter, text, bytes);
        break;
    case JUDGE_COUNTER_NONE: line_say(line, text, bytes); break;
    default:
        say_share("warp instructions", lines, count, line, JUDGE_WARP_INSTRUCTIONS, text, bytes);
        break;
    }
}

static double kernels_ns(const struct simgpu_report *report)
{
    double all_ns = 0;
    for (size_t i = 0; i < report->launch_count; i++)
        all_ns += report->launches[i].modelled_ns;
    return all_ns;
}

static bool is_mostly_dealing(const struct simgpu_report *report)
{
    double dealing_ns = 0;
    for (size_t i = 0; i < report->launch_count; i++)
        if (strcmp(report->launches[i].bound, SIM_BOUND_DEALING) == 0)
            dealing_ns += report->launches[i].modelled_ns;
    return dealing_ns > 0.5 * kernels_ns(report);
}

void figures_say_time(const struct simgpu_report *report, const struct simgpu_line *lines,
                      size_t count, const struct simgpu_line *line, char *text, size_t bytes)
{
    const struct simgpu_line *longest = figures_worst(lines, count, JUDGE_COUNTER_NONE);
    double all_ns = kernels_ns(report), own_ns = line_time(line);
    char waits[96], other[96] = "";
    *text = '\0';
    if (all_ns <= 0 || own_ns <= 0)
        return;
    if (is_mostly_dealing(report)) {
        snprintf(text, bytes,
                 "most of the kernels' time (modelled, %s) goes into handing out their blocks, one "
                 "after another, not into any line",
                 report->device);
        return;
    }
    line_say_time(line, waits, sizeof waits);
    if (longest != line)
        snprintf(other, sizeof other, "; of your lines, line %u takes longest, %.0f %%",
                 longest->place.line, 100 * line_time(longest) / all_ns);
    snprintf(text, bytes, "%.0f %% of the kernels' time (modelled, %s) goes into this line, %s%s",
             100 * own_ns / all_ns, report->device, waits, other);
}

void figures_say_gain(const struct simgpu_report *report, const struct simgpu_line *line,
                      char *text, size_t bytes)
{
    line_say_gain(line, kernels_ns(report), report->launch_count == 1 ? "your kernel" : "each call",
                  text, bytes);
}
