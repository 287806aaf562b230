/* pairs.h - one timed case on a GPU: blocks of a submission and of the reference in turn.
 *
 *     pairs_open         the reference's runner shown its side of the sets; how long a launch takes
 *     pairs_anchor       the reference alone, while no process of the submission exists
 *     pairs_meet         the submission's runner, started by the caller, shown its own side
 *     pairs_measure      pairs in an order drawn by the grader, until the rule has an answer
 *     pairs_endure       many more launches, and results that are right after them
 *     pairs_anchor       the reference alone again, when those processes are gone
 *     pairs_close
 *
 * Every block is a window (timed_window.h) on its own contents (sets.h), and every launch of every
 * pair is verified. pairs_measure may be called again: it starts over.
 */
#ifndef EXAMINE_PAIRS_H
#define EXAMINE_PAIRS_H

#include "check/examine/rule.h"
#include "check/examine/sets.h"
#include "check/examine/timed_window.h"

struct pairs {
    struct lab *lab;
    struct sets sets;
    struct timed_runner runners[SETS_SIDES];
    struct timed_patience patience;
    struct rule_seen seen;
    double block_ns;        /* how long a block should be */
    double launch_ns;       /* of the reference, when it was warmed up */
    size_t most_sets;       /* the available ones; sets.count is how many a block needs */
    size_t order;           /* pairs begun, by which the order is drawn */
    struct finding finding; /* what ended it */
};

/* Starts lab->reference's runner unless it is up. bar and delta are the rule's; block_ns is how
 * long a block should be, 0 for the usual. */
bool pairs_open(struct pairs *pairs, struct lab *lab, const struct judge_case *problem,
                struct link *reference, double bar, double delta, double block_ns);
/* The median launch of the reference, in blocks during which the device had no other work.
 * RULE_BUSY when there are none, RULE_MORE with a finding when its runner failed. */
enum rule_answer pairs_anchor(struct pairs *pairs, double *median_ns);
/* Make blocks longer, as far as there are sets: the grader's clock errs by a fixed time per window,
 * not per launch. For the submission's next process. */
void pairs_lengthen(struct pairs *pairs);
/* Show lab->link's runner its side, and let it run: the first launches also load the kernel. */
bool pairs_meet(struct pairs *pairs);
/* Call after that: does the submission keep the lesson's rules on this device (rules.h)? */
bool pairs_keep_rules(struct pairs *pairs);
/* least: 0, or how many pairs to take regardless of their results, and then the answer is
 * RULE_FAST: for cases that are not judged. RULE_MORE with a finding when something ended the
 * measurement. */
enum rule_answer pairs_measure(struct pairs *pairs, size_t least);
/* Are results still right after many more launches, in the process that was measured? False with a
 * finding. */
bool pairs_endure(struct pairs *pairs);
/* End the submission's runner. */
void pairs_dismiss(struct pairs *pairs);
void pairs_close(struct pairs *pairs);

#endif
