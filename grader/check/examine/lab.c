/* lab.c - the device, memory that runners can see, and the runners themselves. */
#include "check/examine/lab.h"

#include "check/examine/host.h"
#include "check/examine/relay.h"
#include "check/examine/window.h"
#include "lib/files.h"
#include "check/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Shared memory has one stretch for each slot; pages are allocated when they are touched. */
#define SLOT_BYTES (UINT64_C(4) << 30)

enum { MOST_LIBRARY_BYTES = 1 << 30 }; /* more than any build leaves */
enum { LOAD_DEADLINE_MS = 60000, SECOND_DEADLINE_MS = 5000 };

/* The longest total wait for a submission: an honest one takes a twentieth of it. */
static const int64_t MOST_SIMULATED_NS = INT64_C(300000000000), MOST_NS = INT64_C(120000000000);

/* --- The device ------------------------------------------------------------------------------- */

static bool share_host_memory(struct lab *lab)
{
    uint64_t bytes = SLOT_BYTES * RUNNER_MOST_SLOTS;
    lab->shared_fd = memfd_create("warpquest", MFD_CLOEXEC);
    if (lab->shared_fd < 0 || ftruncate(lab->shared_fd, (off_t)bytes) != 0)
        return false;
    void *map =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, lab->shared_fd, 0);
    lab->shared = map == MAP_FAILED ? NULL : map;
    return lab->shared != NULL;
}

/* On some devices only trying shows that they have no CUDA IPC (WSL2). */
static bool has_ipc(void)
{
    void *device = NULL;
    cudaIpcMemHandle_t handle;
    bool works = cudaMalloc(&device, IMAGE_GUARD_BYTES) == cudaSuccess &&
                 cudaIpcGetMemHandle(&handle, device) == cudaSuccess;
    cudaFree(device);
    cudaGetLastError();
    return works;
}

/* The driver limits the time of a kernel on a GPU that draws a display. */
static bool may_have_display(void)
{
    int is_limited = 1;
    cudaError_t error = cudaDeviceGetAttribute(&is_limited, cudaDevAttrKernelExecTimeout, 0);
    return error != cudaSuccess || is_limited;
}

bool lab_find_device(struct lab *lab, bool use_ipc, char *reason, size_t reason_bytes)
{
    struct cudaDeviceProp properties;
    size_t free_bytes = 0, total_bytes = 0;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess)
        error = cudaMemGetInfo(&free_bytes, &total_bytes);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice) {
        snprintf(reason, reason_bytes,
                 "there is no NVIDIA GPU with a driver that fits this "
                 "toolkit; DEVICE=sim judges without one");
        return false;
    }
    if (error != cudaSuccess) {
        snprintf(reason, reason_bytes, "the GPU cannot be used: %s", cudaGetErrorString(error));
        return false;
    }
    lab->simgpu = simgpu_api();
    if (lab->simgpu) /* `simgpu run` has started us, and is the device */
        process_clock_of(getppid());
    lab->device = (struct judge_device){.memory_bytes = free_bytes,
                                        .l2_bytes = (uint64_t)properties.l2CacheSize,
                                        .simulated = lab->simgpu != NULL};
    lab->compute_major = properties.major;
    lab->compute_minor = properties.minor;
    lab->has_display = may_have_display();
    snprintf(lab->device_name, sizeof lab->device_name, "%s", properties.name);
    lab->shared_fd = -1;
    lab->runner.gpu = !lab->simgpu;
    if (!(use_ipc && has_ipc()) && !share_host_memory(lab)) {
        snprintf(reason, reason_bytes, "no memory can be shared with the runner: %s",
                 strerror(errno));
        return false;
    }
    lab->handed_fd = memfd_create("warpquest-handed", MFD_CLOEXEC);
    lab->runner.shared_fd = lab->shared_fd;
    lab->runner.handed_fd = lab->handed_fd;
    return true;
}

bool lab_admit(struct lab *lab, const char *library, char *reason, size_t reason_bytes)
{
    size_t bytes;
    if (!lab->simgpu || !*library)
        return true;
    char *content = file_read(library, MOST_LIBRARY_BYTES, &bytes);
    bool admitted = content && lab->simgpu->admit(content, bytes) == SIMGPU_OK;
    if (!admitted)
        snprintf(reason, reason_bytes, "the simulated device cannot take what was compiled: %s",
                 content ? "it is out of memory" : strerror(errno));
    free(content);
    return admitted;
}

void lab_look_at_memory(struct lab *lab)
{
    size_t free_bytes, total_bytes;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess)
        lab->device.memory_bytes = free_bytes;
}

void lab_close(struct lab *lab)
{
    lab_stop(lab, &lab->link);
    turn_close(&lab->turn);
    if (lab->shared)
        munmap(lab->shared, SLOT_BYTES * RUNNER_MOST_SLOTS);
    if (lab->shared_fd >= 0)
        close(lab->shared_fd);
    if (lab->handed_fd >= 0)
        close(lab->handed_fd);
    json_decref(lab->log);
}

/* --- Rooms ------------------------------------------------------------------------------------ */

bool room_open(struct lab *lab, uint32_t slot, uint64_t size_bytes, struct room *room,
               struct finding *finding)
{
    memset(room, 0, sizeof *room);
    room->slot = slot;
    room->size_bytes = size_bytes ? size_bytes : 1;
    room->open.size_bytes = room->size_bytes;
    cudaError_t error = cudaErrorMemoryAllocation;
    if (lab->shared) {
        room->open.is_shared = 1;
        room->open.shared_offset = slot * SLOT_BYTES;
        error = room->size_bytes <= SLOT_BYTES ? cudaSuccess : cudaErrorMemoryAllocation;
    } else {
        error = cudaMalloc((void **)&room->device, room->size_bytes);
        if (error == cudaSuccess)
            error = cudaIpcGetMemHandle(&room->open.handle, room->device);
    }
    if (error != cudaSuccess)
        return finding_set(finding, VERDICT_DEVICE, "the device has no %.1f MB for the case: %s",
                           (double)room->size_bytes * 1e-6, cudaGetErrorString(error));
    lab->open_rooms++;
    return true;
}

void room_cut(const struct room *whole, uint64_t *used, uint64_t size_bytes, struct room *room)
{
    *room = (struct room){.slot = whole->slot,
                          .offset = *used,
                          .size_bytes = size_bytes ? size_bytes : 1,
                          .device = whole->device + *used,
                          .is_cut = true};
    *used += (room->size_bytes + ROOM_CUT_BYTES - 1) / ROOM_CUT_BYTES * ROOM_CUT_BYTES;
}

void room_close(struct lab *lab, struct room *room)
{
    if (lab->shared && room->size_bytes)
        fallocate(lab->shared_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)(room->slot * SLOT_BYTES), (off_t)room->size_bytes);
    if (!room->is_cut)
        cudaFree(room->device);
    if (room->size_bytes && !room->is_cut)
        lab->open_rooms--;
    memset(room, 0, sizeof *room);
}

bool room_write(struct lab *lab, struct room *room, const void *from, uint64_t size_bytes)
{
    if (!lab->shared) /* a GPU's copy from pageable memory may return before it is complete */
        return cudaMemcpy(room->device, from, size_bytes, cudaMemcpyHostToDevice) == cudaSuccess &&
               (lab->simgpu || cudaDeviceSynchronize() == cudaSuccess);
    memcpy(lab->shared + room->slot * SLOT_BYTES, from, size_bytes);
    return true;
}

bool room_read(struct lab *lab, const struct room *room, void *to, uint64_t size_bytes)
{
    if (!lab->shared)
        return cudaMemcpy(to, room->device, size_bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
    memcpy(to, lab->shared + room->slot * SLOT_BYTES, size_bytes);
    return true;
}

/* --- Runners ---------------------------------------------------------------------------------- */

enum link_event lab_wait(struct lab *lab, struct link *link, int64_t deadline_ms,
                         struct runner_answer *answer)
{
    bool *was_late = link->spec.spent_ns && lab->simgpu ? &lab->was_late : NULL;
    if (was_late && *was_late)
        deadline_ms = SECOND_DEADLINE_MS;
    enum link_event event = link_wait(link, deadline_ms, answer);
    if (was_late && event == LINK_LATE && !link->was_busy)
        *was_late = true;
    return event;
}

bool lab_await(struct lab *lab, struct link *link, struct finding *finding)
{
    struct runner_answer answer;
    window_release(lab, link);
    enum link_event event = lab->simgpu ? host_await_loaded(lab, link, &answer)
                                        : lab_wait(lab, link, LOAD_DEADLINE_MS, &answer);
    if (event == LINK_ANSWERED && answer.stage == RUNNER_READY)
        return true;
    finding->verdict =
        link_verdict(link, lab->judge, event, &answer, finding->reason, sizeof finding->reason);
    finding->starved = link->starved;
    lab_stop(lab, link);
    return false;
}

bool lab_start(struct lab *lab, struct link *link, const char *submission, struct finding *finding)
{
    struct link_spec spec = lab->runner;
    spec.submission = submission;
    if (strcmp(submission, lab->submission) == 0) {
        spec.spent_ns = &lab->spent_ns;
        spec.most_ns = lab->simgpu ? MOST_SIMULATED_NS : MOST_NS;
    }
    if (!link_start(link, &spec))
        return finding_set(finding, VERDICT_INTERNAL, "the runner cannot be started: %s",
                           strerror(errno));
    return lab_await(lab, link, finding);
}

bool lab_ensure(struct lab *lab, struct finding *finding)
{
    return lab->link.pid || lab_start(lab, &lab->link, lab->submission, finding);
}

void lab_keep_log(struct lab *lab, struct link *link)
{
    char all[LINK_LOG_BYTES + 1];
    const char *before = lab->log ? json_string_value(lab->log) : "";
    size_t had = strlen(before), added = link->log_bytes;
    if (had > LINK_LOG_BYTES)
        had = LINK_LOG_BYTES;
    if (added > LINK_LOG_BYTES - had)
        added = LINK_LOG_BYTES - had;
    memcpy(all, before, had);
    memcpy(all + had, link->log, added);
    lab->log_capped |= link->log_capped || added < link->log_bytes;
    json_decref(lab->log);
    lab->log = had + added ? record_clean(all, had + added) : NULL;
    link->log_bytes = 0;
}

void lab_stop(struct lab *lab, struct link *link)
{
    window_release(lab, NULL); /* a program that waits at the window does not end by itself */
    link_stop(link);
    if (link != &lab->link)
        return;
    lab_keep_log(lab, link);
    relay_close(lab);
}

void lab_places(const struct image *image, uint32_t slot, struct runner_set *set)
{
    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < image->count; i++)
        set->place[i] = (struct runner_place){.offset = image->part[i].offset,
                                              .slot = slot,
                                              .present = !image->part[i].buffer.optional};
}

void lab_say_unjudged(const struct lab *lab, struct finding *finding)
{
    finding_set(finding, VERDICT_NOT_SIMULATED,
                "the case %s cannot be judged without a GPU: here some blocks of a launch must "
                "represent all, and they cannot: %s",
                lab->unjudged->name, lab->why_unjudged);
    snprintf(finding->advice, sizeof finding->advice,
             "have it judged on a GPU, or let each block do its own, shorter part");
}
