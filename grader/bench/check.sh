#!/usr/bin/env bash
# How long a learner waits: `make check-lessonN` on the simulated device, with nothing to rebuild
# and after an edit, of each solution, which takes the longest since everything is judged. A
# row a check, in seconds; exit status 1 when one is above its bound.
#
#     check.sh [lesson [file]]     default: every lesson, its solution
#
# Each is done several times; the middle one is shown. Its parts may run side by side, so that they
# add up to more than the whole. Processor time is shown beside the clock's, since on a machine that
# is busy with something else the clock's is too long.
set -euo pipefail
cd "$(dirname "$0")/../.."

runs=${RUNS:-5}
bound=5 # all but nvcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
slow=0

# check_once <lesson> <file> <record>: seconds of the command as it is typed, and of processor time.
check_once() {
    local status=0 TIMEFORMAT='%R %U %S'
    { time make -s check-lesson"$1" DEVICE=sim JSON=1 SUBMISSION="$2" >"$3" \
        2>"$work/said"; } 2>"$work/time" || status=$?
    # make's status is 2 whatever the verdict; a record says that there was one.
    if ! grep -q '^ "verdict"' "$3"; then
        echo "make check-lesson$1 ended with $status and no record:" >&2
        cat "$work/said" >&2
        exit 1
    fi
    awk '{ print $1, $2 + $3 }' "$work/time"
}

# part <name> <record>: its seconds; 0 if there was none. A record has one member a line.
part() {
    awk -v name="\"$1\":" 'index($0, name) { sub(/.*: /, ""); seconds = $0 + 0 }
        END { printf "%.3f", seconds }' "$2"
}

# row <lesson> <what> <seconds> <processor seconds> <record>
row() {
    echo "$(part compiling "$5") $(part 'compiling the reference' "$5")" \
        "$(part 'small cases' "$5") $(part 'large cases' "$5") $(part 'timed cases' "$5")" |
        awk -v lesson="$1" -v what="$2" -v all="$3" -v processor="$4" -v bound=$bound '{
            nvcc = $1 + $2
            slow = all - nvcc > bound
            printf "%-6s  %-18s %7.2f %7.2f %11.2f %7.2f %7.2f %7.2f %10.2f%s\n", lesson, what,
                all, nvcc, all - nvcc, $3, $4, $5, processor, slow ? "  TOO SLOW" : ""
            exit slow
        }' || slow=1
}

# time_it <lesson> <file> <what> <edit each time: yes or no>
time_it() {
    local run record
    : >"$work/runs"
    for ((run = 1; run <= runs; run++)); do
        [ "$4" = no ] || echo "// edit $run of $$ at $EPOCHREALTIME" >>"$2"
        echo "$(check_once "$1" "$2" "$work/$run.json") $work/$run.json" >>"$work/runs"
    done
    sort -n "$work/runs" | awk -v middle=$(((runs + 1) / 2)) 'NR == middle' >"$work/middle"
    read -r all processor record <"$work/middle"
    row "$1" "$3" "$all" "$processor" "$record"
}

time_lesson() { # time_lesson <lesson> <file>
    cp "$2" "$work/edited.cu"
    check_once "$1" "$work/edited.cu" "$work/first.json" >/dev/null # builds what is missing, once
    time_it "$1" "$work/edited.cu" 'nothing to rebuild' no
    time_it "$1" "$work/edited.cu" 'after an edit' yes
}

echo "Seconds on $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg), the middle one of $runs."
echo "All but nvcc should be at most $bound; small, large and timed cases may run side by side."
printf '%-6s  %-18s %7s %7s %11s %7s %7s %7s %10s\n' lesson check all nvcc 'all but it' small \
    large timed processor
if [ $# -gt 0 ]; then
    time_lesson "$1" "${2:-$(echo solutions/"$(printf %02d "$1")"_*/*.cu)}"
else
    for folder in solutions/0[1-9]_* solutions/[1-9]*_*; do
        lesson=${folder#solutions/}
        time_lesson "$((10#${lesson%%_*}))" "$(echo "$folder"/*.cu)"
    done
fi
exit $slow
