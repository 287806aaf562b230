/* run.h - hands a job to examine (examine/examine.c), on the GPU or on the simulated device. */
#ifndef CHECK_RUN_H
#define CHECK_RUN_H

#include "check/course.h"
#include "check/verdict.h"

#include <jansson.h>

enum run_on { RUN_SIMULATED, RUN_ON_GPU, RUN_WITHOUT_DEVICE };

struct run_request {
    const struct course *course;
    enum run_on on;
    unsigned threads;          /* of the simulated device; 0: one for each processor */
    const char *page;          /* simgpu run --html; NULL for none */
    const char *folder;        /* where sources are found for it; NULL for here */
    json_t *job;               /* borrowed */
    int64_t deadline_ms;
    void (*progress)(const char *text); /* NULL for none */
};

struct run {
    json_t *result;            /* NULL when there is none: verdict and reason say why */
    enum verdict verdict;      /* DEVICE, TIMEOUT or INTERNAL then */
    char reason[512];
    bool interrupted;
    double seconds, waited_seconds; /* at work; for a turn on the GPU */
};

/* On the GPU checks take turns (examine/turn.h), so that none of them is timed while another one is
 * at work. The job is told of that. */
void run_examine(const struct run_request *request, struct run *run);
void run_free(struct run *run);

/* Does a GPU's driver seem to be here? Only a look at device nodes: examine asks the driver. */
bool run_sees_gpu(void);

#endif
