/* faults.c - level 2, of what is neither WRONG nor SLOW in the timed case: causes that fit the
 * evidence, and how to tell them apart in this submission. */
#include "check/examine/evidence.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

FITS(in_last_block, !nowhere(e) && e->launch.has_place && e->launch.blocks > 1 &&
                        e->launch.block + 1 == e->launch.blocks)
FITS(in_other_block, !nowhere(e) && e->launch.has_place && e->launch.blocks > 1 &&
                         e->launch.block + 1 < e->launch.blocks)
FITS(in_only_block, !nowhere(e) && e->launch.has_place && e->launch.blocks == 1)
FITS(before_start, sayings_said(e, "before the start of"))
FITS(half_in, sayings_said(e, "bytes lie past the end of"))
FITS(just_past, sayings_said(e, "just past the end of") && !in_last_block(e) && !in_only_block(e))

FITS(unaligned_buffer, has_unaligned(e))
FITS(aligned_buffers, e->where && !has_unaligned(e))

FITS(in_shared, sayings_said(e, "shared memory race"))
FITS(of_no_line, in_shared(e) && !e->at_line)
FITS(of_one_line, in_shared(e) && e->at_line && !e->other_line)
FITS(next_turn, in_shared(e) && sayings_advised(e, "the loop's next turn"))
FITS(read_after, in_shared(e) && !next_turn(e) && e->other_line && e->other_line < e->at_line)
FITS(write_after, in_shared(e) && !next_turn(e) && e->at_line && e->at_line < e->other_line)
FITS(in_place, in_global(e) && e->where && e->where->alias)

FITS(unset_global, !unset_shared(e) && !unset_own(e))

FITS(absent_lane, e->absent_lane)
FITS(part_warp, e->launch.count > 0 && e->launch.threads % 32 != 0)
FITS(not_by_mask, !by_mask(e))

FITS(too_many_threads, e->launch.threads > 1024)
FITS(of_configuration, e->error == cudaErrorInvalidConfiguration)
FITS(of_resources, e->error == cudaErrorLaunchOutOfResources)
FITS(unjoined, sayings_said(e, "other streams"))
FITS(on_host, !by_steps(e) && !by_wait(e) && !by_host_work(e))
FITS(by_segv, sayings_said(e, "signal 11"))
FITS(by_abort, sayings_said(e, "signal 6"))
FITS(by_division, sayings_said(e, "signal 8"))
FITS(no_file, sayings_said(e, "No such file"))
FITS(undeclared, sayings_said(e, "undefined"))
FITS(of_syntax, sayings_said(e, "expected"))
FITS(of_types, sayings_said(e, "argument") || sayings_said(e, "type") || sayings_said(e, "match"))
FITS(was_launched, sayings_said(e, "launched"))
FITS(was_written, sayings_said(e, "was written"))
FITS(was_returned, sayings_said(e, "returned"))

/* Slow in another case than the timed one. */
static bool is_known_elsewhere(const struct judge_evidence *e)
{
    return e->in_another_case && e->elsewhere.blocks > 0;
}

/* A line whose lanes are next to each other touches one sector more at most, where it is not
 * aligned. */
FITS(loads_little_of_each,
     is_known_elsewhere(e) && e->worst_line_counter[JUDGE_LOAD_EFFICIENCY] < 0.6)
FITS(stores_little_of_each,
     is_known_elsewhere(e) && e->worst_line_counter[JUDGE_STORE_EFFICIENCY] < 0.6)
FITS(without_shared,
     is_known_elsewhere(e) && e->elsewhere.shared_requests == 0 && e->kernel.shared_requests > 0)
FITS(fewer_threads,
     is_known_elsewhere(e) && e->elsewhere.blocks * e->elsewhere.block_threads <
                                  e->elsewhere.multiprocessors * e->elsewhere.most_warps * 32)
FITS(late_elsewhere, is_known_elsewhere(e) && !loads_little_of_each(e) &&
                         !stores_little_of_each(e) && !without_shared(e) && !fewer_threads(e))
FITS(nearby, e->in_another_case && !is_known_elsewhere(e))

FITS(uses_shared, e->launch.shared_bytes > 0)

/* clang-format off */
static const struct saying FAULTS[] = {
    {VERDICT_BUILD, no_file,
     "A file that is included was not found: its name is misspelt, or it is none of those that "
     "a check has (the contract's folder, CUDA's headers). Compare with the exercise's first "
     "lines."},
    {VERDICT_BUILD, undeclared,
     "A name is not known at that line: it is misspelt, declared further down, or in a file "
     "that is not included. Fix the first error first; those after it often follow from it."},
    {VERDICT_BUILD, of_syntax,
     "The compiler expected something else there: mostly a semicolon, a bracket or a brace is "
     "missing on that line or the one before. Fix the first error first; others follow from it."},
    {VERDICT_BUILD, of_types,
     "A call, or an assignment, has other types or another number of arguments than its "
     "declaration. Fix the first error first; those after it often follow from it."},
    {VERDICT_BUILD, NULL,
     "Fix the first error and check again: those after it often follow from it. The number in "
     "brackets is the line."},
    {VERDICT_COMPILER_LIMIT, NULL,
     "Each template argument that a kernel is instantiated with is compiled on its own: count "
     "them. And an unrolled loop is as long as all of its turns together: multiply those of "
     "loops in one another. The larger of the two numbers is the cause."},
    {VERDICT_NO_LAUNCHER, NULL,
     "Usually the name differs from the contract's, or the parameters do (then C++ gives it "
     "another symbol), or the function is static or in a namespace. If the contract is "
     "included, the compiler compares the declarations, and only the name or static is left."},

    {VERDICT_OUT_OF_BOUNDS, null_pointer,
     "Two things give a NULL pointer: an argument that is optional and not given in this case "
     "(test it before each use), or memory of your own whose allocation failed or was never "
     "made."},
    {VERDICT_OUT_OF_BOUNDS, after_free,
     "A launch only queues a kernel: memory that the launcher frees when it returns may be gone "
     "before the kernel runs. Or a pointer is kept from an earlier call, whose memory is no "
     "more."},
    {VERDICT_OUT_OF_BOUNDS, nowhere,
     "No buffer is anywhere near that address, so the pointer is wrong, and not the index. It may "
     "have been read where no pointer is, or no longer is; it may never have been set, or be one "
     "of the host's."},
    {VERDICT_OUT_OF_BOUNDS, before_start,
     "The address lies before the start: the index is negative. Usually something is subtracted "
     "that may be larger (a border, i - 1), or an int has gone past 2^31 and come out negative."},
    {VERDICT_OUT_OF_BOUNDS, is_large,
     "The case is one of more than 2^31 elements or bytes, and the smaller ones of this check are "
     "right: see whether an index, or a product on the way to it, is 32 bits wide."},
    {VERDICT_OUT_OF_BOUNDS, half_in,
     "The access begins inside and ends outside: it is wider than what is left there. A float4 "
     "needs four elements, so the guard has to compare the last of them with the size."},
    {VERDICT_OUT_OF_BOUNDS, in_last_block,
     "It is a thread of the last of {blocks} blocks, of {threads} threads each: they have "
     "{all_threads} threads in all. If there are fewer elements than that, threads without one "
     "need a guard before line {line}; if a thread takes several, its last one does."},
    {VERDICT_OUT_OF_BOUNDS, in_other_block,
     "It is thread {thread} of block {block}, not of the last one, so a rest at the end does "
     "not explain it. Compute its index by hand: are rows and columns, or width and height, "
     "exchanged, or does a row's end need a guard of its own?"},
    {VERDICT_OUT_OF_BOUNDS, in_only_block,
     "There is one block, of {threads} threads, and it is thread {thread}. If this case has no "
     "such element, a guard before line {line} is missing; if it has, another term of the index is "
     "too large, or the access is wider than an element."},
    {VERDICT_OUT_OF_BOUNDS, just_past,
     "It is the very next element after the end: a guard with <= in place of <, or a loop that "
     "takes one turn more, does this."},
    {VERDICT_OUT_OF_BOUNDS, NULL,
     "Usually a guard is missing where fewer elements are left than there are threads, or the "
     "index itself is wrong: rows and columns exchanged, a size in bytes for one in elements."},

    {VERDICT_MISALIGNED, unaligned_buffer,
     "In this case a buffer starts at no multiple of 16 bytes, which the contract allows. Is "
     "the pointer that line {line} uses tested itself, or another one, or none? All buffers "
     "that are accessed so have to be, in each call."},
    {VERDICT_MISALIGNED, aligned_buffers,
     "In this case all buffers start at a multiple of 16 bytes, so it is the index: the start "
     "of a row whose length is no multiple of 4, or an offset that is none."},
    {VERDICT_MISALIGNED, NULL,
     "Two things may be off: the pointer itself, or the offset that is added to it. Print both: "
     "the one that is no multiple of the access's width is the cause."},

    {VERDICT_UNINITIALISED, unset_own,
     "A variable of the thread is used on a way on which nothing sets it: a branch that leaves "
     "it out, or a sum without a start value."},
    {VERDICT_UNINITIALISED, unset_shared,
     "Shared memory has no start value. Usually a guard kept a thread from storing there (at an "
     "edge it should store 0 instead), or more places are read than threads have written, as "
     "sums of warps that the block does not have. See which of the two the offset named is."},
    {VERDICT_UNINITIALISED, uses_shared,
     "The block has {shared_bytes} bytes of shared memory: see whether the value that is read "
     "came through it from a thread that a guard had left out."},
    {VERDICT_UNINITIALISED, unset_global,
     "Global memory that is read was never written: an output that is added to before it is "
     "set, memory of your own that is not cleared, or an index past what an earlier kernel has "
     "written."},

    {VERDICT_RACE, of_cp_async,
     "Four things fit: the wait lets as many groups be under way as were committed (in the first "
     "or the last turns there are fewer than in between), the group was committed after the wait, "
     "each thread waits for its own copies and no __syncthreads() follows, or the loop that waits "
     "makes no turn in this case, and nothing else does."},
    {VERDICT_RACE, unfenced,
     "The copy engine reads through a way of its own, the async proxy. A barrier orders threads, "
     "and not what they wrote with what the engine reads: that takes fence.proxy.async."},
    {VERDICT_RACE, of_one_line,
     "Both threads are at line {line}. Usually two threads compute one place where each should "
     "have its own (does the index have all of the thread's coordinates?), or the line runs in "
     "turns of a loop and nothing parts them."},
    {VERDICT_RACE, next_turn,
     "Lines {line} and {other_line} use one place in different turns of a loop: there is a "
     "barrier between the two in a turn, and none from the end of one to the start of the next. "
     "So a fast warp uses the place for the next turn while a slow one still needs it for this."},
    {VERDICT_RACE, read_after,
     "Line {line} uses what line {other_line}, which stands before it, uses as well, in another "
     "thread. If both are of one turn, a barrier is missing between the two lines; if of two "
     "turns, one is missing at the loop's end."},
    {VERDICT_RACE, write_after,
     "Line {line} stands before line {other_line}, and comes after it in time: the faster "
     "threads are in the loop's next turn, or in a later part that uses the same place, while "
     "others are still at line {other_line}."},
    {VERDICT_RACE, of_no_line,
     "A barrier is in a place where it does not part the two uses: one has to come between the "
     "last store and the first load, and one between the last load and the next store."},
    {VERDICT_RACE, too_early,
     "The kernel is launched so that it may begin before the one before it in its stream has ended "
     "(a programmatic launch), and uses memory before it waits for that one. So it may read what "
     "the last call has not written yet, or write what that still reads."},
    {VERDICT_RACE, in_place,
     "The output lies over an input in this case. Two threads that take the same element are no "
     "matter elsewhere, and here one of them takes a result for an input."},
    {VERDICT_RACE, in_global,
     "Usually two threads have the same index (a rest that is taken twice, a step shorter than "
     "the number of threads), or blocks add to one place without atomics, or a block reads too "
     "early what another one, or a launch that may still be running, writes: __syncthreads() "
     "waits for no other block, and a count left by an earlier call lets it through at once."},
    {VERDICT_RACE, NULL,
     "Usually both threads should have had places of their own, or one should have waited. If it "
     "is one place by design, look for the barrier between the two uses."},

    {VERDICT_BARRIER, absent_lane,
     "The last warp of a block is not full: a block of {threads} threads leaves lanes that do "
     "not exist, and a shuffle reads one of them."},
    {VERDICT_BARRIER, by_mask,
     "Usually fewer lanes come to the line than the mask names (a loop or an if that some have "
     "left), or the mask was made for other lanes. Count both for the warp that is named: a "
     "loop whose number of turns differs from lane to lane is the first, a constant mask the "
     "second."},
    {VERDICT_BARRIER, part_warp,
     "Blocks have {threads} threads, which is no multiple of 32: the last warp is not full."},
    {VERDICT_BARRIER, not_by_mask,
     "Usually the barrier stands in an if or a loop that threads of a block leave at different "
     "times, or some have returned before it (if (i >= n) return;). If the case's size is no "
     "multiple of the block, it may be the second."},

    {VERDICT_DEADLOCK, NULL,
     "Usually some threads of the block are at another barrier, or have left by a return or the "
     "end of a loop, or they wait for a value that only a thread behind this barrier writes. "
     "The line that is named is where the first ones wait: look where the others are."},
    {VERDICT_STOPPED, NULL,
     "Usually what is asserted does not hold in this case, or it was tested before it was "
     "computed. Work out its value by hand for the thread that is named."},
    {VERDICT_STACK_OVERFLOW, NULL,
     "Usually an array of a thread's own is large, or a function calls itself more often than "
     "its stack allows. Multiply the array's elements by their bytes: a few hundred are no "
     "matter."},

    {VERDICT_NONDETERMINISTIC, NULL,
     "If the runs differ in last bits only, floats are added in an order that is chance, as by "
     "atomics, on shared memory too. If whole values differ, two threads write one element, one "
     "comes too early, or something is read that was not set, or was left by the call before."},
    {VERDICT_INPUT_MODIFIED, NULL,
     "Usually the input is used as scratch space, or a store is meant for the output and its "
     "index is past it, where the input happens to lie. If the kernel has no store through the "
     "input's pointer, it is the second."},
    {VERDICT_GUARD, NULL,
     "Usually a thread past the last element stores (a guard is missing), or a wide store begins "
     "inside and ends outside. Its distance from the end tells: less than 16 bytes is a wide "
     "store, more is whole threads."},

    {VERDICT_STREAM, on_default,
     "Usually the launch lacks its fourth argument, or a 0 stands there, or the kernel is "
     "launched by a helper or a library that was not told the stream."},
    {VERDICT_STREAM, unjoined,
     "Usually a copy or a set has no stream (cudaMemset() and cudaMemcpy() take none; an Async one "
     "whose last argument is left out is on the default stream), or a stream of your own is not "
     "tied to the one that is given: it has to wait for an event of that one before, and that one "
     "for an event of yours after."},
    {VERDICT_STREAM, NULL,
     "Usually a launch, copy or set does not name the stream, or it names one that is not "
     "ordered with the caller's."},
    {VERDICT_OUTSIDE, NULL,
     "Usually a thread or a process of your own starts work, or a kernel runs on after its call, "
     "or a stream is used that the caller's does not wait for. Which one it is shows where the "
     "work is started: in the launcher, or not."},

    {VERDICT_LAUNCH_ERROR, of_a_value,
     "Usually the launcher's own test refuses what the contract allows, or the grid has more "
     "than 65,535 blocks along y or z, or a call to CUDA before the launch got an argument that "
     "is not allowed, or the launch asks for more shared memory than it was given."},
    {VERDICT_LAUNCH_ERROR, of_configuration,
     "Mostly it is a launch's shape: 0 blocks or threads (a division that rounds down, a small "
     "or empty case), more than 1024 threads in a block, more than 65,535 blocks along y or z. "
     "Compute each for this case; if all are allowed, a call before the launch got an argument "
     "that is not."},
    {VERDICT_LAUNCH_ERROR, too_many_threads,
     "Blocks of {threads} threads were asked for, and a block has at most 1024."},
    {VERDICT_LAUNCH_ERROR, of_resources,
     "A multiprocessor has not enough for one block: registers times threads, or shared memory."},
    {VERDICT_LAUNCH_ERROR, NULL,
     "Usually the launch was refused for its shape or its shared memory (more than 48 KiB have "
     "to be asked for by cudaFuncSetAttribute), or a call before it failed, or the launcher "
     "returned an error of its own. The error's name, which the report has, says which."},
    {VERDICT_ARGUMENTS, was_launched,
     "A kernel was launched for arguments for which nothing may be. Usually these are not tested "
     "at all, or the test comes after the launch, or it lacks this one (0, a negative number, "
     "NULL)."},
    {VERDICT_ARGUMENTS, was_written,
     "Something was written for arguments that are refused: the test comes after a copy or set."},
    {VERDICT_ARGUMENTS, was_returned,
     "Another value is returned than the contract asks for. Usually the argument is not tested, "
     "or it is, and the value for it is another one; or a launch failed and its error, by "
     "cudaGetLastError(), was not returned."},
    {VERDICT_ARGUMENTS, NULL,
     "Usually these arguments are not tested, or the answer to them is another than the "
     "contract's."},

    {VERDICT_TIMEOUT, is_large,
     "Smaller cases end in time, and this one has more than 2^31 elements or bytes: a counter "
     "of 32 bits that a loop steps never comes to such a number. If all counters have 64 bits, "
     "see whether a loop steps by fewer than all threads."},
    {VERDICT_TIMEOUT, by_all_blocks,
     "Blocks start in the order of their numbers, so most of the {block} before this one have "
     "ended. Usually all of them together take too many instructions, as where a warp works for "
     "one result; or a loop does not end in this block alone, and then its start, step or end "
     "depends on the block."},
    {VERDICT_TIMEOUT, by_endless_steps,
     "Usually a loop's counter does not move towards its end (a step of 0, an unsigned that "
     "counts down past 0), or each thread does what all of them together should. In the first "
     "case no size ends; in the second small cases do, and the time grows with the square."},
    {VERDICT_TIMEOUT, by_wait,
     "Usually no thread writes what the loop waits for, or that thread's block has not begun: "
     "blocks start as others end, so none may wait for a later one. Or the value is read once "
     "into a register and not again (it needs volatile or an atomic)."},
    {VERDICT_TIMEOUT, by_host_work,
     "It is the host's code, not a kernel. Usually a loop of the launcher does not end in this "
     "case, or it does work for each element itself; in the second case smaller sizes take less."},
    {VERDICT_TIMEOUT, on_host,
     "It is the host's code, or the wait for it: a loop of the launcher that does not end, work "
     "that it does itself, a lock. A kernel that runs on is told as such."},
    {VERDICT_CRASH, by_segv,
     "Signal 11 is a pointer that the host may not follow: a device pointer, NULL, memory that "
     "was freed, or an index outside of an array. If your host code reads or writes through an "
     "argument of the launcher that is a buffer, it is the first."},
    {VERDICT_CRASH, by_abort,
     "Signal 6 is a check that failed: memory that was freed twice or written past its end, an "
     "exception that nothing catches, an assert of your own. The report's last words say which."},
    {VERDICT_CRASH, by_division,
     "Signal 8 is a division of integers by 0: a size, a number of blocks or a step is 0 in "
     "this case."},
    {VERDICT_CRASH, NULL,
     "It happened on the host: a device pointer that is read there, memory that is freed twice, "
     "or an index that leaves an array."},
    {VERDICT_EARLY_EXIT, NULL,
     "Usually exit(), abort() or a macro that calls it is reached after an error, or a library "
     "does. If the case asks for an error to be returned, it is the macro."},
    {VERDICT_REFUSED, NULL,
     "Usually the file itself cannot be taken (its size, what it includes), or it uses something "
     "that a check does not allow. The sentence names which; the kernel was not looked at."},
    {VERDICT_TIMER_MISMATCH, NULL,
     "Usually work is on a stream that the given one does not wait for, or a thread of your own "
     "does it. If the launcher makes no stream and no thread, look for a copy without a stream."},
    {VERDICT_IMPOSSIBLE, NULL,
     "Usually a result is kept from an earlier call, whose inputs may have been others, or less "
     "is computed than is asked for, or work is done outside the call. Static variables show "
     "the first."},
    {VERDICT_NOT_SIMULATED, by_long_blocks,
     "Each instruction is known, but a block has too many of them. Usually the grid has few blocks "
     "for so much work, as one for each multiprocessor, each of which goes through its share in a "
     "loop, or a loop does more than its result needs. If their number is the same for any size, "
     "it is the first."},
    {VERDICT_NOT_SIMULATED, NULL,
     "Usually an instruction is unknown to the simulated device, or blocks depend on each other or "
     "on what an output held before the call, so that some of them do not stand for all. The "
     "sentence says which; the first can mostly be written as plain CUDA C, the second by letting "
     "each block do its own part."},
    {VERDICT_DISTURBS, NULL,
     "Usually memory is taken in every call and not given back, or processes and threads are "
     "started, or a kernel is still at work when the next call comes. Whatever grows from call "
     "to call is the cause."},

    {VERDICT_SLOW, without_shared,
     "The timed case goes through shared memory, and that one does not, so threads exchange "
     "nothing there: does each fetch what others of its block have fetched, or use global "
     "memory in an order that is right for reading or for writing alone?"},
    {VERDICT_SLOW, loads_little_of_each,
     "In that case a request of line {line} touches {line_sectors} sectors of 32 bytes, and "
     "loads use less than two thirds of their bytes: neighbouring lanes are not at neighbouring "
     "addresses, as where each thread walks through a stretch or a row of its own."},
    {VERDICT_SLOW, stores_little_of_each,
     "In that case stores of line {line} touch {line_store_sectors} sectors a request and fill "
     "less than two thirds of their bytes: neighbouring lanes do not store to neighbouring "
     "addresses."},
    {VERDICT_SLOW, fewer_threads,
     "In that case the longest launch has {elsewhere_blocks} blocks of {elsewhere_threads} "
     "threads, fewer threads than the device holds at once."},
    {VERDICT_SLOW, late_elsewhere,
     "In that case it is another launch, or another way through the same one, that takes the "
     "time: its lanes take elements in another order, or it does one element where the timed "
     "case does several, or it fetches something more often."},
    {VERDICT_SLOW, nearby,
     "Usually a condition on a size, an address or the number of calls leads to other code, or "
     "something that is done once for many calls is done anew for this one."},
    {VERDICT_SLOW, asks_in_small,
     "Usually what is looked up differs from what was kept (a size that is cut off, an alignment, "
     "the room for a workspace), or it was dropped, or it never came into the file or out of it. "
     "Count what is there before the call: none, too few, or all, and then compare."},
    {VERDICT_SLOW, rule_in_small,
     "Usually a rest (an edge, the last elements, pointers that no vector fits) gets a launch or "
     "a copy of its own, or memory is allocated or waited for on a way that the timed case does "
     "not take. The rule that is named says which of them it was."},
    {VERDICT_SLOW, NULL,
     "No single cause stands out in what was counted. Compare, for the line with most time, "
     "how often it runs for one element, and how often it has to; and see in the profile what "
     "its warps wait for."},
};
/* clang-format on */

struct sayings sayings_faults(void)
{
    return (struct sayings){FAULTS, sizeof FAULTS / sizeof *FAULTS};
}
