/* execute.c - what queued work does, and how long a device would take. */
#include "../socket.h"
#include "blas.h"
#include "blaslt.h"
#include "device.h"
#include "gains.h"
#include "order.h"
#include "steps.h"
#include "timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert((int)SIM_CHECK_RACES == (int)SIMGPU_CHECK_RACES &&
                   (int)SIM_CHECK_INITIALISED == (int)SIMGPU_CHECK_INITIALISED &&
                   (int)SIM_CHECK_BARRIERS == (int)SIMGPU_CHECK_BARRIERS &&
                   (int)SIM_CHECK_VARIABLES == (int)SIMGPU_CHECK_VARIABLES,
               "the machine takes the checks of options as they are");

/* Below this many threads a launch is not worth waking a second thread for. */
enum { FEW_THREADS = 8192 };

/* Copies between host and device: PCIe 5.0 x16 as measured on an H200 with pinned memory, and
 * what one costs to start. */
static const double BUS_BYTES_PER_NS = 55, COPY_START_NS = 1500, SET_START_NS = 1200;

/* --- Launches --------------------------------------------------------------------------------- */

static void keep_printed(struct client *client, const struct launch *launch)
{
    size_t bytes;
    const char *text = sim_launch_printed(launch, &bytes);
    if (bytes == 0)
        return;
    pthread_mutex_lock(&client->lock);
    char *grown = realloc(client->printed, client->printed_bytes + bytes);
    if (grown) {
        memcpy(grown + client->printed_bytes, text, bytes);
        client->printed = grown;
        client->printed_bytes += bytes;
    }
    pthread_mutex_unlock(&client->lock);
}

static uint64_t wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct sim_sampling sampling_of(const struct simgpu_sampling *asked)
{
    struct sim_sampling sampling = {.blocks = asked->blocks,
                                    .steps = asked->steps,
                                    .most_steps = asked->most_steps,
                                    .seed = asked->seed,
                                    .anywhere = asked->anywhere,
                                    .untimed = asked->untimed};
    _Static_assert((int)SIM_SAMPLE_PLACES == SIMGPU_SAMPLE_PLACES, "one number of places");
    memcpy(sampling.around, asked->around, sizeof sampling.around);
    return sampling;
}

static struct sim_launch_config config_of(struct client *client, const struct work *work)
{
    const struct launch_request *asked = &work->request.launch;
    const struct simgpu_options *options = &client->device->options;
    pthread_mutex_lock(&client->lock);
    bool is_watched = order_may_lack(client);
    pthread_mutex_unlock(&client->lock);
    struct sim_launch_config config = {
        .dynamic_shared_bytes = asked->dynamic_shared_bytes,
        .wide_clusters = asked->wide_clusters != 0,
        .cooperative = asked->cooperative != 0,
        .may_begin_early = asked->may_begin_early != 0,
        .count = options->count,
        .checks = options->checks,
        .keep_going = options->keep_going,
        .extent = is_watched,
        .step_budget = options->step_budget,
        .most_steps = options->most_steps,
        .seed = options->seed,
        .approximation_seed = options->approximation_seed,
        .conditions = work->conditions ? work->conditions->values : NULL,
        .condition_count = work->conditions ? work->conditions->count : 0,
        .start_ns = wall_ns(),
        .sampling = sampling_of(&options->sampling)};
    uint64_t threads = 1;
    for (int axis = 0; axis < 3; axis++) {
        config.grid[axis] = asked->grid[axis];
        config.block[axis] = asked->block[axis];
        config.cluster[axis] = asked->cluster[axis];
        threads *= (uint64_t)asked->grid[axis] * asked->block[axis];
    }
    config.workers = threads < FEW_THREADS ? 1 : pool_workers(client->device->pool);
    return config;
}

static void run(struct client *client, struct launch *launch)
{
    pthread_mutex_lock(&client->lock);
    client->running = launch;
    if (client->dying)
        sim_launch_abort(launch);
    pthread_mutex_unlock(&client->lock);
    if (sim_launch_sampled(launch))
        for (uint32_t i = 0; i < sim_launch_workers(launch); i++)
            sim_launch_work(launch, i);
    else
        pool_run(client->device->pool, launch, sim_launch_workers(launch));
    pthread_mutex_lock(&client->lock);
    client->running = NULL;
    pthread_mutex_unlock(&client->lock);
}

/* What mended lines of the kernel would gain, if that is wanted and not known yet. */
static void learn_gains(struct device *device, const char *name, struct launch *launch)
{
    struct sim_what_if found[MOST_GAINS];
    double modelled_ns = sim_launch_result(launch)->modelled_ns;
    pthread_mutex_lock(&device->lock);
    const char *kernel = history_text(device->history, name);
    unsigned fewer = device->options.fewer;
    bool wanted = device->options.what_if && gains_wanted(device->gains, kernel, modelled_ns);
    pthread_mutex_unlock(&device->lock);
    if (!wanted)
        return;
    size_t count = sim_launch_what_if(launch, fewer, found, MOST_GAINS);
    pthread_mutex_lock(&device->lock);
    gains_keep(&device->gains, kernel, modelled_ns, found, count);
    pthread_mutex_unlock(&device->lock);
}

/* Each place is reported once, however often the kernel is launched. */
static bool is_new_remark(struct client *client, const struct sim_fault *remark)
{
    for (unsigned i = 0; i < client->remark_count; i++)
        if (client->remarked[i].line == remark->line.line &&
            client->remarked[i].file == remark->line.file)
            return false;
    if (client->remark_count == MOST_REMARKS)
        return false;
    client->remarked[client->remark_count++] = remark->line;
    return true;
}

/* The time in which the program could proceed, for kernels that wait for it: other load on this
 * machine must not end such a launch. */
struct host_clock {
    const struct device *device;
    pthread_mutex_t lock; /* all workers of a launch look at it */
    struct work_moment looked;
    double passed_ns;
};

static uint64_t host_clock_ns(void *of)
{
    struct host_clock *clock = of;
    pthread_mutex_lock(&clock->lock);
    struct work_moment now = worked_exactly(clock->device);
    if (clock->looked.wall_ns) /* the first look begins it */
        clock->passed_ns += (double)work_between_ns(&clock->looked, &now);
    clock->looked = now;
    uint64_t passed = (uint64_t)clock->passed_ns;
    pthread_mutex_unlock(&clock->lock);
    return passed;
}

/* A kernel whose blocks did nothing wrong may still race with other work. Where launches go on, so
 * does this one. */
static bool races_with_others(struct client *client, const struct work *work,
                              const struct launch *launch, struct sim_fault *fault)
{
    if (!conflicts_of_work(client, work, launch, fault))
        return false;
    if (!client->device->options.keep_going)
        return true;
    pthread_mutex_lock(&client->lock);
    conflicts_tell(client, fault);
    pthread_mutex_unlock(&client->lock);
    return false;
}

static void end_with(struct client *client, const struct sim_fault *fault, const char *kernel,
                     bool told)
{
    if (told)
        findings_note_end(client->device, fault, kernel);
    bool printed = told && !client->device->quiet;
    if (printed)
        fault_print(fault);
    pthread_mutex_lock(&client->lock);
    /* the program's runtime need not repeat what is printed here */
    client_break(client, sim_fault_cuda_error(fault->kind), printed ? "" : fault->message);
    pthread_mutex_unlock(&client->lock);
}

static double execute_launch(struct client *client, struct work *work)
{
    struct sim_error error;
    struct host_clock clock = {.device = client->device, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct sim_launch_config config = config_of(client, work);
    config.host_clock_ns = host_clock_ns;
    config.host_clock_of = &clock;
    struct sim_kernel_info info;
    sim_kernel_info(client->context, work->kernel, &info);
    steps_begin(client->device->steps, info.name, &config);
    struct launch *launch =
        sim_launch_new(client->context, work->kernel, &config, work->payload, &error);
    if (!launch) {
        pthread_mutex_lock(&client->lock);
        client_break(client, CUDA_MEMORY_ALLOCATION, error.message);
        pthread_mutex_unlock(&client->lock);
        return 0;
    }
    run(client, launch);
    keep_printed(client, launch);
    findings_note(client->device, launch, info.name);
    const struct sim_fault *fault = sim_launch_fault(launch);
    struct sim_fault unordered;
    if (!fault && races_with_others(client, work, launch, &unordered))
        fault = &unordered;
    const struct sim_launch_result *result = sim_launch_result(launch);
    steps_end(&config, work->kernel, stderr);
    /* For a program that is gone, only the kernel that it was in is reported. */
    bool told =
        !client->is_evicted && (!client->dying || (fault && fault->kind == SIM_FAULT_ABORTED));
    if (told && result && !fault)
        learn_gains(client->device, info.name, launch);
    if (told)
        history_add(client->device, client, result, fault, info.name, &config,
                    sim_launch_sampled(launch));
    if (result)
        timeline_kernel(client, work, result);
    double duration_ns = result ? result->modelled_ns : 0;
    if (fault)
        end_with(client, fault, info.name, told);
    const struct sim_fault *remark = sim_launch_remark(launch);
    if (remark && told && is_new_remark(client, remark) &&
        findings_note_end(client->device, remark, info.name) && !client->device->quiet)
        fault_print(remark);
    sim_launch_free(launch);
    return duration_ns;
}

/* --- Copies and sets -------------------------------------------------------------------------- */

static void broken(struct client *client, const struct sim_error *error)
{
    pthread_mutex_lock(&client->lock);
    client_break(client, CUDA_ILLEGAL_ADDRESS, error->message);
    pthread_mutex_unlock(&client->lock);
}

/* How much is filled at a time. */
enum { PIECE_BYTES = 64 << 20 };

/* The next piece of [address, +bytes) to be written; its bytes in *piece. NULL if no more may be
 * written. */
static unsigned char *next_piece(struct client *client, uint64_t address, uint64_t bytes,
                                 uint64_t *piece)
{
    struct sim_error error;
    *piece = bytes < PIECE_BYTES ? bytes : PIECE_BYTES;
    if (!memory_share_left(client))
        return NULL;
    unsigned char *to = sim_host_pointer(client->context, address, *piece, true, &error);
    if (!to)
        broken(client, &error);
    return to;
}

static bool copy_from_host(struct client *client, uint64_t to, const unsigned char *from,
                           uint64_t bytes)
{
    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        unsigned char *target = next_piece(client, to + done, bytes - done, &piece);
        if (!target)
            return false;
        memcpy(target, from + done, piece);
    }
    return true;
}

static bool copy_on_device(struct client *client, uint64_t to, uint64_t from, uint64_t bytes)
{
    struct sim_error error;
    for (uint64_t done = 0; done < bytes; done += PIECE_BYTES) {
        uint64_t left = bytes - done;
        if (!memory_share_left(client))
            return false;
        if (!sim_copy(client->context, to + done, from + done,
                      left < PIECE_BYTES ? left : PIECE_BYTES, &error)) {
            broken(client, &error);
            return false;
        }
    }
    return true;
}

/* Row by row; the host's rows follow each other in the payload. */
static double execute_copy(struct client *client, struct work *work)
{
    const struct copy_request *copy = &work->request.copy;
    const unsigned char *payload = work->payload;
    for (uint64_t z = 0; z < copy->depth; z++)
        for (uint64_t y = 0; y < copy->height; y++) {
            uint64_t to = copy->to + z * copy->to_slice + y * copy->to_pitch;
            uint64_t from = copy->from + z * copy->from_slice + y * copy->from_pitch;
            if (copy->kind == COPY_ON_DEVICE) {
                if (!copy_on_device(client, to, from, copy->width))
                    return 0;
                continue;
            }
            if (!copy_from_host(client, to, payload, copy->width))
                return 0;
            payload += copy->width;
        }
    double bytes = (double)copy->width * (double)copy->height * (double)copy->depth;
    const struct sim_profile *profile = sim_machine_profile(client->device->machine);
    bool on_device = copy->kind == COPY_ON_DEVICE && !copy->over_bus;
    double rate = on_device ? profile->dram_bytes_per_s * 1e-9 / 2 : BUS_BYTES_PER_NS;
    return COPY_START_NS + bytes / rate;
}

/* A piece is a multiple of any element. */
static void set_bytes(unsigned char *to, uint64_t bytes, const struct set_request *set)
{
    if (set->element_bytes == 1) {
        memset(to, (int)set->value, bytes);
        return;
    }
    for (uint64_t at = 0; at < bytes; at += set->element_bytes)
        memcpy(to + at, &set->value, set->element_bytes);
}

static double execute_set(struct client *client, struct work *work)
{
    const struct set_request *set = &work->request.set;
    uint64_t row_bytes = set->width * set->element_bytes;
    for (uint64_t y = 0; y < set->height; y++)
        for (uint64_t done = 0, piece; done < row_bytes; done += piece) {
            unsigned char *to =
                next_piece(client, set->to + y * set->pitch + done, row_bytes - done, &piece);
            if (!to)
                return 0;
            set_bytes(to, piece, set);
        }
    const struct sim_profile *profile = sim_machine_profile(client->device->machine);
    return SET_START_NS +
           (double)row_bytes * (double)set->height / (profile->dram_bytes_per_s * 1e-9);
}

/* --- Memory in stream order ------------------------------------------------------------------- */

static double execute_free(struct client *client, struct work *work)
{
    struct sim_error error;
    if (!sim_free(client->context, work->request.free_in_order.address, &error))
        broken(client, &error);
    return 0;
}

/* --- The program's own functions -------------------------------------------------------------- */

bool execute_ask(struct client *client, const struct work *work)
{
    const struct reply ask = {.value = {work->id, work->request.host_function.function,
                                        work->request.host_function.data}};
    return client->callback_socket >= 0 && socket_write(client->callback_socket, &ask, sizeof ask);
}

static double execute_one(struct client *client, struct work *work)
{
    switch (work->kind) {
    case WORK_LAUNCH: return execute_launch(client, work);
    case WORK_COPY: return execute_copy(client, work);
    case WORK_SET: return execute_set(client, work);
    case WORK_MATMUL: return blaslt_execute(client, work);
    case WORK_BLAS: return blas_execute(client, work);
    case WORK_FREE: return execute_free(client, work);
    default: return 0;
    }
}

static bool moves(const struct work *work)
{
    return work->kind == WORK_COPY || work->kind == WORK_SET;
}

/* Does work that is no launch race with other work? */
static void check_against_others(struct client *client, const struct work *work)
{
    struct sim_fault fault;
    if (!conflicts_of_work(client, work, NULL, &fault))
        return;
    pthread_mutex_lock(&client->lock);
    conflicts_tell(client, &fault);
    pthread_mutex_unlock(&client->lock);
}

double execute(struct client *client, struct work *work)
{
    bool writes = work->kind == WORK_LAUNCH || work->kind == WORK_COPY || work->kind == WORK_SET ||
                  work->kind == WORK_BLAS || work->kind == WORK_FREE;
    /* Before and after, so that a reader meanwhile sees at least one of the two. */
    atomic_fetch_add(&client->device->memory_changes, writes);
    if (work->kind == WORK_FREE) /* what is freed is known no more afterwards */
        check_against_others(client, work);
    double duration_ns = execute_one(client, work);
    if (moves(work))
        check_against_others(client, work);
    atomic_fetch_add(&client->device->memory_changes, writes);
    return duration_ns;
}
