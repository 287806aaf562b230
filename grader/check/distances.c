/* distances.c - collects the figures of all entries' records, and prints each bar with its two
 * neighbours. */
#include "check/distances.h"

#include "check/entries.h"
#include "check/judge.h"
#include "check/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 64, SIDES = 2 };
enum side { LETS_PASS, REFUSES };

struct neighbour {
    double value;
    char entry[80];
};

struct bar {
    char name[160];
    double at;
    struct neighbour nearest[SIDES];
};

struct list {
    struct bar bar[MOST_BARS];
    size_t count;
};

static struct bar *bar_named(struct list *list, const char *name, double at)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->bar[i].name, name) == 0 && list->bar[i].at == at)
            return &list->bar[i];
    if (list->count == MOST_BARS)
        return NULL;
    struct bar *bar = &list->bar[list->count++];
    *bar = (struct bar){.at = at, .nearest = {{.value = NAN}, {.value = NAN}}};
    snprintf(bar->name, sizeof bar->name, "%s", name);
    return bar;
}

/* As a part of the larger of the two. */
static double distance(double value, double at)
{
    return fabs(value - at) / fmax(fabs(value), fabs(at));
}

static void note(struct list *list, const char *name, double at, double value, enum side side,
                 const char *entry)
{
    struct bar *bar = isfinite(value) && at > 0 ? bar_named(list, name, at) : NULL;
    struct neighbour *nearest = bar ? &bar->nearest[side] : NULL;
    if (!nearest ||
        (isfinite(nearest->value) && distance(nearest->value, at) <= distance(value, at)))
        return;
    nearest->value = value;
    snprintf(nearest->entry, sizeof nearest->entry, "%s", entry);
}

/* --- Records ---------------------------------------------------------------------------------- */

/* A figure that misses its bar refuses, or is a remark: then its gain decides. */
static void note_figures(struct list *list, const json_t *one, const char *entry)
{
    size_t i;
    json_t *figure;
    double ratio = record_real(json_object_get(one, "modelled"), "ratio");
    json_array_foreach (json_object_get(one, "figures"), i, figure) {
        bool at_least = json_object_get(figure, "at_least") != NULL;
        double bar = record_real(figure, at_least ? "at_least" : "at_most");
        double gain = record_real(figure, "gain");
        if (json_object_get(figure, "rule"))
            continue; /* a count that the contract fixes */
        bool missed = !json_is_true(json_object_get(figure, "ok"));
        bool refuses = json_is_true(json_object_get(figure, "refuses"));
        if (!missed || refuses)
            note(list, record_text(figure, "name"), bar, record_real(figure, "value"),
                 missed ? REFUSES : LETS_PASS, entry);
        double least = record_real(figure, "least_gain");
        if (missed && isfinite(gain) && (refuses || gain < least))
            note(list, "gain of a miss that refuses", least, gain, refuses ? REFUSES : LETS_PASS,
                 entry);
        if (missed && isfinite(gain) && gain >= least)
            note(list, "the reference's speed, which pardons a miss", 1 - JUDGE_LEAST_BEHIND, ratio,
                 refuses ? REFUSES : LETS_PASS, entry);
    }
}

static void note_record(struct list *list, const json_t *record, const char *entry)
{
    size_t i;
    json_t *one;
    if (*record_text(record, "broken_rule"))
        return; /* which refuses it, whatever its figures are */
    const json_t *gate = record_gate(record, "utilization");
    json_array_foreach (json_object_get(record_gate(record, "counters"), "cases"), i, one) {
        note_figures(list, one, entry);
    }
    bool by_time = strcmp(record_text(record, "failed_gate"), "utilization") == 0;
    json_array_foreach (json_object_get(gate, "cases"), i, one) {
        double ratio = record_real(one, "ratio");
        double bar = record_real(gate, json_object_get(gate, "least") ? "least" : "bar");
        if (record_verdict(record) == VERDICT_PASS || (by_time && ratio < bar))
            note(list, "of the reference's speed", bar, ratio, by_time ? REFUSES : LETS_PASS,
                 entry);
    }
}

/* --- Printing --------------------------------------------------------------------------------- */

static bool print_side(const struct bar *bar, enum side side, const struct terminal *terminal)
{
    const struct neighbour *nearest = &bar->nearest[side];
    if (!isfinite(nearest->value)) {
        fprintf(terminal->out, "    %-11s none\n", side == REFUSES ? "refuses" : "lets pass");
        return true;
    }
    double away = distance(nearest->value, bar->at);
    bool holds = away >= DISTANCES_LEAST;
    fprintf(terminal->out, "    %-11s %-8.3g %5.1f %% away  %s%s\n",
            side == REFUSES ? "refuses" : "lets pass", nearest->value, 100 * away, nearest->entry,
            holds ? "" : "   TOO NEAR");
    return holds;
}

static bool print_list(const struct list *list, const struct lesson *lesson,
                       const struct terminal *terminal)
{
    bool holds = true;
    fprintf(terminal->out, "%s\n", lesson->key);
    for (size_t i = 0; i < list->count; i++) {
        const struct bar *bar = &list->bar[i];
        fprintf(terminal->out, "  %s: %.3g\n", bar->name, bar->at);
        holds &= print_side(bar, LETS_PASS, terminal);
        holds &= print_side(bar, REFUSES, terminal);
    }
    return holds;
}

/* The simulated device's record, as verdicts.c names it: by its place in the list. NULL if that
 * record is of another list's entry. */
static json_t *record_of(const char *records, const struct entry *entry, size_t index)
{
    json_t *record = json_load_file(path_of("%s/simulated-%zu.json", records, index).text, 0, NULL);
    const char *path = record_text(json_object_get(record, "submission"), "path");
    if (strcmp(path, entry->path.text) == 0)
        return record;
    json_decref(record);
    return NULL;
}

int distances(const struct course *course, const char *lesson, const char *records,
              const struct terminal *terminal)
{
    char reason[PATH_MAX + 400];
    size_t count, known = 0;
    bool holds = true;
    struct entry *entries = entries_list(course, lesson, &count, reason, sizeof reason);
    if (!entries) {
        fprintf(terminal->out, "%s\n", reason);
        return 1;
    }
    static struct list list;
    for (size_t i = 0; i < count; i++) {
        json_t *record = record_of(records, &entries[i], i);
        if (record) {
            note_record(&list, record, entries[i].name);
            known++;
        }
        json_decref(record);
        if (i + 1 == count || entries[i + 1].lesson.number != entries[i].lesson.number) {
            holds &= print_list(&list, &entries[i].lesson, terminal);
            list.count = 0;
        }
    }
    free(entries);
    if (known == 0)
        fprintf(terminal->out, "no record of these entries in %s: make verdicts writes them\n",
                records);
    return holds && known > 0 ? 0 : 1;
}
