/* levels.c - composes hints from the tables (sayings.h, causes.h), the judge's mistake and its
 * general hints. */
#include "check/examine/levels.h"

#include "check/examine/causes.h"
#include "check/examine/phrase.h"
#include "check/examine/sayings.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 1200, CAUSES_OF_A_HINT = 3 };

bool saying_fits(const struct saying *saying, const struct judge_evidence *evidence)
{
    return (int)saying->verdict == evidence->verdict && (!saying->fits || saying->fits(evidence));
}

bool sayings_said(const struct judge_evidence *evidence, const char *words)
{
    return evidence->said && strstr(evidence->said, words);
}

bool sayings_advised(const struct judge_evidence *evidence, const char *words)
{
    return evidence->advice && strstr(evidence->advice, words);
}

static bool add(json_t *level, const char *text, const struct judge_evidence *evidence)
{
    char filled[MOST_BYTES];
    return phrase_fill(text, evidence, filled, sizeof filled) &&
           json_array_append_new(level, json_string(filled)) == 0;
}

/* The first rows that fit, up to a limit; a row that claims nothing only if no other fits. */
static void add_rows(json_t *level, struct sayings table, const struct judge_evidence *evidence,
                     size_t most)
{
    for (size_t i = 0; i < table.count && json_array_size(level) < most; i++)
        if (saying_fits(&table.rows[i], evidence) &&
            (table.rows[i].fits || json_array_size(level) == 0))
            add(level, table.rows[i].text, evidence);
}

/* --- A lesson's own hints --------------------------------------------------------------------- */

static bool is_of_launcher(const struct judge_asked *asked, const struct judge_evidence *e)
{
    const struct judge_case *where = e->where ? e->where : e->counted;
    return !asked->launchers || !where || (asked->launchers >> where->launcher & 1);
}

static bool is_open(const struct judge_asked *asked, const struct judge_evidence *e)
{
    return is_of_launcher(asked, e) && !(asked->done && asked->done(e));
}

static const struct judge_asked *next_of(const struct judge *judge, size_t after, int level)
{
    for (size_t i = after; i < judge->asked_count; i++)
        if (judge->asked[i].level == level)
            return &judge->asked[i];
    return NULL;
}

static void append(char *text, size_t bytes, const char *from, size_t length)
{
    size_t used = strlen(text);
    while (length > 0 && from[length - 1] == ' ')
        length--;
    snprintf(text + used, bytes - used, "%s%.*s", used ? " " : "", (int)length, from);
}

/* The part of the hint that the submission has not done; "" if it has done all of it. */
static void open_parts(const struct judge *judge, int level, const struct judge_evidence *e,
                       char *text, size_t bytes)
{
    const char *hint = judge->hints[level - 1];
    const struct judge_asked *asked = next_of(judge, 0, level);
    char parts[MOST_BYTES] = "";
    *text = '\0';
    if (!asked) {
        snprintf(text, bytes, "%s", hint);
        return;
    }
    const char *start = strstr(hint, asked->from);
    size_t lead = start ? (size_t)(start - hint) : 0;
    while (asked && start) {
        const struct judge_asked *next = next_of(judge, (size_t)(asked - judge->asked) + 1, level);
        const char *end = next ? strstr(start, next->from) : NULL;
        size_t length = end ? (size_t)(end - start) : strlen(start);
        if (is_open(asked, e))
            append(parts, sizeof parts, start, length);
        asked = next;
        start = end;
    }
    if (*parts)
        snprintf(text, bytes, "%.*s%s", (int)lead, hint, parts);
}

/* The lesson's second and third hints; the first is a question, and one was already asked. */
static void add_lesson(json_t *levels[LEVELS], const struct judge *judge,
                       const struct judge_evidence *e)
{
    if (!judge->hints || e->in_another_case || e->broken_in_small)
        return;
    for (int level = 2; level <= LEVELS; level++) {
        char text[MOST_BYTES];
        open_parts(judge, level, e, text, sizeof text);
        if (*text)
            json_array_append_new(
                levels[level - 1],
                json_sprintf("%s%s", level == LEVELS ? "The lesson's own way: " : "", text));
    }
}

/* The judge's own sentence at that level, if it has one. */
static bool add_own(json_t *levels[LEVELS], const struct judge *judge, int level,
                    const struct judge_evidence *evidence)
{
    for (size_t i = 0; judge->sayings && i < judge->sayings->count; i++)
        if (judge->sayings->rows[i].level == level && judge->sayings->rows[i].seen(evidence))
            return add(levels[level - 1], judge->sayings->rows[i].text, evidence);
    return false;
}

/* --- All -------------------------------------------------------------------------------------- */

static void add_causes(json_t *level, const struct judge_evidence *evidence)
{
    const char *causes[CAUSES_MOST];
    bool is_elsewhere = evidence->in_another_case || evidence->broken_in_small;
    size_t count = is_elsewhere ? 0 : causes_of(evidence, causes); /* they are of the timed case */
    for (size_t i = 0; i < count; i++)
        add(level, causes[i], evidence);
    if (count == 0)
        add_rows(level, sayings_faults(), evidence, CAUSES_OF_A_HINT);
}

/* Does the hint of a mistake fit all that was seen? A hint on barriers does not fit a copy that was
 * not waited for, or two known lines that use shared memory; a hint on the timed case does not fit
 * another case that is slow. */
static bool is_told(const struct judge_evidence *evidence)
{
    bool has_lines = evidence->at_line && evidence->other_line;
    return !evidence->in_another_case && !sayings_said(evidence, "missing cp.async wait") &&
           !(has_lines && sayings_said(evidence, "shared memory race"));
}

json_t *levels_of(const struct judge *judge, const struct judge_evidence *evidence,
                  const struct judge_mistake *mistake)
{
    json_t *levels[LEVELS] = {json_array(), json_array(), json_array()};
    bool is_slow = evidence->verdict == VERDICT_SLOW;
    const struct judge_mistake *seen = is_told(evidence) ? mistake : NULL;
    if (!add_own(levels, judge, 1, evidence))
        add_rows(levels[0], sayings_questions(), evidence, 1);
    if (is_slow && seen)
        json_array_append_new(levels[1], json_string(seen->hint));
    else if (!add_own(levels, judge, 2, evidence))
        add_causes(levels[1], evidence);
    if (!is_slow && seen)
        json_array_append_new(levels[2], json_string(seen->hint));
    if (!add_own(levels, judge, 3, evidence))
        add_rows(levels[2], sayings_steps(), evidence, json_array_size(levels[2]) + 1);
    if (is_slow)
        add_lesson(levels, judge, evidence);
    return json_pack("[o, o, o]", levels[0], levels[1], levels[2]);
}
