/* questions.c - level 1: the question whose answer is the mistake. */
#include "check/examine/evidence.h"

#include <math.h>
#include <string.h>

/* --- Wrong ------------------------------------------------------------------------------------ */

FITS(end_unwritten, is_unwritten(e) && e->wrong_is_tail)
FITS(other_call, has_elements(e) && with_others(e))
FITS(sign_of_zero, has_elements(e) && e->got == 0 && e->want == 0)
FITS(nan_is_wanted, has_elements(e) && isnan(e->want) && !isnan(e->got))
FITS(nan_is_there, has_elements(e) && isnan(e->got) && !isnan(e->want))
FITS(all_elements, has_elements(e) && e->wrong == e->total && e->total > 1)
FITS(in_steps, has_elements(e) && e->stride > 1 && e->wrong > 2)
FITS(only_element, has_elements(e) && e->total == 1)
FITS(close, has_elements(e) && causes_is_close(e))
FITS(one_element, has_elements(e) && e->wrong == 1 && e->total > 1)

/* --- Faults ----------------------------------------------------------------------------------- */

FITS(by_a_shuffle, sayings_said(e, "member mask") || sayings_said(e, "shuffle"))
FITS(by_one_of_many, e->launch.has_place && e->launch.blocks > 1)

/* --- Slow ------------------------------------------------------------------------------------- */

FITS(loads_apart, refused(e, JUDGE_LOAD_EFFICIENCY) && fabs(e->line.load_apart) > 0)
FITS(loads_spread, refused(e, JUDGE_LOAD_EFFICIENCY))
FITS(stores_apart, refused(e, JUDGE_STORE_EFFICIENCY) && fabs(e->line.store_apart) > 0)
FITS(stores_spread, refused(e, JUDGE_STORE_EFFICIENCY))
FITS(least_bytes, refused(e, JUDGE_BYTES_RATIO))
FITS(many_loads, refused(e, JUDGE_LOAD_BYTES_RATIO))
FITS(many_bytes, refused(e, JUDGE_ALL_BYTES_RATIO))
FITS(wavefronts, refused(e, JUDGE_WAVEFRONT_RATIO))
FITS(lanes_on, refused(e, JUDGE_LANES_ON))
FITS(local, refused(e, JUDGE_LOCAL_REQUESTS))
FITS(launches, refused(e, JUDGE_LAUNCHES))
FITS(copies, refused(e, JUDGE_COPIES))
FITS(allocations, refused(e, JUDGE_ALLOCATIONS))
FITS(host_waits, refused(e, JUDGE_SYNCHRONISATIONS))
FITS(other_figure, e->refused != JUDGE_COUNTER_NONE)

/* clang-format off */
static const struct saying QUESTIONS[] = {
    {VERDICT_WRONG, over_outputs,
     "The same call was right before. Then a few elements of the outputs were overwritten, and "
     "when the call was repeated, it was wrong. What does your code take from the outputs, or from "
     "the previous call, to decide what to do?"},
    {VERDICT_WRONG, none_written,
     "Nothing of this result was written. Which line should store it, and does any thread reach "
     "that line in this case?"},
    {VERDICT_WRONG, by_no_block,
     "No block writes some of this result. How does a block's number become the place that it "
     "writes, and does each place have a block at this size?"},
    {VERDICT_WRONG, end_unwritten,
     "The elements from {first} on still hold what was there before the call. Which thread of "
     "which block should have written element {first}?"},
    {VERDICT_WRONG, is_unwritten,
     "Element {first} still holds what was there before the call, and others after it do not. "
     "Which thread should have written it, and does that thread write another element instead, or "
     "none?"},
    {VERDICT_WRONG, sign_of_zero,
     "The number is right, but its sign is not: the result is minus 0 where 0 is expected, or the "
     "other way round. Which operation of yours produces this zero, and which operation of the "
     "contract's formula does?"},
    {VERDICT_WRONG, nan_is_wanted,
     "By the contract's formula element {first} is NaN, and your code makes it a number. Which "
     "operation of the formula does your code leave out for this element?"},
    {VERDICT_WRONG, nan_is_there,
     "Element {first} is NaN, and by the contract's formula it is not. Which operation of yours "
     "meets a NaN or an infinity that the result must not depend on?"},
    {VERDICT_WRONG, other_call,
     "One call was right, and a second one with the same arguments and other inputs is not. What "
     "does your code use in the second call that it did not read in that call, and which input "
     "values are new in it?"},
    {VERDICT_WRONG, close,
     "The wrong values are close to the right ones. On the way from the inputs to element {first}, "
     "does a value have fewer bits than FP32, is a sum in another order, or is a small part of it "
     "missing?"},
    {VERDICT_WRONG, only_element,
     "The only element is wrong. By which formula, from which inputs, does it become {got} "
     "instead of {want}?"},
    {VERDICT_WRONG, only_element,
     "The only element is wrong. From which inputs is it computed, and by which steps?"},
    {VERDICT_WRONG, all_elements,
     "All {total} elements that were compared are wrong, so a mistake at an edge of the result "
     "does not explain it. By which formula, from which inputs, does element {first} become {got} "
     "instead of {want}?"},
    {VERDICT_WRONG, all_elements,
     "All {total} elements that were compared are wrong, so a mistake at an edge of the result "
     "does not explain it. What do they all go through?"},
    {VERDICT_WRONG, in_steps,
     "One element in {stride} is wrong, from element {first} on. What in your kernel repeats every "
     "{stride} elements?"},
    {VERDICT_WRONG, one_element,
     "One of the {total} elements that were compared is wrong, number {first}. What sets it apart "
     "from its neighbours: its place, or the values that it is computed from?"},
    {VERDICT_WRONG, has_elements,
     "Of {total} elements that were compared {wrong} are wrong, and the others are right. What do "
     "the wrong ones have in common: their places, their threads, or the values of their inputs?"},
    {VERDICT_WRONG, NULL,
     "Read the sentence of the contract that this breaks. Which line of yours should keep it, and "
     "what happens before that line is reached in this case?"},
    {VERDICT_BUILD, NULL,
     "Which name or type at that line does the compiler not know or not expect, and where did you "
     "mean to declare it?"},
    {VERDICT_COMPILER_LIMIT, NULL,
     "How many kernels does the compiler make from your file, and how many instructions long is "
     "each of its unrolled loops?"},
    {VERDICT_NO_LAUNCHER, NULL,
     "Is there a function of exactly that name in your file, outside any namespace, and is it "
     "visible from outside the file?"},
    {VERDICT_OUT_OF_BOUNDS, null_pointer,
     "A pointer is NULL there. In this case the contract allows NULL for this argument: what "
     "should your code do then?"},
    {VERDICT_OUT_OF_BOUNDS, after_free,
     "The memory was yours, and has been freed. Which kernel still used it at that moment?"},
    {VERDICT_OUT_OF_BOUNDS, nowhere,
     "The pointer itself is wrong there. Who wrote it, and what does the place hold from which it "
     "was read?"},
    {VERDICT_OUT_OF_BOUNDS, by_one_of_many,
     "It is thread {thread} of block {block}; the blocks are 0 to {last_block}. Which index "
     "does this thread compute at line {line}, and how many elements are there?"},
    {VERDICT_OUT_OF_BOUNDS, NULL,
     "What are the smallest and the largest index that threads compute there, and how many "
     "elements are there in this case?"},
    {VERDICT_MISALIGNED, NULL,
     "How many bytes wide is the access at that line, and is every address in this case a multiple "
     "of that width, or only of the size of an element?"},
    {VERDICT_UNINITIALISED, unset_own,
     "The thread uses one of its variables before it has set it. On which path through the kernel "
     "is it never set?"},
    {VERDICT_UNINITIALISED, unset_shared,
     "No thread of this block has written the shared memory that is read. Which thread should "
     "have, and why did it not in this case?"},
    {VERDICT_UNINITIALISED, NULL,
     "The memory that is read was never written, so what is there is chance. Which thread or call "
     "should have written it before this line, or is it read by mistake?"},
    {VERDICT_RACE, of_cp_async,
     "cp.async only starts a copy. How many groups has the thread committed before this line, "
     "which wait has it passed since, and how many groups may still be in flight after that wait?"},
    {VERDICT_RACE, unfenced,
     "A bulk copy does not read shared memory as threads do. What makes it see what threads wrote "
     "there just before it was started?"},
    {VERDICT_RACE, too_early,
     "Two calls may follow each other in the stream. What makes the second call's kernel wait for "
     "the first one's before it reads or writes memory that both use?"},
    {VERDICT_RACE, in_global,
     "Two threads use one element of global memory, one of them writes it, and nothing orders "
     "them. Why do two threads reach the same element?"},
    {VERDICT_RACE, has_two_lines,
     "One thread is at line {line}, another at line {other_line}, and both use one word. Which "
     "of them has to come first, and what makes the other one wait?"},
    {VERDICT_RACE, NULL,
     "Two threads use one word, and one of them writes it. Which of them has to come first, and "
     "what makes the other one wait?"},
    {VERDICT_BARRIER, by_a_shuffle,
     "Which lanes reach this line together, and which lanes does the mask name?"},
    {VERDICT_BARRIER, NULL,
     "Which threads of the block reach this line, and which condition keeps the others away?"},
    {VERDICT_DEADLOCK, NULL,
     "What do the threads at this line wait for, and where are the threads that should provide "
     "it?"},
    {VERDICT_STOPPED, NULL,
     "Which condition does the code require there, and which value broke it in this case?"},
    {VERDICT_STACK_OVERFLOW, NULL,
     "How many bytes do a thread's own arrays take, and how deep can its calls go in this case?"},
    {VERDICT_NONDETERMINISTIC, NULL,
     "Which part of the result depends on which thread comes first, or on what memory held "
     "before the call?"},
    {VERDICT_INPUT_MODIFIED, NULL,
     "Which store can reach this input: one through its own pointer, or one whose index leaves the "
     "output?"},
    {VERDICT_GUARD, NULL,
     "Which thread stores past the output's end, or before its start, and which element did it "
     "mean to store?"},
    {VERDICT_STREAM, on_default,
     "Which launch of yours does not name the stream that the launcher is given?"},
    {VERDICT_STREAM, NULL,
     "Which launch, copy or memset is on another stream, and what tells the caller's stream that "
     "it is done?"},
    {VERDICT_OUTSIDE, NULL,
     "Which work of yours runs on the device while no call is in progress, and what started it?"},
    {VERDICT_LAUNCH_ERROR, of_a_value,
     "Which line returned cudaErrorInvalidValue in this case: a test of your own, a call to CUDA, "
     "or the launch?"},
    {VERDICT_LAUNCH_ERROR, NULL,
     "How many blocks, threads and bytes of shared memory does your launcher ask for in this case, "
     "and which of these numbers may a launch not have?"},
    {VERDICT_ARGUMENTS, NULL,
     "What does the contract say of these arguments, and what is the first thing that your "
     "launcher does with them?"},
    {VERDICT_TIMEOUT, by_host_work,
     "The launcher itself is at work, on the host. Which of its loops does not end in this case?"},
    {VERDICT_TIMEOUT, by_all_blocks,
     "The launch has taken more instructions than a case may, and has reached block {block} of "
     "{blocks}. How many threads work on one result, and how many instructions does each take?"},
    {VERDICT_TIMEOUT, by_steps,
     "A loop in the kernel does not end, or runs far too many iterations. Which one, and what does "
     "its counter do at the end of this case's range?"},
    {VERDICT_TIMEOUT, by_wait,
     "A loop waits for a value in memory. Which thread should write it, and can that thread run "
     "before this one ends?"},
    {VERDICT_TIMEOUT, NULL,
     "Which loop of yours, on the device or on the host, takes the longest in this case, and "
     "when does it end?"},
    {VERDICT_CRASH, NULL,
     "How far does the launcher get in this case before its process dies, and which pointer does "
     "it follow next, on the host?"},
    {VERDICT_EARLY_EXIT, NULL,
     "Which call of yours, or of a library's, ends the process?"},
    {VERDICT_REFUSED, NULL,
     "What in the file, or in what it does, does the check object to, and does the task need it?"},
    {VERDICT_TIMER_MISMATCH, NULL,
     "Which work is still not done when the launcher's stream is?"},
    {VERDICT_IMPOSSIBLE, NULL,
     "Which part of the work is not done in the timed call, and when is it done?"},
    {VERDICT_NOT_SIMULATED, by_long_blocks,
     "In the case that is named a block takes longer than the simulated device allows. How much of "
     "the work does one block do, and how many blocks have any work?"},
    {VERDICT_NOT_SIMULATED, NULL,
     "Does the message name an instruction? What does it do that ordinary loads, stores and "
     "arithmetic could not? If no instruction is named, what do blocks read that they have not "
     "written themselves?"},
    {VERDICT_DISTURBS, NULL,
     "What does a call of yours allocate and not free, or start and not end?"},
    {VERDICT_SLOW, by_handles,
     "Which call makes a handle, and when could it be made instead?"},
    {VERDICT_SLOW, asks_in_small,
     "The timed case keeps this rule. In the case that is named, what does a call ask of the "
     "library that was already known, and why is the answer not found?"},
    {VERDICT_SLOW, rule_in_small,
     "The timed case keeps this rule. What does a call do in the case that is named that it does "
     "not do in the timed one: a second launch, a copy, an allocation, a wait?"},
    {VERDICT_SLOW, elsewhere,
     "The timed case is fast enough, and the case that is named is not. What is different in it (a "
     "size, an address, the calls before it), and what does your code do differently because of "
     "that?"},
    {VERDICT_SLOW, loads_apart,
     "At line {line} a lane's address lies {load_apart} bytes from its neighbour's. Memory "
     "comes in sectors of 32 bytes: how many of them do the 32 lanes touch, and how much of "
     "each is used?"},
    {VERDICT_SLOW, loads_spread,
     "Loads touch more sectors of 32 bytes than their data fill. At the line that is named, which "
     "32 addresses do the lanes of a warp request at once?"},
    {VERDICT_SLOW, stores_apart,
     "At line {line} a lane's store lies {store_apart} bytes from its neighbour's. Memory is "
     "written in sectors of 32 bytes: how many do the 32 lanes touch, and how much of each is "
     "filled?"},
    {VERDICT_SLOW, stores_spread,
     "Stores touch more sectors of 32 bytes than their data fill. At the line that is named, which "
     "32 addresses do the lanes of a warp write at once?"},
    {VERDICT_SLOW, least_bytes,
     "The kernels request {value} times the bytes that the problem has. Which of them are read or "
     "written more than once, and by which threads?"},
    {VERDICT_SLOW, many_loads,
     "The kernels load {value} times the bytes that the reference loads from global memory. Which "
     "of them are loaded more than once, and by which threads?"},
    {VERDICT_SLOW, many_bytes,
     "The kernels request {value} times the bytes that the reference requests from global memory. "
     "Which of them are read or written more than once, and by which threads?"},
    {VERDICT_SLOW, wavefronts,
     "Shared memory takes {value} times the wavefronts that it needs. At the line that is named, "
     "which 32 words do the lanes of a warp use at once? Their index modulo 32 is the bank."},
    {VERDICT_SLOW, lanes_on,
     "Of 32 lanes {value} are on, on average. Which condition turns the others off, and how often "
     "do the lanes of one warp disagree on it?"},
    {VERDICT_SLOW, by_lanes_off,
     "The warps execute {value} times the reference's instructions, many of them with some lanes "
     "off. Which condition is not the same for all lanes of a warp?"},
    {VERDICT_SLOW, by_instructions,
     "The warps execute {value} times the reference's instructions. Which of these compute "
     "something that is thrown away, or that another thread has already computed?"},
    {VERDICT_SLOW, local,
     "Threads use local memory, which is not in registers. Which array of a thread has an index "
     "that the compiler cannot know, or which values are too many for the registers?"},
    {VERDICT_SLOW, launches,
     "A call launches {value} kernels. Does one of them read what another has just written, and "
     "could one thread do both?"},
    {VERDICT_SLOW, copies,
     "What does the copy or memset do that a kernel could not do where the data are?"},
    {VERDICT_SLOW, allocations,
     "What is kept in the memory that a call allocates, and what memory has the caller provided "
     "for it?"},
    {VERDICT_SLOW, host_waits,
     "What does the launcher wait for, and what needs it to be done before the launcher returns?"},
    {VERDICT_SLOW, by_asking,
     "Which question does the library get a second time, and is its answer different then?"},
    {VERDICT_SLOW, other_figure,
     "The figure that is marked is {value}. Which line contributes most to it, and is what that "
     "line does needed?"},
    {VERDICT_SLOW, spills,
     "Values that do not fit into registers are spilled to memory and loaded back. How many "
     "registers may a thread have, and how many values does it keep at once?"},
    {VERDICT_SLOW, fills_no_device,
     "The counters are fine, but the grid has fewer threads than the device holds at once: {grid} "
     "blocks of {block_threads}, for {multiprocessors} multiprocessors of {most_warps} warps. How "
     "many loads are in flight at a time?"},
    {VERDICT_SLOW, dealing,
     "The counters are fine, but handing out {grid} blocks takes most of the time. How much work "
     "does one block do?"},
    {VERDICT_SLOW, by_arithmetic,
     "Arithmetic or instruction issue takes the time, not memory. Which of the instructions does "
     "the result not need, or need only once?"},
    {VERDICT_SLOW, by_memory,
     "Most of the time the warps wait for memory, and {warps} of {most_warps} are resident. How "
     "many loads does a thread issue before it waits for the first?"},
    {VERDICT_SLOW, by_a_library,
     "The kernels are the library's, and one of them is slow here. Which algorithms did it offer "
     "for this problem, and how was this one chosen?"},
    {VERDICT_SLOW, NULL,
     "The time is too long. Which line does it go into (the report names it), and what do the "
     "warps wait for there?"},
};
/* clang-format on */

struct sayings sayings_questions(void)
{
    return (struct sayings){QUESTIONS, sizeof QUESTIONS / sizeof *QUESTIONS};
}
