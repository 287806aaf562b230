#!/usr/bin/env bash
# How long a learner waits: `make check-lessonN` with nothing to rebuild, and after an edit, on the
# simulated device, with its parts. A line a figure; exit status 1 when one is above its bound.
#
#     check.sh [lesson [file]]     default: lesson 1, as shipped
#
# Each is done several times; the middle one is shown. Processor time is shown beside the clock's,
# since on a machine that is busy with something else the clock's is too long.
set -euo pipefail
cd "$(dirname "$0")/../.."

lesson=${1:-1}
file=${2:-$(echo grader/judges/"$(printf %02d "$lesson")"_*/exercise.cu)}
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
slow=0

# Seconds of each part of a record (JSON, one member a line), as "part seconds".
parts_of() {
    awk '
        function number(line) { sub(/.*: /, "", line); sub(/,$/, "", line); return line }
        /^   "seconds": /                            { seconds = number($0) }
        /^   "gate": /                               { gate = number($0); gsub(/"/, "", gate) }
        /^  }/                                       { if (gate) part[gate] = seconds; gate = "" }
        /^  "compiling": /                           { nvcc += number($0) }
        /^  "compiling the reference": /             { nvcc += number($0) }
        /^  "(simulated device|recognising|ceilings)": / { examine += number($0) }
        /^ "seconds": /                              { all = number($0) }
        END {
            gates = part["safety"] + part["numerics"] + part["counters"]
            print "nvcc", nvcc
            print "safety", part["safety"]
            print "numerics", part["numerics"]
            print "counters, modelled time", part["counters"]
            print "starting device and runners", examine - gates
            print "the rest of the check", all - nvcc - examine
        }' "$1"
}

# check_once <file> <record>: seconds of the command as it is typed, and of processor time.
check_once() {
    local status=0 TIMEFORMAT='%R %U %S'
    { time make -s check-lesson"$lesson" DEVICE=sim JSON=1 SUBMISSION="$1" >"$2" \
        2>"$work/said"; } 2>"$work/time" || status=$?
    # make's status is 2 whatever the verdict; a record says that there was one.
    if ! grep -q '^ "verdict"' "$2"; then
        echo "make check-lesson$lesson ended with $status and no record:" >&2
        cat "$work/said" >&2
        exit 1
    fi
    awk '{ print $1, $2 + $3 }' "$work/time"
}

# show <what> <bound> <ours at most>: the middle one of the runs in $work/runs.
show() {
    sort -n "$work/runs" | awk -v middle=$(((runs + 1) / 2)) 'NR == middle' >"$work/middle"
    read -r total processor record <"$work/middle"
    parts_of "$record" | awk -v what="$1" -v bound="$2" -v ours_bound="$3" -v total="$total" \
        -v processor="$processor" '
        { seconds[NR] = $NF; sub(/ [^ ]*$/, ""); name[NR] = $0; sum += seconds[NR] }
        END {
            ours = total - seconds[1]
            slow = total > bound || ours > ours_bound
            printf "%-58s %6.2f s   at most %g s%s\n", what, total, bound, slow ? "   TOO SLOW" : ""
            for (i = 1; i <= NR; i++)
                printf "  %-56s %6.2f s\n", name[i], seconds[i]
            printf "  %-56s %6.2f s\n", "make", total - sum
            printf "  %-56s %6.2f s\n", "(processor time of it all)", processor
            if (seconds[1] > 0.1)
                printf "  %-56s %6.2f s   at most %g s\n", "all but nvcc", ours, ours_bound
            exit slow
        }' || slow=1
}

repeat() { # repeat <runs> <edit each time: yes or no>
    : >"$work/runs"
    for ((run = 1; run <= $1; run++)); do
        [ "$2" = no ] || echo "// edit $run of $$ at $EPOCHREALTIME" >>"$work/edited.cu"
        echo "$(check_once "$work/edited.cu" "$work/$run.json") $work/$run.json" >>"$work/runs"
    done
}

cp "$file" "$work/edited.cu"
check_once "$work/edited.cu" "$work/first.json" >/dev/null # builds what is missing, once
echo "measured on $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg), the middle one of $runs"
repeat "$runs" no
show "make check-lesson$lesson, nothing to rebuild" 3 3
repeat "$runs" yes
show "make check-lesson$lesson after an edit" 6 3
exit $slow
