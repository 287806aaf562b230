/* findings.c - what launches have found that kept going (--check=continue): reported once for each
 * pair of lines, counted over all launches, and listed at the end. */
#include "device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 16, MOST_FOUND = 4096 };

static bool is_same(const struct found *one, const struct found *other)
{
    return one->title == other->title && one->file == other->file && one->line == other->line &&
           one->other_file == other->other_file && one->other_line == other->other_line;
}

/* The history has each text once, so texts can be compared by address. */
static struct found found_of(struct history *history, const struct sim_finding *finding,
                             const char *kernel)
{
    const struct sim_fault *fault = &finding->fault;
    char plain[200];
    sim_plain_name(kernel, plain, sizeof plain);
    return (struct found){.title = history_text(history, sim_fault_title(fault->kind)),
                          .file = history_text(history, fault->line.file),
                          .line = fault->line.line,
                          .other_file = history_text(history, fault->other.file),
                          .other_line = fault->other.line,
                          .kernel = history_text(history, plain),
                          .message = history_text(history, fault->message),
                          .count = finding->count};
}

/* True when it is new. */
static bool keep(struct device *device, const struct found *found)
{
    for (size_t i = 0; i < device->found_count; i++)
        if (is_same(&device->found[i], found)) {
            device->found[i].count += found->count;
            return false;
        }
    if (device->found_count == MOST_FOUND)
        return false;
    size_t bytes = (device->found_count + 1) * sizeof *device->found;
    struct found *grown = realloc(device->found, bytes);
    if (!grown)
        return false;
    device->found = grown;
    device->found[device->found_count++] = *found;
    return true;
}

void findings_note(struct device *device, struct launch *launch, const char *kernel)
{
    size_t count;
    const struct sim_finding *findings = sim_launch_findings(launch, &count);
    for (size_t i = 0; i < count; i++) {
        pthread_mutex_lock(&device->lock);
        const struct found found = found_of(device->history, &findings[i], kernel);
        bool is_new = keep(device, &found);
        pthread_mutex_unlock(&device->lock);
        if (is_new && !device->quiet)
            fault_print(&findings[i].fault);
    }
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void print_one(const struct found *found, FILE *stream)
{
    char place[48] = "?", other[48] = "";
    if (found->line)
        snprintf(place, sizeof place, "%.30s:%u", base_name(found->file), found->line);
    if (found->other_line)
        snprintf(other, sizeof other, " and %u", found->other_line);
    fprintf(stream, "  %-24.24s %9" PRIu64 "  %.42s%s\n", found->title, found->count, place, other);
}

void findings_print(const struct device *device, FILE *stream)
{
    uint64_t times = 0;
    for (size_t i = 0; i < device->found_count; i++)
        times += device->found[i].count;
    if (device->found_count == 0)
        return;
    fprintf(stream, "\nsimgpu: %zu faults found, %" PRIu64 " times in all; the program went on\n",
            device->found_count, times);
    for (size_t i = 0; i < device->found_count && i < MOST_LISTED; i++)
        print_one(&device->found[i], stream);
    if (device->found_count > MOST_LISTED)
        fprintf(stream, "  ... and %zu more\n", device->found_count - MOST_LISTED);
}
