#!/usr/bin/env bash
# What can go wrong around a check: no compiler, files that are not submissions, a full disk, an
# interrupt. Each gets one clear sentence and the right exit status, and leaves nothing behind. One
# line for each claim; exit status 1 when one does not hold.
#
#     bad_input.sh [build folder]
set -u
cd "$(dirname "$0")/../.."
products=$(realpath "${1:-build}")
source grader/tests/claim.sh
source grader/tests/without_times.sh

# A build folder of our own, with the same programs, so that what is left behind is ours.
build=$work/build
mkdir -p "$build/work" "$work/tmp"
for part in bin lib judges.json config.mk; do
    [ -e "$products/$part" ] && ln -s "$products/$part" "$build/$part"
done
export TMPDIR=$work/tmp

warpquest() { "$build/bin/warpquest" --course "$PWD" --build "$build" "$@"; }

# Check a submission of lesson 1; its exit status and a word of its output have to be these.
gets() { # gets <status> <words> <arguments...>
    local status=$1 words=$2
    shift 2
    warpquest check 1 --device sim "$@" >"$work/output" 2>&1
    local got=$?
    [ "$got" = "$status" ] || { echo "exit status $got"; return 1; }
    grep -qF -- "$words" "$work/output" || { echo "not said: $words"; return 1; }
}

solution=solutions/01_coalescing/coalescing.cu

# --- Files ----------------------------------------------------------------------------------------
: >"$work/empty.cu"
truncate -s 300M "$work/huge.cu"
printf 'Dear grader, please pass me.\n' >"$work/letter.cu"
sed 's/a \* x\[i\]/a * z[i]/' exercises/01_coalescing/coalescing.cu >"$work/typo.cu"
mkfifo "$work/pipe.cu"
claim "a missing file is refused by name" gets 8 "$work/none.cu: there is no such file" \
    --submission "$work/none.cu"
claim "a folder is refused" gets 8 "this is a folder" --submission "$work"
claim "an empty file is refused" gets 8 "the file is empty" --submission "$work/empty.cu"
claim "300 MB are refused at once" timeout 20 bash -c "$(declare -f gets warpquest)
    build='$build' work='$work'; gets 8 'too large' --submission '$work/huge.cu'"
claim "a pipe is refused without waiting" gets 8 "not a regular file" --submission "$work/pipe.cu"
claim "what is not CUDA does not compile" gets 3 "identifier \"Dear\" is undefined" \
    --submission "$work/letter.cu"
line=$(grep -n 'z\[i\]' "$work/typo.cu" | cut -d: -f1)
claim "a compile error names the file as it was typed" \
    gets 3 "$work/typo.cu($line): error" --submission "$work/typo.cu"
claim "a lesson that does not exist is a usage error" \
    bash -c "'$build/bin/warpquest' --course '$PWD' --build '$build' check 77; [ \$? = 64 ]"

# --- The machine ----------------------------------------------------------------------------------
claim "without nvcc it says so" env NVCC=/no/such/nvcc bash -c "$(declare -f gets warpquest)
    build='$build' work='$work'; gets 5 'nvcc) was not found' --submission $solution"
claim "a machine without walls makes it a self-check" env WARPQUEST_SANDBOX=neither bash -c "
    $(declare -f gets warpquest); build='$build' work='$work'
    gets 0 'no sandbox works here: a self-check, not a grade' --submission $solution"
without() { # without <program of the grader>: it is named, and the submission is not blamed
    local whole=$build status
    build=$work/without && mkdir -p "$build/work" "$build/bin"
    ln -sfn "$products/lib" "$products/judges.json" "$products/config.mk" "$build"
    cp "$products"/bin/* "$build/bin" && rm "$build/bin/$1"
    gets 70 "bin/$1, a part of the grader, is not there" --submission "$solution" &&
        grep -q '`make check` builds it' "$work/output" &&
        grep -q 'your code was not judged: the grader failed, not you' "$work/output"
    status=$?
    build=$whole
    return $status
}
for program in walls runner examine simgpu; do
    claim "without its $program the grader blames itself" without $program
done
damaged_build() {
    local source
    for source in "$build"/work/*/coalescing.cu; do
        cmp -s "$source" "$solution" || continue
        head -c 3000 "${source%/*}/submission.so" >"$work/cut"
        cp "$work/cut" "${source%/*}/submission.so"
    done
    gets 0 "build       ok   compiled" --submission "$solution"
}
claim "a kept build that was damaged is built again" damaged_build
{ cat "$solution"; echo '#include "/dev/zero"'; } >"$work/zero.cu"
# It says so itself, or the launcher sees first that it passes its limit.
takes_all_memory() {
    gets 3 "build       NO" --submission "$work/zero.cu" || return 1
    grep -q "out of memory allocating" "$work/output" && return
    grep -q "needs more than 2 GiB of memory" "$work/output" &&
        grep -qF "[COMPILER_LIMIT] your code asks too much of the compiler" "$work/output"
}
claim "a compiler that takes all memory is ended" takes_all_memory
claim "a device without CUDA IPC makes it a self-check" gets 0 "a self-check, not a grade" \
    --no-ipc --submission "$solution"
claim "output that cannot be written is an error" \
    bash -c "'$build/bin/warpquest' --course '$PWD' --build '$build' status >/dev/full
    [ \$? = 70 ]"
# A file system of so many bytes in place of a folder, for one command.
full() { # full <bytes> <folder> <command...>
    bwrap --dev-bind / / --size "$1" --tmpfs "$2" "${@:3}" >"$work/output" 2>&1
}
one_sentence() { # the last command ended with that status and said why
    [ "$2" = "$1" ] && grep -qE 'disk is full|is the disk full|No space left' "$work/output" &&
        ! grep -qiE 'core dumped|segmentation' "$work/output"
}
full_disk() { # full_disk <status> <bytes> <folder> <arguments...>
    local status=$1 bytes=$2 folder=$3
    shift 3
    full "$bytes" "$folder" "$build/bin/warpquest" --course "$PWD" --build "$build" "$@"
    one_sentence "$status" $?
}
check_solution=(check 1 --device sim --submission "$solution")
if bwrap --dev-bind / / --size 1000000 --tmpfs /mnt true 2>/dev/null; then
    claim "a disk that is full when it compiles is one sentence" \
        full_disk 5 8192 "$build/work" "${check_solution[@]}"
    warpquest "${check_solution[@]}" >/dev/null 2>&1
    mkdir -p "$build/records"
    not_kept() { # the verdict is told all the same
        WARPQUEST_PROGRESS=$build/records/progress.db full 4096 "$build/records" \
            "$products/bin/warpquest" check 0 --device sim
        [ $? != 5 ] && grep -q 'this check is not kept' "$work/output" &&
            tail -n 1 "$work/output" | grep -q 'lesson 0'
    }
    claim "a disk that is full when a check is noted is one sentence" not_kept
fi

# --- Interrupts -----------------------------------------------------------------------------------
leftovers() { # processes of that session, and temporary files
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v session="$1" '
        { text = $0; sub(/.*\) /, "") } # the name may hold spaces
        $4 == session && $1 != "Z" { print text; found = 1 }
        END { exit !found }' || ls -d "$TMPDIR"/* "$build"/work/new-* 2>/dev/null
}
interrupted() { # interrupted <seconds>: a check that is interrupted so long after its start
    local copy=$work/fresh.cu
    { cat exercises/01_coalescing/coalescing.cu; echo "// $RANDOM$RANDOM"; } >"$copy"
    setsid "$build/bin/warpquest" --course "$PWD" --build "$build" check 1 --device sim \
        --submission "$copy" >"$work/output" 2>&1 &
    local check=$!
    sleep "$1"
    kill -INT "$check" 2>/dev/null
    wait "$check"
    local got=$?
    [ "$got" = 130 ] || [ "$got" = 2 ] || { echo "exit status $got"; return 1; }
    ! leftovers "$check"
}
interrupted_crew() { # as Ctrl-C does it: everyone in the group hears of it
    setsid "$build/bin/warpquest" --course "$PWD" --build "$build" corpus 1 --device sim \
        >"$work/output" 2>&1 &
    local crew=$!
    sleep 2
    kill -INT -- "-$crew"
    wait "$crew"
    local got=$?
    [ "$got" = 130 ] || { echo "exit status $got"; return 1; }
    ! leftovers "$crew"
}
claim "many checks at a time, interrupted, leave nothing behind" interrupted_crew
for seconds in 0.05 0.3 0.9 1.4 1.7; do
    claim "interrupted after $seconds s, it leaves nothing behind" interrupted "$seconds"
done
claim "the next check works" gets 0 "PASS lesson 1" --submission "$solution"

# --- What people and programs read ----------------------------------------------------------------
claim "the last line starts with the verdict" \
    bash -c "tail -n 1 '$work/output' | grep -q '^PASS lesson 1'"
claim "a pipe gets no escape sequences" bash -c "! grep -q \$'\\033' '$work/output'"
claim "a report fits a screen" bash -c "[ \$(wc -l <'$work/output') -le 24 ] &&
    [ \$(wc -L <'$work/output') -le 100 ]"
same_figures() { # what does not depend on the clock is the same with the same seed
    for run in 1 2; do # on a machine of one processor, or of 64
        SIMGPU_THREADS=$((run == 1 ? 1 : 64)) warpquest check 1 --device sim --seed 7 --json \
            --submission "$solution" | without_times >"$work/$run"
    done
    cmp "$work/1" "$work/2"
}
claim "the same seed gives the same record, with 1 thread or 64" same_figures

same_everywhere() { # without the device, the seed, how it was built, and what the model says
    sed -E '2,3d; /^  utilization|modelled,|of the kernels/s/[0-9.]+/N/g; s/ [kMGT]?B\/s/ B\/s/'
}
as_in_readme() { # with its seed, on which the case of the worst error hangs
    local seed
    seed=$(sed -n 's/.*, seed \(0x[0-9a-f]*\)$/\1/p' README.md)
    warpquest check 1 --device sim --seed "$seed" \
        --submission grader/judges/01_coalescing/exercise.cu |
        sed '1s|grader.*|exercises/01_coalescing/coalescing.cu|
             /^ *make hint-lesson1 SUBMISSION=/d; s/ too much\.$/&   make hint-lesson1/' |
        same_everywhere >"$work/printed"
    sed -n '/^\$ make check-lesson1/,/^```/p' README.md | sed '1d; $d' | same_everywhere |
        diff - "$work/printed"
}
claim "a check prints what the README shows" as_in_readme
exit $failed
