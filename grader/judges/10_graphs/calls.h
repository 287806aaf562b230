/* calls.h - lesson 10, in the runner: what its files take from each other.
 *
 * All make calls of the submission, and return the first error. Next: launch.c, then front.c,
 * steady.c and arguments.c.
 */
#ifndef JUDGE_GRAPHS_CALLS_H
#define JUDGE_GRAPHS_CALLS_H

#include "judges/10_graphs/problem.h"

enum { OWN_EVENTS = 2 };

/* What the runner keeps from call to call. */
struct kept {
    struct lesson10_step *steps[NETWORKS];
    float *batches[NETWORKS];          /* pinned, one after the other */
    size_t floats[NETWORKS];           /* of them there is room for */
    cudaStream_t others[NETWORKS - 1]; /* beside the stream that is given */
    cudaEvent_t events[OWN_EVENTS];
    bool is_steady;
};

typedef cudaError_t create_function(struct lesson10_step **, const struct quest_training *);
typedef cudaError_t run_function(struct lesson10_step *, const float *, cudaStream_t);
typedef cudaError_t destroy_function(struct lesson10_step *);

/* launch.c. at: the buffers of that network. */
struct quest_training graphs_training(const struct judge_call *call, int which, void *const *at);
cudaError_t graphs_create(const struct judge_call *call, struct quest_training *training,
                          struct lesson10_step **step);
/* Steps for all networks of the case, in place of those that were kept; and their batches. */
cudaError_t graphs_prepare(const struct judge_call *call, void *const *at);

/* front.c: while it watches: the event that is recorded after the first copy, whether there was
 * one, and on which stream; which functions of the runtime fail, and whether one was called; and
 * while others_work, another thread is at work in each capture. */
struct graphs_front {
    cudaEvent_t copied;
    cudaStream_t copied_on;
    bool has_copied;
    enum down down;
    bool watches, was_down, others_work, was_kept_from_work;
};
extern struct graphs_front graphs_front;

/* steady.c: a small network and a large one, which are made once. */
cudaError_t graphs_steady(const struct judge_call *call);

/* arguments.c: a call that must be refused. */
cudaError_t graphs_refused(const struct judge_call *call);

#endif
