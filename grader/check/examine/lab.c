/* lab.c - the device, memory that runners can see, and launches that always end in a finding. */
#include "check/examine/lab.h"

#include "check/files.h"
#include "check/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Shared memory has one stretch for each slot; pages come when they are touched. */
#define SLOT_BYTES (UINT64_C(4) << 30)

/* On the simulated device a kernel ends by its step budget and the host's code by its processor
 * time (link.c), both the same however busy the machine is; the clock is for those who sleep. */
enum { LOAD_DEADLINE_MS = 60000, LAUNCH_DEADLINE_MS = 10000, SIMULATED_DEADLINE_MS = 60000 };

/* --- The device ------------------------------------------------------------------------------- */

static bool share_host_memory(struct lab *lab)
{
    uint64_t bytes = SLOT_BYTES * RUNNER_MOST_SLOTS;
    lab->shared_fd = memfd_create("warpquest", MFD_CLOEXEC);
    if (lab->shared_fd < 0 || ftruncate(lab->shared_fd, (off_t)bytes) != 0)
        return false;
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                     lab->shared_fd, 0);
    lab->shared = map == MAP_FAILED ? NULL : map;
    return lab->shared != NULL;
}

/* Some devices say that they have no CUDA IPC only when it is tried (WSL2). */
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

bool lab_find_device(struct lab *lab, bool use_ipc, char *reason, size_t reason_bytes)
{
    struct cudaDeviceProp properties;
    size_t free_bytes = 0, total_bytes = 0;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess)
        error = cudaMemGetInfo(&free_bytes, &total_bytes);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice) {
        snprintf(reason, reason_bytes, "there is no NVIDIA GPU with a driver that fits this "
                                       "toolkit; DEVICE=sim judges without one");
        return false;
    }
    if (error != cudaSuccess) {
        snprintf(reason, reason_bytes, "the GPU cannot be used: %s", cudaGetErrorString(error));
        return false;
    }
    lab->simgpu = simgpu_api();
    lab->device = (struct judge_device){.memory_bytes = free_bytes,
                                        .l2_bytes = (uint64_t)properties.l2CacheSize,
                                        .simulated = lab->simgpu != NULL};
    lab->compute_major = properties.major;
    lab->compute_minor = properties.minor;
    snprintf(lab->device_name, sizeof lab->device_name, "%s", properties.name);
    lab->shared_fd = -1;
    lab->runner.gpu = !lab->simgpu;
    if (!(use_ipc && has_ipc()) && !share_host_memory(lab)) {
        snprintf(reason, reason_bytes, "no memory can be shared with the runner: %s",
                 strerror(errno));
        return false;
    }
    lab->runner.shared_fd = lab->shared_fd;
    return true;
}

void lab_close(struct lab *lab)
{
    lab_stop(lab, &lab->link);
    if (lab->shared)
        munmap(lab->shared, SLOT_BYTES * RUNNER_MOST_SLOTS);
    if (lab->shared_fd >= 0)
        close(lab->shared_fd);
    json_decref(lab->log);
}

/* --- Rooms ------------------------------------------------------------------------------------ */

bool room_open(struct lab *lab, uint32_t slot, uint64_t size_bytes, struct room *room,
               struct finding *finding)
{
    memset(room, 0, sizeof *room);
    room->slot = slot;
    room->size_bytes = size_bytes ? size_bytes : 1;
    room->open.open.size_bytes = room->size_bytes;
    cudaError_t error = cudaErrorMemoryAllocation;
    if (lab->shared) {
        room->open.open.is_shared = 1;
        room->open.open.shared_offset = slot * SLOT_BYTES;
        error = room->size_bytes <= SLOT_BYTES ? cudaSuccess : cudaErrorMemoryAllocation;
    } else {
        error = cudaMalloc((void **)&room->device, room->size_bytes);
        if (error == cudaSuccess)
            error = cudaIpcGetMemHandle(&room->open.open.handle, room->device);
    }
    if (error != cudaSuccess)
        return finding_set(finding, VERDICT_DEVICE, "the device has no %.1f MB for the case: %s",
                           (double)room->size_bytes * 1e-6, cudaGetErrorString(error));
    lab->open_rooms++;
    return true;
}

void room_close(struct lab *lab, struct room *room)
{
    if (lab->shared && room->size_bytes)
        fallocate(lab->shared_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)(room->slot * SLOT_BYTES), (off_t)room->size_bytes);
    cudaFree(room->device);
    if (room->size_bytes)
        lab->open_rooms--;
    memset(room, 0, sizeof *room);
}

bool room_write(struct lab *lab, struct room *room, const void *from, uint64_t size_bytes)
{
    if (!lab->shared) /* a copy from pageable memory may return before it is all there */
        return cudaMemcpy(room->device, from, size_bytes, cudaMemcpyHostToDevice) == cudaSuccess &&
               cudaDeviceSynchronize() == cudaSuccess;
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

bool lab_start(struct lab *lab, struct link *link, const char *submission,
               struct finding *finding)
{
    struct runner_answer answer;
    struct link_spec spec = lab->runner;
    spec.submission = submission;
    if (!link_start(link, &spec))
        return finding_set(finding, VERDICT_INTERNAL, "the runner cannot be started: %s",
                           strerror(errno));
    enum link_event event = link_wait(link, LOAD_DEADLINE_MS, &answer);
    if (event == LINK_ANSWERED && answer.stage == RUNNER_READY)
        return true;
    finding->verdict = link_verdict(link, lab->judge, event, &answer, finding->reason,
                                    sizeof finding->reason);
    lab_stop(lab, link);
    return false;
}

void lab_stop(struct lab *lab, struct link *link)
{
    link_stop(link);
    if (link == &lab->link && link->log_bytes) {
        json_decref(lab->log);
        lab->log = record_clean(link->log, link->log_bytes);
        lab->log_capped = link->log_capped;
        link->log_bytes = 0;
    }
}

void lab_places(const struct image *image, uint32_t slot, struct runner_set *set)
{
    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < image->count; i++)
        set->place[i] = (struct runner_place){.offset = image->part[i].offset,
                                              .slot = slot,
                                              .present = !image->part[i].buffer.optional};
}

/* --- Launches --------------------------------------------------------------------------------- */

static void note_fault(const struct simgpu_fault *fault, struct finding *finding)
{
    const struct simgpu_place *place = &fault->place;
    finding->verdict = verdict_of_fault(fault->kind);
    finding->null_pointer = verdict_is_null_pointer(fault->kind);
    snprintf(finding->reason, sizeof finding->reason, "%s: %s", fault->title, fault->message);
    snprintf(finding->advice, sizeof finding->advice, "%s", fault->advice);
    snprintf(finding->file, sizeof finding->file, "%s", path_base(place->file));
    finding->line = place->line;
    finding->other_line = fault->other.line;
}

/* Work on another stream is in no order with the caller's, and the caller's clock is not its. */
static void note_stray_launch(struct finding *finding)
{
    finding_set(finding, VERDICT_STREAM, "a kernel was launched on the default stream");
    snprintf(finding->advice, sizeof finding->advice,
             "the stream is the fourth thing in a launch: kernel<<<blocks, threads, 0, stream>>>");
}

/* Did a kernel do something wrong since the last mark? Asks the device itself, not the runner. */
static bool device_fault(struct lab *lab, struct finding *finding)
{
    struct simgpu_report *report = NULL;
    if (!lab->simgpu || lab->simgpu->report(&report) != SIMGPU_OK)
        return false;
    bool found = false;
    for (size_t i = 0; i < report->launch_count && !found; i++) {
        const struct simgpu_fault *fault = &report->launches[i].fault;
        found = fault->kind != 0;
        if (found)
            note_fault(fault, finding);
    }
    if (!found && report->calls.default_stream_launches) {
        note_stray_launch(finding);
        found = true;
    }
    lab->simgpu->report_free(report);
    return found;
}

bool lab_launch(struct lab *lab, struct link *link, struct runner_command *command,
                struct runner_answer *answer, struct finding *finding)
{
    enum link_event event = LINK_ENDED;
    if (lab->simgpu)
        lab->simgpu->mark();
    if (link_launch(link, command))
        event = link_wait(link, lab->simgpu ? SIMULATED_DEADLINE_MS : LAUNCH_DEADLINE_MS, answer);
    bool done = event == LINK_ANSWERED && answer->stage == RUNNER_DONE;
    if (done && !lab->simgpu)
        return true;
    if (event != LINK_LATE && device_fault(lab, finding)) {
        lab_stop(lab, link);
        return false;
    }
    if (done)
        return true;
    finding->verdict = link_verdict(link, lab->judge, event, answer, finding->reason,
                                    sizeof finding->reason);
    if (finding->verdict == VERDICT_LAUNCH_ERROR)
        finding->error = answer->error;
    lab_stop(lab, link);
    return false;
}

bool lab_settle(struct lab *lab, struct link *link, struct finding *finding)
{
    struct runner_command nothing = {.launch = {.launches = 0, .sets = 1}};
    struct runner_answer answer;
    return lab_launch(lab, link, &nothing, &answer, finding);
}
