#!/usr/bin/env bash
# Does the grader tell a process that the kernel killed for want of memory from one that ended
# itself? The kernel kills for real, in a control group that has little memory: starved.sh BUILD.
set -u
cd "$(dirname "$0")/../../.."
. grader/tests/claim.sh
products=$(realpath "${1:-build}")
solution=solutions/01_coalescing/coalescing.cu

# --- A group with so much memory (version 2, or 1) ------------------------------------------------
group=
for above in /sys/fs/cgroup /sys/fs/cgroup/memory; do
    [ -e "$above/memory.limit_in_bytes" ] ||
        grep -qsw memory "$above/cgroup.subtree_control" || continue
    group=$above/warpquest-starved-$$
    mkdir "$group" 2>/dev/null && break
    group=
done
if [ -z "$group" ]; then
    echo "  -     starved: not tried, since no control group with a limit can be made here"
    exit 0
fi
trap 'rm -rf "$work"; kill $(cat "$group/cgroup.procs") 2>/dev/null; sleep 0.1; rmdir "$group"' EXIT
if [ -e "$group/memory.max" ]; then limit=memory.max; else limit=memory.limit_in_bytes; fi
echo 900M >"$group/$limit" || exit 1

within() { # within <command...>: in the group
    bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}
# Neighbours take all of it for lines without an end, and die of it in the end. (Of one alone, which
# has it all, the kernel thinks worse than of what is offered to it.)
neighbours() {
    within tail /dev/zero &
    local other=$!
    within tail /dev/zero
    wait $other
}
walls() { within "$products/bin/walls" threads=64 -- "$@"; }

ends_with() { # ends_with <status> <command...>
    local wanted=$1 status
    shift
    "$@"
    status=$?
    echo "its status is $status"
    [ $status = "$wanted" ]
}
killed_by_a_neighbour() {
    walls sleep 60 &
    local sleeper=$!
    sleep 0.5
    neighbours
    wait $sleeper
}

claim "a process that the kernel kills, since others took the memory, is starved (250)" \
    ends_with 250 killed_by_a_neighbour
claim "one that took the memory itself is not (128 + SIGKILL)" ends_with 137 walls tail /dev/zero
claim "nor is one that kills itself" ends_with 137 walls sh -c 'kill -KILL $$'

# --- A check --------------------------------------------------------------------------------------
# The neighbours come when a runner has been there for a while: the submission's, since the
# reference's only loads. It is what offers itself, and nothing else of a check has that library.
check() {
    within "$products/bin/warpquest" check 1 --device sim --submission $solution --seed 20 --json
}
runner() {
    local process
    for process in $(cat "$group/cgroup.procs"); do
        grep -qsx 1000 "/proc/$process/oom_score_adj" &&
            grep -qs libcudart "/proc/$process/maps" && echo "$process"
    done | head -n 1
}
loses_no_points() {
    check >"$work/output" 2>&1 &
    local checking=$! seen=0 before= now
    while [ $seen -lt 10 ] && [ -d /proc/$checking ]; do
        now=$(runner)
        [ -n "$now" ] && [ "$now" = "$before" ] && seen=$((seen + 1)) || seen=0
        before=$now
        sleep 0.05
    done
    neighbours
    wait $checking
    [ $seen = 10 ] && [ ! -d "/proc/$before" ] &&
        grep -qE '^ "verdict": "(PASS|DEVICE)"' "$work/output" # the latter if it met all that came
}
check >"$work/output" 2>&1 # what it needs is built
claim "a check whose runner the kernel kills loses no points" loses_no_points
exit $failed
