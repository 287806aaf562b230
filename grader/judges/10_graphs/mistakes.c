/* mistakes.c - lesson 10: how a mistake is recognised, and what to say of it.
 *
 * The number of the step is compared first. If it is right, all steps were done, and a wrong p
 * comes of a batch: one that was there too early, too late, or not at all.
 */
#include "check/judge_seen.h"
#include "judges/10_graphs/parts.h"
#include "judges/10_graphs/problem.h"

#include <math.h>
#include <string.h>

static bool says(const struct judge_evidence *e, const char *words)
{
    return e->said && strstr(e->said, words);
}

static bool step_is_wrong(const struct judge_evidence *e)
{
    return judge_wrong(e) && says(e, "first step[");
}

static bool is_unordered(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_RACE && says(e, "race of unordered work");
}

static bool first_of(const struct judge_evidence *e, int64_t first)
{
    return e->where && e->where->size[FIRST] == first;
}

/* Of runs that follow each other in one stream. */
static bool batch_is_wrong(const struct judge_evidence *e)
{
    return judge_wrong(e) && e->where->script == BACK_TO_BACK && !step_is_wrong(e);
}

static bool is_among_others(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_LAUNCH_ERROR && e->where && e->where->script == OTHERS_AT_WORK;
}

static double launches(const struct judge_evidence *e, enum judge_counter counter)
{
    return isfinite(e->counter[counter]) ? e->counter[counter] : 0;
}

static bool is_left(const struct judge_evidence *e)
{
    return says(e, "is left on the device");
}

/* The sides of other cases are at most a few hundred. */
static bool has_long_side(const struct judge_evidence *e)
{
    enum { LONG_SIDE = 1024 };
    const int64_t *size = e->where->size;
    return size[BATCH] > LONG_SIDE || size[IN] > LONG_SIDE || size[HIDDEN] > LONG_SIDE ||
           size[OUT] > LONG_SIDE;
}

/* Fewer than one for each launch of the five kernels. */
static bool has_few_copies(const struct judge_evidence *e)
{
    return LESSON10_KERNELS * launches(e, JUDGE_COPIES) < launches(e, JUDGE_LAUNCHES);
}

/* --- Mistakes --------------------------------------------------------------------------------- */

JUDGE_SEEN(default_stream, e->verdict == VERDICT_STREAM && says(e, "default stream"))
JUDGE_SEEN(create_not_awaited,
           e->verdict == VERDICT_STREAM && says(e, "other streams") && e->where && e->where->makes)
JUDGE_SEEN(arrival_not_awaited, e->verdict == VERDICT_STREAM && says(e, "other streams"))

JUDGE_SEEN(error_kept_quiet,
           e->verdict == VERDICT_ARGUMENTS && e->where && e->where->script == CALLS_FAIL)
JUDGE_SEEN(global_capture, is_among_others(e))
JUDGE_SEEN(one_behind, step_is_wrong(e) && e->got == e->want - 1)
JUDGE_SEEN(step_frozen, step_is_wrong(e) && first_of(e, 0) && e->got == 1)
JUDGE_SEEN(starts_at_0,
           step_is_wrong(e) && !first_of(e, 0) && e->got == e->want - (double)e->where->size[FIRST])
JUDGE_SEEN(left_by_failure, judge_wrong(e) && is_left(e) && e->where->script == CALLS_FAIL)
JUDGE_SEEN(not_given_back, judge_wrong(e) && is_left(e))
JUDGE_SEEN(waits_for_another, judge_wrong(e) && e->where->script == HELD_UP)
JUDGE_SEEN(waits_for_default, judge_wrong(e) && e->where->script == AHEAD)
JUDGE_SEEN(left_for_later, step_is_wrong(e) && e->where->script == MIXED)
JUDGE_SEEN(shared_by_steps, (judge_wrong(e) || is_unordered(e)) && e->where->script == IN_TURN)
JUDGE_SEEN(copied_too_early, is_unordered(e) && says(e, "a copy writes"))
JUDGE_SEEN(unordered, is_unordered(e))
JUDGE_SEEN(batch_remembered,
           judge_wrong(e) && (e->where->script == REUSED || e->where->script == NUDGED))
JUDGE_SEEN(moments_remembered, judge_wrong(e) && !step_is_wrong(e) && e->where->script == GONE_BACK)
JUDGE_SEEN(counts_runs, judge_wrong(e) && e->where->size[RUNS] >= LONG_SERIES)
JUDGE_SEEN(side_refused, e->verdict == VERDICT_LAUNCH_ERROR && e->error == cudaErrorInvalidValue &&
                             e->where && has_long_side(e))
JUDGE_SEEN(large_batch_cut, judge_wrong(e) && has_long_side(e))
JUDGE_SEEN(another_batch, batch_is_wrong(e) && e->where->size[RUNS] > 1)

JUDGE_SEEN(memory_each_run, e->refused == JUDGE_ALLOCATIONS)
JUDGE_SEEN(waits_each_run, e->refused == JUDGE_SYNCHRONISATIONS)
JUDGE_SEEN(graph_each_run, e->refused == JUDGE_GRAPHS_MADE)
JUDGE_SEEN(events_each_run, e->refused == JUDGE_OBJECTS_MADE)
JUDGE_SEEN(rest_outside, e->refused == JUDGE_DIRECT_LAUNCHES &&
                             launches(e, JUDGE_DIRECT_LAUNCHES) > 0 &&
                             launches(e, JUDGE_DIRECT_LAUNCHES) < launches(e, JUDGE_LAUNCHES))
JUDGE_SEEN(launched_one_by_one, e->refused == JUDGE_DIRECT_LAUNCHES)
JUDGE_SEEN(stream_for_each_tile, e->refused == JUDGE_LAUNCHES)
JUDGE_SEEN(batch_not_copied, e->refused == JUDGE_COPIES && has_few_copies(e))
JUDGE_SEEN(more_than_the_batch, e->refused == JUDGE_COPIES && !has_few_copies(e))
JUDGE_SEEN(pageable, e->refused == JUDGE_PAGEABLE_COPIES)
JUDGE_SEEN(no_overlap, judge_late(e))

/* clang-format off */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_RIGHT_FOR_THE_LIST,
    {"default_stream", default_stream,
     "Something of a run is on a default stream: a launch whose stream is 0 or left out, or "
     "cudaStreamPerThread. The caller's stream does not wait for it. And the legacy one waits for "
     "all blocking streams, and they for it, so nothing can be done side by side."},
    {"create_not_awaited", create_not_awaited,
     "lesson10_create puts work on a stream, such as a memset, and returns before it is done; and "
     "no run waits for it, so it may come after the first kernels. Let create wait for its stream, "
     "or put that work on the stream from which each run's kernels follow anyway."},
    {"arrival_not_awaited", arrival_not_awaited,
     "A run has work on another stream that is not ordered with the caller's. Does the caller's "
     "stream wait for it (an event after the copy, waited for before the graph)? Does it wait for "
     "what the caller's stream already holds (an event recorded there first)? "
     "cudaStreamWaitEvent() holds up a stream, not the host."},
    {"error_kept_quiet", error_kept_quiet,
     "A function of the runtime failed in lesson10_create, and the caller was told of no error, or "
     "of another one. Each call returns its error: look at each, go on only if it is cudaSuccess, "
     "and return it."},
    {"global_capture", global_capture,
     "lesson10_create gets in the way of others: while it captures, another thread cannot "
     "allocate, or the caller's own capture fails. cudaStreamCaptureModeGlobal forbids unsafe "
     "calls to all threads of the process, and cudaDeviceSynchronize() cannot wait for streams "
     "that are being captured. Capture in relaxed mode, or thread-local, on a stream of your own."},
    {"one_behind", one_behind,
     "One step fewer was done than there were runs: a run does the step of the batch before, and "
     "nobody does the last one. A copy may begin early, but each run does its own step."},
    {"step_frozen", step_frozen,
     "However many runs there were, *step says that one step was done: a graph keeps the values "
     "of its kernels' arguments as they were when it was captured. So each replay draws the same "
     "mask. What changes from run to run has to be in device memory, where a kernel of the graph "
     "can count it up."},
    {"starts_at_0", starts_at_0,
     "*step was set to a number of the host's own, which begins with 0. Training may go on from "
     "any step: the number that counts is the one on the device, which training_launch() reads "
     "and counts up."},
    {"left_by_failure", left_by_failure,
     "A function of the runtime failed in lesson10_create, which returned an error and kept what "
     "it had made until then. Nobody can give that back: the caller has no step to destroy. Free "
     "on the way out what exists already, most simply by the code that lesson10_destroy uses. If "
     "you do: does it free each thing by itself, whatever else was never made?"},
    {"not_given_back", not_given_back,
     "A step is destroyed, and something that it made is not: memory of the device or of the host, "
     "a stream, an event or a graph. Each has a function of its own that gives it back. A captured "
     "graph and the executable one made from it are two things, and each is destroyed."},
    {"waits_for_another", waits_for_another,
     "Two steps exist, each with a stream of its caller's. One of these stands still for a while, "
     "and runs on the other one wait for it: the steps share a stream, for their copies for "
     "instance, or events. Each step makes its own, in lesson10_create."},
    {"waits_for_default", waits_for_default,
     "On the default stream, which a run may be given, the copy of a batch waits for the step "
     "before it, and on others it does not. A stream of cudaStreamCreate() waits for the legacy "
     "default stream, and that one for it, whatever the events say. cudaStreamCreateWithFlags() "
     "makes one that does not, with cudaStreamNonBlocking."},
    {"left_for_later", left_for_later,
     "Between two runs the caller set *step to another number, on the stream, and the steps before "
     "that were done after it. Each run does its own step: what a run leaves to a later one finds "
     "other numbers there, and is never done after the last one."},
    {"shared_by_steps", shared_by_steps,
     "Each step alone is right, and several of them in turn are not: they share something. Look "
     "for static and global variables: all that a step keeps belongs in its struct lesson10_step."},
    {"copied_too_early", copied_too_early,
     "A batch is copied to its place while a step may still use what is there. Record an event "
     "after each graph, and let the copy stream wait for the latest one of that place before it "
     "copies: the event of the step that last had this place, not of the copy or of the other "
     "place."},
    {"unordered", unordered,
     "Two pieces of work touch the same memory, one of them writes, and nothing orders them: they "
     "may run at the same time. In one stream each comes after the one before it; in a graph a "
     "node waits for those alone that it depends on, and a capture gives it the dependencies that "
     "the streams and events have. Nor does a counter in memory order kernels, unless what comes "
     "after it waits for what came before. Each of the five kernels needs what the one before it "
     "leaves."},
    {"batch_remembered", batch_remembered,
     "Right until the caller writes another batch to the same memory, or another number into the "
     "same batch. A batch is not known by its address, nor by some of its numbers: each run has to "
     "copy, and what it copies must be there before its step is done, since the caller may write "
     "to it from then on."},
    {"moments_remembered", moments_remembered,
     "Between two runs the caller overwrote p, m, v and *step, on the stream, and the runs after "
     "that went on from something else. What those arrays hold is read when a run's kernels run: "
     "no copy of them may be kept from one run for the next."},
    {"counts_runs", counts_runs,
     "The first runs are right, and some later one is not. A step may be run any number of times: "
     "does a counter of runs overflow, or is there room for so many runs and no more?"},
    {"side_refused", side_refused,
     "A call returned cudaErrorInvalidValue for sides that the contract allows: each may be from 1 "
     "to LESSON10_LARGEST_SIDE. If it is not the check of the arguments that refuses them, a "
     "product of two sides may be too large for its type."},
    {"large_batch_cut", large_batch_cut,
     "Small networks are right, and one with a long side is not. Is each product of two sides "
     "calculated in a type that holds it, and is a batch copied in full, however long it is?"},
    {"another_batch", another_batch,
     "All steps were done, and a later one worked on another batch than its own. There are two "
     "ways to that. A batch may be copied to its place while a step still uses what is there: "
     "record an event after each graph, and let the copy stream wait for the one of that place. Or "
     "the copy is in the graph, which keeps the address that it was captured with: copy outside "
     "the graph."},
    {"memory_each_run", memory_each_run,
     "A run allocates device memory. cudaMalloc and cudaFree wait for the device's work, so no "
     "run begins before the one before it has ended. lesson10_create knows every size."},
    {"waits_each_run", waits_each_run,
     "A run waits for the device: by a call that synchronises, by asking in a loop, or by freeing "
     "memory. Then the host prepares the next run only when this one is over, and neither copies "
     "nor launches can be ahead. Let streams wait for events instead: cudaStreamWaitEvent()."},
    {"graph_each_run", graph_each_run,
     "A graph is instantiated in a run. That takes longer than the launches it saves: the saving "
     "comes from doing it once. Where a graph seems to need other arguments each time, put what "
     "differs into device memory, or make one graph for each of the few places."},
    {"events_each_run", events_each_run,
     "A run makes streams or events. One event for each purpose is enough: recording it again "
     "gives it a new meaning, and who waits already keeps the old one."},
    {"rest_outside", rest_outside,
     "A graph is launched, and some kernels besides. Each costs the host as much as the whole "
     "graph does, so bring them all into the capture."},
    {"launched_one_by_one", launched_one_by_one,
     "The kernels are launched one by one, so the host pays for five launches a run where one "
     "launch of a graph does. The kernels of a small network are over before the next launch is "
     "there."},
    {"stream_for_each_tile", stream_for_each_tile,
     "A step has more kernels than it needs: pieces of one product on several streams. One launch "
     "already spreads its blocks over the whole device. Streams help where kernels are "
     "independent and each leaves most of the device idle; here they add launches and events."},
    {"batch_not_copied", batch_not_copied,
     "There are fewer copies than runs: kernels read a batch where the caller has it, over the bus "
     "and as often as they need it, or a run copies for several, or not at all. Each run copies "
     "its batch, once, into the device's memory."},
    {"more_than_the_batch", more_than_the_batch,
     "A run copies or sets more than its batch. Every element that the kernels read is written "
     "before, and x and y are one piece of memory, which one copy brings."},
    {"pageable", pageable,
     "The batch is copied from memory that is not pinned, maybe a copy that the host made. The bus "
     "cannot read such memory by itself, so the call copies on the host, and may wait. The "
     "caller's batch is pinned: begin with it."},
    {"no_overlap", no_overlap,
     "Launches are as few as they should be, and the copy of a batch still waits for the step "
     "before it. Is it on a stream of its own? And is there a second place, so that it need not "
     "wait until the first one is free?"},
};
/* clang-format on */

const struct judge_mistakes GRAPHS_MISTAKES = JUDGE_ROWS(MISTAKES);
