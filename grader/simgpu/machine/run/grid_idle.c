/* grid_idle.c - what a worker does when none of its blocks can go on: all wait for another thread
 * or the host to write memory, or for the clock.
 */
#include "cluster.h"
#include "grid.h"
#include "spin.h"
#include "split.h"

#include <time.h>

typedef void visit_spin(struct warp *warp, const struct spin *spin, void *to);

static void for_each_spin(const struct worker *worker, visit_spin *visit, void *to)
{
    for (uint32_t b = 0; b < worker->resident_count; b++) {
        const struct block *block = worker->resident[b];
        for (uint32_t w = 0; w < block->warp_count; w++) {
            struct warp *warp = &block->warps[w];
            for (uint32_t i = 0; warp->spinning && i < warp->split_count; i++)
                if (warp->splits[i].state == SPLIT_SPINS)
                    visit(warp, spin_of(warp, i), to);
        }
    }
}

static void find_earliest(struct warp *warp, const struct spin *spin, void *to)
{
    const struct spin **earliest = to;
    (void)warp;
    if (spin->wake_ticks != SPIN_NEVER &&
        (!*earliest || spin->wake_ticks < (*earliest)->wake_ticks))
        *earliest = spin;
}

static void find_host(struct warp *warp, const struct spin *spin, void *to)
{
    (void)warp;
    *(bool *)to |= spin->by_host;
}

static void raise_endless(struct warp *warp, const struct spin *spin, void *to)
{
    (void)to;
    fault_raise(warp, spin->op, SIM_FAULT_ENDLESS_WAIT, -1,
                "waits here for memory to change, and no thread is left that could change it");
}

/* Move the clock on until the first of the warps that wait for it has waited long enough. */
static bool skip_time(struct worker *worker)
{
    const struct spin *earliest = NULL;
    uint64_t now = clock_now(worker);
    for_each_spin(worker, find_earliest, &earliest);
    if (!earliest)
        return false;
    if (earliest->wake_ticks > now) {
        uint64_t ticks = earliest->wake_ticks - now;
        if (!worker->skipped_by)
            worker->skipped_by = worker_alloc(worker->launch->function->module->op_count,
                                              sizeof *worker->skipped_by);
        if (worker->skipped_by)
            worker->skipped_by[earliest->op->id] += ticks;
        worker->skipped_ticks += ticks;
    }
    return true;
}

/* Let a while pass, for the host to write what is waited for. The clock is read seldom, since that
 * takes as long as some turns. */
static void wait_for_host(struct worker *worker)
{
    enum { TURN_NS = 100000, TURNS = 64 };
    const struct sim_launch_config *config = &worker->launch->config;
    const struct timespec moment = {.tv_nsec = TURN_NS};
    nanosleep(&moment, NULL);
    if (!config->host_clock_ns) {
        worker->steps += IDLE_STEPS;
    } else if (worker->host_looked_ns == 0 || ++worker->host_turns == TURNS) {
        uint64_t now = config->host_clock_ns(config->host_clock_of) + 1;
        uint64_t then = worker->host_looked_ns;
        uint64_t passed = then && now > then ? now - then : 0;
        if (passed > 2 * TURNS * TURN_NS) /* it has done something else meanwhile */
            passed = 2 * TURNS * TURN_NS;
        worker->steps += passed * IDLE_STEPS / TURN_NS;
        worker->host_looked_ns = now > then ? now : then;
        worker->host_turns = 0;
    }
}

/* Where blocks wait at their cluster's barrier, report that: it says most, since it names a thread
 * that is missing and what that thread waits for. */
static void raise_deadlock(struct worker *worker)
{
    for (int any = 0; any < 2; any++)
        for (uint32_t i = worker->resident_count; i-- > 0 && !worker->launch->faulted;)
            if (any || cluster_is_waited_for(worker->resident[i]))
                block_raise_deadlock(worker->resident[i]);
}

void grid_idle(struct worker *worker)
{
    bool progress = false, host = false;
    for (uint32_t i = 0; i < worker->resident_count; i++)
        progress |= block_go_ahead(worker->resident[i]);
    if (progress || skip_time(worker))
        return;
    for (uint32_t i = 0; i < worker->resident_count; i++)
        progress |= block_go_on_in_vain(worker->resident[i]);
    if (progress)
        return;
    for_each_spin(worker, find_host, &host);
    if (host) { /* the host may write it, in its own time */
        wait_for_host(worker);
    } else {
        for_each_spin(worker, raise_endless, NULL);
        raise_deadlock(worker);
    }
}
