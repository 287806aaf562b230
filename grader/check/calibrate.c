/* calibrate.c - see calibrate.h. */
#include "check/calibrate.h"

#include "check/build.h"
#include "check/entries.h"
#include "check/examine/statistics.h"
#include "check/record.h"
#include "check/run.h"
#include "check/settings.h"
#include "runner/sandbox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { USUAL_TIMES = 5, MOST_TIMES = 100, MOST_CASES = 8, DEADLINE_MS = 600000 };

#define RARE 1e-3
/* The tolerance is at least this many standard deviations of a run, on either side of the test
 * point: a normal variable is that far off once in two thousand times. */
#define RUN_ERRORS 3.3
/* And of a pair, or the rule on pairs calls it noise (statistics_quiet). */
#define PAIR_ERRORS 1.3

/* One submission and launcher, several times. */
struct timed {
    const struct entry *entry;
    char launcher[64];
    double log_ratio[MOST_TIMES], spread[MOST_TIMES];
    size_t count, inconclusive;
};

struct calibration {
    const struct calibrate_request *request;
    const struct terminal *terminal;
    struct lesson lesson;
    struct build reference;
    struct timed *timed;
    size_t timed_count;
    size_t times;
    enum sandbox_kind sandbox;
    int compute;
    char device[256];
    double bar, delta, pair_sd, run_sd;
};

/* --- Measuring -------------------------------------------------------------------------------- */

static json_t *examine(const struct calibration *calibration, const char *stage,
                       const char *submission, struct run *run)
{
    struct path runner = course_program(calibration->request->course, "runner");
    bool simulated = calibration->request->device == DEVICE_SIM;
    json_t *job = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:b, s:[s]}", "lesson",
                            calibration->lesson.key, "submission", submission, "reference",
                            calibration->reference.library.text, "runner", runner.text, "sandbox",
                            sandbox_kind_name(calibration->sandbox), "ipc", true, "seed", "0x14",
                            "as_gpu", simulated, "stages", stage);
    struct run_request request = {.course = calibration->request->course,
                                  .on = simulated ? RUN_SIMULATED : RUN_ON_GPU,
                                  .job = job,
                                  .deadline_ms = DEADLINE_MS};
    run_examine(&request, run);
    json_decref(job);
    return run->result;
}

static bool build(const struct calibration *calibration, const char *path, struct build *build)
{
    struct source source;
    memset(build, 0, sizeof *build);
    if (!source_read(path, false, &source, build->reason, sizeof build->reason))
        return false;
    struct build_request request = {.course = calibration->request->course,
                                    .lesson = &calibration->lesson,
                                    .source = &source,
                                    .shown_path = path,
                                    .compute = calibration->compute,
                                    .sandbox = calibration->sandbox};
    build_run(&request, build);
    source_free(&source);
    return build->verdict == VERDICT_PASS;
}

/* A case's own place in the list; a new one for a case that is seen for the first time. */
static struct timed *place_of(struct calibration *calibration, const struct entry *entry,
                              const char *launcher)
{
    for (size_t i = 0; i < calibration->timed_count; i++)
        if (calibration->timed[i].entry == entry &&
            strcmp(calibration->timed[i].launcher, launcher) == 0)
            return &calibration->timed[i];
    struct timed *timed = &calibration->timed[calibration->timed_count++];
    memset(timed, 0, sizeof *timed);
    timed->entry = entry;
    snprintf(timed->launcher, sizeof timed->launcher, "%s", launcher);
    return timed;
}

static void note(struct calibration *calibration, const struct entry *entry, const json_t *cases)
{
    size_t i;
    json_t *one;
    json_array_foreach (cases, i, one) {
        double ratio = record_real(one, "ratio");
        if (!(ratio > 0) || !(record_real(one, "bytes") + record_real(one, "flop") +
                                  record_real(one, "tensor_flop") >
                              0))
            continue; /* nothing but a launch: shown in a check, and not judged */
        struct timed *timed = place_of(calibration, entry, record_text(one, "launcher"));
        timed->inconclusive += record_verdict(one) == VERDICT_INCONCLUSIVE;
        timed->spread[timed->count] = record_real(one, "spread");
        timed->log_ratio[timed->count++] = log(ratio);
    }
}

/* False with a sentence when this submission could not be timed at all. */
static bool time_entry(struct calibration *calibration, const struct entry *entry, char *reason,
                       size_t reason_bytes)
{
    struct build built;
    bool timed = build(calibration, entry->path.text, &built);
    if (!timed)
        snprintf(reason, reason_bytes, "%s: %s", entry->name, built.reason);
    for (size_t time = 0; time < calibration->times && timed; time++) {
        struct run run;
        terminal_progress(
            path_of("%s, %zu of %zu", entry->name, time + 1, calibration->times).text);
        json_t *result = examine(calibration, "timing", built.library.text, &run);
        timed = result != NULL;
        if (timed)
            note(calibration, entry, json_object_get(json_object_get(result, "timing"), "cases"));
        else
            snprintf(reason, reason_bytes, "%s: %s", entry->name, run.reason);
        run_free(&run);
    }
    build_free(&built);
    terminal_progress(NULL);
    return timed;
}

/* Right, or only slow: a wrong entry has no speed. */
static bool is_asked(const struct entry *entry)
{
    return entry->has_expectation && (entry->expectation.verdict == VERDICT_PASS ||
                                      entry->expectation.verdict == VERDICT_SLOW);
}

static bool time_all(struct calibration *calibration, const struct entry *entries, size_t count,
                     char *reason, size_t reason_bytes)
{
    calibration->timed = calloc(count * MOST_CASES, sizeof *calibration->timed);
    for (size_t i = 0; i < count; i++)
        if (is_asked(&entries[i]) && !time_entry(calibration, &entries[i], reason, reason_bytes))
            return false;
    if (calibration->timed_count == 0)
        snprintf(reason, reason_bytes, "the lesson has nothing that is timed");
    return calibration->timed_count > 0;
}

/* --- What it comes to ------------------------------------------------------------------------- */

static double mean_of(const struct timed *timed)
{
    double sum = 0;
    for (size_t i = 0; i < timed->count; i++)
        sum += timed->log_ratio[i];
    return sum / (double)timed->count;
}

/* Variance between runs, and how many runs it rests on beyond the first. */
static double squares_of(const struct timed *timed)
{
    double mean = mean_of(timed), squares = 0;
    for (size_t i = 0; i < timed->count; i++)
        squares += (timed->log_ratio[i] - mean) * (timed->log_ratio[i] - mean);
    return squares;
}

static double spread_of(const struct timed *timed)
{
    double copy[MOST_TIMES];
    memcpy(copy, timed->spread, timed->count * sizeof *copy);
    return statistics_median(copy, timed->count);
}

static bool is_right(const struct timed *timed)
{
    return timed->entry->expectation.verdict == VERDICT_PASS;
}

/* Is it to fail for its time alone? One that fails a counter as well need not be slow here. */
static bool is_too_slow(const struct timed *timed)
{
    const struct expectation *expectation = &timed->entry->expectation;
    return expectation->verdict == VERDICT_SLOW && strcmp(expectation->gate, "utilization") == 0;
}

/* The noise of right submissions, which is what a bar has to cope with. */
static void find_noise(struct calibration *calibration)
{
    double squares = 0;
    size_t degrees = 0;
    for (size_t i = 0; i < calibration->timed_count; i++) {
        const struct timed *timed = &calibration->timed[i];
        if (!is_right(timed))
            continue;
        squares += squares_of(timed);
        degrees += timed->count - 1;
        calibration->pair_sd = fmax(calibration->pair_sd, spread_of(timed));
    }
    calibration->run_sd = degrees ? sqrt(squares / (double)degrees) : 0;
    calibration->delta = fmax(STATISTICS_DELTA, 2 * fmax(RUN_ERRORS * calibration->run_sd,
                                                         PAIR_ERRORS * calibration->pair_sd));
}

static double chance(const struct calibration *calibration, const struct timed *timed)
{
    double test_point = log(calibration->bar) - calibration->delta / 2;
    return statistics_fast_chance(mean_of(timed) - test_point,
                                  fmax(spread_of(timed), calibration->pair_sd),
                                  calibration->run_sd);
}

/* --- Showing it ------------------------------------------------------------------------------- */

static void print_rows(const struct calibration *calibration)
{
    FILE *out = calibration->terminal->out;
    fprintf(out, "%-34s %-16s %8s %8s %15s %8s %9s\n", "submission", "expected", "ratio", "runs",
            "lowest-highest", "pairs", "passes");
    for (size_t i = 0; i < calibration->timed_count; i++) {
        const struct timed *timed = &calibration->timed[i];
        double low = INFINITY, high = -INFINITY;
        for (size_t run = 0; run < timed->count; run++) {
            low = fmin(low, timed->log_ratio[run]);
            high = fmax(high, timed->log_ratio[run]);
        }
        double runs = timed->count > 1 ? sqrt(squares_of(timed) / (double)(timed->count - 1)) : 0;
        fprintf(out, "%-34.34s %-4s %-11s %8.4f %6.2f %% %7.4f-%7.4f %6.2f %% %8.4f%s\n",
                timed->entry->name, verdict_name(timed->entry->expectation.verdict),
                timed->entry->expectation.gate, exp(mean_of(timed)), 100 * runs, exp(low),
                exp(high), 100 * spread_of(timed), chance(calibration, timed),
                timed->inconclusive ? "  (some were INCONCLUSIVE)" : "");
        fprintf(out, "  %s\n", timed->launcher);
    }
}

/* The nearest on either side of any bar, and what the proposed one would do to them. */
struct sides {
    const struct timed *slowest_right, *fastest_slow;
    double false_fail, false_pass;
};

static void find_sides(const struct calibration *calibration, struct sides *sides)
{
    memset(sides, 0, sizeof *sides);
    for (size_t i = 0; i < calibration->timed_count; i++) {
        const struct timed *timed = &calibration->timed[i];
        if (is_right(timed)) {
            sides->false_fail = fmax(sides->false_fail, 1 - chance(calibration, timed));
            if (!sides->slowest_right || mean_of(timed) < mean_of(sides->slowest_right))
                sides->slowest_right = timed;
        } else if (is_too_slow(timed)) {
            sides->false_pass = fmax(sides->false_pass, chance(calibration, timed));
            if (!sides->fastest_slow || mean_of(timed) > mean_of(sides->fastest_slow))
                sides->fastest_slow = timed;
        }
    }
}

static void print_sides(const struct calibration *calibration, const struct sides *sides)
{
    FILE *out = calibration->terminal->out;
    fprintf(out, "\nat a bar of %.3f with a tolerance of %.1f %% on this %s:\n", calibration->bar,
            100 * calibration->delta, calibration->device);
    fprintf(out, "  noise: pairs %.2f %%, runs %.2f %% (standard deviations)\n",
            100 * calibration->pair_sd, 100 * calibration->run_sd);
    fprintf(out,
            "  false fails: at most %.2g of the checks of a right submission; the slowest is "
            "%s at %.3f\n",
            sides->false_fail, sides->slowest_right->entry->name,
            exp(mean_of(sides->slowest_right)));
    if (sides->fastest_slow)
        fprintf(out,
                "  false passes: at most %.2g of the checks of one that is too slow; the "
                "fastest is %s at %.3f\n",
                sides->false_pass, sides->fastest_slow->entry->name,
                exp(mean_of(sides->fastest_slow)));
}

/* Keep what is worth keeping, or say which bar would be. */
static int conclude(const struct calibration *calibration, const struct sides *sides)
{
    FILE *out = calibration->terminal->out;
    const struct course *course = calibration->request->course;
    if (sides->false_fail > RARE || sides->false_pass > RARE) {
        double low = sides->fastest_slow ? mean_of(sides->fastest_slow)
                                         : mean_of(sides->slowest_right) - 0.3;
        fprintf(out,
                "  not kept: errors are to be rarer than %g. The middle between the nearest "
                "two is %.3f: make calibrate LESSON=%d BAR=%.3f\n",
                RARE, exp((low + mean_of(sides->slowest_right)) / 2), calibration->lesson.number,
                exp((low + mean_of(sides->slowest_right)) / 2));
        return 1;
    }
    json_t *noise =
        json_pack("{s:f, s:f}", "noise", calibration->pair_sd, "run_noise", calibration->run_sd);
    bool kept = settings_keep(course, calibration->device, calibration->lesson.key,
                              calibration->bar, calibration->delta, noise, time(NULL));
    json_decref(noise);
    struct path file = settings_file(course, calibration->device);
    fprintf(out, kept ? "  kept for %d days: %s\n" : "  %d days of it cannot be kept in %s\n",
            SETTINGS_DAYS, file.text);
    return kept ? 0 : 1;
}

static bool find_device(struct calibration *calibration, char *reason, size_t reason_bytes)
{
    struct run run;
    json_t *result = examine(calibration, "describe", "", &run);
    json_t *device = json_object_get(result, "device");
    if (device) {
        snprintf(calibration->device, sizeof calibration->device, "%s",
                 record_text(device, "name"));
        calibration->compute = record_integer(device, "compute");
    } else {
        snprintf(reason, reason_bytes, "%s", run.reason);
    }
    bool found = device != NULL;
    run_free(&run);
    return found;
}

/* The device, the reference, then all of the lesson's submissions. */
static bool measure(struct calibration *calibration, char *reason, size_t reason_bytes)
{
    size_t count;
    struct entry *entries = entries_list(calibration->request->course, calibration->lesson.key,
                                         &count, reason, reason_bytes);
    bool measured = entries && find_device(calibration, reason, reason_bytes);
    if (measured &&
        !build(calibration, calibration->lesson.solution.text, &calibration->reference)) {
        snprintf(reason, reason_bytes, "the reference: %s", calibration->reference.reason);
        measured = false;
    }
    measured = measured && time_all(calibration, entries, count, reason, reason_bytes);
    if (measured) {
        struct sides sides;
        find_noise(calibration);
        find_sides(calibration, &sides);
        print_rows(calibration);
        print_sides(calibration, &sides);
        measured = conclude(calibration, &sides) == 0;
    }
    build_free(&calibration->reference);
    free(calibration->timed);
    free(entries);
    return measured;
}

int calibrate(const struct calibrate_request *request, const struct terminal *terminal)
{
    char reason[600] = "";
    struct calibration *calibration = calloc(1, sizeof *calibration);
    calibration->request = request;
    calibration->terminal = terminal;
    calibration->times = request->times ? (size_t)request->times : USUAL_TIMES;
    if (calibration->times > MOST_TIMES)
        calibration->times = MOST_TIMES;
    calibration->sandbox = sandbox_find();
    bool done = course_lesson(request->course, request->lesson, &calibration->lesson, reason,
                              sizeof reason);
    calibration->bar =
        request->bar > 0 ? request->bar : record_real(calibration->lesson.judge, "utilization_bar");
    done = done && measure(calibration, reason, sizeof reason);
    free(calibration);
    if (*reason)
        fprintf(stderr, "calibrate: %s\n", reason);
    return done ? 0 : *reason ? verdict_exit_code(VERDICT_DEVICE) : 1;
}
