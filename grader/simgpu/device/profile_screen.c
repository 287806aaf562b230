/* profile_screen.c - the profile at the end of `simgpu run`: one screen, for people. */
#include "profile.h"

#include "../line.h"
#include "lib/terminal.h"

#include <inttypes.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

/* What fits on one screen. */
enum { MOST_KERNELS = 8, MOST_LINES = 6, MOST_RANGES = 4, MOST_KERNELS_INSIDE = 3 };
enum { PIPE_COLUMNS = 80 };

/* --- Numbers ---------------------------------------------------------------------------------- */

static void say_time(double time_ns, char *text, size_t bytes)
{
    static const char *const UNITS[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    while (time_ns >= 1000 && unit < 3) {
        time_ns /= 1000;
        unit++;
    }
    snprintf(text, bytes, "%.*f %s", unit == 0 ? 0 : 2, time_ns, UNITS[unit]);
}

/* In at most 8 columns: "999999", "1.23 M". */
static void say_count(uint64_t count, char *text, size_t bytes)
{
    static const char UNITS[] = "kMGT";
    double value = (double)count;
    int unit = -1;
    for (; value >= 999.995 && unit < 3; unit++)
        value /= 1000;
    if (count < 1000000)
        snprintf(text, bytes, "%" PRIu64, count);
    else
        snprintf(text, bytes, "%.2f %c", value, UNITS[unit]);
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* --- Kernels ---------------------------------------------------------------------------------- */

static void print_kernels(const struct profile *profile, const struct terminal *terminal)
{
    FILE *out = terminal->out;
    int room = terminal->columns - 58;
    terminal_print(terminal, STYLE_BOLD, "\n  %-*s  %8s %14s %8s  %s\n", room, "kernel", "calls",
                   "modelled time", "share", "bound by");
    for (size_t i = 0; i < profile->kernel_count && i < MOST_KERNELS; i++) {
        const struct kernel_sum *kernel = &profile->kernels[i];
        char time[32], calls[16];
        say_time(kernel->time_ns, time, sizeof time);
        say_count(kernel->calls, calls, sizeof calls);
        fprintf(out, "  %-*.*s  %8s %14s %6.1f %%  %s\n", room, room, kernel->name, calls, time,
                share(kernel->time_ns, profile->kernel_ns), kernel->bound);
    }
    if (profile->kernel_count > MOST_KERNELS)
        fprintf(out, "  ... and %zu more\n", profile->kernel_count - MOST_KERNELS);
}

/* --- Ranges ----------------------------------------------------------------------------------- */

/* The kernels inside a range, below it. */
static void print_inside(const struct range_sum *range, const struct terminal *terminal, int room)
{
    for (size_t i = 0; i < range->kernel_count && i < MOST_KERNELS_INSIDE; i++) {
        const struct kernel_sum *kernel = &range->kernels[i];
        char time[32], calls[16];
        say_time(kernel->time_ns, time, sizeof time);
        say_count(kernel->calls, calls, sizeof calls);
        terminal_print(terminal, STYLE_DIM, "    %-*.*s %7s %11s %6s  on the device\n", room - 2,
                       room - 2, kernel->name, "", time, calls);
    }
    if (range->kernel_count > MOST_KERNELS_INSIDE)
        terminal_print(terminal, STYLE_DIM, "    ... and %zu more kernels\n",
                       range->kernel_count - MOST_KERNELS_INSIDE);
}

static void print_ranges(const struct profile *profile, const struct terminal *terminal)
{
    FILE *out = terminal->out;
    int room = terminal->columns - 66;
    terminal_print(terminal, STYLE_BOLD, "\n  %-*s %7s %11s %6s %11s %11s %11s\n", room,
                   "NVTX range", "share", "total", "times", "average", "least", "most");
    for (size_t i = 0; i < profile->range_count && i < MOST_RANGES; i++) {
        const struct range_kind *kind = profile->ranges[i].kind;
        char total[32], average[32], least[32], most[32], times[16];
        say_time(kind->total_ns, total, sizeof total);
        say_time(kind->total_ns / (double)kind->instances, average, sizeof average);
        say_time(kind->least_ns, least, sizeof least);
        say_time(kind->most_ns, most, sizeof most);
        say_count(kind->instances, times, sizeof times);
        fprintf(out, "  %-*.*s %5.1f %% %11s %6s %11s %11s %11s\n", room, room, kind->name,
                share(kind->total_ns, profile->range_ns), total, times, average, least, most);
        print_inside(&profile->ranges[i], terminal, room);
    }
    if (profile->range_count > MOST_RANGES)
        fprintf(out, "  ... and %zu more\n", profile->range_count - MOST_RANGES);
    terminal_print(terminal, STYLE_DIM,
                   "  (a range's time is the host's: its CUDA calls and what "
                   "they waited for)\n");
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* "transpose.cu:14", with the name's start left out when there is no room. */
static void say_place(const struct simgpu_place *place, int room, char *text, size_t bytes)
{
    char number[16];
    const char *name = profile_base_name(place->file);
    int digits = snprintf(number, sizeof number, ":%u", place->line);
    int length = (int)strlen(name), left = room - digits;
    bool fits = length <= left;
    snprintf(text, bytes, "%s%s%s", fits ? "" : "..", fits ? name : name + length - (left - 2),
             number);
}

/* A count per request next to what is needed, or dashes. */
static void print_ratio(const struct terminal *terminal, uint64_t is, uint64_t ideal,
                        uint64_t requests)
{
    if (requests == 0) {
        terminal_print(terminal, STYLE_DIM, " %7s %6s", "-", "-");
        return;
    }
    enum terminal_style style = is > ideal + ideal / 4 ? STYLE_WARNING : STYLE_PLAIN;
    terminal_print(terminal, style, " %7.1f", (double)is / (double)requests);
    fprintf(terminal->out, " %6.1f", (double)ideal / (double)requests);
}

/* The text of the line itself, if there is a source to read. */
static void print_source(const struct profile *profile, const struct terminal *terminal,
                         const struct simgpu_place *place)
{
    size_t length;
    char text[128];
    const char *source = profile_source_line(profile, place->file, place->line, &length);
    if (!source)
        return;
    while (length && (*source == ' ' || *source == '\t')) {
        source++;
        length--;
    }
    int room = terminal->columns - 6;
    snprintf(text, sizeof text, "%.*s", (int)length < room ? (int)length : room, source);
    terminal_quote(terminal, text, 6, 1);
}

/* "12.30 us, 81 % of it waiting for memory; loads touch 32.0 sectors a request, 4.0 would do; with
 * neighbouring lanes on neighbouring addresses the kernel would take 0.17 of its time
 * (modelled)" */
static void say_line(const struct profile *profile, const struct simgpu_line *line, char *text,
                     size_t bytes)
{
    char time[32], waits[96], sentence[256], gain[160];
    say_time(line_time(line), time, sizeof time);
    line_say_time(line, waits, sizeof waits);
    line_say(line, sentence, sizeof sentence);
    line_say_gain(line, profile_time_around(profile, line), "the kernel", gain, sizeof gain);
    snprintf(text, bytes, "%s%s%s; %s%s%s", time, *waits ? ", " : "", waits, sentence,
             *gain ? "; " : "", gain);
}

static void print_line(const struct profile *profile, const struct terminal *terminal,
                       const struct simgpu_line *line, int room)
{
    char place[128], count[16], sentence[512];
    struct simgpu_access memory = line_memory(line), shared = line_shared(line);
    say_place(&line->place, room, place, sizeof place);
    say_count(line->warp_instructions, count, sizeof count);
    fprintf(terminal->out, "  %-*s %5.1f %% %9s %6.1f", room, place,
            share(line_time(line), profile->kernel_ns), count,
            line->warp_instructions ? (double)line->lanes_on / (double)line->warp_instructions : 0);
    print_ratio(terminal, memory.sectors, memory.ideal_sectors, memory.requests);
    print_ratio(terminal, shared.wavefronts, shared.ideal_wavefronts, shared.requests);
    putc('\n', terminal->out);
    print_source(profile, terminal, &line->place);
    say_line(profile, line, sentence, sizeof sentence);
    terminal_wrap(terminal, sentence, 6, 0);
}

static void print_lines(const struct profile *profile, const struct terminal *terminal)
{
    int room = terminal->columns - 58;
    terminal_print(terminal, STYLE_BOLD, "\n  %-*s %7s %9s %6s %14s %14s\n", room,
                   "lines to look at first", "time", "warp", "lanes", "sectors/req.",
                   "wavefr./req.");
    terminal_print(terminal, STYLE_BOLD, "  %-*s %7s %9s %6s %7s %6s %7s %6s\n", room, "(modelled)",
                   "share", "instr.", "on", "is", "ideal", "is", "ideal");
    for (size_t i = 0; i < profile->line_count && i < MOST_LINES; i++)
        print_line(profile, terminal, &profile->lines[i], room);
    if (profile->line_count > MOST_LINES)
        fprintf(terminal->out, "  ... and %zu more\n", profile->line_count - MOST_LINES);
}

/* The programs have ended, so the device's counts no longer change. */
static const char *why_nothing(const struct device *device)
{
    if (device->refusals && !device->next_client)
        return "nothing ran here: what the program called was refused, as said above";
    return device->next_client ? "no kernel was launched"
                               : "neither the program nor what it started made a CUDA call";
}

void profile_print(const struct profile *profile, FILE *stream)
{
    setlocale(LC_CTYPE, "");
    struct terminal terminal = terminal_of(stream);
    if (!isatty(fileno(stream)) || terminal.columns < PIPE_COLUMNS)
        terminal.columns = PIPE_COLUMNS;
    fprintf(stream, "\n  %s: times are modelled, counters are exact\n", profile->device_name);
    if (profile->launch_count == 0)
        fprintf(stream, "  %s\n", why_nothing(profile->device));
    if (profile->kernel_count)
        print_kernels(profile, &terminal);
    if (profile->range_count)
        print_ranges(profile, &terminal);
    if (profile->line_count)
        print_lines(profile, &terminal);
    else if (profile->kernel_count)
        fprintf(stream, "\n  no source lines are known: build with -lineinfo\n");
    if (profile->dropped)
        fprintf(stream, "  (%" PRIu64 " more launches were not kept)\n", profile->dropped);
}
