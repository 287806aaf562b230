/* full.c - lesson 6, in the runner: a context that has met more kinds of problem than a table of
 * fixed size holds.
 *
 * Such a table may refuse the kinds that it has no room for. Its last place must work like the
 * others: in a call, in the file, and in the context that loads it.
 */
#include "judges/06_gemm/calls.h"
#include "judges/06_gemm/front.h"

#include <stdio.h>

/* 256 and 512 are the bounds that were seen, and SERVED has some 130. */
enum { MOST_KINDS = 600, KINDS_A_ROW = 64 };

static cudaError_t meet(const struct judge_call *call, struct lesson6_context *context, int kind,
                        size_t *nodes)
{
    const struct quest_gemm asked = {
        .m = 1 + kind % KINDS_A_ROW, .n = 8 * (1 + kind / KINDS_A_ROW), .k = 8};
    return gemm_recorded(call, context, &asked, nodes);
}

/* Until one is turned down; has_worked: each of the others left its product in the graph. */
static int meet_all(const struct judge_call *call, struct lesson6_context *context,
                    bool *has_worked)
{
    int kinds = 0;
    size_t nodes;
    *has_worked = true;
    while (kinds < MOST_KINDS && meet(call, context, kinds, &nodes) == cudaSuccess) {
        *has_worked = *has_worked && nodes > 0;
        kinds++;
    }
    return kinds;
}

static bool asks_nothing(const struct judge_call *call, struct lesson6_context *context, int kind)
{
    long before = front.questions;
    size_t nodes;
    return meet(call, context, kind, &nodes) == cudaSuccess && nodes > 0 &&
           front.questions == before;
}

static bool append_byte(const char *path)
{
    FILE *file = fopen(path, "ab");
    bool written = file && fputc(0, file) != EOF;
    return file && fclose(file) == 0 && written;
}

/* next has loaded all kinds; then a file that has none of them, too. A context that does not know
 * the first kind either has not loaded any, or keeps none, which other cases are about. */
static bool loads_all(const struct judge_call *call, struct lesson6_context *next,
                      struct lesson6_context *other, int kinds, uint32_t answers[FULL_ANSWERS])
{
    bool is_first_known = asks_nothing(call, next, 0);
    bool is_last_known = kinds > 0 && asks_nothing(call, next, kinds - 1);
    answers[FULL_KNOWN] = is_last_known || !is_first_known;
    bool is_loaded = gemm_saves_and_loads(call, other, next);
    answers[FULL_BESIDE] = !is_last_known || asks_nothing(call, next, kinds - 1);
    return is_loaded;
}

static cudaError_t ask_when_full(const struct judge_call *call,
                                 struct lesson6_context *const contexts[3],
                                 uint32_t answers[FULL_ANSWERS])
{
    bool has_worked;
    int kinds = meet_all(call, contexts[0], &has_worked);
    answers[FULL_WORKED] = has_worked;
    answers[FULL_SAVED] = gemm_saves_and_loads(call, contexts[0], contexts[1]);
    answers[FULL_SAVED] &= loads_all(call, contexts[1], contexts[2], kinds, answers);
    cudaError_t error = gemm_save(call, contexts[0], call->file);
    if (error != cudaSuccess || !append_byte(call->file))
        return cudaErrorUnknown;
    answers[FULL_LENGTHENED] = gemm_load(call, contexts[2], call->file) != cudaSuccess;
    return cudaSuccess;
}

cudaError_t gemm_filled(const struct judge_call *call)
{
    struct lesson6_context *contexts[3] = {NULL};
    uint32_t answers[FULL_ANSWERS] = {0};
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 3 && error == cudaSuccess; i++)
        error = gemm_create(call, &contexts[i]);
    if (error == cudaSuccess)
        error = gemm_call_once(call, contexts[0]);
    if (error == cudaSuccess)
        error = ask_when_full(call, contexts, answers);
    if (error == cudaSuccess)
        error = gemm_answer(call, answers, sizeof answers);
    for (int i = 0; i < 3; i++)
        if (contexts[i])
            gemm_destroy(call, contexts[i]);
    return error;
}
