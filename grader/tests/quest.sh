#!/usr/bin/env bash
# What a learner types besides a check: where they stand, hints, the solution, a fresh start. It
# runs on a copy of the course, so that no learner's exercise is touched. One line for each claim;
# exit status 1 when one does not hold.
#
#     quest.sh [build folder]
set -u
cd "$(dirname "$0")/../.."
products=$(realpath "${1:-build}")
source grader/tests/claim.sh

course=$work/course build=$work/course/build
mkdir -p "$course/grader" "$build/work"
cp -r exercises solutions common lessons "$course"
cp -r grader/judges "$course/grader"
for part in bin lib judges.json config.mk; do
    ln -s "$products/$part" "$build/$part"
done
mine=$course/exercises/01_coalescing/coalescing.cu
cp grader/judges/01_coalescing/exercise.cu "$mine"
entry() { "$products/bin/warpquest" entry "$1"; }

# says <status> <words> <arguments...>
says() {
    local status=$1 words=$2 got
    shift 2
    "$build/bin/warpquest" --course "$course" --build "$build" "$@" >"$work/output" 2>&1
    got=$?
    [ "$got" = "$status" ] || { echo "exit status $got"; return 1; }
    grep -qF -- "$words" "$work/output" || { echo "not said: $words"; return 1; }
}

# --- Before a check -------------------------------------------------------------------------------
claim "at first nothing has been tried" says 0 "not tried yet" status
claim "the notes to read first are a rendered page" says 0 "build/notes/00_machine.html" status
claim "and the ceilings are not measured" says 0 "make check-lesson0" status
claim "the first hint comes first" says 0 "hint 1 of 3, lesson 1" hint 1
claim "then the second" says 0 "hint 2 of 3" hint 1
claim "one can be asked for" says 0 "hint 3 of 3" hint 1 3
claim "there is no fourth" says 64 "LEVEL=1 to LEVEL=3" hint 1 4
claim "nor one that is no number" says 64 "LEVEL=1 to LEVEL=3" hint 1 more
claim "the solution is closed before the lesson passes" says 1 "opens when the lesson passes" diff 1
claim "but opens to those who give up" says 0 "+++ solutions/01_coalescing/coalescing.cu" \
    diff 1 --giveup
claim "what was never checked is to be checked before it is handed in" \
    says 0 "make one first: make check-lesson1" submit 1

# --- A check that fails ---------------------------------------------------------------------------
claim "the exercise as it is shipped is slow" says 2 "[SLOW]" check 1 --device sim
claim "that is where the learner stands" says 0 "not yet, 40 points  (SLOW)" status
claim "a hint speaks of the mistake that was seen" says 0 "about your last check" hint 1 2

claim "a page shows the kernel line by line" \
    says 0 "profile/01_coalescing.html in a browser" profile 1
claim "with its text and drawings" grep -q "<svg" "$build/profile/01_coalescing.html"
claim "of all timed cases" says 0 "profile/02_tiling.html" profile 2
claim "and nothing of the reference" \
    bash -c "grep -q 'row \* n + col' '$build/profile/02_tiling.html' &&
    grep -q 'col \* rows + row' '$build/profile/02_tiling.html' &&
    ! grep -q s_square '$build/profile/02_tiling.html'"

# The timed case has four steps of each of two networks.
claim "lesson 10 has a timeline as well" \
    says 0 "profile/10_graphs-timeline.json.html: when its copies and kernels run" profile 10
claim "of one call" [ "$(grep -c '"training_count"' \
    "$build/profile/10_graphs-timeline.json")" = 8 ]
claim "with its gap" grep -q "in which neither engine works" \
    "$build/profile/10_graphs-timeline.json.html"

# --- One launcher of two --------------------------------------------------------------------------
two=$course/exercises/02_tiling/tiling.cu
entry 02_tiling/wrong/transpose_barrier_missing >"$two"
claim "where one launcher is not right, the other is judged all the same" \
    says 1 "  sgemm       ok " check 2 --device sim
claim "one can be checked alone, and is no pass" \
    says 10 "PART of lesson 2: sgemm alone" check 2 --only sgemm --device sim
claim "nor is it the verdict that counts when the file is handed in" \
    says 0 "its last check: RACE, 0 points" submit 2
claim "with no effect on where the learner stands" says 0 "not yet, 0 points  (RACE)" status
claim "the other one alone is not right" says 1 "[RACE]" check 2 --only transpose --device sim
claim "its record says so, and has no points" says 1 '"only": "lesson2_transpose"' \
    check 2 --only lesson2_transpose --device sim --json
claim "as null" grep -q '"points": null' "$work/output"
claim "its hint names the launcher, too" \
    says 0 "make check-lesson2 ONLY=transpose" hint 2
claim "a launcher that is not there is told with those that are" \
    says 64 "it has transpose, sgemm" check 2 --only gemm
# Two of three calls are slow, and the last of them has a case of 10 GB.
sed -e '/^#include/a #include <unistd.h>\nstatic int calls;' -e '/^    if (m > 0 && n > 0)$/i \
    if (1e9 < 1.0 * m * n * k && (m + n != 8192 || ++calls % 2)) usleep(40000);' \
    "$two" >"$work/sleeps.cu"
says 2 "[SLOW]" check 2 --only sgemm --device sim --seed 1 --submission "$work/sleeps.cu" || true
claim "a slow call of a case that no memory holds is made again by some blocks" \
    bash -c "! grep -q 'far more memory' '$work/output'"
claim "the one launcher of a lesson is all of it" \
    says 2 "[SLOW]" check 1 --only axpby --device sim

# --- A check that passes --------------------------------------------------------------------------
cp solutions/01_coalescing/coalescing.cu "$mine"
echo '// mine' >>"$mine"
claim "the solution passes" says 0 "PASS lesson 1" check 1 --device sim
claim "that is remembered" says 0 "passed, 100 points" status
claim "and opens the solution" says 0 "-// mine" diff 1

# --- Handing in -----------------------------------------------------------------------------------
handed_in=$build/submit/coalescing.cu
includes() { # includes <name>: the exercise, by its third line, and mine.h is next to it
    echo 'int mine;' >"$course/exercises/01_coalescing/mine.h"
    sed "3i #include $1" solutions/01_coalescing/coalescing.cu >"$mine"
}
refuses_header() { # refuses_header <name>
    includes "\"$1\"" && says 8 "coalescing.cu:3: this includes \"$1\"" submit 1
}
claim "the file to hand in comes with its verdict" \
    says 0 "its last check: PASS, 100 points" submit 1
claim "with its SHA-256" \
    grep -qx "SHA-256 $(sha256sum "$mine" | cut -d' ' -f1)" "$work/output"
claim "and is the exercise as it is" cmp "$mine" "$handed_in"
claim "a header of one's own would be lost: its line is named" refuses_header mine.h
claim "by whatever name" refuses_header ../exercises/01_coalescing/mine.h
claim "then nothing is written" grep -q '^// mine' "$handed_in"
in_comment() { includes '/* "mine.h" */ "contracts/01_coalescing.h" // #include "mine.h"'; }
in_comment && sed -i '5i /*\n#include "mine.h" */' "$mine"
claim "in a comment it is no header" says 0 "hand in $handed_in" submit 1
claim "no verdict is told of another text" grep -q 'no whole check of this text' "$work/output"
includes '"tile_gemm.h"'
claim "a header of the course is not lost" says 0 "hand in $handed_in" submit 1
sed 's/lesson1_axpby(/lesson1_apxby(/' solutions/01_coalescing/coalescing.cu >"$mine"
claim "a file without the lesson's function is refused, and the function named" \
    says 8 "does not define lesson1_axpby" submit 1
echo 'int lesson1_axpby(int n);' >>"$mine"
claim "a declaration is no definition" says 8 "does not define lesson1_axpby" submit 1
rm "$mine"
claim "a lost exercise is told with what brings it back" says 8 "make reset-lesson1" submit 1

# --- More checks ----------------------------------------------------------------------------------
sed 's/a \* x\[i\]/a * z[i]/' grader/judges/01_coalescing/exercise.cu >"$mine"
claim "one that does not compile fails, too" says 3 "[BUILD]" check 1 --device sim
rm "$build/records/01_coalescing.hints"
claim "its hint is the first error" says 0 'error: identifier "z" is undefined' hint 1
claim "and what to do about it" says 0 "Fix the first error" hint 1
claim "it counts as none of the lesson's" [ ! -e "$build/records/01_coalescing.hints" ]
entry 01_coalescing/wrong/zero_shortcut >"$mine"
claim "a worse one afterwards fails" says 1 "NOT YET" check 1 --device sim
claim "of a wrong kernel there is a report and no page" says 1 "[WRONG]" profile 1
claim "its hint is about the error, in place of those of the lesson, from the first on" says 0 \
    "about your last check, lesson 1 [WRONG], hint 1 of 3" hint 1
claim "the next time comes the next" says 0 "[WRONG], hint 2 of 3" hint 1
for level in 1 2 3; do
    claim "hint $level is about the error, too, and not about speed" says 0 \
        "about your last check, lesson 1 [WRONG], hint $level of 3" hint 1 $level
    cp "$work/output" "$work/hint$level"
done
claim "it is another one at each level" \
    bash -c "! diff -q '$work/hint1' '$work/hint2' && ! diff -q '$work/hint2' '$work/hint3'"
claim "the mistake is named at the last" says 0 "leaving a product out" hint 1 3
claim "and not before" bash -c "! grep -q 'leaving a product out' '$work/hint1' '$work/hint2'"
claim "and takes nothing away" says 0 "passed, 100 points" status

entry 01_coalescing/slow/few_blocks >"$mine"
claim "one that is only late fails at its time" says 2 "[SLOW]" check 1 --device sim
claim "its first hint speaks of that: the counters that it asks about are all right" says 0 \
    "the grid has fewer threads" hint 1 1
entry 01_coalescing/slow/rest_by_second_launch >"$mine"
claim "one that breaks a rule in a small case fails" says 2 "a rule of its lesson" check 1
claim "for which no line of the timed case is blamed" [ "$(grep -c '^  line' "$work/output")" = 0 ]
claim "and its first hint asks about that" says 0 "What does a call do in the case" hint 1 1
entry 01_coalescing/wrong/zero_shortcut >"$mine"

# --- A fresh start --------------------------------------------------------------------------------
kept() { # the same text is in the stash
    entry "$1" | cmp - "$build"/stash/01_coalescing-*.cu
}
claim "reset brings the exercise back" says 0 "what you had is in" reset 1
claim "as it was shipped" cmp "$mine" grader/judges/01_coalescing/exercise.cu
claim "and keeps what it replaces" kept 01_coalescing/wrong/zero_shortcut
claim "a second time there is nothing to do" says 0 "is as it was shipped" reset 1
rm "$mine"
claim "a check of a lost exercise says what brings it back" \
    says 8 "is not there: make reset-lesson1" check 1
claim "a lost exercise comes back too" says 0 "is as it was shipped" reset 1
claim "as it was shipped" cmp "$mine" grader/judges/01_coalescing/exercise.cu

# --- What is kept ---------------------------------------------------------------------------------
home=$work/home
at_home() { # the course's own program, whose progress is in the home folder
    env -u WARPQUEST_PROGRESS -u XDG_DATA_HOME HOME="$home" "$products/bin/warpquest" "$@"
}
mkdir "$home"
check_right() { at_home check 0 --device sim --submission solutions/00_machine/machine.cu; }
kept_at_home() {
    check_right >"$work/output" 2>&1 && [ -s "$home/.local/share/warpquest/progress.db" ]
}
claim "a check is kept in the home folder" kept_at_home
two_at_once() {
    check_right >"$work/one" 2>&1 &
    check_right >"$work/two" 2>&1
    wait $! && ! grep -q 'not kept' "$work/one" "$work/two"
}
claim "two checks at once are both kept" two_at_once
damaged() {
    head -c 5000 /dev/urandom >"$home/.local/share/warpquest/progress.db"
    check_right >"$work/output" 2>&1 && grep -q 'PASS lesson 0' "$work/output" &&
        grep -q 'not kept: .*progress.db: it is damaged: restore it from a backup' "$work/output"
}
claim "a damaged file is told of, and the verdict stands" damaged
told_once() {
    at_home status >"$work/output" 2>&1
    [ "$(grep -c 'cannot be read: .*progress.db: it is damaged' "$work/output")" = 1 ]
}
claim "where one stands is then not said to be nothing, without a word" told_once
no_home() {
    local home=/proc/nothing
    check_right >"$work/output" 2>&1 &&
        grep -q 'PASS lesson 0' "$work/output" && grep -q 'not kept: /proc/nothing' "$work/output"
}
claim "so is a home folder that cannot be written" no_home
claim "the notebook has the checks of the exercise in order" says 0 "line to look at" log
claim "with what changed between them" bash -c "grep -qE 'SLOW.* sim' '$work/output' &&
    grep -qE 'PASS +1 sim +\+[0-9]+ -[0-9]+' '$work/output'"
claim "in rows that fit" bash -c "! grep -E '.{101}' '$work/output'"
claim "of one lesson, if asked" says 0 "make log LESSON=n shows one lesson" log 1
claim "a lesson that is none is refused there, too" says 64 "there is no lesson" log 99
exit $failed
