/* report_lines.c - how a line of a report starts, and where its text is. */
#include "check/record.h"
#include "check/report_parts.h"

#include <stdarg.h>
#include <stdio.h>

void report_start_line(const struct terminal *terminal, const char *name, const char *state,
                       enum terminal_style style)
{
    fprintf(terminal->out, "  %-12s", name);
    terminal_print(terminal, style, "%-5s", state);
}

bool report_start_gate(const struct terminal *terminal, const json_t *gate, bool information)
{
    bool passed = record_verdict(gate) == VERDICT_PASS;
    if (record_verdict(gate) == VERDICT_NOT_SIMULATED)
        report_start_line(terminal, record_text(gate, "gate"), "--", STYLE_WARNING);
    else if (information)
        report_start_line(terminal, record_text(gate, "gate"), "next", STYLE_DIM);
    else
        report_start_line(terminal, record_text(gate, "gate"), passed ? "ok" : "NO",
                          passed ? STYLE_GOOD : STYLE_BAD);
    return passed;
}

void report_line(const json_t *line, const struct terminal *terminal)
{
    terminal_print(terminal, STYLE_BOLD, "  line %-7d", record_integer(line, "number"));
    terminal_cell(terminal, record_text(line, "text"), 0, terminal->columns - REPORT_STATE);
    putc('\n', terminal->out);
}

void report_say(const struct terminal *terminal, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terminal_wrap(terminal, text, REPORT_TEXT, REPORT_TEXT);
}

void report_explain(const struct terminal *terminal, const json_t *gate)
{
    const char *advice = record_text(gate, "advice");
    report_say(terminal, "%s", record_text(gate, "reason"));
    if (*advice)
        terminal_wrap(terminal, advice, REPORT_TEXT, 0);
}
