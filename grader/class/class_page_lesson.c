/* class_page_lesson.c - a lesson in numbers: who handed in, which bands, where it stopped, how
 * fast. */
#include "class/class_page.h"

#include "check/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const STOPS[] = {
    "before the first gate", "build",           "safety", "numerics", "counters",
    "utilization",           "passed all gates"};
enum { STOP_COUNT = sizeof STOPS / sizeof *STOPS, MOST_BANDS = 32 };

struct band {
    const char *name;
    double points; /* the most that it gave, by which bands are in order */
    size_t count;
};

struct lesson {
    size_t students, handed_in, judged, decided, undecided;
    struct band bands[MOST_BANDS];
    size_t band_count;
    size_t stops[STOP_COUNT], stopped;
    double *ratios;
    size_t ratio_count, modelled;
};

/* --- Counting --------------------------------------------------------------------------------- */

static void count_band(struct lesson *lesson, const struct mark *mark)
{
    size_t at = 0;
    const char *name = *mark->band ? mark->band : "no points";
    while (at < lesson->band_count && strcmp(lesson->bands[at].name, name) != 0)
        at++;
    if (at == MOST_BANDS)
        lesson->bands[--at].name = "others"; /* too many: this one is with the last */
    if (at == lesson->band_count)
        lesson->bands[lesson->band_count++] = (struct band){name, 0, 0};
    lesson->bands[at].points = fmax(lesson->bands[at].points, mark->points);
    lesson->bands[at].count++;
}

static void count_stop(struct lesson *lesson, const json_t *record)
{
    const char *failed = record_text(record, "failed_gate");
    size_t at = record_verdict(record) == VERDICT_PASS ? STOP_COUNT - 1 : 0;
    for (size_t i = 1; at == 0 && i < STOP_COUNT - 1; i++)
        if (strcmp(STOPS[i], failed) == 0)
            at = i;
    lesson->stops[at]++;
    lesson->stopped++;
}

static void count_ratio(struct lesson *lesson, const json_t *record)
{
    const json_t *gate = record_gate(record, "utilization");
    double ratio = record_real(gate, "ratio");
    if (!isfinite(ratio))
        return;
    lesson->ratios[lesson->ratio_count++] = ratio;
    lesson->modelled += !json_is_true(json_object_get(gate, "measured"));
}

static void count_mark(struct lesson *lesson, const struct mark *mark)
{
    bool has_mark = mark->standing == MARK_JUDGED || mark->standing == MARK_DECIDED;
    lesson->students++;
    lesson->handed_in += mark->standing != MARK_ABSENT;
    lesson->judged += mark->standing == MARK_JUDGED;
    lesson->decided += mark->standing == MARK_DECIDED;
    lesson->undecided += mark->standing == MARK_UNDECIDED;
    if (has_mark)
        count_band(lesson, mark);
    if (has_mark && mark->record) {
        count_stop(lesson, mark->record);
        count_ratio(lesson, mark->record);
    }
}

static int by_points(const void *left, const void *right)
{
    const struct band *a = left, *b = right;
    if (a->points != b->points)
        return a->points < b->points ? 1 : -1;
    return strcmp(a->name, b->name);
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static void put_tile(FILE *out, const char *name, size_t count, size_t of)
{
    fputs("<div><dt>", out);
    page_put(out, name);
    fprintf(out, "</dt><dd>%zu", count);
    if (of)
        fprintf(out, " <small class=\"quiet\">of %zu</small>", of);
    fputs("</dd></div>\n", out);
}

static void put_counts(FILE *out, const struct lesson *lesson)
{
    fputs("<dl class=\"tiles\">\n", out);
    put_tile(out, "handed in", lesson->handed_in, lesson->students);
    put_tile(out, "judged", lesson->judged, 0);
    if (lesson->decided)
        put_tile(out, "decided by hand", lesson->decided, 0);
    if (lesson->undecided)
        put_tile(out, "not judged yet", lesson->undecided, 0);
    fputs("</dl>\n", out);
}

/* Where 0 <= share <= 1 of the sorted values are below: between two of them in proportion. */
static double quantile(const double *values, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;
    return values[low] + (at - (double)low) * (values[high] - values[low]);
}

static void put_ratio_row(FILE *out, const char *name, double ratio)
{
    fprintf(out, "<tr><th scope=\"row\" class=\"plain\">%s</th><td class=\"n\">%.1f %%</td></tr>\n",
            name, 100 * ratio);
}

static void put_ratios(FILE *out, const struct lesson *lesson)
{
    const double *ratios = lesson->ratios;
    size_t count = lesson->ratio_count;
    if (count == 0)
        return;
    fprintf(out, "<table>\n<caption>Speed, as a share of the reference’s, of %zu ", count);
    if (lesson->modelled == count)
        fputs("(modelled)", out);
    else if (lesson->modelled == 0)
        fputs("(measured)", out);
    else
        fprintf(out, "(%zu measured, %zu modelled)", count - lesson->modelled, lesson->modelled);
    fputs("</caption>\n<thead><tr><th scope=\"col\">Of the class</th>"
          "<th scope=\"col\" class=\"n\">Share</th></tr></thead>\n<tbody>\n",
          out);
    put_ratio_row(out, "fastest", ratios[count - 1]);
    put_ratio_row(out, "upper quartile", quantile(ratios, count, 0.75));
    put_ratio_row(out, "median", quantile(ratios, count, 0.5));
    put_ratio_row(out, "lower quartile", quantile(ratios, count, 0.25));
    put_ratio_row(out, "slowest", ratios[0]);
    fputs("</tbody>\n</table>\n", out);
}

static void put_bands(FILE *out, const struct lesson *lesson)
{
    if (lesson->band_count == 0)
        return;
    fputs("<table>\n<caption>Marks by band</caption>\n<thead><tr><th scope=\"col\">Band</th>"
          "<th scope=\"col\" class=\"n\">Points up to</th>"
          "<th scope=\"col\" class=\"n\">Students</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < lesson->band_count; i++) {
        fputs("<tr><th scope=\"row\" class=\"plain\">", out);
        page_put(out, lesson->bands[i].name);
        fputs("</th><td class=\"n\">", out);
        page_put_number(out, lesson->bands[i].points);
        fprintf(out, "</td><td class=\"n\">%zu</td></tr>\n", lesson->bands[i].count);
    }
    fputs("</tbody>\n</table>\n", out);
}

/* --- Where they stopped ----------------------------------------------------------------------- */

enum { WIDTH = 400, ROW = 24, LABELS = 140, NUMBERS = 90 };

static void put_chart_row(FILE *out, size_t row, size_t count, size_t all)
{
    double y = (double)(row * ROW), most = WIDTH - LABELS - NUMBERS;
    double width = most * (double)count / (double)all;
    fprintf(out,
            "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>"
            "<rect class=\"bar\" x=\"%d\" y=\"%.0f\" width=\"%.1f\" height=\"15\"/>"
            "<text x=\"%.1f\" y=\"%.0f\">%zu (%.0f %%)</text>\n",
            LABELS - 8, y + 16, STOPS[row], LABELS, y + 4, width, LABELS + width + 6, y + 16, count,
            100.0 * (double)count / (double)all);
}

static void put_chart(FILE *out, const struct lesson *lesson, int number)
{
    if (lesson->stopped == 0)
        return;
    fprintf(out,
            "<figure>\n<figcaption id=\"stops-%d\">Where they stopped, of %zu with a record"
            "</figcaption>\n<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-labelledby=\"stops-%d\">\n<desc>",
            number, lesson->stopped, WIDTH, ROW * STOP_COUNT, WIDTH, ROW * STOP_COUNT, number);
    for (size_t i = 0; i < STOP_COUNT; i++)
        fprintf(out, "%s: %zu. ", STOPS[i], lesson->stops[i]);
    fputs("</desc>\n", out);
    for (size_t i = 0; i < STOP_COUNT; i++)
        put_chart_row(out, i, lesson->stops[i], lesson->stopped);
    fputs("</svg>\n</figure>\n", out);
}

/* --- The lesson ------------------------------------------------------------------------------- */

bool class_put_lesson(FILE *out, const struct marks *marks, const char *key)
{
    struct lesson lesson = {.ratios = calloc(marks->mark_count + 1, sizeof(double))};
    const struct mark *any = page_lesson(marks, key);
    if (!lesson.ratios)
        return false;
    for (size_t i = 0; i < marks->mark_count; i++)
        if (strcmp(marks->marks[i].lesson, key) == 0)
            count_mark(&lesson, &marks->marks[i]);
    qsort(lesson.ratios, lesson.ratio_count, sizeof *lesson.ratios, by_value);
    qsort(lesson.bands, lesson.band_count, sizeof *lesson.bands, by_points);
    bool complete = true;
    if (any) {
        fprintf(out, "<section class=\"lesson\" id=\"lesson-%d\">\n<h2>", any->number);
        page_put_lesson(out, any);
        fputs("</h2>\n", out);
        put_counts(out, &lesson);
        fputs("<div class=\"side\">\n<div>\n", out);
        put_chart(out, &lesson, any->number);
        fputs("</div>\n<div>\n", out);
        put_bands(out, &lesson);
        put_ratios(out, &lesson);
        fputs("</div>\n</div>\n", out);
        complete = class_put_mistakes(out, marks, key);
        fputs("</section>\n", out);
    }
    free(lesson.ratios);
    return complete;
}
