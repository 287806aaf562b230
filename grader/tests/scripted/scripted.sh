#!/usr/bin/env bash
# scripted.sh - every way in which a timing on a GPU can end, with a device and a clock that do what
# a script says (device.c): the runners, their events, the pairs and the rule are the real ones. One
# line for each; exit status 1 when a timing ends in another way.
#
#     scripted.sh BUILD NVCC
set -u
build=$(realpath "$1")
nvcc=$2
course=grader/tests/course
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source grader/tests/claim.sh

# submission NAME TIMES [DECLARATIONS [AFTERWARDS]]: a file whose kernel takes so many times 30 us,
# an expression of the launcher's, which does something afterwards
submission()
{
    cat >"$folder/$1.cu" <<END
#include "tiny.h"
${3:-}
__global__ void twice(const float *x, float *out, int n, int times)
{
    for (int again = 0; again < times; again++)
        __nanosleep(30000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = 2 * x[i];
}
cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    if (n > 0)
        twice<<<8, 256, 0, stream>>>(x, out, n, $2);
    ${4:-}
    return cudaGetLastError();
}
END
    "$nvcc" -O3 -shared -Xcompiler -fPIC -cudart none -I$course/common \
        -gencode arch=compute_80,code=[compute_80,sm_80] -Wno-deprecated-gpu-targets \
        "$folder/$1.cu" -o "$folder/$1.so"
}

# examined SUBMISSION REFERENCE: what examine says of its timing
examined()
{
    "$build/bin/simgpu" run --control --quiet -- "$build/test/scripted/examine" 3>&1 <<END
{"lesson": "01_pass", "submission": "$folder/$1.so", "reference": "$folder/$2.so",
 "runner": "$build/test/scripted/scripted-runner", "sandbox": "none", "ipc": true, "seed": "0x14",
 "as_gpu": true, "turn": "$folder/turn", "stages": ["timing"]}
END
}

# ends VERDICT REASON SUBMISSION [REFERENCE [SCRIPT]]
ends()
{
    local said
    said=$(SCRIPT=${5:-} examined "$3" "${4:-right}")
    [[ $said == *"\"verdict\":\"$1\""* && $said == *"$2"* ]] ||
        { echo "${said##*$'\n'}"; return 1; }
}

RUNNERS='
#include <glob.h>
#include <string.h>
#include <unistd.h>
static int runners()
{
    glob_t all;
    int count = 0;
    glob("/proc/[0-9]*/exe", 0, NULL, &all);
    for (size_t i = 0; i < all.gl_pathc; i++) {
        char program[300] = "";
        readlink(all.gl_pathv[i], program, sizeof program - 1);
        count += strstr(program, "/scripted-runner") != NULL;
    }
    globfree(&all);
    return count;
}'
# Writes a jump over the function that the runner reads its events by.
FORGED='
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
static cudaError_t claim(float *milliseconds, cudaEvent_t, cudaEvent_t)
{
    *milliseconds = CLAIMED;
    return cudaSuccess;
}
__attribute__((constructor)) static void forge()
{
    unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0}; /* mov, jmp rax */
    void *with = (void *)claim, *at = (void *)cudaEventElapsedTime;
    memcpy(jump + 2, &with, sizeof with);
    void *page = (void *)((uintptr_t)at & -(uintptr_t)4096);
    mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy(at, jump, sizeof jump);
}'

submission right 4
submission slow 60
submission restless 'rand() % 2 ? 2 : 14' '#include <stdlib.h>'
submission as_fast 8
submission slowed 'runners() > 1 ? 12 : 4' "$RUNNERS"
submission as_slow 12
submission forged 60 "${FORGED/CLAIMED/1e-4f}"
submission timeless 4 "${FORGED/CLAIMED/-1}"
submission tired 4 'static int calls;' \
    'if (++calls > 400) cudaMemsetAsync(out + n - 1, -1, 4, stream);'
claim "as fast as the reference: PASS" ends PASS '"ratio":' right
claim "the last element is left out from the 400th call on: WRONG" \
    ends WRONG "a timed launch: out[65535] is -nan" tired
claim "a fifteenth of its speed: SLOW" ends SLOW "of the reference's speed\"" slow
claim "its presence slows the reference: SLOW" \
    ends SLOW "next to it the reference is slower than alone" as_slow slowed
claim "events that say less than the clock: TIMER_MISMATCH" \
    ends TIMER_MISMATCH "its own events say" forged
claim "events that say no time: TIMER_MISMATCH" \
    ends TIMER_MISMATCH "its own events give no time at all" timeless
claim "work that goes on where its processes are: TIMER_MISMATCH" \
    ends TIMER_MISMATCH "continues to work after its calls have ended" right right busy=2
claim "work of another program: INCONCLUSIVE" \
    ends INCONCLUSIVE "another program was using the GPU all the time" right right busy=0
claim "a reference that is never the same: INCONCLUSIVE" \
    ends INCONCLUSIVE "the reference's own times spread" as_fast restless
claim "a clock that is too coarse: INCONCLUSIVE" \
    ends INCONCLUSIVE "which confirms nothing" right right late=90000
exit $failed
