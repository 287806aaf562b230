/* runner.c - the untrusted process: loads one submission and launches it when told.
 *
 * From the moment the submission is loaded, its code can do anything this process can. So this
 * process has nothing of value: it owns no buffer, knows no expected value, and its answers are not
 * believed (protocol.h). It is started by the grader inside the sandbox (sandbox.c).
 *
 *     runner LESSON submission.so          commands on fd 3, answers on fd 4, until they are moved
 */
#include "runner/caller.h"
#include "runner/ordinary.h"
#include "runner/protocol.h"
#include "runner/walk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LAUNCHERS = 8, BUSYWORK_BYTES = 32 << 20 };

struct slot {
    unsigned char *device; /* NULL when not open */
    uint64_t size_bytes;
    uint64_t shared_offset;
    bool is_shared;
};

struct runner {
    const struct judge *judge;
    void *symbols[MOST_LAUNCHERS];
    struct slot slots[RUNNER_MOST_SLOTS];
    unsigned char *shared; /* host memory, or NULL */
    struct caller caller;
    cudaStream_t stream; /* of the current launch */
    cudaEvent_t start, stop;
    void *scratch, *busywork; /* busywork: device memory that a block of launches begins with */
    void *workspace;          /* device memory of that size in the judge; or NULL */
    char file[256];           /* judge_call.file */
    cudaError_t error;        /* of an OPEN: reported with the next answer */
    bool has_launched;        /* then that error may come from a kernel that was still running */
};

/* --- Talking ---------------------------------------------------------------------------------- */

static int fds[RUNNER_FDS]; /* where the grader's descriptors are now (ordinary.h) */

static bool transfer(int fd, void *data, size_t bytes, bool out)
{
    unsigned char *at = data;
    while (bytes) {
        ssize_t moved = out ? write(fd, at, bytes) : read(fd, at, bytes);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved <= 0)
            return false;
        at += moved;
        bytes -= (size_t)moved;
    }
    return true;
}

static void send_answer(const struct runner_answer *said)
{
    struct runner_answer bytes = *said;
    if (!transfer(fds[RUNNER_ANSWERS_FD], &bytes, sizeof bytes, true))
        _exit(1);
}

static void answer(enum runner_stage stage, uint32_t serial, int error, float milliseconds)
{
    send_answer(&(struct runner_answer){RUNNER_MAGIC, serial, stage, error, milliseconds, {0}, 0});
}

/* The next command. False at the end, or if it is invalid. */
static bool receive(struct runner_command *command)
{
    unsigned char *bytes = (unsigned char *)command;
    size_t header = offsetof(struct runner_command, open);
    int commands = fds[RUNNER_COMMANDS_FD];
    if (!transfer(commands, bytes, header, false) || command->magic != RUNNER_MAGIC)
        return false;
    size_t head = runner_command_head_bytes(command->kind);
    return transfer(commands, bytes + header, head - header, false) &&
           transfer(commands, bytes + head, runner_command_bytes(command) - head, false);
}

/* --- Loading ---------------------------------------------------------------------------------- */

/* Libraries a lesson allows besides the runtime, of the runtime's own major version. */
static void load_libraries(const struct judge *judge)
{
    for (const char *const *name = judge->libraries; name && *name; name++) {
        char file[128];
        snprintf(file, sizeof file, "lib%s.so.%d", *name, CUDART_VERSION / 1000);
        if (!dlopen(file, RTLD_NOW | RTLD_GLOBAL))
            fprintf(stderr, "%s\n", dlerror());
    }
}

static bool load(struct runner *runner, const char *path)
{
    load_libraries(runner->judge);
    void *submission = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!submission) {
        fprintf(stderr, "%s\n", dlerror());
        answer(RUNNER_NOT_LOADED, 0, 0, 0);
        return false;
    }
    const char *const *names = runner->judge->launchers;
    for (int i = 0; names[i] && i < MOST_LAUNCHERS; i++) {
        runner->symbols[i] = dlsym(submission, names[i]);
        if (!runner->symbols[i]) {
            answer(RUNNER_NO_SYMBOL, 0, i, 0);
            return false;
        }
    }
    return true;
}

static cudaError_t prepare(struct runner *runner)
{
    struct stat shared;
    cudaError_t error = caller_open(&runner->caller);
    if (error == cudaSuccess)
        error = cudaEventCreate(&runner->start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&runner->stop);
    if (error == cudaSuccess && fstat(fds[RUNNER_SHARED_FD], &shared) == 0 && shared.st_size > 0) {
        void *map = mmap(NULL, (size_t)shared.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
                         fds[RUNNER_SHARED_FD], 0);
        runner->shared = map == MAP_FAILED ? NULL : map;
    }
    runner->scratch = calloc(1, runner->judge->scratch_bytes + 1);
    if (error == cudaSuccess && runner->judge->workspace_bytes)
        error = cudaMalloc(&runner->workspace, runner->judge->workspace_bytes);
    /* In the sandbox HOME is this process's own; without one, only the file name is. */
    const char *home = getenv("HOME");
    snprintf(runner->file, sizeof runner->file, "%.200s/quest-file-%ld", home ? home : "/tmp",
             (long)getpid());
    return error;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void close_slot(struct runner *runner, uint32_t index)
{
    struct slot *slot = &runner->slots[index];
    if (slot->device && slot->is_shared)
        cudaFree(slot->device);
    else if (slot->device)
        cudaIpcCloseMemHandle(slot->device);
    memset(slot, 0, sizeof *slot);
}

static void open_slot(struct runner *runner, const struct runner_command *command)
{
    struct slot *slot = &runner->slots[command->open.slot];
    void *device = NULL;
    close_slot(runner, command->open.slot);
    cudaError_t error =
        command->open.is_shared
            ? cudaMalloc(&device, command->open.size_bytes)
            : cudaIpcOpenMemHandle(&device, command->open.handle, cudaIpcMemLazyEnablePeerAccess);
    if (error != cudaSuccess) {
        runner->error = error;
        return;
    }
    *slot = (struct slot){device, command->open.size_bytes, command->open.shared_offset,
                          command->open.is_shared};
}

/* Without CUDA IPC: the host's bytes to the device before a launch, and back after it. */
static cudaError_t cross(struct runner *runner, bool to_device)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < RUNNER_MOST_SLOTS && error == cudaSuccess; i++) {
        struct slot *slot = &runner->slots[i];
        unsigned char *host = runner->shared + slot->shared_offset;
        if (slot->device && slot->is_shared && runner->shared)
            error = to_device
                        ? cudaMemcpy(slot->device, host, slot->size_bytes, cudaMemcpyHostToDevice)
                        : cudaMemcpy(host, slot->device, slot->size_bytes, cudaMemcpyDeviceToHost);
    }
    return error;
}

/* --- From process to process ------------------------------------------------------------------ */

/* Copy all of one file into another, empty one, both from their start. */
static bool copy_file(int from, int to)
{
    char piece[1 << 16];
    ssize_t got = 0;
    off_t at = 0;
    while ((got = pread(from, piece, sizeof piece, at)) > 0 && at < RUNNER_MOST_HANDED_BYTES) {
        if (pwrite(to, piece, (size_t)got, at) != got)
            return false;
        at += got;
    }
    return got == 0;
}

/* What the previous process left; no file if that is nothing. */
static bool take_over(const struct runner *runner)
{
    struct stat handed;
    if (fstat(fds[RUNNER_HANDED_FD], &handed) != 0 || handed.st_size == 0)
        return true;
    int file = open(runner->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool taken = file >= 0 && copy_file(fds[RUNNER_HANDED_FD], file);
    if (file >= 0)
        close(file);
    return taken;
}

/* What the submission wrote, for the process after this one. */
static bool hand_over(const struct runner *runner)
{
    int file = open(runner->file, O_RDONLY | O_CLOEXEC);
    bool handed = ftruncate(fds[RUNNER_HANDED_FD], 0) == 0;
    if (file < 0)
        return handed && errno == ENOENT;
    handed = handed && copy_file(file, fds[RUNNER_HANDED_FD]);
    close(file);
    return handed;
}

/* The file exists for one launch only. */
static cudaError_t pass_on(const struct runner *runner, const struct runner_command *command,
                           bool before)
{
    uint32_t process = command->launch.process;
    bool passed = before ? process == 0 || take_over(runner)
                         : process + 1 >= command->launch.problem.processes || hand_over(runner);
    if (!before)
        unlink(runner->file);
    if (passed)
        return cudaSuccess;
    fprintf(stderr, "%s cannot be handed to the next process; it may have %d MiB\n", runner->file,
            RUNNER_MOST_HANDED_BYTES >> 20);
    return cudaErrorOperatingSystem;
}

/* --- Launching -------------------------------------------------------------------------------- */

static cudaError_t launch_set(struct runner *runner, const struct runner_command *command,
                              const struct runner_set *set)
{
    void *buffers[JUDGE_MOST_BUFFERS];
    for (int i = 0; i < JUDGE_MOST_BUFFERS; i++) {
        const struct runner_place *place = &set->place[i];
        buffers[i] = place->present ? runner->slots[place->slot].device + place->offset : NULL;
    }
    struct judge_call call = {.problem = &command->launch.problem,
                              .symbols = runner->symbols,
                              .buffers = buffers,
                              .stream = runner->stream,
                              .memory = runner->scratch,
                              .workspace = runner->workspace,
                              .process = command->launch.process,
                              .prepares = command->launch.prepares,
                              .file = runner->file};
    bool is_other =
        caller_is_other((enum runner_thread)command->launch.thread, command->launch.serial);
    return (is_other ? caller_launch_elsewhere : caller_launch)(runner->judge, &call);
}

/* Give the device something to do while the first launches are queued after it, so that their run
 * time is measured and not the time that the host takes to queue them. Without a time it need not
 * take long. */
static void keep_busy(struct runner *runner, bool is_timed)
{
    if (!runner->busywork && cudaMalloc(&runner->busywork, BUSYWORK_BYTES) != cudaSuccess)
        cudaGetLastError(); /* without it times only spread a little more */
    if (runner->busywork)
        cudaMemsetAsync(runner->busywork, 0, is_timed ? BUSYWORK_BYTES : 1, runner->stream);
}

/* All launches, until one returns an error, which is then no longer there for the next. */
static cudaError_t launch_all(struct runner *runner, const struct runner_command *command)
{
    cudaError_t error = cudaSuccess;
    for (uint32_t i = 0; i < command->launch.launches && error == cudaSuccess; i++)
        error = launch_set(runner, command, &command->launch.set[i % command->launch.sets]);
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
}

static void launch(struct runner *runner, const struct runner_command *command)
{
    uint32_t serial = command->launch.serial;
    bool only_waits = command->launch.launches == 0;
    float milliseconds = 0;
    cudaError_t error = runner->error != cudaSuccess ? runner->error : cross(runner, true);
    if (error != cudaSuccess) {
        answer(runner->has_launched ? RUNNER_NOT_FINISHED : RUNNER_NO_DEVICE, serial, error, 0);
        return;
    }
    runner->has_launched |= !only_waits;
    if (command->launch.launches > 1)
        keep_busy(runner, command->launch.is_timed);
    error = pass_on(runner, command, true);
    if (!only_waits)
        cudaEventRecord(runner->start, runner->stream);
    if (error == cudaSuccess)
        error = launch_all(runner, command);
    if (!only_waits)
        cudaEventRecord(runner->stop, runner->stream);
    cudaError_t finished = cudaDeviceSynchronize();
    cudaError_t passed = pass_on(runner, command, false);
    if (error == cudaSuccess)
        error = passed;
    if (finished == cudaSuccess)
        finished = cross(runner, false);
    if (command->launch.is_timed && finished == cudaSuccess && error == cudaSuccess)
        cudaEventElapsedTime(&milliseconds, runner->start, runner->stop);
    if (error != cudaSuccess)
        send_answer(&(struct runner_answer){
            RUNNER_MAGIC, serial, RUNNER_NOT_LAUNCHED, error, 0, {0}, finished});
    else if (finished != cudaSuccess)
        answer(RUNNER_NOT_FINISHED, serial, finished, 0);
    else
        answer(RUNNER_DONE, serial, 0, milliseconds);
}

/* One call, captured instead of run. */
static void walk(struct runner *runner, const struct runner_command *command)
{
    struct runner_answer said = {RUNNER_MAGIC, command->launch.serial, RUNNER_DONE, 0, 0, {0}, 0};
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(runner->stream, cudaStreamCaptureModeThreadLocal);
    if (error == cudaSuccess) {
        cudaError_t returned = launch_set(runner, command, &command->launch.set[0]);
        error = cudaStreamEndCapture(runner->stream, &graph);
        error = returned == cudaSuccess ? error : returned;
    }
    if (error == cudaSuccess)
        error = walk_graph(graph, &said.nodes);
    if (graph)
        cudaGraphDestroy(graph);
    cudaGetLastError();
    said.nodes.error = error;
    send_answer(&said);
}

static void obey(struct runner *runner, const struct runner_command *command)
{
    switch ((enum runner_kind)command->kind) {
    case RUNNER_OPEN: open_slot(runner, command); break;
    case RUNNER_CLOSE: close_slot(runner, command->close.slot); break;
    case RUNNER_LAUNCH:
        runner->stream = command->launch.on_default
                             ? NULL
                             : caller_stream(&runner->caller, command->launch.serial);
        (command->launch.walk ? walk : launch)(runner, command);
        break;
    }
}

int main(int argc, char **argv)
{
    static struct runner runner;
    static struct runner_command command;
    runner.judge = argc == 3 ? judge_named(argv[1]) : NULL;
    if (!runner.judge) {
        fprintf(stderr, "runner: started by the grader only, as: runner LESSON submission.so\n");
        return 64;
    }
    setvbuf(stdout, NULL, _IONBF, 0); /* so that a submission's output is seen even if it crashes */
    char *submission = strdup(argv[2]);
    ordinary_name(argc, argv);
    if (!submission || !ordinary_move(fds) || !load(&runner, submission))
        return 1;
    cudaError_t error = prepare(&runner);
    answer(error == cudaSuccess ? RUNNER_READY : RUNNER_NO_DEVICE, 0, error, 0);
    while (receive(&command))
        obey(&runner, &command);
    return 0;
}
