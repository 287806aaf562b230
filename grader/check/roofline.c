/* roofline.c - the roofline in a terminal.
 *
 * A kernel that does I operations for each byte it moves can do at most
 * min(I x copy rate, FMA rate) operations a second. On doubly logarithmic axes that is a slope and
 * a flat roof, which meet at the ridge: left of it a kernel is bound by memory, right of it by
 * arithmetic.
 */
#include "check/roofline.h"

#include "check/ceilings.h"
#include "check/record.h"
#include "lib/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 60, HEIGHT = 7 };

/* From 2^-4 to 2^11 operations a byte: an elementwise sum at one end, a large product at the
 * other. */
#define FIRST_LOG -4.0
#define LAST_LOG 11.0

static double intensity_at(int column)
{
    return exp2(FIRST_LOG + (LAST_LOG - FIRST_LOG) * column / (WIDTH - 1));
}

/* The row, from the top, at which the roof is above a column. */
static int roof_row(double copy_rate, double fma_rate, int column)
{
    double bottom = log2(copy_rate) + FIRST_LOG, top = log2(fma_rate);
    double roof = log2(fmin(intensity_at(column) * copy_rate, fma_rate));
    return (int)lround((HEIGHT - 1) * (top - roof) / (top - bottom));
}

static void print_roof(double copy_rate, double fma_rate, const struct terminal *terminal)
{
    const char *slope = terminal->unicode ? "╱" : "/", *flat = terminal->unicode ? "━" : "-";
    char most[32], least[32];
    units_rate(fma_rate, "FLOP/s", most, sizeof most);
    units_rate(copy_rate * exp2(FIRST_LOG), "FLOP/s", least, sizeof least);
    for (int row = 0; row < HEIGHT; row++) {
        fprintf(terminal->out, "  %12s %s",
                row == 0            ? most
                : row == HEIGHT - 1 ? least
                                    : "",
                terminal->unicode ? "│" : "|");
        for (int column = 0; column < WIDTH; column++)
            fputs(roof_row(copy_rate, fma_rate, column) != row ? " "
                  : row == 0                                   ? flat
                                                               : slope,
                  terminal->out);
        putc('\n', terminal->out);
    }
    fprintf(terminal->out, "  %12s %s", "", terminal->unicode ? "└" : "+");
    for (int column = 0; column < WIDTH; column++)
        fputs(terminal->unicode ? "─" : "-", terminal->out);
    fprintf(terminal->out, "\n  %12s  1/16%*s2048\n", "", WIDTH - 8,
            "operations for each byte moved            ");
}

static int by_bytes(const void *a, const void *b)
{
    double x = record_real(*(json_t *const *)a, "bytes");
    double y = record_real(*(json_t *const *)b, "bytes");
    return (x > y) - (x < y);
}

/* Copies by size, smallest first: a bar for each. */
static void print_copies(const json_t *probes, const struct terminal *terminal)
{
    enum { MOST = 32, BAR = 30 };
    json_t *copies[MOST], *probe;
    size_t i, count = 0;
    double best = 0;
    json_array_foreach (probes, i, probe) {
        if (count == MOST || record_real(probe, "flop") > 0 || record_real(probe, "bytes") == 0)
            continue;
        copies[count++] = probe;
        best = fmax(best, record_real(probe, "bytes") / record_real(probe, "time_ns"));
    }
    qsort(copies, count, sizeof *copies, by_bytes);
    for (i = 0; i < count; i++) {
        char rate[32];
        double bytes_per_ns = record_real(copies[i], "bytes") / record_real(copies[i], "time_ns");
        units_rate(bytes_per_ns * 1e9, "B/s", rate, sizeof rate);
        fprintf(terminal->out, "  %-16s %10s ", record_text(copies[i], "case"), rate);
        for (int bar = 0; bar < (int)lround(BAR * bytes_per_ns / best); bar++)
            fputs(terminal->unicode ? "▇" : "#", terminal->out);
        putc('\n', terminal->out);
    }
}

void roofline_print(const json_t *ceilings, const struct terminal *terminal)
{
    double copy_rate = ceilings_value(ceilings, "copy rate");
    double fma_rate = ceilings_value(ceilings, "FMA rate");
    char copy[32], fma[32], launch[32], text[200];
    if (!(copy_rate > 0 && fma_rate > 0))
        return;
    units_rate(copy_rate, "B/s", copy, sizeof copy);
    units_rate(fma_rate, "FLOP/s", fma, sizeof fma);
    units_time(record_real(ceilings, "launch_ns"), launch, sizeof launch);
    print_roof(copy_rate, fma_rate, terminal);
    snprintf(text, sizeof text,
             "copy rate %s, FMA rate %s, ridge at %.0f operations a byte; a launch takes %s", copy,
             fma, fma_rate / copy_rate, launch);
    terminal_wrap(terminal, text, 2, 0);
    print_copies(json_object_get(ceilings, "probes"), terminal);
}
