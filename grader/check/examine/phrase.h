/* phrase.h - a sentence of a hint with this submission's numbers in it. */
#ifndef EXAMINE_PHRASE_H
#define EXAMINE_PHRASE_H

#include "check/judge.h"

#include <stddef.h>

/* Copies text with each {name} replaced by that number of the evidence (phrase.c lists the names).
 * False if one of them is not known, or the text does not fit: then the sentence must not be
 * used. */
bool phrase_fill(const char *text, const struct judge_evidence *evidence, char *filled,
                 size_t bytes);

#endif
