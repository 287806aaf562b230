/* findings.c - what launches have found: once for each pair of lines, counted over all launches.
 * What --check=continue went on after is reported when it is new, and listed at the end. What ended
 * its launch, and what the device does not simulate, is kept for the exit status and for files. */
#include "conflicts.h"
#include "exit_status.h"
#include "suppress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 16, MOST_FOUND = 4096 };

/* Which side of a race comes second is chance. */
static bool is_same(const struct found *one, const struct found *other)
{
    bool alike = one->file == other->file && one->line == other->line &&
                 one->other_file == other->other_file && one->other_line == other->other_line;
    bool turned = one->file == other->other_file && one->line == other->other_line &&
                  one->other_file == other->file && one->other_line == other->line;
    return one->title == other->title && one->ends == other->ends && (alike || turned);
}

/* The history has each text once, so texts can be compared by address. */
static struct found found_of(struct history *history, const struct sim_fault *fault,
                             const char *kernel)
{
    char plain[200] = "";
    if (kernel)
        sim_plain_name(kernel, plain, sizeof plain);
    const struct sim_line *inlined = &fault->inlined;
    const char *inlined_file = history_text(history, inlined->file);
    bool is_elsewhere = inlined->line != fault->line.line ||
                        inlined_file != history_text(history, fault->line.file);
    return (struct found){.kind = fault->kind,
                          .title = history_text(history, sim_fault_title(fault->kind)),
                          .file = history_text(history, fault->line.file),
                          .line = fault->line.line,
                          .other_file = history_text(history, fault->other.file),
                          .other_line = fault->other.line,
                          .inlined_file = inlined_file,
                          .inlined_line = is_elsewhere ? inlined->line : 0,
                          .kernel = history_text(history, plain),
                          .mangled = history_text(history, kernel),
                          .message = history_text(history, fault->message),
                          .advice = history_text(history, fault->advice),
                          .count = 1};
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
        struct found found = found_of(device->history, &findings[i].fault, kernel);
        found.count = findings[i].count;
        found.is_suppressed = suppressions_match(device->suppressions, &found);
        bool is_told = keep(device, &found) && !found.is_suppressed;
        pthread_mutex_unlock(&device->lock);
        if (is_told && !device->quiet)
            fault_print(&findings[i].fault);
    }
}

bool findings_note_end(struct device *device, const struct sim_fault *fault, const char *kernel)
{
    pthread_mutex_lock(&device->lock);
    struct found found = found_of(device->history, fault, kernel);
    found.ends = true;
    found.is_suppressed = suppressions_match(device->suppressions, &found);
    keep(device, &found);
    pthread_mutex_unlock(&device->lock);
    return !found.is_suppressed;
}

bool findings_note_unordered(struct device *device, const struct sim_fault *fault)
{
    pthread_mutex_lock(&device->lock);
    struct found found = found_of(device->history, fault, fault->kernel);
    found.ends = !device->options.keep_going;
    found.is_suppressed = suppressions_match(device->suppressions, &found);
    bool is_new = keep(device, &found);
    pthread_mutex_unlock(&device->lock);
    return is_new && !found.is_suppressed;
}

int findings_status(const struct device *device)
{
    int status = device->refusals ? EXIT_CANNOT : 0;
    for (size_t i = 0; i < device->found_count; i++)
        if (!device->found[i].is_suppressed)
            status = worse_exit_status(status, fault_exit_status(device->found[i].kind));
    return status;
}

/* Did a launch go on after it, and does it count? */
static bool went_on(const struct found *found)
{
    return !found->ends && !found->is_suppressed;
}

size_t findings_went_on(const struct device *device)
{
    size_t count = 0;
    for (size_t i = 0; i < device->found_count; i++)
        count += went_on(&device->found[i]);
    return count;
}

bool findings_ended_launch(const struct device *device)
{
    for (size_t i = 0; i < device->found_count; i++)
        if (device->found[i].ends && !device->found[i].is_suppressed)
            return true;
    return false;
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

static void print_suppressed(const struct device *device, FILE *stream)
{
    size_t count = 0;
    for (size_t i = 0; i < device->found_count; i++)
        count += device->found[i].is_suppressed;
    if (count)
        fprintf(stream, "\nsimgpu: %zu suppressed, as --suppressions asks\n", count);
}

void findings_print(const struct device *device, FILE *stream)
{
    uint64_t times = 0;
    size_t count = findings_went_on(device), listed = 0;
    for (size_t i = 0; i < device->found_count; i++)
        times += went_on(&device->found[i]) ? device->found[i].count : 0;
    if (count)
        fprintf(stream,
                "\nsimgpu: %zu faults found, %" PRIu64 " times in all; the program went on\n",
                count, times);
    for (size_t i = 0; i < device->found_count && listed < MOST_LISTED; i++)
        if (went_on(&device->found[i])) {
            print_one(&device->found[i], stream);
            listed++;
        }
    if (count > listed)
        fprintf(stream, "  ... and %zu more\n", count - listed);
    print_suppressed(device, stream);
}
