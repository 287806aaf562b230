/* output.c - opens, writes and closes the files of a profile, and reports failures. */
#include "output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static profile_writer *const WRITERS[OUTPUTS] = {
    [OUTPUT_CSV] = profile_write_csv,     [OUTPUT_JSON] = profile_write_json,
    [OUTPUT_HTML] = profile_write_html,   [OUTPUT_JUNIT] = profile_write_junit,
    [OUTPUT_SARIF] = profile_write_sarif, [OUTPUT_TIMELINE] = profile_write_timeline,
    [OUTPUT_LANES] = profile_write_lanes};

static bool complain(const struct output *output, const char *what)
{
    fprintf(stderr, "simgpu: %s %s: %s\n", what, output->file.text, strerror(errno));
    return false;
}

/* Cut when it would be too long: then it cannot be opened. */
static struct path file_of(const char *path, const char *program)
{
    struct path file = {""};
    char process[24];
    size_t used = 0;
    snprintf(process, sizeof process, "%ld", (long)getpid());
    for (const char *at = path; *at && used < sizeof file.text; at++) {
        const char *other = strncmp(at, "%n", 2) == 0   ? program
                            : strncmp(at, "%p", 2) == 0 ? process
                                                        : NULL;
        used += (size_t)snprintf(file.text + used, sizeof file.text - used, other ? "%s" : "%.1s",
                                 other ? other : at);
        at += other != NULL;
    }
    return file;
}

bool outputs_open(struct output *outputs, const char *program)
{
    for (int i = 0; i < OUTPUTS; i++) {
        if (!outputs[i].path)
            continue;
        outputs[i].file = file_of(outputs[i].path, path_base(program));
        outputs[i].stream = fopen(outputs[i].file.text, "we");
        if (!outputs[i].stream)
            return complain(&outputs[i], "cannot write");
    }
    return true;
}

bool outputs_write(struct output *outputs, const struct profile *profile)
{
    bool all = true;
    for (int i = 0; i < OUTPUTS; i++) {
        FILE *stream = outputs[i].stream;
        if (!stream)
            continue;
        errno = 0;
        WRITERS[i](profile, stream);
        bool failed = ferror(stream) != 0;
        if ((fclose(stream) != 0) | failed)
            all = complain(&outputs[i], "the profile is not complete: cannot write");
        outputs[i].stream = NULL;
    }
    return all;
}
