#!/usr/bin/env bash
# What `simgpu run --timeline` and --json say of timeline.cu. A line each; exit status 1 when one
# does not hold.
#
#     timeline.sh simgpu program json_value
set -u
simgpu=$1
program=$2
json_value=$3
source=$(dirname "$0")/timeline.cu
source "$(dirname "$0")/../claim.sh"

value() { "$json_value" "$work/profile.json" timeline "$@"; }
holds() { # holds <formula of awk>
    awk "BEGIN { exit !($1) }" || { echo "$1"; false; }
}
opens() { # a list of events, each with the keys that the format asks for
    jq -e '.traceEvents | length > 10 and all(has("name") and has("ph") and has("pid") and
        has("tid") and (.ph == "M" or (has("ts") and has("dur"))))' "$work/trace.json" >/dev/null
}
lane() { # lane <name>: how many events the engine's lane of that name has
    jq --arg name "$1" '(.traceEvents[] | select(.ph == "M" and .args.name == $name)) as $lane |
        [.traceEvents[] | select(.ph == "X" and .pid == $lane.pid and .tid == $lane.tid)] |
        length' "$work/trace.json"
}

lanes() {
    grep -A99 'class="lanes"' "$work/trace.json.html" | sed -n 's,^<div>\(.*\)</div>$,\1,p' |
        tr '\n' '|'
}

drawing() { sed -n '/<svg/,/<.svg>/p' "$page" | sed 's,.*<svg,<svg,; s,</svg>.*,</svg>,'; }

run() {
    "$simgpu" run --quiet --timeline "$work/trace.json" --json "$work/profile.json" \
        -- "$program" >"$work/output" 2>"$work/screen"
}

run
claim "the program runs as without a timeline" [ $? = 0 ]
claim "the trace has what its format asks for" opens
claim "two copies to the device are in their engine's lane" [ "$(lane "copies to the device")" = 2 ]
claim "none is in the other engine's" [ "$(lane "copies to the host")" = 0 ]
claim "the kernels' lane shows two times of work" [ "$(lane kernels)" = 2 ]
claim "the copy of pinned memory runs beside the kernel" holds \
    "$(value sums overlap_ns) > 0.5 * $(value sums up_ns) / 2"
claim "that of pageable memory does not" holds \
    "$(value sums overlap_ns) < 0.6 * $(value sums up_ns)"
claim "the longest gap is the pageable copy's" [ "$(value sums gap_cause)" = \
    "cudaMemcpy of pageable memory" ]
claim "its line is named" [ "$(value sums gap_at line)" = \
    "$(grep -n "the gap" "$source" | cut -d: -f1)" ]
page=$work/trace.json.html
claim "and so says a sentence of the page" grep -qF "in which neither engine works: cudaMemcpy of \
pageable memory at timeline.cu:$(grep -n "the gap" "$source" | cut -d: -f1)" "$page"
claim "the page has a lane for each engine, stream and thread" [ "$(lanes)" = "kernels|copies to \
the device|copies to the host|default stream|stream 3|stream 4|host thread 0|" ]
claim "each kernel is drawn in two of them" [ "$(grep -c '<rect class="kernel"' "$page")" = 4 ]
claim "the drawing is well formed" eval "drawing | xmllint --noout -"
first=$(value sums)
SIMGPU_THREADS=1 run
claim "the times do not depend on how long the simulation takes" [ "$(value sums)" = "$first" ]

exit $failed
