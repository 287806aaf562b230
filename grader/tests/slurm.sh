#!/usr/bin/env bash
# A class is graded by a Slurm of our own, on this machine alone, whose node dies in the middle: the
# marks must be those of a run without Slurm. Then a node that is not fit, tasks that no job can
# judge, and a Slurm that refuses. It needs root and an installed Slurm (Debian: slurm-wlm, munge).
# Everything is in a temporary folder, and nothing is left of it. One line for each claim; exit
# status 1 when one does not hold.
#
#     slurm.sh [build folder]
set -u
cd "$(dirname "$0")/../.."
gradebook=$(realpath "${1:-build}")/bin/gradebook
for program in slurmctld slurmd munged sbatch scontrol squeue sinfo scancel sqlite3; do
    command -v "$program" >/dev/null && continue
    echo "  --    Slurm: $program is not installed (Debian: slurm-wlm, munge, sqlite3); not tested"
    exit 0
done
if [ "$(id -u)" != 0 ]; then
    echo '  --    Slurm: only root can start one; not tested'
    exit 0
fi
source grader/tests/claim.sh
export SLURM_CONF=$work/slurm.conf
seed=7 students=60 copies=5 # five of them hand in the same

# --- Slurm on this machine ------------------------------------------------------------------------
# Whatever has our configuration in its environment: daemons, jobs and all below them. This script
# has not, since it was started without it.
ours() { # ours [name]: their numbers
    local folder
    for folder in $(grep -lzxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ 2>/dev/null); do
        folder=${folder%/environ}
        [ $# = 0 ] || [ "$(cat "$folder/comm" 2>/dev/null)" = "$1" ] || continue
        [ ! -e "$folder" ] || echo "${folder#/proc/}"
    done
}

end_all() {
    local process again
    for again in 1 2 3; do
        for process in $(ours); do kill -KILL "$process" 2>/dev/null; done
        sleep 0.3
    done
    wait 2>/dev/null
    rm -rf "$work"
}
trap end_all EXIT
trap 'exit 130' INT TERM HUP

free_port() {
    local port
    for _ in {1..100}; do
        port=$((20000 + RANDOM % 12000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

host=$(hostname -s)
mkdir "$work"/{state,spool,logs}
chmod 755 "$work"
(umask 077 && head -c 1024 /dev/urandom >"$work/munge.key")
cat >"$SLURM_CONF" <<END
ClusterName=warpquest
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,batch_sched_delay=0
ReturnToService=2
JobRequeue=1
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/logs/slurmctld
SlurmdLogFile=$work/logs/slurmd
KillWait=3
SlurmdTimeout=6
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END

soon() { # soon <seconds> <command...>: it holds within that time
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}
node_is() { [[ $(sinfo --noheader --format=%T) == $1 ]]; }
start_node() {
    slurmd -D >"$work/slurmd.out" 2>&1 &
    disown
}

munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
    --pid-file="$work/munge.pid" --log-file="$work/logs/munged" --seed-file="$work/munge.seed" \
    >"$work/munged.out" 2>&1 &
disown
soon 20 test -S "$work/munge.socket"
slurmctld -D >"$work/slurmctld.out" 2>&1 &
disown
start_node
if ! soon 40 node_is idle; then
    echo '  --    Slurm: it does not start here; not tested. It says:'
    tail -qn 3 "$work"/*.out | sed 's/^/        /'
    exit 0
fi

# --- A class --------------------------------------------------------------------------------------
corpus=grader/judges/01_coalescing
files=(solutions/01_coalescing/coalescing.cu
    $corpus/right/{four_a_thread,one_float_a_thread}.cu
    $corpus/slow/few_blocks.cu
    $corpus/wrong/{float4_anyway,half_precision,tail_lost,zero_b_shortcut}.cu
    $corpus/wrong/{unsigned_quads,overflow_clamped,infinities_clamped,subnormals_flushed}.cu)
mkdir "$work/class"
for ((i = 0; i < students; i++)); do
    cp "${files[i / copies]}" "$work/class/student$i.cu"
done

grade() { # grade <submissions> <out> [options...]; its status is in $work/status as well
    local status
    "$gradebook" grade "$1" --out "$2" --device sim --seed $seed "${@:3}" >"$work/output" 2>&1
    status=$?
    echo $status >"$work/status"
    return $status
}
# Columns by their names, from a table whose texts between quotes do not matter.
columns() { # columns <out> <name>...
    sed 's/"[^"]*"//g' "$1/grades.csv" | awk -F, -v names="${*:2}" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; count = split(names, name, " "); next }
        { for (i = 1; i <= count; i++) printf "%s ", $at[name[i]]; print "" }'
}
judged() { find "$work/$1/judged" -name '*.json' 2>/dev/null | wc -l; }
has_judged() { [ "$(judged "$1")" -ge "$2" ]; }
in_the_queue() { squeue --noheader --format='%i %j'; }
queue_is_empty() { [ -z "$(in_the_queue)" ]; }
no_judge_left() { [ -z "$(ours gradebook)$(ours slurm_script)" ]; }

claim "$students hand-ins get a mark without Slurm" grade "$work/class" "$work/local"

# --- A node dies ----------------------------------------------------------------------------------
grade "$work/class" "$work/out" --engine slurm --chunk 2 &
run=$!
claim "jobs of Slurm judge" soon 200 has_judged out 2
claim "they are at least 4" test "$(in_the_queue | grep -c ' warpquest$')" -ge 1 -a \
    "$(grep -c '"key"' "$work/out/queue/tasks.json")" -ge 8
gradebook_is_free() {
    [ "$(sqlite3 "$work/out/gradebook.sqlite" 'SELECT count(*) FROM hand_in')" = $students ] &&
        flock --nonblock "$work/out/gradebook.lock" true
}
claim "meanwhile the gradebook is free for other commands" gradebook_is_free
for process in $(ours slurmd) $(ours slurmstepd); do kill -KILL "$process"; done
jobs_end() {
    local process
    for process in $(ours gradebook); do
        grep -qzx judge "/proc/$process/cmdline" 2>/dev/null && return 1
    done
    return 0
}
claim "when Slurm's daemons are killed, the jobs end that they watched over" soon 20 jobs_end
claim "Slurm notices that the node is dead" soon 60 node_is 'down*'
start_node
judging() { squeue --noheader --states=RUNNING --name=warpquest --format=%i; }
is_judging() { # a worker is there, whose parent is the judge of a chunk
    local process parent
    for process in $(ours gradebook); do
        parent=$(ps -o ppid= -p "$process" | tr -d ' ')
        [ "$(cat "/proc/$parent/comm" 2>/dev/null)" = gradebook ] && return 0
    done
    return 1
}
requeue() {
    local job
    is_judging || return
    for job in $(judging); do scontrol requeue "$job" || return; done
}
soon 100 is_judging
claim "Slurm stops jobs in the middle, and starts them again later" requeue
wait $run
claim "the run ends as if no node had died" test "$(cat "$work/status")" = 0
claim "because jobs were started again" grep -q 'Requeuing JobId' "$work/logs/slurmctld"
every_student_has_a_mark() {
    [ "$(columns "$work/out" standing | grep -c '^judged ')" = $students ]
}
claim "every student has a mark" every_student_has_a_mark
same_marks() {
    diff <(columns "$work/local" id lesson verdict points) \
        <(columns "$work/out" id lesson verdict points)
}
claim "verdicts and points are those of the run without Slurm" same_marks
judged_once() {
    [ "$(sqlite3 "$work/out/gradebook.sqlite" \
        'SELECT count(*), count(DISTINCT student) FROM attempt')" = "$students|$students" ]
}
claim "nothing is twice in the gradebook" judged_once
claim "nothing is left beside the gradebook" test -z "$(ls "$work/out/judged" 2>/dev/null)"
claim "no job is left" soon 20 queue_is_empty
claim "no process of a job is left" soon 20 no_judge_left

# --- Tasks that no job judges ---------------------------------------------------------------------
mkdir "$work/small"
cp "${files[0]}" "$work/small/ann.cu"
cp "${files[4]}" "$work/small/ben.cu"
scontrol update PartitionName=all State=DOWN
grade "$work/small" "$work/lost" --engine slurm --chunk 1 &
run=$!
soon 60 grep -qs '"collector": "[0-9]' "$work/lost/queue/jobs.json"
lost=$(sqlite3 "$work/lost/gradebook.sqlite" "SELECT key FROM hand_in WHERE student = 'ann'")
rm "$work/lost/judged/$lost.cu"
scontrol update PartitionName=all State=UP
wait $run
claim "a run that leaves a task says so by its status" test "$(cat "$work/status")" = 5
claim "what left no record was submitted again, twice" \
    test "$(find "$work/lost/queue" -name 'collect-*.log' | wc -l)" = 3
left_undecided() {
    columns "$work/lost" id standing | grep -q '^ann undecided' &&
        columns "$work/lost" id standing | grep -q '^ben judged' &&
        grep -q 'not judged: its job on the cluster ended 3 times' "$work/lost/grades.csv" &&
        grep -q 'queue/[0-9]*_0.log' "$work/lost/grades.csv"
}
claim "then it is undecided, with the log's name, and the others have their marks" left_undecided
next_run_judges() {
    grade "$work/small" "$work/lost" && columns "$work/lost" id standing verdict |
        grep -q '^ann judged PASS'
}
claim "the next run judges it" next_run_judges

# --- A node that is not fit -----------------------------------------------------------------------
export NVCC=/no/such/nvcc
grade "$work/small" "$work/unfit" --engine slurm &
run=$!
unset NVCC
claim "a node on which the solution does not pass is drained" soon 60 node_is 'drain*'
claim "with the reason" grep -q "solution does not pass here" <(sinfo --noheader --format=%E)
starts_again() { in_the_queue | grep -q ' warpquest$' && [ -z "$(ours slurm_script)" ]; }
claim "its job waits for another node" soon 30 starts_again
foreground=$(pgrep -P $run -x gradebook)
kill -INT "$foreground"
wait $run
claim "an interrupt leaves the jobs, and says so" \
    grep -q '^interrupted: the jobs of Slurm go on; the same command' "$work/output"
claim "they are there" grep -q warpquest-collect <(in_the_queue)
for job in $(squeue --noheader --format=%A); do scancel "$job"; done
soon 20 queue_is_empty
scontrol update NodeName="$host" State=RESUME
soon 20 node_is idle

# --- A Slurm that refuses -------------------------------------------------------------------------
refuses() { # refuses <words> <command...>
    ! "${@:2}" >"$work/output" 2>&1 && grep -qF -- "$1" "$work/output" &&
        [ "$(grep -c '^no jobs were submitted' "$work/output")" = 1 ]
}
refused="$gradebook grade $work/small --out $work/refused --device sim --engine slurm"
claim "Slurm's own words are told when it refuses" refuses 'invalid partition' \
    $refused --sbatch '--partition=none'
claim "options for sbatch are words, not commands of a shell" refuses 'sbatch refused' \
    $refused --sbatch '--partition=$(touch${IFS}made)'
claim "so nothing was made by them" test ! -e made -a ! -e "$work/refused/made"
claim "nothing was submitted then" queue_is_empty
exit $failed
