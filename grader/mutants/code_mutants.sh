#!/usr/bin/env bash
# Do our own tests notice a mistake in our own C code? Mistakes are put in one by one, each in a
# copy of the tree, and `make test` runs there until something fails.
#
#     code_mutants.sh list BUILD      what can be changed in the C code: BUILD/code-mutants/list
#     code_mutants.sh judge BUILD     draws SAMPLE (200) of them by SEED (20), and judges them
#
# Only the first needs libclang. JOBS=n at a time (half the processors), each on two processors;
# MINUTES=n for each (30); TARGETS="unit ..." are made in turn instead of `test`. Without a mistake
# all of them have to pass, which is tried first. A line for each mistake as it is judged:
#
#     noticed      by the target, or the part of the tests, that is named
#     stillborn    it does not compile: then it does not count
#     equivalent   it compiles to the same code
#     SURVIVES     all tests pass
#     unfinished   time was up in that target
#
# The last line has noticed / (noticed + survivors); the bar is 0.92. Whole lines, with the change,
# are in BUILD/code-mutants/results; what has a line there is not judged again.
set -u
cd "$(dirname "$0")/../.."
what=$1 build=$(realpath "$2")
folder=$build/code-mutants
sample=${SAMPLE:-200} seed=${SEED:-20}
minutes=${MINUTES:-30}
targets=${TARGETS:-test}
processors=($(sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status | tr , '\n' |
    while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done))
jobs=${JOBS:-$(((${#processors[@]} + 1) / 2))}
BAR=0.92

# A line for each: file, tab, what mutate says of it.
list() {
    local file command
    mkdir -p "$folder"
    jq -r '.[] | select(.file | test("/tests/|/mutants/") | not) | .file + "\t" + .command' \
        "$build/compile_commands.json" | sort -u | while IFS=$'\t' read -r file command; do
        local flags=()
        # The words are flags that make printed: none of them has a space.
        for word in $command; do [[ $word == -[ID]* ]] && flags+=("$word"); done
        "$build/bin/mutate" "$file" "${flags[@]}" $(isystem $command) |
            sed -nE "s|^(\{\"kind\".*\}),?\$|$file\t\1|p"
    done >"$folder/list"
    echo "$(wc -l <"$folder/list") changes in $(cut -f1 "$folder/list" | uniq | wc -l) files"
}
isystem() { # the folders of headers that are not ours
    while [ $# -gt 0 ]; do
        [ "$1" = -isystem ] && echo "-isystem $2"
        shift
    done
}

# The same for the same seed; a larger sample holds the smaller one.
draw() {
    awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f\t%d\t%s\n", rand(), NR, $0 }' \
        "$folder/list" | sort -n | head -n "$sample" | cut -f2-
}

# mutated <file> <mutation>: the file's text with the change.
mutated() {
    local from to
    from=$(jq .from <<<"$2") to=$(jq .to <<<"$2")
    head -c "$from" "$1"
    jq -j .new <<<"$2"
    tail -c +$((to + 1)) "$1"
}

# An object's instructions and data, without where they come from.
code_of() {
    objcopy --strip-debug "$1" "$1.code" 2>&1 && sha256sum <"$1.code"
    rm -f "$1.code"
}

# tested <log>: prints nothing when all targets pass, or which one failed, or that time was up.
tested() {
    local target ends=$((SECONDS + minutes * 60))
    for target in $targets; do
        timeout $((ends > SECONDS ? ends - SECONDS : 1)) make "$target" >"$1" 2>&1 && continue
        [ $? = 124 ] && echo "unfinished $target" && return
        echo "noticed $(sed -n 's/^FAIL: *\([^;]*\);.*/\1/p' "$1" | grep . || echo "$target")"
        return
    done
}

# judge_in <copy> <file> <mutation>: prints the state, and by which part.
judge_in() (
    cd "$1" || exit
    local file=$2 object=build/obj/${2%.c}.o before log=$1.log
    cp "$file" "$1.original"
    before=$(code_of "$object")
    mutated "$1.original" "$3" >"$file"
    if ! timeout 600 make -s "$object" >"$log" 2>&1; then
        echo stillborn
    elif [ "$(code_of "$object")" = "$before" ]; then
        echo equivalent
    else
        tested "$log" | grep . || echo SURVIVES
    fi
    cp "$1.original" "$file" # newer than its object: what was mutated is built again
)

# copy_to <folder>: the tree, and what is built of it.
copy_to() {
    mkdir -p "$1/build" && tar c --exclude=./build --exclude=./.git . | tar x -C "$1" &&
        tar c -C "$build" --exclude=./code-mutants . | tar x -C "$1/build"
}

# work <number>: takes mutants whose place in the draw is its own, on two processors of its own.
work() {
    local copy=$folder/copy$1 place=0 number file mutation state all=${#processors[@]}
    copy_to "$copy" || return
    taskset -cp "${processors[2 * $1 % all]},${processors[(2 * $1 + 1) % all]}" $BASHPID \
        >"$copy.log"
    while IFS=$'\t' read -r number file mutation; do
        place=$((place + 1))
        [ $((place % jobs)) = "$1" ] || continue
        grep -q "^$number	" "$folder/results" && continue
        state=$(judge_in "$copy" "$file" "$mutation")
        printf '%s\t%s\t%s\t%s\n' "$number" "$state" "$file" "$mutation" \
            >>"$folder/results"
        printf '  %-24s %s:%s  %s\n' "$state" "$file" "$(jq -r .at <<<"$mutation")" \
            "$(jq -r '.kind + ": " + .old + " -> " + .new' <<<"$mutation" | head -n 1 | cut -c1-70)"
    done < <(draw)
    rm -rf "$copy"
}

conclude() {
    awk -F'\t' -v bar=$BAR 'NR == FNR { drawn[$1] = 1; next }
        $1 in drawn { split($2, state, " "); count[state[1]]++ }
        END {
            all = count["noticed"] + count["SURVIVES"]
            score = all ? count["noticed"] / all : 0
            printf "%s: %d of %d changes are noticed, %.3f (bar %.2f); %d compile to the same" \
                " code, %d do not compile, %d are unfinished\n",
                score >= bar ? "PASS" : "FAIL", count["noticed"], all, score, bar,
                count["equivalent"], count["stillborn"], count["unfinished"]
            exit score < bar
        }' <(draw) "$folder/results"
}

case $what in
list) list ;;
judge)
    touch "$folder/results"
    copy_to "$folder/whole" || exit
    if [ -n "$(cd "$folder/whole" && tested "$folder/whole.log")" ]; then
        echo "the tests fail without any change: see $folder/whole.log"
        exit 1
    fi
    rm -rf "$folder/whole"
    echo "code mutants: $sample of $(wc -l <"$folder/list"), seed $seed, $jobs at a time"
    for ((i = 0; i < jobs; i++)); do work $i & done
    wait
    conclude
    ;;
esac
