/* profile_junit.c - the run as one suite of tests, for services that show them: a case for how the
 * program ended, one for each kernel in which nothing was found, and one for each finding. A call
 * of something that is not simulated is an error, not a failure: nothing is known of the program
 * then.
 *
 * There is no standard of this format; it keeps to what Jenkins' junit-10.xsd allows.
 */
#include "exit_status.h"
#include "markup.h"
#include "profile.h"
#include "suppress.h"

#include "lib/files.h"

#include <inttypes.h>
#include <jansson.h>

static void put(FILE *stream, const char *text)
{
    json_t *value = json_text(text);
    markup_text(stream, value ? json_string_value(value) : "");
    json_decref(value);
}

static const char *suite_name(const struct profile *profile)
{
    return path_base(profile->outcome.program[0]);
}

static void begin_case(const struct profile *profile, FILE *stream, const char *name)
{
    fputs("<testcase classname=\"", stream);
    put(stream, suite_name(profile));
    fputs("\" name=\"", stream);
    put(stream, name);
    fputs("\"", stream);
}

/* --- Findings --------------------------------------------------------------------------------- */

static bool is_failure(const struct found *found)
{
    int status = found->is_suppressed ? 0 : fault_exit_status(found->kind);
    return status != 0 && status != EXIT_CANNOT;
}

static bool is_error(const struct found *found)
{
    return !found->is_suppressed && fault_exit_status(found->kind) == EXIT_CANNOT;
}

static void put_finding(const struct profile *profile, FILE *stream, const struct found *found)
{
    const char *tag = is_error(found) ? "error" : "failure";
    char name[512], places[256] = "", word[64];
    fault_word(found->kind, word, sizeof word);
    if (found->line && found->other_line)
        snprintf(places, sizeof places, ", %.150s:%u and %u", path_base(found->file), found->line,
                 found->other_line);
    else if (found->line)
        snprintf(places, sizeof places, ", %.150s:%u", path_base(found->file), found->line);
    snprintf(name, sizeof name, "%.200s: %s%s", found->kernel, found->title, places);
    begin_case(profile, stream, name);
    fprintf(stream, "><%s type=\"%s\" message=\"", tag, word);
    put(stream, found->message);
    fputs("\">", stream);
    if (found->line) {
        put(stream, found->file);
        fprintf(stream, ":%u: ", found->line);
    }
    put(stream, found->message);
    if (found->inlined_line) {
        fputs("\nin code inlined from ", stream);
        put(stream, found->inlined_file);
        fprintf(stream, ":%u", found->inlined_line);
    }
    if (found->advice[0]) {
        fputs("\ntry: ", stream);
        put(stream, found->advice);
    }
    fprintf(stream, "\n%" PRIu64 " times</%s></testcase>\n", found->count, tag);
}

static bool has_findings(const struct device *device, const struct kernel_sum *kernel)
{
    for (size_t i = 0; i < device->found_count; i++)
        if (device->found[i].mangled == kernel->mangled &&
            (is_failure(&device->found[i]) || is_error(&device->found[i])))
            return true;
    return false;
}

/* --- The suite -------------------------------------------------------------------------------- */

static void put_program(const struct profile *profile, FILE *stream)
{
    const struct outcome *outcome = &profile->outcome;
    begin_case(profile, stream, "exit status");
    fprintf(stream, " time=\"%.3f\">", outcome->seconds);
    if (profile->device->refusals)
        fputs("<error type=\"not-simulated\" message=\"the program called what is not "
              "simulated\"/>",
              stream);
    else if (outcome->program_status > 128)
        fprintf(stream,
                "<failure type=\"signal\" message=\"the program was ended by signal "
                "%d\"/>",
                outcome->program_status - 128);
    else if (outcome->program_status)
        fprintf(stream, "<failure type=\"exit-status\" message=\"the program ended with %d\"/>",
                outcome->program_status);
    fputs("</testcase>\n", stream);
}

struct tally {
    size_t tests, failures, errors;
};

static struct tally tally_of(const struct profile *profile)
{
    const struct device *device = profile->device;
    struct tally tally = {.tests = 1};
    for (size_t i = 0; i < device->found_count; i++) {
        tally.failures += is_failure(&device->found[i]);
        tally.errors += is_error(&device->found[i]);
    }
    tally.tests += tally.failures + tally.errors;
    tally.errors += device->refusals > 0;
    tally.failures += !device->refusals && profile->outcome.program_status != 0;
    for (size_t i = 0; i < profile->kernel_count; i++)
        tally.tests += !has_findings(device, &profile->kernels[i]);
    return tally;
}

void profile_write_junit(const struct profile *profile, FILE *stream)
{
    const struct device *device = profile->device;
    const struct tally tally = tally_of(profile);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"", stream);
    put(stream, suite_name(profile));
    fprintf(stream,
            "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" "
            "time=\"%.3f\">\n",
            tally.tests, tally.failures, tally.errors, profile->outcome.seconds);
    put_program(profile, stream);
    for (size_t i = 0; i < profile->kernel_count; i++)
        if (!has_findings(device, &profile->kernels[i])) {
            begin_case(profile, stream, profile->kernels[i].name);
            fputs("/>\n", stream);
        }
    for (size_t i = 0; i < device->found_count; i++)
        if (is_failure(&device->found[i]) || is_error(&device->found[i]))
            put_finding(profile, stream, &device->found[i]);
    fputs("</testsuite>\n</testsuites>\n", stream);
}
