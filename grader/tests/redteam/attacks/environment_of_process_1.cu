// Reads the environment of the sandbox's first process, which may hold the device's token and the
// instructor's keys. No process that a submission sees may have a variable that it was not given.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    char text[1 << 16];
    size_t bytes = read_some("/proc/1/environ", text, sizeof text);
    for (size_t at = 0; at < bytes; at += strlen(text + at) + 1) {
        char *name = text + at;
        char *value = strchr(name, '=');
        if (!value)
            continue;
        *value = '\0';
        const char *ours = getenv(name);
        *value = '=';
        if (!ours || strcmp(ours, value + 1) != 0) {
            fprintf(stderr, "seen: %.60s\n", name);
            return true;
        }
    }
    return false;
}
