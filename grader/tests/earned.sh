#!/usr/bin/env bash
# What checks earn, as a learner sees it: below the report and in `make quest`. It runs on a copy of
# the course made for tests. One line for each claim; exit status 1 when one does not hold.
#
#     earned.sh [build folder]
set -u
cd "$(dirname "$0")/../.."
products=$(realpath "${1:-build}")
source grader/tests/claim.sh

course=$work/course build=$work/build
cp -r grader/tests/course "$course"
mkdir -p "$build/bin"
for part in bin/warpquest bin/simgpu lib config.mk test/course/bin/examine test/course/bin/runner \
    test/course/bin/walls test/course/judges.json; do
    ln -s "$products/$part" "$build/${part#test/course/}"
done

# says <words> <arguments...>: whatever the verdict
says() {
    local words=$1
    shift
    "$build/bin/warpquest" --course "$course" --build "$build" "$@" >"$work/output" 2>&1
    grep -qF -- "$words" "$work/output" || { echo "not said: $words"; return 1; }
}
silent() { grep -qE '^(PASS|NOT YET) lesson' "$work/output" && ! grep -q EARNED "$work/output"; }
solve() { cp "$course/solutions/$1/${1#*_}.cu" "$course/exercises/$1/${1#*_}.cu"; }

claim "nobody starts with anything" says "level 1 of 7, Thread: 0 experience, 100 to Warp" quest
claim "the first lesson is next" grep -q ' 1 .* - .*<- next' "$work/output"
claim "with QUEST=0 a check says nothing of it" \
    bash -c "QUEST=0 '$build/bin/warpquest' --course '$course' --build '$build' check 3 \
    --device sim >'$work/output'; grep -q SLOW '$work/output' && ! grep -q EARNED '$work/output'"
claim "but it is counted" says " bronze " quest
claim "the same again earns nothing" says "[SLOW]" check 3 --device sim
claim "and says nothing" silent
solve 03_slow
claim "a lesson that passes is told of, with the experience" says "lesson 3 is silver" \
    check 3 --device sim
claim "and so is its achievement, with the figures" \
    grep -qE '"Coalesced": load efficiency 0\.[0-9]+, now 1' "$work/output"
claim "a race is none yet" says "[RACE]" check 10 --device sim
claim "so it earns nothing" silent
solve 10_race
claim "it is when mended" says '"Ordered": a race, now no fault in' check 10 --device sim
cp grader/tests/course/exercises/10_race/race.cu "$course/exercises/10_race/race.cu"
experience() { says "level" quest && sed -n 's/^level.*: \([0-9]*\) exp.*/\1/p' "$work/output"; }
before=$(experience)
claim "a worse check afterwards is as bad as it is" says "[RACE]" check 10 --device sim
unchanged() { [ "$before" -gt 0 ] && [ "$(experience)" = "$before" ]; }
claim "and takes nothing away" unchanged
claim "a check of another file earns nothing" says "PASS" check 1 --device sim \
    --submission "$course/solutions/01_pass/pass.cu"
claim "whatever its verdict" unchanged
claim "the map has what was earned" says "[x] a race found, then safety ok" quest
claim "and reads without colour" bash -c "! grep -q $'\e' '$work/output'"
head -c 5000 /dev/urandom >"$build/progress.db"
claim "a damaged file is named" says "progress.db: it is damaged" quest
claim "a check that cannot be kept says so" says "this check is not kept" check 1 --device sim
claim "and earns nothing" silent
claim "and says it once" [ "$(grep -c damaged "$work/output")" = 1 ]
exit $failed
