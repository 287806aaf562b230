#!/usr/bin/env bash
# new_lesson.sh - the folders of a new lesson, from a template that `make verify-course` accepts as
# it is: an array that is scaled, with a judge, an exercise, a solution, notes and a small corpus.
#
#     new_lesson.sh SLUG            at the root of the tree; the number is the next one
#
# No list names a lesson, so nothing else has to be edited. Exit status 1, with a sentence, when the
# name cannot be used; then nothing is made.
set -euo pipefail
template=$(cd "$(dirname "$0")" && pwd)/template

refuse()
{
    echo "make new-lesson: $1" >&2
    exit 1
}

# The number after the last one, in two digits: numbers are never used again.
next_number()
{
    local last
    last=$(find grader/judges -maxdepth 1 -name '[0-9][0-9]_*' -printf '%f\n' | sort | tail -n 1)
    printf '%02d' $((10#${last%%_*} + 1))
}

# fill TEMPLATE FILE
fill()
{
    mkdir -p "$(dirname "$2")"
    sed "s/@KEY@/$key/g; s/@SLUG@/$slug/g; s/@NUMBER@/$((10#$number))/g; s/@GUARD@/${key^^}/g" \
        "$template/$1" >"$2"
    echo "  $2"
}

slug=${1:-}
[[ -n $slug ]] || refuse "say what it is called: make new-lesson NAME=streams"
[[ $slug =~ ^[a-z][a-z0-9_]{1,30}$ ]] ||
    refuse "'$slug' cannot be a name: small letters, digits and _, beginning with a letter"
taken=$(find grader/judges -maxdepth 1 -name "[0-9][0-9]_$slug" -printf '%f\n')
[[ -z $taken ]] || refuse "there is a lesson of that name: $taken"
number=$(next_number)
key=${number}_$slug

echo "lesson $((10#$number)):"
fill contract.h "common/contracts/$key.h"
fill judge.c "grader/judges/$key/judge.c"
fill exercise.cu "grader/judges/$key/exercise.cu"
fill exercise.cu "exercises/$key/$slug.cu"
fill solution.cu "solutions/$key/$slug.cu"
fill notes.md "lessons/$key/notes.md"
for entry in "$template"/{right,slow,wrong}/*.cu; do
    entry=${entry#"$template/"}
    fill "$entry" "grader/judges/$key/$entry"
done
echo "It is whole as it is: make verify-course LESSON=$((10#$number))"
echo "What belongs in each file: grader/judges/README.md"
