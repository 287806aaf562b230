/* clauses.c - lesson 10: the contract's words, and what tests them besides cases. */
#include "judges/10_graphs/clauses.h"

#include "judges/10_graphs/parts.h"

/* clang-format off */
static const struct judge_clause CLAUSES[] = {
    [MADE_ONCE] = {"made_once",
        "A step object is made once and run often; the order of calls is create, many run, "
        "destroy.",
        .always = "one case: 520 runs; 65537, which a counter of 16 bits takes, last too long"},
    [ONE_STEP] = {"one_step",
        "lesson10_run does one step on a batch in the host's memory: it brings the batch to the "
        "device, and does what training_launch() does."},
    [AFTER_RUNS] = {"after_runs",
        "So p, m, v and *step hold, bit for bit, what so many steps one after the other leave "
        "there, each waited for before the next begins."},
    [SIDES] = {"sides", "Sides of a network and rows of a batch, each 1 or more."},
    [NETWORK_IS] = {"network",
        "A network of two layers, hidden = dropout(relu([x 1] W1)) and y = [hidden 1] W2, and how "
        "AdamW moves it towards given y."},
    [BATCH_IS] = {"batch", "rows of x and y in a step"},
    [COLUMNS_ARE] = {"columns", "columns of x, of the hidden layer, of y"},
    [MOMENTS_ARE] = {"moments", "W1 and then W2, and their moments: as many floats each"},
    [STEP_IS] = {"step", "one number on the device: how many steps were done before"},
    [DROP_IS] = {"drop", "the part of the hidden layer that is dropped: 0 or more, under 1"},
    [LR_IS] = {"lr", "lr is 0 or more, finite; betas are 0 or more, less than 1"},
    [EPS_IS] = {"eps", "more than 0, finite"},
    [DECAY_IS] = {"decay", "0 or more, finite"},
    [READ_AT_ONCE] = {"read_at_once", "training read before the call returns.",
        .always = "every case: it is overwritten when the call has returned"},
    [ALIGNMENT] = {"alignment",
        "p, m, v and step are device memory of the caller's, each aligned to its element and no "
        "better, and stay there until the step is destroyed."},
    [READ_WHEN_IT_RUNS] = {"read_when_it_runs",
        "What they hold is read when a run's kernels run, and not here:"},
    [WRITTEN_BETWEEN] = {"written_between",
        "the caller may write all of them between two runs, in stream order, and go on from "
        "there."},
    [MADE_HERE] = {"made_here",
        "All that a run needs is made here: memory, streams, events, graphs.",
        .counters = JUDGE_ASKS(JUDGE_ALLOCATIONS) | JUDGE_ASKS(JUDGE_GRAPHS_MADE) |
                    JUDGE_ASKS(JUDGE_OBJECTS_MADE)},
    [OWN_STREAMS] = {"own_streams",
        "What it queues besides, such as a memset, is on streams of its own; it waits for that, or "
        "the runs come after it."},
    [OTHERS_AT_WORK_TOO] = {"others_at_work",
        "Other threads, and the caller's streams, may be at work meanwhile, and may be captured, "
        "relaxed (cudaStreamCaptureModeRelaxed)."},
    [SEVERAL_STEPS] = {"several_steps",
        "Several steps may exist at a time, and have nothing in common."},
    [CREATE_REFUSES] = {"create_refuses",
        "Returns cudaErrorInvalidValue for a NULL pointer, a side out of range, or another field "
        "that is out of range, as NaN is;"},
    [CREATE_ERRORS] = {"create_errors", "otherwise what the calls returned."},
    [NOTHING_LEFT] = {"nothing_left", "If it fails, nothing is left of what it made."},
    [BATCH_HOLDS] = {"batch_holds",
        "batch batch x in floats of x, and then batch x out floats of y, row-major, in pinned "
        "memory of the host (cudaHostAlloc), aligned to 4 bytes."},
    [COPIED_AT_ONCE] = {"copied_at_once",
        "It holds what it should when the call is made, so it may be copied at once, before the "
        "stream gets there.",
        .always = "every launch: a copy that does not wait for the stream is not refused"},
    [BATCH_IS_FREE] = {"batch_is_free",
        "From when the stream has done this step the caller may write to it."},
    [IN_ORDER] = {"in_order",
        "stream what it holds so far is done before the step, and what the caller adds to it is "
        "done after the step."},
    [ONE_STREAM] = {"one_stream",
        "Runs of a step come from one stream, or the caller orders the streams."},
    [DEFAULT_TOO] = {"default_too",
        "It may be 0, the legacy default stream, and is not being captured."},
    [BY_A_GRAPH] = {"by_a_graph",
        "The kernels are launched by a graph: at most LESSON10_KERNELS for a run, and none "
        "besides.",
        .counters = JUDGE_ASKS(JUDGE_LAUNCHES) | JUDGE_ASKS(JUDGE_DIRECT_LAUNCHES)},
    [NOTHING_MADE] = {"nothing_made", "No run makes a graph, a stream or an event.",
        .counters = JUDGE_ASKS(JUDGE_GRAPHS_MADE) | JUDGE_ASKS(JUDGE_OBJECTS_MADE)},
    [ONE_COPY] = {"one_copy", 
        "A run copies the batch once, from where it is, and copies and sets nothing else.",
        .counters = JUDGE_ASKS(JUDGE_COPIES) | JUDGE_ASKS(JUDGE_PAGEABLE_COPIES)},
    [NO_WAITS] = {"no_waits",
        
        "It allocates and frees nothing, waits for nothing, and uses no default stream that it is "
        "not given;",
        .counters = JUDGE_ASKS(JUDGE_ALLOCATIONS) | JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [RETURNS_EARLY] = {"returns_early",
        "so it returns long before the step is done, and the copy of a batch can be done while the "
        "step before it runs, on the default stream as on any other.",
        .always = "the timed case: its time line has copies beside kernels"},
    [RUN_REFUSES] = {"run_refuses",
        "Returns cudaErrorInvalidValue for a NULL pointer, and otherwise what the calls "
        "returned."},
    [DESTROYED] = {"destroyed", "Waits for the runs of this step, and frees what create made."},
    [DESTROY_REFUSES] = {"destroy_refuses", "Returns cudaErrorInvalidValue for NULL."},
};
/* clang-format on */

const struct judge_clauses GRAPHS_CLAUSES = JUDGE_ROWS(CLAUSES);

const char *const GRAPHS_CONTEXT[] = {
    "10_graphs.h - contract of lesson 10: the training step of a small network, as a graph.",
    "What a step calculates is given, in common/train_step.h: five kernels, and the order of every "
    "sum. This contract is about when they run.",
    "yours",
    NULL,
};
