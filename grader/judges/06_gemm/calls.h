/* calls.h - lesson 6, in the runner: what its files take from each other.
 *
 * All make calls of the submission on its stream, and return the first error. Next: calls.c, then
 * library.c, files.c, full.c, sides.c, crowd.c, rivals.c and arguments.c.
 */
#ifndef JUDGE_GEMM_CALLS_H
#define JUDGE_GEMM_CALLS_H

#include "judges/06_gemm/problem.h"

/* What the runner keeps from call to call. */
struct kept {
    struct lesson6_context *context; /* of all numerics cases, and of the steady mix */
    struct lesson6_context *loaded;  /* in a process that has loaded a file for its next call */
    void *wide;                      /* WIDE_BYTES, when a case has asked for them */
};
/* Room for three matrices of 4096 x 4096, and as much again. */
enum { WORKSPACE_BYTES = 192 << 20 };
/* In 32 bits that is none. Where it is not touched, it takes no memory of a simulated device. */
#define WIDE_BYTES ((size_t)1 << 32)

typedef cudaError_t create_function(struct lesson6_context **, void *, size_t);
typedef cudaError_t gemm_function(struct lesson6_context *, enum lesson6_type, const void *,
                                  const void *, const void *, void *, const struct quest_gemm *,
                                  cudaStream_t);
typedef cudaError_t file_function(struct lesson6_context *, const char *);
typedef cudaError_t destroy_function(struct lesson6_context *);

/* Of a path that a script makes up. */
enum { PATH_BYTES = 256 };

typedef cudaError_t gemm_body(const struct judge_call *call, struct lesson6_context *context);
typedef cudaError_t gemm_body_of_two(const struct judge_call *call, struct lesson6_context *first,
                                     struct lesson6_context *next);

/* calls.c: contexts, calls, and the scripts around them. One that is said to be created in so many
 * bytes has the last of the workspace. */
cudaError_t gemm_create_in(const struct judge_call *call, size_t bytes,
                           struct lesson6_context **context);
cudaError_t gemm_create(const struct judge_call *call, struct lesson6_context **context);
cudaError_t gemm_destroy(const struct judge_call *call, struct lesson6_context *context);
/* What body does with two contexts that know nothing yet. */
cudaError_t gemm_with_two(const struct judge_call *call, gemm_body_of_two *body);
cudaError_t gemm_save(const struct judge_call *call, struct lesson6_context *context,
                      const char *path);
cudaError_t gemm_load(const struct judge_call *call, struct lesson6_context *context,
                      const char *path);
cudaError_t gemm_ask(const struct judge_call *call, struct lesson6_context *context,
                     enum lesson6_type type, const void *a, const void *b, const void *bias,
                     void *y, const struct quest_gemm *asked);
cudaError_t gemm_call(const struct judge_call *call, struct lesson6_context *context,
                      const void *bias, void *y);
cudaError_t gemm_mix(const struct judge_call *call, struct lesson6_context *context, int calls,
                     int64_t shift);
cudaError_t gemm_call_once(const struct judge_call *call, struct lesson6_context *context);
cudaError_t gemm_captured(const struct judge_call *call, struct lesson6_context *context,
                          gemm_body *body, int launches);
/* One call about FP16 matrices without a bias, in a graph that is not launched; nodes: what it has
 * in there. */
cudaError_t gemm_recorded(const struct judge_call *call, struct lesson6_context *context,
                          const struct quest_gemm *asked, size_t *nodes);
cudaError_t gemm_never_run(const struct judge_call *call, struct lesson6_context *context);
cudaError_t gemm_repeated(const struct judge_call *call, struct lesson6_context *context);
cudaError_t gemm_other_bias(const struct judge_call *call, struct lesson6_context *context);
cudaError_t gemm_after_nan(const struct judge_call *call, struct lesson6_context *context);
cudaError_t gemm_reloaded(const struct judge_call *call);
cudaError_t gemm_in_room(const struct judge_call *call, size_t bytes, void *y);
cudaError_t gemm_two_rooms(const struct judge_call *call);
cudaError_t gemm_many_contexts(const struct judge_call *call);
cudaError_t gemm_served(const struct judge_call *call);

/* library.c: answers to a script's questions; and a library that fails. */
cudaError_t gemm_answer(const struct judge_call *call, const uint32_t *answers, size_t bytes);
cudaError_t gemm_library_fails(const struct judge_call *call);

/* files.c: what load and save make of files, good and bad. */
cudaError_t gemm_less_room(const struct judge_call *call);
cudaError_t gemm_spoilt(const struct judge_call *call);
cudaError_t gemm_interrupted(const struct judge_call *call);
/* saver saves to the case's file, and loader loads it. */
bool gemm_saves_and_loads(const struct judge_call *call, struct lesson6_context *saver,
                          struct lesson6_context *loader);

/* full.c: a context that knows as many kinds as it takes. */
cudaError_t gemm_filled(const struct judge_call *call);

/* sides.c: kinds with a side that is longer than another's by a power of two. */
cudaError_t gemm_long_sides(const struct judge_call *call);

/* crowd.c: thousands of kinds. */
cudaError_t gemm_crowd(const struct judge_call *call);

/* rivals.c: does a save keep apart from one of another process, on the same path? */
bool gemm_saves_apart(const struct judge_call *call, struct lesson6_context *first);

#endif
