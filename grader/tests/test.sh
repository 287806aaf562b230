#!/usr/bin/env bash
# All parts of `make test`: test.sh BUILD PART... -- CREW... Each is a target of make.
#
# A part does one thing after the other, so as many parts as there are processors (JOBS=n) run at a
# time; the output of each is shown when it ends. A crew uses all processors itself: crews come
# after the parts, one by one, and are shown as they run. When one fails, nothing else is begun. For
# each, its processor time is shown, which does not depend on what else the machine does. The last
# line says how much was tested, as tally.awk counts it; needs MAKE.
set -uo pipefail
set -m # each part is a process group of its own, which an interrupt ends
build=$1
shift
here=$(dirname "$0")
logs=$build/test/parts
jobs=${JOBS:-$(nproc)}
rm -rf "$logs" && mkdir -p "$logs" || exit 1

parts=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    parts+=("$1")
    shift
done
[ $# -eq 0 ] || shift
crews=("$@")
count=$((${#parts[@]} + ${#crews[@]})) ended=0
declare -A running=() # the process of each part, by its number in the list
failed=

stop() {
    local process
    for process in "${running[@]}"; do kill -INT -- "-$process" 2>>"$logs/kill"; done
    exit 130
}
trap stop INT TERM

begin() { # number
    local part=${parts[$1]}
    ("${MAKE:-make}" --no-print-directory "$part" >"$logs/$1.$part" 2>&1 </dev/null
        echo $? >"$logs/$1.status"
        times >"$logs/$1.times") &
    running[$1]=$!
}

title() { # part, what else is known of it
    ended=$((ended + 1))
    echo "== $1 ($ended of $count, $((SECONDS / 60)) min $((SECONDS % 60)) s${2:-})"
}

# Of a file that `times` wrote: what the children took, user and system, as a title tells it.
processor_time() {
    awk -F '[ms ]+' 'NR == 2 {
        printf "; %.0f s of a processor", ($1 + $3) * 60 + $2 + $4
    }' "$1" 2>>"$logs/kill"
}

# Of those that have ended, what they printed, and whether they failed.
show_ended() {
    local number status
    for number in "${!running[@]}"; do
        kill -0 "${running[$number]}" 2>>"$logs/kill" && continue
        unset "running[$number]"
        title "${parts[$number]}" "$(processor_time "$logs/$number.times")"
        cat "$logs/$number.${parts[$number]}"
        status=$(cat "$logs/$number.status" 2>>"$logs/kill")
        [ "$status" = 0 ] || failed+=" ${parts[$number]}"
    done
}

for number in "${!parts[@]}"; do
    while [ ${#running[@]} -ge "$jobs" ]; do wait -n; show_ended; done
    [ -z "$failed" ] || break
    begin "$number"
done
while [ ${#running[@]} -gt 0 ]; do wait -n; show_ended; done
for crew in "${crews[@]}"; do
    [ -z "$failed" ] || break
    title "$crew"
    "${MAKE:-make}" --no-print-directory "$crew" 2>&1 | tee "$logs/crew.$crew" || failed=" $crew"
done

if [ -n "$failed" ]; then
    echo "FAIL:$failed; to run only that part: make${failed}"
else
    echo "PASS: $count parts in $((SECONDS / 60)) min $((SECONDS % 60)) s: ${parts[*]} ${crews[*]}"
fi
cat "$logs"/*.* | awk -v failed="${failed:+1}" -f "$here/tally.awk"
[ -z "$failed" ]
