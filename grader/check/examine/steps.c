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
     "Put a printf at the start of the kernel, for thread 0 of block 0 alone, and one just before "
     "the store, and check again; the report shows what they print. The first one that is missing "
     "shows where this case takes another path."},
    {VERDICT_WRONG, by_no_block,
     "In a program of your own, go through all block numbers of this case and count how often each "
     "part of the result comes up: it should be once. The first part that comes up twice, or "
     "never, shows the line."},
    {VERDICT_WRONG, of_several,
     "The launch has {blocks} x {threads} threads, fewer than the elements that it wrote: a thread "
     "takes several. Work out which thread should take {first}, and print from it just before the "
     "guard. If the report has no such line, the thread does not exist; if it has one, the guard "
     "stops it."},
    {VERDICT_WRONG, is_unwritten,
     "The launch has {blocks} x {threads} threads. If thread t takes element t, {first} belongs to "
     "thread {first_in_block} of block {first_block}. Print from that thread just before the "
     "guard. If the report has no such line, the thread does not exist; if it has one, the guard "
     "stops it."},
    {VERDICT_WRONG, of_zero_or_nan,
     "Print the inputs of element {first} just before its store (if (i == {first}) printf(...), "
     "with your name for i), and follow the contract's formula with them, one operation at a time. "
     "The first operation that your code leaves out, adds or replaces is the mistake."},
    {VERDICT_WRONG, of_other_call,
     "Look at every static and global variable, and every value that the host has read from "
     "memory: may it differ in the next call with the same arguments? If there are none, print the "
     "inputs of element {first} and compute it by hand."},
    {VERDICT_WRONG, of_process,
     "Let the launcher print what it saves and what it loads, key and value, in each process, "
     "and compare the two; the report shows what was printed."},
    {VERDICT_WRONG, of_edge,
     "Print what the thread that makes element {first} loads, and where from (if (i == {first}) "
     "printf(...), with your name for i), and the same for a right element. If it loads the right "
     "values, the formula is wrong, or the place where the result goes; if not, the index is "
     "wrong, or the code that wrote the values."},
    {VERDICT_WRONG, any_element,
     "Print the inputs of element {first} and each step from them to the result (if (i == {first}) "
     "printf(...), with your name for i); the report shows what you print. Compare the steps with "
     "the contract's, by hand."},
    {VERDICT_WRONG, NULL,
     "Write the promise down as a test of your own: what must hold before, and what after, step by "
     "step. Then go through your function line by line with the case that is named, including the "
     "paths on which something fails."},
    {VERDICT_BUILD, NULL,
     "Put the exercise's lines back where the error is (diff shows where yours differs), check "
     "that this compiles, and make your change again in smaller parts."},
    {VERDICT_COMPILER_LIMIT, NULL,
     "Write #pragma unroll 4 in place of #pragma unroll, and keep only the few template arguments "
     "that change what the compiler can leave out; make the others arguments of the kernel."},
    {VERDICT_NO_LAUNCHER, NULL,
     "Copy the declaration from the contract, in common/contracts, put a body after it, and keep "
     "the #include of the contract: it gives the symbol the name that the grader looks for."},
    {VERDICT_OUT_OF_BOUNDS, null_pointer,
     "Write the test around the access, or around the loop if it is the same for all elements: if "
     "(pointer) ... Test the pointer that line {line} uses, even where a value is only "
     "prefetched."},
    {VERDICT_OUT_OF_BOUNDS, after_free,
     "Free the memory after the last kernel, in stream order: cudaFreeAsync() on the given stream. "
     "Where the contract allows no allocation, do without the memory."},
    {VERDICT_OUT_OF_BOUNDS, nowhere,
     "Follow the pointer back from line {line}: print it on the host where it is stored (%p), and "
     "in the kernel where it is read. Between the two it is lost: what it is read from was freed, "
     "overwritten, or never filled in by the time the kernel runs."},
    {VERDICT_OUT_OF_BOUNDS, is_large,
     "Make the index int64_t where it is first computed: (int64_t)blockIdx.x * blockDim.x + "
     "threadIdx.x. Do the same with every product of sizes, including the one that gives the "
     "number of blocks."},
    {VERDICT_OUT_OF_BOUNDS, NULL,
     "At line {line}, write down the smallest and the largest index that a thread of this launch "
     "can have, and put the comparison with the array's size before the access, around all that "
     "uses it. A guard for rows does not protect columns: each needs its own."},
    {VERDICT_OUT_OF_BOUNDS, NULL,
     "Write down the smallest and the largest index that a thread of this launch can have, and "
     "put the comparison with the array's size before the access."},
    {VERDICT_MISALIGNED, NULL,
     "For each pointer that is cast to a wider type, test (uintptr_t)pointer % width == 0; for the "
     "starts of rows, test that the row's length is a multiple too. Use single elements if one of "
     "them is not. Test again in each call."},
    {VERDICT_UNINITIALISED, unset_shared,
     "Let every thread of the block store its element, or 0 if it has none: put the guard around "
     "the load from global memory only, and a barrier after the store. Where warps store sums, "
     "read as many as the block has warps."},
    {VERDICT_UNINITIALISED, NULL,
     "Follow what is read at line {line} back to its store: which condition is on the way? Set the "
     "value before its first use on all paths; assign an output before you add to it."},
    {VERDICT_UNINITIALISED, NULL,
     "Follow what is read back to its store: which condition is on the way? Set the value on all "
     "paths."},
    {VERDICT_RACE, of_cp_async,
     "In each iteration commit exactly one group, even if it is empty (as in the last ones). Let "
     "the wait leave in flight as many groups as were committed after the one you need: 0 in the "
     "last iteration if there were none. The wait covers a thread's own copies only: add a "
     "__syncthreads() after it if other threads read them."},
    {VERDICT_RACE, unfenced,
     "Let each thread that writes the tile call "
     "cuda::ptx::fence_proxy_async(cuda::ptx::space_shared) after it has written, then a "
     "__syncthreads(), then let one thread start the copy."},
    {VERDICT_RACE, next_turn,
     "Put a __syncthreads() at the end of the loop's body, where all threads of the block reach "
     "it, or let iterations alternate between two buffers (with one barrier per iteration still)."},
    {VERDICT_RACE, goes_back,
     "Put a __syncthreads() after the last use of the word in an iteration, at or after line "
     "{other_line}, before line {line} comes again. All threads of the block must reach it. With "
     "two buffers, check which of them the next iteration writes."},
    {VERDICT_RACE, goes_on,
     "Put a __syncthreads() between line {other_line} and line {line}, outside conditions that "
     "differ between threads; where one of the lines is in a called function, count the call as "
     "the line. If there is one already, the two uses are usually in different iterations: put one "
     "more at the end of the loop's body."},
    {VERDICT_RACE, in_shared,
     "Write down the index of that line for the two threads that are named: both give the same "
     "word. Add the coordinate that is missing, or let one thread store; if the two uses are in "
     "different iterations of a loop, end each iteration with a __syncthreads()."},
    {VERDICT_RACE, too_early,
     "Let every thread call cudaGridDependencySynchronize() (griddepcontrol.wait in PTX) before "
     "its first access to memory that a call shares with the one before, or leave out the "
     "attribute cudaLaunchAttributeProgrammaticStreamSerialization."},
    {VERDICT_RACE, in_global,
     "If each thread should have its own elements, write down which ones it takes at this case's "
     "size: first, step and end. If one block should read what another wrote, the writer needs a "
     "__threadfence() before it sets a flag by an atomic operation, and no flag or counter may be "
     "left from an earlier call."},
    {VERDICT_RACE, has_two_lines,
     "Begin at lines {line} and {other_line}: put a barrier after the one that has to come first."},
    {VERDICT_RACE, NULL,
     "Begin at the line that is named: give each thread its own element, or separate the two uses "
     "by a barrier."},
    {VERDICT_BARRIER, by_mask,
     "Take the shuffle out of the condition: let all 32 lanes execute it, with mask 0xFFFFFFFF, "
     "and let lanes that have nothing contribute 0. Loops around it must run the same number of "
     "iterations in every lane."},
    {VERDICT_BARRIER, NULL,
     "Close the if before the barrier and open it again after it, and turn an early return into a "
     "flag. A loop around a barrier must run the same number of iterations in every thread: "
     "compute that number from the block's indices, not the thread's."},
    {VERDICT_DEADLOCK, NULL,
     "Print from each warp (thread 0, 32, 64, ..) before and after the line that is named: the "
     "warps whose second print is missing are waiting, and they wait for those whose first print "
     "is missing."},
    {VERDICT_STOPPED, NULL,
     "Just before the condition, print all values in it, for the thread that is named alone, and "
     "check again: the report shows them."},
    {VERDICT_STACK_OVERFLOW, NULL,
     "Put the array into shared memory, with a part for each thread, or keep only what you need of "
     "it in registers; write recursion as a loop with a counter."},
    {VERDICT_NONDETERMINISTIC, NULL,
     "Look for atomicAdd first: let each thread or warp store its sum in its own element, and "
     "after a barrier let one warp add them in index order. If there is no atomicAdd, set all "
     "memory before it is first read, in every call."},
    {VERDICT_INPUT_MODIFIED, NULL,
     "Declare the kernel's inputs const: then the compiler reports each store to one as an error. "
     "If the file compiles, compare the index of each store with its array's size."},
    {VERDICT_GUARD, NULL,
     "Go through the stores to this output: each needs its own guard, and the guard of a wide "
     "store must compare the store's last element with the size. Do not forget rows that end "
     "inside a tile."},
    {VERDICT_STREAM, on_default,
     "Write kernel<<<blocks, threads, 0, stream>>> at every launch, of a second kernel too; pass "
     "the stream to helpers that launch."},
    {VERDICT_STREAM, NULL,
     "Use cudaMemsetAsync() and cudaMemcpyAsync() with the given stream, and launch on it. A "
     "second stream needs cudaEventRecord() and cudaStreamWaitEvent() before and after its work."},
    {VERDICT_OUTSIDE, NULL,
     "Leave out all threads and processes of your own, and check again. If the verdict is the "
     "same, see whether each launch is on the given stream, and ends by itself."},
    {VERDICT_LAUNCH_ERROR, of_a_value,
     "Compare this case's arguments with each test of the launcher that returns an error, and hold "
     "them against the contract: which test is true here? If none is, print what each CUDA call "
     "returns, and the bytes of shared memory that the launch asks for."},
    {VERDICT_LAUNCH_ERROR, NULL,
     "Print blocks, threads and bytes just before the launch: the report shows them. Round the "
     "number of blocks up, (n + threads - 1) / threads, in 64 bits; where there is nothing to do, "
     "return cudaSuccess before the launch; stay within 1024 threads and 48 KiB."},
    {VERDICT_ARGUMENTS, NULL,
     "Begin the launcher with one if for each kind of such arguments, in the contract's order, "
     "that returns what the contract says; only then divide, copy and launch. At the end, return "
     "cudaGetLastError()."},
    {VERDICT_TIMEOUT, is_large,
     "Look at the counter, the step and the end of each loop that ends with a size. If one has 32 "
     "bits, make it int64_t. If none has, let all threads share the loop: each starts at its own "
     "number and steps by (int64_t)gridDim.x * blockDim.x."},
    {VERDICT_TIMEOUT, by_host_work,
     "Put fprintf(stderr, ...) before and after each loop of the launcher: the last line in the "
     "report comes just before the loop that does not end. Print its counter and its end there."},
    {VERDICT_TIMEOUT, by_all_blocks,
     "Multiply a thread's instructions by the number of threads, for each result: load and compute "
     "once what serves several results. If a loop depends on blockIdx, work out its first value, "
     "step and end for block {block}."},
    {VERDICT_TIMEOUT, by_steps,
     "Go through each loop of the kernel with this case's sizes: its first value, its step, its "
     "end. Print the step if it is computed. A grid-stride loop steps by gridDim.x * blockDim.x."},
    {VERDICT_TIMEOUT, NULL,
     "Put a printf before and after each loop of the launcher, and of the kernel for thread 0 "
     "alone: the last line in the report comes just before the loop that does not end."},
    {VERDICT_CRASH, NULL,
     "Put fprintf(stderr, ...) after each step of the launcher: the last line in the report comes "
     "just before the step that fails. Host code may not follow a pointer to device memory."},
    {VERDICT_EARLY_EXIT, NULL,
     "Replace exit, and macros that call it, by returning the error: if (error != cudaSuccess) "
     "return error;"},
    {VERDICT_REFUSED, NULL,
     "Take out what the message names, and check again. If you do not know where it comes from, "
     "begin with the exercise as it was shipped and put your parts back one by one."},
    {VERDICT_TIMER_MISMATCH, NULL,
     "Put each launch, copy and memset on the given stream; order a second stream with it by "
     "events, before and after."},
    {VERDICT_IMPOSSIBLE, NULL,
     "Take out every static variable that holds results or pointers to them, and check that "
     "each call reads all inputs and writes all outputs itself."},
    {VERDICT_NOT_SIMULATED, by_long_blocks,
     "Compute the number of blocks from the size, so that each block has a small part of the work "
     "and the next one starts when one ends; or keep what you have for a check on a GPU."},
    {VERDICT_NOT_SIMULATED, NULL,
     "The instruction, if one is named, can usually be replaced by ordinary loads, stores and "
     "arithmetic. If blocks read outputs, or each other's results, let each compute its own part "
     "in every call, whatever the output held before. Keep the other version for a check on a "
     "GPU."},
    {VERDICT_DISTURBS, NULL,
     "Call your launcher a hundred times in a program of your own, and watch its memory and its "
     "threads. A static variable can keep what is allocated once; each call must free what it "
     "allocates."},
    {VERDICT_SLOW, by_handles,
     "Make the handle where the context is made, before any call, and destroy it with the "
     "context."},
    {VERDICT_SLOW, asks_in_small,
     "Just before the library is asked, print what is looked up, and every key that it is compared "
     "with: what differs, and should not? If there is nothing to compare with, the plan was not "
     "kept, or not loaded."},
    {VERDICT_SLOW, rule_in_small,
     "Follow the case that is named through your launcher: at its size and its addresses, which "
     "branch does it take? Let one kernel do what the additional call does there, with single "
     "elements where no vector fits."},
    {VERDICT_SLOW, elsewhere,
     "Compute that case by the same launch as the timed one: the same blocks, and lanes in the "
     "same order. Only how an element is loaded and stored should differ: neighbouring lanes still "
     "access neighbours, one element at a time and with a guard, where an address or a remainder "
     "fits no vector."},
    {VERDICT_SLOW, banks,
     "Write down the index of the word that lanes 0 and 1 use at line {line}, for each access "
     "there, and take the difference modulo 32. If it is 0 for different words, all lanes share a "
     "bank; if it is odd, no two do. If lanes step by a row, a row that is one word longer turns "
     "an even step into an odd one."},
    {VERDICT_SLOW, by_a_step,
     "In the index of the access at line {line} (if it is a function's argument there, in the "
     "call), find the factor of threadIdx.x, or of the lane: it should be 1, in units of what a "
     "lane loads or stores at a time (a float or a float4), and the warp should walk through the "
     "data as a whole, not each thread by itself. Where data must be transposed, use shared "
     "memory."},
    {VERDICT_SLOW, by_sectors,
     "Write down the addresses that lanes 0, 1, 2 and 3 use at line {line}, and lanes 8 and 16: "
     "each should follow the address of the lane before it, and lane 0's should be a multiple of "
     "32 bytes. Where data must be transposed, use shared memory."},
    {VERDICT_SLOW, bytes_though_shared,
     "The kernel already uses shared memory, so count for one element: how many threads, and how "
     "many blocks, load it from global memory? With larger tiles fewer blocks load it; with more "
     "results per thread, fewer threads do."},
    {VERDICT_SLOW, by_bytes,
     "Count for one element: how many threads, and how many blocks, load it, and is it stored in "
     "between? If one kernel does the work of two, what the first would store for the second can "
     "stay in a register."},
    {VERDICT_SLOW, lanes,
     "The line that is named depends on a condition: make it one that all lanes of a warp share. "
     "Give a warp's lanes work of one kind, or give each lane work of both kinds, so that all take "
     "both sides."},
    {VERDICT_SLOW, by_instructions,
     "Sort the lines by instructions (make profile). How often does the first of them run for one "
     "element, and how often must it?"},
    {VERDICT_SLOW, rule,
     "Leave that call out and see what the results lack: the kernel has to do this itself, where "
     "the data are, on the given stream."},
    {VERDICT_SLOW, by_asking,
     "Keep the answer where the next call finds it, together with all that it depends on, and ask "
     "only if there is none."},
    {VERDICT_SLOW, spills,
     "Ask for no more blocks on a multiprocessor than registers allow (the second argument of "
     "__launch_bounds__), or let a thread keep fewer values at once, for example with a smaller "
     "tile."},
    {VERDICT_SLOW, fills_no_device,
     "Compute the grid from the size: with one element, or one float4, per thread, the number of "
     "blocks grows with the work. If the blocks are few by design, let each thread load several "
     "elements before it uses the first."},
    {VERDICT_SLOW, dealing,
     "Give a block 256 threads or more, or a thread several elements, so that there are fewer than "
     "{grid} blocks."},
    {VERDICT_SLOW, by_arithmetic,
     "Sort the lines by instructions (make profile), and take the first: can its result serve "
     "several elements, take fewer operations, or be left out for elements that do not need it?"},
    {VERDICT_SLOW, wide_already,
     "Loads are already {load_width} bytes wide, so their number is what counts: issue the loads "
     "of two or four elements (an unrolled loop) before you use the first. {warps} of {most_warps} "
     "warps are resident: if that is not all, find out what limits them."},
    {VERDICT_SLOW, by_memory,
     "Issue several loads before you use the first, each as wide as the addresses allow. {warps} "
     "of {most_warps} warps are resident: if that is not all, find out what limits them."},
    {VERDICT_SLOW, by_a_library,
     "Time each algorithm that the library offers for this problem, a few times each, and print "
     "the times next to the time of the one that your code uses. Ask with the layouts, the "
     "alignments and the workspace of the call."},
    {VERDICT_SLOW, NULL,
     "Open the profile and take the line with the most time: what its warps wait for (memory, "
     "shared memory, a barrier, arithmetic) says which operation has to run less often."},
};
/* clang-format on */

struct sayings sayings_steps(void)
{
    return (struct sayings){STEPS, sizeof STEPS / sizeof *STEPS};
}
