#!/usr/bin/env bash
# `make watch` as somebody at a terminal has it: files are saved, keys are pressed, and it ends in
# every way that there is. It runs on a copy of the course. One line for each claim; exit status 1
# when one does not hold.
#
#     watch.sh [build folder]
set -u
cd "$(dirname "$0")/../.."
products=$(realpath "${1:-build}")
source grader/tests/claim.sh

course=$work/course build=$work/course/build
mkdir -p "$course/grader" "$build/work" "$work/tmp"
cp -r exercises solutions common lessons "$course"
cp -r grader/judges "$course/grader"
for part in bin lib judges.json config.mk; do
    ln -s "$products/$part" "$build/$part"
done
export TMPDIR=$work/tmp TERM=xterm NO_COLOR=1
mine=$course/exercises/01_coalescing/coalescing.cu
cp grader/judges/01_coalescing/exercise.cu "$mine"
"$products/bin/warpquest" entry 01_coalescing/wrong/tail_lost >"$work/wrong.cu"
cp solutions/01_coalescing/coalescing.cu "$work/right.cu"

# watch <lines of in_terminal's script...>: in a terminal of 24 x 80
watch() {
    printf '%s\n' "$@" | "$products/test/in_terminal" 24 80 "$build/bin/warpquest" watch 1 \
        --course "$course" --build "$build" --device sim >"$work/screen" 2>&1
}
nothing_is_left() {
    [ -z "$(ls "$work/tmp")" ] && ! pgrep -f "^$build/bin/[a-z]* .*--course $course" >/dev/null
}

# --- From the first check to the last one ---------------------------------------------------------
claim "each save is checked, until the lesson is passed; it goes on only when told" watch \
    "see 20 watching lesson 1, coalesced elementwise kernel" "see 60 [SLOW]" "see 9 q quit" \
    "do cp '$work/wrong.cu' '$mine'" "see 9 watching lesson 1" "see 60 [WRONG]" "see 9 q quit" \
    "type h" "see 9 hint 1 of 3" "see 9 q quit" \
    "type d" "see 9 opens when the lesson passes" "see 9 q quit" \
    "do cp '$work/right.cu' '$mine'" "see 60 PASS lesson 1" \
    "see 9 n goes on to lesson 2" "see 9 q quit" \
    "type l" "see 9 passed, 100 points" "see 9 q quit" \
    "type n" "see 9 watching lesson 2" "type q" "end 9 0"
claim "nothing is left of it" nothing_is_left

# --- In the middle of a check ---------------------------------------------------------------------
claim "a save during a check begins it anew" watch "see 9 watching" "see 20 small cases" \
    "do cp '$work/wrong.cu' '$mine'" "see 9 watching" "see 60 [WRONG]" "type q" "end 9 0"
claim "the overtaken check left nothing" nothing_is_left
claim "so does r" watch "see 9 watching" "see 20 small cases" "type r" "see 9 watching" \
    "type q" "end 9 0"
claim "Ctrl-C ends it in the middle" watch "see 9 watching" "see 20 small cases" "type ^C" "end 9 0"
claim "the terminal's hang-up does" watch "see 9 watching" "see 20 small cases" "signal 1" \
    "end 9 130"
claim "a signal to end does" watch "see 9 watching" "see 20 small cases" "signal 15" "end 9 130"
claim "nothing is left of those" nothing_is_left
claim "a terminal may change its size, and keys that mean nothing do nothing" watch \
    "see 9 watching" "resize 20 60" "type xyz\\e[A" "see 60 [WRONG]" "see 9 q quit" "type q" \
    "end 9 0"
in_a_shell() {
    printf "PS1='what next? '\n" >"$work/rc"
    printf '%s\n' "see 9 what next?" \
        "type $build/bin/warpquest watch 1 --course $course --build $build --device sim\\r" "$@" \
        "see 9 what next?" "type exit\\r" "end 9 0" |
        "$products/test/in_terminal" 24 200 bash --rcfile "$work/rc" -i >"$work/screen" 2>&1
}
claim "Ctrl-Z stops it, and it goes on with a new check" in_a_shell "see 9 watching" \
    "see 20 small cases" "type ^Z" "see 9 Stopped" "type fg\\r" "see 9 watching" "see 60 [WRONG]" \
    "type q"
claim "nothing is left of that either" nothing_is_left

# --- What is no exercise --------------------------------------------------------------------------
claim "an exercise that goes away is told of, and checked when it is back" watch \
    "see 9 watching" "do rm '$mine'" "see 9 is not there" "see 9 make reset-lesson1" \
    "do mkdir '$mine'; sleep 0.3" "do rmdir '$mine'; cp '$work/wrong.cu' '$mine'" \
    "see 60 [WRONG]" "type q" "end 9 0"

# --- Where there is no terminal -------------------------------------------------------------------
refuses() { # refuses <words> <arguments...>
    "$build/bin/warpquest" watch "${@:2}" --course "$course" --build "$build" \
        </dev/null >"$work/output" 2>&1
    [ $? = 64 ] && grep -q "$1" "$work/output"
}
claim "without a terminal it says so" refuses 'watching needs a terminal' 1
claim "a lesson that is none is refused" refuses 'no lesson' 99
plain() {
    TERM=dumb watch "see 9 watching" "see 60 [WRONG]" "see 9 q quit" "type q" "end 9 0" &&
        ! grep -q $'\033' "$work/screen"
}
claim "a terminal that cannot move its cursor gets plain lines" plain
exit $failed
