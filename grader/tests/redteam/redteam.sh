#!/usr/bin/env bash
# Attacks on the grader, each of which must be refused, and honest oddities, each of which must
# pass, by the product's own command: `warpquest check`.
#
#     redteam.sh BUILD [NAME...]       all of table.txt, or only those
#
# DEVICE=sim|gpu (sim), SEED=n (drawn), SAMPLE=n (only n attacks, drawn by the seed), JOBS=n at a
# time (2), MOST_SECONDS=n a check (150), LOGS=folder for what each check said. It prints a line for
# each; then which attacks are open, and what was left behind. The last line says whether everything
# is as in table.txt and open.txt. Exit status 1 when it is not.
set -u
set -f # a row is words, and "SLOW?" no pattern
cd "$(dirname "$0")/../../.."
here=grader/tests/redteam
products=$(realpath "${1:-build}")
shift
source $here/workshop.sh
device=${DEVICE:-sim}
seed=${SEED:-$((RANDOM << 15 | RANDOM))}
jobs=${JOBS:-2}
group=${GROUP:-8}
most_seconds=${MOST_SECONDS:-150} # twice what one takes that is stopped by the clock

# --- The table --------------------------------------------------------------------------------

# Rows of table.txt: kind name lesson verdict gate [verdict on a GPU].
rows() {
    grep -vE '^(#|$)' $here/table.txt
}

# An attack for each file and a file for each attack, and none named twice.
table_is_whole() {
    diff <(rows | awk '{ print $1 "/" $2 }' | sort) \
        <(cd $here && find attacks honest -name '*.cu' | sed 's/\.cu$//' | sort) | grep '^[<>]'
}

# open_as NAME: what an open one gets on this device; empty when it is not open.
open_as() {
    awk -v name="$1" -v device="$device" '$1 == name && ($2 == device || $2 == "both") {
        print $3 }' $here/open.txt
}

# Rows of those that are not open: of a few, each is to say something.
settled() {
    rows | awk -v device="$device" 'NR == FNR { if ($2 == device || $2 == "both") open[$1]; next }
        !($2 in open)' $here/open.txt -
}

chosen() {
    if [ $# -gt 0 ]; then
        for name in "$@"; do rows | awk -v name="$name" '$2 == name'; done
    elif [ -n "${SAMPLE:-}" ]; then
        settled | awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' | sort -n |
            head -n "$SAMPLE" | cut -d' ' -f2-
    else
        rows
    fi
}

# --- One row ----------------------------------------------------------------------------------

# met WANTED GOT POINTS: "SLOW" is that verdict; "SLOW?" any that takes points, but for those of a
# file that was never run: what does not compile, attacks nothing.
met() {
    [ "$1" = "$2" ] || [ "$1" = "$2?" ] && return 0
    [[ $2 = BUILD || $2 = COMPILER_LIMIT || $2 = REFUSED || $2 = NO_LAUNCHER ]] && return 1
    [[ $1 == *\? ]] && [ "$2" != PASS ] && [[ $3 =~ ^[0-9]+$ ]]
}

# judge KIND NAME LESSON VERDICT GATE [GPU]: one line, "state|name|got|seconds|remark".
judge() {
    local kind=$1 name=$2 lesson=$3 wanted=$4 gate=$5 start=$EPOCHREALTIME
    [ "$device" = gpu ] && [ -n "${6:-}" ] && wanted=$6 gate=-
    check "$lesson" "$here/$kind/$name.cu" "$name"
    local got open state=FAIL remark=$reason
    got=$verdict
    open=$(open_as "$name")
    if met "$wanted" "$got" "$points" && { [ "$gate" = - ] || [ "$gate" = "$failed_gate" ] ||
        [[ $wanted == *\? ]]; }; then
        state=ok
        [ -n "$open" ] && state=FAIL remark="no longer open: take it off open.txt ($reason)"
        [[ $wanted == *\? ]] && [ "$wanted" != "$got?" ] && remark="not ${wanted%\?}: $reason"
    elif [ -n "$open" ] && [ "$open" = "$got" ]; then
        state=open
    else
        remark="wanted $wanted ${gate/#-/}, got it at ${failed_gate:-no gate}: $reason"
    fi
    [ -n "$left" ] && state=FAIL remark="left behind: $left"
    local seconds
    seconds=$(awk "BEGIN { print $EPOCHREALTIME - $start }")
    [ "${seconds%.*}" -ge "$most_seconds" ] && state=FAIL remark="it took too long"
    printf '%s|%s|%s|%.1f|%s\n' "$state" "$kind/$name" "$got $points" "$seconds" "$remark"
}

# The next student's verdict is what it would have been.
judge_witnesses() {
    local changed
    changed=$(witnesses)
    printf '%s|%s|%s|0|%s\n' "$([ -z "$changed" ] && echo ok || echo FAIL)" "the next students" \
        "$([ -z "$changed" ] && echo "as before" || echo changed)" "$changed"
}

# --- All of them ------------------------------------------------------------------------------

# One at a time, as they come: awk would wait for more.
tell() {
    local state what got seconds remark
    while IFS='|' read -r state what got seconds remark; do
        [ "$state" = ok ] && [[ $remark != not\ * ]] && remark=
        printf '  %-5s %-44s %-22s %5.1f s  %.160s\n' "$state" "$what" "$got" "$seconds" "$remark" |
            tr -c '[:print:]\n' '?'
    done
}

run_all() {
    local count=0 row
    while read -r row; do
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
        judge $row &
        count=$((count + 1))
        [ $((count % group)) = 0 ] && { wait; judge_witnesses; }
    done < <(chosen "$@")
    wait
    judge_witnesses
}

missing=$(table_is_whole)
if [ -n "$missing" ]; then
    echo "  FAIL  table.txt and the files differ: $(tr '\n' ' ' <<<"$missing")"
    exit 1
fi
build_workshop || exit 1
know_witnesses || exit 1
echo "redteam: seed $seed, device $device, $jobs at a time"
run_all "$@" | tee "$work/results" | tell
remaining=$(left_in_the_end)
awk -F'|' -v left="$remaining" -v seed="$seed" '
    { count[$1]++; kind = $2; sub(/\/.*/, "", kind); if (kind != "the next students") all[kind]++ }
    END { if (left != "")
              print "  FAIL  left behind: " left
          printf "%s: %d attacks, %d honest oddities; %d as they have to be, %d open, %d not as " \
              "expected (SEED=%d shows it again)\n", count["FAIL"] || left != "" ? "FAIL" : "PASS",
              all["attacks"], all["honest"], count["ok"], count["open"], count["FAIL"], seed
          exit count["FAIL"] > 0 || left != "" }' "$work/results"
