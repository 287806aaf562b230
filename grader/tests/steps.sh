#!/usr/bin/env bash
# Every step of a ladder (solutions/NN_slug/steps) is right, if not fast: it passes safety and
# numerics on the simulated device. A step defines one launcher of its lesson, or all; missing ones
# are taken from the exercise as it is shipped, in a namespace of their own. One line for each step;
# exit status 1 when one is wrong, or not as fast as its lesson's ladder.csv says.
#
#     steps.sh [build folder [number]]: only so many steps of each ladder, drawn by the seed
set -u
cd "$(dirname "$0")/../.."
products=${1:-build} most=${2:-1000}
wrong=0
SEED=20 # a test says the same each time it runs
AWAY=0.05 # so much may the model say something else than the table, before it is to be made anew

launchers_of() # file
{
    sed -n 's/^cudaError_t \(lesson[0-9]*_[a-z0-9_]*\)(.*/\1/p' "$1" | sort
}

is_whole() # step, exercise
{
    [ "$(launchers_of "$1")" = "$(launchers_of "$2")" ]
}

# A submission: the step, then the exercise with the names of the step's launchers taken away.
submission_of() # step, exercise
{
    cat "$1"
    ! is_whole "$1" "$2" || return
    launchers_of "$1" | sed 's/.*/#define & lent_&/'
    printf 'extern "C" { namespace lent {\n'
    cat "$2"
    printf '} }\n'
}

# The launcher that was timed last, and times the reference's speed, as a record's last gate has it.
launcher_in() # record
{
    sed -n 's/^ *"launcher": "\([a-z0-9_]*\)".*/\1/p' "$1" | tail -n 1
}

ratio_in() # record
{
    sed -n 's/^   "ratio": \([0-9.e+-]*\).*/\1/p' "$1" | tail -n 1
}

# Rows of the first table, the modelled column of which is not the second one's.
differs_from() # ladder.csv, what steps get now
{
    awk -F, -v away="$AWAY" '
        NR == FNR { known[$1 "," $2] = $3; next }
        !(($1 "," $2) in known) { print $2 ": no row in the table"; next }
        { old = known[$1 "," $2] + 0; more = $3 > old ? $3 - old : old - $3 }
        more > away * old { print $2 ": " old " in the table, now " $3 }' "$1" "$2"
}

# The names of a folder's steps, or of the sample of each of its ladders: of sgemm_01_naive, that is
# sgemm.
steps_in() # folder
{
    basename -s .cu "$1"/*.cu | awk -v seed=$SEED 'BEGIN { srand(seed) } { print rand(), $0 }' |
        sort | awk -v most="$most" '{ split($2, word, "_") }
            ++count[word[1]] <= most { print $2 }' | sort
}

for ladder in solutions/*/steps; do
    lesson=$(basename "$(dirname "$ladder")")
    work=$products/test/steps/$lesson
    exercise=grader/judges/$lesson/exercise.cu
    rm -rf "$work"
    mkdir -p "$work"
    for name in $(steps_in "$ladder"); do
        step=$ladder/$name.cu
        only=(--only "$(launchers_of "$step")")
        ! is_whole "$step" "$exercise" || only=()
        submission_of "$step" "$exercise" >"$work/$name.cu"
        "$products/bin/warpquest" check "$lesson" "${only[@]}" --device sim --seed $SEED \
            --json --submission "$work/$name.cu" >"$work/$name.json" 2>"$work/log"
        verdict=$(sed -n 's/^ "verdict": "\([A-Z_]*\)".*/\1/p' "$work/$name.json")
        case $verdict in
        PART | PASS | SLOW)
            printf '  ok   %-16s steps/%s\n' "$lesson" "$name"
            printf '%s,%s,%.3f\n' "$(launcher_in "$work/$name.json")" "$name" \
                "$(ratio_in "$work/$name.json")" >>"$work/modelled.csv"
            ;;
        *)
            printf '  NO   %-16s steps/%s: %s\n' "$lesson" "$name" "${verdict:-no verdict}"
            wrong=1
            ;;
        esac
    done
    table=solutions/$lesson/ladder.csv
    [ -e "$table" ] || continue
    differences=$(differs_from "$table" "$work/modelled.csv")
    if [ -n "$differences" ]; then
        printf '  NO   %-16s ladder.csv: make ladder writes it anew\n%s\n' "$lesson" "$differences"
        wrong=1
    else
        printf '  ok   %-16s ladder.csv says how fast its steps are\n' "$lesson"
    fi
done
exit $wrong
