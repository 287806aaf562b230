/* arguments.c - lesson 10, in the runner: calls that must be refused, one at a time.
 *
 * All but one of the arguments are right each time, so that only that one can be refused.
 */
#include "judges/10_graphs/calls.h"
#include "judges/10_graphs/parts.h"

static void spoil(enum script script, struct quest_training *training)
{
    switch (script) {
    case NO_P: training->p = NULL; break;
    case NO_M: training->m = NULL; break;
    case NO_V: training->v = NULL; break;
    case NO_STEP: training->step = NULL; break;
    case BATCH_0: training->batch = 0; break;
    case IN_0: training->in = 0; break;
    case HIDDEN_0: training->hidden = 0; break;
    case HIDDEN_NEGATIVE: training->hidden = -16; break;
    case OUT_0: training->out = 0; break;
    case BATCH_PAST: training->batch = LESSON10_LARGEST_SIDE + 1; break;
    case IN_PAST: training->in = LESSON10_LARGEST_SIDE + 1; break;
    case HIDDEN_PAST: training->hidden = LESSON10_LARGEST_SIDE + 1; break;
    case OUT_PAST: training->out = LESSON10_LARGEST_SIDE + 1; break;
    default: break;
    }
}

static cudaError_t destroy(const struct judge_call *call, struct lesson10_step *step)
{
    return ((destroy_function *)call->symbols[DESTROY])(step);
}

/* What is made all the same is none of the cases' after this. */
static cudaError_t refuse_create(const struct judge_call *call, enum script script)
{
    create_function *create = (create_function *)call->symbols[CREATE];
    struct quest_training training = graphs_training(call, 0, call->buffers);
    struct lesson10_step *step = NULL;
    if (script == NO_PLACE)
        return create(NULL, &training);
    spoil(script, &training);
    cudaError_t error =
        script == NO_TRAINING ? create(&step, NULL) : graphs_create(call, &training, &step);
    if (error == cudaSuccess && step)
        destroy(call, step);
    return error;
}

/* A batch that is not there, for a step that is. */
static cudaError_t refuse_batch(const struct judge_call *call)
{
    struct quest_training training = graphs_training(call, 0, call->buffers);
    struct lesson10_step *step = NULL;
    cudaError_t error = graphs_create(call, &training, &step);
    if (error != cudaSuccess)
        return cudaErrorUnknown; /* which is not what is asked for */
    error = ((run_function *)call->symbols[RUN])(step, NULL, call->stream);
    destroy(call, step);
    return error;
}

/* Create while a function fails. Nothing can be asked of a submission that does without it. */
static cudaError_t fail(const struct judge_call *call)
{
    struct quest_training training = graphs_training(call, 0, call->buffers);
    struct lesson10_step *step = NULL;
    graphs_front =
        (struct graphs_front){.watches = true, .down = (enum down)call->problem->size[DOWN]};
    cudaError_t error = graphs_create(call, &training, &step);
    bool was_down = graphs_front.was_down;
    graphs_front = (struct graphs_front){.watches = false};
    if (error == cudaSuccess && step)
        destroy(call, step);
    return was_down ? error : GRAPHS_DOWN_ERROR;
}

cudaError_t graphs_refused(const struct judge_call *call)
{
    static const float batch[2];
    switch ((enum script)call->problem->script) {
    case CALLS_FAIL: return fail(call);
    case NO_BATCH: return refuse_batch(call);
    case NOTHING_RUN: return ((run_function *)call->symbols[RUN])(NULL, batch, call->stream);
    case NOTHING_DESTROYED: return destroy(call, NULL);
    default: return refuse_create(call, (enum script)call->problem->script);
    }
}
