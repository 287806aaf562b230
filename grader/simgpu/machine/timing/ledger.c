/* ledger.c - shares out the queueing, and scales the cycles of a replay up to all executions of the
 * launch, and these to its time.
 *
 * The replay covers the first instructions of a few blocks, the counters cover all instructions of
 * all blocks: an op costs its cycles for an execution times its executions. An op that the replay
 * never came to costs as much as the others do on average.
 */
#include "ledger.h"

/* Which kind of wait it is to wait for an op's accesses. */
static enum sim_wait wait_of(const struct op_cycles *op)
{
    return op->asked.shared ? SIM_WAIT_SHARED : SIM_WAIT_MEMORY;
}

/* Take the queueing out of each op's waits, and charge it to the ops that the queues served. */
static void share_queues(struct op_cycles *ops, const struct launch *launch)
{
    double queued[SERVERS] = {0}, busy[SERVERS] = {0};
    for (size_t i = 0; i < launch->result.op_count; i++) {
        struct op_cycles *op = &ops[launch->ops[i].id];
        double *wait = &op->waits[wait_of(op)], all = *wait;
        for (int s = 0; s < SERVERS; s++) {
            busy[s] += op->asked.busy[s];
            if (op->asked.latency <= 0)
                continue;
            double part = all * op->asked.queued[s] / op->asked.latency;
            queued[s] += part;
            *wait -= part;
        }
    }
    for (size_t i = 0; i < launch->result.op_count; i++) {
        struct op_cycles *op = &ops[launch->ops[i].id];
        for (int s = 0; s < SERVERS; s++)
            if (busy[s] > 0)
                op->waits[wait_of(op)] += queued[s] * op->asked.busy[s] / busy[s];
    }
}

/* A warp that waits for its turn waits for what the schedulers issue instead: charge those waits to
 * the ops in proportion to their own issues. */
static void share_turns(struct op_cycles *ops, const struct launch *launch)
{
    double waited = 0, issued = 0;
    for (size_t i = 0; i < launch->result.op_count; i++) {
        waited += ops[launch->ops[i].id].waits[SIM_WAIT_TURN];
        issued += ops[launch->ops[i].id].waits[SIM_WAIT_ISSUE];
    }
    for (size_t i = 0; issued > 0 && i < launch->result.op_count; i++) {
        struct op_cycles *op = &ops[launch->ops[i].id];
        op->waits[SIM_WAIT_TURN] = waited * op->waits[SIM_WAIT_ISSUE] / issued;
    }
}

/* Cycles of an execution, on average over those that were replayed. */
static double average(const struct op_cycles *ops, const struct launch *launch)
{
    double cycles = 0, executions = 0;
    for (size_t i = 0; i < launch->result.op_count; i++) {
        const struct op_cycles *op = &ops[launch->ops[i].id];
        executions += op->executions;
        for (int wait = 0; wait < SIM_WAITS; wait++)
            cycles += op->waits[wait];
    }
    return executions > 0 ? cycles / executions : 0;
}

void ledger_close(struct op_cycles *ops, struct launch *launch, double time_ns)
{
    double all = 0;
    share_queues(ops, launch);
    share_turns(ops, launch);
    double unseen = average(ops, launch);
    for (size_t i = 0; i < launch->result.op_count; i++) {
        struct sim_op_counters *counters = &launch->ops[i];
        const struct op_cycles *op = &ops[counters->id];
        double executions = (double)counters->executions;
        if (op->executions == 0)
            counters->modelled_ns[SIM_WAIT_ISSUE] = unseen * executions;
        for (int wait = 0; op->executions > 0 && wait < SIM_WAITS; wait++)
            counters->modelled_ns[wait] = op->waits[wait] * executions / op->executions;
        for (int wait = 0; wait < SIM_WAITS; wait++)
            all += counters->modelled_ns[wait];
    }
    for (size_t i = 0; all > 0 && i < launch->result.op_count; i++)
        for (int wait = 0; wait < SIM_WAITS; wait++)
            launch->ops[i].modelled_ns[wait] *= time_ns / all;
}
