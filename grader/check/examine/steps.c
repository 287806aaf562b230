/* steps.c - level 3: what to write, or where to look. */
#include "check/examine/evidence.h"

#include <math.h>

FITS(of_other_call, has_elements(e) && with_others(e))
FITS(of_zero_or_nan,
     has_elements(e) && ((e->got == 0 && e->want == 0) || !isfinite(e->want) || !isfinite(e->got)))
FITS(of_edge, has_elements(e) && e->wrong < e->total && !causes_is_close(e))
FITS(any_element, has_elements(e))
FITS(of_process, e->process > 0)
/* More elements are right than there are threads, so thread t does not take element t alone. */
FITS(of_several, is_unwritten(e) && e->launch.count > 0 &&
                     e->launch.blocks * e->launch.threads < e->total - e->wrong)

FITS(next_turn, sayings_advised(e, "the loop's next turn"))
FITS(goes_back, sayings_said(e, "shared memory race") && e->at_line && e->at_line < e->other_line)
FITS(goes_on, sayings_said(e, "shared memory race") && e->other_line && e->other_line < e->at_line)
FITS(in_shared, sayings_said(e, "shared memory race"))

FITS(bytes_though_shared, by_bytes(e) && e->kernel.shared_requests > 0)
FITS(banks, refused(e, JUDGE_WAVEFRONT_RATIO))
FITS(lanes, refused(e, JUDGE_LANES_ON))
FITS(rule, refused(e, JUDGE_LAUNCHES) || refused(e, JUDGE_COPIES) ||
               refused(e, JUDGE_ALLOCATIONS) || refused(e, JUDGE_SYNCHRONISATIONS))

FITS(wide_already, late(e) && e->kernel.memory_wait > 0.5 && e->kernel.load_width > 12)

/* clang-format off */
static const struct saying STEPS[] = {
    {VERDICT_WRONG, over_outputs,
     "Look for each read of an output in the kernel, and for each static or global variable: does "
     "a store, or a launch, depend on one? Take the condition out, and check again."},
    {VERDICT_WRONG, none_written,
     "Put a printf at the start of the kernel, for thread 0 of block 0 alone, and one just "
     "before the store, and check again; what is printed is in the report. The first that is "
     "missing shows where this case goes another way."},
    {VERDICT_WRONG, by_no_block,
     "In a program of your own go through all block numbers of this case, and count how often each "
     "place comes up: once, if all is well. The first that comes up twice, or never, shows the "
     "line."},
    {VERDICT_WRONG, of_several,
     "The launch has {blocks} x {threads} threads, fewer than it wrote elements: a thread takes "
     "several. Work out which thread should take {first}, and print from it just before the "
     "guard: without a line in the report it does not exist; with one, the guard sends it away."},
    {VERDICT_WRONG, is_unwritten,
     "The launch has {blocks} x {threads} threads. If thread t takes element t, {first} is due "
     "to thread {first_in_block} of block {first_block}. Print from that thread just before the "
     "guard: without a line in the report it does not exist; with one, the guard sends it away."},
    {VERDICT_WRONG, of_zero_or_nan,
     "Print the inputs of element {first} just before its store (if (i == {first}) printf(...), "
     "with your name for i), and follow the contract's formula with them, one operation at a "
     "time. The first operation that yours leaves out, adds or replaces is the mistake."},
    {VERDICT_WRONG, of_other_call,
     "Look at every static and global variable, and every value the host has read from memory: "
     "may it differ in the next call with the same arguments? If there is none, print the "
     "inputs of element {first} and compute it by hand."},
    {VERDICT_WRONG, of_process,
     "Let the launcher print what it saves and what it loads, key and value, in each process, "
     "and compare the two; the report shows what was printed."},
    {VERDICT_WRONG, of_edge,
     "Print what the thread that makes element {first} loads, and where from (if (i == {first}) "
     "printf(...), with your name for i), and the same for a right one. If the values that are "
     "loaded are right, the formula is wrong, or where its result goes; if not, the index, or "
     "whoever wrote them."},
    {VERDICT_WRONG, any_element,
     "Print the inputs of element {first} and each step from them to the result (if (i == "
     "{first}) printf(...), with your name for i); the report shows it. Compare the steps with "
     "the contract's, by hand."},
    {VERDICT_WRONG, NULL,
     "Write the promise down as a test of your own: what must be there before, and what after, "
     "step by step. Then go through your function line by line with the case that is named, "
     "also on the ways on which something fails."},
    {VERDICT_BUILD, NULL,
     "Put the exercise's lines back where the error is (diff shows where yours differs), check "
     "that this compiles, and make your change again in smaller parts."},
    {VERDICT_COMPILER_LIMIT, NULL,
     "Write #pragma unroll 4 in place of #pragma unroll, and let the template have the few "
     "arguments that change what the compiler can leave out; the rest become arguments of the "
     "kernel."},
    {VERDICT_NO_LAUNCHER, NULL,
     "Copy the declaration from the contract, in common/contracts, put a body after it, and "
     "keep the #include of the contract: it makes the symbol's name what is looked for."},
    {VERDICT_OUT_OF_BOUNDS, null_pointer,
     "Write the test around the access, or around the loop if it is the same for all elements: "
     "if (pointer) ... Test the pointer that line {line} uses, also where it is only loaded "
     "ahead."},
    {VERDICT_OUT_OF_BOUNDS, after_free,
     "Give the memory back after the last kernel, in its stream's order: cudaFreeAsync() on the "
     "stream that is given. Where the contract allows no allocation, do without it."},
    {VERDICT_OUT_OF_BOUNDS, nowhere,
     "Follow the pointer back from line {line}: print it on the host where it is stored (%p), and "
     "in the kernel where it is read. Between the two it is lost: what it is read from was freed, "
     "overwritten, or never filled in by the time the kernel runs."},
    {VERDICT_OUT_OF_BOUNDS, is_large,
     "Make the index int64_t where it is first computed: (int64_t)blockIdx.x * blockDim.x + "
     "threadIdx.x, and so every product of sizes, also the one that gives the number of blocks."},
    {VERDICT_OUT_OF_BOUNDS, NULL,
     "At line {line}, write down the smallest and the largest index that a thread of this "
     "launch can have, and put the comparison with the array's size before the access, around "
     "all that uses it. A guard for rows does not do for columns: each needs its own."},
    {VERDICT_OUT_OF_BOUNDS, NULL,
     "Write down the smallest and the largest index that a thread of this launch can have, and "
     "put the comparison with the array's size before the access."},
    {VERDICT_MISALIGNED, NULL,
     "For each pointer that is cast to a wider type ask (uintptr_t)pointer % width == 0, for "
     "each row's start that its length is a multiple, and take the single elements if one of "
     "them is not so. The answer must not be kept for another call."},
    {VERDICT_UNINITIALISED, unset_shared,
     "Let every thread of the block store its place, 0 where it has no element, put the guard "
     "around the load from global memory only, and a barrier after it. Where warps leave sums, "
     "read as many as the block has warps."},
    {VERDICT_UNINITIALISED, NULL,
     "Follow what is read at line {line} back to its store: which condition is on the way? Set "
     "the value before the first use on all ways; an output is assigned first, and added to "
     "then."},
    {VERDICT_UNINITIALISED, NULL,
     "Follow what is read back to its store: which condition is on the way? Set it on all ways."},
    {VERDICT_RACE, of_cp_async,
     "In each turn commit exactly one group, an empty one too in the last turns, and wait so "
     "that as many may be under way as were committed after the one you need: 0 in the last "
     "turn if none was. The wait is for one thread's own copies: a __syncthreads() follows it if "
     "other threads read them."},
    {VERDICT_RACE, unfenced,
     "Let each thread that writes the tile call "
     "cuda::ptx::fence_proxy_async(cuda::ptx::space_shared) after it has written, then a "
     "__syncthreads(), then let one thread ask for the copy."},
    {VERDICT_RACE, next_turn,
     "Put a __syncthreads() at the end of the loop's body, where all threads of the block come, "
     "or give each turn a place of its own in turn (two of them, and still one barrier a turn)."},
    {VERDICT_RACE, goes_back,
     "Put a __syncthreads() after the last use of the place in a turn, at or after line "
     "{other_line}, before line {line} comes again. It must be where all threads of the block "
     "come. With two buffers, look which of them the next turn writes."},
    {VERDICT_RACE, goes_on,
     "Put a __syncthreads() between line {other_line} and line {line}, outside of conditions "
     "that differ between threads; where one of the lines is in a function that is called, the "
     "call counts. If there is one already, the two uses are usually of different turns: put one "
     "more at the end of the loop's body."},
    {VERDICT_RACE, in_shared,
     "Write the index of that line down for the two threads that are named: they give one "
     "place. Add the coordinate that is missing, or let one thread store; if turns of a loop "
     "differ, end each with a __syncthreads()."},
    {VERDICT_RACE, too_early,
     "Let every thread call cudaGridDependencySynchronize() before its first access to memory that "
     "a call shares with the one before (griddepcontrol.wait does it in PTX), or leave out the "
     "attribute cudaLaunchAttributeProgrammaticStreamSerialization."},
    {VERDICT_RACE, in_global,
     "If each thread should have elements of its own, write down which ones the thread of each "
     "block takes, for this case's size: first, step and end. If one block should read what "
     "another wrote, that one passes a __threadfence() before it raises a flag by an atomic "
     "operation, and no flag or count may be left from an earlier call."},
    {VERDICT_RACE, has_two_lines,
     "Begin at lines {line} and {other_line}: the one that has to be first gets a barrier after "
     "it."},
    {VERDICT_RACE, NULL,
     "Begin at the line that is named: give each thread a place of its own, or part the two "
     "uses."},
    {VERDICT_BARRIER, by_mask,
     "Take the shuffle out of the condition: let all 32 lanes execute it, with mask 0xFFFFFFFF, "
     "and lanes that have nothing bring a 0. Loops around it must have as many turns in every "
     "lane."},
    {VERDICT_BARRIER, NULL,
     "Close the if before the barrier and open it again after it, and turn an early return into "
     "a flag. A loop around a barrier has to run as often in every thread: count its turns from "
     "the block's numbers, not the thread's."},
    {VERDICT_DEADLOCK, NULL,
     "Print from each warp, before and after the line that is named (thread 0, 32, 64, ..): the "
     "warps whose second line is missing wait, and those whose first is missing are the ones "
     "that are waited for."},
    {VERDICT_STOPPED, NULL,
     "Put a printf of all values in the condition just before it, for the thread that is named "
     "alone, and check again: the report shows it."},
    {VERDICT_STACK_OVERFLOW, NULL,
     "Put the array into shared memory, with a part for each thread, or keep what is needed of "
     "it in registers; write the recursion as a loop with a counter."},
    {VERDICT_NONDETERMINISTIC, NULL,
     "Look for atomicAdd first: let each thread or warp store its sum in a place of its own, "
     "and one warp add the places in the order of their numbers, after a barrier. If there is "
     "none, set all memory that is read before the first use, in every call."},
    {VERDICT_INPUT_MODIFIED, NULL,
     "Declare the kernel's inputs const: then each store to one is an error of the compiler. If "
     "it compiles, compare the index of each store with its array's size."},
    {VERDICT_GUARD, NULL,
     "Go through the stores to this output: each needs its own guard, and a wide one compares "
     "its last element with the size. Do not forget rows whose end is inside a tile."},
    {VERDICT_STREAM, on_default,
     "Write kernel<<<blocks, threads, 0, stream>>> at every launch, also of a second kernel; "
     "helpers that launch get the stream as an argument."},
    {VERDICT_STREAM, NULL,
     "Use cudaMemsetAsync() and cudaMemcpyAsync() with the stream that is given, and launch on "
     "it. A second stream needs cudaEventRecord() and cudaStreamWaitEvent() before and after "
     "its work."},
    {VERDICT_OUTSIDE, NULL,
     "Leave out all threads and processes of your own, and check again. If it is still so, see "
     "whether each launch is on the stream that is given, and ends by itself."},
    {VERDICT_LAUNCH_ERROR, of_a_value,
     "Hold this case's arguments against each test of the launcher that returns an error, and "
     "against the contract: which one is true here? If none is, print what each call to CUDA "
     "returns, and the bytes of shared memory that the launch asks for."},
    {VERDICT_LAUNCH_ERROR, NULL,
     "Print blocks, threads and bytes just before the launch: the report shows them. Round the "
     "number of blocks up, (n + threads - 1) / threads, in 64 bits; where nothing is to do, "
     "return cudaSuccess before the launch; keep within 1024 threads and 48 KiB."},
    {VERDICT_ARGUMENTS, NULL,
     "Begin the launcher with one if for each kind of such arguments, in the contract's order, "
     "that returns what it says there; only then divide, copy and launch. Last, return "
     "cudaGetLastError()."},
    {VERDICT_TIMEOUT, is_large,
     "Look at the counter, the step and the end of each loop that ends with a size. If one has 32 "
     "bits, make it int64_t. If none has, let all threads share the loop: each starts at its own "
     "number and steps by (int64_t)gridDim.x * blockDim.x."},
    {VERDICT_TIMEOUT, by_host_work,
     "Put fprintf(stderr, ...) before and after each loop of the launcher: the last line in the "
     "report is before the one that does not end. Print its counter and its end there."},
    {VERDICT_TIMEOUT, by_all_blocks,
     "Count the instructions of a thread, times all threads, for each result: what serves several "
     "results should be loaded and computed once for them. If a loop has a blockIdx in it, work "
     "its first value, step and end out for block {block}."},
    {VERDICT_TIMEOUT, by_steps,
     "Go through each loop of the kernel with this case's sizes: its first value, its step, its "
     "end. Print the step if it is computed. A grid-stride loop steps by gridDim.x * blockDim.x."},
    {VERDICT_TIMEOUT, NULL,
     "Put a printf before and after each loop of the launcher, and of the kernel for thread 0 "
     "alone: the last line in the report is before the one that does not end."},
    {VERDICT_CRASH, NULL,
     "Put fprintf(stderr, ...) after each step of the launcher: the last line in the report is "
     "before the one that fails. Nothing on the host may follow a pointer to device memory."},
    {VERDICT_EARLY_EXIT, NULL,
     "Replace exit and macros that call it by return of the error: if (error != cudaSuccess) "
     "return error;"},
    {VERDICT_REFUSED, NULL,
     "Take out what the sentence names, and check again. If you do not know where it comes "
     "from, begin with the exercise as it was shipped and put your parts back one by one."},
    {VERDICT_TIMER_MISMATCH, NULL,
     "Give each launch, copy and set the stream that is given; tie a second stream to it by "
     "events, before and after."},
    {VERDICT_IMPOSSIBLE, NULL,
     "Take out every static variable that holds results or pointers to them, and check that "
     "each call reads all inputs and writes all outputs itself."},
    {VERDICT_NOT_SIMULATED, by_long_blocks,
     "Make the number of blocks from the size, so that each has a small part of the work and the "
     "device starts the next one as one ends; or keep what you have for a check on a GPU."},
    {VERDICT_NOT_SIMULATED, NULL,
     "An instruction that is named can mostly be written with ordinary loads, stores and "
     "arithmetic. If blocks read outputs, or each other's results, let each compute its own part "
     "in every call, whatever was there before. Keep the other version for a check on a GPU."},
    {VERDICT_DISTURBS, NULL,
     "Call your launcher a hundred times in a program of your own, and watch its memory and its "
     "threads. What is taken once can be kept in a static; what is taken per call is given back."},
    {VERDICT_SLOW, by_handles,
     "Make the handle where the context is made, before any call, and destroy it with the "
     "context."},
    {VERDICT_SLOW, asks_in_small,
     "Print, just before the library is asked, what is looked up, and all that it is compared "
     "with: what differs there, and should not? If there is nothing to compare with, it was not "
     "kept, or not loaded."},
    {VERDICT_SLOW, rule_in_small,
     "Follow the case that is named through your launcher: at its size and its addresses, which "
     "branch does it take? Do with one kernel what is done there by the additional call, single "
     "elements where no vector fits."},
    {VERDICT_SLOW, elsewhere,
     "Compute that case by the launch that the timed one gets: the same blocks, and lanes in "
     "the same order. What differs is only how an element is loaded and stored: by lanes that "
     "still touch neighbours, and one by one with a guard where an address or a rest fits no "
     "vector."},
    {VERDICT_SLOW, banks,
     "Write down the index of the word that lanes 0 and 1 use at line {line}, for each access "
     "there, and take the difference modulo 32. If it is 0 for different words, all lanes share "
     "a bank; if it is odd, no two do. If lanes step by a row, one that is a word longer changes "
     "an even step into an odd one."},
    {VERDICT_SLOW, by_a_step,
     "In the index at line {line}, find the factor of threadIdx.x (or of the lane): counted in "
     "what a lane loads or stores at a time, a float or a float4, it should be 1, and the warp, "
     "not the thread, should be what walks. Where data must be turned round, let shared memory do "
     "it."},
    {VERDICT_SLOW, by_sectors,
     "Write down the addresses that lanes 0, 1, 2 and 3 use at line {line}, and lanes 8 and 16: "
     "each should follow the lane before it, and lane 0's be a multiple of 32 bytes. Where data "
     "must be turned round, let shared memory do it."},
    {VERDICT_SLOW, bytes_though_shared,
     "There is shared memory already, so count for one element: how many threads, and how many "
     "blocks, load it from global memory? Larger tiles make fewer blocks do so, more results a "
     "thread fewer threads."},
    {VERDICT_SLOW, by_bytes,
     "Count for one element: how many threads, and how many blocks, load it, and is it stored "
     "in between? What one kernel stores for the next can stay in a register, if one does both."},
    {VERDICT_SLOW, lanes,
     "Make the condition that the line that is named depends on one that all lanes of a warp "
     "share: give a warp's lanes work of one kind, or each lane one of either kind, so that all "
     "take both sides."},
    {VERDICT_SLOW, by_instructions,
     "Sort the lines by instructions (make profile). For the first of them: how often does it "
     "run for one element, and how often must it?"},
    {VERDICT_SLOW, rule,
     "Leave that call out and see what the results lack: this is what the kernel has to do "
     "itself, where the data are, on the stream that is given."},
    {VERDICT_SLOW, by_asking,
     "Keep the answer where the next call finds it, with all that it depends on, and ask only "
     "if there is none."},
    {VERDICT_SLOW, spills,
     "Ask for no more blocks on a multiprocessor than registers allow (the second number of "
     "__launch_bounds__), or let a thread keep fewer values at once, as by a smaller tile."},
    {VERDICT_SLOW, fills_no_device,
     "Make the grid from the size: one element, or one float4, a thread gives as many blocks as "
     "there is work. If the blocks are few by design, let each thread load several elements "
     "before it uses the first."},
    {VERDICT_SLOW, dealing,
     "Let a block have 256 threads or more, or a thread several elements, so that there are "
     "fewer than {grid} blocks."},
    {VERDICT_SLOW, by_arithmetic,
     "Sort the lines by instructions (make profile), and take the first: can its result serve "
     "several elements, be had from fewer operations, or be left out for those that do not need "
     "it?"},
    {VERDICT_SLOW, wide_already,
     "Loads are {load_width} bytes wide already, so it is their number that counts: begin the "
     "loads of two or four elements (an unrolled loop) before the first is used. {warps} of "
     "{most_warps} warps are resident: if that is not all, see what keeps the others away."},
    {VERDICT_SLOW, by_memory,
     "Begin several loads before the first is used, each as wide as addresses allow. {warps} of "
     "{most_warps} warps are resident: if that is not all, see what keeps the others away."},
    {VERDICT_SLOW, by_a_library,
     "Time each algorithm that the library offers for this problem, a few times each, and print "
     "the times beside the one that your code takes. Ask with the layouts, the alignments and the "
     "workspace that the call has."},
    {VERDICT_SLOW, NULL,
     "Open the profile and take the line with most time: what its warps wait for (memory, "
     "shared memory, a barrier, arithmetic) says which of its operations has to become rarer."},
};
/* clang-format on */

struct sayings sayings_steps(void)
{
    return (struct sayings){STEPS, sizeof STEPS / sizeof *STEPS};
}
