#!/usr/bin/env bash
# What `simgpu run --check=continue` makes of continue.cu. A line each; exit status 1 when one does
# not hold.
#
#     continue.sh simgpu program json_value
set -u
simgpu=$1
program=$2
json_value=$3
source=$(dirname "$0")/continue.cu
source "$(dirname "$0")/../claim.sh"

run() { # run <threads> <arguments...>: its screen is kept, its exit status returned
    local threads=$1
    shift
    "$simgpu" run --check=continue --threads "$threads" --json "$work/$threads.json" -- \
        "$program" "$@" >"$work/output" 2>"$work/screen"
}
line_of() { grep -nF -- "$1" "$source" | head -1 | cut -d: -f1; }
said() { [ "$(grep -c -- "$1" "$work/screen")" = "$2" ]; }
value() { # value <is> <keys...>
    local is=$1 got
    shift
    got=$("$json_value" "$work/1.json" "$@") && [ "$got" = "$is" ] || { echo "$got"; false; }
}
findings() { # findings <threads>: all there is to know of them
    local i=0 key
    while "$json_value" "$work/$1.json" findings $i title; do
        for key in message kernel times "at line" "other line"; do # words on purpose
            "$json_value" "$work/$1.json" findings $i $key
        done
        i=$((i + 1))
    done 2>/dev/null
}
same_for_threads() {
    run 4
    findings 1 >"$work/one"
    findings 4 >"$work/four"
    [ -s "$work/one" ] && diff "$work/one" "$work/four"
}

run 1
status=$?
claim "faults that were found are an exit status of their own" [ "$status" = 3 ]
claim "the program runs to its end" [ "$(cat "$work/output")" = cudaSuccess ]
claim "each pair of lines is told once" said "^simgpu: shared memory race in kernel" 1
claim "what comes of a race is not told besides" said "uninitialised read in kernel" 1
claim "the next kernel's faults are told, too" said \
    "uninitialised read in kernel filled_in_part" 1
claim "the list at the end has all, with how often" said \
    "  continue.cu:$(line_of 's_row[i] = in[i];') and $(line_of 'out[i] = s_row[i ^ 32];')" 1
claim "a race is counted over all blocks and launches" value 1200 findings 0 times
claim "the file has the kernel of each" value filled_in_part findings 1 kernel
claim "threads of the device change nothing in it" same_for_threads

run 1 past_the_end
status=$?
claim "an access out of bounds still ends its launch" said "simgpu: out of bounds in kernel" 1
claim "then the program's own exit status stays" [ "$status" = 1 ]
run 1 past_the_end unchecked
status=$?
claim "a program that does not look at its errors does not end with 0" [ "$status" = 3 ]

"$simgpu" run --check=never -- "$program" >"$work/output" 2>"$work/screen"
claim "another word is refused" said '^simgpu: --check takes nothing or =continue, not "never"$' 1

exit $failed
