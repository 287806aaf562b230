#!/usr/bin/env bash
# A program that orders its work is right in any order the device may choose; one that forgets to is
# shown to be wrong by each seed: races.sh simgpu order
set -u
simgpu=$1
order=$2
failed=0

claim() { # what, status expected, seed, what the program forgets
    timeout "${PROGRAM_SECONDS:-60}" "$simgpu" run --quiet --seed "$3" -- \
        "$order" "$4" >/dev/null 2>&1
    local status=$?
    [ $status = "$2" ] && return
    printf '  FAIL  %s (seed %s, exit status %d)\n' "$1" "$3" $status
    failed=1
}

for seed in 1 2 3 12345; do
    claim "a program that waits is right in any order" 0 $seed ""
    for forgotten in "the wait for an event" "waiting for the stream" "a stream that blocks" \
        "waiting before freeing" "an edge in the graph"; do
        claim "a program without $forgotten is wrong" 3 $seed "$forgotten"
    done
done
[ $failed = 0 ] && echo '  ok    a forgotten wait shows, with any seed'
exit $failed
