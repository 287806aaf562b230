/* sayings.h - the tables that hints are made from. A row is a sentence and the evidence that it
 * claims; a number in it is written as a {name} (phrase.h). */
#ifndef EXAMINE_SAYINGS_H
#define EXAMINE_SAYINGS_H

#include "check/judge.h"
#include "check/verdict.h"

#include <stddef.h>

struct saying {
    enum verdict verdict;
    bool (*fits)(const struct judge_evidence *evidence); /* NULL: whatever the evidence */
    const char *text;
};

struct sayings {
    const struct saying *rows;
    size_t count;
};

/* Level 1: the question whose answer is the mistake; the first row that fits is used. */
struct sayings sayings_questions(void);
/* Level 2, for verdicts other than WRONG and SLOW (for those: causes.h): the possible causes. */
struct sayings sayings_faults(void);
/* Level 3: what to write, or where to look; the first row that fits is used. */
struct sayings sayings_steps(void);

/* Does the evidence support what a row of that verdict claims? */
bool saying_fits(const struct saying *saying, const struct judge_evidence *evidence);

/* Helpers of the tables: does the check's reason contain these words? */
bool sayings_said(const struct judge_evidence *evidence, const char *words);
/* The same for the advice that it gave. */
bool sayings_advised(const struct judge_evidence *evidence, const char *words);

#endif
