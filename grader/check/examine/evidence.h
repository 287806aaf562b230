/* evidence.h - conditions on the evidence that more than one table of hints uses. */
#ifndef EXAMINE_EVIDENCE_H
#define EXAMINE_EVIDENCE_H

#include "check/examine/causes.h"
#include "check/examine/history.h"
#include "check/examine/sayings.h"
#include "check/judge_seen.h"

enum { MANY_BLOCKS = 4096 }; /* more than can be under way at once */

/* A condition on the evidence e, with a name that a row of a table can use. */
#define FITS(name, condition)                               \
    static inline bool name(const struct judge_evidence *e) \
    {                                                       \
        return condition;                                   \
    }

/* --- Wrong ------------------------------------------------------------------------------------ */

FITS(has_elements, e->total > 0 && !causes_is_in_words(e))
FITS(in_another_call, sayings_said(e, "in another call with"))
/* The first call was right with the same inputs, so the cause is something that it left
 * (history.h). */
FITS(over_outputs, sayings_said(e, repeat_words(REPEAT_SPOILT)))
/* Some or all inputs are different. */
FITS(with_others, in_another_call(e) && !over_outputs(e))
FITS(is_unwritten, has_elements(e) && e->wrong_is_unwritten)
/* Found from what blocks write, not by looking at elements. */
FITS(by_no_block, is_unwritten(e) && sayings_said(e, "no block writes some of"))
FITS(none_written, is_unwritten(e) && !by_no_block(e) && e->wrong == e->total)

/* --- Faults ----------------------------------------------------------------------------------- */

FITS(after_free, sayings_said(e, "use after free"))
FITS(nowhere, sayings_said(e, "not an address of device memory"))
FITS(null_pointer, e->null_pointer)
/* A case may be large without exceeding an int: one with a row of a million is. */
FITS(is_large, e->is_large && e->most_bytes > 0x1p31)
FITS(of_a_value, e->error == cudaErrorInvalidValue)
FITS(of_cp_async, sayings_said(e, "missing cp.async wait"))
FITS(unfenced, sayings_said(e, "missing proxy fence"))
FITS(too_early, sayings_said(e, "without griddepcontrol.wait"))
FITS(in_global, sayings_said(e, "global memory race") && !too_early(e))
FITS(has_two_lines, e->at_line && e->other_line)
FITS(by_mask, sayings_said(e, "member mask"))
FITS(unset_shared, sayings_said(e, "shared memory"))
FITS(unset_own, sayings_said(e, "a variable of its own"))
FITS(on_default, sayings_said(e, "default stream"))
FITS(by_host_work, sayings_said(e, "the host code used up"))
FITS(by_steps, sayings_said(e, "too many steps"))
/* Blocks start in the order of their numbers unless the launch is sampled, so many have ended. */
FITS(by_all_blocks,
     by_steps(e) && !e->is_large && e->launch.has_place && e->launch.block >= MANY_BLOCKS)
FITS(by_endless_steps, by_steps(e) && !by_all_blocks(e))
FITS(by_wait, sayings_said(e, "endless wait"))
FITS(by_long_blocks, sayings_said(e, "its blocks take too long"))

FITS(has_unaligned, e->where ? judge_is_unaligned(e->where) : false)

/* --- Slow ------------------------------------------------------------------------------------- */

/* Refused in the timed case, by that bar. */
static inline bool refused(const struct judge_evidence *e, enum judge_counter counter)
{
    return e->verdict == VERDICT_SLOW && !e->in_another_case && e->refused == counter;
}

FITS(late, refused(e, JUDGE_COUNTER_NONE))
/* The machine code of its kernels is not known. */
FITS(by_a_library, late(e) && e->kernel.blocks > 0 && e->kernel.registers == 0)
FITS(elsewhere, e->in_another_case)
FITS(by_asking, refused(e, JUDGE_QUERIES) || refused(e, JUDGE_REPEATED_CHECKS))
FITS(by_handles, refused(e, JUDGE_HANDLES))
FITS(asks_in_small, by_asking(e) && e->broken_in_small)
FITS(rule_in_small, e->broken_in_small && !by_asking(e) && !by_handles(e))
FITS(by_instructions, refused(e, JUDGE_WARP_INSTRUCTIONS))
FITS(by_lanes_off, by_instructions(e) && e->counter[JUDGE_LANES_ON] < 24)
FITS(by_sectors, refused(e, JUDGE_LOAD_EFFICIENCY) || refused(e, JUDGE_STORE_EFFICIENCY))
FITS(by_a_step, by_sectors(e) && judge_refused_apart(e) > judge_refused_width(e) + 1)
FITS(by_bytes, refused(e, JUDGE_BYTES_RATIO) || refused(e, JUDGE_LOAD_BYTES_RATIO) ||
                   refused(e, JUDGE_ALL_BYTES_RATIO))
FITS(spills, (late(e) || refused(e, JUDGE_LOCAL_REQUESTS)) && e->kernel.spilled_words > 0)
FITS(fills_no_device, late(e) && !spills(e) && e->kernel.registers > 0 &&
                          e->kernel.blocks * e->kernel.block_threads <
                              e->kernel.multiprocessors * e->kernel.most_warps * 32)
FITS(dealing, late(e) && e->kernel.dealing_bound > 0)
FITS(by_arithmetic, late(e) && e->kernel.arithmetic_bound > 0)
FITS(by_memory, late(e) && e->kernel.registers > 0 && e->kernel.memory_wait > 0.5)

#endif
