/* history.h - the same call once more, over what the previous call left.
 *
 * A submission may remember earlier calls, in its own variables or by looking at its outputs, and
 * leave out what it believes to be done: all of a call that it has seen before, or the part of a
 * warp whose first output is already right. This does not show while each call finds other inputs
 * and unwritten outputs. So after a right call, the call is made again with the same arguments:
 *
 *     spoilt    inputs and outputs as they were left, but a few drawn elements of the outputs
 *               have other bits: a NaN, the other sign, a number nearby
 *     changed   a few drawn elements of the inputs are others, and outputs are as they were left
 *
 * Each time the whole result must be right. The number of drawn elements is drawn, too, from one in
 * 16 to one in 1024: a submission that looks only at some elements notices many changes, but a few
 * fall between those elements.
 */
#ifndef EXAMINE_HISTORY_H
#define EXAMINE_HISTORY_H

#include "check/examine/stages.h"

/* Successive calls of one run with the same arguments. */
enum repeat {
    REPEAT_NONE,
    REPEAT_AFRESH,  /* other inputs */
    REPEAT_SPOILT,  /* a few outputs are spoilt, */
    REPEAT_CHANGED, /* or a few inputs are others */
};

/* The stream of random numbers for it; other calls with that seed draw from another one. */
uint64_t repeat_seed(uint64_t seed, enum repeat repeat);
/* How it differs from the first call: "other inputs". */
const char *repeat_words(enum repeat repeat);
/* The finding is about that call; the previous one was right. */
void repeat_note(enum repeat repeat, struct finding *finding);

/* A few of count elements, at least one. */
struct history_few {
    uint64_t seed, certain;
    unsigned shift; /* one in 2^shift, besides */
};
struct history_few history_few(uint64_t seed, uint64_t count);
bool history_is_one(const struct history_few *few, uint64_t element);
/* Give an element other bits, whatever it holds. */
void history_spoil_element(unsigned char *element, enum judge_type type, uint64_t word);

/* May a call be followed by others like it? Its outputs must not be inputs, too. */
bool history_applies(const struct judge_case *problem, const struct image *image);
/* The next call finds the contents of after, an image that a right call left, with a few outputs
 * spoilt. */
void history_spoil(struct prepared *prepared, const unsigned char *after, uint64_t seed);
/* Make changed from from's inputs, with a few of them different, and with its truth. False, with a
 * finding, if memory is exhausted. */
bool history_change(const struct lab *lab, const struct prepared *from, uint64_t seed,
                    struct prepared *changed, struct finding *finding);
/* The next call finds the outputs of after. */
void history_keep(struct prepared *prepared, const unsigned char *after);

#endif
