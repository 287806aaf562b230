/* points.c - reads the policy, and tells the band of a record. */
#include "class/points.h"

#include "check/record.h"
#include "lib/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[BANDS] = {"gold", "pass", "close", "right", "none"};
static const double MOST_POINTS = 1e6;
enum { MOST_FILE_BYTES = 64 * 1024 };

const char *band_name(enum band band)
{
    return NAMES[band];
}

static bool gate_passed(const json_t *record, const char *name)
{
    const json_t *gate = record_gate(record, name);
    return gate && record_verdict(gate) == VERDICT_PASS;
}

enum band band_of(const json_t *record)
{
    enum verdict verdict = record_verdict(record);
    if (verdict == VERDICT_PASS)
        return json_is_true(json_object_get(record, "gold")) ? BAND_GOLD : BAND_PASS;
    if (verdict_points(verdict) != POINTS_GATES || !gate_passed(record, "safety") ||
        !gate_passed(record, "numerics"))
        return BAND_NONE;
    return gate_passed(record, "counters") ? BAND_CLOSE : BAND_RIGHT;
}

double points_most(const struct points *points, int lesson)
{
    double most = 0;
    for (int band = 0; band < BANDS; band++)
        most = fmax(most, points->of[lesson][band]);
    return most;
}

/* --- The file --------------------------------------------------------------------------------- */

static bool find_band(const char *word, enum band *band)
{
    for (int i = 0; i < BANDS; i++)
        if (word && strcmp(word, NAMES[i]) == 0) {
            *band = (enum band)i;
            return true;
        }
    return false;
}

static char *next_word(char **rest)
{
    char *word;
    while ((word = strsep(rest, " \t\r")) && !*word)
        continue;
    return word;
}

static bool read_number(const char *word, double most, double *number)
{
    char *end;
    *number = word ? strtod(word, &end) : NAN;
    return word && *word && !*end && *number >= 0 && *number <= most;
}

/* One line without its comment; empty ones say nothing. NULL, or what is wrong with it. */
static const char *read_line(struct points *points, char *line, bool *seen)
{
    char *rest = line, *word = next_word(&rest);
    double lesson = 0, value;
    enum band band;
    bool of_one = word && strcmp(word, "lesson") == 0;
    if (!word)
        return NULL;
    if (of_one &&
        (!read_number(next_word(&rest), POINTS_LESSONS - 1, &lesson) || lesson != floor(lesson)))
        return "after \"lesson\" comes its number";
    if (of_one)
        word = next_word(&rest);
    if (!find_band(word, &band))
        return "a band is one of gold, pass, close, right, none";
    if (!read_number(next_word(&rest), MOST_POINTS, &value) || next_word(&rest))
        return "after the band comes one number, its points, 0 or more";
    if (of_one) {
        points->of[(int)lesson][band] = value;
        return NULL;
    }
    if (seen[band])
        return "this band has a line already";
    seen[band] = true;
    for (int i = 0; i < POINTS_LESSONS; i++)
        points->of[i][band] = value;
    return NULL;
}

static bool refuse(char *reason, size_t bytes, const char *path, int line, const char *what)
{
    if (line)
        snprintf(reason, bytes, "%s, line %d: %s", path, line, what);
    else
        snprintf(reason, bytes, "%s: %s", path, what);
    return false;
}

/* Lines for one lesson count wherever they stand, so they are read after the others. */
static const char *read_lines(struct points *points, const char *text, bool of_lessons, bool *seen,
                              int *number)
{
    const char *wrong = NULL;
    *number = 0;
    for (const char *line = text; *line && !wrong;) {
        size_t length = strcspn(line, "\n");
        char copy[200];
        snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n#"), line);
        ++*number;
        if ((strncmp(copy + strspn(copy, " \t"), "lesson", 6) == 0) == of_lessons)
            wrong = read_line(points, copy, seen);
        line += length + (line[length] == '\n');
    }
    return wrong;
}

static bool is_upside_down(const struct points *points, int lesson)
{
    for (int band = 0; band + 1 < BANDS; band++)
        if (points->of[lesson][band] < points->of[lesson][band + 1])
            return true;
    return false;
}

bool points_read(const char *path, struct points *points, char *reason, size_t reason_bytes)
{
    static const char MARK[] = "\xEF\xBB\xBF"; /* as some editors begin a file */
    bool seen[BANDS] = {false};
    int line = 0;
    char *file = file_read(path, MOST_FILE_BYTES, NULL);
    const char *text = file && strncmp(file, MARK, strlen(MARK)) == 0 ? file + strlen(MARK) : file;
    if (!file)
        return refuse(reason, reason_bytes, path, 0, "the points policy cannot be read");
    memset(points, 0, sizeof *points);
    const char *wrong = read_lines(points, text, false, seen, &line);
    for (int band = 0; band < BANDS && !wrong; band++)
        if (!seen[band]) {
            line = 0;
            wrong = "each of gold, pass, close, right and none needs a line";
        }
    if (!wrong)
        wrong = read_lines(points, text, true, seen, &line);
    for (int lesson = 0; !wrong && lesson < POINTS_LESSONS; lesson++)
        if (is_upside_down(points, lesson)) {
            line = 0;
            wrong = "a band is worth more than a better one (gold, pass, close, right, none)";
        }
    free(file);
    return !wrong || refuse(reason, reason_bytes, path, line, wrong);
}
