#!/bin/sh
# A job of Slurm's that judges one chunk of a run: chunk.sh GRADEBOOK COURSE BUILD OUT. The chunk's
# number is that of the job in its array.
#
# A node that does not pass the course's own solution is drained, if this user may do that, and the
# job starts again elsewhere. After some such starts it gives up: what it has not judged is left to
# the job that collects.
gradebook=$1 course=$2 build=$3 out=$4
most_starts=4
daemon=$PPID # Slurm's, which watches over this job

"$gradebook" judge "$SLURM_ARRAY_TASK_ID" --out "$out" --course "$course" --build "$build" &
judge=$!
trap 'kill -TERM $judge' TERM INT

# When Slurm's daemon dies, Slurm starts the job again, and nobody ends this one: it would judge
# beside the other and disturb its times.
while [ -e "/proc/$judge" ]; do
    [ -e "/proc/$daemon" ] || kill -TERM $judge
    sleep 1 &
    wait $!
done
wait $judge
status=$?
[ $status = 75 ] || exit $status

reason="Warpquest: the course's own solution does not pass here (job $SLURM_JOB_ID)"
if scontrol update NodeName="$SLURMD_NODENAME" State=DRAIN Reason="$reason"; then
    echo "node $SLURMD_NODENAME is drained: $reason"
else
    echo "node $SLURMD_NODENAME is not fit, and could not be drained: tell who runs the cluster"
fi
if [ "${SLURM_RESTART_COUNT:-0}" -ge $most_starts ]; then
    echo "started $most_starts times, each time on a node that is not fit: this job gives up"
    exit $status
fi
echo "the job starts again on another node"
scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
exit $status
