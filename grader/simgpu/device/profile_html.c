/* profile_html.c - the profile as one self-contained page: the source line by line next to its
 * counters, and for each line that touches memory a drawing of one warp's request.
 *
 * A line that ran is a <details>, so clicking it shows what is known about it. The one script opens
 * lines that a link leads to, and, for printing, all lines with drawings.
 */
#include "profile.h"

#include "../line.h"
#include "markup.h"
#include "profile_draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Lines shown around those that ran, and the hottest that are listed on top. */
enum { AROUND = 8, MOST_HOTTEST = 8, WORTH_SKIPPING = 4 };

extern const char page_css[]; /* page.c */

/* --- Text ------------------------------------------------------------------------------------- */

static void put_cell(FILE *stream, const char *text)
{
    fputs("<td>", stream);
    markup_text(stream, text);
    fputs("</td>", stream);
}

static void put_time(FILE *stream, double time_ns)
{
    fprintf(stream, "<td>%.2f us</td>", time_ns * 1e-3);
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* --- Tables ----------------------------------------------------------------------------------- */

static void put_kernels(const struct profile *profile, FILE *stream)
{
    fputs("<h2>Kernels</h2>\n<div class=\"wide\"><table><tr><th>kernel</th><th>calls</th>"
          "<th>modelled time</th><th>share</th><th>least</th><th>most</th>"
          "<th class=\"text\">bound by</th></tr>\n",
          stream);
    for (size_t i = 0; i < profile->kernel_count; i++) {
        const struct kernel_sum *kernel = &profile->kernels[i];
        fputs("<tr>", stream);
        put_cell(stream, kernel->name);
        fprintf(stream, "<td>%" PRIu64 "</td>", kernel->calls);
        put_time(stream, kernel->time_ns);
        fprintf(stream, "<td>%.1f %%</td>", percent(kernel->time_ns, profile->kernel_ns));
        put_time(stream, kernel->least_ns);
        put_time(stream, kernel->most_ns);
        fputs("<td class=\"text\">", stream);
        markup_text(stream, kernel->bound);
        fputs("</td></tr>\n", stream);
    }
    fputs("</table></div>\n", stream);
}

static void put_range(const struct profile *profile, const struct range_sum *range, FILE *stream)
{
    const struct range_kind *kind = range->kind;
    fputs("<tr>", stream);
    put_cell(stream, kind->name);
    fprintf(stream, "<td>%.1f %%</td>", percent(kind->total_ns, profile->range_ns));
    put_time(stream, kind->total_ns);
    fprintf(stream, "<td>%" PRIu64 "</td>", kind->instances);
    put_time(stream, kind->total_ns / (double)kind->instances);
    put_time(stream, range->middle_ns);
    put_time(stream, kind->least_ns);
    put_time(stream, kind->most_ns);
    put_time(stream, range->deviation_ns);
    fputs("</tr>\n", stream);
    for (size_t i = 0; i < range->kernel_count; i++) {
        fputs("<tr class=\"inside\">", stream);
        put_cell(stream, range->kernels[i].name);
        fputs("<td></td>", stream);
        put_time(stream, range->kernels[i].time_ns);
        fprintf(stream, "<td>%" PRIu64 "</td></tr>\n", range->kernels[i].calls);
    }
}

static void put_ranges(const struct profile *profile, FILE *stream)
{
    if (!profile->range_count)
        return;
    fputs("<h2>NVTX ranges</h2>\n<p class=\"dim\">A range's time is the host's: its CUDA calls and "
          "what they waited for. Below each, the kernels launched inside it and their time on the "
          "device. All of it is modelled.</p>\n"
          "<div class=\"wide\"><table><tr><th>range</th><th>share</th><th>total</th><th>times</th>"
          "<th>average</th><th>median</th><th>least</th><th>most</th><th>deviation</th></tr>\n",
          stream);
    for (size_t i = 0; i < profile->range_count; i++)
        put_range(profile, &profile->ranges[i], stream);
    fputs("</table></div>\n", stream);
}

/* --- A line ----------------------------------------------------------------------------------- */

static void put_ratio(FILE *stream, uint64_t is, uint64_t ideal, uint64_t requests)
{
    if (requests == 0) {
        fputs("<span></span>", stream);
        return;
    }
    fprintf(stream,
            "<span><span class=\"%s\">%.1f</span> <span class=\"fine\">of %.1f</span></span>",
            is > ideal + ideal / 4 ? "waste" : "", (double)is / (double)requests,
            (double)ideal / (double)requests);
}

static void put_counters(const struct profile *profile, const struct simgpu_line *line,
                         FILE *stream)
{
    struct simgpu_access memory = line_memory(line), shared = line_shared(line);
    fprintf(stream, "<span>%.1f %%</span><span>%" PRIu64 "</span><span>%.1f</span>",
            percent(line_time(line), profile->kernel_ns), line->warp_instructions,
            line->warp_instructions ? (double)line->lanes_on / (double)line->warp_instructions : 0);
    put_ratio(stream, memory.sectors, memory.ideal_sectors, memory.requests);
    put_ratio(stream, shared.wavefronts, shared.ideal_wavefronts, shared.requests);
}

static const char *access_name(enum sim_access_class access)
{
    return access == SIM_ACCESS_LOAD ? "load" : access == SIM_ACCESS_STORE ? "store" : "atomic";
}

static void put_example(const struct profile *profile, const struct example *example, FILE *stream)
{
    const struct sim_request *request = &example->request;
    unsigned lanes = (unsigned)__builtin_popcount(request->active);
    fputs("<figure>", stream);
    draw_example(example, stream);
    fputs("<figcaption>The request that is farthest from ideal: ", stream);
    fprintf(stream, "a %s of %u bytes a lane by warp %u of block (%u,%u,%u) of ",
            access_name(example->access), request->bytes, request->warp, request->block[0],
            request->block[1], request->block[2]);
    markup_text(stream, profile_name(profile->device->history, example->kernel));
    if (example->shared)
        fprintf(stream, ". A column is a bank of shared memory, a row a wavefront, a number the "
                        "lane that is served (+: and others).");
    else
        fprintf(stream,
                ". %u lanes ask for %u bytes; %u sectors of 32 bytes, %u bytes, are moved. "
                "Filled cells are the words that lanes asked for.",
                lanes, lanes * request->bytes, example->cost, example->cost * 32);
    fputs("</figcaption></figure>\n", stream);
}

static void put_more(const struct profile *profile, const struct simgpu_line *line, FILE *stream)
{
    char sentence[256], waits[96], gain[160];
    line_say(line, sentence, sizeof sentence);
    line_say_time(line, waits, sizeof waits);
    line_say_gain(line, profile_time_around(profile, line), "the kernel", gain, sizeof gain);
    fputs("<div class=\"more\"><p>", stream);
    markup_text(stream, sentence);
    fprintf(stream, "%s%s", *gain ? "; " : "", gain);
    fprintf(stream, ".</p><p class=\"dim\">%.2f us modelled%s%s.</p>", line_time(line) * 1e-3,
            *waits ? ", " : "", waits);
    if (line->branches)
        fprintf(stream,
                "<p class=\"dim\">%" PRIu64 " of %" PRIu64 " branches split their warp.</p>",
                line->divergent, line->branches);
    putc('\n', stream);
    for (const struct example *example = profile->device->examples; example;
         example = example->next)
        if (example->line == line->place.line && strcmp(example->file, line->place.file) == 0)
            put_example(profile, example, stream);
    fputs("</div>", stream);
}

static void put_source(const struct profile *profile, const char *file, unsigned number,
                       FILE *stream)
{
    size_t length = 0;
    const char *text = profile_source_line(profile, file, number, &length);
    fputs("<span>", stream);
    markup_part(stream, text ? text : "", length);
    fputs("</span>", stream);
}

/* line may be NULL: then number is one that did not run. */
static void put_row(const struct profile *profile, const char *file, unsigned file_number,
                    unsigned number, const struct simgpu_line *line, FILE *stream)
{
    if (!line) {
        fprintf(stream,
                "<div class=\"row\"><span>%u</span><span></span><span></span><span></span>"
                "<span></span><span></span>",
                number);
        put_source(profile, file, number, stream);
        fputs("</div>\n", stream);
        return;
    }
    double heat = 0.007 * percent(line_time(line), profile->kernel_ns);
    fprintf(stream,
            "<details id=\"f%u-%u\"><summary class=\"row\" style=\"--heat:%.3f\">"
            "<span>%u</span>",
            file_number, number, heat > 0.35 ? 0.35 : heat, number);
    put_counters(profile, line, stream);
    put_source(profile, file, number, stream);
    fputs("</summary>\n", stream);
    put_more(profile, line, stream);
    fputs("</details>\n", stream);
}

/* --- Files ------------------------------------------------------------------------------------ */

struct files {
    const char **name; /* the one with the longest line first */
    unsigned count;
};

static bool find_files(const struct profile *profile, struct files *files)
{
    files->count = 0;
    files->name = calloc(profile->line_count + 1, sizeof *files->name);
    for (size_t i = 0; files->name && i < profile->line_count; i++) {
        unsigned at = 0;
        while (at < files->count && strcmp(files->name[at], profile->lines[i].place.file) != 0)
            at++;
        if (at == files->count)
            files->name[files->count++] = profile->lines[i].place.file;
    }
    return files->name != NULL;
}

static unsigned file_number(const struct files *files, const char *name)
{
    unsigned at = 0;
    while (at < files->count && strcmp(files->name[at], name) != 0)
        at++;
    return at;
}

static int by_number(const void *a, const void *b)
{
    const struct simgpu_line *x = *(const struct simgpu_line *const *)a;
    const struct simgpu_line *y = *(const struct simgpu_line *const *)b;
    return (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

/* The lines of name that ran, by number. */
static const struct simgpu_line **lines_of(const struct profile *profile, const char *name,
                                           size_t *count)
{
    const struct simgpu_line **lines = calloc(profile->line_count + 1, sizeof *lines);
    *count = 0;
    for (size_t i = 0; lines && i < profile->line_count; i++)
        if (strcmp(profile->lines[i].place.file, name) == 0)
            lines[(*count)++] = &profile->lines[i];
    if (lines)
        qsort(lines, *count, sizeof(const struct simgpu_line *), by_number);
    return lines;
}

/* Lines from first up to, but not including, end, none of which ran: those near others, or all if
 * that would leave out only a few. */
static void put_idle_rows(const struct profile *profile, const char *name, unsigned number,
                          unsigned first, unsigned end, bool near_first, bool near_end,
                          FILE *stream)
{
    unsigned skip = near_first ? first + AROUND : first, go_on = end;
    if (near_end)
        go_on = end > AROUND ? end - AROUND : 0;
    bool skips = go_on >= skip + WORTH_SKIPPING;
    for (unsigned line = first; line < end; line++) {
        if (skips && line >= skip && line < go_on) {
            fprintf(stream, "<div class=\"skipped\">lines %u to %u did not run</div>\n", skip,
                    go_on - 1);
            line = go_on - 1;
            continue;
        }
        put_row(profile, name, number, line, NULL, stream);
    }
}

static void put_file(const struct profile *profile, const char *name, unsigned number, FILE *stream)
{
    size_t count;
    const struct simgpu_line **lines = lines_of(profile, name, &count);
    unsigned last = profile_source_lines(profile, name), next = 1;
    fputs("<h2>", stream);
    markup_text(stream, profile_base_name(name));
    fputs("</h2>\n<p class=\"dim\">", stream);
    markup_text(stream, name);
    fputs(last ? "" : " (its text could not be read)", stream);
    fputs("</p>\n<div class=\"wide\"><div class=\"source\"><div class=\"row head\">"
          "<span>line</span><span>time</span><span>warp instr.</span><span>lanes</span>"
          "<span>sectors/req.</span><span>wavefronts/req.</span><span></span></div>\n",
          stream);
    for (size_t i = 0; lines && i < count; i++) {
        unsigned line = lines[i]->place.line;
        if (last)
            put_idle_rows(profile, name, number, next, line, i > 0, true, stream);
        put_row(profile, name, number, line, lines[i], stream);
        next = line + 1;
    }
    if (last)
        put_idle_rows(profile, name, number, next, last + 1, true, false, stream);
    fputs("</div></div>\n", stream);
    free(lines);
}

static void put_hottest(const struct profile *profile, const struct files *files, FILE *stream)
{
    fputs("<h2>Lines to look at first</h2>\n<p class=\"dim\">First what gains most "
          "when it is mended, then what takes longest. A line's part of the modelled time "
          "is what warps spend on it: they issue its instructions, or wait for them.</p>\n"
          "<div class=\"wide\"><table>\n",
          stream);
    for (size_t i = 0; i < profile->line_count && i < MOST_HOTTEST; i++) {
        const struct simgpu_line *line = &profile->lines[i];
        char sentence[256], waits[96];
        line_say(line, sentence, sizeof sentence);
        line_say_time(line, waits, sizeof waits);
        fprintf(stream, "<tr><td><a href=\"#f%u-%u\">", file_number(files, line->place.file),
                line->place.line);
        markup_text(stream, profile_base_name(line->place.file));
        fprintf(stream, ":%u</a></td>", line->place.line);
        put_time(stream, line_time(line));
        fprintf(stream, "<td>%.1f %%</td><td class=\"text\">%s; ",
                percent(line_time(line), profile->kernel_ns), waits);
        markup_text(stream, sentence);
        fputs("</td></tr>\n", stream);
    }
    fputs("</table></div>\n", stream);
}

/* --- The page --------------------------------------------------------------------------------- */

/* A link to a line opens it; the printer gets all drawings. */
static const char SCRIPT[] =
    "<script>\n"
    "const show = () => { const at = document.getElementById(location.hash.slice(1));\n"
    "    if (at) { at.open = true; at.scrollIntoView({block: 'center'}); } };\n"
    "addEventListener('hashchange', show);\n"
    "addEventListener('load', show);\n"
    "addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(\n"
    "    line => { if (line.querySelector('svg')) line.open = true; }));\n"
    "</script>\n";

static void put_title(const struct profile *profile, FILE *stream)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          stream);
    markup_text(stream,
                profile->kernel_count ? profile->kernels[0].name : "No kernel was launched");
    fprintf(stream, " - simgpu</title>\n<style>\n%s</style>\n%s</head>\n<body>\n<h1>", page_css,
            SCRIPT);
    markup_text(stream, profile->device_name);
    fputs("</h1>\n<p class=\"dim\">Times are modelled, counters are exact.", stream);
    if (profile->dropped)
        fprintf(stream, " %" PRIu64 " more launches were not kept.", profile->dropped);
    fputs("</p>\n", stream);
}

void profile_write_html(const struct profile *profile, FILE *stream)
{
    struct files files;
    put_title(profile, stream);
    if (profile->launch_count == 0)
        fputs("<p>No kernel was launched.</p>\n", stream);
    else
        put_kernels(profile, stream);
    put_ranges(profile, stream);
    if (profile->launch_count && profile->line_count == 0)
        fputs("<p>No source lines are known: build with -lineinfo.</p>\n", stream);
    if (profile->line_count && find_files(profile, &files)) {
        put_hottest(profile, &files, stream);
        for (unsigned i = 0; i < files.count; i++)
            put_file(profile, files.name[i], i, stream);
        free(files.name);
    }
    fputs("</body>\n</html>\n", stream);
}
