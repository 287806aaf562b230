/* report.c - prints a record: a line for each gate, what failed in detail, the verdict last. */
#include "check/report.h"

#include "check/parts.h"
#include "check/record.h"
#include "check/report_parts.h"
#include "check/roofline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SCREEN_LINES = 24, MOST_LOG_LINES = 8 };

static void print_header(const json_t *record, const struct terminal *terminal)
{
    const json_t *device = json_object_get(record, "device");
    const char *note = record_text(record, "device_note"), *only = record_text(record, "only");
    if (json_object_get(record, "lesson"))
        terminal_print(terminal, STYLE_BOLD, "lesson %d  %s", record_integer(record, "number"),
                       record_text(record, "title"));
    fputs(json_object_get(record, "lesson") ? "   " : "", terminal->out);
    terminal_cell(terminal, record_text(json_object_get(record, "submission"), "path"), 0, INT_MAX);
    putc('\n', terminal->out);
    if (*only) {
        fprintf(terminal->out, "  %-12s", "only");
        terminal_wrap(terminal,
                      path_of("%s: no pass of the lesson, and no progress", parts_short(only)).text,
                      REPORT_STATE, REPORT_STATE);
    }
    if (!device)
        return;
    bool simulated = json_is_true(json_object_get(device, "simulated"));
    char text[400];
    snprintf(text, sizeof text, "%s%s, sandbox: %s, seed %s", record_text(device, "name"),
             simulated ? " (times are modelled)" : "", record_text(record, "sandbox"),
             record_text(record, "seed"));
    fprintf(terminal->out, "  %-12s", "device");
    terminal_wrap(terminal, text, REPORT_STATE, REPORT_STATE);
    if (*note)
        terminal_wrap(terminal, note, REPORT_STATE, 0);
    if (json_is_true(json_object_get(record, "self_check")))
        terminal_wrap(terminal,
                      strcmp(record_text(record, "sandbox"), "none") == 0
                          ? "no sandbox works here: a self-check, not a grade"
                          : "data crosses by shared host memory: a self-check, not a "
                            "grade",
                      REPORT_STATE, 0);
}

static void print_build(const json_t *gate, const struct terminal *terminal, unsigned most_messages)
{
    if (report_start_gate(terminal, gate, false)) {
        bool cached = json_is_true(json_object_get(gate, "cached"));
        fprintf(terminal->out, "%s\n", cached ? "unchanged" : "compiled");
    } else {
        report_explain(terminal, gate);
    }
    if (most_messages)
        terminal_quote(terminal, record_text(gate, "messages"), 2, most_messages);
}

/* Of the gate's large cases, the first from *at on that could not be judged here; NULL for none. */
static const json_t *next_unjudged(const json_t *gate, size_t *at)
{
    const json_t *large = json_object_get(gate, "large"), *one;
    while ((one = json_array_get(large, (*at)++)))
        if (*record_text(one, "unjudged"))
            return one;
    return NULL;
}

/* An unjudged case costs no points, but is reported. */
static void print_unjudged(const json_t *gate, const struct terminal *terminal)
{
    const json_t *one;
    for (size_t at = 0; (one = next_unjudged(gate, &at));) {
        fprintf(terminal->out, "%*s", REPORT_TEXT, "");
        report_say(terminal, "not judged here: %s (%s)", record_text(one, "case"),
                   record_text(one, "unjudged"));
    }
}

static bool has_unjudged(const json_t *record)
{
    size_t at = 0;
    return next_unjudged(record_gate(record, "numerics"), &at);
}

static void print_cases(const json_t *gate, const struct terminal *terminal)
{
    int cases = record_integer(gate, "cases"), done = record_integer(gate, "done");
    bool is_safety = strcmp(record_text(gate, "gate"), "safety") == 0;
    if (!report_start_gate(terminal, gate, false)) {
        report_explain(terminal, gate);
        if (!strstr(record_text(gate, "reason"), record_text(gate, "case")))
            fprintf(terminal->out, "%*scase %s (%d of %d)\n", REPORT_TEXT, "",
                    record_text(gate, "case"), done + 1, cases);
        return;
    }
    if (is_safety)
        report_say(terminal,
                   "no fault in %d cases (bounds, barriers, uninitialised reads, races "
                   "within launches and between them)",
                   done);
    else if (record_real(gate, "worst_share") > 0)
        report_say(terminal, "%d of %d cases, worst error %.2g of what is allowed (%s)", done,
                   cases, record_real(gate, "worst_share"), record_text(gate, "worst_case"));
    else
        report_say(terminal, "%d of %d cases, exact", done, cases);
    print_unjudged(gate, terminal);
}

/* --- The end ---------------------------------------------------------------------------------- */

static void print_line(const json_t *record, const struct terminal *terminal)
{
    const json_t *line = json_object_get(record, "line"), *other = json_object_get(line, "other");
    const char *advice = record_text(record, "advice"), *says = record_text(line, "says");
    const char *time = record_text(line, "time"), *gain = record_text(line, "gain");
    if (line)
        report_line(line, terminal);
    if (other)
        report_line(other, terminal);
    if (*says)
        terminal_wrap(terminal, says, REPORT_STATE, 0);
    if (*time)
        terminal_wrap(terminal, time, REPORT_STATE, 0);
    if (*gain)
        terminal_wrap(terminal, gain, REPORT_STATE, 0);
    if (*advice && record_verdict(record) == VERDICT_SLOW)
        terminal_wrap(terminal, advice, REPORT_STATE, 0);
}

static void print_log(const json_t *record, const struct terminal *terminal)
{
    const char *log = record_text(record, "log");
    if (!*log)
        return;
    unsigned lines = 0;
    for (const char *at = log; *at; at += strcspn(at, "\n"), at += *at == '\n')
        lines++;
    report_start_line(terminal, "it printed", "", STYLE_PLAIN);
    if (json_is_true(json_object_get(record, "log_capped")))
        fputs("more than 64 KiB: the rest is lost\n", terminal->out);
    else
        fprintf(terminal->out, "%u line%s:\n", lines, lines == 1 ? "" : "s");
    terminal_quote(terminal, log, REPORT_STATE, MOST_LOG_LINES);
}

/* So that the command applies to the same file. */
static void print_submission(const json_t *submission, const struct terminal *terminal)
{
    if (json_is_false(json_object_get(submission, "is_own")))
        fprintf(terminal->out, " SUBMISSION=%s", record_text(submission, "path"));
}

/* Before a command that is to be copied whole: a long one has a line of its own. */
static const char *before_command(const json_t *submission)
{
    enum { MOST_COLUMNS = 30 };
    bool is_other = json_is_false(json_object_get(submission, "is_own"));
    bool is_long = is_other && strlen(record_text(submission, "path")) > MOST_COLUMNS;
    return is_long ? "\n        " : "   ";
}

/* One launcher alone was checked, and is right. */
static void print_part(const json_t *record, const struct terminal *terminal)
{
    const json_t *submission = json_object_get(record, "submission");
    int number = record_integer(record, "number");
    terminal_print(terminal, STYLE_GOOD, "PART");
    fprintf(terminal->out,
            " of lesson %d: %s alone is as it should be; all of it:%smake "
            "check-lesson%d",
            number, parts_short(record_text(record, "only")), before_command(submission), number);
    print_submission(submission, terminal);
    putc('\n', terminal->out);
}

static void print_verdict(const json_t *record, const struct terminal *terminal)
{
    enum verdict verdict = record_verdict(record);
    int number = record_integer(record, "number");
    bool known = json_object_get(record, "lesson") != NULL;
    const json_t *submission = json_object_get(record, "submission");
    bool is_other = json_is_false(json_object_get(submission, "is_own"));
    if (verdict == VERDICT_PART) {
        print_part(record, terminal);
        return;
    }
    if (verdict == VERDICT_PASS) {
        char gold[96];
        report_gold(record_gate(record, "utilization"), gold, sizeof gold);
        terminal_print(terminal, STYLE_GOOD, "PASS");
        fprintf(terminal->out, " lesson %d: %d points%s.", number, record_integer(record, "points"),
                gold);
        if (!is_other)
            fprintf(terminal->out, "   next: make diff-lesson%d | make", number);
        putc('\n', terminal->out);
        return;
    }
    bool again = verdict_points(verdict) == POINTS_AGAIN;
    terminal_print(terminal, again ? STYLE_WARNING : STYLE_BAD, "%s",
                   verdict == VERDICT_INCONCLUSIVE ? "INCONCLUSIVE"
                   : again                         ? "NO VERDICT"
                                                   : "NOT YET");
    if (known)
        fprintf(terminal->out, " lesson %d", number);
    bool breaks_rule = *record_text(record, "broken_rule") != '\0';
    fprintf(terminal->out, " [%s] your code %s.", verdict_name(verdict),
            breaks_rule                                       ? "breaks a rule of its lesson"
            : verdict == VERDICT_SLOW && has_unjudged(record) ? "is right where it was judged, but "
                                                                "too slow"
                                                              : verdict_sentence(verdict));
    bool is_graded = json_is_true(json_object_get(submission, "is_graded"));
    if (known && !again && verdict != VERDICT_REFUSED && !is_graded) {
        fprintf(terminal->out, "%smake hint-lesson%d", before_command(submission), number);
        print_submission(submission, terminal);
    }
    putc('\n', terminal->out);
}

static void print_gate(const json_t *gate, const struct terminal *terminal, bool information,
                       unsigned most_messages)
{
    const char *name = record_text(gate, "gate");
    if (strcmp(name, "safety") == 0 || strcmp(name, "numerics") == 0)
        print_cases(gate, terminal);
    else if (strcmp(name, "counters") == 0)
        report_counters(gate, terminal, information);
    else if (strcmp(name, "utilization") == 0)
        report_utilization(gate, terminal, information);
    else
        print_build(gate, terminal, most_messages);
}

/* With that many lines of the compiler's messages. The reason why a gate was not measured is said
 * once. */
static void print_all(const json_t *record, const struct terminal *terminal, unsigned most_messages)
{
    size_t i;
    json_t *gate;
    bool failed = false, told = false;
    print_header(record, terminal);
    json_array_foreach (json_object_get(record, "gates"), i, gate) {
        bool missing = record_verdict(gate) == VERDICT_NOT_SIMULATED;
        if (missing && told) {
            report_start_gate(terminal, gate, failed);
            report_say(terminal, "not measured, for the same reason");
        } else {
            print_gate(gate, terminal, failed, most_messages);
        }
        told |= missing;
        failed |= !missing && record_verdict(gate) != VERDICT_PASS;
    }
    if (record_integer(record, "number") == 0 && record_verdict(record) == VERDICT_PASS)
        roofline_print(json_object_get(record, "ceilings"), terminal);
    print_line(record, terminal);
    report_time_line(record_gate(record, "counters"), terminal);
    if (record_verdict(record) == VERDICT_SLOW)
        report_kernel(json_object_get(record, "kernel"), terminal);
    if (record_verdict(record) == VERDICT_PASS || record_verdict(record) == VERDICT_PART)
        report_ladder(record_gate(record, "utilization"), terminal);
    report_others(record, terminal);
    print_log(record, terminal);
    print_verdict(record, terminal);
}

/* The compiler's messages get what the rest leaves of a screen, less the three dots after them:
 * they come first, and must not push the header out. */
static unsigned room_for_messages(const json_t *record, const struct terminal *terminal)
{
    char *text = NULL;
    size_t bytes = 0;
    struct terminal rest = *terminal;
    unsigned lines = 1;
    rest.out = open_memstream(&text, &bytes);
    if (!rest.out)
        return 1;
    print_all(record, &rest, 0);
    fclose(rest.out);
    for (size_t i = 0; i < bytes; i++)
        lines += text[i] == '\n';
    free(text);
    return lines < SCREEN_LINES ? SCREEN_LINES - lines : 1;
}

void report_print(const json_t *record, const struct terminal *terminal)
{
    print_all(record, terminal, room_for_messages(record, terminal));
}
