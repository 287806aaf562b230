/* problem.h - lesson 5: what a case is, and the thresholds that lie right next to a word. */
#ifndef JUDGE_DROPOUT_PROBLEM_H
#define JUDGE_DROPOUT_PROBLEM_H

#include "check/judge.h"
#include "contracts/05_dropout.h"

enum launcher { FORWARD, BACKWARD, PASSES };

enum script {
    ONE_CALL,
    REPLAYED,   /* one graph, launched for three steps */
    GONE_BACK,  /* three calls, the steps out of order */
    OTHER_PASS, /* three calls, each right after the other pass's with another step */
    OTHER_CALL, /* the same, with the same step and another layer, seed, or p and n */
};

/* Where the passes of OTHER_PASS and OTHER_CALL read and write. All are common in training, and who
 * keeps a mask may know the forward call that it is of by any of the pointers. */
enum places_kept {
    SAME_PLACES, /* both passes from x to y */
    EXCHANGED,   /* the gradient comes to where y was, and leaves where x was */
    ONE_PLACE,   /* both in place, in the same memory */
};

enum { N, STEP, SEED, LAYER, PLACES }; /* judge_case.size */
enum { P };                            /* judge_case.real */

enum { RUNS = 3 };
enum { X, Y, STEPS, NOW, RUN }; /* buffers; the last two only of scripts with RUNS */
/* What a case says of them. */
enum { ONE_FLOAT = sizeof(float), IN_PLACE = 1 + X };

/* With seed 2026, layer 0 and step 0, word 13 is 0xEBD615FF, one less than this threshold; as a
 * float it is rounded up to it. Word 51 is 0x00400D71, exactly this one: kept. */
#define P_ABOVE_WORD_13 0x1.d7ac2cp-1f
#define P_OF_WORD_51 0x1.0035c4p-10f
/* The first steps, with a key of zeros, in whose first quad the word of an element is the least and
 * the largest that there is: found by trying them all. */
enum { STEP_WORD_1_IS_0 = 371492825, STEP_WORD_2_IS_MOST = 389732782 };
/* With seed 2026 and layer 0: the first step at which the element has an odd word of 24 bits, and
 * the p that has this word as its threshold; for each place in a quad, which may be the last of an
 * array. */
enum { STEP_OF_60 = 10, STEP_OF_61 = 1535, STEP_OF_62 = 360, STEP_OF_63 = 3950 };
#define P_OF_WORD_60 0x1.674936p-9f
#define P_OF_WORD_61 0x1.82623ap-9f
#define P_OF_WORD_62 0x1.83f662p-9f
#define P_OF_WORD_63 0x1.37a14ep-9f
/* Times 2^32 this is 0x00400D71 and a half: rounded down, word 51 is kept. */
#define P_ABOVE_WORD_51 0x1.0035c6p-10f
/* And this is 0x00400D72: word 51 is dropped, unless some bits of the threshold are cut off. */
#define P_PAST_WORD_51 0x1.0035c8p-10f

/* With seed 2026 and layer 0, the first step at which one of 64 words is 0xFFFFFF00, the threshold
 * of the last p before 1. In double that p times 2^32 has to be exact, or it is rounded up. */
enum { STEP_OF_NEXT_TO_1 = 6640914 };
#define P_NEXT_TO_1 0x1.fffffep-1f
/* The least p that drops anything, and the one before it, whose threshold is 0. */
#define P_OF_WORD_0 0x1p-32f
#define P_BELOW_WORDS 0x1.fffffep-33f

#endif
