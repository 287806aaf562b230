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
    unsigned threads;     /* of the simulated device; 0: one for each processor */
    const char *page;     /* simgpu run --html; NULL for none */
    const char *timeline; /* simgpu run --timeline; NULL for none */
    const char *folder;   /* where its sources are; NULL for the current folder */
    json_t *job;          /* borrowed */
    int64_t deadline_ms;
    void (*progress)(const char *text); /* NULL for none */
};

struct run {
    json_t *result;       /* NULL if there is none: verdict and reason say why */
    enum verdict verdict; /* DEVICE, TIMEOUT or INTERNAL then */
    char reason[512];
    bool interrupted;
    double seconds, waited_seconds; /* at work; for a turn on the GPU */
};

/* On the GPU checks take turns (examine/turn.h), so that none is timed while another is at work.
 * The job says so. */
void run_examine(const struct run_request *request, struct run *run);
void run_free(struct run *run);

/* Does there seem to be a GPU's driver? This looks at device nodes only: examine asks the
 * driver. */
bool run_sees_gpu(void);

#endif
