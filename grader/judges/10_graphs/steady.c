/* steady.c - lesson 10, in the runner: what a GPU is timed with.
 *
 * A GPU's launches use many sets of memory in turn, and a step belongs to one. So two steps work in
 * the runner's own memory, made by the first launch and kept; each launch copies a set's p, m, v
 * and *step there, on the stream, and back in the end. Making steps and their pinned memory for
 * every set would take seconds, which the time limit of a launch does not have.
 *
 * The batches stay, but for a few numbers of each, which are drawn for every launch. So no batch
 * can be taken for one that has already been copied.
 */
#include "judges/10_graphs/calls.h"
#include "judges/10_graphs/parts.h"

enum { ALIGNMENT = 256, SMALL_BYTES = 1 << 20 }; /* SMALL_BYTES: for all of the small network */
_Static_assert(3 * 4 * ((STEADY_IN + 1) * STEADY_HIDDEN + (STEADY_HIDDEN + 1) * STEADY_OUT) +
                       SMALL_BYTES <=
                   GRAPHS_WORKSPACE_BYTES,
               "both networks have room");

/* Of one of the networks' buffers. */
static size_t bytes_of(const struct judge_call *call, int i)
{
    const struct graphs_network network = graphs_network(call->problem, i / OF_NETWORK);
    return i % OF_NETWORK == STEP ? sizeof(uint64_t) : graphs_parameters(&network) * sizeof(float);
}

/* Where p, m, v and step of the networks are in the workspace. */
static void places_of(const struct judge_call *call, void *places[PAIR * OF_NETWORK])
{
    unsigned char *next = call->workspace;
    for (int i = 0; i < PAIR * OF_NETWORK; i++) {
        places[i] = next;
        next += (bytes_of(call, i) + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    }
}

static cudaError_t carry(const struct judge_call *call, void *const *from, void *const *to)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < PAIR * OF_NETWORK && error == cudaSuccess; i++)
        error = cudaMemcpyAsync(to[i], from[i], bytes_of(call, i), cudaMemcpyDeviceToDevice,
                                call->stream);
    return error;
}

/* The launch before this one is done: the seed's arrival says so. */
static cudaError_t renew_batches(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    uint32_t seed = 0;
    cudaError_t error = cudaMemcpyAsync(&seed, call->buffers[LAUNCH_SEED], sizeof seed,
                                        cudaMemcpyDeviceToHost, call->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(call->stream);
    for (int which = 0; which < PAIR; which++) {
        const struct graphs_network network = graphs_network(call->problem, which);
        for (int run = 0; run < network.runs; run++) {
            float *batch = kept->batches[which] + (size_t)run * graphs_batch_floats(&network);
            for (uint64_t i = 0; i < LAUNCH_FLOATS; i++)
                batch[i] = graphs_launch_number(seed, which, run, i);
        }
    }
    return error;
}

static cudaError_t run_all(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    cudaError_t error = cudaSuccess;
    for (int which = 0; which < PAIR; which++) {
        const struct graphs_network network = graphs_network(call->problem, which);
        for (int run = 0; run < network.runs && error == cudaSuccess; run++)
            error = ((run_function *)call->symbols[RUN])(
                kept->steps[which],
                kept->batches[which] + (size_t)run * graphs_batch_floats(&network), call->stream);
    }
    return error;
}

cudaError_t graphs_steady(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    void *places[PAIR * OF_NETWORK];
    cudaError_t error = cudaSuccess;
    places_of(call, places);
    if (!kept->is_steady)
        error = graphs_prepare(call, places);
    kept->is_steady = error == cudaSuccess;
    if (error == cudaSuccess)
        error = renew_batches(call);
    if (error == cudaSuccess)
        error = carry(call, call->buffers, places);
    if (error == cudaSuccess)
        error = run_all(call);
    return error == cudaSuccess ? carry(call, places, call->buffers) : error;
}
