#!/usr/bin/env bash
# A busy machine changes no verdict: busy.sh BUILD LOOPS ROW... Each check runs on one processor
# next to LOOPS loops that never end. A row is LESSON:FILE:VERDICT; an attack's file is flattened.
set -uo pipefail
products=$(realpath "$1") loops=$2
shift 2
here=grader/tests/redteam device=sim seed=${SEED:-1} LATE=${LATE:-3000}
. $here/workshop.sh
build_workshop || exit 1

# The last processor that we may use, and we stay on it, with all that comes after this.
processors=$(taskset -pc $$ 2>"$work/taskset") && taskset -pc "${processors##*[ ,-]}" $$ >/dev/null
started=()
for ((i = 0; i < loops; i++)); do
    while :; do :; done &
    started+=($!)
done
trap 'kill "${started[@]}"; rm -rf "$work"' EXIT

passed=0 failed=0
for row in "$@"; do
    IFS=: read -r lesson file expected <<<"$row"
    began=$SECONDS
    check "$lesson" "$file" "busy_$(basename "$file" .cu)"
    if [ "$verdict" = "$expected" ]; then
        passed=$((passed + 1))
        echo "  ok    lesson $lesson, $(basename "$file"): $verdict ($((SECONDS - began)) s)"
    else
        failed=$((failed + 1))
        echo "  FAIL  lesson $lesson, $(basename "$file"): $verdict, not $expected ($reason)"
    fi
done
echo "busy: $passed passed, $failed failed, beside $loops busy loops on one processor"
[ $failed = 0 ]
