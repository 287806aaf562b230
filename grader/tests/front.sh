#!/usr/bin/env bash
# The README: its picture is drawn from its report (which bad_input.sh compares with what a check
# prints), and its figures are those of the files that it names. One line for each claim; exit
# status 1 when one does not hold.
set -u
cd "$(dirname "$0")/../.."
source grader/tests/claim.sh

drawn() {
    awk -f grader/quest/picture.awk README.md >"$work/report.svg" &&
        cmp "$work/report.svg" grader/quest/report.svg ||
        { echo 'draw it anew: make picture'; false; }
}
claim "the picture is the report's" drawn
whole() { # every word of the report is in it
    sed -n '/^\$ make check-lesson1/,/^```/p' README.md | sed '$d' | tr -s ' ' '\n' |
        sed '/^$/d' >"$work/words"
    sed -n 's/^<text[^>]*>\(.*\)<\/text>$/\1/p' grader/quest/report.svg |
        sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' | tr -s ' ' '\n' >"$work/drawn"
    [ -s "$work/words" ] && diff "$work/words" "$work/drawn"
}
claim "it leaves nothing out" whole
refused() { ! awk -f grader/quest/picture.awk LICENSE >/dev/null 2>"$work/screen"; }
claim "a page without a report is no picture" refused

readme=$(tr -s '\n ' ' ' <README.md)
says() { [[ $readme == *"$1"* ]] || { echo "not there: $1"; false; }; }
share=$(awk -F, '$1 == "lesson2_sgemm_4096x4096x4096" && $2 == "steps/sgemm_10_largest" {
    printf "%.2f", $6 }' lessons/site/bench/gemm.csv)
claim "the ladder's top is as fast as the README says" says "at $share of cuBLAS's speed"
words=([5]=five [15]=fifteen)
minutes() { sed -n "s/^$1_MINUTES=//p" grader/tests/notes/run.sh; }
claim "notes are as long as it says" \
    says "${words[$(minutes SHORTEST)]} to ${words[$(minutes LONGEST)]} minutes a lesson"
exit $failed
