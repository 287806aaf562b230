#!/usr/bin/env bash
# What becomes of the next submission after one that ends badly, and after a grader that was killed
# halfway; and of a class in which attackers sit between honest students.
#
#     aftermath.sh BUILD
#
# PARTS="bad killed class" (all), NAMES="infinite_kernel ..." of the bad ends (all).
#
# One line for each claim; exit status 1 when one does not hold. After each bad submission, an
# honest file and a slow one are checked, whose records must be what they were before (workshop.sh).
set -u
cd "$(dirname "$0")/../../.."
here=grader/tests/redteam
products=$(realpath "${1:-build}")
device=${DEVICE:-sim}
seed=20
failed=0
source $here/workshop.sh

tell() { # tell <what> <why it does not hold, or empty>
    printf '  %-5s %s\n' "$([ -z "$2" ] && echo ok || echo FAIL)" "$1"
    [ -z "$2" ] || { printf '        %s\n' "$2" | head -n 5; failed=1; }
}

build_workshop && know_witnesses || exit 1

# --- Bad ends -----------------------------------------------------------------------------------
BAD=(infinite_kernel illegal_address fork_bomb memory_hog ten_gigabytes_of_output stops_itself
    leaves_a_daemon takes_all_device_memory fills_tmp)
parts=${PARTS:-bad killed class}
has() { [[ " $parts " == *" $1 "* ]]; }
has bad || BAD=()
[ -n "${NAMES:-}" ] && has bad && BAD=($NAMES)
for name in "${BAD[@]}"; do
    check 1 "$here/attacks/$name.cu" "$name"
    got="$verdict" why=$left
    [ "$verdict" = PASS ] && why="$why it passes"
    tell "after $name ($got), the next students get what they would have got" \
        "$why$(witnesses)"
done

# --- A grader that is killed --------------------------------------------------------------------
# The one that sees to the end of all others dies without a word. What it started ends by itself.
children() { # children <process>: it and all below it
    echo "$1"
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do children "$child"; done
}
programs=(warpquest examine simgpu)
killed() { # killed <seconds> <name of the program>
    local own=$work/killed found shell
    mkdir -p "$own"
    flatten exercises/01_coalescing/coalescing.cu "$work/fresh.cu"
    echo "// $RANDOM$RANDOM" >>"$work/fresh.cu"
    TMPDIR=$own "$warden" 60 "$work/left/killed" "$shop/bin/warpquest" --course "$PWD" --build \
        "$shop" check 1 --device "$device" --submission "$work/fresh.cu" >"$work/killed.log" 2>&1 &
    shell=$!
    sleep "$1"
    found=$(for process in $(children $shell); do
        grep -qsx "$2" "/proc/$process/comm" && echo "$process"; done | head -n 1)
    [ -n "$found" ] && kill -KILL "$found"
    wait $shell
    tr '\n' ' ' <"$work/left/killed"
    marks_left
}
has killed || programs=()
for program in "${programs[@]}"; do
    for seconds in 0.3 1.5 3; do
        why=$(killed $seconds $program)
        rm -rf "$shop"/work/new-* "$work/killed" # nobody was left to remove them
        tell "after a SIGKILL of $program at $seconds s nothing runs on, the next ones are right" \
            "$why$(witnesses)"
    done
done

has class || exit $failed

# --- A class ------------------------------------------------------------------------------------
# Every second one is honest. Their verdicts and points are those of a class without attackers.
class=$work/class
mkdir -p "$class"
ATTACKERS=(exits_when_timed kills_all_it_can control_by_descriptor stops_itself fork_bomb
    environment_of_process_1 leaves_files_and_sockets poisons_the_reference sysctls
    takes_all_device_memory answers_garbage error_says_the_disk_is_full)
number=10
for name in "${ATTACKERS[@]}"; do
    cp solutions/01_coalescing/coalescing.cu "$class/$number-honest.cu"
    cp grader/judges/01_coalescing/slow/one_block.cu "$class/$number-slow.cu"
    flatten "$here/attacks/$name.cu" "$class/$number-zz-$name.cu"
    number=$((number + 1))
done
"$warden" 1500 "$work/left/class" "$shop/bin/warpquest" --course "$PWD" --build "$shop" grade \
    "$class" --out "$work/graded" --lesson 1 --device "$device" >"$work/class.log" 2>&1
tell "a class with attackers in it is graded to its end" \
    "$([ -f "$work/graded/grades.csv" ] || tail -n 3 "$work/class.log")"
grades() { # grades <kind>: those of that kind that are not <verdict,points>
    awk -F, -v kind="-$1\$" -v wanted="$2" '$1 ~ kind && $2 "," $3 != wanted { printf "%s: %s,%s; ",
        $1, $2, $3 } $1 ~ kind { n++ } END { if (!n) print "none was graded" }' \
        "$work/graded/grades.csv"
}
slow_points=$(field points "$work/known-slow")
tell "every honest student among them passes" "$(grades honest PASS,100)"
tell "every slow one gets its points, no more" "$(grades slow "SLOW,$slow_points")"
tell "no attacker passes, and each has points taken" "$(awk -F, '
    $1 ~ /-zz-/ && ($2 == "PASS" || $3 == "") { printf "%s: %s,%s; ", $1, $2, $3 }' \
    "$work/graded/grades.csv")"
tell "nothing is left of a class" "$(cat "$work/left/class"; marks_left; left_in_the_end)"
exit $failed
