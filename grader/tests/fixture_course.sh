#!/usr/bin/env bash
# The grader judges a course made for it, with one tiny lesson for each verdict: each exercise gets
# what its judge says it must get (verdict, gate and line); some of them again as on a device
# without CUDA IPC. One line for each; exit status 1 when one did not.
#
#     fixture_course.sh [build folder [seed]]
set -u
cd "$(dirname "$0")/../.."
products=${1:-build} seed=${2:-0}
build=$products/test/course
for part in bin/warpquest bin/simgpu lib config.mk; do
    mkdir -p "$(dirname "$build/$part")"
    ln -sfn "$(realpath "$products/$part")" "$build/$part"
done
source grader/tests/claim.sh
export QUEST=0 # the last line is to be the verdict
warpquest() { "$products/bin/warpquest" --course grader/tests/course --build "$build" "$@"; }

warpquest verify-exercises --device sim --seed "$seed" || failed=1

gets_without_ipc() { # gets_without_ipc <lesson> <verdict>
    local last
    last=$(warpquest check "$1" --device sim --no-ipc | tail -n 1)
    [[ $last == *"lesson $1"*"$2"* ]] || { echo "lesson $1: $last"; return 1; }
}
for expected in "1 100 points" "2 [WRONG]" "3 [SLOW]" "7 [OUT_OF_BOUNDS]" "16 [INPUT_MODIFIED]" \
    "17 [GUARD]" "19 [TIMEOUT]" "21 [CRASH]"; do
    claim "lesson ${expected%% *} without CUDA IPC: ${expected#* }" \
        gets_without_ipc "${expected%% *}" "${expected#* }"
done
says() { # says <lesson> <words>
    warpquest check "$1" --device sim | tr -s ' \n' ' ' | grep -qF -- "$2"
}
claim "a stray access is told by the buffer's name" says 7 "buffer x"
claim "a missing function is told with its contract" says 6 "contracts/06_no_launcher.h"
claim "what is kept in memory is not there in the next process" \
    says 31 "invalid argument, in process 2 of 2"
solves() { # solves <lesson> <slug> [options...]
    local key=${1}_$2 slug=$2 output
    shift 2
    output=$(warpquest check "${key%%_*}" --device sim "$@" \
        --submission "grader/tests/course/solutions/$key/$slug.cu")
    grep -q '^PASS' <<<"${output##*$'\n'}" || { echo "$output"; return 1; }
}
claim "what is put into the file is there in the next process" solves 31 next_process
solves_always() { # ten draws of the device's and the program's addresses
    local draw
    for draw in {1..10}; do solves "$@" || return; done
}
claim "and so it is without CUDA IPC, whatever addresses are drawn" \
    solves_always 31 next_process --no-ipc
for expected in "35 [ARGUMENTS]" "36 [ARGUMENTS]"; do
    claim "lesson ${expected%% *} without CUDA IPC: ${expected#* }" \
        gets_without_ipc "${expected%% *}" "${expected#* }"
done
claim "what is to be refused is told with both errors" \
    says 35 "the launcher returned cudaSuccess, where the contract says"
claim "what refuses it passes" solves 35 not_refused
claim "what launches nothing for nothing passes" solves 36 launches_anyway
claim "a launch that cannot be is told with its reason" says 18 "a grid of 0 blocks"
claim "what is not simulated is told with instruction and line" \
    says 32 "not_simulated.cu:8: the register '%pm0' is not known"
claim "the gates behind it are not measured either" \
    says 32 "numerics -- not measured, for the same reason"
lacks() { # lacks <lesson> <files...>
    local lesson=$1 output
    shift
    output=$(warpquest verify-course "$lesson" --device sim)
    grep -qF -- "missing: $*" <<<"$output"
}
claim "a lesson's missing parts are told all at once" \
    lacks 1 common/contracts/01_pass.h grader/judges/01_pass/exercise.cu lessons/01_pass/notes.md
claim "a process that a submission leaves behind is ended" \
    bash -c '! grep -sqx tiny_daemon /proc/[0-9]*/comm'
exit $failed
