/* judge_seen.h - what the lists of mistakes of several judges ask of the evidence, and two mistakes
 * that any of them may have.
 *
 * A list is a predicate for each mistake, named after it, and a table of them: judge.mistakes.
 */
#ifndef CHECK_JUDGE_SEEN_H
#define CHECK_JUDGE_SEEN_H

#include "check/judge.h"
#include "check/verdict.h"

/* A mistake and the evidence e that shows it. */
#define JUDGE_SEEN(mistake, condition)                  \
    static bool mistake(const struct judge_evidence *e) \
    {                                                   \
        return condition;                               \
    }

/* This verdict, of a case that is known. */
bool judge_failed(const struct judge_evidence *e, enum verdict verdict);
bool judge_wrong(const struct judge_evidence *e); /* the same for WRONG */
/* All wrong results are so near that they are of the right elements, calculated badly: other
 * elements' would be as near by chance alone. */
bool judge_is_near(const struct judge_evidence *e);
/* Refused for this counter, which is from least to most. */
bool judge_slow(const struct judge_evidence *e, enum judge_counter counter, double least,
                double most);
/* Refused for its time alone. */
bool judge_late(const struct judge_evidence *e);
/* Of those accesses at the named line that are refused for their sectors, be it loads or stores: a
 * lane's width, and the distance to the next lane's without its sign; 0 if that varies. NAN where
 * no sectors are refused. */
double judge_refused_width(const struct judge_evidence *e);
double judge_refused_apart(const struct judge_evidence *e);
/* Are there zeros wherever an answer may skip a group of them? */
bool judge_has_zeros(const struct judge_case *problem);
/* Is each product subnormal, or nearly? Then what is flushed leaves 0, and a part of a sum that is
 * missing is no larger than what is flushed elsewhere. */
bool judge_has_tiny_products(const struct judge_case *problem);
/* Does a matrix have more elements than an int counts? A is m x k, B is k x n, and C is m x n. */
bool judge_is_past_an_int(int64_t m, int64_t n, int64_t k);
/* Does a buffer start at no multiple of 16 bytes? Then wide accesses may begin after some elements,
 * and those at the end are not the size modulo four. */
bool judge_is_unaligned(const struct judge_case *problem);

bool judge_error_ignored(const struct judge_evidence *e);
bool judge_right_for_the_list(const struct judge_evidence *e);

/* clang-format off */
/* What a case reveals that is refused_with JUDGE_LAUNCH_FAILS (judge_graph.h). */
#define JUDGE_ERROR_IGNORED                                                                    \
    {"error_ignored", judge_error_ignored,                                                     \
     "The launch failed, and the launcher returned cudaSuccess. A launch gives no value of its " \
     "own: cudaGetLastError(), right after it, does, and that is what the launcher returns."}

/* Right for the cases of a judge's list, but not for those that were drawn. They come after the
 * others, so if one of them is the first wrong one, the whole list was right. It must come before
 * mistakes that are told by a case's place in the list, which means nothing there. */
#define JUDGE_RIGHT_FOR_THE_LIST                                                               \
    {"right_for_the_list", judge_right_for_the_list,                                           \
     "All cases of the judge's list are right, and one is not whose sizes, addresses and "      \
     "numbers were drawn for this check. What do you do only for some of these: a size (a "    \
     "condition on one, an index that wraps), addresses that no float4 fits, an output over "  \
     "an input, or numbers (NaN, infinities, very large and very small ones, those past a "    \
     "limit that is not the contract's)?"}
/* clang-format on */

#endif
