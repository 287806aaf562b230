/* grid.c - a launch: blocks are handed to workers until none is left: in order, or, if the launch
 * has a seed, in a drawn one (deal.h).
 *
 * A worker runs one block at a time. Only when a block cannot finish in its turns (it waits for
 * another one, as in a grid-wide sync or a decoupled look-back) does the worker start further
 * blocks next to it, up to what the device would hold.
 */
#include "absent.h"
#include "cluster.h"
#include "deal.h"
#include "grid.h"
#include "queue.h"
#include "sample.h"
#include "spin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounds of turns a block gets before another one is started next to it. */
enum { PATIENCE = 4 };
/* The most blocks that a worker takes at a time; and the least number of times that each has to
 * come for more, so that none idles for long at the end. */
enum { MOST_HANDFUL = 32, HANDFULS = 64 };
/* Warp instructions after which a worker adds its own to the launch's, which all workers share. */
enum { COUNT_STEPS = 4096 };
/* A page of memory that is made when it is touched costs as much as this many thread
 * instructions. */
enum { PAGE_STEPS = 4096 };

/* --- Before ----------------------------------------------------------------------------------- */

static bool refuse(struct sim_error *error, enum sim_error_code code, const char *format,
                   uint64_t has, uint64_t most)
{
    error->code = code;
    snprintf(error->message, sizeof error->message, format, has, most);
    return false;
}

bool sim_launch_check(struct sim_context *context, const struct function *kernel,
                      const struct sim_launch_config *config, struct sim_error *error)
{
    static const uint32_t MOST_GRID[3] = {INT32_MAX, 65535, 65535};
    static const uint32_t MOST_BLOCK[3] = {1024, 1024, 64};
    const struct sim_profile *profile = &context->machine->profile;
    if (kernel->refusal) {
        error->code = SIM_UNSUPPORTED;
        snprintf(error->message, sizeof error->message, "%s", kernel->refusal);
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        if (config->grid[axis] == 0 || config->grid[axis] > MOST_GRID[axis])
            return refuse(error, SIM_BAD_LAUNCH,
                          "a grid of %" PRIu64 " blocks along an axis is not between 1 and "
                          "%" PRIu64,
                          config->grid[axis], MOST_GRID[axis]);
        if (config->block[axis] == 0 || config->block[axis] > MOST_BLOCK[axis])
            return refuse(error, SIM_BAD_LAUNCH,
                          "a block of %" PRIu64 " threads along an axis is not between 1 "
                          "and %" PRIu64,
                          config->block[axis], MOST_BLOCK[axis]);
    }
    uint64_t threads = (uint64_t)config->block[0] * config->block[1] * config->block[2];
    uint64_t most = kernel->max_threads ? kernel->max_threads : 1024;
    if (threads > most)
        return refuse(error, SIM_BAD_LAUNCH,
                      "a block of %" PRIu64 " threads is more than the "
                      "%" PRIu64 " this kernel allows",
                      threads, most);
    uint64_t shared = (uint64_t)kernel->shared_bytes + config->dynamic_shared_bytes;
    if (shared > profile->shared_bytes_block)
        return refuse(error, SIM_BAD_LAUNCH,
                      "a block needs %" PRIu64 " bytes of shared memory, "
                      "the device has %" PRIu64,
                      shared, profile->shared_bytes_block);
    unsigned blocks =
        sim_occupancy(context, kernel, (unsigned)threads, config->dynamic_shared_bytes, NULL);
    if (blocks == 0)
        return refuse(error, SIM_TOO_FEW_REGISTERS,
                      "a block of %" PRIu64 " threads needs more "
                      "registers than the %" PRIu64 " of a multiprocessor",
                      threads, profile->registers);
    if (!launch_check_cluster(context, kernel, config, error))
        return false;
    uint64_t total = (uint64_t)config->grid[0] * config->grid[1] * config->grid[2];
    uint64_t resident = (uint64_t)blocks * profile->multiprocessors;
    if (config->cooperative && total > resident)
        return refuse(error, SIM_TOO_MANY_BLOCKS,
                      "a cooperative launch of %" PRIu64 " blocks is "
                      "more than the %" PRIu64 " that fit on the device at once",
                      total, resident);
    return true;
}

void *worker_alloc(size_t count, size_t size_bytes)
{
    enum { LINES_BYTES = 128 }; /* two lines: processors fetch them together */
    size_t bytes = (count * size_bytes / LINES_BYTES + 1) * LINES_BYTES;
    void *memory = aligned_alloc(LINES_BYTES, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

/* Are blocks ordered by what they tell each other, and must that be watched? */
static bool launch_orders_blocks(const struct launch *launch)
{
    return (launch->config.checks & SIM_CHECK_RACES) && launch->block_count > 1 &&
           (launch->config.cooperative || launch->function->orders_blocks ||
            launch->cluster_blocks > 1);
}

static bool make_workers(struct launch *launch)
{
    const struct module *module = launch->function->module;
    launch->workers =
        aligned_alloc(64, (launch->worker_count * sizeof *launch->workers + 63) / 64 * 64);
    if (!launch->workers)
        return false;
    memset(launch->workers, 0, launch->worker_count * sizeof *launch->workers);
    for (uint32_t i = 0; i < launch->worker_count; i++) {
        struct worker *worker = &launch->workers[i];
        worker->launch = launch;
        worker->index = i;
        worker->random = launch->config.seed + i;
        worker->stands_for = worker->ran = 1;
        worker->blocks = worker_alloc(module->block_count, sizeof *worker->blocks);
        worker->sites = worker_alloc(2 * (size_t)module->op_count, sizeof *worker->sites);
        worker->guarded_off = worker_alloc(module->op_count, sizeof *worker->guarded_off);
        worker->divergent = worker_alloc(module->op_count, sizeof *worker->divergent);
        if (!worker->blocks || !worker->sites || !worker->guarded_off || !worker->divergent)
            return false;
    }
    return true;
}

/* What the blocks of a cooperative launch count themselves in at a grid-wide barrier. */
static bool make_workspace(struct launch *launch, struct sim_error *error)
{
    enum { WORKSPACE_BYTES = 256 };
    if (!launch->config.cooperative)
        return true;
    uint64_t address = sim_allocate(launch->context, WORKSPACE_BYTES, SIM_MEMORY_DEVICE,
                                    "of the grid's barrier", error);
    unsigned char *host =
        address ? sim_host_pointer(launch->context, address, WORKSPACE_BYTES, true, error) : NULL;
    if (!host)
        return false;
    memset(host, 0, WORKSPACE_BYTES);
    launch->grid_sync_workspace = address;
    if (launch->sample && launch->cluster_blocks <= 1) /* the blocks of a cluster run together */
        launch->absent = absent_new();
    return true;
}

/* Where the toolkit's headers keep barriers and values of their own, after all others. */
static void reserve_shared(struct launch *launch)
{
    launch->reserved_bytes = 1024;
    launch->shared_bytes = ((launch->shared_bytes + 15) & ~UINT32_C(15)) + launch->reserved_bytes;
}

static void choose_workers(struct launch *launch)
{
    const struct sim_launch_config *config = &launch->config;
    launch->worker_count = config->workers && !config->cooperative && !launch->function->hands_on
                               ? config->workers
                               : 1;
    uint64_t clusters = launch->block_count / launch->cluster_blocks;
    if (launch->worker_count > clusters)
        launch->worker_count = (uint32_t)clusters;
    if (launch_orders_blocks(launch))
        launch->worker_count = 1; /* see grid_order.h */
    if (launch->sample)
        launch->worker_count = sample_workers(launch->sample);
}

uint32_t sim_launch_workers(const struct launch *launch)
{
    return launch->worker_count;
}

struct launch *sim_launch_new(struct sim_context *context, const struct function *kernel,
                              const struct sim_launch_config *config, const void *parameters,
                              struct sim_error *error)
{
    *error = (struct sim_error){0};
    if (!sim_launch_check(context, kernel, config, error))
        return NULL;
    struct launch *launch = aligned_alloc(_Alignof(struct launch), sizeof *launch);
    if (!launch)
        goto out_of_memory;
    memset(launch, 0, sizeof *launch);
    launch->context = context;
    launch->function = kernel;
    launch->config = *config;
    launch->block_threads = config->block[0] * config->block[1] * config->block[2];
    launch->warp_count = (launch->block_threads + WARP_LANES - 1) / WARP_LANES;
    launch->block_count = (uint64_t)config->grid[0] * config->grid[1] * config->grid[2];
    launch->dynamic_shared = (kernel->shared_bytes + 15) & ~UINT32_C(15);
    launch_set_cluster(launch);
    launch->shared_bytes = config->dynamic_shared_bytes
                               ? launch->dynamic_shared + config->dynamic_shared_bytes
                               : kernel->shared_bytes;
    if (kernel->module->uses_reserved_shared)
        reserve_shared(launch);
    launch->serial = atomic_fetch_add(&context->machine->launches, 1) + 1;
    pthread_mutex_init(&launch->lock, NULL);
    const char *refusal = sample_refusal(launch);
    if (refusal)
        goto not_sampled;
    launch->sample = sample_new(launch);
    choose_workers(launch);
    launch->parameters = calloc(1, kernel->parameter_bytes + 16);
    if (!launch->parameters || !make_workers(launch) || !observers_launch_begin(launch) ||
        !make_workspace(launch, error) || (launch->sample && !sample_draw(launch->sample, launch)))
        goto out_of_memory;
    for (uint32_t i = 0; i < launch->worker_count; i++)
        launch->workers[i].watchers = &launch->watchers;
    memcpy(launch->parameters, parameters, kernel->parameter_bytes);
    return launch;
not_sampled:
    sim_launch_free(launch);
    sim_note_unsampled(context->machine, refusal);
    error->code = SIM_UNSUPPORTED;
    snprintf(error->message, sizeof error->message, "no part of a launch stands for the whole: %s",
             refusal);
    return NULL;
out_of_memory:
    sim_launch_free(launch);
    error->code = SIM_HOST_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "the simulating machine is out of memory");
    return NULL;
}

/* Without telling observers that it has ended: its launch is over, or its results are not
 * wanted. */
static void give_up(struct block *block)
{
    if (!block->cluster)
        block_free(block);
    else if (cluster_leave(block))
        cluster_free(block->cluster);
}

static void free_sites(struct site *site)
{
    for (struct site *next; site; site = next) {
        next = site->made_before;
        free(site->pieces);
        free(site);
    }
}

static void free_worker(struct worker *worker)
{
    for (uint32_t i = 0; i < worker->resident_count; i++)
        give_up(worker->resident[i]);
    block_free(worker->spare);
    cluster_free(worker->spare_cluster);
    free_sites(worker->latest_site);
    free(worker->resident);
    free(worker->sites);
    free(worker->blocks);
    free(worker->guarded_off);
    free(worker->divergent);
    free(worker->skipped_by);
    spin_scratch_free(worker);
}

void sim_launch_free(struct launch *launch)
{
    if (!launch)
        return;
    for (uint32_t i = 0; launch->workers && i < launch->worker_count; i++)
        free_worker(&launch->workers[i]);
    struct sim_error unused;
    if (launch->grid_sync_workspace)
        sim_free(launch->context, launch->grid_sync_workspace, &unused);
    pthread_mutex_destroy(&launch->lock);
    observers_launch_free(launch);
    free(launch->findings);
    sample_free(launch->sample);
    absent_free(launch->absent);
    free(launch->workers);
    free(launch->parameters);
    free(launch->printed);
    free(launch->ops);
    free(launch);
}

/* --- Running ---------------------------------------------------------------------------------- */

/* As many blocks as the device holds may run at the same time, on all workers together: blocks that
 * wait for more of them than that wait for ever. A slice of the device does not count as one, since
 * the program plans for all of it. */
static uint32_t most_resident(const struct launch *launch)
{
    const uint32_t *block = launch->config.block;
    uint64_t each = sim_occupancy(launch->context, launch->function, block[0] * block[1] * block[2],
                                  launch->config.dynamic_shared_bytes, NULL);
    uint64_t device = each * launch->context->machine->whole.multiprocessors;
    return (uint32_t)(device < launch->block_count ? device : launch->block_count);
}

/* A few neighbours of count. */
static void take_handful(struct worker *worker, uint64_t count)
{
    struct launch *launch = worker->launch;
    uint64_t size = count / (HANDFULS * (uint64_t)launch->worker_count);
    size = size < 1 ? 1 : size > MOST_HANDFUL ? MOST_HANDFUL : size;
    uint64_t number = atomic_fetch_add(&launch->next_handful, 1),
             handfuls = (count + size - 1) / size;
    uint64_t together = most_resident(launch) / launch->cluster_blocks / size;
    if (launch->config.seed && number < handfuls && together > 1)
        number = deal_turn(launch->config.seed, number, handfuls, together);
    worker->next_block = number * size < count ? number * size : count;
    worker->end_block = worker->next_block + size < count ? worker->next_block + size : count;
}

/* The number of the next block for worker, or of the next cluster where blocks form them. Where
 * there are many, workers take a few at a time, since neighbouring blocks mostly touch neighbouring
 * memory: the processor prefetches it for a worker that goes through it in order, and two workers
 * would take it out of each other's caches. */
static bool take_block(struct worker *worker, uint64_t *number)
{
    struct launch *launch = worker->launch;
    if (launch->sample)
        return sample_take(worker, number);
    if (worker->next_block == worker->end_block)
        take_handful(worker, launch->block_count / launch->cluster_blocks);
    if (worker->next_block == worker->end_block)
        return false;
    *number = worker->next_block++;
    return true;
}

static bool no_room(struct launch *launch)
{
    fault_raise_launch(launch, SIM_FAULT_HOST_MEMORY, "there is no room for another of its blocks");
    return false;
}

/* Room for that many more blocks. */
static bool make_resident_room(struct worker *worker, uint32_t more)
{
    uint32_t room = worker->resident_room ? worker->resident_room : 4;
    while (room < worker->resident_count + more)
        room *= 2;
    if (room == worker->resident_room)
        return true;
    struct block **grown = realloc(worker->resident, room * sizeof *grown);
    if (!grown)
        return false;
    worker->resident = grown;
    worker->resident_room = room;
    return true;
}

static void let_in(struct worker *worker, struct block *block)
{
    worker->resident[worker->resident_count++] = block;
    atomic_fetch_add(&worker->launch->resident, 1);
}

static struct block *let_out(struct worker *worker, uint32_t at)
{
    struct block *block = worker->resident[at];
    worker->resident[at] = worker->resident[--worker->resident_count];
    atomic_fetch_sub(&worker->launch->resident, 1);
    return block;
}

/* All blocks of a cluster at once. */
static bool add_cluster(struct worker *worker, uint64_t number)
{
    struct cluster *cluster = worker->spare_cluster ? worker->spare_cluster : cluster_new(worker);
    worker->spare_cluster = NULL;
    if (!cluster)
        return false;
    cluster_start(cluster, number);
    for (uint32_t rank = cluster->size; rank-- > 0;) /* the first has its turn first */
        let_in(worker, cluster->blocks[rank]);
    return true;
}

static bool add_block(struct worker *worker, uint64_t number)
{
    struct block *block = worker->spare ? worker->spare : block_new(worker, NULL);
    worker->spare = NULL;
    if (!block)
        return false;
    block_start(block, number);
    let_in(worker, block);
    return true;
}

static bool add_resident(struct worker *worker)
{
    struct launch *launch = worker->launch;
    uint64_t number;
    if (!take_block(worker, &number))
        return false;
    if (!make_resident_room(worker, launch->cluster_blocks) ||
        !(launch->cluster_blocks > 1 ? add_cluster : add_block)(worker, number))
        return no_room(launch);
    return true;
}

/* Its peers may still run, and arrive at their barrier without it. */
static void retire_of_cluster(struct worker *worker, struct block *block)
{
    if (!cluster_leave(block))
        cluster_check_barrier(block);
    else if (worker->spare_cluster)
        cluster_free(block->cluster);
    else
        worker->spare_cluster = block->cluster;
}

static void retire(struct worker *worker, uint32_t at)
{
    struct block *block = worker->resident[at];
    worker->ended_at = worker->steps;
    bulk_end(block);
    fault_release(block);
    observers_block_end(block);
    absent_block_end(block);
    if (block->launch->sample)
        queue_block_end(sample_queue(block->launch->sample), block);
    let_out(worker, at);
    if (block->cluster)
        retire_of_cluster(worker, block);
    else if (worker->spare)
        block_free(block);
    else
        worker->spare = block;
}

/* Give up the blocks under way; no observer is told what they have done. */
static void leave(struct worker *worker)
{
    while (worker->resident_count) {
        struct block *block = let_out(worker, worker->resident_count - 1);
        fault_release(block);
        give_up(block); /* in the midst of its work: it must not be used again */
    }
}

/* Its work goes on, but is not seen: observers are told that it has ended. */
static void cut(struct worker *worker)
{
    struct block *block = let_out(worker, worker->resident_count - 1);
    fault_release(block);
    observers_block_end(block);
    give_up(block);
}

/* A warp that is at work; or, if none is, one of the last block, which is the spare one then. */
static struct warp *some_warp(const struct worker *worker)
{
    struct block *block = worker->resident_count ? worker->resident[0] : worker->spare;
    if (!block)
        block = worker->spare_cluster->blocks[0];
    struct warp *warp = &block->warps[0];
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (block->warps[i].status == WARP_READY)
            warp = &block->warps[i];
    return warp;
}

static void stop(struct worker *worker, bool over, uint64_t total)
{
    struct warp *warp = some_warp(worker);
    const struct split *split = &warp->splits[warp->current];
    const struct function *function = split->function;
    enum sim_fault_kind kind = over ? SIM_FAULT_STEP_BUDGET : SIM_FAULT_ABORTED;
    uint32_t at = split->at < function->block_count ? split->at : 0;
    const char *what = over ? "is still running" : "was stopped";
    if (function->block_count == 0) /* a kernel without an instruction has no line */
        fault_raise_launch(worker->launch, kind, "it %s after %" PRIu64 " thread instructions",
                           what, total);
    else
        fault_raise(warp, &function->ops[function->blocks[at].first], kind, -1,
                    "%s after %" PRIu64 " thread instructions", what, total);
}

/* Has a launch cost more than it may, in instructions and in memory? Both
 * are the same on every machine; a clock is not. */
static bool is_too_dear(const struct launch *launch, uint64_t steps)
{
    const struct sim_sampling *sampling = &launch->config.sampling;
    uint64_t pages = atomic_load(&launch->context->machine->memory->pages_made);
    uint64_t spared = launch->sample ? sample_spared(launch) : 0;
    return sampling->most_steps && steps + PAGE_STEPS * pages > sampling->most_steps + spared;
}

/* Has a launch of which all blocks run taken more steps than it may? One whose blocks end may take
 * more than one that runs on in the same blocks. */
static bool is_over(const struct worker *worker, uint64_t total)
{
    const struct sim_launch_config *config = &worker->launch->config;
    uint64_t alone = (worker->steps - worker->ended_at) * WARP_LANES;
    return config->step_budget && total > config->step_budget &&
           (total > config->most_steps || alone > config->step_budget);
}

/* Stop a launch that has taken more steps than it may, or that was aborted from outside. */
static void check_budget(struct worker *worker, uint64_t *counted)
{
    struct launch *launch = worker->launch;
    if (worker->steps - *counted < COUNT_STEPS && !atomic_load(&launch->abort))
        return;
    uint64_t steps = (worker->steps - *counted) * WARP_LANES;
    uint64_t total = atomic_fetch_add(&launch->steps, steps) + steps;
    *counted = worker->steps;
    bool over = launch->sample ? sample_is_over(worker) : is_over(worker, total);
    bool given_up = is_too_dear(launch, total);
    if (given_up)
        sim_note_unsampled(launch->context->machine, SIM_TOO_LONG);
    if (over || given_up || atomic_load(&launch->abort))
        stop(worker, over || given_up, total);
}

/* Blocks that are idle, and those of a cooperative grid, wait for each other: the more of them
 * wait, the more are started. False when there is none left, or no room on the device. */
static bool start_more(struct worker *worker, uint32_t most, bool idle)
{
    bool wait = idle || worker->launch->config.cooperative, started = false;
    uint32_t more = wait ? 1 + worker->resident_count / 4 : 1;
    while (more-- && atomic_load(&worker->launch->resident) < most && add_resident(worker))
        started = true;
    return started;
}

/* Does a block wait for more than its peers? What starts later may bring it. */
static bool any_spins(const struct worker *worker)
{
    for (uint32_t i = 0; i < worker->resident_count; i++)
        if (block_spins(worker->resident[i]))
            return true;
    return false;
}

/* Give each block its turns. False when one has ended or could go on; true when all wait. */
static bool run_residents(struct worker *worker, uint32_t *rounds)
{
    const struct launch *launch = worker->launch;
    bool idle = true;
    for (uint32_t i = worker->resident_count; i-- > 0 && !launch->faulted;) {
        struct block *block = worker->resident[i];
        if (block_run(block)) {
            idle &= block->idle;
            continue;
        }
        if (!launch->faulted)
            retire(worker, i);
        *rounds = 0;
        idle = false;
    }
    return idle;
}

void sim_launch_work(struct launch *launch, uint32_t index)
{
    if (index >= launch->worker_count)
        return;
    struct worker *worker = &launch->workers[index];
    uint64_t counted = 0;
    uint32_t most = most_resident(launch), rounds = 0;
    atomic_fetch_add(&launch->at_work, 1);
    while (!launch->faulted) {
        if (worker->resident_count == 0 && !add_resident(worker))
            break;
        bool idle = run_residents(worker, &rounds);
        if (idle && !launch->faulted &&
            (launch->sample || !any_spins(worker) || !start_more(worker, most, true)) &&
            !launch->faulted)
            grid_idle(worker);
        else if (worker->resident_count && !idle && !launch->sample && ++rounds % PATIENCE == 0)
            start_more(worker, most, false);
        if (!launch->faulted)
            check_budget(worker, &counted);
        if (!launch->faulted && launch->sample && worker->resident_count && sample_leaves(worker))
            leave(worker);
        if (!launch->faulted && launch->sample && sample_cuts(worker))
            cut(worker);
    }
    atomic_fetch_add(&launch->steps, (worker->steps - counted) * WARP_LANES);
    atomic_fetch_add(&launch->context->machine->steps, worker->steps * WARP_LANES);
    bool last = atomic_fetch_sub(&launch->at_work, 1) == 1;
    if (launch->sample) /* its workers come one after another */
        last = index + 1 == launch->worker_count;
    if (last && launch->sample && !launch->faulted)
        sample_ends(worker);
    if (last && !atomic_exchange(&launch->ended, true))
        observers_launch_end(launch); /* a worker that comes now finds no block left */
}

void sim_launch_abort(struct launch *launch)
{
    atomic_store(&launch->abort, true);
}

const struct sim_fault *sim_launch_fault(const struct launch *launch)
{
    return launch->faulted ? &launch->fault : NULL;
}

const char *sim_launch_printed(const struct launch *launch, size_t *size_bytes)
{
    *size_bytes = launch->printed_bytes;
    return launch->printed;
}
