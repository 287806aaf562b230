#!/usr/bin/env bash
# make_zip.sh - the archive that makes Gradescope an autograder of one lesson.
#
#     make_zip.sh <folder to write it to> <number of the lesson>
#
# In it are setup.sh and run_autograder, the lesson's name, and the course as git has it: what is
# not committed is not in it. Without git, it is the tree without build/.
set -euo pipefail
cd "$(dirname "$0")/../../.."
into=$1 number=${2:-}
here=grader/class/gradescope
MOST_SECONDS=540 MOST_MIB=768 # what run_autograder may take, and the container's memory

refuse() { # refuse <sentence>
    echo "$1"
    exit 64
}

# --- The lesson -----------------------------------------------------------------------------------

[[ $number =~ ^0*([0-9]{1,2})$ ]] ||
    refuse 'which lesson? Give its number: make gradescope-zip LESSON=1'
number=$((10#${BASH_REMATCH[1]}))
folders=("exercises/$(printf %02d "$number")"_*)
lesson=${folders[0]#exercises/}
[ -d "${folders[0]}" ] || refuse "there is no lesson $number: make status lists them"

# measured.txt: what the lesson's reference takes in such a container, and right answers at most.
read -r seconds mib right < <(awk -v lesson="$lesson" '$1 == lesson { print $2, $4, $5 }' \
    "$here/measured.txt") || true
if [ -z "${seconds:-}" ]; then
    echo "lesson $number was never measured in half a processor and $MOST_MIB MiB:" \
        "make test-gradescope MEASURE=$number does it"
elif [ "$seconds" -gt "$MOST_SECONDS" ] || [ "$mib" -gt "$MOST_MIB" ]; then
    refuse "lesson $number cannot be graded there: its reference takes $seconds s and $mib MiB, of \
$MOST_SECONDS s and $MOST_MIB MiB ($here/measured.txt)"
elif [ "${right:-0}" -gt "$MOST_MIB" ]; then
    echo "right answers to lesson $number take up to $right MiB: choose the largest container" \
        'there is, since what does not fit is not judged'
fi

# --- What is in it --------------------------------------------------------------------------------

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/setup.sh" "$here/run_autograder" "$work"
echo "$lesson" >"$work/lesson.txt"
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
    git archive --format=tar HEAD | gzip -n >"$work/course.tar.gz"
    [ -z "$(git status --porcelain --untracked-files=no)" ] ||
        echo 'what you changed and did not commit is not in it'
else
    tar --exclude=./build --exclude=./.git -czf "$work/course.tar.gz" .
fi

# --- The archive ----------------------------------------------------------------------------------

mkdir -p "$into"
archive=$(cd "$into" && pwd)/gradescope-lesson$number.zip
cd "$work"
files=(setup.sh run_autograder lesson.txt course.tar.gz)
if command -v zip >/dev/null; then
    zip -q -X made.zip "${files[@]}"
elif command -v python3 >/dev/null; then
    python3 -m zipfile -c made.zip "${files[@]}"
else
    refuse 'neither zip nor python3 is here, to write a zip file: install the package zip'
fi
cp made.zip "$archive.new" && mv "$archive.new" "$archive"
echo "$archive: upload it as the autograder of a programming assignment"
