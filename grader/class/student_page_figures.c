/* student_page_figures.c - counters as a table: each figure next to what is asked for. */
#include "class/student_page.h"

#include "check/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool missed(const json_t *figure)
{
    return !json_is_true(json_object_get(figure, "ok"));
}

/* A zero that must be zero says nothing, nor does a figure that may be missing and is. */
static bool is_idle(const json_t *figure)
{
    double value = record_real(figure, "value");
    return !missed(figure) && (isnan(value) || (value == 0 && record_real(figure, "at_most") == 0));
}

/* Three digits, or as many as it takes to show that a missed figure misses. */
static void write_figure(double value, double bar, bool at_least, bool ok, char text[32])
{
    int digits = fabs(value) < 1000 ? 3 : 1 + (int)log10(fabs(value));
    do {
        snprintf(text, 32, "%.*g", digits++, value);
    } while (!ok && digits < 17 && (at_least ? atof(text) >= bar : atof(text) <= bar));
}

static void put_figure_state(FILE *out, const json_t *figure)
{
    double gain = record_real(figure, "gain");
    if (!missed(figure)) {
        fputs("<span class=\"good\">✓ met</span>", out);
        return;
    }
    bool remark = json_is_false(json_object_get(figure, "refuses"));
    fputs(remark ? "<span class=\"open\">– missed, and no points lost</span>"
                 : "<span class=\"bad\">✗ missed</span>",
          out);
    if (isfinite(gain))
        fprintf(out, "<br/><small>mending it saves up to %.0f %% of the time</small>", 100 * gain);
}

static void put_figure(FILE *out, const json_t *figure)
{
    bool at_least = json_object_get(figure, "at_least") != NULL;
    double value = record_real(figure, "value");
    double bar = record_real(figure, at_least ? "at_least" : "at_most");
    char number[32] = "none";
    if (isfinite(value))
        write_figure(value, bar, at_least, !missed(figure), number);
    fputs("<tr><th scope=\"row\" class=\"plain\">", out);
    page_put(out, record_text(figure, "name"));
    fprintf(out,
            "</th><td class=\"n\">%s</td><td class=\"ask\">%s %.3g</td>"
            "<td>",
            number, at_least ? "at least" : "at most", bar);
    put_figure_state(out, figure);
    fputs("</td></tr>\n", out);
}

static bool has_figure(const json_t *one, bool all)
{
    size_t i;
    json_t *figure;
    json_array_foreach (json_object_get(one, "figures"), i, figure) {
        if (!is_idle(figure) && (all || missed(figure)))
            return true;
    }
    return false;
}

static void put_case(FILE *out, const json_t *one, bool all)
{
    size_t i;
    json_t *figure;
    if (!has_figure(one, all))
        return;
    fputs("<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"4\">", out);
    page_put(out, record_text(one, "case"));
    fputs("</th></tr>\n", out);
    json_array_foreach (json_object_get(one, "figures"), i, figure) {
        if (!is_idle(figure) && (all || missed(figure)))
            put_figure(out, figure);
    }
    fputs("</tbody>\n", out);
}

static void put_remarks(FILE *out, const json_t *cases)
{
    size_t i, j;
    json_t *one, *remark;
    json_array_foreach (cases, i, one) {
        json_array_foreach (json_object_get(one, "remarks"), j, remark) {
            fputs("<p class=\"quiet\">A remark on ", out);
            page_put(out, record_text(one, "case"));
            fputs(": ", out);
            page_put_sentence(out, json_is_string(remark) ? json_string_value(remark) : "");
            fputs("</p>\n", out);
        }
    }
}

void student_put_counters(FILE *out, const json_t *gate)
{
    enum { MOST_WHOLE = 4 }; /* of more cases, only what is missed */
    size_t i, shown = (size_t)record_integer(gate, "shown");
    json_t *one, *cases = json_object_get(gate, "cases");
    bool all = json_array_size(cases) <= MOST_WHOLE, any = false;
    json_array_foreach (cases, i, one) {
        any |= has_figure(one, all || i == shown);
    }
    if (!any)
        return;
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Counters\">"
          "<table>\n<caption>Counters, as they were counted on the ",
          out);
    page_put(out, *record_text(gate, "device") ? record_text(gate, "device") : "device");
    fputs("</caption>\n<thead><tr><th scope=\"col\">Figure</th>"
          "<th scope=\"col\" class=\"n\">Yours</th><th scope=\"col\">Asked for</th>"
          "<th scope=\"col\">Result</th></tr></thead>\n",
          out);
    json_array_foreach (cases, i, one) {
        put_case(out, one, all || i == shown);
    }
    fputs("</table></div>\n", out);
    put_remarks(out, cases);
}
