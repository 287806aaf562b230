#!/usr/bin/env bash
# calibrate.sh - from a run of `make verdicts` on a GPU to the table that a lesson's bar rests on.
#
#     calibrate.sh TIMES.csv            times.csv of that run
#
# Writes NN_slug/calibration.csv for each lesson in it: how fast every right answer and every slow
# one is, as a ratio to the reference solution, measured and modelled. `make verify-course` holds
# utilization_bar to it. The case stands last in a row of times.csv: it alone has commas in it.
set -euo pipefail
times=${1:?"calibrate.sh needs the times.csv of a run of make verdicts on a GPU"}
[[ -r $times ]] || { echo "calibrate.sh: $times cannot be read" >&2; exit 1; }
times=$(realpath "$times")
cd "$(dirname "$0")"
grep -q ',measured,' "$times" || {
    echo "calibrate.sh: $times has no measured times: it is of a run without a GPU" >&2
    exit 1
}

table_of()
{
    echo "submission,expected,launcher,measured ratio,low,high,modelled ratio,device,date"
    awk -F, -v lesson="$1" '
        $1 != lesson || $3 !~ /^(PASS|SLOW)/ { next }
        { key = $2 "," $3 "," $4 }
        $5 == "measured" { order[count++] = key; measured[key] = $9 "," $10 "," $11
                           device[key] = $6 "," $14 }
        $5 == "modelled" { modelled[key] = $9 }
        END { for (i = 0; i < count; i++)
                  print order[i] "," measured[order[i]] "," modelled[order[i]] "," \
                        device[order[i]] }
    ' "$times"
}

for lesson in $(awk -F, 'NR > 1 && $5 == "measured" { print $1 }' "$times" | sort -u); do
    table_of "$lesson" >"$lesson/calibration.csv.new"
    mv "$lesson/calibration.csv.new" "$lesson/calibration.csv"
    echo "$lesson/calibration.csv: $(($(wc -l <"$lesson/calibration.csv") - 1)) rows"
done
