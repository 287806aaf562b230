/* options.h - the command line of `simgpu run`. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "output.h"
#include "steps.h"

#include <stdbool.h>
#include <stdint.h>

struct options {
    bool quiet, help;
    bool test;                /* the exit status tells what was found: exit_status.h */
    bool control;             /* the program gets control of the device: CONTROL_FD */
    bool keep_going;          /* a launch continues after checks find something */
    unsigned checks, workers; /* workers 0: one for each processor */
    uint64_t seed;
    uint64_t memory_bytes;    /* of this machine that programs may fill; 0: not given */
    uint64_t step_budget;     /* thread instructions a launch may run; 0: any number */
    const char *suppressions; /* the name of a file, or NULL */
    struct step_options steps;
    struct output outputs[OUTPUTS];
    struct path lanes; /* the name of OUTPUT_LANES */
    char **program;    /* ended by NULL */
};

/* False, with one sentence in complaint, when words make no sense. words[0] is "run". */
bool options_read(int count, char **words, struct options *options, char *complaint,
                  size_t complaint_bytes);
const char *options_help(void);

#endif
