/* build.h - one .cu becomes one .so: a single nvcc call, in the sandbox, cached by content.
 *
 * The .so holds PTX for compute_80, which the simulated device interprets (so its counters are the
 * same everywhere), machine code for sm_90, which the model goes by, and machine code for the GPU
 * at hand if that is another. A file that needs what sm_90 brought (clusters, bulk copies) gets PTX
 * for compute_90 instead, unless the GPU at hand is older. CUDA's own functions stay undefined in
 * it: they come from the libcudart that the runner was started with.
 */
#ifndef CHECK_BUILD_H
#define CHECK_BUILD_H

#include "check/course.h"
#include "check/source.h"
#include "check/verdict.h"
#include "runner/sandbox.h"

struct build_request {
    const struct course *course;
    const struct lesson *lesson;
    const struct source *source;
    const char *shown_path; /* the file's name in messages */
    int compute;            /* of the GPU at hand: 90; 0 for none */
    enum sandbox_kind sandbox;
};

struct build {
    enum verdict verdict; /* PASS, BUILD, COMPILER_LIMIT, DEVICE, INTERNAL */
    char reason[512];
    char *messages;      /* the compiler's, for the learner's file; may be NULL */
    struct path library; /* the .so */
    struct path folder;  /* where it is; other things about it may be kept there */
    bool cached, interrupted;
    double seconds;
};

void build_run(const struct build_request *request, struct build *build);
void build_free(struct build *build);

#endif
