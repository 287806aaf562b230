/* arguments.c - lesson 6, in the runner: calls that must be refused, one at a time; and which
 * script a case is.
 *
 * All but one of the arguments are right each time, so that only that one can be refused.
 */
#include "judges/06_gemm/calls.h"
#include "judges/06_gemm/front.h"
#include "judges/06_gemm/parts.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of what is refused it may be none that there is. */
static enum quest_activation activation_of(const struct judge_case *problem)
{
    return problem->script == ACTS_PAST     ? (enum quest_activation)(QUEST_ACT_GELU_TANH + 1)
           : problem->script == ACTS_BEFORE ? (enum quest_activation) - 1
                                            : (enum quest_activation)problem->size[ACTIVATION];
}

/* Whoever leaves it to the library is told that there is no algorithm, which is another error. */
static cudaError_t refuse_gemm(const struct judge_call *call, struct lesson6_context *context)
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

static cudaError_t refuse_create(const struct judge_call *call, bool nowhere)
{
    struct lesson6_context *context = NULL;
    create_function *function = (create_function *)call->symbols[CREATE];
    cudaError_t error = nowhere ? function(NULL, call->workspace, WORKSPACE_BYTES)
                                : function(&context, NULL, WORKSPACE_BYTES);
    if (error == cudaSuccess && context)
        gemm_destroy(call, context);
    return error;
}

/* What has no folder to be in, and what is a folder, cannot be written. */
static cudaError_t refuse_path(const struct judge_call *call, struct lesson6_context *context)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s-folder", call->file);
    if (call->problem->script == NO_SUCH_FILE)
        return gemm_load(call, context, path);
    if (call->problem->script == A_FOLDER) {
        mkdir(path, 0700);
        cudaError_t error = gemm_save(call, context, path);
        rmdir(path);
        return error;
    }
    snprintf(path, sizeof path, "%s-folder/plans", call->file);
    return gemm_save(call, context, path);
}

/* A file that could be loaded, if there were a context. */
static cudaError_t refuse_no_context(const struct judge_call *call, struct lesson6_context *context)
{
    cudaError_t error = gemm_save(call, context, call->file);
    return error == cudaSuccess ? gemm_load(call, NULL, call->file) : error;
}

static cudaError_t refused_by(const struct judge_call *call, struct lesson6_context *context)
{
    switch ((enum script)call->problem->script) {
    case MADE_NOWHERE: return refuse_create(call, true);
    case ROOM_LACKING: return refuse_create(call, false);
    case NOTHING_DESTROYED: return gemm_destroy(call, NULL);
    case NOTHING_SAVED: return gemm_save(call, NULL, call->file);
    case SAVED_NOWHERE: return gemm_save(call, context, NULL);
    case NOTHING_LOADED: return refuse_no_context(call, context);
    case LOADED_NOWHERE: return gemm_load(call, context, NULL);
    case NO_FOLDER:
    case A_FOLDER:
    case NO_SUCH_FILE: return refuse_path(call, context);
    default: return refuse_gemm(call, context);
    }
}

/* What is not refused by a context that knows nothing is not refused. */
static cudaError_t refused(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    cudaError_t error = gemm_create(call, &context);
    if (error != cudaSuccess)
        return error;
    error = refused_by(call, context);
    gemm_destroy(call, context);
    return error;
}

/* --- Which script ----------------------------------------------------------------------------- */

/* Those that bring contexts of their own. */
static bool runs_alone(const struct judge_call *call, cudaError_t *error)
{
    size_t room_bytes = (size_t)call->problem->real[ROOM_MIB] << 20;
    switch ((enum script)call->problem->script) {
    case SERVED: *error = gemm_served(call); return true;
    case RELOADED:
    case RELOADED_CAPTURED:
    case WIDE_ROOM: *error = gemm_reloaded(call); return true;
    case SPOILT: *error = gemm_spoilt(call); break;
    case INTERRUPTED: *error = gemm_interrupted(call); break;
    case LONG_SIDES: *error = gemm_long_sides(call); return true;
    case CROWD: *error = gemm_crowd(call); return true;
    case FULL: *error = gemm_filled(call); return true;
    case IN_ROOM: *error = gemm_in_room(call, room_bytes, call->buffers[Y]); return true;
    case TWO_ROOMS: *error = gemm_two_rooms(call); return true;
    case MANY_CONTEXTS: *error = gemm_many_contexts(call); return true;
    case LESS_ROOM: *error = gemm_less_room(call); return true;
    case LIBRARY_FAILS: *error = gemm_library_fails(call); return true;
    default: break;
    }
    return *error != cudaSuccess;
}

cudaError_t gemm_launch(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    cudaError_t error = cudaSuccess;
    if (call->problem->script >= ARGUMENTS)
        return refused(call);
    if (runs_alone(call, &error))
        return error;
    if (call->problem->script == NEW_CONTEXT && kept->context) {
        gemm_destroy(call, kept->context);
        kept->context = NULL;
    }
    if (!kept->context)
        error = gemm_create(call, &kept->context);
    if (error != cudaSuccess)
        return error;
    switch ((enum script)call->problem->script) {
    case CAPTURED: return gemm_captured(call, kept->context, gemm_call_once, 2);
    case NEVER_RUN: return gemm_never_run(call, kept->context);
    case OTHER_BIAS: return gemm_other_bias(call, kept->context);
    case REPEATED: return gemm_repeated(call, kept->context);
    case AFTER_NAN: return gemm_after_nan(call, kept->context);
    case STEADY: return gemm_mix(call, kept->context, CALLS, 0);
    default: return gemm_call_once(call, kept->context);
    }
}
