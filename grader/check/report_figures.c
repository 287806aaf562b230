/* report_figures.c - counters and utilization in a report: each figure next to what it should
 * be. */
#include "check/record.h"
#include "check/report_parts.h"
#include "lib/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Counters --------------------------------------------------------------------------------- */

static bool missed(const json_t *figure)
{
    return !json_is_true(json_object_get(figure, "ok"));
}

/* Missed but not refused: mending it would gain too little. See examine/bars.h. */
static bool is_remark(const json_t *figure)
{
    return missed(figure) && json_is_false(json_object_get(figure, "refuses"));
}

/* A zero that must be zero says nothing, nor does a figure that may be missing and is. */
static bool is_idle(const json_t *figure)
{
    double value = record_real(figure, "value");
    return !missed(figure) && (isnan(value) || (value == 0 && record_real(figure, "at_most") == 0));
}

/* Three digits, or as many as it takes to show that a refused figure misses the bar. */
static void write_figure(double value, double bar, bool at_least, bool ok, char text[32])
{
    int digits = value < 1000 ? 3 : 1 + (int)log10(value);
    do {
        snprintf(text, 32, "%.*g", digits++, value);
    } while (!ok && digits < 17 && (at_least ? atof(text) >= bar : atof(text) <= bar));
}

static void print_figure(const json_t *figure, const struct terminal *terminal)
{
    bool ok = !missed(figure), at_least = json_object_get(figure, "at_least") != NULL;
    double value = record_real(figure, "value");
    double bar = record_real(figure, at_least ? "at_least" : "at_most");
    char number[32] = "none", gain[32] = "";
    if (!isnan(value))
        write_figure(value, bar, at_least, ok, number);
    if (!isnan(record_real(figure, "gain")))
        snprintf(gain, sizeof gain, ": %.0f %% of the time", 100 * record_real(figure, "gain"));
    bool refuses = !ok && !is_remark(figure);
    fprintf(terminal->out, "%*s", REPORT_STATE, "");
    terminal_print(terminal,
                   ok        ? STYLE_GOOD
                   : refuses ? STYLE_BAD
                             : STYLE_DIM,
                   "%-5s",
                   ok        ? "ok"
                   : refuses ? "no"
                             : "note");
    fprintf(terminal->out, "%-38s %6s   %s %.3g%s\n", record_text(figure, "name"), number,
            at_least ? "at least" : "at most", bar, gain);
}

static json_t *figure_named(const json_t *one, const char *name)
{
    size_t i;
    json_t *figure;
    json_array_foreach (json_object_get(one, "figures"), i, figure) {
        if (strcmp(record_text(figure, "name"), name) == 0)
            return figure;
    }
    return NULL;
}

/* The worst of a figure in all cases that have it; the first of them when it has no value. */
static const json_t *worst_of(const json_t *cases, const char *name)
{
    size_t i;
    json_t *one;
    const json_t *worst = NULL;
    json_array_foreach (cases, i, one) {
        const json_t *figure = figure_named(one, name);
        double value = record_real(figure, "value"), before = record_real(worst, "value");
        bool at_least = json_object_get(figure, "at_least") != NULL;
        if (figure && (isnan(before) || (at_least ? value < before : value > before)))
            worst = figure;
    }
    return worst;
}

static bool told_before(const json_t *cases, size_t before, const char *name)
{
    for (size_t i = 0; i < before; i++)
        if (figure_named(json_array_get(cases, i), name))
            return true;
    return false;
}

/* A counter may have two bars. */
static bool told_in_case(const json_t *one, size_t before, const char *name)
{
    const json_t *figures = json_object_get(one, "figures");
    for (size_t i = 0; i < before; i++)
        if (strcmp(record_text(json_array_get(figures, i), "name"), name) == 0)
            return true;
    return false;
}

static size_t cases_with(const json_t *cases, const char *name)
{
    size_t i, count = 0;
    json_t *one;
    json_array_foreach (cases, i, one) {
        count += figure_named(one, name) != NULL;
    }
    return count;
}

/* "load efficiency 0.944", and of how many cases if the others do not require it. */
static void say_worst(const json_t *cases, const char *name, bool follows, char *text, size_t bytes)
{
    char number[32], of[48] = "";
    size_t with = cases_with(cases, name);
    snprintf(number, sizeof number, "%.3g", record_real(worst_of(cases, name), "value"));
    if (with < json_array_size(cases))
        snprintf(of, sizeof of, " (asked for in %zu case%s)", with, with == 1 ? "" : "s");
    snprintf(text, bytes, "%s%s %s%s", follows ? ", " : "", name, number, of);
}

/* Passed: each figure in one sentence, the worst of all cases. */
static void print_counters_passed(const json_t *cases, const char *reason,
                                  const struct terminal *terminal)
{
    size_t i, j;
    json_t *one, *figure;
    char text[1024] = "";
    json_array_foreach (cases, i, one) {
        json_array_foreach (json_object_get(one, "figures"), j, figure) {
            const char *name = record_text(figure, "name");
            const json_t *worst = worst_of(cases, name);
            size_t used = strlen(text);
            if (!is_idle(worst) && !told_before(cases, i, name) && !told_in_case(one, j, name))
                say_worst(cases, name, used > 0, text + used, sizeof text - used);
        }
    }
    size_t count = json_array_size(cases);
    if (!*text)
        report_say(terminal, "%s", *reason ? reason : "the lesson asks for none");
    else if (count > 1)
        report_say(terminal, "%s; of %zu cases the worst", text, count);
    else
        report_say(terminal, "%s", text);
}

/* The sentences of bars that are missed but cost little, with the case if there are several. */
static void print_remarks(const json_t *cases, const struct terminal *terminal)
{
    size_t i, j;
    json_t *one, *remark;
    json_array_foreach (cases, i, one) {
        json_array_foreach (json_object_get(one, "remarks"), j, remark) {
            fprintf(terminal->out, "%*s", REPORT_TEXT, "");
            if (json_array_size(cases) > 1)
                report_say(terminal, "a remark on %s: %s", record_text(one, "case"),
                           json_string_value(remark));
            else
                report_say(terminal, "a remark: %s", json_string_value(remark));
        }
    }
}

/* All figures of the case that represents the gate, and the missed ones of the others: more would
 * not fit on a screen. */
static void print_figures(const json_t *one, const struct terminal *terminal, bool all, bool named)
{
    size_t i;
    json_t *figure;
    json_array_foreach (json_object_get(one, "figures"), i, figure) {
        if (is_idle(figure) || (!all && !missed(figure)))
            continue;
        if (named)
            fprintf(terminal->out, "%*s%s:\n", REPORT_STATE, "", record_text(one, "case"));
        named = false;
        print_figure(figure, terminal);
    }
}

void report_counters(const json_t *gate, const struct terminal *terminal, bool information)
{
    size_t i, shown = (size_t)record_integer(gate, "shown");
    json_t *one, *cases = json_object_get(gate, "cases");
    if (report_start_gate(terminal, gate, information)) {
        print_counters_passed(cases, record_text(gate, "reason"), terminal);
        print_remarks(cases, terminal);
        return;
    }
    report_say(terminal, "%s", record_text(gate, "reason"));
    json_array_foreach (cases, i, one) {
        print_figures(one, terminal, i == shown, json_array_size(cases) > 1);
    }
}

/* --- Utilization ------------------------------------------------------------------------------ */

/* " of 4.23 TB/s, the copy rate": a share of it would be a second percentage next to that of the
 * reference's speed. A rate slightly above the ceiling is not "of" it. */
static void say_ceiling(const json_t *one, char *text, size_t bytes)
{
    char rate[32];
    double share = record_real(one, "of_ceiling"), ceiling = record_real(one, "rate") / share;
    units_rate(ceiling, record_text(one, "rate_unit"), rate, sizeof rate);
    snprintf(text, bytes, share > 1.005 ? ", where lesson 0 found %s, the %s" : " of %s, the %s",
             rate, record_text(one, "ceiling"));
}

/* " (not the GPU's case: it uses atomics)", on all of the device or a slice of it. */
static void say_other_case(const json_t *one, char *text, size_t bytes)
{
    double part = record_real(one, "multiprocessors"),
           whole = record_real(one, "whole_multiprocessors");
    int used = snprintf(text, bytes, " (not the GPU's case");
    if (part < whole && used < (int)bytes)
        used += snprintf(text + used, bytes - (size_t)used,
                         ", but a smaller one on %.0f of the device's %.0f multiprocessors, with "
                         "as small a part of L2 and of DRAM's rate",
                         part, whole);
    if (used < (int)bytes)
        snprintf(text + used, bytes - (size_t)used, ": %s)", record_text(one, "unsampled"));
}

/* "copy, 64 MiB: 17.4 us modelled, 3.86 TB/s of 4.23 TB/s, the copy rate"; if there are several,
 * each after its share of the reference's speed. */
static void print_speed(const json_t *one, const struct terminal *terminal, bool measured,
                        bool with_ratio)
{
    char time[32], rate[32], text[600];
    double ratio = record_real(one, "ratio");
    units_time(record_real(one, "time_ns"), time, sizeof time);
    units_rate(record_real(one, "rate"), record_text(one, "rate_unit"), rate, sizeof rate);
    bool has_rate = record_real(one, "rate") > 0;
    int used = snprintf(text, sizeof text, "%s: %s%s%s%s", record_text(one, "case"), time,
                        measured ? "" : " modelled", has_rate ? ", " : "", has_rate ? rate : "");
    if (isfinite(record_real(one, "of_ceiling")))
        say_ceiling(one, text + used, sizeof text - (size_t)used);
    double blocks = record_real(one, "blocks"), run = record_real(one, "blocks_run");
    used = (int)strlen(text);
    if (!measured && run < blocks)
        snprintf(text + used, sizeof text - (size_t)used, " (%.0f of %.0f blocks ran)", run,
                 blocks);
    if (!measured && *record_text(one, "whole"))
        snprintf(text + used, sizeof text - (size_t)used, " (every block ran: %s)",
                 record_text(one, "whole"));
    used = (int)strlen(text);
    if (!measured && *record_text(one, "verified"))
        snprintf(text + used, sizeof text - (size_t)used, " (its results: in %s)",
                 record_text(one, "verified"));
    used = (int)strlen(text);
    if (!measured && isfinite(record_real(one, "share_of_real")))
        snprintf(text + used, sizeof text - (size_t)used,
                 " (as long as where %.0f %% of the multiprocessors have a block, as in the GPU's "
                 "case)",
                 100 * record_real(one, "share_of_real"));
    used = (int)strlen(text);
    if (json_is_true(json_object_get(one, "shown_only")))
        snprintf(text + used, sizeof text - (size_t)used, " (shown, not judged)");
    if (!measured && *record_text(one, "unsampled"))
        say_other_case(one, text + used, sizeof text - (size_t)used);
    int at = fprintf(terminal->out, "%*s", with_ratio ? REPORT_STATE : REPORT_TEXT, "");
    if (with_ratio && isfinite(ratio))
        at += fprintf(terminal->out, "%5.1f %%  ", 100 * ratio);
    else if (with_ratio)
        at += fprintf(terminal->out, "%9s", "");
    terminal_wrap(terminal, text, at, at);
}

/* As write_figure, in percent. */
static void write_share(double percent, double bar, bool refused, char text[32])
{
    int decimals = 1;
    do {
        snprintf(text, 32, "%.*f", decimals++, percent);
    } while (refused && percent < bar && decimals < 9 && atof(text) >= bar);
}

/* Why it passes, though its modelled ratio is below the bar. */
static void say_tolerated(const json_t *gate, const struct terminal *terminal)
{
    char text[120];
    double tolerated = 100 * record_real(gate, "tolerated");
    if (record_verdict(gate) != VERDICT_PASS || isnan(tolerated))
        return;
    snprintf(text, sizeof text,
             "let pass: it is within %.0f %% of that, and modelled times err; a GPU can tell",
             tolerated);
    terminal_wrap(terminal, text, REPORT_TEXT, 0);
}

void report_utilization(const json_t *gate, const struct terminal *terminal, bool information)
{
    size_t i;
    json_t *one, *cases = json_object_get(gate, "cases");
    bool measured = json_is_true(json_object_get(gate, "measured"));
    const json_t *shown = json_array_get(cases, (size_t)record_integer(gate, "shown"));
    double ratio = record_real(gate, "ratio"), low = record_real(shown, "low");
    char share[32];
    report_start_gate(terminal, gate, information);
    if (isnan(ratio)) {
        report_explain(terminal, gate);
        return;
    }
    double bar = 100 * record_real(gate, "bar");
    write_share(100 * ratio, bar, record_verdict(gate) == VERDICT_SLOW, share);
    fprintf(terminal->out, "%s %% of the reference's speed", share);
    if (isfinite(low))
        fprintf(terminal->out, " [%.1f, %.1f]", 100 * low, 100 * record_real(shown, "high"));
    fprintf(terminal->out, "   at least %.0f %%%s\n", bar,
            information ? ", once what is above holds" : "");
    say_tolerated(gate, terminal);
    json_array_foreach (cases, i, one) {
        if (isfinite(record_real(one, "time_ns")))
            print_speed(one, terminal, measured, json_array_size(cases) > 1);
    }
    enum verdict verdict = record_verdict(gate);
    if (!information && verdict != VERDICT_PASS && verdict != VERDICT_SLOW)
        terminal_wrap(terminal, record_text(gate, "reason"), REPORT_TEXT, 0);
}

/* --- Gold ------------------------------------------------------------------------------------- */

/* The reference's share of a ceiling is the submission's divided by their ratio: of_ceiling /
 * ratio. */
static bool reference_earns_gold(const json_t *cases, double gold_bar)
{
    size_t i;
    json_t *one;
    json_array_foreach (cases, i, one) {
        if (!(record_real(one, "of_ceiling") / record_real(one, "ratio") >= gold_bar))
            return false;
    }
    return gold_bar > 0;
}

void report_gold(const json_t *gate, char *text, size_t bytes)
{
    const json_t *cases = json_object_get(gate, "cases"), *one = json_array_get(cases, 0);
    double gold_bar = record_real(gate, "gold_bar"), percent = 100 * gold_bar;
    char rate[32];
    *text = '\0';
    if (json_is_true(json_object_get(gate, "gold"))) {
        snprintf(text, bytes, ", gold");
    } else if (record_real(gate, "gold_of_ladder") > 0) {
        snprintf(text, bytes, " (gold: %.0f %% of the ladder's top)",
                 100 * record_real(gate, "gold_of_ladder"));
    } else if (reference_earns_gold(cases, gold_bar) && json_array_size(cases) > 1) {
        snprintf(text, bytes, " (gold asks for %.0f %% of the ceiling in each)", percent);
    } else if (reference_earns_gold(cases, gold_bar)) {
        units_rate(gold_bar * record_real(one, "rate") / record_real(one, "of_ceiling"),
                   record_text(one, "rate_unit"), rate, sizeof rate);
        snprintf(text, bytes, " (gold: at least %s, %.0f %% of the %s)", rate, percent,
                 record_text(one, "ceiling"));
    }
}
