#!/usr/bin/env bash
# sanitizer.sh - does NVIDIA's compute-sanitizer, on the GPU at hand, find what the simulated device
# finds, and does it agree that the correct kernels are correct?
#
#     sanitizer.sh PLANTED CORRECT TABLE OUT
#
# TABLE is what verify wrote: a line a planted fault, with what the simulated device says of it and
# which tool has to say what. Faults for which no tool is named are shown to the tool nearest to
# them all the same. The sources of the correct kernels name those that a tool reports wrongly. Each
# is committed in a process of its own, since a fault ends the context; one that never ends is
# stopped. Writes OUT/sanitizer.csv and a log for each run; the exit status is 1 when a tool that
# should have found a fault did not, or reports a correct kernel.
set -euo pipefail

SECONDS_EACH=${SECONDS_EACH:-25}
AT_ONCE=${AT_ONCE:-8}

# The tool that looks for what the simulated device calls TITLE.
tool_for()
{
    case $1 in
    *race* | *cp.async*) echo racecheck ;;
    *barrier* | *mask* | deadlock) echo synccheck ;;
    uninitialised*) echo initcheck ;;
    *) echo memcheck ;;
    esac
}

# The first error in a log, in the tool's words.
first_error()
{
    grep -E '^=========' "$1" |
        grep -vE 'COMPUTE-SANITIZER|SUMMARY|^=========$|Target application|Saved host' |
        grep -vE 'Host Frame|Device Frame' | sed -E 's/^=+ *//; s/, *$//' |
        grep -m1 -iE 'invalid|error|race|uninit|overflow|hazard|leak' |
        cut -c1-160 || true
}

# The lines of our own files that a log names, each once.
lines_named()
{
    grep -vE 'Host Frame' "$1" | grep -E '^=========.* in .*\.cu:[0-9]+' |
        grep -oE '[a-z_]+\.cu:[0-9]+' |
        sort -u | tr '\n' ' ' || true
}

# One planted fault: a line of the table in, a line of the CSV out.
examine()
{
    local name title file line asked tool says found lines verdict log status=0
    IFS=$'\t' read -r name title file line asked <<<"$1"
    tool=${asked%%[ :]*}
    says=${asked#"$tool"}
    says=${says# }
    [[ $tool != none ]] || tool=$(tool_for "$title")
    log=$OUT/sanitizer/$name.log
    timeout -k 2 "$SECONDS_EACH" compute-sanitizer --tool "$tool" "$PLANTED" "$name" \
        >"$log" 2>&1 || status=$?
    found=$(first_error "$log")
    lines=$(lines_named "$log")
    if ((status == 124 || status == 137)); then
        found="(stopped after $SECONDS_EACH s) $found"
    fi
    if [[ $asked == none* ]]; then
        verdict='not covered'
        [[ -z $found || $found == '(stopped'* ]] || verdict='found too'
    elif grep -qiF -- "$says" "$log" && [[ -n $found ]]; then
        verdict=agrees
        [[ $title == refused || -z $lines || $lines == *"$(basename "$file"):$line "* ]] ||
            verdict='agrees on another line'
    else
        verdict=DIFFERS
    fi
    printf '%s,%s,%s:%s,%s,"%s",%s,%s\n' "$name" "$title" "$(basename "$file")" "$line" "$tool" \
        "${found//\"/\'}" "${lines% }" "$verdict"
}

# One correct kernel, or all, under one tool.
examine_correct()
{
    local tool=$1 name=$2 errors verdict=DIFFERS
    local log=$OUT/sanitizer/correct-$1-$2.log
    timeout -k 2 100 compute-sanitizer --tool "$tool" "$CORRECT" "$name" >"$log" 2>&1 || true
    errors=$(grep -oE 'SUMMARY: [0-9]+ (error|hazard)' "$log" | grep -oE '[0-9]+' | tail -1 || true)
    if [[ $errors == 0 ]] && grep -q '  ok ' "$log"; then
        verdict='agrees: correct'
    elif grep -qE "^// $tool reports .*\\<$name\\>" "$CORRECT_SOURCES"/*.cu; then
        verdict='reports it wrongly'
    fi
    printf '%s,,,%s,"%s",%s,%s\n' "$name" "$tool" "$(first_error "$log" | tr '"' "'")" \
        "$(lines_named "$log" | cut -c1-200)" "$verdict"
}

one()
{
    local what=$1
    if [[ $what == correct:* ]]; then
        what=${what#correct:}
        examine_correct "${what%%:*}" "${what#*:}"
    else
        examine "$what"
    fi
}

main()
{
    local started=$SECONDS csv=$OUT/sanitizer.csv
    mkdir -p "$OUT/sanitizer"
    "$CORRECT" all
    echo 'fault,simulated device,line,tool,compute-sanitizer says,lines it names,verdict' >"$csv"
    {
        printf 'correct:%s:all\n' memcheck initcheck
        "$CORRECT" list | sed 's/^/correct:racecheck:/'
        "$CORRECT" list | sed 's/^/correct:synccheck:/'
        cat "$TABLE"
    } | tr '\n' '\0' | xargs -0 -P "$AT_ONCE" -n 1 "$0" one >"$csv.new"
    LC_ALL=C sort "$csv.new" >>"$csv"
    rm "$csv.new"
    awk -F, 'NR > 1 && $NF != "agrees: correct" {
        printf "  %-34s %-26s %-10s %s\n", $1, $2, $4, $NF }' "$csv"
    awk -F, 'NR > 1 { count[$NF]++ } END { for (v in count) printf "  %4d %s\n", count[v], v }' \
        "$csv"
    echo "  in $((SECONDS - started)) s; the tools' words are in $csv"
    ! grep -q 'DIFFERS$' "$csv"
}

if [[ ${1:-} == one ]]; then
    one "$2"
    exit
fi
if (($# != 4)); then
    echo 'usage: sanitizer.sh PLANTED CORRECT TABLE OUT' >&2
    exit 64
fi
command -v compute-sanitizer >/dev/null || {
    echo 'sanitizer.sh: no compute-sanitizer: it comes with the CUDA toolkit, for a GPU' >&2
    exit 1
}
CORRECT_SOURCES=$(dirname "$0")/correct
export PLANTED=$1 CORRECT=$2 TABLE=$3 OUT=$4 SECONDS_EACH AT_ONCE CORRECT_SOURCES
main
