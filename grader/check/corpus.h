/* corpus.h - which verdict an entry of a corpus must get, and whether it did.
 *
 * The first line of every file in grader/judges/NN_slug/{right,wrong,slow,cheat} says it:
 *
 *     // expect: VERDICT [gate] [line N] [mistake NAME]
 *
 * with a verdict of verdict.def, the gate that fails (build, safety, numerics, counters,
 * utilization), the source line that must be named, and the judge's mistake that must be
 * recognised. What is left out is not checked. judge.as_shipped is written in the same words.
 */
#ifndef CHECK_CORPUS_H
#define CHECK_CORPUS_H

#include "check/verdict.h"

#include <jansson.h>

/* The folders of a corpus, next to judge.c. */
enum { CORPUS_FOLDERS = 4 };
extern const char *const corpus_folder[CORPUS_FOLDERS];

struct expectation {
    enum verdict verdict;
    char gate[24], mistake[64]; /* empty when not asked for */
    int line;                   /* 0 when not asked for */
};

/* From the words after "expect:". False with a sentence. */
bool expectation_parse(const char *words, struct expectation *expectation, char *reason,
                       size_t reason_bytes);
/* From a file's first line. */
bool expectation_of_source(const char *source, struct expectation *expectation, char *reason,
                           size_t reason_bytes);
/* Does the record show it? False with a sentence that says what it shows instead. */
bool expectation_met(const struct expectation *expectation, const json_t *record, char *reason,
                     size_t reason_bytes);

#endif
