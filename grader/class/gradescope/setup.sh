#!/usr/bin/env bash
# setup.sh - Gradescope runs this once, as root, when it builds the image of the autograder.
#
# Everything that takes a network or a compiler happens here: packages, the CUDA toolkit, the
# course's programs, the reference of the lesson. The last step judges that reference as if a
# student had handed it in, so that an image in which grading cannot work is not built at all.
#
# For tests, AUTOGRADER and the other variables are those of run_autograder.
set -euo pipefail
root=${AUTOGRADER:-/autograder}
course=${AUTOGRADER_COURSE:-$root/course}
source=$root/source

# The packages of everything that a check needs or welcomes, and of jq, which run_autograder reads
# JSON with. The table's columns are group, thing, for, probe, why, apt-get.
packages() {
    tar -xzOf "$source/course.tar.gz" grader/setup/packages.txt |
        awk -F'|' '!/^#/ && ($3 ~ /check/ || $2 ~ /^ *jq *$/) { print $6 }'
}

export DEBIAN_FRONTEND=noninteractive
apt-get update
# shellcheck disable=SC2046  # one cell may name several packages
apt-get install -y --no-install-recommends ca-certificates $(packages) ||
    echo 'not all packages are there: the set-up of the course tries them one by one'

# Gradescope's machines need not be like the one that builds the image.
case $(uname -m) in
x86_64) arch=x86-64-v3 ;;
aarch64) arch=armv8-a ;;
*) arch=native ;;
esac
if [ ! -e "$course/Makefile" ]; then
    mkdir -p "$course"
    tar -xzf "$source/course.tar.gz" -C "$course" --no-same-owner
    chmod -R a+rX "$course" # the user of its own that runs a student's code reads it
fi
make -C "$course" -j"$(nproc)" MACHINE_ARCH="$arch" check gradebook

read -r lesson <"$source/lesson.txt"
rehearsal=$(mktemp -d)
trap 'rm -rf "$rehearsal"' EXIT
mkdir "$rehearsal/source" "$rehearsal/submission"
cp "$source/lesson.txt" "$rehearsal/source"
cp "$course/solutions/$lesson/${lesson#*_}.cu" "$rehearsal/submission"
AUTOGRADER=$rehearsal AUTOGRADER_COURSE=$course bash "$source/run_autograder"
if ! jq -e '.tests | arrays and all(.status == "passed")' "$rehearsal/results/results.json"; then
    cat "$rehearsal/results/results.json"
    echo "the reference of lesson $lesson does not pass in this image: nothing can be graded in it"
    exit 1
fi
