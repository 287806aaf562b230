/* corpus.c - parses expectations and compares records with them. */
#include "check/corpus.h"

#include "check/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const corpus_folder[CORPUS_FOLDERS] = {"right", "wrong", "slow", "cheat"};

static const char *const GATES[] = {"build", "safety", "numerics", "counters", "utilization"};
enum { GATE_COUNT = sizeof GATES / sizeof *GATES };

static bool is_gate(const char *word)
{
    for (size_t i = 0; i < GATE_COUNT; i++)
        if (strcmp(GATES[i], word) == 0)
            return true;
    return false;
}

static bool refuse(char *reason, size_t bytes, const char *what, const char *word)
{
    snprintf(reason, bytes, "%s \"%s\": an expectation is VERDICT [gate] [line N] [mistake NAME]",
             what, word);
    return false;
}

/* Words come one after the other; NULL at the end. */
static char *next_word(char **rest)
{
    char *word;
    while ((word = strsep(rest, " \t\r")) && !*word)
        ;
    return word;
}

static bool take_word(char *word, char **rest, struct expectation *expectation, char *reason,
                      size_t bytes)
{
    if (is_gate(word)) {
        snprintf(expectation->gate, sizeof expectation->gate, "%s", word);
        return true;
    }
    bool is_line = strcmp(word, "line") == 0;
    if (!is_line && strcmp(word, "mistake") != 0)
        return refuse(reason, bytes, "unknown word", word);
    char *value = next_word(rest);
    if (!value)
        return refuse(reason, bytes, "nothing after", word);
    if (!is_line) {
        snprintf(expectation->mistake, sizeof expectation->mistake, "%s", value);
        return true;
    }
    expectation->line = atoi(value);
    return expectation->line > 0 || refuse(reason, bytes, "no line number", value);
}

bool expectation_parse(const char *words, struct expectation *expectation, char *reason,
                       size_t reason_bytes)
{
    char text[256];
    memset(expectation, 0, sizeof *expectation);
    if (strlen(words) >= sizeof text)
        return refuse(reason, reason_bytes, "too long", words);
    strcpy(text, words);
    char *rest = text, *word = next_word(&rest);
    if (!word || !verdict_named(word, &expectation->verdict))
        return refuse(reason, reason_bytes, "no verdict", word ? word : "");
    while ((word = next_word(&rest)))
        if (!take_word(word, &rest, expectation, reason, reason_bytes))
            return false;
    return true;
}

bool expectation_of_source(const char *source, struct expectation *expectation, char *reason,
                           size_t reason_bytes)
{
    static const char MARK[] = "// expect: ";
    char words[256];
    size_t mark = strlen(MARK);
    if (strncmp(source, MARK, mark) != 0) {
        snprintf(reason, reason_bytes, "the first line does not start with \"%s\"", MARK);
        return false;
    }
    snprintf(words, sizeof words, "%.*s", (int)strcspn(source + mark, "\n"), source + mark);
    return expectation_parse(words, expectation, reason, reason_bytes);
}

bool expectation_met(const struct expectation *expectation, const json_t *record, char *reason,
                     size_t reason_bytes)
{
    enum verdict verdict = record_verdict(record);
    const char *gate = record_text(record, "failed_gate");
    const char *mistake = record_text(json_object_get(record, "mistake"), "name");
    int line = record_integer(json_object_get(record, "line"), "number");
    if (verdict != expectation->verdict)
        snprintf(reason, reason_bytes, "verdict %s (%s: %s)", verdict_name(verdict), gate,
                 record_text(record, "reason"));
    else if (*expectation->gate && strcmp(gate, expectation->gate) != 0)
        snprintf(reason, reason_bytes, "fails at %s: %s", gate, record_text(record, "reason"));
    else if (expectation->line && line != expectation->line)
        snprintf(reason, reason_bytes, "names line %d", line);
    else if (*expectation->mistake && strcmp(mistake, expectation->mistake) != 0)
        snprintf(reason, reason_bytes, "mistake recognised: %s", *mistake ? mistake : "none");
    else
        return true;
    return false;
}
