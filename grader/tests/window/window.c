/* window.c - the grader's window on the simulated device:
 *
 *     simgpu run --control --memory 256 -- window
 *
 * This program plays the grader, and starts itself again for each program that it watches. A
 * watched program writes a letter to its standard output when it has reached a certain point, and
 * goes on when it is sent one.
 */
#include "kernels.h"
#include "simgpu/protocol.h"
#include "simgpu/simgpu.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(claim)                                                   \
    do {                                                                \
        if (!(claim)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #claim); \
            exit(1);                                                    \
        }                                                               \
    } while (0)
#define DONE(call) EXPECT((call) == cudaSuccess)

/* simgpu run --memory 256 */
static const size_t MOST_BYTES = (size_t)256 << 20;

static const struct simgpu_api *simgpu;

/* --- Watched programs ------------------------------------------------------------------------- */

static void say(char letter)
{
    EXPECT(write(1, &letter, 1) == 1);
}

static void hear(void)
{
    char letter;
    if (read(0, &letter, 1) != 1)
        exit(0);
}

static unsigned *opened(void)
{
    cudaIpcMemHandle_t handle;
    void *memory = NULL;
    EXPECT(read(0, &handle, sizeof handle) == sizeof handle);
    DONE(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess));
    return memory;
}

/* Adds 1 whenever it is told to, and waits for that. */
static int counts(unsigned *sum)
{
    for (;;) {
        say('r');
        hear();
        launch_add(sum, NULL);
        DONE(cudaDeviceSynchronize());
    }
}

/* Leaves a kernel on the device that waits for a flag in host memory. */
static int lingers(unsigned *sum)
{
    unsigned *flag = NULL;
    DONE(cudaHostAlloc((void **)&flag, sizeof *flag, cudaHostAllocMapped));
    *flag = 0;
    hear();
    launch_wait(flag, sum);
    say('r');
    hear();
    *flag = 1;
    hear();
    return 0;
}

static int asks(void)
{
    struct simgpu_options options = {0};
    struct simgpu_report *report = NULL;
    struct simgpu_timeline sums;
    hear();
    bool denied = simgpu_api()->set_options(&options) == SIMGPU_DENIED &&
                  simgpu_api()->window(SIMGPU_WINDOW_OPEN, getpid(), NULL) == SIMGPU_DENIED &&
                  simgpu_api()->report(&report) == SIMGPU_DENIED &&
                  simgpu_api()->timeline(&sums) == SIMGPU_DENIED;
    say(denied && fcntl(CONTROL_FD, F_GETFD) < 0 && !getenv("SIMGPU_CONTROL") ? 'd' : 'c');
    hear();
    return 0;
}

/* Sets twice the memory that it may fill. */
static int fills(void)
{
    void *memory;
    DONE(cudaMalloc(&memory, 2 * MOST_BYTES));
    say('r');
    hear();
    cudaMemset(memory, 1, 2 * MOST_BYTES);
    say(cudaDeviceSynchronize() == cudaSuccess ? 's' : 'e');
    hear();
    return 0;
}

/* Its child does the work. */
static int delegates(void)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = 0;
    execl("/bin/sh", "sh", "-c", "\"$0\" counts; exit", self, (char *)NULL);
    return 1;
}

/* In what order an own stream is with the one given; and what is on it is a copy from the host,
 * with launches on the given one. */
enum { FORKED = 1, JOINED = 2, BY_HOST = 4, AHEAD = 8 };
enum { COPIED_BYTES = 4 << 20, BESIDE = 8 };

static void copy_ahead(unsigned *sum, void *to, const void *from, cudaStream_t given,
                       cudaStream_t own)
{
    cudaMemcpyAsync(to, from, COPIED_BYTES, cudaMemcpyHostToDevice, own);
    for (int i = 0; i < BESIDE; i++)
        launch_add(sum, given);
}

static int streams(unsigned *sum, int order)
{
    cudaStream_t given, own;
    cudaEvent_t start, before, after, stop;
    void *copied, *pinned;
    DONE(cudaMalloc(&copied, COPIED_BYTES));
    DONE(cudaMallocHost(&pinned, COPIED_BYTES));
    DONE(cudaStreamCreateWithFlags(&given, cudaStreamNonBlocking));
    DONE(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    cudaEvent_t *const events[] = {&start, &before, &after, &stop};
    for (int i = 0; i < 4; i++)
        DONE(cudaEventCreate(events[i]));
    say('r');
    hear();
    DONE(cudaEventRecord(start, given));
    DONE(cudaEventRecord(before, given));
    if (order & FORKED)
        DONE(cudaStreamWaitEvent(own, before, 0));
    if (order & AHEAD)
        copy_ahead(sum, copied, pinned, given, own);
    else
        launch_add(sum, own);
    DONE(cudaEventRecord(after, own));
    if (order & JOINED)
        DONE(cudaStreamWaitEvent(given, after, 0));
    if (order & BY_HOST)
        DONE(cudaStreamSynchronize(own));
    DONE(cudaEventRecord(stop, given));
    DONE(cudaDeviceSynchronize());
    say('d');
    hear();
    return 0;
}

/* Waits for what it has launched in no way, or is late with it; or waits by asking, for a flag that
 * a host function raises, by what gives memory back, or by a copy. Then as a runner does. */
enum { RETURNS, DAWDLES, ASKS, HEARS, FREES, FREES_PINNED, UNREGISTERS, COPIES, WAYS };
enum { LATE_US = 200000, PAGE = 4096 };
static void raise_flag(void *flag)
{
    sem_post((sem_t *)flag);
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Who asks without end is answered once a millisecond: the device may need the processor. */
static void ask_until_done(void)
{
    enum { AT_ONCE = 65 };
    double from = now_ms();
    unsigned asked = 0;
    while (cudaStreamQuery(NULL) == cudaErrorNotReady)
        asked++;
    EXPECT(asked > AT_ONCE && asked <= AT_ONCE + (now_ms() - from));
}

static int waits(unsigned *sum, int way)
{
    static unsigned char page[PAGE] __attribute__((aligned(PAGE)));
    void *memory, *pinned;
    sem_t flag;
    sem_init(&flag, 0, 0);
    DONE(cudaMalloc(&memory, PAGE));
    DONE(cudaHostAlloc(&pinned, PAGE, 0));
    DONE(cudaHostRegister(page, PAGE, 0));
    say('r');
    hear();
    if (way == DAWDLES)
        usleep(LATE_US);
    launch_add(sum, NULL);
    if (way == ASKS)
        ask_until_done();
    if (way == HEARS) {
        DONE(cudaLaunchHostFunc(NULL, raise_flag, &flag));
        sem_wait(&flag);
    }
    if (way == FREES)
        DONE(cudaFree(memory));
    if (way == FREES_PINNED)
        DONE(cudaFreeHost(pinned));
    if (way == UNREGISTERS)
        DONE(cudaHostUnregister(page));
    if (way == COPIES)
        DONE(cudaMemcpy(&way, sum, sizeof way, cudaMemcpyDeviceToHost));
    DONE(cudaDeviceSynchronize());
    say('d');
    hear();
    return 0;
}

/* Other threads queue work without end, so that some is always there. */
enum { LAUNCHERS = 4 };
static sem_t begun;

static void *launches(void *sum)
{
    cudaStream_t own;
    DONE(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    launch_add(sum, own);
    sem_post(&begun);
    for (;;)
        launch_add(sum, own);
    return NULL;
}

static int goes_on(unsigned *sum)
{
    pthread_t thread;
    sem_init(&begun, 0, 0);
    for (int i = 0; i < LAUNCHERS; i++)
        EXPECT(pthread_create(&thread, NULL, launches, sum) == 0);
    for (int i = 0; i < LAUNCHERS; i++)
        sem_wait(&begun);
    say('r');
    hear();
    usleep(LATE_US);
    DONE(cudaDeviceSynchronize());
    say('d');
    hear();
    return 0;
}

/* Makes one of each kind, several of memory; and gives all back, or nothing. */
static int keeps(bool gives_back)
{
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaArray_t array;
    void *memory, *in_order, *pitched, *pinned;
    size_t pitch;
    const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    say('r');
    hear();
    DONE(cudaStreamCreate(&stream));
    DONE(cudaEventCreate(&event));
    DONE(cudaGraphCreate(&graph, 0));
    DONE(cudaGraphInstantiate(&ready, graph, 0));
    DONE(cudaMallocArray(&array, &format, PAGE, 1, 0));
    DONE(cudaMalloc(&memory, PAGE));
    DONE(cudaMallocAsync(&in_order, PAGE, stream));
    DONE(cudaMallocPitch(&pitched, &pitch, PAGE, 2));
    DONE(cudaHostAlloc(&pinned, PAGE, 0));
    if (gives_back) {
        DONE(cudaFreeAsync(in_order, stream));
        DONE(cudaStreamDestroy(stream));
        DONE(cudaEventDestroy(event));
        DONE(cudaGraphExecDestroy(ready));
        DONE(cudaGraphDestroy(graph));
        DONE(cudaFreeArray(array));
        DONE(cudaFree(memory));
        DONE(cudaFree(pitched));
        DONE(cudaFreeHost(pinned));
    }
    DONE(cudaDeviceSynchronize());
    say('d');
    hear();
    return 0;
}

/* Many launches, none of which it waits for. */
enum { MANY = 1000 };
static int queues(unsigned *sum)
{
    say('r');
    hear();
    for (int i = 0; i < MANY; i++)
        launch_add(sum, NULL);
    DONE(cudaDeviceSynchronize());
    say('d');
    hear();
    return 0;
}

static int play(const char *role)
{
    unsigned *sum = opened();
    if (strcmp(role, "counts") == 0)
        return counts(sum);
    if (strcmp(role, "lingers") == 0)
        return lingers(sum);
    if (strcmp(role, "fills") == 0)
        return fills();
    if (strcmp(role, "goes_on") == 0)
        return goes_on(sum);
    if (strcmp(role, "asks") == 0)
        return asks();
    if (strcmp(role, "queues") == 0)
        return queues(sum);
    if (strcmp(role, "keeps") == 0 || strcmp(role, "gives_back") == 0)
        return keeps(role[0] == 'g');
    if (role[0] == 'w')
        return waits(sum, atoi(role + 1));
    return streams(sum, atoi(role));
}

/* --- The grader ------------------------------------------------------------------------------- */

struct program {
    pid_t pid;
    int to, from;
};

static unsigned *d_sum;

static void send(const struct program *program)
{
    EXPECT(write(program->to, "g", 1) == 1);
}

static char heard(const struct program *program)
{
    char letter = 0;
    return read(program->from, &letter, 1) == 1 ? letter : 0;
}

static struct program start(const char *role)
{
    int to[2], from[2];
    cudaIpcMemHandle_t handle;
    EXPECT(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0);
    DONE(cudaIpcGetMemHandle(&handle, d_sum));
    pid_t pid = fork();
    if (pid == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execl("/proc/self/exe", "window", role, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    EXPECT(write(to[1], &handle, sizeof handle) == sizeof handle);
    return (struct program){pid, to[1], from[0]};
}

static void end(struct program *program)
{
    close(program->to);
    close(program->from);
    kill(program->pid, SIGKILL);
    waitpid(program->pid, NULL, 0);
}

static struct simgpu_over set_window(enum simgpu_window window, const struct program *program)
{
    struct simgpu_over over;
    EXPECT(simgpu->window(window, program ? program->pid : 0, &over) == SIMGPU_OK);
    return over;
}

static struct simgpu_report reported(void)
{
    struct simgpu_report *report = NULL;
    EXPECT(simgpu->report(&report) == SIMGPU_OK);
    struct simgpu_report copy = *report;
    simgpu->report_free(report);
    return copy;
}

static unsigned sum(void)
{
    unsigned value;
    DONE(cudaMemcpy(&value, d_sum, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void a_child_of_the_program_in_control_has_none(void)
{
    struct program program = start("asks");
    send(&program);
    EXPECT(heard(&program) == 'd');
    end(&program);
}

static void a_store_to_any_of_several_buffers_is_seen(void)
{
    void *d_first, *d_second;
    DONE(cudaMalloc(&d_first, 64));
    DONE(cudaMalloc(&d_second, 64));
    const void *both[] = {d_first, d_second}, *none[] = {NULL};
    EXPECT(simgpu->forget_stores(both, 2) == SIMGPU_OK && !simgpu->was_stored_to(both, 2));
    DONE(cudaMemset(d_second, 0, 1));
    DONE(cudaDeviceSynchronize());
    EXPECT(simgpu->was_stored_to(both, 2) && simgpu->was_stored_to(both + 1, 1));
    EXPECT(!simgpu->was_stored_to(both, 1) && !simgpu->was_stored_to(both, 0));
    EXPECT(simgpu->forget_stores(both, 2) == SIMGPU_OK && !simgpu->was_stored_to(both, 2));
    EXPECT(simgpu->forget_stores(none, 1) != SIMGPU_OK && simgpu->was_stored_to(none, 1));
    DONE(cudaFree(d_first));
    DONE(cudaFree(d_second));
}

static void a_store_between_rows_is_seen(void)
{
    const struct simgpu_gaps gaps = {.first = 8, .bytes = 8, .every = 16};
    void *d_matrix;
    DONE(cudaMalloc(&d_matrix, 64));
    const void *const one[] = {d_matrix};
    EXPECT(simgpu->set_gaps(d_matrix, &gaps) == SIMGPU_OK);
    EXPECT(simgpu->forget_stores(one, 1) == SIMGPU_OK);
    DONE(cudaMemset((char *)d_matrix + 16, 0, 8));
    DONE(cudaDeviceSynchronize());
    EXPECT(simgpu->was_stored_to(one, 1) && !simgpu->gaps_were_stored_to(d_matrix));
    DONE(cudaMemset((char *)d_matrix + 16, 0, 9));
    DONE(cudaDeviceSynchronize());
    EXPECT(simgpu->gaps_were_stored_to(d_matrix));
    EXPECT(simgpu->set_gaps(NULL, &gaps) != SIMGPU_OK);
    DONE(cudaFree(d_matrix));
}

static void nobody_works_while_the_window_is_shut(void)
{
    struct program program = start("counts");
    EXPECT(heard(&program) == 'r');
    EXPECT(set_window(SIMGPU_WINDOW_SHUT, &program).pieces == 0);
    unsigned before = sum();
    send(&program);
    usleep(100000);
    EXPECT(sum() == before);
    set_window(SIMGPU_WINDOW_NONE, NULL);
    EXPECT(heard(&program) == 'r' && sum() == before + 1);
    end(&program);
}

static void an_open_window_is_for_one_program_which_alone_is_reported(void)
{
    struct program watched = start("counts"), other = start("counts");
    EXPECT(heard(&watched) == 'r' && heard(&other) == 'r');
    set_window(SIMGPU_WINDOW_NONE, &watched);
    send(&other);
    EXPECT(heard(&other) == 'r' && reported().launch_count == 0);
    EXPECT(reported().calls.launches == 0 && reported().calls.synchronisations == 0);
    set_window(SIMGPU_WINDOW_SHUT, &watched);
    unsigned before = sum();
    set_window(SIMGPU_WINDOW_OPEN, &watched);
    send(&other);
    send(&watched);
    EXPECT(heard(&watched) == 'r');
    EXPECT(set_window(SIMGPU_WINDOW_SHUT, &watched).pieces == 0);
    EXPECT(sum() == before + 1);
    EXPECT(reported().launch_count == 1 && reported().calls.launches == 1 &&
           reported().calls.synchronisations == 1);
    set_window(SIMGPU_WINDOW_NONE, NULL);
    EXPECT(heard(&other) == 'r' && sum() == before + 2);
    end(&watched);
    end(&other);
}

static void a_childs_work_is_its_parents(void)
{
    struct program program = start("delegates");
    EXPECT(heard(&program) == 'r');
    set_window(SIMGPU_WINDOW_SHUT, &program);
    set_window(SIMGPU_WINDOW_OPEN, &program);
    send(&program);
    EXPECT(heard(&program) == 'r');
    set_window(SIMGPU_WINDOW_SHUT, &program);
    EXPECT(reported().launch_count == 1);
    set_window(SIMGPU_WINDOW_NONE, NULL);
    end(&program);
}

static void work_over_the_edge_is_counted_and_stopped(void)
{
    struct program program = start("lingers"), other = start("counts");
    EXPECT(heard(&other) == 'r');
    send(&program);
    EXPECT(heard(&program) == 'r');
    struct simgpu_over over = set_window(SIMGPU_WINDOW_SHUT, &program);
    EXPECT(over.pieces == 1 && over.endless);
    set_window(SIMGPU_WINDOW_NONE, NULL);
    end(&program);
    unsigned before = sum();
    send(&other); /* which goes on as if nothing had been */
    EXPECT(heard(&other) == 'r' && sum() == before + 1);
    end(&other);
}

static void a_program_that_is_killed_holds_nothing_up(void)
{
    struct program program = start("lingers"), other = start("counts");
    send(&program);
    EXPECT(heard(&program) == 'r' && heard(&other) == 'r');
    end(&program);
    struct simgpu_over over = set_window(SIMGPU_WINDOW_SHUT, &other);
    EXPECT(over.pieces == 0 && !over.endless);
    set_window(SIMGPU_WINDOW_NONE, NULL);
    end(&other);
}

static void an_own_stream_has_to_be_joined_at_both_ends(void)
{
    for (int order = 0; order <= (FORKED | JOINED | BY_HOST | AHEAD); order++) {
        char role[8];
        snprintf(role, sizeof role, "%d", order);
        struct program program = start(role);
        EXPECT(heard(&program) == 'r');
        set_window(SIMGPU_WINDOW_SHUT, &program);
        set_window(SIMGPU_WINDOW_OPEN, &program);
        send(&program);
        EXPECT(heard(&program) == 'd');
        set_window(SIMGPU_WINDOW_SHUT, &program);
        const struct simgpu_calls calls = reported().calls;
        bool ends = order & (JOINED | BY_HOST), is_ahead = order & AHEAD;
        EXPECT(calls.unjoined == ((order & FORKED) && ends ? 0 : 1));
        EXPECT(calls.unjoined_work == (((order & FORKED) || is_ahead) && ends ? 0 : 1));
        EXPECT(calls.unawaited_work == (ends ? 0 : 1));
        set_window(SIMGPU_WINDOW_NONE, NULL);
        end(&program);
    }
}

/* What is reported of one call of a program that adds 1 so often. */
static struct simgpu_calls calls_of(const char *role, unsigned adds)
{
    struct program program = start(role);
    EXPECT(heard(&program) == 'r');
    unsigned before = sum();
    set_window(SIMGPU_WINDOW_SHUT, &program);
    set_window(SIMGPU_WINDOW_OPEN, &program);
    send(&program);
    EXPECT(heard(&program) == 'd');
    EXPECT(set_window(SIMGPU_WINDOW_SHUT, &program).pieces == 0 && sum() == before + adds);
    struct simgpu_calls calls = reported().calls;
    set_window(SIMGPU_WINDOW_NONE, NULL);
    end(&program);
    return calls;
}

/* The host's time until it first waited, ns. */
static double waits_and_is_seen(int way)
{
    char role[8];
    snprintf(role, sizeof role, "w%d", way);
    struct simgpu_calls calls = calls_of(role, 1);
    EXPECT(calls.synchronisations == (way >= ASKS ? 2 : 1));
    return calls.host_ns;
}

static void who_waits_is_seen_whatever_it_waits_by(void)
{
    simgpu->set_options(&(struct simgpu_options){.count = true, .hold_back = true});
    for (int way = 0; way < WAYS; way++)
        EXPECT(waits_and_is_seen(way) > 0);
    simgpu->set_options(&(struct simgpu_options){.count = true});
}

static bool is_busy(void)
{
    double running = 0;
    return getloadavg(&running, 1) == 1 && running > 2.0 * sysconf(_SC_NPROCESSORS_ONLN);
}

/* What the work waits for a processor comes off (work_watch.h), so a busy machine may hide the
 * lateness of one call, though not of each. */
static void who_is_late_is_seen_to_be(void)
{
    enum { MOST_CALLS = 20 };
    bool seen = false;
    simgpu->set_options(&(struct simgpu_options){.count = true, .hold_back = true});
    for (int call = 0; call < MOST_CALLS && !seen; call++)
        seen = waits_and_is_seen(DAWDLES) > 0.5e3 * LATE_US;
    if (!seen && is_busy())
        puts("  --    lateness left out: this machine has more to do than it has processors for");
    else
        EXPECT(seen);
    simgpu->set_options(&(struct simgpu_options){.count = true});
}

static void what_is_not_given_back_is_counted(void)
{
    static const int64_t KEPT[SIMGPU_OBJECTS] = {[SIMGPU_MEMORY] = 5,
                                                 [SIMGPU_STREAM] = 1,
                                                 [SIMGPU_EVENT] = 1,
                                                 [SIMGPU_GRAPH] = 1,
                                                 [SIMGPU_READY_GRAPH] = 1};
    const struct simgpu_calls kept = calls_of("keeps", 0), given_back = calls_of("gives_back", 0);
    for (int i = 0; i < SIMGPU_OBJECTS; i++)
        EXPECT(kept.alive[i] == KEPT[i] && given_back.alive[i] == 0);
}

static void many_launches_are_no_wait(void)
{
    simgpu->set_options(&(struct simgpu_options){.count = true, .hold_back = true});
    EXPECT(calls_of("queues", MANY).synchronisations == 1);
    simgpu->set_options(&(struct simgpu_options){.count = true});
}

static void who_waits_does_not_wait_for_what_comes_after(void)
{
    struct program program = start("goes_on");
    EXPECT(heard(&program) == 'r');
    set_window(SIMGPU_WINDOW_SHUT, &program);
    set_window(SIMGPU_WINDOW_OPEN, &program);
    send(&program);
    EXPECT(heard(&program) == 'd');
    set_window(SIMGPU_WINDOW_SHUT, &program);
    EXPECT(reported().launch_count > 0);
    set_window(SIMGPU_WINDOW_NONE, NULL);
    end(&program);
}

static void who_fills_the_machine_ends_and_is_told(void)
{
    struct program program = start("fills"), next = start("counts");
    struct simgpu_report *report = NULL;
    EXPECT(heard(&program) == 'r' && heard(&next) == 'r');
    set_window(SIMGPU_WINDOW_SHUT, &program);
    set_window(SIMGPU_WINDOW_OPEN, &program);
    send(&program);
    EXPECT(heard(&program) == 'e');
    EXPECT(simgpu->report(&report) == SIMGPU_OK);
    EXPECT(strcmp(report->refused.title, "too much memory") == 0);
    simgpu->report_free(report);
    set_window(SIMGPU_WINDOW_NONE, NULL);
    end(&program);
    end(&next);
    next = start("counts"); /* and all that it had is free again */
    EXPECT(heard(&next) == 'r');
    send(&next);
    EXPECT(heard(&next) == 'r');
    end(&next);
}

static struct simgpu_timeline timeline(void)
{
    struct simgpu_timeline sums;
    EXPECT(simgpu->timeline(&sums) == SIMGPU_OK);
    return sums;
}

static void the_timeline_is_the_watched_programs_if_it_is_asked_for(void)
{
    struct program program = start("counts");
    EXPECT(heard(&program) == 'r');
    for (int asked = 0; asked < 2; asked++) {
        EXPECT(simgpu->set_options(
                   &(struct simgpu_options){.count = true, .timeline = asked == 1}) == SIMGPU_OK);
        set_window(SIMGPU_WINDOW_SHUT, &program);
        set_window(SIMGPU_WINDOW_OPEN, &program);
        send(&program);
        EXPECT(heard(&program) == 'r');
        set_window(SIMGPU_WINDOW_SHUT, &program);
        sum(); /* the grader's own copy is not in it */
        struct simgpu_timeline sums = timeline();
        EXPECT(sums.calls == (asked ? 2 : 0) && sums.pieces == (asked ? 1 : 0));
        EXPECT(asked == (sums.compute_ns > 0 && sums.span_ns > sums.compute_ns));
        EXPECT(sums.up_ns == 0 && sums.down_ns == 0 && sums.overlap_ns == 0 && !sums.is_cut);
        set_window(SIMGPU_WINDOW_NONE, NULL);
    }
    EXPECT(simgpu->set_options(&(struct simgpu_options){.count = true}) == SIMGPU_OK);
    end(&program);
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "delegates") == 0)
        return delegates();
    if (count == 2)
        return play(words[1]);
    simgpu = simgpu_api();
    EXPECT(simgpu);
    DONE(cudaMalloc((void **)&d_sum, sizeof *d_sum));
    DONE(cudaMemset(d_sum, 0, sizeof *d_sum));
    a_child_of_the_program_in_control_has_none();
    a_store_to_any_of_several_buffers_is_seen();
    a_store_between_rows_is_seen();
    nobody_works_while_the_window_is_shut();
    an_open_window_is_for_one_program_which_alone_is_reported();
    a_childs_work_is_its_parents();
    work_over_the_edge_is_counted_and_stopped();
    a_program_that_is_killed_holds_nothing_up();
    an_own_stream_has_to_be_joined_at_both_ends();
    who_waits_is_seen_whatever_it_waits_by();
    who_is_late_is_seen_to_be();
    many_launches_are_no_wait();
    what_is_not_given_back_is_counted();
    who_waits_does_not_wait_for_what_comes_after();
    the_timeline_is_the_watched_programs_if_it_is_asked_for();
    who_fills_the_machine_ends_and_is_told();
    return 0;
}
