#!/usr/bin/env bash
# make_patch.sh - stores an entry of a corpus as a patch of another file: `make entry-patch`.
#
#     make_patch.sh WARPQUEST ENTRY [FILE [BASE]]
#
# ENTRY is 06_gemm/wrong/table_full, and FILE its whole text. Without FILE that is the entry as it
# is stored now: its NAME.cu, or its patch, whose lines are found again where BASE was edited.
# Without BASE it stays the patch's, or is the one that makes the smallest patch: the lesson's
# solution, one of its steps, or one of the whole files in right/ and base/. The patch is kept only
# if it gives back FILE.
set -euo pipefail
warpquest=$1 entry=${2:-} file=${3:-} base=${4:-}
say() { echo "make_patch.sh: $*" >&2; exit 1; }
entry=${entry#grader/judges/} entry=${entry%.cu} entry=${entry%.patch} lesson=${entry%%/*}
[[ $entry == */*/* && -d grader/judges/${entry%/*} ]] || say \
    "which entry? NAME=06_gemm/wrong/table_full: lesson, folder, and the name of the mistake"
whole=grader/judges/$entry.cu patch=grader/judges/$entry.patch
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir "$work/stored"

comments() { awk '!/^\/\// { exit } { count++ } END { print count + 0 }' "$1"; }

# The lines below the comments that begin both, with numbers that count these as well.
difference() # difference <base> <file>
{
    local old new
    old=$(comments "$1") new=$(comments "$2")
    head -n "$new" "$2"
    echo "--- $1"
    echo "+++ $whole"
    { diff -U1 <(tail -n +$((old + 1)) "$1") <(tail -n +$((new + 1)) "$2") || true; } |
        awk -v old="$old" -v new="$new" '
            function moved(range, by, part, count) {
                count = split(substr(range, 2), part, ",")
                return substr(range, 1, 1) part[1] + by (count > 1 ? "," part[2] : "")
            }
            NR <= 2 { next }
            /^@@ / { $2 = moved($2, old); $3 = moved($3, new) }
            { print ($0 == " " ? "" : $0) }'
}

smallest() # the base whose patch has the fewest lines
{
    local candidate
    for candidate in "solutions/$lesson"/{,steps/}*.cu "grader/judges/$lesson"/{right,base}/*.cu; do
        if [[ -e $candidate && ! $candidate -ef $whole ]]; then
            echo "$(difference "$candidate" "$1" | wc -l) $candidate"
        fi
    done | sort -n | sed -n '1s/^[0-9]* //p'
}

if [[ -z $file && -e $whole ]]; then
    cp "$whole" "$work/whole.cu"
elif [[ -z $file ]]; then
    "$warpquest" entry "$entry" --moved >"$work/whole.cu" || exit
else
    cp -- "$file" "$work/whole.cu"
fi
if [[ -z $base && -e $patch ]]; then
    base=$(sed -n 's/^--- //p' "$patch" | head -n 1)
fi
base=${base:-$(smallest "$work/whole.cu")}
[[ -r $base ]] || say "the base ${base:-of $entry} cannot be read"
head -n 1 "$work/whole.cu" | grep -q '^// expect: ' || say \
    "the first line has to say which verdict the entry gets: // expect: WRONG numerics"

# What was stored comes back if something goes wrong.
for stored in "$whole" "$patch"; do
    [[ ! -e $stored ]] || mv "$stored" "$work/stored/"
done
difference "$base" "$work/whole.cu" >"$patch"
if ! "$warpquest" entry "$entry" | cmp -s - "$work/whole.cu"; then
    rm "$patch"
    for stored in "$whole" "$patch"; do
        [[ ! -e $work/stored/${stored##*/} ]] || mv "$work/stored/${stored##*/}" "$stored"
    done
    say "a patch of $base does not give back the file; nothing has changed"
fi
echo "$patch: $(wc -l <"$patch") lines, against $base"
