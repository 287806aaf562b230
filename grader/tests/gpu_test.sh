#!/usr/bin/env bash
# Every test that compares the simulated device with a real one, for a machine with a GPU: `make
# gpu-test`.
#
#     gpu_test.sh BUILD        needs MAKE, and CUDA_HOME unless the toolkit is in its usual place
#
# Prints a line for each part, with its seconds; the output of each part is in a log of its own, in
# $OUT or BUILD/gpu. A part that fails does not keep the others from running. Exit status 1 when one
# failed, or when there is no GPU.
set -u
build=$1
logs=${OUT:-$build/gpu}
libraries=${CUDA_HOME:-/usr/local/cuda}/lib64
failed=0

# Only then are there kernels to run: nvidia-smi may be missing where a GPU works, as under WSL2.
gpu_is_here()
{
    [[ -e /dev/nvidiactl || -e /dev/dxg ]]
}

# line STATE NAME SECONDS TEXT
line()
{
    printf '  %-5s %-14s %6.1f s  %s\n' "$@"
}

# The last line of a log that says something.
last_line()
{
    grep -v '^[[:space:]]*$' "$1" | tail -n 1 | cut -c 1-100
}

# What failed first, as the part that failed said it.
first_failure()
{
    grep -m 1 -E '^ *(FAIL|NO) | WRONG' "$1" | cut -c 1-200
}

# part NAME COMMAND...: run it, keep what it says, tell how it ended.
part()
{
    local name=$1 log=$logs/$1.log start=$EPOCHREALTIME state=ok
    shift
    "$@" >"$log" 2>&1 || state=FAIL
    local seconds
    seconds=$(awk "BEGIN { print $EPOCHREALTIME - $start }")
    line "$state" "$name" "$seconds" "$(last_line "$log")"
    [[ $state == ok ]] && return
    failed=1
    first_failure "$log"
    printf '        log: %s\n' "$log"
}

# As part, for what has to be compiled by nvcc first.
compiled_part()
{
    if command -v "${NVCC:-nvcc}" >/dev/null; then
        part "$@"
    else
        line skip "$1" 0 "it needs nvcc: \`make setup\` brings the CUDA toolkit"
    fi
}

# built TARGET...: made quietly; what make says goes to the part's log.
built()
{
    ${MAKE:-make} --no-print-directory "$@"
}

opcodes()
{
    built "$build/test/gpu_ptx" && "$build/test/gpu_ptx" grader/tests/ptx/*.test
}

tensor()
{
    built "$build/test/gpu_tensor" && LD_LIBRARY_PATH=$libraries "$build/test/gpu_tensor"
}

programs()
{
    LD_LIBRARY_PATH=$libraries LOGS=$logs built gpu-programs
}

# verdict STATUS LESSON FILE: a check on the GPU ends with that exit status.
verdict()
{
    local wanted=$1 status=0
    "$build/bin/warpquest" check "$2" --submission "$3" --device gpu || status=$?
    if [[ $status != "$wanted" ]]; then
        echo "$3: the check's exit status is $status and should be $wanted"
        return 1
    fi
}

lesson0()
{
    verdict 0 0 grader/judges/00_machine/exercise.cu
}

lesson1()
{
    verdict 2 1 grader/judges/01_coalescing/exercise.cu &&
        verdict 0 1 solutions/01_coalescing/coalescing.cu
}

redteam()
{
    DEVICE=gpu LOGS=$logs/redteam built redteam
}

cd "$(dirname "$0")/../.." || exit 1
if ! gpu_is_here; then
    echo "There is no GPU here, so nothing was tested; \`make test\` needs none."
    exit 1
fi
mkdir -p "$logs" || exit 1
echo "Is what the simulated device does what this GPU does? Logs: $logs"
part opcodes opcodes
compiled_part tensor tensor
compiled_part programs programs
compiled_part lesson0 lesson0
compiled_part lesson1 lesson1
compiled_part redteam redteam
if [[ $failed == 0 ]]; then
    echo "PASS: the GPU agrees"
else
    echo "FAIL: the logs say where it does not"
fi
exit $failed
