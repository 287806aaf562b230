/* fuzz_protocol.c - whole conversations between programs and the device process (conversation.h).
 *
 * The device's own threads serve socket pairs, as they serve a program's connections. Afterwards
 * all lines are closed, and nothing of the programs may be left: no client, and no byte of device
 * memory.
 */
#include "conversation.h"
#include "fuzz.h"

#include "device/device.h"
#include "socket.h"

#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a program may ask that is allowed, and would only take long. */
enum { MOST_ALLOCATION = 1 << 20, MOST_LIMIT = 1 << 16, STEP_BUDGET = 1 << 16 };
enum { PATIENCE_MS = 300 }; /* then the program is taken for dead */

struct fuzz_line {
    int socket; /* ours; -1 when closed */
    bool carries_callbacks;
    pthread_t thread; /* the device's, which serves it */
    struct reply welcome;
};

struct conversation {
    struct fuzz_line lines[LINES];
    uint64_t shelves[SHELVES];
    const uint8_t *at, *end;
};

static struct device device = {.lock = PTHREAD_MUTEX_INITIALIZER,
                               .clients_changed = PTHREAD_COND_INITIALIZER,
                               .quiet = true,
                               .has_control = true};

static void make_device(void)
{
    struct sim_arena arena;
    struct sim_error error;
    if (device.machine)
        return;
    bool reserved = arena_reserve(&arena, false);
    window_init(&device.window);
    device.machine = reserved ? sim_machine_new(sim_profile_named("h200"), &arena, &error) : NULL;
    device.history = history_new();
    device.pool = pool_new(1);
    if (!device.machine || !device.history || !device.pool)
        abort();
}

/* --- Lines ------------------------------------------------------------------------------------ */

static void close_line(struct fuzz_line *line)
{
    if (line->socket < 0)
        return;
    close(line->socket);
    line->socket = -1;
    pthread_join(line->thread, NULL);
}

/* A function of the program: it returns at once. */
static void answer_callback(struct fuzz_line *line)
{
    struct reply ask;
    struct request done = {.kind = REQUEST_CALLBACK_DONE};
    if (!socket_read(line->socket, &ask, sizeof ask)) {
        close_line(line);
        return;
    }
    done.callback.id = ask.value[0];
    socket_write(line->socket, &done, sizeof done);
}

/* Wait until line has something to say, doing what the device asks meanwhile. */
static bool wait_for(struct conversation *talk, struct fuzz_line *line)
{
    for (;;) {
        struct pollfd looks[LINES];
        for (int i = 0; i < LINES; i++) {
            const struct fuzz_line *each = &talk->lines[i];
            bool counts = each == line || each->carries_callbacks;
            looks[i] = (struct pollfd){.fd = counts ? each->socket : -1, .events = POLLIN};
        }
        if (poll(looks, LINES, PATIENCE_MS) <= 0)
            return false;
        for (int i = 0; i < LINES; i++)
            if (looks[i].revents && &talk->lines[i] != line)
                answer_callback(&talk->lines[i]);
        if (looks[line - talk->lines].revents)
            return true;
    }
}

static bool skip(int socket, uint64_t bytes)
{
    char waste[4096];
    while (bytes) {
        size_t piece = bytes < sizeof waste ? (size_t)bytes : sizeof waste;
        if (!socket_read(socket, waste, piece))
            return false;
        bytes -= piece;
    }
    return true;
}

static bool read_reply(struct conversation *talk, struct fuzz_line *line, struct reply *reply)
{
    return wait_for(talk, line) && socket_read(line->socket, reply, sizeof *reply) &&
           skip(line->socket, reply->printed_bytes) && skip(line->socket, reply->payload_bytes);
}

static void open_line(struct conversation *talk, const struct step *step)
{
    struct fuzz_line *line = &talk->lines[step->line % LINES];
    const struct reply *joined = &talk->lines[step->other % LINES].welcome;
    enum step_opening opening = step->kind % OPENINGS;
    static const enum request_kind KINDS[] = {REQUEST_HELLO, REQUEST_HELLO, REQUEST_ATTACH,
                                              REQUEST_CALLBACKS};
    struct request hello = {.kind = KINDS[opening]};
    struct connection *connection = malloc(sizeof *connection);
    int pair[2];
    close_line(line);
    if (!connection || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        abort();
    *connection = (struct connection){&device, pair[1], opening == OPEN_IN_CONTROL ? getpid() : 0};
    *line = (struct fuzz_line){.socket = pair[0], .carries_callbacks = opening == OPEN_CALLBACKS};
    if (pthread_create(&line->thread, NULL, client_serve, connection) != 0)
        abort();
    if (hello.kind == REQUEST_HELLO) {
        hello.hello.version = PROTOCOL_VERSION;
    } else {
        hello.attach.client = joined->welcome.client;
        memcpy(hello.attach.secret, joined->welcome.secret, SECRET_BYTES);
    }
    if (!socket_write(line->socket, &hello, sizeof hello) || !wait_for(talk, line) ||
        !socket_read(line->socket, &line->welcome, sizeof line->welcome))
        close_line(line);
}

/* --- Requests --------------------------------------------------------------------------------- */

static void replace_marks(const struct conversation *talk, unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at + 8 <= size; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        if (word >> 48 != CONVERSATION_MARK)
            continue;
        word = talk->shelves[(word >> 40) % SHELVES] + (word & ((UINT64_C(1) << 40) - 1));
        memcpy(bytes + at, &word, sizeof word);
    }
}

static void keep_quick(struct request *request)
{
    if (request->kind == REQUEST_ALLOCATE)
        request->allocate.size_bytes %= MOST_ALLOCATION;
    if (request->kind == REQUEST_LIMIT)
        request->limit.value %= MOST_LIMIT;
    if (request->kind == REQUEST_OPTIONS)
        request->options.step_budget = STEP_BUDGET;
}

static void send_request(struct conversation *talk, const struct step *step, const uint8_t *fixed,
                         const uint8_t *payload)
{
    struct fuzz_line *line = &talk->lines[step->line % LINES];
    struct request request = {.kind = step->kind};
    struct reply reply;
    const size_t head = offsetof(struct request, hello);
    size_t room = sizeof request - head, bytes = step->fixed_bytes;
    unsigned char *copy = malloc(step->payload_bytes + 1u);
    if (!copy)
        abort();
    memcpy((char *)&request + head, fixed, bytes < room ? bytes : room);
    memcpy(copy, payload, step->payload_bytes);
    replace_marks(talk, (unsigned char *)&request + head, room);
    replace_marks(talk, copy, step->payload_bytes);
    request.payload_bytes = step->payload_bytes;
    bool lies = step->action % STEP_ACTIONS == STEP_LIE;
    if (lies)
        request.payload_bytes = request.payload_bytes * 1021 + 1;
    keep_quick(&request);
    bool sent = line->socket >= 0 && !line->carries_callbacks &&
                socket_write(line->socket, &request, sizeof request) &&
                socket_write(line->socket, copy, step->payload_bytes);
    free(copy);
    if (sent && !lies && read_reply(talk, line, &reply))
        talk->shelves[step->other % SHELVES] = reply.value[0];
    else
        close_line(line);
}

/* --- Conversations ---------------------------------------------------------------------------- */

static bool do_step(struct conversation *talk)
{
    struct step step;
    if ((size_t)(talk->end - talk->at) < sizeof step)
        return false;
    memcpy(&step, talk->at, sizeof step);
    talk->at += sizeof step;
    if ((size_t)(talk->end - talk->at) < (size_t)step.fixed_bytes + step.payload_bytes)
        return false;
    const uint8_t *fixed = talk->at, *payload = fixed + step.fixed_bytes;
    talk->at = payload + step.payload_bytes;
    switch (step.action % STEP_ACTIONS) {
    case STEP_OPEN: open_line(talk, &step); break;
    case STEP_CLOSE: close_line(&talk->lines[step.line % LINES]); break;
    default: send_request(talk, &step, fixed, payload); break;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct conversation talk = {.at = bytes, .end = bytes + size};
    make_device();
    device.options =
        (struct simgpu_options){.checks = SIM_CHECK_ALL, .count = true, .step_budget = STEP_BUDGET};
    uint64_t free_bytes = sim_memory_free_bytes(device.machine);
    for (int i = 0; i < LINES; i++)
        talk.lines[i].socket = -1;
    while (do_step(&talk))
        continue;
    for (int i = 0; i < LINES; i++)
        close_line(&talk.lines[i]);
    if (device.clients || sim_memory_free_bytes(device.machine) != free_bytes)
        abort(); /* something is left of programs that are gone */
    history_mark(&device);
    return 0;
}
