#!/usr/bin/env bash
# Entries of the corpus that are stored as patches, by the commands of their authors: one is made
# from an edited file, shown whole, mended when its base was edited, and refused with a sentence
# when it no longer fits. A course of a few files stands for the real one. One line for each claim;
# exit status 1 when one does not hold.
set -u
cd "$(dirname "$0")/../.."
source grader/tests/claim.sh
products=$(realpath "${1:-build}") judges=$PWD/grader/judges
make_patch=$judges/make_patch.sh
course=$work/course key=01_coalescing
mistake=grader/judges/$key/wrong/mistake base=grader/judges/$key/right/plain.cu
mkdir -p "$course/build" "$course/solutions/$key" "$course/grader/judges/$key"/{right,wrong}
cp "$products/judges.json" "$course/build/"
cp solutions/$key/coalescing.cu "$course/solutions/$key/"
cp grader/judges/$key/right/grid_stride.cu "$course/$base"
cat >"$work/warpquest" <<EOF
#!/bin/sh
exec "$products/bin/warpquest" --course "$course" --build "$course/build" "\$@"
EOF
chmod +x "$work/warpquest"
cd "$course" || exit 1

show() { "$work/warpquest" entry $key/wrong/mistake; }
make_patch() { "$make_patch" "$work/warpquest" $key/wrong/mistake "$@"; }
# says <words> <command...>: it fails, in one line that has the words
says() {
    local words=$1 said
    shift
    if said=$("$@" 2>&1); then
        echo "it did not fail"
        return 1
    fi
    [[ $said == *"$words"* && $said != *$'\n'* ]] || { echo "$said"; return 1; }
}
mistaken() { sed '1s/.*/\/\/ expect: WRONG numerics/; s/b \* /2 * b * /' "$1"; }

mistaken "$base" >edited.cu
is_made() { make_patch edited.cu && [ "$(wc -l <$mistake.patch)" -le 10 ]; }
claim "an edited file becomes a patch of a few lines" is_made
claim "against the file that it differs least from" grep -qx -- "--- $base" $mistake.patch
gives_back() { show | cmp - edited.cu && cmp "build/corpus/$key/wrong/mistake.cu" edited.cu; }
claim "which gives back the file, shown and in build/corpus" gives_back
claim "another base can be named" eval "make_patch edited.cu solutions/$key/coalescing.cu &&
    grep -qx -- '--- solutions/$key/coalescing.cu' $mistake.patch && gives_back"
step=solutions/$key/steps/step.cu
mkdir "${step%/*}"
{ cat "$base"; printf 'static int of_the_step_%d;\n' 1 2 3 4; } >$step
mistaken $step >edited_step.cu
rm $mistake.patch
claim "a step of the solution can be the nearest one" eval "make_patch edited_step.cu &&
    grep -qx -- '--- $step' $mistake.patch"
rm -r "${step%/*}" $mistake.patch
make_patch edited.cu >/dev/null

cp "$judges/calibrate.sh" grader/judges/
row=wrong/mistake,SLOW,axpby,0.5,0.4,0.6,0.5,GPU,2026-11-27
keeps_its_row() { # when another entry was measured
    printf 'header\n%s\n' $row >grader/judges/$key/calibration.csv
    printf 'header\n%s\n' \
        "$key,solution,PASS,axpby,measured,GPU,1,1,1,1,1,1,1,2026-11-28" >times.csv
    grader/judges/calibrate.sh times.csv && grep -qx $row grader/judges/$key/calibration.csv
}
claim "it keeps its row in the table of measured times" keeps_its_row

make_patch edited.cu $base >/dev/null
sed -i 's/^#include "contracts.*/&\n#include <stdint.h>/' $base
claim "when the base was edited, a sentence names both, and what to do" \
    says "$mistake.patch does not apply to $base: line" show
claim "and names the command" says "make entry-patch NAME=$key/wrong/mistake" show
mistaken "$base" >edited.cu
claim "by which lines that have only moved are found again" eval "make_patch && gives_back"
cp $mistake.patch stored.patch
sed -i 's/b \* /b  * /' $base
claim "lines that have changed are not" says "nowhere in the base" make_patch
claim "and the patch stays as it was" cmp $mistake.patch stored.patch
mv $mistake.patch "$work/away.patch"
claim "an entry that is not there is told" says "neither $mistake.cu nor mistake.patch" show
mv "$work/away.patch" $mistake.patch
sed -i 1d edited.cu
claim "a file that does not say its verdict is refused" says "// expect: " make_patch edited.cu
claim "and so is a name that is no entry's" says "which entry?" \
    "$make_patch" "$work/warpquest" mistake edited.cu
exit $failed
