/* student_page_gates.c - the gates of a check in their order: what was found, what is asked for. */
#include "class/student_page.h"

#include "check/record.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *asked;
} GATES[] = {{"build", "it compiles"},
             {"safety", "no fault in any case"},
             {"numerics", "each result within the error that the contract allows"},
             {"counters", "each figure within its bound, see below"},
             {"utilization", NULL}};
enum { GATE_COUNT = sizeof GATES / sizeof *GATES };

/* --- What was found --------------------------------------------------------------------------- */

void student_put_ratio(FILE *out, const json_t *gate)
{
    double ratio = record_real(gate, "ratio");
    const json_t *cases = json_object_get(gate, "cases");
    const json_t *shown = json_array_get(cases, (size_t)record_integer(gate, "shown"));
    if (!isfinite(ratio))
        return;
    fprintf(out, "%.1f %% of the reference’s speed", 100 * ratio);
    if (isfinite(record_real(shown, "low")))
        fprintf(out, " (interval %.1f to %.1f %%)", 100 * record_real(shown, "low"),
                100 * record_real(shown, "high"));
}

/* Large cases that this device could not judge. They cost no points. */
static size_t count_unjudged(const json_t *gate)
{
    size_t i, count = 0;
    json_t *one;
    json_array_foreach (json_object_get(gate, "large"), i, one) {
        count += *record_text(one, "unjudged") != '\0';
    }
    return count;
}

static void put_cases(FILE *out, const json_t *gate)
{
    int cases = record_integer(gate, "cases"), done = record_integer(gate, "done");
    double worst = record_real(gate, "worst_share");
    if (strcmp(record_text(gate, "gate"), "safety") == 0) {
        fprintf(out, "No fault in %d cases", done);
        return;
    }
    fprintf(out, "%d of %d cases right, ", done, cases);
    if (worst > 0)
        fprintf(out, "the worst error %.2g of what is allowed", worst);
    else
        fputs("exact", out);
    if (count_unjudged(gate))
        fprintf(out, "<div><small>not judged here: %zu, see the terminal’s report</small></div>",
                count_unjudged(gate));
}

static void put_passed(FILE *out, const json_t *gate)
{
    const char *name = record_text(gate, "gate"), *reason = record_text(gate, "reason");
    if (strcmp(name, "build") == 0)
        fputs("It compiles", out);
    else if (strcmp(name, "safety") == 0 || strcmp(name, "numerics") == 0)
        put_cases(out, gate);
    else if (strcmp(name, "utilization") == 0)
        student_put_ratio(out, gate);
    else
        page_put(out, *reason ? reason : "All figures are within their bounds");
}

static void put_missed(FILE *out, const json_t *gate)
{
    const char *reason = record_text(gate, "reason"), *in_case = page_failed_case(gate);
    if (isfinite(record_real(gate, "ratio")))
        student_put_ratio(out, gate);
    else
        page_put_long(out, reason);
    if (*in_case && !strstr(reason, in_case)) {
        fputs("<div><small>in the case ", out);
        page_put(out, in_case);
        fputs("</small></div>", out);
    }
}

static void put_asked(FILE *out, const char *asked, const json_t *gate)
{
    double bar = record_real(gate, "bar");
    if (asked)
        page_put(out, asked);
    else if (isfinite(bar))
        fprintf(out, "at least %.0f %% of the reference’s speed", 100 * bar);
    else
        fputs("enough of the reference’s speed", out);
}

/* --- The table -------------------------------------------------------------------------------- */

static void put_state(FILE *out, const json_t *gate, bool failed_before)
{
    enum verdict verdict = record_verdict(gate);
    if (!gate)
        fputs("<span class=\"quiet\">– not run</span>", out);
    else if (verdict == VERDICT_NOT_SIMULATED || verdict_points(verdict) == POINTS_AGAIN)
        fputs("<span class=\"open\">? no result</span>", out);
    else if (failed_before)
        fputs("<span class=\"quiet\">→ next</span>", out);
    else if (verdict == VERDICT_PASS)
        fputs("<span class=\"good\">✓ passed</span>", out);
    else
        fputs("<span class=\"bad\">✗ failed</span>", out);
}

static void put_gate(FILE *out, size_t index, const json_t *gate, bool failed_before)
{
    fprintf(out, "<tr><th scope=\"row\">%s</th><td class=\"state\">", GATES[index].name);
    put_state(out, gate, failed_before);
    fputs("</td><td data-label=\"found\">", out);
    if (!gate)
        fputs(failed_before ? "An earlier gate failed" : "–", out);
    else if (record_verdict(gate) == VERDICT_PASS)
        put_passed(out, gate);
    else
        put_missed(out, gate);
    fputs("</td><td data-label=\"asked for\">", out);
    put_asked(out, GATES[index].asked, gate);
    fputs("</td></tr>\n", out);
}

static void put_table(FILE *out, const json_t *record)
{
    bool failed = false;
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Gates\">"
          "<table class=\"wide stack\">\n<caption>A check goes through five gates, and the first "
          "that fails decides</caption>\n<thead><tr><th scope=\"col\">Gate</th>"
          "<th scope=\"col\">Result</th><th scope=\"col\">Found</th><th scope=\"col\">Asked for"
          "</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < GATE_COUNT; i++) {
        const json_t *gate = record_gate(record, GATES[i].name);
        enum verdict verdict = record_verdict(gate);
        put_gate(out, i, gate, failed);
        failed |= gate && verdict != VERDICT_PASS && verdict != VERDICT_NOT_SIMULATED;
    }
    fputs("</tbody>\n</table></div>\n", out);
}

static void put_messages(FILE *out, const json_t *gate)
{
    const char *messages = record_text(gate, "messages");
    if (!*messages)
        return;
    bool passed = record_verdict(gate) == VERDICT_PASS;
    fprintf(out, "<details%s><summary>What the compiler says</summary>\n<pre>",
            passed ? "" : " open=\"open\"");
    page_put(out, messages);
    fputs("</pre></details>\n", out);
}

/* --- Speed as a bar --------------------------------------------------------------------------- */

/* The ratio as a bar, and what is asked for as a line across it. */
static void put_bar(FILE *out, const json_t *gate)
{
    enum { WIDTH = 340, TOP = 24 };
    double ratio = record_real(gate, "ratio"), bar = record_real(gate, "bar");
    if (!isfinite(ratio) || !isfinite(bar) || ratio < 0 || bar <= 0)
        return;
    double scale = WIDTH / fmax(1.1, fmax(1.05 * ratio, 1.05 * bar)), at = bar * scale;
    fprintf(out,
            "<svg width=\"%d\" height=\"46\" viewBox=\"0 0 %d 46\" role=\"img\" "
            "aria-label=\"%.1f %% of the reference’s speed, at least %.0f %% is asked for\">\n"
            "<rect class=\"track\" x=\"0\" y=\"%d\" width=\"%d\" height=\"14\" rx=\"2\"/>"
            "<rect class=\"bar\" x=\"0\" y=\"%d\" width=\"%.1f\" height=\"14\" rx=\"2\"/>\n"
            "<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"18\" y2=\"44\"/>"
            "<text x=\"%.1f\" y=\"13\" text-anchor=\"%s\">asked for: %.0f %%</text>\n</svg>\n",
            WIDTH, WIDTH, 100 * ratio, 100 * bar, TOP, WIDTH, TOP, ratio * scale, at, at, at,
            at > WIDTH / 2.0 ? "end" : "start", 100 * bar);
}

static void put_utilization(FILE *out, const json_t *gate)
{
    double tolerated = record_real(gate, "tolerated");
    if (!isfinite(record_real(gate, "ratio")))
        return;
    fputs("<h3>Speed</h3>\n<p>", out);
    student_put_ratio(out, gate);
    if (isfinite(record_real(gate, "bar")))
        fprintf(out, "; at least %.0f %% is asked for", 100 * record_real(gate, "bar"));
    fputs(".", out);
    if (record_verdict(gate) == VERDICT_PASS && isfinite(tolerated))
        fprintf(out,
                " It is let pass: it is within %.0f %% of that, and modelled times err; a GPU "
                "can tell.",
                100 * tolerated);
    fputs("</p>\n", out);
    put_bar(out, gate);
    student_put_speed(out, gate);
}

void student_put_gates(FILE *out, const json_t *record)
{
    if (json_array_size(json_object_get(record, "gates")) == 0)
        return;
    fputs("<h3>Gate by gate</h3>\n", out);
    put_table(out, record);
    put_messages(out, record_gate(record, "build"));
    student_put_counters(out, record_gate(record, "counters"));
    put_utilization(out, record_gate(record, "utilization"));
    student_put_regimes(out, record_gate(record, "counters"));
}
