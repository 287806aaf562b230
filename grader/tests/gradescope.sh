#!/usr/bin/env bash
# The autograder for Gradescope: its archive, and what it makes of whatever is handed in. The course
# is the one that is built here, in place of an image's. One line for each claim; exit status 1 when
# one does not hold.
#
#     gradescope.sh [build folder]
#
# MEASURE="1 2 3" measures what these lessons' references take in a small container (container.sh),
# as lines for grader/class/gradescope/measured.txt, and tests nothing.
set -u
cd "$(dirname "$0")/../.."
build=$(realpath "${1:-build}")
source grader/tests/claim.sh
here=grader/class/gradescope root=$work/autograder
export AUTOGRADER=$root AUTOGRADER_COURSE=$PWD AUTOGRADER_BUILD=$build
results=$root/results/results.json

# --- One run --------------------------------------------------------------------------------------

fresh() { # fresh <lesson>: nothing is handed in yet
    rm -rf "$root"
    mkdir -p "$root/source" "$root/submission" "$root/results"
    echo "$1" >"$root/source/lesson.txt"
}
judge() { # judge <command...>: what is handed in; with its words in $work/output
    "$@" "$here/run_autograder" >"$work/output" 2>&1
}
hand_in() { # hand_in <file>: as lesson 1's, and judge it
    fresh 01_coalescing
    cp "$1" "$root/submission/coalescing.cu" && judge env
}
# As Gradescope documents results.json; and nothing in it tells where the grader lives.
valid() {
    jq -e '
        (has("score") != ((.tests // []) | length > 0)) and .visibility == "visible" and
        .output_format == "text" and ((.score // 0) | type == "number") and
        all(.tests[]?; ([.score, .max_score] | all(type == "number")) and .score >= 0 and
            .score <= .max_score and ([.name, .output] | all(type == "string")) and
            (.status | IN("passed", "failed")) and .output_format == "text") and
        all(.leaderboard[]?; (.name | type == "string") and (.value | type == "number"))' \
        "$results" >"$work/valid" &&
        ! grep -nF -e "$work" -e "$build" -e "$PWD" -e "${TMPDIR:-/tmp}/" "$results"
}
is() { # is <jq expression...>: the results are valid, and each holds
    local expression
    valid || return 1
    for expression; do
        jq -e "$expression" "$results" >/dev/null ||
            { echo "not so: $expression"; cat "$results"; return 1; }
    done
}
no_mark() { # no_mark <words>: no points, and nobody's fault
    is '.score == 0' ".output | contains(\"$1\") and contains(\"not your fault\")"
}

measure() { # measure <lesson's number>
    local key slug
    key=$(basename exercises/"$(printf %02d "$1")"_*) slug=${key#*_}
    fresh "$key"
    cp "solutions/$key/$slug.cu" "$root/submission" && judge env # the reference is compiled
    echo "// $EPOCHREALTIME" >>"$root/submission/$slug.cu"       # and now only the hand-in
    judge grader/tests/container.sh "$work/report"
    is 'all(.tests[]; .status == "passed")' || cat "$work/output"
    sed -E "s/^(.*): (.*) s, (.*) s of a processor, (.*) MiB, (.*) killed/$key \2 \3 \4 \1/" \
        "$work/report"
}
if [ -n "${MEASURE:-}" ]; then
    for number in $MEASURE; do
        measure "$number"
    done
    exit 0
fi

# --- The archive ----------------------------------------------------------------------------------

zip_of() { "$here/make_zip.sh" "$work/zips" "$@" >"$work/output" 2>&1; }
holds_all() {
    zip_of 1 && rm -rf "$work/unpacked" && mkdir "$work/unpacked" &&
        (cd "$work/unpacked" && python3 -m zipfile -e ../zips/gradescope-lesson1.zip .) &&
        [ "$(ls "$work/unpacked" | xargs)" = 'course.tar.gz lesson.txt run_autograder setup.sh' ] &&
        cmp "$here/run_autograder" "$work/unpacked/run_autograder" &&
        tar -tzf "$work/unpacked/course.tar.gz" >"$work/files" &&
        grep -qxE '(\./)?Makefile' "$work/files" && ! grep -qE '^(\./)?(build|\.git)/' "$work/files"
}
claim "the archive has the scripts, the lesson, and the course without what was built" holds_all
only() { # only <program...>: in a folder that PATH can be set to
    rm -rf "$work/bin" && mkdir "$work/bin"
    local program
    for program in bash awk cp mv rm mkdir mktemp tar gzip dirname "$@"; do
        ln -s "$(type -p "$program")" "$work/bin/${program##*/}"
    done
}
elsewhere() { # elsewhere <program...>: a tree without git, made with only these
    only "$@" && mkdir -p "$work/tree/build" &&
        cp -r Makefile exercises grader common "$work/tree" && touch "$work/tree/build/left_out" &&
        PATH=$work/bin "$work/tree/$here/make_zip.sh" "$work/zips" 1 >"$work/output" 2>&1
}
by_python() {
    rm -f "$work"/zips/* && elsewhere "$python" &&
        python3 -m zipfile -e "$work/zips/gradescope-lesson1.zip" "$work/unpacked" &&
        tar -tzf "$work/unpacked/course.tar.gz" >"$work/files" &&
        grep -qx ./Makefile "$work/files" && ! grep '^\./build/' "$work/files"
}
python=$(python3 -c 'import sys; print(sys.executable)')
claim "without git and zip, python3 writes the same" by_python
without_zip() { ! elsewhere && grep -q 'neither zip nor python3 is here' "$work/output"; }
claim "with neither, it says what is missing" without_zip
refuses() { # refuses <words> <lesson>
    ! zip_of "$2" && grep -qF -- "$1" "$work/output" && [ "$(wc -l <"$work/output")" = 1 ]
}
claim "a lesson is asked for" refuses 'which lesson?' ''
claim "one that is none is refused" refuses 'which lesson?' '1; true'
claim "so is one that is not there" refuses 'there is no lesson 77' 77
too_large() { # of a course whose table says so
    echo '01_coalescing 10 900 900' >"$work/tree/$here/measured.txt"
    ! PATH=$work/bin "$work/tree/$here/make_zip.sh" "$work/zips" 1 >"$work/output" 2>&1 &&
        grep -q 'lesson 1 cannot be graded there: .* 900 MiB' "$work/output"
}
claim "and one that the container is too small for" too_large

# --- What students hand in ------------------------------------------------------------------------

solution=solutions/01_coalescing/coalescing.cu slow=grader/judges/01_coalescing/slow/one_block.cu
passes() {
    hand_in "$solution" && is '.tests[0] | .score == .max_score and .max_score == 100' \
        '.tests[0].status == "passed"' '.leaderboard[0] | .name == "ratio" and .value > 0.5'
}
claim "the solution gets all points, and a place on the leaderboard" passes
claim "nothing is left of the run" [ -z "$(find "$root/results" -name '*.new')" ]
is_slow() {
    hand_in "$slow" && is '.tests[0] | .score == 40 and .status == "failed"' \
        '.tests[0].output | contains("SLOW")'
}
claim "a slow one gets part of them" is_slow
nothing() {
    fresh 01_coalescing && judge env &&
        is '.score == 0' '.output | contains("No .cu file was handed in: hand in coalescing.cu")'
}
claim "an empty folder gets none, and is told what to hand in" nothing
two_files() {
    fresh 01_coalescing && mkdir "$root/submission/in a folder" &&
        cp "$solution" "$root/submission/in a folder" && cp "$slow" "$root/submission/zzz.cu" &&
        judge env && is '.tests[0].score == 100'
}
claim "of two files, the one with the lesson's name counts" two_files
neither() {
    fresh 01_coalescing && tee "$root/submission/a.cu" "$root/submission/b.cu" <"$slow" &&
        judge env && is '.score == 0' '.output | contains("2 .cu files were handed in")'
}
claim "if none has it, nobody guesses" neither
hostile_name() {
    fresh 01_coalescing && cp "$slow" "$root/submission/"$'";=\n\e[31m\xff.cu' && judge env &&
        is '.tests[0].score == 40'
}
claim "a name can be anything" hostile_name
of_a_mac() {
    fresh 01_coalescing && mkdir "$root/submission/__MACOSX" &&
        cp "$slow" "$root/submission/mine.cu" && echo x >"$root/submission/__MACOSX/._mine.cu" &&
        judge env && is '.tests[0].score == 40'
}
claim "what a Mac adds to a zip file is no second file" of_a_mac
a_link() {
    fresh 01_coalescing && ln -s "$PWD/$solution" "$root/submission/coalescing.cu" && judge env &&
        is '.score == 0' '.output | contains("No .cu file")'
}
claim "a link to the solution is no hand-in" a_link
does_not_compile() {
    sed 's/a \* u.x/a * nowhere/' "$solution" >"$work/broken.cu"
    hand_in "$work/broken.cu" && is '.tests[0] | .score == 0 and .status == "failed"' \
        '.tests[0].output | contains("BUILD, your code does not compile")'
}
claim "one that does not compile gets none" does_not_compile
endless() {
    sed 's|    bool wide = |    for (volatile float *spin = out; n; ) *spin = a;\n&|' "$solution" \
        >"$work/endless.cu"
    hand_in "$work/endless.cu" && is '.tests[0] | .score == 0' \
        '.tests[0].output | contains("TIMEOUT")'
}
claim "an endless kernel ends, without points" endless

# --- Who handed it in -----------------------------------------------------------------------------

known_as() { # known_as <id> <metadata>: the name on the grader's screen
    fresh 01_coalescing && cp "$solution" "$root/submission" &&
        echo "$2" >"$root/submission_metadata.json" && judge env && is '.tests[0].score == 100' &&
        grep -qE "^  PASS +$1 " "$work/output"
}
claim "a student is known by the address" known_as ann@a.example \
    '{"users": [{"name": "\"email\": \"x\"", "email": "ann@a.example"}]}'
claim "a group by all of them" known_as ann@a.example\\+ben \
    '{"users": [{"email": "ann@a.example"}, {"email": "ben"}]}'
claim "an address is no path" known_as x '{"users": [{"email": "../-x"}]}'
claim "without one, they are called student" known_as student '{"users": [{"email": 3}], "id": {'

# --- When the grader fails ------------------------------------------------------------------------

out_of_time() {
    fresh 01_coalescing && cp "$solution" "$root/submission" &&
        AUTOGRADER_SECONDS=0.3 judge env && no_mark 'ran out of time'
}
claim "a grader that runs out of time is nobody's fault" out_of_time
no_grader() {
    fresh 01_coalescing && cp "$solution" "$root/submission" &&
        AUTOGRADER_BUILD=$work/none judge env && no_mark 'the grader failed'
}
claim "nor is one that is not there" no_grader
no_walls() {
    fresh 01_coalescing && cp "$solution" "$root/submission" &&
        WARPQUEST_SANDBOX=none judge env && no_mark 'the grader failed' &&
        grep -q 'no sandbox works here' "$work/output"
}
claim "nor one whose sandbox does not work, and the instructor is told" no_walls
no_lesson() {
    fresh '' && cp "$solution" "$root/submission" && ! judge env && no_mark 'ended before'
}
claim "nor an archive that is damaged" no_lesson
killed() {
    fresh 01_coalescing && cp "$solution" "$root/submission"
    mkdir "$work/left" # by a run that cannot remove it
    TMPDIR=$work/left setsid "$here/run_autograder" >"$work/output" 2>&1 &
    sleep 1.5
    kill -9 -- -$! && ! wait $! 2>/dev/null && no_mark 'ended before it was done'
}
claim "nor one that is killed" killed

# --- A small container ----------------------------------------------------------------------------

contained() { # contained <file>: in half a processor and 768 MiB
    fresh 01_coalescing
    cp "$1" "$root/submission/coalescing.cu" && judge grader/tests/container.sh "$work/report"
    cat "$work/report"
}
fits() { contained "$solution" && is '.tests[0].score == 100'; }
claim "the solution passes in half a processor and 768 MiB" fits
# A right answer that keeps much in the simulated device's memory, which is ended there.
too_much() {
    contained grader/judges/01_coalescing/right/persistent_blocks.cu &&
        no_mark 'more memory than the grader has'
}
if grep -qs 'control group' "$work/report"; then
    claim "what needs more memory is not judged, and nobody's fault" too_much
    MEMORY_MIB=2048 claim "nor is what only passes a limit that such a container sets" too_much
fi

# --- Setting up -----------------------------------------------------------------------------------

# apt-get and make only say what they were asked for: the course is built already.
mkdir "$work/said"
for program in apt-get make; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/asked"\n' "$program" "$work" >"$work/said/$program"
    chmod +x "$work/said/$program"
done
sets_up() { # sets_up <command...>
    holds_all && rm -rf "$root" && mkdir "$root" && cp -r "$work/unpacked" "$root/source" &&
        PATH=$work/said:$PATH "$@" bash "$root/source/setup.sh" >"$work/output" 2>&1
}
asked() {
    sets_up env && grep -q '^apt-get install .* libjansson-dev .*bubblewrap jq' "$work/asked" &&
        grep -qE '^make -C .* check gradebook$' "$work/asked"
}
claim "set-up installs what a check needs, builds, and judges the reference" asked
too_late() {
    ! sets_up env AUTOGRADER_SECONDS=0.3 && grep -q 'does not pass in this image' "$work/output"
}
claim "an image in which the reference does not pass is not built" too_late
exit $failed
