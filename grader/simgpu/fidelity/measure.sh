#!/usr/bin/env bash
# measure.sh - measures the bank on the GPU at hand: times by events, counters by Nsight Compute,
# joined into the tables that stand in measured/.
#
#     make fidelity-programs
#     grader/simgpu/fidelity/measure.sh OUT [BUILD]        BUILD is build/fidelity
#
# Leaves in OUT: bank.csv, kernels.csv, patterns.csv, sass.csv (the tables), times.csv (events
# alone), raw.txt (what the profiler wrote), measure.log (all of this script's output). The clocks
# are left as they are, the caches are flushed before each pass. Takes BUDGET_S seconds at most, 220
# unless set: what does not fit is left out, and the log says so. Exit status 1 when a launch of
# the bank is missing.
#
# ONLY=PATTERN measures the rows or families of that name only (see bank.cu), and nothing but the
# bank: the rows of bank.csv are then ready to stand in measured/bank.csv. PROGRAM=fresh measures
# that program's rows in the same way, and leaves fresh.csv.
set -u

out=${1:?usage: measure.sh OUT [BUILD]}
build=${2:-build/fidelity}
here=$(dirname "$0")
program=${PROGRAM:-bank}
budget_s=${BUDGET_S:-220}
chunk=40 # launches to a run of the profiler, so that one that hangs costs only these
only=(${ONLY:+--only "$ONLY"})
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say()
{
    printf '[%3d s] %s\n' "$SECONDS" "$*"
}

# Lines that begin with a launch's number.
count_rows()
{
    grep -c '^ *[0-9]' "$1"
}

# limited SECONDS COMMAND...: stopped after that time, or when the budget is used up.
limited()
{
    local limit=$1 left=$((budget_s - SECONDS))
    shift
    [ "$left" -lt "$limit" ] && limit=$left
    if [ "$limit" -le 2 ]; then
        say "no time left for: $*"
        return 124
    fi
    timeout -k 5 "$limit" "$@"
}

# The programs want libcudart.so.13; find one if the loader does not.
find_runtime()
{
    local nvcc_folder folder
    nvcc_folder=$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")
    for folder in "" "$nvcc_folder/../lib64" /usr/local/cuda/lib64 "$build"; do
        if LD_LIBRARY_PATH=$folder:${LD_LIBRARY_PATH:-} "$build/$program" list "${only[@]}" \
            >"$work/list" 2>&1; then
            export LD_LIBRARY_PATH=$folder:${LD_LIBRARY_PATH:-}
            say "$program: $(count_rows "$work/list") launches; CUDA runtime:" \
                "${folder:-as the loader finds it}"
            return 0
        fi
    done
    cat "$work/list"
    return 1
}

# profile METRICS FIRST COUNT SECONDS FILE PROGRAM...: counters of COUNT launches from FIRST on.
# True when FILE has a table in it.
profile()
{
    local metrics=$1 first=$2 count=$3 limit_s=$4 file=$5
    shift 5
    rm -f "$file"
    limited "$limit_s" ncu --csv --page raw --print-units base --clock-control none \
        --cache-control all --metrics "$metrics" --launch-skip "$first" --launch-count "$count" \
        --log-file "$file" "$@" >"$work/program.log" 2>&1
    grep -q '"Kernel Name"' "$file" 2>/dev/null && return 0
    grep -q '"Kernel Name"' "$work/program.log" && cp "$work/program.log" "$file" && return 0
    say "the profiler gave no table for: $* (launches from $first)"
    tail -n 5 "$work/program.log" "$file" 2>/dev/null
    return 1
}

# Drop the metrics this profiler does not know: it stops at the first such. When it fails without
# a name, the launch__ metrics go, which differ most between its releases. Sets all_metrics.
settle_metrics()
{
    local attempt unknown
    all_metrics=$("$build/join" metrics all)
    for attempt in 1 2 3 4 5 6; do
        profile "$all_metrics" 0 1 25 "$work/probe.csv" "$build/bank" once --only scale_1K &&
            return 0
        unknown=$(cat "$work/probe.csv" "$work/program.log" 2>/dev/null |
            sed -n 's/.*[Ff]ailed to find metric *\(regex:^\)\?\([a-z0-9_]*\).*/\2/p' |
            sort -u | tr '\n' ' ')
        [ -z "$unknown" ] && unknown=$(tr ',' '\n' <<<"$all_metrics" |
            grep '^launch__' | grep -v registers_per_thread | tr '\n' ' ')
        [ -z "$unknown" ] && break
        say "attempt $attempt: the profiler does not know $unknown"
        all_metrics=$(tr ',' '\n' <<<"$all_metrics" | awk -F. -v unknown="$unknown" '
            BEGIN { split(unknown, list, " "); for (i in list) drop[list[i]] = 1 }
            !($1 in drop)' | paste -sd,)
    done
    say "falling back to the few metrics every table needs"
    all_metrics=$("$build/join" metrics few)
}

# The program in chunks; then once more, one by one, the few launches that a chunk lost. Sets
# bank_profiles.
profile_bank()
{
    local count first file number name
    count=$(count_rows "$work/list")
    bank_profiles=()
    for ((first = 0; first < count; first += chunk)); do
        file=$work/bank_$first.csv
        profile "$all_metrics" "$first" "$chunk" 50 "$file" "$build/$program" once "${only[@]}" &&
            bank_profiles+=("$first:$file")
        say "$program: launches from $first on profiled"
    done
    "$build/join" missing all --times "$out/times.csv" "${bank_profiles[@]}" >"$work/missing"
    while read -r number name; do
        file=$work/bank_$name.csv
        profile "$all_metrics" 0 1 15 "$file" "$build/$program" once --only "$name" </dev/null &&
            bank_profiles+=("$number:$file")
    done < <(head -n 40 "$work/missing")
}

# The comment above each table.
heading()
{
    printf '# Measured by measure.sh on %s (driver %s) with %s, %s.\n' \
        "${gpu:-an unknown GPU}" "${driver:-unknown}" "${profiler:-no profiler}" "$(date -u +%F)"
}

write_tables()
{
    {
        heading
        grep '^#' "$out/times.csv"
        "$build/join" table all --times "$out/times.csv" "${bank_profiles[@]}"
    } >"$out/$program.csv"
    "$build/join" missing all --times "$out/times.csv" "${bank_profiles[@]}" >"$work/missing"
}

# retake NAME SET METRICS: measure patterns.cu or kernels.cu again, and hold it to what is known.
retake()
{
    local name=$1 set=$2 metrics=$3
    profile "$metrics" 0 1000 45 "$work/$name.csv" "$build/$name" || return
    {
        heading
        "$build/join" table "$set" "0:$work/$name.csv"
    } >"$out/$name.csv"
    say "$name: measured again; beside the numbers in the tree:"
    "$build/compare" --sass "$here/measured/sass.csv" "$here/measured/$name.csv" "$out/$name.csv"
}

main()
{
    find_runtime ||
        { say "bank does not run here; build it with: make fidelity-programs"; return 2; }
    IFS=, read -r gpu driver < <(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)
    driver=${driver# }
    profiler=$(ncu --version 2>/dev/null | sed -n 's/^Version \([0-9.]*\).*/Nsight Compute \1/p')
    say "$(heading)"
    limited 80 "$build/$program" time --csv "$out/times.csv" "${only[@]}" ||
        say "$program time: exit status $?"
    say "$program: $(count_rows "$out/times.csv") launches timed"
    settle_metrics
    say "asking for $(tr ',' '\n' <<<"$all_metrics" | wc -l) metrics"
    profile_bank
    write_tables
    say "$program.csv: $(count_rows "$out/$program.csv") launches," \
        "$(wc -l <"$work/missing") without counters"
    sed 's/^/    without counters: /' "$work/missing"
    if [ -z "${ONLY:-}" ] && [ "$program" = bank ]; then
        retake kernels all "$all_metrics"
        retake patterns few "$("$build/join" metrics few)"
    fi
    if [ -z "${ONLY:-}" ]; then
        "$here/sass.sh" "$build" >"$out/sass.csv" || say "the machine code could not be read"
    fi
    for file in "$work"/*.csv; do
        printf '\n=== %s\n' "${file##*/}"
        cat "$file"
    done >"$out/raw.txt"
    nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw --format=csv
    say "done"
    [ ! -s "$work/missing" ] && ! grep -q ',,$' "$out/times.csv"
}

mkdir -p "$out" || exit 2
main 2>&1 | tee "$out/measure.log"
exit "${PIPESTATUS[0]}"
