#!/usr/bin/env bash
# container.sh - runs a command with as much of this machine as a small container would give it, and
# says what it took: half a processor and 768 MiB unless CPU_PERCENT and MEMORY_MIB say otherwise.
#
#     container.sh <report> <command...>      as root
#
# The report is one line: how it was limited, seconds, those of a processor among them (on a busy
# machine, twice as many is what an idle one takes), the most MiB of memory (anonymous and shared;
# pages of files are not counted, since they are given back), and how many processes were killed for
# want of memory. The limits are those of a control group, version 2 or 1, that the command also
# sees as its own, as it would in a container. Without such groups, the command has one processor,
# is stopped for the rest of every tenth of a second (SIGSTOP), and no limit of memory: then the sum
# of its processes' shares (PSS) is told. The exit status is the command's.
set -u
report=$1 percent=${CPU_PERCENT:-50} mib=${MEMORY_MIB:-768}
shift
bytes=$((mib << 20)) start=$EPOCHREALTIME most=0 kills=0

# --- Groups ---------------------------------------------------------------------------------------

v2=/sys/fs/cgroup v1=/sys/fs/cgroup groups=() how='' statistics=''
make_v2() {
    grep -qsw memory "$v2/cgroup.subtree_control" && grep -qsw cpu "$v2/cgroup.subtree_control" &&
        mkdir "$v2/container-$$" 2>/dev/null || return 1
    groups=("$v2/container-$$") seen=$v2 how='control group, version 2'
    statistics='^(anon|shmem)$'
    echo "$((percent * 1000)) 100000" >"${groups[0]}/cpu.max" &&
        echo "$bytes" >"${groups[0]}/memory.max" && echo 0 >"${groups[0]}/memory.swap.max"
}
make_v1() {
    mkdir "$v1/memory/container-$$" "$v1/cpu/container-$$" 2>/dev/null || return 1
    groups=("$v1/memory/container-$$" "$v1/cpu/container-$$") how='control group, version 1'
    statistics='^total_(rss|shmem)$' seen=$v1/memory
    echo "$bytes" >"${groups[0]}/memory.limit_in_bytes" &&
        echo 100000 >"${groups[1]}/cpu.cfs_period_us" &&
        echo "$((percent * 1000))" >"${groups[1]}/cpu.cfs_quota_us"
}
leave() {
    local group process
    for group in "${groups[@]}"; do
        while read -r process; do
            kill -9 "$process"
        done <"$group/cgroup.procs"
    done
    sleep 0.2
    rmdir "${groups[@]}"
}
[ "$(id -u)" = 0 ] && { make_v2 || make_v1; }

# Enters the groups and, in a mount namespace of its own, takes the first for all there is.
enter='for group in "${@:3:$2}"; do echo $$ >"$group/cgroup.procs" || exit 125; done
    mount --bind "$3" "$1" || exit 125
    shift $((2 + $2)); exec "$@"'

# --- The command ----------------------------------------------------------------------------------

sample_group() {
    local name value now=0
    while read -r name value; do
        [[ ! $name =~ $statistics ]] || ((now += value >> 10))
    done <"${groups[0]}/memory.stat"
    ((now >> 10 <= most)) || most=$((now >> 10))
}
everything_below() { # <process>: it and all that it started
    local child
    echo "$1"
    for child in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
        everything_below "$child"
    done
}
sample_processes() {
    local now
    now=$(cat $(printf '/proc/%s/smaps_rollup ' "${below[@]}") 2>/dev/null |
        awk '/^Pss:/ { sum += $2 } END { print int(sum / 1024) }')
    ((now <= most)) || most=$now
}
duty() { # stopped for the part of a tenth of a second that it is not given
    mapfile -t below < <(everything_below "$1")
    sleep "$(awk -v p="$percent" 'BEGIN { print p / 1000 }')"
    kill -STOP "${below[@]}" 2>/dev/null
    sample_processes
    sleep "$(awk -v p="$percent" 'BEGIN { print (100 - p) / 1000 }')"
    kill -CONT "${below[@]}" 2>/dev/null
}

if [ ${#groups[@]} != 0 ]; then
    trap leave EXIT
    exec {never}<> <(:)
    unshare --mount bash -c "$enter" enter "$seen" ${#groups[@]} "${groups[@]}" "$@" &
    command=$!
    while kill -0 $command 2>/dev/null; do
        sample_group
        read -r -t 0.02 -u "$never" # sleeps, without a process that would be counted
    done
else
    how='one processor, stopped for a part of the time'
    taskset -c 0 "$@" &
    command=$!
    while kill -0 $command 2>/dev/null; do
        duty $command
    done
fi
wait $command
status=$?
times >"$report" # its second line is of the children; in a pipe it would be of a shell without any
processor=$(awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$report")
for file in memory.events memory.oom_control; do
    [ ${#groups[@]} = 0 ] || [ ! -e "${groups[0]}/$file" ] ||
        kills=$(awk '$1 == "oom_kill" { print $2 }' "${groups[0]}/$file")
done
awk -v how="$how" -v start="$start" -v end="$EPOCHREALTIME" -v most="$most" -v kills="$kills" \
    -v processor="$processor" 'BEGIN {
        printf "%s: %.0f s, %.0f s of a processor, %d MiB, %d killed\n", how, end - start,
            processor, most, kills
    }' >"$report"
exit $status
