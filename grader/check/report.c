/* report.c - prints a record: a line for each gate, what failed in detail, the verdict last. */
#include "check/report.h"

#include "check/record.h"
#include "check/roofline.h"
#include "check/units.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* A name stands at column 2, the state of a gate at STATE, what there is to say at TEXT. */
enum { STATE = 14, TEXT = 19, MOST_MESSAGE_LINES = 24, MOST_LOG_LINES = 8 };

/* --- Lines ------------------------------------------------------------------------------------ */

/* "  numerics  ok    " or, for one that is not passed, what it is. */
static void start_line(const struct terminal *terminal, const char *name, const char *state,
                       enum terminal_style style)
{
    fprintf(terminal->out, "  %-12s", name);
    terminal_print(terminal, style, "%-5s", state);
}

static bool start_gate(const struct terminal *terminal, const json_t *gate, bool information)
{
    bool passed = record_verdict(gate) == VERDICT_PASS;
    if (information)
        start_line(terminal, record_text(gate, "gate"), "info", STYLE_DIM);
    else
        start_line(terminal, record_text(gate, "gate"), passed ? "ok" : "NO",
                   passed ? STYLE_GOOD : STYLE_BAD);
    return passed;
}

/* What there is to say behind a state, or under it. */
static void say(const struct terminal *terminal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const struct terminal *terminal, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terminal_wrap(terminal, text, TEXT, TEXT);
}

static void explain(const struct terminal *terminal, const json_t *gate)
{
    const char *advice = record_text(gate, "advice");
    say(terminal, "%s", record_text(gate, "reason"));
    if (*advice)
        terminal_wrap(terminal, advice, TEXT, 0);
}

static void print_header(const json_t *record, const struct terminal *terminal)
{
    const json_t *device = json_object_get(record, "device");
    const char *note = record_text(record, "device_note");
    if (json_object_get(record, "lesson"))
        terminal_print(terminal, STYLE_BOLD, "lesson %d  %s", record_integer(record, "number"),
                       record_text(record, "title"));
    fputs(json_object_get(record, "lesson") ? "   " : "", terminal->out);
    terminal_quote(terminal, record_text(json_object_get(record, "submission"), "path"), 0, 1);
    if (!device)
        return;
    bool simulated = json_is_true(json_object_get(device, "simulated"));
    char text[400];
    snprintf(text, sizeof text, "%s%s, sandbox: %s, seed %s", record_text(device, "name"),
             simulated ? " (times are modelled)" : "", record_text(record, "sandbox"),
             record_text(record, "seed"));
    fprintf(terminal->out, "  %-12s", "device");
    terminal_wrap(terminal, text, STATE, STATE);
    if (*note)
        terminal_wrap(terminal, note, STATE, 0);
    if (json_is_true(json_object_get(record, "self_check")))
        terminal_wrap(terminal, "data crosses by shared host memory: a self-check, not a grade",
                      STATE, 0);
}

static void print_build(const json_t *gate, const struct terminal *terminal)
{
    const char *messages = record_text(gate, "messages");
    if (start_gate(terminal, gate, false)) {
        bool cached = json_is_true(json_object_get(gate, "cached"));
        fprintf(terminal->out, "%s\n", cached ? "unchanged" : "compiled");
    } else {
        explain(terminal, gate);
    }
    if (*messages)
        terminal_quote(terminal, messages, 2, MOST_MESSAGE_LINES);
}

static void print_cases(const json_t *gate, const struct terminal *terminal)
{
    int cases = record_integer(gate, "cases"), done = record_integer(gate, "done");
    bool is_safety = strcmp(record_text(gate, "gate"), "safety") == 0;
    if (!start_gate(terminal, gate, false)) {
        explain(terminal, gate);
        if (!strstr(record_text(gate, "reason"), record_text(gate, "case")))
            fprintf(terminal->out, "%*scase %s (%d of %d)\n", TEXT, "",
                    record_text(gate, "case"), done + 1, cases);
        return;
    }
    if (is_safety)
        say(terminal, "no fault in %d cases (bounds, races, uninitialised reads)", done);
    else if (record_real(gate, "worst_share") > 0)
        say(terminal, "%d of %d cases, worst error %.2g of what is allowed (%s)", done, cases,
            record_real(gate, "worst_share"), record_text(gate, "worst_case"));
    else
        say(terminal, "%d of %d cases, exact", done, cases);
}

/* --- Counters --------------------------------------------------------------------------------- */

/* A zero that has to be one says nothing. */
static bool is_idle(const json_t *figure)
{
    return json_is_true(json_object_get(figure, "ok")) && record_real(figure, "value") == 0 &&
           json_object_get(figure, "at_most") && record_real(figure, "at_most") == 0;
}

static void print_figure(const json_t *figure, const struct terminal *terminal)
{
    bool ok = json_is_true(json_object_get(figure, "ok"));
    const char *side = json_object_get(figure, "at_least") ? "at_least" : "at_most";
    double value = record_real(figure, "value");
    char number[32];
    snprintf(number, sizeof number, value >= 1000 ? "%.0f" : "%.3g", value);
    fprintf(terminal->out, "%*s", STATE, "");
    terminal_print(terminal, ok ? STYLE_GOOD : STYLE_BAD, "%-4s", ok ? "ok" : "NO");
    fprintf(terminal->out, "%-38s ", record_text(figure, "name"));
    if (isnan(value))
        fprintf(terminal->out, "%6s\n", "none");
    else
        fprintf(terminal->out, "%6s   %s %.3g\n", number,
                strcmp(side, "at_least") == 0 ? "at least" : "at most", record_real(figure, side));
}

/* Passed: those of the first case in one sentence. */
static void print_counters_passed(const json_t *cases, const struct terminal *terminal)
{
    size_t i;
    json_t *figure;
    char text[1024] = "";
    json_array_foreach(json_object_get(json_array_get(cases, 0), "figures"), i, figure) {
        double value = record_real(figure, "value");
        size_t used = strlen(text);
        if (!isnan(value) && !is_idle(figure))
            snprintf(text + used, sizeof text - used, "%s%s %.3g", used ? ", " : "",
                     record_text(figure, "name"), value);
    }
    size_t count = json_array_size(cases);
    if (count > 1)
        say(terminal, "%s; likewise in %zu more", text, count - 1);
    else
        say(terminal, "%s", *text ? text : "the lesson asks for none");
}

static bool missed(const json_t *figure)
{
    return !json_is_true(json_object_get(figure, "ok"));
}

/* All figures of the case that stands for the gate, and of the others those that are missed: more
 * would not fit a screen. */
static void print_figures(const json_t *one, const struct terminal *terminal, bool all, bool named)
{
    size_t i;
    json_t *figure;
    json_array_foreach(json_object_get(one, "figures"), i, figure) {
        if (is_idle(figure) || (!all && !missed(figure)))
            continue;
        if (named)
            fprintf(terminal->out, "%*s%s:\n", STATE, "", record_text(one, "case"));
        named = false;
        print_figure(figure, terminal);
    }
}

static void print_counters(const json_t *gate, const struct terminal *terminal, bool information)
{
    size_t i, shown = (size_t)record_integer(gate, "shown");
    json_t *one, *cases = json_object_get(gate, "cases");
    if (start_gate(terminal, gate, information)) {
        print_counters_passed(cases, terminal);
        return;
    }
    say(terminal, "%s", record_text(gate, "reason"));
    json_array_foreach(cases, i, one) {
        print_figures(one, terminal, i == shown, json_array_size(cases) > 1);
    }
}

/* --- Utilization ------------------------------------------------------------------------------ */

/* "copy, 64 MiB: 17.4 us modelled, 3.86 TB/s = 93.1 % of the copy rate"; where there are several,
 * behind the share of the reference's speed that each has. */
static void print_speed(const json_t *one, const struct terminal *terminal, bool measured,
                        bool with_ratio)
{
    char time[32], rate[32], text[400];
    double ratio = record_real(one, "ratio");
    units_time(record_real(one, "time_ns"), time, sizeof time);
    units_rate(record_real(one, "rate"), record_text(one, "rate_unit"), rate, sizeof rate);
    bool has_rate = record_real(one, "rate") > 0;
    int used = snprintf(text, sizeof text, "%s: %s%s%s%s", record_text(one, "case"), time,
                        measured ? "" : " modelled", has_rate ? ", " : "", has_rate ? rate : "");
    if (isfinite(record_real(one, "of_ceiling")))
        snprintf(text + used, sizeof text - (size_t)used, " = %.1f %% of the %s",
                 100 * record_real(one, "of_ceiling"), record_text(one, "ceiling"));
    int at = fprintf(terminal->out, "%*s", with_ratio ? STATE : TEXT, "");
    if (with_ratio && isfinite(ratio))
        at += fprintf(terminal->out, "%5.1f %%  ", 100 * ratio);
    else if (with_ratio)
        at += fprintf(terminal->out, "%9s", "");
    terminal_wrap(terminal, text, at, at);
}

static void print_utilization(const json_t *gate, const struct terminal *terminal,
                              bool information)
{
    size_t i;
    json_t *one, *cases = json_object_get(gate, "cases");
    bool measured = json_is_true(json_object_get(gate, "measured"));
    const json_t *shown = json_array_get(cases, (size_t)record_integer(gate, "shown"));
    double ratio = record_real(gate, "ratio"), low = record_real(shown, "low");
    start_gate(terminal, gate, information);
    if (isnan(ratio)) {
        explain(terminal, gate);
        return;
    }
    fprintf(terminal->out, "%.1f %% of the reference's speed", 100 * ratio);
    if (isfinite(low))
        fprintf(terminal->out, " [%.1f, %.1f]", 100 * low, 100 * record_real(shown, "high"));
    fprintf(terminal->out, "   at least %.0f %%\n", 100 * record_real(gate, "bar"));
    json_array_foreach(cases, i, one) {
        if (isfinite(record_real(one, "time_ns")))
            print_speed(one, terminal, measured, json_array_size(cases) > 1);
    }
    enum verdict verdict = record_verdict(gate);
    if (!information && verdict != VERDICT_PASS && verdict != VERDICT_SLOW)
        terminal_wrap(terminal, record_text(gate, "reason"), TEXT, 0);
}

/* --- The end ---------------------------------------------------------------------------------- */

static void print_line(const json_t *record, const struct terminal *terminal)
{
    const json_t *line = json_object_get(record, "line"), *other = json_object_get(line, "other");
    const char *advice = record_text(record, "advice"), *says = record_text(line, "says");
    const char *time = record_text(line, "time");
    if (line) {
        terminal_print(terminal, STYLE_BOLD, "  line %-7d", record_integer(line, "number"));
        terminal_quote(terminal, record_text(line, "text"), 0, 1);
        if (other) {
            terminal_print(terminal, STYLE_BOLD, "  line %-7d", record_integer(other, "number"));
            terminal_quote(terminal, record_text(other, "text"), 0, 1);
        }
        if (*says)
            terminal_wrap(terminal, says, STATE, 0);
        if (*time)
            terminal_wrap(terminal, time, STATE, 0);
    }
    if (*advice && record_verdict(record) == VERDICT_SLOW)
        terminal_wrap(terminal, advice, STATE, 0);
}

static void print_log(const json_t *record, const struct terminal *terminal)
{
    const char *log = record_text(record, "log");
    if (!*log)
        return;
    unsigned lines = 0;
    for (const char *at = log; *at; at += strcspn(at, "\n"), at += *at == '\n')
        lines++;
    start_line(terminal, "it printed", "", STYLE_PLAIN);
    if (json_is_true(json_object_get(record, "log_capped")))
        fputs("more than 64 KiB: the rest is lost\n", terminal->out);
    else
        fprintf(terminal->out, "%u line%s:\n", lines, lines == 1 ? "" : "s");
    terminal_quote(terminal, log, STATE, MOST_LOG_LINES);
}

static void print_verdict(const json_t *record, const struct terminal *terminal)
{
    enum verdict verdict = record_verdict(record);
    int number = record_integer(record, "number");
    bool known = json_object_get(record, "lesson") != NULL;
    if (verdict == VERDICT_PASS) {
        bool gold = json_is_true(json_object_get(record, "gold"));
        terminal_print(terminal, STYLE_GOOD, "PASS");
        fprintf(terminal->out, " lesson %d: %d points%s.   next: make diff-lesson%d | make\n",
                number, record_integer(record, "points"), gold ? ", gold" : "", number);
        return;
    }
    bool again = verdict_points(verdict) == POINTS_AGAIN;
    terminal_print(terminal, again ? STYLE_WARNING : STYLE_BAD, "%s",
                   verdict == VERDICT_INCONCLUSIVE ? "INCONCLUSIVE"
                   : again                         ? "NO VERDICT"
                                                   : "NOT YET");
    if (known)
        fprintf(terminal->out, " lesson %d", number);
    fprintf(terminal->out, " [%s] your code %s.", verdict_name(verdict),
            verdict_sentence(verdict));
    if (known && !again && verdict != VERDICT_REFUSED)
        fprintf(terminal->out, "   make hint-lesson%d", number);
    putc('\n', terminal->out);
}

void report_print(const json_t *record, const struct terminal *terminal)
{
    size_t i;
    json_t *gate;
    bool failed = false;
    print_header(record, terminal);
    json_array_foreach(json_object_get(record, "gates"), i, gate) {
        const char *name = record_text(gate, "gate");
        if (strcmp(name, "safety") == 0 || strcmp(name, "numerics") == 0)
            print_cases(gate, terminal);
        else if (strcmp(name, "counters") == 0)
            print_counters(gate, terminal, failed);
        else if (strcmp(name, "utilization") == 0)
            print_utilization(gate, terminal, failed);
        else
            print_build(gate, terminal);
        failed |= record_verdict(gate) != VERDICT_PASS;
    }
    if (record_integer(record, "number") == 0 && record_verdict(record) == VERDICT_PASS)
        roofline_print(json_object_get(record, "ceilings"), terminal);
    print_line(record, terminal);
    print_log(record, terminal);
    print_verdict(record, terminal);
}
