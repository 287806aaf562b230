/* earning.c - see earning.h. */
#include "quest/earning.h"

#include "check/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- The table -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int experience;
} BANDS_OF[] =
    {
#define BAND(name, experience) {#name, experience},
#include "quest/earning.def"
},
  LEVELS_OF[] = {
#define LEVEL(name, experience) {#name, experience},
#include "quest/earning.def"
};

/* counter: NULL for one with a function of its own. */
static const struct {
    const char *title, *counter;
    double from, to;
    const char *asks;
} TABLE[ACHIEVEMENTS] = {
#define COUNTER(name, title, counter, from, to, asks) {title, counter, from, to, asks},
#define OTHER(name, title, asks) {title, NULL, 0, 0, asks},
#include "quest/earning.def"
};

enum { LEVELS = sizeof LEVELS_OF / sizeof *LEVELS_OF };

int earning_levels(void)
{
    return LEVELS;
}

const char *earning_level_name(int level)
{
    return LEVELS_OF[level - 1].name;
}

int earning_level_at(int level)
{
    return LEVELS_OF[level - 1].experience;
}

const char *earning_band_name(enum earning_band band)
{
    return BANDS_OF[band].name;
}

const char *achievement_title(enum achievement achievement)
{
    return TABLE[achievement].title;
}

const char *achievement_asks(enum achievement achievement)
{
    return TABLE[achievement].asks;
}

int earning_level(int experience)
{
    int level = 1;
    while (level < LEVELS && experience >= earning_level_at(level + 1))
        level++;
    return level;
}

int earning_experience(const struct earning *earning)
{
    int experience = 0;
    for (size_t i = 0; i < earning->count; i++)
        experience += BANDS_OF[earning->lessons[i].band].experience;
    for (int i = 0; i < ACHIEVEMENTS; i++)
        experience += *earning->figures[i] ? ACHIEVEMENT_EXPERIENCE : 0;
    return experience;
}

/* --- What a record says ----------------------------------------------------------------------- */

static bool passes(const json_t *record, const char *gate)
{
    const json_t *found = record_gate(record, gate);
    return found && record_verdict(found) == VERDICT_PASS;
}

static enum earning_band band_of(const json_t *record)
{
    if (record_verdict(record) == VERDICT_PASS)
        return json_is_true(json_object_get(record, "gold")) ? EARNING_gold : EARNING_silver;
    return passes(record, "safety") && passes(record, "numerics") ? EARNING_bronze : EARNING_none;
}

static const json_t *figure_of(const json_t *one_case, const char *name)
{
    size_t i;
    json_t *figure;
    json_array_foreach (json_object_get(one_case, "figures"), i, figure)
        if (strcmp(record_text(figure, "name"), name) == 0)
            return figure;
    return NULL;
}

static bool is_at_least_as_bad(double value, double as, bool more_is_better)
{
    return more_is_better ? value <= as : value >= as;
}

/* A counter's worst value in all timed cases; NAN if no case has it. */
static double worst_value(const json_t *record, const char *counter, bool more_is_better)
{
    size_t i;
    json_t *one;
    double worst = NAN;
    json_array_foreach (json_object_get(record_gate(record, "counters"), "cases"), i, one) {
        const json_t *figure = figure_of(one, counter);
        double value = figure ? record_real(figure, "value") : NAN;
        if (isfinite(value) && (isnan(worst) || is_at_least_as_bad(value, worst, more_is_better)))
            worst = value;
    }
    return worst;
}

/* --- Achievements ----------------------------------------------------------------------------- */

static void earn(struct earning *earning, enum achievement which, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void earn(struct earning *earning, enum achievement which, const char *format, ...)
{
    va_list values;
    if (*earning->figures[which]) /* the first time is the one that is told */
        return;
    va_start(values, format);
    vsnprintf(earning->figures[which], sizeof earning->figures[which], format, values);
    va_end(values);
}

static void add_counter(struct earning *earning, struct earning_lesson *lesson,
                        enum achievement which, const json_t *record)
{
    double from = TABLE[which].from, to = TABLE[which].to;
    bool more_is_better = from < to;
    double *worst = &lesson->worst[which];
    double value = worst_value(record, TABLE[which].counter, more_is_better);
    if (isnan(value))
        return;
    if (is_at_least_as_bad(*worst, from, more_is_better) &&
        is_at_least_as_bad(to, value, more_is_better))
        earn(earning, which, "%s %.3g, now %.3g", TABLE[which].counter, *worst, value);
    if (isnan(*worst) || is_at_least_as_bad(value, *worst, more_is_better))
        *worst = value;
}

static void add_safety_and_numerics(struct earning *earning, struct earning_lesson *lesson,
                                    const json_t *record)
{
    const json_t *safety = record_gate(record, "safety"),
                 *numerics = record_gate(record, "numerics");
    int wrong = record_integer(json_object_get(numerics, "wrong"), "wrong");
    if (lesson->raced && passes(record, "safety"))
        earn(earning, ACHIEVEMENT_RACE, "a race, now no fault in %d cases",
             record_integer(safety, "cases"));
    if (lesson->wrong > 0 && passes(record, "numerics"))
        earn(earning, ACHIEVEMENT_WRONG, "%d elements wrong, now %d cases right", lesson->wrong,
             record_integer(numerics, "cases"));
    lesson->raced = lesson->raced || record_verdict(record) == VERDICT_RACE;
    lesson->wrong = wrong > 0 ? wrong : lesson->wrong;
}

static void add_speed(struct earning *earning, struct earning_lesson *lesson, const json_t *record)
{
    const json_t *gate = record_gate(record, "utilization");
    double ratio = gate ? record_real(gate, "ratio") : NAN;
    bool measured = json_is_true(json_object_get(gate, "measured"));
    const char *how = measured ? "measured" : "modelled";
    double *slowest = &lesson->slowest[measured];
    if (!(isfinite(ratio) && ratio > 0))
        return;
    if (ratio >= 10 * *slowest)
        earn(earning, ACHIEVEMENT_TENFOLD, "%.3g of the reference's speed, now %.3g (%s)", *slowest,
             ratio, how);
    if (ratio >= 1)
        earn(earning, ACHIEVEMENT_LEVEL_WITH, "%.3g of the reference's speed (%s)", ratio, how);
    *slowest = fmin(*slowest, ratio); /* of NAN and a number, the number */
    if (ratio > lesson->best_ratio) {
        lesson->best_ratio = ratio;
        lesson->best_is_measured = measured;
    }
}

static double modelled_ns(const json_t *one_case)
{
    const json_t *modelled = json_object_get(one_case, "modelled");
    return modelled ? record_real(modelled, "time_ns") : NAN;
}

/* What mending a figure would save of a case's time, and what was saved when it was mended. */
static void compare_gains(struct earning *earning, const json_t *before, const json_t *after)
{
    enum { WITHIN_PERCENT = 10 };
    size_t i;
    json_t *figure;
    double saved = 1 - modelled_ns(after) / modelled_ns(before);
    json_array_foreach (json_object_get(before, "figures"), i, figure) {
        const json_t *now = figure_of(after, record_text(figure, "name"));
        double told = json_object_get(figure, "gain") ? record_real(figure, "gain") : NAN;
        if (json_is_true(json_object_get(now, "ok")) && told > 0 &&
            100 * fabs(saved - told) <= WITHIN_PERCENT * told)
            earn(earning, ACHIEVEMENT_AS_TOLD, "%.0f %% of the time told, %.0f %% saved (modelled)",
                 100 * told, 100 * saved);
    }
}

static void add_what_if(struct earning *earning, struct earning_lesson *lesson,
                        const json_t *record)
{
    size_t i, j;
    json_t *before, *after;
    json_t *cases = json_object_get(record_gate(record, "counters"), "cases");
    if (!cases)
        return;
    json_array_foreach (lesson->last_told, i, before)
        json_array_foreach (cases, j, after)
            if (strcmp(record_text(before, "case"), record_text(after, "case")) == 0)
                compare_gains(earning, before, after);
    json_decref(lesson->last_told);
    lesson->last_told = json_incref(cases);
}

static void add_bands(struct earning *earning)
{
    for (size_t i = 0; i < earning->count; i++)
        if (earning->lessons[i].band < EARNING_silver)
            return;
    earn(earning, ACHIEVEMENT_ALL_SILVER, "silver in all %zu lessons", earning->count);
}

/* --- All of it -------------------------------------------------------------------------------- */

bool earning_start(struct earning *earning, size_t lessons)
{
    *earning = (struct earning){.count = lessons};
    for (size_t i = 0; i < MOST_LESSONS; i++) {
        struct earning_lesson *lesson = &earning->lessons[i];
        lesson->slowest[0] = lesson->slowest[1] = NAN;
        for (int j = 0; j < ACHIEVEMENTS; j++)
            lesson->worst[j] = NAN;
    }
    return lessons <= MOST_LESSONS;
}

void earning_add(struct earning *earning, size_t index, const json_t *record)
{
    struct earning_lesson *lesson = &earning->lessons[index];
    enum earning_band band = band_of(record);
    lesson->band = band > lesson->band ? band : lesson->band;
    for (int i = 0; i < ACHIEVEMENTS; i++)
        if (TABLE[i].counter)
            add_counter(earning, lesson, i, record);
    add_safety_and_numerics(earning, lesson, record);
    add_speed(earning, lesson, record);
    add_what_if(earning, lesson, record);
    add_bands(earning);
}

void earning_free(struct earning *earning)
{
    for (size_t i = 0; i < MOST_LESSONS; i++)
        json_decref(earning->lessons[i].last_told);
}
