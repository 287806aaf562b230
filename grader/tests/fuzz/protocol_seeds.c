/* protocol_seeds.c - conversations for the fuzzer to start from: what a well-behaved program says.
 *
 *     protocol_seeds FOLDER FATBIN KERNEL
 *
 * FATBIN holds a KERNEL with one parameter, a pointer.
 */
#include "conversation.h"

#include "protocol.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shelves, by what lies there. */
enum { MODULE, KERNEL, MEMORY, MORE_MEMORY, STREAM, EVENT, LATER_EVENT, GRAPH, TEXTURE, NOTHING };

static FILE *out;
static unsigned char fatbin[1 << 16];
static size_t fatbin_bytes;
static const char *kernel_name;

static void open_line(uint8_t line, enum step_opening opening, uint8_t other)
{
    const struct step step = {.action = STEP_OPEN, .line = line, .kind = opening, .other = other};
    fwrite(&step, sizeof step, 1, out);
}

static void say(uint8_t line, uint8_t shelf, const struct request *request, const void *payload,
                size_t payload_bytes)
{
    const size_t head = offsetof(struct request, hello);
    const struct step step = {.action = STEP_SEND,
                              .line = line,
                              .kind = (uint8_t)request->kind,
                              .other = shelf,
                              .fixed_bytes = sizeof *request - head,
                              .payload_bytes = (uint16_t)payload_bytes};
    fwrite(&step, sizeof step, 1, out);
    fwrite((const char *)request + head, sizeof *request - head, 1, out);
    if (payload_bytes)
        fwrite(payload, payload_bytes, 1, out);
}

static void ask(uint8_t line, uint8_t shelf, enum request_kind kind)
{
    const struct request request = {.kind = kind};
    say(line, shelf, &request, NULL, 0);
}

static void begin(uint8_t line)
{
    struct request module = {.kind = REQUEST_MODULE}, kernel = {.kind = REQUEST_KERNEL};
    struct request memory = {.kind = REQUEST_ALLOCATE};
    open_line(line, OPEN_HELLO, 0);
    say(line, MODULE, &module, fatbin, fatbin_bytes);
    kernel.name.module = conversation_mark(MODULE, 0);
    say(line, KERNEL, &kernel, kernel_name, strlen(kernel_name) + 1);
    memory.allocate.size_bytes = 4096;
    say(line, MEMORY, &memory, NULL, 0);
    memory.allocate.kind = 1;
    say(line, MORE_MEMORY, &memory, NULL, 0);
    ask(line, STREAM, REQUEST_STREAM_CREATE);
    ask(line, EVENT, REQUEST_EVENT_CREATE);
    ask(line, LATER_EVENT, REQUEST_EVENT_CREATE);
}

static struct request launch_request(void)
{
    return (struct request){.kind = REQUEST_LAUNCH,
                            .launch = {.kernel = conversation_mark(KERNEL, 0),
                                       .stream = conversation_mark(STREAM, 0),
                                       .grid = {2, 1, 1},
                                       .block = {40, 1, 1}}};
}

static struct request set_request(void)
{
    return (struct request){.kind = REQUEST_SET,
                            .set = {.to = conversation_mark(MEMORY, 0),
                                    .stream = conversation_mark(STREAM, 0),
                                    .width = 1024,
                                    .height = 1,
                                    .element_bytes = 4}};
}

static struct request copy_request(enum copy_kind kind)
{
    return (struct request){.kind = REQUEST_COPY,
                            .copy = {.to = conversation_mark(MEMORY, 512),
                                     .from = conversation_mark(MORE_MEMORY, 0),
                                     .stream = conversation_mark(STREAM, 0),
                                     .width = 16,
                                     .height = 4,
                                     .depth = 2,
                                     .to_pitch = 32,
                                     .to_slice = 128,
                                     .from_pitch = 16,
                                     .from_slice = 64,
                                     .kind = kind,
                                     .asynchronous = 1}};
}

static struct request of_event(enum request_kind kind, unsigned event)
{
    struct request request = {.kind = kind};
    request.stream.stream = conversation_mark(STREAM, 0);
    request.stream.event = conversation_mark(event, 0);
    return request;
}

static void say_event(uint8_t line, enum request_kind kind, unsigned event)
{
    const struct request request = of_event(kind, event);
    say(line, NOTHING, &request, NULL, 0);
}

static void work(uint8_t line)
{
    const uint64_t parameter = conversation_mark(MEMORY, 0);
    unsigned char rows[128] = {0};
    struct request launch = launch_request(), set = set_request();
    struct request from_host = copy_request(COPY_FROM_HOST), moved = copy_request(COPY_ON_DEVICE);
    struct request to_host = copy_request(COPY_TO_HOST), elapsed = {.kind = REQUEST_EVENT_ELAPSED};
    to_host.copy.from = conversation_mark(MEMORY, 0);
    say_event(line, REQUEST_IPC_EVENT_GET, LATER_EVENT);
    say_event(line, REQUEST_EVENT_RECORD, EVENT);
    say(line, NOTHING, &set, NULL, 0);
    say(line, NOTHING, &from_host, rows, sizeof rows);
    say(line, NOTHING, &moved, NULL, 0);
    say(line, NOTHING, &launch, &parameter, sizeof parameter);
    say_event(line, REQUEST_EVENT_RECORD, LATER_EVENT);
    say_event(line, REQUEST_STREAM_WAIT, EVENT);
    say_event(line, REQUEST_EVENT_QUERY, LATER_EVENT);
    say_event(line, REQUEST_EVENT_SYNCHRONISE, LATER_EVENT);
    elapsed.elapsed.from = conversation_mark(EVENT, 0);
    elapsed.elapsed.to = conversation_mark(LATER_EVENT, 0);
    say(line, NOTHING, &elapsed, NULL, 0);
    say(line, NOTHING, &to_host, NULL, 0);
    say_event(line, REQUEST_STREAM_SYNCHRONISE, EVENT);
}

static void questions(uint8_t line)
{
    struct request range = {.kind = REQUEST_RANGE}, occupancy = {.kind = REQUEST_OCCUPANCY};
    struct request limit = {.kind = REQUEST_LIMIT}, free_it = {.kind = REQUEST_FREE_IN_ORDER};
    range.address.address = conversation_mark(MEMORY, 5);
    say(line, NOTHING, &range, NULL, 0);
    occupancy.occupancy.kernel = conversation_mark(KERNEL, 0);
    occupancy.occupancy.block_threads = 256;
    say(line, NOTHING, &occupancy, NULL, 0);
    limit.limit.set = 1;
    limit.limit.value = 2048;
    say(line, NOTHING, &limit, NULL, 0);
    ask(line, NOTHING, REQUEST_MEMORY_INFO);
    ask(line, NOTHING, REQUEST_DEVICE);
    ask(line, NOTHING, REQUEST_NOTE);
    free_it.free_in_order.address = conversation_mark(MEMORY, 0);
    free_it.free_in_order.stream = conversation_mark(STREAM, 0);
    say(line, NOTHING, &free_it, NULL, 0);
    range.kind = REQUEST_FREE;
    range.address.address = conversation_mark(MORE_MEMORY, 0);
    say(line, NOTHING, &range, NULL, 0);
    say_event(line, REQUEST_EVENT_DESTROY, EVENT);
    say_event(line, REQUEST_STREAM_DESTROY, EVENT);
    ask(line, NOTHING, REQUEST_SYNCHRONISE);
    ask(line, NOTHING, REQUEST_RESET);
}

/* A texture and a surface of four rows of floats, made and destroyed. */
static void textures(uint8_t line)
{
    struct request make = {.kind = REQUEST_TEXTURE_CREATE,
                           .texture = {.address = conversation_mark(MEMORY, 0),
                                       .pitch = 64,
                                       .slice = 256,
                                       .width = 16,
                                       .height = 4,
                                       .depth = 1,
                                       .channels = 1,
                                       .channel_bits = 32,
                                       .texel_kind = 2,
                                       .filters = 1}};
    struct request destroy = {.kind = REQUEST_TEXTURE_DESTROY};
    destroy.texture_handle.handle = conversation_mark(TEXTURE, 0);
    for (uint32_t is_surface = 0; is_surface < 2; is_surface++) {
        make.texture.is_surface = destroy.texture_handle.is_surface = is_surface;
        say(line, TEXTURE, &make, NULL, 0);
        say(line, NOTHING, &destroy, NULL, 0);
    }
}

/* A memset, then a kernel and an event that wait for it, then a function of the program. */
static void graph(uint8_t line)
{
    unsigned char payload[8192];
    size_t used = 0;
    struct request nodes[] = {set_request(),
                              launch_request(),
                              of_event(REQUEST_EVENT_RECORD, EVENT),
                              {.kind = REQUEST_HOST_FUNCTION}};
    struct request create = {.kind = REQUEST_GRAPH_CREATE}, run = {.kind = REQUEST_GRAPH_LAUNCH};
    const uint64_t parameter = conversation_mark(MEMORY, 0);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t before[2] = {i - 1, 0};
        const struct graph_node head = {.dependency_count = i > 0,
                                        .payload_bytes = i == 1 ? sizeof parameter : 0};
        memcpy(payload + used, &head, sizeof head);
        used += sizeof head;
        memcpy(payload + used, before, head.dependency_count * sizeof before);
        used += head.dependency_count * sizeof before;
        memcpy(payload + used, &nodes[i], sizeof nodes[i]);
        used += sizeof nodes[i];
        memcpy(payload + used, &parameter, head.payload_bytes);
        used += head.payload_bytes;
    }
    create.graph.node_count = 4;
    say(line, GRAPH, &create, payload, used);
    run.graph.graph = conversation_mark(GRAPH, 0);
    run.graph.stream = conversation_mark(STREAM, 0);
    say(line, NOTHING, &run, NULL, 0);
    say(line, NOTHING, &run, NULL, 0);
    run.kind = REQUEST_GRAPH_DESTROY;
    say(line, NOTHING, &run, NULL, 0);
    ask(line, NOTHING, REQUEST_SYNCHRONISE);
}

static void control(uint8_t line)
{
    open_line(line, OPEN_IN_CONTROL, 0);
    ask(line, NOTHING, REQUEST_OPTIONS);
    ask(line, NOTHING, REQUEST_MARK);
    ask(line, NOTHING, REQUEST_REPORT);
}

/* A node of a graph at to: nothing before it. Returns how many bytes it takes. */
static size_t put_node(unsigned char *to, const struct request *request, const void *payload,
                       size_t payload_bytes)
{
    const struct graph_node head = {.payload_bytes = payload_bytes};
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, request, sizeof *request);
    memcpy(to + sizeof head + sizeof *request, payload, payload_bytes);
    return sizeof head + sizeof *request + payload_bytes;
}

/* An if with an else, in a switch: bodies of one node. */
static void conditional(uint8_t line)
{
    unsigned char bodies[8192], inner[4096], all[8192];
    size_t used = 0, inner_used;
    struct request set = set_request();
    struct request choose = {.kind = REQUEST_CONDITIONAL};
    struct request create = {.kind = REQUEST_GRAPH_CREATE}, run = {.kind = REQUEST_GRAPH_LAUNCH};
    choose.conditional.handle = 1;
    choose.conditional.body_count = 2;
    for (int i = 0; i < 2; i++) {
        const struct graph_body head = {.node_count = 1,
                                        .bytes = sizeof(struct graph_node) + sizeof set};
        memcpy(bodies + used, &head, sizeof head);
        used += sizeof head;
        used += put_node(bodies + used, &set, "", 0);
    }
    inner_used = put_node(inner + sizeof(struct graph_body), &choose, bodies, used);
    const struct graph_body head = {.node_count = 1, .bytes = inner_used};
    memcpy(inner, &head, sizeof head);
    choose.conditional.handle = 2;
    choose.conditional.body_count = 1;
    choose.conditional.type = CONDITIONAL_SWITCH;
    create.graph.node_count = 1;
    say(line, GRAPH, &create, all, put_node(all, &choose, inner, sizeof head + inner_used));
    run.graph.graph = conversation_mark(GRAPH, 0);
    run.graph.stream = conversation_mark(STREAM, 0);
    say(line, NOTHING, &run, NULL, 0);
    say(line, NOTHING, &run, NULL, 0);
    run.kind = REQUEST_GRAPH_DESTROY;
    say(line, NOTHING, &run, NULL, 0);
    ask(line, NOTHING, REQUEST_SYNCHRONISE);
}

static void seed(const char *folder, const char *name, void (*more)(uint8_t line))
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "wb");
    if (!out) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    begin(0);
    open_line(1, OPEN_CALLBACKS, 0);
    open_line(2, OPEN_ATTACH, 0);
    more(2);
    control(3);
    fclose(out);
}

int main(int count, char **words)
{
    FILE *in = count == 4 ? fopen(words[2], "rb") : NULL;
    if (in) {
        fatbin_bytes = fread(fatbin, 1, sizeof fatbin - 1, in);
        fclose(in);
    }
    if (fatbin_bytes == 0) {
        fprintf(stderr, "protocol_seeds: name a folder, a fatbin and its kernel\n");
        return EXIT_FAILURE;
    }
    kernel_name = words[3];
    seed(words[1], "work", work);
    seed(words[1], "questions", questions);
    seed(words[1], "graph", graph);
    seed(words[1], "textures", textures);
    seed(words[1], "conditional", conditional);
    return EXIT_SUCCESS;
}
