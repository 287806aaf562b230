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
     "The same call was right before. After it a few elements of the outputs were overwritten, and "
     "made once more it is wrong. What does your code take from the outputs, or from the call "
     "before, to decide what to do?"},
    {VERDICT_WRONG, none_written,
     "Nothing of this result was written. Which line should store it, and does any thread come "
     "to that line in this case?"},
    {VERDICT_WRONG, by_no_block,
     "Some of this result is written by no block. How does a block's number become its place, and "
     "does each place have a block at this size?"},
    {VERDICT_WRONG, end_unwritten,
     "What lies from element {first} on still holds what was there before the call. Which "
     "thread of which block should have written element {first}?"},
    {VERDICT_WRONG, is_unwritten,
     "Element {first} still holds what was there before the call, and others after it do not. "
     "Which thread should have written it, and does it write another one instead, or none?"},
    {VERDICT_WRONG, sign_of_zero,
     "The number is right, and its sign is not: minus 0 is there for 0, or the other way round. "
     "Which operation of yours makes this zero, and which one does the contract make it by?"},
    {VERDICT_WRONG, nan_is_wanted,
     "By the contract's formula element {first} is NaN, and your code makes a number of it. "
     "Which operation of the formula is not done for this element?"},
    {VERDICT_WRONG, nan_is_there,
     "Element {first} is NaN, and by the contract's formula it is none. Which operation of "
     "yours meets a NaN or an infinity that the result must not depend on?"},
    {VERDICT_WRONG, other_call,
     "A call with the same arguments was right, and one with other inputs is not. What does "
     "your code know in the second call that it did not read in it, and which values can occur "
     "that did not occur before?"},
    {VERDICT_WRONG, close,
     "What is wrong is near what is right. On the way from the inputs to element {first}, does a "
     "value have fewer bits than FP32, has a sum another order, or is a small part of it missing?"},
    {VERDICT_WRONG, only_element,
     "The only element is wrong. By which formula, from which inputs, does it become {got} "
     "instead of {want}?"},
    {VERDICT_WRONG, only_element,
     "The only element is wrong. Which inputs is it made of, and by which steps?"},
    {VERDICT_WRONG, all_elements,
     "All {total} elements that were compared are wrong, so a mistake at an edge of the result "
     "does not explain it. By which formula, from which inputs, does element {first} become {got} "
     "instead of {want}?"},
    {VERDICT_WRONG, all_elements,
     "All {total} elements that were compared are wrong, so a mistake at an edge of the result "
     "does not explain it. What do they all go through?"},
    {VERDICT_WRONG, in_steps,
     "One element in {stride} is wrong, from element {first} on. What in your kernel comes "
     "round every {stride} elements?"},
    {VERDICT_WRONG, one_element,
     "One of the {total} elements that were compared is wrong, number {first}. What sets it "
     "apart from its neighbours: its place, or the values that it is made of?"},
    {VERDICT_WRONG, has_elements,
     "Of {total} elements that were compared {wrong} are wrong, and the others are right. What do "
     "the wrong ones have in common: their places, their threads, or the values of their inputs?"},
    {VERDICT_WRONG, NULL,
     "Read the sentence of the contract that this breaks. Which line of yours is to keep it, "
     "and what has happened before that line is reached in this case?"},
    {VERDICT_BUILD, NULL,
     "Which name, or which type, does the compiler meet there that it does not know or did not "
     "expect, and where did you mean to declare it?"},
    {VERDICT_COMPILER_LIMIT, NULL,
     "How many kernels does the compiler make of your file, and how many instructions long is "
     "each of its unrolled loops?"},
    {VERDICT_NO_LAUNCHER, NULL,
     "Is there a function of exactly that name in your file, outside of any namespace, and can "
     "others see it?"},
    {VERDICT_OUT_OF_BOUNDS, null_pointer,
     "A pointer is NULL there. In this case the contract may hand over none for this argument: "
     "what is your code to do then?"},
    {VERDICT_OUT_OF_BOUNDS, after_free,
     "The memory was yours, and is not any more. Which kernel still used it when it was given "
     "back?"},
    {VERDICT_OUT_OF_BOUNDS, nowhere,
     "The pointer itself is wrong there. Who wrote it, and what does the place hold from which it "
     "was read?"},
    {VERDICT_OUT_OF_BOUNDS, by_one_of_many,
     "It is thread {thread} of block {block}; the blocks are 0 to {last_block}. Which index "
     "does this thread compute at line {line}, and how many elements are there?"},
    {VERDICT_OUT_OF_BOUNDS, NULL,
     "Which smallest and which largest index do threads compute there, and how many elements are "
     "there in this case?"},
    {VERDICT_MISALIGNED, NULL,
     "How many bytes wide is the access at that line, and of what is every address in this case "
     "a multiple: of that width, or only of an element's?"},
    {VERDICT_UNINITIALISED, unset_own,
     "The thread uses a variable of its own before it has set it. On which way through the "
     "kernel is it never set?"},
    {VERDICT_UNINITIALISED, unset_shared,
     "No thread of this block has written the shared memory that is read. Which thread should "
     "have, and why did it not in this case?"},
    {VERDICT_UNINITIALISED, NULL,
     "The memory that is read was never written, so what is there is chance. Who was to write "
     "it before this line, or is it read by mistake?"},
    {VERDICT_RACE, of_cp_async,
     "cp.async only begins a copy. How many groups has the thread committed before this line, "
     "which wait has it passed since, and how many may still be under way after that?"},
    {VERDICT_RACE, unfenced,
     "A bulk copy does not read shared memory as threads do. What makes it see what threads wrote "
     "there just before it was asked for?"},
    {VERDICT_RACE, too_early,
     "Two calls may follow each other in the stream. What makes the second one's kernel wait for "
     "the first one's, before it reads or writes memory that both use?"},
    {VERDICT_RACE, in_global,
     "Two threads use one element of global memory, one of them writes it, and nothing orders "
     "them. Why do two threads come to the same element?"},
    {VERDICT_RACE, has_two_lines,
     "One thread is at line {line}, another at line {other_line}, and both use one word. Which "
     "of them has to come first, and what makes the other one wait?"},
    {VERDICT_RACE, NULL,
     "Two threads use one word, and one of them writes it. Which of them has to come first, and "
     "what makes the other one wait?"},
    {VERDICT_BARRIER, by_a_shuffle,
     "Which lanes come to this line together, and which lanes does the mask name?"},
    {VERDICT_BARRIER, NULL,
     "Which threads of the block come to this line, and which condition keeps the others away?"},
    {VERDICT_DEADLOCK, NULL,
     "What do the threads at this line wait for, and where are those that should bring it?"},
    {VERDICT_STOPPED, NULL,
     "Which condition did the code there insist on, and which value broke it in this case?"},
    {VERDICT_STACK_OVERFLOW, NULL,
     "How many bytes do a thread's own arrays take, and how deep can its calls go in this case?"},
    {VERDICT_NONDETERMINISTIC, NULL,
     "Which part of the result depends on which thread comes first, or on what memory held "
     "before the call?"},
    {VERDICT_INPUT_MODIFIED, NULL,
     "Which store can reach this input: one that is meant for it, or one whose index leaves the "
     "output?"},
    {VERDICT_GUARD, NULL,
     "Which thread stores past its output's end, or before its start, and which element did it "
     "take that for?"},
    {VERDICT_STREAM, on_default,
     "Which launch of yours does not name the stream that the launcher is given?"},
    {VERDICT_STREAM, NULL,
     "Which launch, copy or set is on another stream, and what tells the caller's stream that "
     "it is done?"},
    {VERDICT_OUTSIDE, NULL,
     "Which work of yours is on the device when no call is, and who started it?"},
    {VERDICT_LAUNCH_ERROR, of_a_value,
     "Which line returned cudaErrorInvalidValue in this case: a test of your own, a call to CUDA, "
     "or the launch?"},
    {VERDICT_LAUNCH_ERROR, NULL,
     "How many blocks, threads and bytes of shared memory does your launcher ask for in this "
     "case, and which of these may a launch not have?"},
    {VERDICT_ARGUMENTS, NULL,
     "What does the contract say of these arguments, and what is the first thing that your "
     "launcher does with them?"},
    {VERDICT_TIMEOUT, by_host_work,
     "The launcher itself is at work, on the host. Which of its loops does this case bring into "
     "a state that it does not leave?"},
    {VERDICT_TIMEOUT, by_all_blocks,
     "The launch has taken more instructions than a case may, and it has come to block {block} of "
     "{blocks}. How many threads work for one result, and how many instructions does each take?"},
    {VERDICT_TIMEOUT, by_steps,
     "A loop in the kernel does not end, or takes far too many turns. Which one, and what does "
     "its counter do at the end of this case's range?"},
    {VERDICT_TIMEOUT, by_wait,
     "A loop waits for a value in memory. Which thread is to write it, and can that thread run "
     "before this one ends?"},
    {VERDICT_TIMEOUT, NULL,
     "Which loop of yours, on the device or on the host, takes the longest in this case, and "
     "when does it end?"},
    {VERDICT_CRASH, NULL,
     "How far does the launcher come in this case before its process dies, and which pointer "
     "does it follow next, on the host?"},
    {VERDICT_EARLY_EXIT, NULL,
     "Which call of yours, or of a library's, ends the process?"},
    {VERDICT_REFUSED, NULL,
     "What is in the file, or done by it, that the check names, and does the task need it?"},
    {VERDICT_TIMER_MISMATCH, NULL,
     "Which work is not done yet when the launcher's stream is?"},
    {VERDICT_IMPOSSIBLE, NULL,
     "Which part of the work is not done in the call that is timed, and when is it done?"},
    {VERDICT_NOT_SIMULATED, by_long_blocks,
     "In the case that is named a block takes longer than the simulated device lets it. How much "
     "of the work is one block's, and how many blocks have any?"},
    {VERDICT_NOT_SIMULATED, NULL,
     "Does the sentence name an instruction? What does it do that ordinary loads, stores and "
     "arithmetic could not? If not: what do blocks read that they have not written themselves?"},
    {VERDICT_DISTURBS, NULL,
     "What does a call of yours take and not give back, or start and not end?"},
    {VERDICT_SLOW, by_handles,
     "Which call makes a handle, and when could it be made instead?"},
    {VERDICT_SLOW, asks_in_small,
     "The timed case keeps this rule. What does a call ask of the library in the case that is "
     "named that was known before, and why is it not found?"},
    {VERDICT_SLOW, rule_in_small,
     "The timed case keeps this rule. What does a call do in the case that is named that it "
     "does not do there: a second launch, a copy, an allocation, a wait?"},
    {VERDICT_SLOW, elsewhere,
     "The timed case is fast enough, and the case that is named is not. What is different in it "
     "(a size, an address, what came before it), and what does your code do differently for "
     "that?"},
    {VERDICT_SLOW, loads_apart,
     "At line {line} a lane's address lies {load_apart} bytes from its neighbour's. Memory "
     "comes in sectors of 32 bytes: how many of them do the 32 lanes touch, and how much of "
     "each is used?"},
    {VERDICT_SLOW, loads_spread,
     "Loads touch more sectors of 32 bytes than their data fill. Which 32 addresses do the "
     "lanes of a warp ask for at once, at the line that is named?"},
    {VERDICT_SLOW, stores_apart,
     "At line {line} a lane's store lies {store_apart} bytes from its neighbour's. Memory is "
     "written in sectors of 32 bytes: how many do the 32 lanes touch, and how much of each is "
     "filled?"},
    {VERDICT_SLOW, stores_spread,
     "Stores touch more sectors of 32 bytes than their data fill. Which 32 addresses do the "
     "lanes of a warp write at once, at the line that is named?"},
    {VERDICT_SLOW, least_bytes,
     "Global memory is asked for {value} times the bytes that the problem has. Which of them "
     "are read or written more than once, and by which threads?"},
    {VERDICT_SLOW, many_loads,
     "From global memory {value} times the bytes are loaded that the reference loads. Which of "
     "them are loaded more than once, and by which threads?"},
    {VERDICT_SLOW, many_bytes,
     "Global memory is asked for {value} times the bytes of the reference. Which of them are "
     "read or written more than once, and by which threads?"},
    {VERDICT_SLOW, wavefronts,
     "Shared memory takes {value} times the wavefronts that it could. At the line that is "
     "named, which 32 words do the lanes of a warp use at once? Their index modulo 32 is the "
     "bank."},
    {VERDICT_SLOW, lanes_on,
     "Of 32 lanes {value} are on, on average. Which condition switches the others off, and how "
     "often do the lanes of one warp disagree on it?"},
    {VERDICT_SLOW, by_lanes_off,
     "The warps execute {value} times the reference's instructions, many of them with lanes that "
     "are off. Which condition is not the same for all lanes of a warp?"},
    {VERDICT_SLOW, by_instructions,
     "The warps execute {value} times the reference's instructions. Which of these make "
     "something that is thrown away, or that another thread has made already?"},
    {VERDICT_SLOW, local,
     "Threads use local memory, which is no register. Which array of a thread has an index that "
     "the compiler cannot know, or which values are too many to keep?"},
    {VERDICT_SLOW, launches,
     "A call launches {value} kernels. Does one of them read what another has just written, and "
     "could one thread do both?"},
    {VERDICT_SLOW, copies,
     "What does the copy or set bring about that a kernel could not do where the data are?"},
    {VERDICT_SLOW, allocations,
     "What is kept in the memory that a call allocates, and who has handed over memory for it?"},
    {VERDICT_SLOW, host_waits,
     "What does the launcher wait for, and who needs that it is done before the launcher "
     "returns?"},
    {VERDICT_SLOW, by_asking,
     "Which question does the library get a second time, and had it another answer then?"},
    {VERDICT_SLOW, other_figure,
     "The figure that is marked is {value}. Which line makes most of it, and is what it does "
     "needed?"},
    {VERDICT_SLOW, spills,
     "Values that do not fit into registers go to memory and come back. How many registers may a "
     "thread have, and how many values does it keep at once?"},
    {VERDICT_SLOW, fills_no_device,
     "The counters are not what is missed, but the grid has fewer threads than the device holds "
     "at once: {grid} blocks of {block_threads}, for {multiprocessors} multiprocessors of "
     "{most_warps} warps. How many loads are under way at a time?"},
    {VERDICT_SLOW, dealing,
     "The counters are not what is missed, but handing out {grid} blocks takes most of the "
     "time. How much work does one block do?"},
    {VERDICT_SLOW, by_arithmetic,
     "It is arithmetic or the issue of instructions that takes the time, not memory. Which of "
     "the instructions does the result not need, or need only once?"},
    {VERDICT_SLOW, by_memory,
     "Most of the time the warps wait for memory, and {warps} of {most_warps} are resident. How "
     "many loads does a thread begin before it waits for the first?"},
    {VERDICT_SLOW, by_a_library,
     "The kernels are the library's, and one of them is slow here. Which algorithms did it offer "
     "for this problem, and by what was this one chosen?"},
    {VERDICT_SLOW, NULL,
     "The time is what is missed. Which line does it go into (the report names it), and what do "
     "the warps wait for there?"},
};
/* clang-format on */

struct sayings sayings_questions(void)
{
    return (struct sayings){QUESTIONS, sizeof QUESTIONS / sizeof *QUESTIONS};
}
