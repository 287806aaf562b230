/* sayings.h - the tables that hints are made of. A row is a sentence and the evidence that it
 * claims; numbers in it stand as {names} (phrase.h). */
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

/* Level 1: the question whose answer is the mistake; the first row that fits is asked. */
struct sayings sayings_questions(void);
/* Level 2, of what is neither WRONG nor SLOW (for those: causes.h): what may be the cause. */
struct sayings sayings_faults(void);
/* Level 3: what to write, or where to look; the first row that fits is said. */
struct sayings sayings_steps(void);

/* Does a row of that verdict claim only what the evidence has? */
bool saying_fits(const struct saying *saying, const struct judge_evidence *evidence);

/* Helpers of the tables: is a word in the sentence that the check has said? */
bool sayings_said(const struct judge_evidence *evidence, const char *words);
/* The same in the advice that it gave. */
bool sayings_advised(const struct judge_evidence *evidence, const char *words);

#endif
