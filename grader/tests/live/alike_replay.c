/* alike_replay.c - the calls of a figure, one to a line, as live/machine.js keeps them:
 *
 *     open | load NAME | text HEX | allocate BYTES | fill ADDRESS COUNT | write ADDRESS HEX
 *     parameter HEX
 *     watch BLOCK_X BLOCK_Y WARP | sample BLOCKS | result | steps | device | read ADDRESS BYTES
 *     launch NAME GRID_X GRID_Y BLOCK_X BLOCK_Y SHARED_BYTES CHECKS MOST_INSTRUCTIONS
 *
 * What begins with # is left out. An answer, or why there is none, is a line with its print. */
#include "alike.h"
#include "live.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 1 << 20 };

static uint32_t bytes_of_hex(const char *hex, unsigned char *bytes)
{
    unsigned value;
    uint32_t count = 0;
    for (; sscanf(hex, "%2x", &value) == 1; hex += 2)
        bytes[count++] = (unsigned char)value;
    return count;
}

static bool load(const char *folder, const char *name)
{
    char path[500];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *image = read_whole(path, &size);
    bool loaded = image && live_load(image, (uint32_t)size);
    free(image);
    return loaded;
}

static bool load_text(const char *hex)
{
    unsigned char *text = malloc(strlen(hex) / 2 + 1);
    bool loaded = text && live_load(text, bytes_of_hex(hex, text));
    free(text);
    return loaded;
}

static bool launch(const char *arguments)
{
    char name[200];
    uint32_t n[6];
    double most;
    return sscanf(arguments, "%199s %u %u %u %u %u %u %lf", name, &n[0], &n[1], &n[2], &n[3], &n[4],
                  &n[5], &most) == 8 &&
           live_launch(name, n[0], n[1], n[2], n[3], n[4], n[5], most);
}

static bool tell(const char *what, const char *answer)
{
    if (answer)
        printf("%s %016" PRIx64 "\n", what, print_of(answer, strlen(answer)));
    return answer;
}

static bool write_bytes(double address, const char *hex)
{
    unsigned char *to = live_bytes(address, (uint32_t)strlen(hex) / 2);
    return to && bytes_of_hex(hex, to);
}

static bool read_bytes(double address, uint32_t size)
{
    const unsigned char *bytes = live_bytes(address, size);
    if (bytes)
        printf("read %016" PRIx64 "\n", print_of(bytes, size));
    return bytes;
}

static bool call(const char *folder, const char *name, char *rest)
{
    unsigned char bytes[4096];
    uint32_t n[3] = {0};
    double address = strtod(rest, NULL);
    const char *second = strchr(rest, ' ') ? strchr(rest, ' ') + 1 : "";
    if (!strcmp(name, "open"))
        return live_open();
    if (!strcmp(name, "load"))
        return load(folder, rest);
    if (!strcmp(name, "text"))
        return load_text(rest);
    if (!strcmp(name, "allocate"))
        return live_allocate((uint32_t)address) != 0;
    if (!strcmp(name, "fill"))
        return live_fill(address, (uint32_t)strtoul(second, NULL, 10));
    if (!strcmp(name, "write"))
        return write_bytes(address, second);
    if (!strcmp(name, "parameter"))
        return live_parameter(bytes, bytes_of_hex(rest, bytes));
    if (!strcmp(name, "watch") && sscanf(rest, "%u %u %u", &n[0], &n[1], &n[2]) == 3)
        return live_watch(n[0], n[1], n[2]), true;
    if (!strcmp(name, "sample"))
        return live_sample((uint32_t)address), true;
    if (!strcmp(name, "launch"))
        return launch(rest);
    if (!strcmp(name, "result"))
        return tell(name, live_result());
    if (!strcmp(name, "steps"))
        return tell(name, live_steps());
    if (!strcmp(name, "device"))
        return tell(name, live_device());
    if (!strcmp(name, "read"))
        return read_bytes(address, (uint32_t)strtoul(second, NULL, 10));
    return false;
}

int alike_replay(const char *folder)
{
    char *line = malloc(MOST_LINE), name[20];
    while (line && fgets(line, MOST_LINE, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *rest = strchr(line, ' ');
        bool is_call = *line != '#' && sscanf(line, "%19s", name) == 1;
        if (is_call && !call(folder, name, rest ? rest + 1 : ""))
            tell("refused", live_error());
    }
    free(line);
    return EXIT_SUCCESS;
}
