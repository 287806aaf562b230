/* problem.h - lesson 9: what a case is, and the list of tensors that it stands for.
 *
 * All tensors of a case lie in a few buffers: p, m and v of each in one for all, its gradient in
 * one for floats or in one for FP16. Where each begins follows from the case alone, so runner and
 * truth need not agree on anything else. What lies between two tensors belongs to neither.
 */
#ifndef JUDGE_ADAMW_PROBLEM_H
#define JUDGE_ADAMW_PROBLEM_H

#include "check/judge.h"
#include "contracts/09_adamw.h"

/* judge_case.size. ELEMENTS: of which the list makes something, see below. */
enum { LIST, COUNT, ELEMENTS, HALVES, PLACES, STEP, DECAY_STEPS, ZEROS };
/* judge_case.real: the fields of struct quest_adamw. */
enum { LR, BETA1, BETA2, EPS, WEIGHT_DECAY, DECAY_RATE };
/* Buffers, p last of those that are written: it follows from the other two, so if one of them is
 * wrong, that is what is said. STEPS has the step of each run, and NOW, of scripts with RUNS, the
 * one under way. */
enum { M, V, P, G, G16, STEPS, NOW, ARENAS = G16 + 1 };
enum { RUNS = 3 };

enum list {
    ALIKE,   /* each tensor has ELEMENTS */
    MIXED,   /* short ones and empty ones; the middle one has ELEMENTS */
    FIRST,   /* the same, but it is the first one that has them */
    DRAWN,   /* any number up to ELEMENTS, and every sixth is empty */
    NETWORK, /* the 148 tensors of a language model ELEMENTS wide, as GPT-2 */
};

enum halves { NO_HALVES, EVERY_OTHER, ALL_HALVES };

/* Where g, m and v are 0 together, or some of them, and p is not (fill.c); or all of them are. */
enum zeros { FEW_ZEROS, ZERO_RUNS, ZERO_TENSORS, ONLY_P };

/* Where tensors begin in their buffers. From DRAWN_PLACES on it is a seed, also of DRAWN sizes. */
enum places {
    APART, /* at multiples of 16 bytes, after a gap */
    P_OFF, /* the same, and p is one element further */
    G_OFF, /* so is the gradient; or it is two, or four */
    G_TWO_OFF,
    G_FOUR_OFF,
    M_OFF,
    V_OFF,
    ONE_OFF, /* all four are one element further; two; three */
    TWO_OFF,
    THREE_OFF,
    PACKED,   /* each where the one before it ends, as in a buffer for all parameters */
    ON_LINES, /* at multiples of 256 bytes, as allocations are */
    DRAWN_PLACES,
};

enum script {
    ONE_CALL,
    AS_GRAPH,   /* captured, and launched by the graph */
    REPLAYED,   /* one graph, launched for three steps, each over what the one before it left */
    GONE_BACK,  /* three calls, the steps out of order */
    IN_TURN,    /* with another call, each launch between two of the other's */
    TYPE_FIRST, /* after a call that differs in the gradients' type alone */
    /* After a call in which two tensors in the middle of eight have each other's. */
    OTHER_P_FIRST,
    OTHER_G_FIRST,
    OTHER_M_FIRST,
    OTHER_V_FIRST,
    OVERWRITTEN, /* the same call many times, each over other contents of the workspace */
    MOST_FIRST,  /* calls of as many elements as there may be are captured, never launched; then
                  * this one */
    /* Arguments that a call must not have: with any of them, everything is refused. */
    NO_P,
    NO_G,
    NO_M,
    NO_V,
    LAST_NEGATIVE, /* the last tensor has -1 elements */
    LAST_TOO_LONG, /* or one more than a list may have */
    SUM_TOO_LONG,  /* two tensors have as many as one list may */
    SUM_OVERFLOWS, /* two tensors of 2^63 - 1 */
    COUNT_TOO_LARGE,
    COUNT_NEGATIVE,
};

/* A tensor: where it begins in each buffer, of which it uses one for its gradient. */
struct adamw_place {
    int64_t n, at[ARENAS];
    bool half;
};

struct adamw_list {
    int64_t made_of[JUDGE_SIZES]; /* judge_case.size */
    int count;
    struct adamw_place of[LESSON9_MOST_TENSORS];
    int64_t length[ARENAS]; /* of each buffer: they end where the last tensor does */
    int64_t elements, half_elements;
};

/* The list of a case; kept for the thread's next question about it. */
const struct adamw_list *adamw_list(const struct judge_case *problem);
/* The last tensor that begins at element i of a buffer or before; -1 if there is none. Empty ones
 * begin nowhere. */
int adamw_tensor_at(const struct adamw_list *list, size_t buffer, int64_t i);

static inline bool adamw_has_others_first(const struct judge_case *problem)
{
    return problem->script >= OTHER_P_FIRST && problem->script <= OTHER_V_FIRST;
}

static inline bool adamw_has_runs(const struct judge_case *problem)
{
    return problem->script == REPLAYED || problem->script == GONE_BACK;
}

/* How many steps were done before the given run. */
static inline uint64_t adamw_step_of_run(const struct judge_case *problem, int run)
{
    static const uint64_t OUT_OF_ORDER[RUNS] = {2, 0, 1};
    uint64_t ahead = problem->script == GONE_BACK ? OUT_OF_ORDER[run] : (uint64_t)run;
    return (uint64_t)problem->size[STEP] + ahead;
}

#endif
