/* again.c - see again.h. */
#include "check/examine/again.h"

#include "check/again_claims.h"

#include <stdlib.h>
#include <string.h>

/* Write memory of the device and read it back. */
static bool device_answers(void)
{
    enum { BYTES = 1 << 16, BYTE = 0x5A };
    static unsigned char back[BYTES];
    void *memory = NULL;
    memset(back, 0, sizeof back);
    bool answers = cudaMalloc(&memory, BYTES) == cudaSuccess &&
                   cudaMemset(memory, BYTE, BYTES) == cudaSuccess &&
                   cudaMemcpy(back, memory, BYTES, cudaMemcpyDeviceToHost) == cudaSuccess &&
                   back[0] == BYTE && back[BYTES - 1] == BYTE;
    cudaFree(memory);
    cudaGetLastError();
    return answers;
}

/* Run the reference in place of the submission, whose processes are all gone. */
static bool reference_comes_through(struct lab *lab, again_stage *stage, void *context)
{
    const struct judge_bar *missed = lab->missed_bar;
    const struct judge_case *unjudged = lab->unjudged;
    const char *submission = lab->submission;
    int64_t spent_ns = lab->spent_ns;
    bool was_late = lab->was_late;
    const struct host_use host = lab->host;
    lab->host = (struct host_use){.calls = 0};
    lab->submission = *lab->reference ? lab->reference : lab->probe;
    lab->spent_ns = 0;
    lab->was_late = false;
    json_t *outcome = stage(lab, context);
    bool came = !again_claim_in(outcome) && !again_doubt_in(outcome);
    json_decref(outcome);
    lab_stop(lab, &lab->link);
    lab->submission = submission;
    lab->spent_ns = spent_ns;
    lab->was_late = was_late;
    lab->host = host;
    lab->missed_bar = missed;
    lab->unjudged = unjudged;
    return came;
}

static bool machine_works(struct lab *lab, again_stage *stage, void *context)
{
    lab_stop(lab, &lab->link);
    lab_resume(lab);
    return device_answers() && reference_comes_through(lab, stage, context);
}

json_t *again_run(struct lab *lab, again_stage *stage, void *context)
{
    bool can_ask = *lab->submission && (*lab->reference || *lab->probe);
    json_t *outcome = stage(lab, context);
    for (int run = 0; can_ask && (again_claim_in(outcome) || again_doubt_in(outcome)); run++) {
        if (!machine_works(lab, stage, context)) {
            again_excuse(outcome);
            break;
        }
        if (run > 0)
            again_blame(outcome);
        if (run > 0 || !again_claim_in(outcome))
            break;
        json_decref(outcome);
        outcome = stage(lab, context);
    }
    return outcome;
}
