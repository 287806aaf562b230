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

# --- To another machine ---------------------------------------------------------------------------
carried=$work/checks.db
rows() { sqlite3 "$build/progress.db" "SELECT lesson, worth, source, record FROM attempt
    ORDER BY number"; }
same_rows() { [ -s "$work/rows" ] && rows | cmp - "$work/rows"; }
level() { says "level" quest && sed -n 1p "$work/output"; }
rows >"$work/rows"
level >"$work/level"
count=$(sqlite3 "$build/progress.db" "SELECT count(*) FROM attempt")
claim "all checks are exported" says "has your $count checks" quest-export "$carried"
claim "and not over a file that is there" says "it is there already" quest-export "$carried"
claim "what is known is not added again" \
    says "0 checks are new, of $count" quest-import "$carried"
claim "and stays as it was" same_rows
sqlite3 "$build/progress.db" "DELETE FROM attempt WHERE number % 2 = 1"
lost=$(((count + 1) / 2))
claim "what is missing is added" says "$lost checks are new" quest-import "$carried"
claim "in the order in which it was checked" same_rows
rm "$build/progress.db"
claim "a new machine gets all of them" says "$count checks are new" quest-import "$carried"
claim "as they were" same_rows
claim "and the level with them" \
    bash -c "'$build/bin/warpquest' --course '$course' --build '$build' \
    quest | head -n 1 | cmp - '$work/level'"
sqlite3 "$work/foreign.db" "CREATE TABLE attempt (number)"
cp "$carried" "$work/newer.db"
sqlite3 "$work/newer.db" "PRAGMA user_version = 99"
head -c 5000 "$carried" >"$work/short.db"
echo "no database, but a text that is long enough to be read as one" >"$work/text.db"
claim "a foreign file is refused" \
    says "keeps no checks of this course" quest-import "$work/foreign.db"
claim "so is a newer one" says "newer version of the course" quest-import "$work/newer.db"
claim "a cut one" says "it is damaged" quest-import "$work/short.db"
claim "a text" says "it is damaged" quest-import "$work/text.db"
claim "one that is not there" says "there is no such file" quest-import "$work/none.db"
claim "and none at all" says "name the file" quest-import
claim "after which all is as it was" same_rows
claim "a folder that is not there is told" says "cannot be opened" quest-export "$work/none/a.db"
sqlite3 "$build/progress.db" "PRAGMA user_version = 99"
claim "progress that a newer course keeps is not touched" says "newer version of the course" quest

head -c 5000 /dev/urandom >"$build/progress.db"
claim "a damaged file is named" says "progress.db: it is damaged" quest
claim "a check that cannot be kept says so" says "this check is not kept" check 1 --device sim
claim "and earns nothing" silent
claim "and says it once" [ "$(grep -c damaged "$work/output")" = 1 ]
exit $failed
