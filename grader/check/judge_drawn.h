/* judge_drawn.h - a mistake: right for the cases of a judge's list, but not for those that were
 * drawn.
 *
 * For the list of mistakes of a judge that draws cases. Drawn cases come after the others, so if
 * one of them is the first wrong one, the whole list was right. This mistake must come before those
 * that are told by a case's place in the list, which means nothing here.
 */
#ifndef CHECK_JUDGE_DRAWN_H
#define CHECK_JUDGE_DRAWN_H

#include "check/judge.h"
#include "check/verdict.h"

static inline bool judge_right_for_the_list(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_WRONG && e->where && e->where->drawn;
}

/* clang-format off */
#define JUDGE_RIGHT_FOR_THE_LIST                                                               \
    {"right_for_the_list", judge_right_for_the_list,                                           \
     "All cases of the judge's list are right, and one is not whose sizes and numbers were "   \
     "drawn for this check. So it has what the list has not: another size (is there a "        \
     "condition on one, or a constant that the arguments should give?), or other numbers "     \
     "(NaN, infinities, very large and very small ones, in any formula but the contract's)."}
/* clang-format on */

#endif
