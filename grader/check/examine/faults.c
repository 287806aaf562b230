/* faults.c - level 2 for verdicts other than WRONG, and SLOW in the timed case: the causes that fit
 * the evidence, and how to tell them apart in this submission. */
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

/* Slow in a case other than the timed one, with a known launch. */
static bool is_known_elsewhere(const struct judge_evidence *e)
{
    return e->in_another_case && e->elsewhere.blocks > 0;
}

/* If a line's lanes access neighbours, it touches at most one sector more where it is not
 * aligned. */
FITS(loads_little_of_each,
     is_known_elsewhere(e) && e->worst_line_counter[JUDGE_LOAD_EFFICIENCY] < 0.6)
FITS(fills_sectors_badly,
     is_known_elsewhere(e) && e->worst_line_counter[JUDGE_STORE_EFFICIENCY] < 0.6)
FITS(stores_by_few_lanes, fills_sectors_badly(e) && e->worst_line_counter[JUDGE_LANES_ON] < 24)
FITS(stores_little_of_each, fills_sectors_badly(e) && !stores_by_few_lanes(e))
FITS(without_shared,
     is_known_elsewhere(e) && e->elsewhere.shared_requests == 0 && e->kernel.shared_requests > 0)
FITS(fewer_threads,
     is_known_elsewhere(e) && e->elsewhere.blocks * e->elsewhere.block_threads <
                                  e->elsewhere.multiprocessors * e->elsewhere.most_warps * 32)
FITS(late_elsewhere, is_known_elsewhere(e) && !loads_little_of_each(e) && !fills_sectors_badly(e) &&
                         !without_shared(e) && !fewer_threads(e))
FITS(nearby, e->in_another_case && !is_known_elsewhere(e))

FITS(uses_shared, e->launch.shared_bytes > 0)

/* clang-format off */
static const struct saying FAULTS[] = {
    {VERDICT_BUILD, no_file,
     "An included file was not found: its name is misspelt, or it is not one that a check provides "
     "(the contract's folder, CUDA's headers). Compare with the exercise's first lines."},
    {VERDICT_BUILD, undeclared,
     "A name is not known at that line: it is misspelt, declared further down, or in a file "
     "that is not included. Fix the first error first; those after it often follow from it."},
    {VERDICT_BUILD, of_syntax,
     "The compiler expected something else there: usually a semicolon, a bracket or a brace is "
     "missing on that line or the one before. Fix the first error first; those after it often "
     "follow from it."},
    {VERDICT_BUILD, of_types,
     "A call or an assignment does not match its declaration, in its types or its number of "
     "arguments. Fix the first error first; those after it often follow from it."},
    {VERDICT_BUILD, NULL,
     "Fix the first error and check again: those after it often follow from it. The number in "
     "brackets is the line."},
    {VERDICT_COMPILER_LIMIT, NULL,
     "Each set of template arguments makes the compiler build one more kernel: count them. An "
     "unrolled loop is as long as all of its iterations together: multiply the counts of nested "
     "loops. The larger of the two numbers is the cause."},
    {VERDICT_NO_LAUNCHER, NULL,
     "Usually the name or the parameters differ from the contract's (other parameters give it "
     "another symbol in C++), or the function is static or in a namespace. If you include the "
     "contract, the compiler compares the declarations, so only the name or static can be the "
     "cause."},

    {VERDICT_OUT_OF_BOUNDS, null_pointer,
     "A NULL pointer has two causes: an optional argument that this case does not give (test it "
     "before each use), or memory of your own whose allocation failed or was never made."},
    {VERDICT_OUT_OF_BOUNDS, after_free,
     "A launch only queues a kernel: memory that the launcher frees when it returns may be gone "
     "before the kernel runs. Or a pointer is kept from an earlier call, whose memory has been "
     "freed."},
    {VERDICT_OUT_OF_BOUNDS, nowhere,
     "No buffer is anywhere near that address, so the pointer is wrong, and not the index. It may "
     "have been read where no pointer is, or no longer is; it may never have been set, or be one "
     "of the host's."},
    {VERDICT_OUT_OF_BOUNDS, before_start,
     "The address lies before the start: the index is negative. Usually something is subtracted "
     "that may be larger (a border, i - 1), or an int has gone past 2^31 and come out negative."},
    {VERDICT_OUT_OF_BOUNDS, is_large,
     "This case has more than 2^31 elements or bytes, and the smaller cases of this check are "
     "right: see whether an index, or a product on the way to it, is 32 bits wide."},
    {VERDICT_OUT_OF_BOUNDS, half_in,
     "The access begins inside and ends outside: it is wider than what is left there. A float4 "
     "needs four elements, so the guard must compare the last of the four with the size."},
    {VERDICT_OUT_OF_BOUNDS, in_last_block,
     "The thread is in the last of {blocks} blocks of {threads} threads: {all_threads} threads in "
     "all. If there are fewer elements than that, threads without an element need a guard before "
     "line {line}; if a thread takes several elements, its last one needs the guard."},
    {VERDICT_OUT_OF_BOUNDS, in_other_block,
     "It is thread {thread} of block {block}, which is not the last block, so a remainder at the "
     "end does not explain it. Compute its index by hand: are rows and columns, or width and "
     "height, swapped, or does the end of a row need its own guard?"},
    {VERDICT_OUT_OF_BOUNDS, in_only_block,
     "There is one block, of {threads} threads, and it is thread {thread}. If this case has no "
     "such element, a guard before line {line} is missing; if it has, another term of the index is "
     "too large, or the access is wider than an element."},
    {VERDICT_OUT_OF_BOUNDS, just_past,
     "It is the first element past the end: usually a guard has <= in place of <, or a loop runs "
     "one iteration too many."},
    {VERDICT_OUT_OF_BOUNDS, NULL,
     "Usually a guard is missing where fewer elements are left than there are threads, or the "
     "index itself is wrong: rows and columns are swapped, or a size in bytes is taken for one in "
     "elements."},

    {VERDICT_MISALIGNED, unaligned_buffer,
     "In this case a buffer does not start at a multiple of 16 bytes, and the contract allows "
     "that. Does your code test the pointer that line {line} uses, or another one, or none? It "
     "must test every buffer that it accesses in this way, in each call."},
    {VERDICT_MISALIGNED, aligned_buffers,
     "In this case all buffers start at a multiple of 16 bytes, so the index is the cause: a row "
     "starts there whose length is not a multiple of 4, or an offset is not a multiple of 4."},
    {VERDICT_MISALIGNED, NULL,
     "Either the pointer itself is misaligned, or the offset that is added to it. Print both: the "
     "one that is not a multiple of the access's width is the cause."},

    {VERDICT_UNINITIALISED, unset_own,
     "On some path a variable is used that nothing has set: a branch leaves it out, or a sum has "
     "no initial value."},
    {VERDICT_UNINITIALISED, unset_shared,
     "Shared memory has no initial value. Usually a guard kept a thread from storing there (at an "
     "edge it should store 0 instead), or more words are read than threads have written, such as "
     "sums of warps that the block does not have. The offset in the report says which of the two "
     "it is."},
    {VERDICT_UNINITIALISED, uses_shared,
     "The block has {shared_bytes} bytes of shared memory: see whether the value came through it "
     "from a thread that a guard had left out."},
    {VERDICT_UNINITIALISED, unset_global,
     "The kernel reads global memory that was never written: it adds to an output before setting "
     "it, it does not clear memory of your own, or an index is past what an earlier kernel has "
     "written."},

    {VERDICT_RACE, of_cp_async,
     "There are four possible causes: the wait allows as many groups in flight as were committed "
     "(the first and last iterations have fewer); the group was committed after the wait; each "
     "thread waits for its own copies, but no __syncthreads() follows; or the loop that waits runs "
     "no iteration in this case, and nothing else waits."},
    {VERDICT_RACE, unfenced,
     "The copy engine reads shared memory through the async proxy. A barrier orders threads; it "
     "does not order their writes before the engine's reads. That takes fence.proxy.async."},
    {VERDICT_RACE, of_one_line,
     "Both threads are at line {line}. Usually two threads compute the same index where each "
     "should have its own (does the index use all of the thread's coordinates?), or the line is in "
     "a loop and no barrier separates its iterations."},
    {VERDICT_RACE, next_turn,
     "Lines {line} and {other_line} use the same word in different iterations of a loop. There is "
     "a barrier between them within an iteration, but none between the end of one iteration and "
     "the start of the next. So a fast warp starts the next iteration while a slow one still needs "
     "the word for this one."},
    {VERDICT_RACE, read_after,
     "Line {line} uses the same word as line {other_line}, which is above it, in another thread. "
     "If both run in the same iteration, a barrier is missing between the two lines; if they run "
     "in different iterations, one is missing at the end of the loop."},
    {VERDICT_RACE, write_after,
     "Line {line} is above line {other_line}, but runs after it: the faster threads are in the "
     "next iteration of the loop, or in later code that uses the same word, while others are still "
     "at line {other_line}."},
    {VERDICT_RACE, of_no_line,
     "There may be a barrier, but it does not separate the two uses: one is needed between the "
     "last store and the first load, and one between the last load and the next store."},
    {VERDICT_RACE, too_early,
     "The kernel may begin before the previous kernel in its stream has ended (a programmatic "
     "dependent launch), and it uses memory before it waits for that kernel. So it may read what "
     "the previous call has not written yet, or overwrite what that call still reads."},
    {VERDICT_RACE, in_place,
     "In this case the output overlaps an input. Two threads that process the same element do no "
     "harm elsewhere; here one of them reads a result as if it were an input."},
    {VERDICT_RACE, in_global,
     "Usually two threads have the same index (a remainder is processed twice, or a step is "
     "shorter than the number of threads), or blocks add to one word without atomics, or a block "
     "reads too early what another block or a running launch writes: __syncthreads() waits for no "
     "other block, and a counter left by an earlier call lets a block through at once."},
    {VERDICT_RACE, NULL,
     "Usually each thread should have its own element, or one thread should have waited. If they "
     "share it by design, look for the barrier between the two uses."},

    {VERDICT_BARRIER, absent_lane,
     "The last warp of a block is not full: in a block of {threads} threads, some lanes of that "
     "warp do not exist, and a shuffle reads one of them."},
    {VERDICT_BARRIER, by_mask,
     "Usually fewer lanes reach the line than the mask names (some have left a loop or an if), or "
     "the mask was made for other lanes. Count both for the warp that is named: if a loop's "
     "iteration count differs between lanes, it is the first; if the mask is a constant, it is the "
     "second."},
    {VERDICT_BARRIER, part_warp,
     "Blocks have {threads} threads, which is not a multiple of 32: the last warp is not full."},
    {VERDICT_BARRIER, not_by_mask,
     "Usually the barrier is in an if or a loop that threads of a block leave at different times, "
     "or some threads have returned before it (if (i >= n) return;). If the case's size is not a "
     "multiple of the block's, it may be the second."},

    {VERDICT_DEADLOCK, NULL,
     "Usually some threads of the block are at another barrier, or have returned or left the loop, "
     "or wait for a value that only a thread past this barrier writes. The line that is named is "
     "where the first threads wait: find out where the others are."},
    {VERDICT_STOPPED, NULL,
     "Usually the asserted condition does not hold in this case, or it was tested before its value "
     "was computed. Work the value out by hand for the thread that is named."},
    {VERDICT_STACK_OVERFLOW, NULL,
     "Usually a thread's local array is large, or a function calls itself more often than the "
     "stack allows. Multiply the array's elements by their bytes: a few hundred bytes are "
     "harmless."},

    {VERDICT_NONDETERMINISTIC, NULL,
     "If the runs differ in the last bits only, floats are added in an order that varies, as with "
     "atomics (on shared memory too). If whole values differ, two threads write one element, or "
     "one thread runs too early, or something is read that was not set or was left by the previous "
     "call."},
    {VERDICT_INPUT_MODIFIED, NULL,
     "Usually the input is used as scratch space, or a store meant for the output has an index "
     "past its end, where the input happens to be. If the kernel has no store through the input's "
     "pointer, it is the second."},
    {VERDICT_GUARD, NULL,
     "Usually a thread past the last element stores (a guard is missing), or a wide store begins "
     "inside and ends outside. The distance from the end says which: less than 16 bytes means a "
     "wide store, more means whole threads."},

    {VERDICT_STREAM, on_default,
     "Usually the launch lacks its fourth argument, or that argument is 0, or the kernel is "
     "launched by a helper or a library that was not given the stream."},
    {VERDICT_STREAM, unjoined,
     "Usually a copy or a memset has no stream (cudaMemset() and cudaMemcpy() take none; an Async "
     "one whose last argument is left out is on the default stream), or a stream of your own is "
     "not ordered with the given one: yours must first wait for an event of the given stream, "
     "which must then wait for an event of yours."},
    {VERDICT_STREAM, NULL,
     "Usually a launch, copy or memset does not name the stream, or it names one that is not "
     "ordered with the caller's."},
    {VERDICT_OUTSIDE, NULL,
     "Usually a thread or a process of your own starts work, or a kernel is still running after "
     "its call, or work is on a stream that the caller's stream does not wait for. Where the work "
     "is started, in the launcher or elsewhere, says which of these it is."},

    {VERDICT_LAUNCH_ERROR, of_a_value,
     "Usually the launcher's own test refuses what the contract allows, or the grid has more than "
     "65,535 blocks along y or z, or a CUDA call before the launch got an invalid argument, or the "
     "launch asks for more shared memory than the kernel may use."},
    {VERDICT_LAUNCH_ERROR, of_configuration,
     "Usually the launch's shape is the cause: 0 blocks or threads (a division rounds down, or the "
     "case is small or empty), more than 1024 threads in a block, or more than 65,535 blocks along "
     "y or z. Compute each for this case; if all are allowed, a call before the launch got an "
     "invalid argument."},
    {VERDICT_LAUNCH_ERROR, too_many_threads,
     "The launch asks for blocks of {threads} threads, and a block has at most 1024."},
    {VERDICT_LAUNCH_ERROR, of_resources,
     "A multiprocessor does not have enough for one block: of registers (times threads) or of "
     "shared memory."},
    {VERDICT_LAUNCH_ERROR, NULL,
     "Usually the launch was refused for its shape or its shared memory (more than 48 KiB must be "
     "requested by cudaFuncSetAttribute), or a call before it failed, or the launcher returned an "
     "error of its own. The name of the error, in the report, says which."},
    {VERDICT_ARGUMENTS, was_launched,
     "A kernel was launched for arguments that the launcher must refuse. Usually they are not "
     "tested at all, or the test comes after the launch, or it leaves out this argument (0, a "
     "negative number, NULL)."},
    {VERDICT_ARGUMENTS, was_written,
     "Something was written for arguments that are refused: the test comes after a copy or a "
     "memset."},
    {VERDICT_ARGUMENTS, was_returned,
     "The launcher does not return the value that the contract asks for. Usually it does not test "
     "the argument, or it returns another value for it; or a launch failed, and its error "
     "(cudaGetLastError()) was not returned."},
    {VERDICT_ARGUMENTS, NULL,
     "Usually these arguments are not tested, or the launcher does not answer them as the contract "
     "says."},

    {VERDICT_TIMEOUT, is_large,
     "Smaller cases end in time, and this one has more than 2^31 elements or bytes: a 32-bit loop "
     "counter never reaches such a number. If all counters have 64 bits, see whether a loop's step "
     "is smaller than the number of all threads."},
    {VERDICT_TIMEOUT, by_all_blocks,
     "Blocks start in the order of their numbers, so most of the {block} before this one have "
     "ended. Usually all of them together take too many instructions, as when a whole warp "
     "computes one result; or a loop does not end in this block alone, and then its start, step or "
     "end depends on the block."},
    {VERDICT_TIMEOUT, by_endless_steps,
     "Usually a loop's counter does not move towards its end (a step of 0, an unsigned that counts "
     "down past 0), or each thread does all of the work that the threads should share. In the "
     "first case no size ends; in the second, small sizes end, and the time grows with the square "
     "of the size."},
    {VERDICT_TIMEOUT, by_wait,
     "Usually no thread writes what the loop waits for, or that thread's block has not begun: "
     "blocks start as others end, so none may wait for a later one. Or the loop keeps the value in "
     "a register and never reads it again (it needs volatile or an atomic)."},
    {VERDICT_TIMEOUT, by_host_work,
     "The cause is host code, not a kernel. Usually a loop of the launcher does not end in this "
     "case, or the launcher itself does work for each element; in the second case smaller sizes "
     "take less time."},
    {VERDICT_TIMEOUT, on_host,
     "The cause is host code, or a wait in it: a loop of the launcher that does not end, work that "
     "it does itself, a lock. If a kernel did not end, the report would say so."},
    {VERDICT_CRASH, by_segv,
     "Signal 11 means that the host followed a bad pointer: a device pointer, NULL, freed memory, "
     "or an index outside an array. If your host code reads or writes through one of the "
     "launcher's buffer arguments, it is the first."},
    {VERDICT_CRASH, by_abort,
     "Signal 6 means that a check failed: memory was freed twice or written past its end, nothing "
     "caught an exception, or an assert of yours failed. The last lines of the report say which."},
    {VERDICT_CRASH, by_division,
     "Signal 8 means that an integer was divided by 0: a size, a number of blocks or a step is 0 "
     "in this case."},
    {VERDICT_CRASH, NULL,
     "It happened on the host: a device pointer is read there, memory is freed twice, or an index "
     "leaves its array."},
    {VERDICT_EARLY_EXIT, NULL,
     "Usually your code calls exit(), abort() or a macro that calls one of them after an error, or "
     "a library does. If the launcher must return an error in this case, the macro is the cause."},
    {VERDICT_REFUSED, NULL,
     "Usually the file itself cannot be accepted (its size, what it includes), or it uses "
     "something that a check does not allow. The message says which; the kernel was not examined."},
    {VERDICT_TIMER_MISMATCH, NULL,
     "Usually work runs on a stream that the given one does not wait for, or a host thread of "
     "yours does it. If the launcher makes no stream and no thread, look for a copy without a "
     "stream."},
    {VERDICT_IMPOSSIBLE, NULL,
     "Usually a result is kept from an earlier call, whose inputs may have been different, or the "
     "call computes less than it should, or work is done outside the call. If there are static "
     "variables, look for the first."},
    {VERDICT_NOT_SIMULATED, by_long_blocks,
     "The simulated device knows each instruction, but a block executes too many of them. Usually "
     "the grid has few blocks for all this work, such as one per multiprocessor, each looping over "
     "its share; or a loop does more than its result needs. If the number of blocks is the same "
     "for any size, it is the first."},
    {VERDICT_NOT_SIMULATED, NULL,
     "Usually the simulated device does not know an instruction, or blocks depend on each other or "
     "on what an output held before the call, so a sample of blocks cannot represent all. The "
     "message says which. Such an instruction can usually be written as plain CUDA C; in the "
     "second case, let each block do its own part."},
    {VERDICT_DISTURBS, NULL,
     "Usually every call allocates memory and does not free it, or starts processes or threads, or "
     "a kernel is still running when the next call comes. What grows from call to call is the "
     "cause."},

    {VERDICT_SLOW, without_shared,
     "The timed case uses shared memory, and that case does not, so its threads exchange nothing: "
     "does each thread fetch what others of its block have fetched, or access global memory in an "
     "order that suits only reading or only writing?"},
    {VERDICT_SLOW, loads_little_of_each,
     "In that case a request of line {line} touches {line_sectors} sectors of 32 bytes, and loads "
     "use less than two thirds of the bytes: neighbouring lanes are not at neighbouring addresses, "
     "as when each thread walks through its own stretch or row."},
    {VERDICT_SLOW, stores_by_few_lanes,
     "In that case many lanes of a warp do nothing at line {line}: they are on the other side of a "
     "branch, so a request stores few of the bytes of its sectors. Do neighbouring lanes have "
     "elements that take different paths?"},
    {VERDICT_SLOW, stores_little_of_each,
     "In that case stores of line {line} touch {line_store_sectors} sectors a request and fill "
     "less than two thirds of the bytes: neighbouring lanes do not store to neighbouring "
     "addresses."},
    {VERDICT_SLOW, fewer_threads,
     "In that case the longest launch has {elsewhere_blocks} blocks of {elsewhere_threads} "
     "threads, which is fewer threads than the device holds at once."},
    {VERDICT_SLOW, late_elsewhere,
     "In that case the time goes into another launch, or into another path through the same "
     "kernel: its lanes take elements in another order, or it does one element where the timed "
     "case does several, or it fetches something more often."},
    {VERDICT_SLOW, nearby,
     "Usually a condition on a size, an address or the number of calls selects other code, or "
     "something that should be done once for many calls is done again for this one."},
    {VERDICT_SLOW, asks_in_small,
     "Usually the key that is looked up differs from the one that was kept (a truncated size, an "
     "alignment, the size of the workspace), or the entry was dropped, or it was never saved or "
     "loaded. Count the entries before the call: are there none, too few, or all? If all, compare "
     "the keys."},
    {VERDICT_SLOW, rule_in_small,
     "Usually a remainder (an edge, the last elements, pointers that no vector fits) gets its own "
     "launch or copy, or a path that the timed case does not take allocates memory or waits. The "
     "rule in the report says which of them it was."},
    {VERDICT_SLOW, NULL,
     "No single cause stands out in the counters. For the line that takes the most time, compare "
     "how often it runs for one element with how often it has to; and see in the profile what its "
     "warps wait for."},
};
/* clang-format on */

struct sayings sayings_faults(void)
{
    return (struct sayings){FAULTS, sizeof FAULTS / sizeof *FAULTS};
}
