#!/usr/bin/env bash
# Every step of a ladder (solutions/NN_slug/steps) is right, if not fast: it passes safety and
# numerics on the simulated device. A step defines one launcher; where its lesson has more, the
# exercise as it is shipped lends the others, in a namespace of its own. A line a step; exit status
# 1 when one is wrong.
set -u
cd "$(dirname "$0")/../.."
products=${1:-build}
wrong=0

# A submission: the step, then the exercise with the names of the step's launchers taken away.
submission_of() # step, exercise
{
    cat "$1"
    sed -n 's/^cudaError_t \(lesson[0-9]*_[a-z0-9_]*\)(.*/#define \1 lent_\1/p' "$1"
    printf 'extern "C" { namespace lent {\n'
    cat "$2"
    printf '} }\n'
}

for ladder in solutions/*/steps; do
    lesson=$(basename "$(dirname "$ladder")")
    work=$products/test/steps/$lesson
    rm -rf "$work"
    mkdir -p "$work/in"
    for step in "$ladder"/*.cu; do
        submission_of "$step" "grader/judges/$lesson/exercise.cu" >"$work/in/$(basename "$step")"
    done
    "$products/bin/warpquest" grade "$work/in" --out "$work/out" --lesson "$lesson" --device sim \
        >"$work/log" 2>&1
    for step in "$work"/in/*.cu; do
        name=$(basename "$step" .cu)
        verdict=$(awk -F, -v name="$name" '$1 == name { print $2 }' "$work/out/grades.csv")
        case $verdict in
        PASS | SLOW) printf '  ok   %-16s steps/%s\n' "$lesson" "$name" ;;
        *)
            printf '  NO   %-16s steps/%s: %s\n' "$lesson" "$name" "${verdict:-no verdict}"
            wrong=1
            ;;
        esac
    done
done
exit $wrong
