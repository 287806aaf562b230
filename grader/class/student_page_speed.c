/* student_page_speed.c - times, their ratios and rates as tables. */
#include "class/student_page.h"

#include "check/record.h"
#include "lib/units.h"

#include <math.h>

/* Where times come from: "modelled on simulated NVIDIA H200". */
static void put_source(FILE *out, const json_t *gate, bool measured)
{
    const char *device = record_text(gate, "device");
    fputs(measured ? "measured" : "modelled", out);
    if (*device) {
        fputs(" on the ", out);
        page_put(out, device);
    }
}

static void put_time(FILE *out, double time_ns)
{
    char text[32] = "–";
    if (isfinite(time_ns))
        units_time(time_ns, text, sizeof text);
    fputs("<td class=\"n\">", out);
    page_put(out, text);
    fputs("</td>", out);
}

/* "60.1 TFLOP/s, 93 % of the FMA rate" */
static void put_rate(FILE *out, const json_t *one)
{
    char rate[32];
    double share = record_real(one, "of_ceiling");
    fputs("<td>", out);
    if (record_real(one, "rate") > 0) {
        units_rate(record_real(one, "rate"), record_text(one, "rate_unit"), rate, sizeof rate);
        page_put(out, rate);
        if (isfinite(share))
            fprintf(out, ", %.0f %% of the ", 100 * share);
        page_put(out, isfinite(share) ? record_text(one, "ceiling") : "");
    } else {
        fputs("–", out);
    }
    fputs("</td>", out);
}

static void put_share(FILE *out, const json_t *one)
{
    double ratio = record_real(one, "ratio"), low = record_real(one, "low");
    fputs("<td class=\"n\">", out);
    if (isfinite(ratio))
        fprintf(out, "%.1f %%", 100 * ratio);
    else
        fputs("–", out);
    if (isfinite(low))
        fprintf(out, "<br/><small>%.1f to %.1f %%</small>", 100 * low,
                100 * record_real(one, "high"));
    fputs("</td>", out);
}

static void put_speed_row(FILE *out, const json_t *one)
{
    fputs("<tr><th scope=\"row\" class=\"plain\">", out);
    page_put(out, record_text(one, "case"));
    fputs("</th>", out);
    put_time(out, record_real(one, "time_ns"));
    put_time(out, record_real(one, "reference_ns"));
    put_share(out, one);
    put_rate(out, one);
    fputs("</tr>\n", out);
}

void student_put_speed(FILE *out, const json_t *gate)
{
    size_t i;
    json_t *one, *cases = json_object_get(gate, "cases");
    bool measured = json_is_true(json_object_get(gate, "measured"));
    if (json_array_size(cases) == 0)
        return;
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Speed\"><table>\n"
          "<caption>Speed: times are ",
          out);
    put_source(out, gate, measured);
    fputs("</caption>\n<thead><tr><th scope=\"col\">Case</th>"
          "<th scope=\"col\" class=\"n\">Your time</th><th scope=\"col\" class=\"n\">"
          "Reference’s</th><th scope=\"col\" class=\"n\">Share of its speed</th>"
          "<th scope=\"col\">Your rate</th></tr></thead>\n<tbody>\n",
          out);
    json_array_foreach (cases, i, one) {
        put_speed_row(out, one);
    }
    fputs("</tbody>\n</table></div>\n", out);
}

/* --- Other cases ------------------------------------------------------------------------------ */

static bool is_regime(const json_t *regime)
{
    return isfinite(record_real(regime, "share")) && isfinite(record_real(regime, "least"));
}

static void put_regime(FILE *out, const json_t *regime)
{
    double share = record_real(regime, "share"), least = record_real(regime, "least");
    fputs("<tr><th scope=\"row\" class=\"plain\">", out);
    page_put(out, record_text(regime, "case"));
    fputs("</th>", out);
    put_time(out, record_real(regime, "time_ns"));
    put_time(out, record_real(regime, "reference_ns"));
    fprintf(out, "<td class=\"n\">%.1f %%</td><td class=\"ask\">at least %.0f %%</td>", 100 * share,
            100 * least);
    fprintf(out, "<td class=\"state\"><span class=\"%s\">%s</span></td></tr>\n",
            share >= least ? "good" : "bad", share >= least ? "✓ met" : "✗ missed");
}

static size_t count_regimes(const json_t *cases)
{
    size_t i, j, count = 0;
    json_t *one, *regime;
    json_array_foreach (cases, i, one) {
        json_array_foreach (json_object_get(one, "regimes"), j, regime) {
            count += is_regime(regime);
        }
    }
    return count;
}

void student_put_regimes(FILE *out, const json_t *gate)
{
    size_t i, j;
    json_t *one, *regime, *cases = json_object_get(gate, "cases");
    size_t count = count_regimes(cases);
    if (count == 0)
        return;
    fprintf(out,
            "<details><summary>Speed in %zu other cases: sizes, alignments, values</summary>\n"
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Other cases\">"
            "<table>\n<caption>Speed in other cases: times are ",
            count);
    put_source(out, gate, false);
    fputs("</caption>\n<thead><tr><th scope=\"col\">Case</th>"
          "<th scope=\"col\" class=\"n\">Your time</th><th scope=\"col\" class=\"n\">"
          "Reference’s</th><th scope=\"col\" class=\"n\">Share of its speed</th>"
          "<th scope=\"col\">Asked for</th><th scope=\"col\">Result</th></tr></thead>\n"
          "<tbody>\n",
          out);
    json_array_foreach (cases, i, one) {
        json_array_foreach (json_object_get(one, "regimes"), j, regime) {
            if (is_regime(regime))
                put_regime(out, regime);
        }
    }
    fputs("</tbody>\n</table></div></details>\n", out);
}
