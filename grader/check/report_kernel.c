/* report_kernel.c - how a slow call fills the device: blocks, warps, registers, bytes under way. */
#include "check/record.h"
#include "check/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void say_grid(const json_t *kernel, char *text, size_t bytes)
{
    double blocks = record_real(kernel, "blocks");
    double all = record_real(kernel, "multiprocessors");
    int used = snprintf(text, bytes, "%.0f block%s of %.0f threads on %.0f multiprocessors", blocks,
                        blocks == 1 ? "" : "s", record_real(kernel, "block_threads"), all);
    if (blocks < all)
        snprintf(text + used, bytes - (size_t)used, ", %.0f of which have none", all - blocks);
}

static void say_warps(const json_t *kernel, char *text, size_t bytes)
{
    double warps = record_real(kernel, "warps"), most = record_real(kernel, "most_warps");
    double spilled = record_real(kernel, "spilled_words");
    const char *limit = record_text(kernel, "limit");
    int used = snprintf(text, bytes, "; %.0f of %.0f warps resident", warps, most);
    if (warps < most && *limit)
        used += snprintf(text + used, bytes - (size_t)used, " (limited by %s%s)",
                         strcmp(limit, "grid") == 0 ? "the " : "", limit);
    used += snprintf(text + used, bytes - (size_t)used, "; %.0f registers a thread, ",
                     record_real(kernel, "registers"));
    if (spilled > 0)
        snprintf(text + used, bytes - (size_t)used,
                 "spills: %.3g words stored or loaded back by its warps", spilled);
    else
        snprintf(text + used, bytes - (size_t)used, "none spilled");
}

/* In KiB per multiprocessor. */
static void say_under_way(const json_t *kernel, char *text, size_t bytes)
{
    double all = 1024 * record_real(kernel, "multiprocessors");
    double under_way = record_real(kernel, "under_way_bytes") / all;
    double needed = record_real(kernel, "needed_bytes") / all;
    if (isfinite(under_way) && isfinite(needed))
        snprintf(text, bytes,
                 "; under way to DRAM %.2g KiB a multiprocessor on average, its full "
                 "rate takes %.2g (Little's law, modelled)",
                 under_way, needed);
}

void report_kernel(const json_t *kernel, const struct terminal *terminal)
{
    char text[800] = "";
    fprintf(terminal->out, "  %-12s", "kernel");
    if (!isfinite(record_real(kernel, "blocks"))) {
        terminal_wrap(terminal,
                      "how it fills the device is not known: the simulated device has "
                      "counted no launch of it",
                      REPORT_STATE, REPORT_STATE);
        return;
    }
    const char *in_case = record_text(kernel, "case");
    if (*in_case)
        snprintf(text, sizeof text, "in the case %s: ", in_case);
    say_grid(kernel, text + strlen(text), sizeof text - strlen(text));
    if (record_real(kernel, "registers") > 0) /* not of a library's kernels */
        say_warps(kernel, text + strlen(text), sizeof text - strlen(text));
    say_under_way(kernel, text + strlen(text), sizeof text - strlen(text));
    terminal_wrap(terminal, text, REPORT_STATE, REPORT_STATE);
}
