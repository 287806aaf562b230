#!/usr/bin/env bash
# calibrate.sh - from a run of `make verdicts` on a GPU to the table that a lesson's bar rests on.
#
#     calibrate.sh TIMES.csv            times.csv of that run
#
# Writes NN_slug/calibration.csv for each lesson in it: how fast every right answer and every slow
# one is, as a ratio to the reference solution, measured and modelled. `make verify-course` holds
# utilization_bar to it. What was not measured in that run (KNOWN=...) keeps its row, with what the
# run modelled. The case stands last in a row of times.csv: it alone has commas in it.
set -euo pipefail
times=${1:?"calibrate.sh needs the times.csv of a run of make verdicts on a GPU"}
[[ -r $times ]] || { echo "calibrate.sh: $times cannot be read" >&2; exit 1; }
times=$(realpath "$times")
cd "$(dirname "$0")"
grep -q ',measured,' "$times" || {
    echo "calibrate.sh: $times has no measured times: it is of a run without a GPU" >&2
    exit 1
}

# The rows that a lesson's table has, of submissions that are still there.
old_rows_of()
{
    local row submission
    [[ -e $1/calibration.csv ]] || return 0
    tail -n +2 "$1/calibration.csv" | while IFS= read -r row; do
        submission=${row%%,*}
        [[ $submission != */* || -e $1/$submission.cu || -e $1/$submission.patch ]] && echo "$row"
    done
}

table_of()
{
    echo "submission,expected,launcher,measured ratio,low,high,modelled ratio,device,date"
    awk -F, -v OFS=, -v lesson="$1" '
        FILENAME != "-" && $1 == lesson && $3 ~ /^(PASS|SLOW)/ {
            key = $2 "," $4
            if ($5 == "measured") {
                order[count++] = key
                expected[key] = $3
                measured[key] = $9 "," $10 "," $11
                device[key] = $6 "," $14
            } else
                modelled[key] = $9
        }
        FILENAME == "-" && !(($1 "," $3) in measured) {
            key = $1 "," $3
            $7 = key in modelled ? modelled[key] : $7
            print
        }
        END {
            for (i = 0; i < count; i++) {
                split(order[i], part, ",")
                print part[1], expected[order[i]], part[2], measured[order[i]], \
                    modelled[order[i]], device[order[i]]
            }
        }' "$times" - < <(old_rows_of "$1")
}

for lesson in $(awk -F, 'NR > 1 && $5 == "measured" { print $1 }' "$times" | sort -u); do
    table_of "$lesson" >"$lesson/calibration.csv.new"
    mv "$lesson/calibration.csv.new" "$lesson/calibration.csv"
    echo "$lesson/calibration.csv: $(($(wc -l <"$lesson/calibration.csv") - 1)) rows"
done
