#!/usr/bin/env bash
# ladder.sh - how fast the steps of a solution are, for the reports of those who climb them.
#
#     ladder.sh BUILD [LESSON...]       by default of each lesson that has a ladder.csv
#
# Writes solutions/NN_slug/ladder.csv (grader/check/ladder.h): modelled, what `make steps` got
# last, and measured, the of_reference column of lessons/site/bench, at the size that is timed.
set -eu
cd "$(dirname "$0")/../.."
products=${1:?"ladder.sh needs the build folder"}
shift
lessons=("$@")
[ $# -gt 0 ] || for table in solutions/*/ladder.csv; do
    lessons+=("$(basename "$(dirname "$table")")")
done

for lesson in "${lessons[@]}"; do
    modelled=$products/test/steps/$lesson/modelled.csv
    [ -r "$modelled" ] || { echo "ladder.sh: $modelled is not there: make steps" >&2; exit 1; }
    {
        echo launcher,step,modelled,measured
        # The first size that a step was measured at is the one that is timed.
        awk -F, -v OFS=, '
            FILENAME != "-" {
                step = $2
                if (sub(/^steps\//, "", step) && !(step in measured))
                    measured[step] = sprintf("%.3f", $NF)
                next
            }
            { print $1, $2, $3, $2 in measured ? measured[$2] : "-" }
        ' lessons/site/bench/gemm.csv lessons/site/bench/elementwise.csv - <"$modelled"
    } >"solutions/$lesson/ladder.csv.new"
    mv "solutions/$lesson/ladder.csv.new" "solutions/$lesson/ladder.csv"
    echo "solutions/$lesson/ladder.csv"
done
