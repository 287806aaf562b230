#!/usr/bin/env bash
# as_gpu.sh - how a check runs on a GPU, tested where there is none: examine uses the simulated
# device as if it were one, and does not ask it anything. The clock is scripted/device.c's, which
# goes by modelled time; scripted/scripted.sh tests what a timing can say.
#
#     as_gpu.sh BUILD NVCC
set -u
shopt -s extglob
build=$(realpath "$1")
nvcc=$2
course=grader/tests/course
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# submission NAME STATEMENTS [ON_HOST]: a lesson's file that carries them out in its kernel, and in
# its launcher
submission()
{
    cat >"$folder/$1.cu" <<END
#include "tiny.h"
__global__ void twice(const float *x, float *out, int n)
{
    for (int again = 0; again < 4; again++)
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            $2
        }
}
cudaError_t tiny(const float *x, float *out, int n, cudaStream_t stream)
{
    if (n > 0)
        twice<<<1, 32, 0, stream>>>(x, out, n);
    ${3:-}
    return cudaGetLastError();
}
END
    compiled "$1" "$folder/$1.cu"
}

# compiled NAME FILE
compiled()
{
    "$nvcc" -O3 -shared -Xcompiler -fPIC -cudart none -I$course/common \
        -gencode arch=compute_80,code=[compute_80,sm_80] -Wno-deprecated-gpu-targets \
        "$2" -o "$folder/$1.so"
}

# examined NAME STAGES LESSON: what examine says of that submission
examined()
{
    "$build/bin/simgpu" run --control --quiet -- "$build/test/scripted/examine" 3>&1 <<END
{"lesson": "$3", "submission": "$folder/$1.so", "reference": "$folder/right.so",
 "runner": "$build/test/course/bin/runner", "sandbox": "none", "ipc": true, "seed": "0x14",
 "as_gpu": true, "turn": "$folder/turn", "stages": [$2],
 "noise": {"verdicts": 1, "of_bar": [0.6], "disturber": "", "seconds": 60}}
END
}

# expect NAME WORDS [STAGES [LESSON]]: what examine says of that submission holds these words
expect()
{
    local said
    said=$(examined "$1" "${3:-\"numerics\", \"timing\"}" "${4:-01_pass}")
    if [[ $said == *"$2"* ]]; then
        printf '  ok    as a GPU: %s\n' "$1"
    else
        printf '  FAIL  as a GPU: %s is not told of "%s": %s\n' "$1" "$2" "${said##*$'\n'}"
        failed=1
    fi
}

submission right 'out[i] = 2 * x[i];'
submission slow 'for (int r = 0; r < 60; r++) ((volatile float *)out)[i] = 2 * x[i];'
submission two 'out[i] = 2 * x[i];' 'if (n == 65536) twice<<<1, 32, 0, stream>>>(x, out, n);'
submission late 'out[i] = n == 65536 && i == 65000 ? 7 : 2 * x[i];'
submission unsafe 'out[i + (n > 1000 ? 0 : 1ll << 40)] = 2 * x[i];'
submission off 'out[i] = 2.00001f * x[i];'
expect right '"ratio":'
expect slow '"verdict":"SLOW"'
expect two 'more than one launch: 2 on this GPU, at most 1'
expect late 'a timed launch: out[65000] is 7, the reference gives '
# As near to the solution's result as to a rounding of FP16 or so; but the truth is known.
expect off 'may be off by 9.5e-07' '"timing"' 42_off_by_a_little
expect right '"done":2' '"numerics"' 43_prepared
# The second process of a case is begun before the case needs it.
compiled aside $course/solutions/31_next_process/next_process.cu
compiled kept $course/exercises/31_next_process/next_process.cu
expect aside '"done":2' '"numerics"' 31_next_process
expect kept 'in process 2 of 2' '"numerics"' 31_next_process
# It would stop the runner, and wait for its answer.
expect right 'cannot be timed with a case that prepares' '"timing"' 43_prepared
expect unsafe '"verdict":"OUT_OF_BOUNDS","reason":"the kernel stopped with an error'
expect right '"slow":1,"inconclusive":0,"wrong":0' '"noise"'
# A whole check of the fixture course, by programs that are its own but for examine: that one runs
# as on a GPU where warpquest starts it by itself, and as on the simulated device where simgpu does.
whole=$folder/build
mkdir -p "$whole/bin"
for part in bin/warpquest bin/simgpu lib config.mk version; do
    ln -s "$build/$part" "$whole/$part"
done
for part in bin/runner bin/walls judges.json; do
    ln -s "$build/test/course/$part" "$whole/$part"
done
cat >"$whole/bin/examine" <<END
#!/usr/bin/env bash
[ -z "\${SIMGPU_SOCKET-}" ] || exec "$build/test/course/bin/examine"
sed '1s/{/{"as_gpu": true, /' | "$build/bin/simgpu" run --control --quiet -- \
    "$build/test/scripted/examine"
END
chmod +x "$whole/bin/examine"

# checked NAME FILE WORDS LESSON: what the record of a check on that GPU holds, on one line
checked()
{
    local said
    said=$("$build/bin/warpquest" --course $course --build "$whole" check "$4" --device gpu \
        --submission "$2" --json 2>&1 | tr -s ' \n' ' ')
    if [[ $said == *$3* ]]; then
        printf '  ok    a check as on a GPU: %s\n' "$1"
    else
        printf '  FAIL  a check as on a GPU: %s is not told of "%s": %s\n' "$1" "$3" "$said"
        failed=1
    fi
}
checked "passes, by numerics that ran ahead" "$folder/right.cu" \
    '"numerics on the GPU": *"verdict": "PASS"' 1
checked "of a file that only the GPU refuses tells why" "$folder/late.cu" \
    'a timed launch: out\[65000\] is 7' 1
checked "of a file that the simulated device refuses does not hear the GPU" \
    $course/exercises/02_*/*.cu '"other small cases": +([0-9.]), "recognising"*"verdict": "WRONG"' 2

# The line that has control becomes a descriptor of the program's, and may have its number already.
for last in {4..8}; do
    for ((fd = 4; fd <= last; fd++)); do eval "exec $fd</dev/null"; done
    expect right '"simulated":true' ' '
done
exit $failed
