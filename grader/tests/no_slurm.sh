#!/usr/bin/env bash
# Grading a class with jobs of Slurm, as far as it can be tested without one: stand-ins take the
# place of its commands, and chunks are judged and collected by hand. make test-slurm tests it with
# a Slurm. One line for each claim; exit status 1 when one does not hold.
#
#     no_slurm.sh [build folder]
set -u
cd "$(dirname "$0")/../.."
gradebook=$(realpath "${1:-build}")/bin/gradebook
source grader/tests/claim.sh
out=$work/out
mkdir "$work"/{class,commands}
cp solutions/01_coalescing/coalescing.cu "$work/class/ann.cu"
cp grader/judges/01_coalescing/wrong/float4_anyway.cu "$work/class/ben.cu"
cp "$work/class/ann.cu" "$work/class/cat.cu"

# stand_in <command>: a script for it, on standard input.
stand_in() { { echo '#!/bin/sh'; cat; } >"$work/commands/$1" && chmod +x "$work/commands/$1"; }
grade() { # grade [options...]
    PATH=$work/commands:$PATH "$gradebook" grade "$work/class" --out "$out" --device sim --seed 7 \
        --engine slurm "$@" >"$work/output" 2>&1
}
says() { # says <status> <words> <command...>
    "${@:3}"
    local status=$?
    [ $status = "$1" ] || { echo "exit status $status"; return 1; }
    grep -qF -- "$2" "$work/output" || { echo "not said: $2"; return 1; }
}
judge() { # judge <chunk> [NAME=value...]
    env "${@:2}" "$gradebook" judge "$1" --out "$out" >"$work/output" 2>&1
}
collect() { PATH=$work/commands:$PATH "$gradebook" collect --out "$out" >"$work/output" 2>&1; }
soon() { # soon <command...>: it holds within a minute
    local end=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}

# --- What cannot be submitted ---------------------------------------------------------------------
without_sbatch() {
    PATH=$work/commands "$gradebook" grade "$work/class" --out "$out" --engine slurm \
        >"$work/output" 2>&1
}
claim "without sbatch one sentence says so" says 8 'sbatch is not on the PATH' without_sbatch
stand_in sbatch <<'END'
printf 'sbatch: error: \033[31mno such\npartition' >&2
exit 1
END
claim "Slurm's own words are told when it refuses, without control characters" \
    says 8 'sbatch refused: sbatch: error:  [31mno such partition' grade
echo 'echo hello' | stand_in sbatch
claim "an answer without a job's number is told" says 8 'which job it submitted, but: hello' grade
stand_in sbatch <<'END'
case "$*" in *collect.sh*) echo no >&2; exit 1 ;; esac
echo 4
END
echo "echo \"\$1\" >>'$work/cancelled'" | stand_in scancel
claim "if what collects is refused, the jobs that judge are cancelled" says 8 'no' grade
claim "they were cancelled by their number" grep -qx 4 "$work/cancelled"
for bad in "--chunk 0" "--chunk 1001" "--chunk 2x" "--most 0" "--most -1"; do
    claim "$bad is refused" says 64 'is a whole number from 1 to 1000' grade $bad
done
claim "an engine that there is not is refused" says 64 'ENGINE is local or slurm' \
    grade --engine other

# --- What is submitted ----------------------------------------------------------------------------
stand_in sbatch <<END
for word in "\$@"; do printf '<%s>' "\$word"; done >>'$work/words'
echo >>'$work/words'
wc -l <'$work/words'
END
echo 'echo 2' | stand_in squeue
grade --chunk 1 --most 3 --sbatch ' --gres=gpu:1  --comment=$(id)*;x ' &
run=$!
claim "jobs are submitted" soon grep -qs '"collector": "2"' "$out/queue/jobs.json"
first() { sed -n 1p "$work/words"; }
claim "an array has a job for each chunk" grep -qF '<--array=0-1%3>' <(first)
claim "options are passed word by word, without a shell" \
    grep -q '^<--gres=gpu:1><--comment=$(id)\*;x><--parsable>' <(first)
claim "what collects waits for the array" grep -qF '<--dependency=afterany:1>' "$work/words"
kill -INT "$(pgrep -P $run -x gradebook)"
wait $run
claim "an interrupt says that the jobs go on" test $? = 130

# --- A chunk --------------------------------------------------------------------------------------
records() { find "$out/judged" -name '*.json' | sort | xargs -r sha256sum; }
if judge 0; [ $? = 75 ] && grep -qF 'no sandbox works here' "$work/output"; then
    echo '  --    judging a chunk: no sandbox works here; not tested'
    exit $failed
fi
rm -f "$out"/judged/*.json
claim "a node on which the solution does not pass is not fit" \
    says 75 'this node is not fit to judge' judge 0 NVCC=/no/such/nvcc
claim "it has judged nothing" test -z "$(records)"
judge 0 &
run=$!
sleep 2
kill -TERM "$(pgrep -P $run -x gradebook)"
wait $run
claim "a chunk that is stopped says so" test $? = 130
claim "it leaves no half judgement" test -z "$(records)"
claim "a chunk is judged" says 0 '1 tasks, 0 of them judged before' judge 0
before=$(records)
claim "it is not judged again" says 0 '1 tasks, 1 of them judged before' judge 0
claim "its record is as it was" test "$(records)" = "$before"
claim "a chunk that there is not is refused" says 8 'there is no such chunk: there are 0 to 1' \
    judge 2
claim "a chunk that is no number is refused" says 8 'there is no such chunk' judge 1x
left=$out/$(jq -r '.tasks[1].file' "$out/queue/tasks.json")
cp "$left" "$work/copy.cu"
echo '// changed' >>"$left"
claim "a text that was changed is not judged" says 5 'it was changed since it was handed in' judge 1
rm "$left"
claim "a text that is gone is not judged" says 5 '1 tasks are left without a judgement' judge 1
cp "$work/copy.cu" "$left"
mv "$out/gradebook.key" "$work/key"
claim "a node that does not share the folder says so" says 8 'that all nodes share' judge 1
mv "$work/key" "$out/gradebook.key"

# A run on this machine takes over, from a copy of the folder.
cp -a "$out" "$work/local"
takes_over() {
    "$gradebook" judge 1 --out "$work/local" &&
        "$gradebook" grade "$work/class" --out "$work/local" --device sim --seed 7 \
            >"$work/output" &&
        [ "$(cut -d, -f1,4 "$work/local/grades.csv")" = \
            $'id,standing\nann,judged\nben,judged\ncat,judged' ]
}
claim "a run without Slurm goes on from what jobs have judged" takes_over
marked_once() { # the column before the last; texts between quotes may have commas
    sed 's/"[^"]*"//g' "$work/local/grades.csv" | awk -F, 'NR > 1 && $(NF - 1) != 1 { exit 1 }'
}
claim "and enters it once" marked_once

# --- Collecting -----------------------------------------------------------------------------------
again() { grep -o '"again": [0-9]' "$out/queue/jobs.json"; }
claim "what was judged is collected, and the rest is submitted again" \
    says 0 '1 tasks left no record and are submitted again' collect
claim "that was the first time" test "$(again)" = '"again": 1'
judge 0
claim "it is judged then" says 0 'are in the gradebook now' collect
grade_again() { grade && grep -q '^3 marks in' "$work/output"; }
claim "the same command shows the result" grade_again
claim "nothing is twice in the gradebook" \
    test "$(cut -d, -f1 "$out/grades.csv" | sort | uniq -d)$(wc -l <"$out/grades.csv")" = 4
rm "$out/queue/jobs.json"
claim "without jobs there is nothing to collect" says 8 'no jobs were submitted' collect
echo '{"grader": 3}' >"$out/queue/tasks.json"
claim "tasks of another version of the course are refused" says 8 'another version of the course' \
    judge 0
echo '{' >"$out/queue/tasks.json"
claim "a damaged list of tasks is refused" says 8 'tasks.json cannot be read' judge 0
echo '  --    a node that dies, with a Slurm of our own: make test-slurm (as root; takes minutes)'
exit $failed
