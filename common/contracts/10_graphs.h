/* 10_graphs.h - contract of lesson 10: the training step of a small network, as a graph.
 *
 * What a step calculates is given, in common/train_step.h: five kernels, and the order of every
 * sum. This contract is about when they run. A step object is made once and run often; the order of
 * calls is create, many run, destroy.
 *
 * lesson10_run does one step on a batch in the host's memory: it brings the batch to the device,
 * and does what training_launch() does. So p, m, v and *step hold, bit for bit, what so many steps
 * one after the other leave there, each waited for before the next begins.
 */
#ifndef CONTRACTS_10_GRAPHS_H
#define CONTRACTS_10_GRAPHS_H

#include "quest.h"

#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lesson10_step; /* yours */

/* Sides of a network and rows of a batch, each 1 or more. */
enum { LESSON10_LARGEST_SIDE = 65536 };

/* A network of two layers, hidden = dropout(relu([x 1] W1)) and y = [hidden 1] W2, and how AdamW
 * moves it towards given y. */
struct quest_training {
    int batch;           /* rows of x and y in a step */
    int in, hidden, out; /* columns of x, of the hidden layer, of y */
    float *p, *m, *v;    /* W1 and then W2, and their moments: as many floats each */
    uint64_t *step;      /* one number on the device: how many steps were done before */
    float drop;          /* the part of the hidden layer that is dropped: 0 or more, under 1 */
    struct quest_rng_key key;
    float lr, beta1, beta2; /* lr is 0 or more, finite; betas are 0 or more, less than 1 */
    float eps;              /* more than 0, finite */
    float weight_decay;     /* 0 or more, finite */
};

/* training   read before the call returns. p, m, v and step are device memory of the caller's, each
 *            aligned to its element and no better, and stay there until the step is destroyed. What
 *            they hold is read when a run's kernels run, and not here: the caller may write all of
 *            them between two runs, in stream order, and go on from there.
 *
 * All that a run needs is made here: memory, streams, events, graphs. What it queues besides, such
 * as a memset, is on streams of its own; it waits for that, or the runs come after it. Other
 * threads, and the caller's streams, may be at work meanwhile, and may be captured, relaxed
 * (cudaStreamCaptureModeRelaxed). Several steps may exist at a time, and have nothing in common.
 *
 * Returns cudaErrorInvalidValue for a NULL pointer, a side out of range, or another field that is
 * out of range, as NaN is; otherwise what the calls returned. If it fails, nothing is left of what
 * it made. */
cudaError_t lesson10_create(struct lesson10_step **step, const struct quest_training *training);

/* batch    batch x in floats of x, and then batch x out floats of y, row-major, in pinned memory of
 *          the host (cudaHostAlloc), aligned to 4 bytes. It holds what it should when the call is
 *          made, so it may be copied at once, before the stream gets there. From when the stream
 *          has done this step the caller may write to it.
 * stream   what it holds so far is done before the step, and what the caller adds to it is done
 *          after the step. Runs of a step come from one stream, or the caller orders the streams.
 *          It may be 0, the legacy default stream, and is not being captured.
 *
 * The kernels are launched by a graph: at most LESSON10_KERNELS for a run, and none besides. No run
 * makes a graph, a stream or an event. A run copies the batch once, from where it is, and copies
 * and sets nothing else. It allocates and frees nothing, waits for nothing, and uses no default
 * stream that it is not given; so it returns long before the step is done, and the copy of a batch
 * can be done while the step before it runs, on the default stream as on any other.
 *
 * Returns cudaErrorInvalidValue for a NULL pointer, and otherwise what the calls returned. */
enum { LESSON10_KERNELS = 5 };
cudaError_t lesson10_run(struct lesson10_step *step, const float *batch, cudaStream_t stream);

/* Waits for the runs of this step, and frees what create made. Returns cudaErrorInvalidValue for
 * NULL. */
cudaError_t lesson10_destroy(struct lesson10_step *step);

#ifdef __cplusplus
}
#endif

#endif
