#!/usr/bin/env bash
# Blocks that wait for each other count the same in every run and for any number of threads, and
# their waiting is not counted: waits.sh simgpu waits
set -u
simgpu=$1
program=$2
most_instructions=10000000 # of threads; the clock alone would take many times that
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# All counters of one run; the process has another number each time.
counters() { # threads
    timeout "${PROGRAM_SECONDS:-60}" "$simgpu" run --threads "$1" --json "$folder/run.json" -- \
        "$program" >"$folder/out" 2>&1 || { cat "$folder/out"; return 1; }
    sed -E 's/"process":[0-9]+,//' "$folder/run.json"
}

fail() {
    printf '  FAIL  %s\n' "$1"
    exit 1
}

counters 1 >"$folder/first" || fail "waits does not end"
for threads in 1 2 2 3 4; do
    counters $threads >"$folder/again" || fail "waits does not end with $threads threads"
    cmp -s "$folder/first" "$folder/again" ||
        fail "waits counts otherwise in another run, with $threads threads"
done
total=$(grep -o '"thread_instructions":[0-9]*' "$folder/first" | cut -d: -f2 | paste -sd+ | bc)
[ "$total" -le $most_instructions ] ||
    fail "waiting is counted: $total thread instructions, at most $most_instructions"
echo "  ok    waits count the same in every run ($total thread instructions)"
