/* ceilings.c - turns probes into ceilings, and keeps them by device. */
#include "check/ceilings.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double real_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

json_t *ceilings_of_probes(const char *device, const char *version, json_t *probes)
{
    double copy_rate = 0, fma_rate = 0, launch_ns = 0, most_bytes = 0;
    size_t i;
    json_t *probe;
    json_array_foreach (probes, i, probe) {
        double seconds = real_of(probe, "time_ns") * 1e-9, bytes = real_of(probe, "bytes");
        double flop = real_of(probe, "flop");
        if (flop > 0) {
            fma_rate = fmax(fma_rate, flop / seconds);
        } else if (bytes > most_bytes) { /* no cache helps the largest copy */
            most_bytes = bytes;
            copy_rate = bytes / seconds;
        } else if (bytes == 0) {
            launch_ns = seconds * 1e9;
        }
    }
    if (json_array_size(probes) == 0)
        return NULL;
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:O}", "device", device, "version", version,
                     "copy_rate", copy_rate, "fma_rate", fma_rate, "launch_ns", launch_ns, "probes",
                     probes);
}

/* "simulated NVIDIA H200" is kept in ceilings-simulated-nvidia-h200.json. */
static struct path file_of(const struct course *course, const char *device)
{
    char name[200];
    size_t length = 0;
    for (const char *at = device; *at && length + 1 < sizeof name; at++)
        name[length++] = isalnum((unsigned char)*at) ? (char)tolower((unsigned char)*at) : '-';
    name[length] = '\0';
    return path_of("%s/ceilings-%s.json", course->build.text, name);
}

json_t *ceilings_load(const struct course *course, const char *device)
{
    json_t *kept = json_load_file(file_of(course, device).text, 0, NULL);
    const char *version = json_string_value(json_object_get(kept, "version"));
    if (version && strcmp(version, course_version(course)) == 0)
        return kept;
    json_decref(kept);
    return NULL;
}

bool ceilings_store(const struct course *course, const json_t *ceilings)
{
    const char *device = json_string_value(json_object_get(ceilings, "device"));
    char *text = json_dumps(ceilings, JSON_INDENT(1));
    bool stored = text && device && file_write(file_of(course, device).text, text, strlen(text));
    free(text);
    return stored;
}

double ceilings_value(const json_t *ceilings, const char *name)
{
    return strcmp(name, "copy rate") == 0  ? real_of(ceilings, "copy_rate")
           : strcmp(name, "FMA rate") == 0 ? real_of(ceilings, "fma_rate")
                                           : 0;
}
