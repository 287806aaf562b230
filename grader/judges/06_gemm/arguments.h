/* arguments.h - lesson 6, in the runner: calls that must be refused, one at a time; and which
 * script a case is.
 *
 * All but one of the arguments are right each time, so that nothing else can be what is refused.
 */
#ifndef JUDGE_GEMM_ARGUMENTS_H
#define JUDGE_GEMM_ARGUMENTS_H

#include "judges/06_gemm/full.h"

/* Of what is refused it may be none that there is. */
static inline enum quest_activation activation_of(const struct judge_case *problem)
{
    return problem->script == ACTS_PAST     ? (enum quest_activation)(QUEST_ACT_GELU_TANH + 1)
           : problem->script == ACTS_BEFORE ? (enum quest_activation) - 1
                                            : (enum quest_activation)problem->size[ACTIVATION];
}

/* Whoever leaves it to the library is told that there is no algorithm, which is another error. */
static inline cudaError_t refuse_gemm(const struct judge_call *call,
                                      struct lesson6_context *context)
{
    const int64_t *size = call->problem->size;
    uint32_t script = call->problem->script;
    void *const *at = call->buffers;
    const struct quest_gemm asked = {.m = size[M],
                                     .n = size[N],
                                     .k = size[K],
                                     .with_bias = script == BIAS_LACKING ||
                                                  (size[BIAS_AND_SUCH] && script != BIAS_UNSAID),
                                     .save_z = script == SAVES_Z,
                                     .activation = activation_of(call->problem)};
    front.down = ANSWERS_DOWN;
    cudaError_t error = ((gemm_function *)call->symbols[GEMM])(
        script == NO_CONTEXT ? NULL : context, (enum lesson6_type)size[TYPE],
        script == NO_A ? NULL : at[A], script == NO_B ? NULL : at[B],
        script == BIAS_LACKING ? NULL : at[BIAS], script == NO_Y ? NULL : at[Y],
        script == NO_GEMM ? NULL : &asked, call->stream);
    front.down = NOTHING_DOWN;
    return error;
}

static inline cudaError_t refuse_create(const struct judge_call *call, bool nowhere)
{
    struct lesson6_context *context = NULL;
    create_function *function = (create_function *)call->symbols[CREATE];
    cudaError_t error = nowhere ? function(NULL, call->workspace, WORKSPACE_BYTES)
                                : function(&context, NULL, WORKSPACE_BYTES);
    if (error == cudaSuccess && context)
        destroy(call, context);
    return error;
}

/* What has no folder to be in, and what is a folder, cannot be written. */
static inline cudaError_t refuse_path(const struct judge_call *call,
                                      struct lesson6_context *context)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s-folder", call->file);
    if (call->problem->script == NO_SUCH_FILE)
        return load(call, context, path);
    if (call->problem->script == A_FOLDER) {
        mkdir(path, 0700);
        cudaError_t error = save(call, context, path);
        rmdir(path);
        return error;
    }
    snprintf(path, sizeof path, "%s-folder/plans", call->file);
    return save(call, context, path);
}

/* A file that could be loaded, if there were a context. */
static inline cudaError_t refuse_no_context(const struct judge_call *call,
                                            struct lesson6_context *context)
{
    cudaError_t error = save(call, context, call->file);
    return error == cudaSuccess ? load(call, NULL, call->file) : error;
}

static inline cudaError_t refused_by(const struct judge_call *call, struct lesson6_context *context)
{
    switch ((enum script)call->problem->script) {
    case MADE_NOWHERE: return refuse_create(call, true);
    case ROOM_LACKING: return refuse_create(call, false);
    case NOTHING_DESTROYED: return destroy(call, NULL);
    case NOTHING_SAVED: return save(call, NULL, call->file);
    case SAVED_NOWHERE: return save(call, context, NULL);
    case NOTHING_LOADED: return refuse_no_context(call, context);
    case LOADED_NOWHERE: return load(call, context, NULL);
    case NO_FOLDER:
    case A_FOLDER:
    case NO_SUCH_FILE: return refuse_path(call, context);
    default: return refuse_gemm(call, context);
    }
}

/* What is not refused by a context that knows nothing is not refused. */
static inline cudaError_t refused(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    cudaError_t error = create(call, &context);
    if (error != cudaSuccess)
        return error;
    error = refused_by(call, context);
    destroy(call, context);
    return error;
}

/* --- Which script ----------------------------------------------------------------------------- */

/* Those that bring contexts of their own. */
static inline bool runs_alone(const struct judge_call *call, cudaError_t *error)
{
    size_t room_bytes = (size_t)call->problem->real[ROOM_MIB] << 20;
    switch ((enum script)call->problem->script) {
    case SERVED: *error = served(call); return true;
    case RELOADED:
    case RELOADED_CAPTURED:
    case WIDE_ROOM: *error = reloaded(call); return true;
    case SPOILT: *error = spoilt(call); break;
    case INTERRUPTED: *error = interrupted(call); break;
    case FULL: *error = filled(call); return true;
    case IN_ROOM: *error = in_room(call, room_bytes, call->buffers[Y]); return true;
    case TWO_ROOMS: *error = two_rooms(call); return true;
    case LESS_ROOM: *error = less_room(call); return true;
    case LIBRARY_FAILS: *error = library_fails(call); return true;
    default: break;
    }
    return *error != cudaSuccess;
}

static inline cudaError_t launch(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    cudaError_t error = cudaSuccess;
    if (call->problem->refused_with)
        return refused(call);
    if (runs_alone(call, &error))
        return error;
    if (call->problem->script == NEW_CONTEXT && kept->context) {
        destroy(call, kept->context);
        kept->context = NULL;
    }
    if (!kept->context)
        error = create(call, &kept->context);
    if (error != cudaSuccess)
        return error;
    switch ((enum script)call->problem->script) {
    case CAPTURED: return captured(call, kept->context, call_once, 2);
    case NEVER_RUN: return never_run(call, kept->context);
    case OTHER_BIAS: return other_bias(call, kept->context);
    case AFTER_NAN: return after_nan(call, kept->context);
    case STEADY: return mix(call, kept->context, CALLS, 0);
    default: return call_once(call, kept->context);
    }
}

#endif
