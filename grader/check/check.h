/* check.h - one check from the submitted file to its record.
 *
 * The stages: build, safety, numerics, counters, utilization, verdict. Each writes one gate of the
 * record; a submission stops at the first gate it fails, and later figures, if any, are in the
 * record as information. Everything a person sees (report.h, grades.csv) is derived from the
 * record; record.h describes it.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/course.h"
#include "check/verdict.h"

#include <jansson.h>
#include <stdint.h>

enum device_choice { DEVICE_AUTO, DEVICE_SIM, DEVICE_GPU };

struct check_request {
    const struct course *course;
    const char *lesson;     /* as typed; NULL: whichever lesson the file's launcher is of */
    const char *submission; /* path as typed; NULL: the learner's exercise */
    const char *only;       /* a launcher's name: check its cases alone, which passes no
                                    * lesson; NULL for all */
    bool tell_others;       /* if one launcher is not right, judge the others as well */
    const char *shown;      /* what record and report call it; NULL: as it was typed */
    enum device_choice device;
    uint64_t seed;        /* 0: drawn now */
    const json_t *gpu;    /* "device" of a record on the GPU at hand, if known: then it is
                                    * not looked for, and files are compiled for it; or NULL */
    bool strict;          /* grading: no links; results through shared memory are refused;
                                    * and the record names no folder of this machine (redact.h) */
    bool no_ipc;          /* as if the device had no CUDA IPC; for tests */
    bool pretend_zeros;   /* as if the submission wrote zeros; for verify-course */
    bool ask_gpu_anyway;  /* numerics on the GPU even if the simulated device found
                                      something; for verdicts, which compares the two */
    const char *page;     /* also write a page about the timed cases: where; or NULL */
    const char *timeline; /* and their timeline, with the page: where; or NULL */
    unsigned threads;     /* of the simulated device; 0: one for each processor */
    void (*progress)(const char *text); /* NULL for none */
};

/* The seed itself, or one drawn now when it is 0. */
uint64_t check_seed(uint64_t seed);
/* Returns the record, which the caller frees; NULL when interrupted. */
json_t *check_run(const struct check_request *request);

/* The verdict of a record. */
enum verdict check_verdict(const json_t *record);

#endif
