/* connection.c - the connections to the device process.
 *
 * Each thread that calls the runtime has a connection of its own from its first call on, so that
 * one may wait for a kernel while another launches the next. When a thread ends, its connection is
 * kept for the next thread: to the device, a program without a connection has ended. The first
 * connection introduces the program, the others attach to it by a number and a secret.
 *
 * A process that was forked after that cannot use the device, as with the real library.
 */
#include "../socket.h"
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t arena_address, arena_bytes;

struct line {
    struct line *next;
    int socket;
    bool is_idle; /* its thread has ended */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_ends;
static struct line *lines; /* of all threads */
static uint64_t number;    /* of this program on the device; 0 before HELLO */
static unsigned char secret[SECRET_BYTES];
static cudaError_t failure = cudaSuccess; /* why there is no device, permanently */
static int control = -1;                  /* the connection that has control, until it is used */
static _Thread_local struct line *own;
static _Thread_local bool wants_places; /* the device does */

/* --- Bytes ------------------------------------------------------------------------------------ */

/* Copy what the device sends to a stream, or nowhere if it is NULL. */
static bool pass_on(int socket, uint64_t bytes, FILE *to)
{
    char text[4096];
    while (bytes) {
        size_t piece = bytes < sizeof text ? (size_t)bytes : sizeof text;
        if (!socket_read(socket, text, piece))
            return false;
        if (to)
            fwrite(text, 1, piece, to);
        bytes -= piece;
    }
    return true;
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* The lock is held. */
static void close_line(struct line *line)
{
    for (struct line **link = &lines; *link; link = &(*link)->next)
        if (*link == line) {
            *link = line->next;
            break;
        }
    close(line->socket);
    free(line);
}

static void end_thread(void *line)
{
    stream_thread_ends();
    pthread_mutex_lock(&lock);
    ((struct line *)line)->is_idle = true;
    pthread_mutex_unlock(&lock);
    own = NULL;
}

/* The child must not keep its parent's connections open: the device would think the parent
 * alive. */
static void after_fork_in_child(void)
{
    for (struct line *line = lines; line; line = line->next)
        close(line->socket);
    if (control >= 0)
        close(control);
    control = -1;
    lines = NULL;
    own = NULL;
    if (number)
        failure = cudaErrorInitializationError;
    pthread_mutex_init(&lock, NULL);
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

static void prepare(void)
{
    pthread_key_create(&thread_ends, end_thread);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* The device's own program is its child, and the device made the pair of sockets. Nothing that is
 * open there by chance is like that. */
__attribute__((constructor)) static void take_control(void)
{
    int duplicate = -1;
    if (socket_peer(CONTROL_FD) == getppid())
        duplicate = fcntl(CONTROL_FD, F_DUPFD_CLOEXEC, CONTROL_FD + 1);
    if (duplicate < 0)
        return;
    close(CONTROL_FD);
    control = duplicate;
}

static int connect_to_device(enum request_kind kind)
{
    int line = control;
    if (kind != REQUEST_HELLO || line < 0)
        return socket_to_device();
    control = -1;
    return line;
}

/* Introduce a connection; kind is ATTACH or CALLBACKS for all but the first. */
static bool introduce(int socket, enum request_kind kind)
{
    struct request hello = {.kind = kind};
    struct reply reply;
    if (kind == REQUEST_HELLO) {
        hello.hello.version = PROTOCOL_VERSION;
    } else {
        hello.attach.client = number;
        memcpy(hello.attach.secret, secret, sizeof secret);
    }
    if (!socket_write(socket, &hello, sizeof hello) || !socket_read(socket, &reply, sizeof reply) ||
        reply.error != cudaSuccess)
        return false;
    if (kind == REQUEST_HELLO) {
        number = reply.welcome.client;
        memcpy(secret, reply.welcome.secret, sizeof secret);
        arena_address = reply.welcome.arena_address;
        arena_bytes = reply.welcome.arena_bytes;
    }
    return true;
}

static int open_socket(enum request_kind kind)
{
    int socket = connect_to_device(kind);
    if (socket >= 0 && introduce(socket, kind))
        return socket;
    if (socket >= 0)
        close(socket);
    return -1;
}

/* The lock is held for these two. */
static struct line *take_idle_line(void)
{
    struct line *line = lines;
    while (line && !line->is_idle)
        line = line->next;
    if (line)
        line->is_idle = false;
    return line;
}

static struct line *open_line(void)
{
    struct line *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->socket = open_socket(number ? REQUEST_ATTACH : REQUEST_HELLO);
    if (line->socket < 0) {
        free(line);
        return NULL;
    }
    line->next = lines;
    lines = line;
    return line;
}

static cudaError_t ensure_line(void)
{
    if (own)
        return cudaSuccess;
    pthread_once(&once, prepare);
    pthread_mutex_lock(&lock);
    if (failure == cudaSuccess) {
        own = take_idle_line();
        if (!own)
            own = open_line();
        pthread_setspecific(thread_ends, own);
        if (!own) {
            explain("no simulated device answers; start the program as: simgpu run -- program");
            failure = cudaErrorNoDevice;
        }
    } else if (failure == cudaErrorInitializationError) {
        explain("a forked process cannot use the device its parent used: fork before the first "
                "CUDA call, or start another program");
    }
    cudaError_t error = failure;
    pthread_mutex_unlock(&lock);
    return error;
}

int connection_for_callbacks(void)
{
    if (ensure_line() != cudaSuccess)
        return -1;
    pthread_mutex_lock(&lock);
    int socket = open_socket(REQUEST_CALLBACKS);
    pthread_mutex_unlock(&lock);
    return socket;
}

/* --- Calling ---------------------------------------------------------------------------------- */

struct call new_call(enum request_kind kind)
{
    return (struct call){.request = {.kind = kind}, .fd = -1};
}

/* printf in kernels writes to the program's standard output, as on a device: when the host next
 * communicates with it. */
static bool exchange(int socket, struct call *call)
{
    call->request.payload_bytes = call->payload_bytes;
    if (!socket_write_both(socket, &call->request, sizeof call->request, call->payload,
                           call->payload_bytes) ||
        !socket_read_fd(socket, &call->reply, sizeof call->reply, &call->fd) ||
        !pass_on(socket, call->reply.printed_bytes, stdout))
        return false;
    wants_places = call->reply.wants_places;
    uint64_t kept = call->reply.payload_bytes;
    if (!call->answer && kept) { /* the caller takes all of it, however long it is */
        call->answer = malloc(kept);
        call->answer_room = call->answer ? kept : 0;
    }
    if (kept > call->answer_room)
        kept = call->answer_room;
    call->answer_bytes = kept;
    return socket_read(socket, call->answer, kept) &&
           pass_on(socket, call->reply.payload_bytes - kept, NULL);
}

/* The device's number for the program's call that led here: it is told each place once. */
static uint32_t place_of_call(void)
{
    struct caller *caller = caller_find();
    if (!caller || caller->number)
        return caller ? caller->number : 0;
    struct call call = new_call(REQUEST_PLACE);
    call.request.place_of.line = caller->line;
    call.payload = caller->file;
    call.payload_bytes = strlen(caller->file);
    if (exchange(own->socket, &call) && call.reply.error == cudaSuccess)
        caller->number = (uint32_t)call.reply.value[0];
    return caller->number;
}

uint32_t connection_place(void)
{
    return own && wants_places ? place_of_call() : 0;
}

cudaError_t perform(struct call *call)
{
    cudaError_t error = ensure_line();
    if (error != cudaSuccess)
        return error;
    if (!call->request.place)
        call->request.place = connection_place();
    if (!exchange(own->socket, call)) {
        explain("the simulated device is gone");
        pthread_mutex_lock(&lock);
        failure = cudaErrorDevicesUnavailable;
        pthread_setspecific(thread_ends, NULL);
        close_line(own);
        own = NULL;
        pthread_mutex_unlock(&lock);
        return cudaErrorDevicesUnavailable;
    }
    error = (cudaError_t)call->reply.error;
    enum request_kind kind = call->request.kind;
    bool moves = kind == REQUEST_COPY || kind == REQUEST_SET;
    if ((error == cudaErrorNotSupported || (error == cudaErrorInvalidValue && moves)) &&
        call->reply.message[0])
        explain("%.250s", call->reply.message);
    return error;
}
