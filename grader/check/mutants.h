/* mutants.h - does a lesson's judge find mistakes that a program put in?
 *
 * build/bin/mutate (grader/mutants) lists what can be changed in each right entry of the lesson:
 * the solution and right/. Each change makes a mutant, which is checked on the simulated device
 * like any submission. It is
 *
 *     stillborn    when it does not compile: then it does not count;
 *     caught       by any verdict but PASS;
 *     equivalent   when it passes and compiles to the same code as its entry, or
 *                  equivalents.json, next to the judge, says why it may;
 *     a survivor   when it passes otherwise: a hole in the judge, or an equivalent yet to be read;
 *     not judged   when the check says nothing about it (the points of its verdict are AGAIN).
 *
 * The score is caught / (caught + survivors). Equivalent means that it does all that the contract
 * promises, within the bars: one that is only slower, and passes, is equivalent.
 *
 * Results are kept in build/mutants/NN_slug, by the content of mutant and grader: after an
 * interruption the same command resumes.
 */
#ifndef CHECK_MUTANTS_H
#define CHECK_MUTANTS_H

#include "check/course.h"
#include "lib/terminal.h"
#include "check/verdict.h"

#include <jansson.h>
#include <stdint.h>

struct mutants_request {
    const struct course *course;
    const char *lesson; /* as typed */
    size_t sample;      /* judge that many, drawn by the seed; 0: all */
    uint64_t seed;      /* of the draw and of the checks */
};

/* Prints a line for each mutant and the score. The exit status is 0 when the score reaches the bar
 * and equivalents.json holds, 1 when not, 130 when interrupted, or a verdict's. */
int mutants(const struct mutants_request *request, const struct terminal *terminal);

/* --- Shared by mutants.c, mutants_list.c and mutants_score.c ---------------------------------- */

enum mutant_fate {
    MUTANT_STILLBORN,
    MUTANT_CAUGHT,
    MUTANT_EQUIVALENT,
    MUTANT_SURVIVOR,
    MUTANT_NOT_JUDGED,
    MUTANT_FATES
};

struct mutant {
    char entry[80];   /* "solution", "right/grid_stride" */
    char *original;   /* the entry's path; owned */
    json_t *mutation; /* as mutate prints it; owned */
    char *source;     /* mutated; owned */
    char key[65];     /* hash of everything that its result depends on */
    enum verdict verdict;
    char reason[200];
    bool same_code; /* it passes, and compiles to what its entry compiles to */
    enum mutant_fate fate;
    const char *why; /* it is equivalent; borrowed */
};

struct mutants {
    const struct mutants_request *request;
    const struct terminal *terminal;
    struct lesson lesson;
    struct path folder; /* build/mutants/NN_slug */
    struct mutant *list;
    size_t count, all;   /* judged now; number made before the sample was drawn */
    json_t *equivalents; /* array, maybe empty */
    unsigned threads;    /* of each simulated device */
};

/* Makes all mutants, draws the sample and reads the equivalents. False with a sentence. */
bool mutants_list(struct mutants *mutants, char *reason, size_t reason_bytes);
void mutants_free(struct mutants *mutants);
/* What the verdict means for the mutant; sets fate and why. */
void mutants_decide(const struct mutants *mutants, struct mutant *mutant);
/* The entry of the equivalents that matches it, or NULL. */
const json_t *mutants_equivalent(const json_t *equivalents, const char *entry,
                                 const json_t *mutation);
/* Kinds, survivors, score. Returns the exit status. */
int mutants_conclude(const struct mutants *mutants);

#endif
