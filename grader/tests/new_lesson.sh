#!/usr/bin/env bash
# new_lesson.sh BUILD - what `make new-lesson` makes, in a copy of the tree: a lesson that is
# complete as it is, and nothing for a bad name. One line for each claim; exit status 1 when one
# does not hold.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
source grader/tests/claim.sh

# With what is built already, whose times of change say that it is new enough.
tree=$work/tree
mkdir -p "$tree/build"
cp -a Makefile common exercises grader lessons solutions "$tree"
cp -a "$build"/{bin,lib,obj,setup,config.mk,judges.json} "$tree/build"

in_copy()
{
    (cd "$tree" && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "$@") >"$work/output" 2>&1
}

whole()
{
    local number
    in_copy new-lesson NAME=new_one || return 1
    number=$(sed -n 's/^lesson \([0-9]*\):$/\1/p' "$work/output")
    in_copy verify-course LESSON="$number" SEED=1 && in_copy corpus LESSON="$number" SEED=1
}
refused() # refused WORDS NAME: with a sentence, and nothing is made
{
    local before after
    before=$(find "$tree" -path "$tree/build" -prune -o -print | wc -l)
    ! in_copy new-lesson NAME="$2" && grep -qF -- "$1" "$work/output" || return 1
    after=$(find "$tree" -path "$tree/build" -prune -o -print | wc -l)
    ((before == after))
}

claim "a new lesson is whole as it is, and its corpus gets what it should" whole
claim "a lesson without a name is asked for one" refused "make new-lesson NAME=" ""
claim "a name that is no word is refused" refused "cannot be a name" "../up"
claim "a name with capitals is refused" refused "cannot be a name" "Streams"
claim "a name that a lesson has is refused" \
    refused "there is a lesson of that name: 01_coalescing" coalescing
exit $failed
