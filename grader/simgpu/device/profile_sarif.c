/* profile_sarif.c - what was found, as SARIF 2.1.0: a result for each pair of lines. The second
 * line is a related location, and so is code that was inlined from another file. Section numbers
 * are those of the OASIS standard.
 *
 * A file below the folder that simgpu was started in is named relative to it, as tools expect that
 * show findings next to a repository's source; any other file is named by its whole path.
 */
#include "exit_status.h"
#include "profile.h"
#include "suppress.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char SCHEMA[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/* --- Places ----------------------------------------------------------------------------------- */

/* RFC 3986: what is neither unreserved nor a slash is written as its bytes. */
static void append_encoded(char *uri, size_t room, const char *path)
{
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/";
    size_t length = strlen(uri);
    for (const char *at = path; *at && length + 4 < room; at++)
        length += (size_t)snprintf(uri + length, room - length,
                                   strchr(PLAIN, *at) ? "%c" : "%%%02X", (unsigned char)*at);
}

/* 3.4.3: an absolute URI, or one relative to where simgpu was started. */
static json_t *artifact_of(const char *file)
{
    char folder[PATH_MAX], uri[3 * PATH_MAX + 8] = "";
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    if (length > 1 && strncmp(file, folder, length) == 0 && file[length] == '/')
        file += length + 1;
    else if (file[0] == '/')
        strcpy(uri, "file://");
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    append_encoded(uri, sizeof uri, file);
    return json_pack("{ss}", "uri", uri);
}

/* 3.28 */
static json_t *location_of(const char *file, unsigned line, const char *message)
{
    json_t *location = json_pack("{s{so s{si}}}", "physicalLocation", "artifactLocation",
                                 artifact_of(file), "region", "startLine", (int)line);
    if (message)
        json_object_set_new(location, "message", json_pack("{ss}", "text", message));
    return location;
}

/* --- Results ---------------------------------------------------------------------------------- */

static const char *level_of(const struct found *found)
{
    return fault_exit_status(found->kind) ? "error" : "note";
}

/* 3.27.22 */
static json_t *related_of(const struct found *found)
{
    json_t *related = json_array();
    if (found->other_line)
        json_array_append_new(related,
                              location_of(found->other_file, found->other_line, "the other place"));
    if (found->inlined_line)
        json_array_append_new(related, location_of(found->inlined_file, found->inlined_line,
                                                   "in code that is inlined here"));
    return related;
}

/* 3.27 */
static json_t *result_of(const struct found *found)
{
    char word[64];
    fault_word(found->kind, word, sizeof word);
    json_t *result = json_pack("{ss ss s{so}}", "ruleId", word, "level", level_of(found), "message",
                               "text", json_text(found->message));
    json_t *location = found->line ? location_of(found->file, found->line, NULL) : json_object();
    json_object_set_new(
        location, "logicalLocations",
        json_pack("[{so ss}]", "name", json_text(found->kernel), "kind", "function"));
    json_object_set_new(result, "locations", json_pack("[o]", location));
    json_object_set_new(result, "relatedLocations", related_of(found));
    json_object_set_new(result, "occurrenceCount", json_integer((json_int_t)found->count));
    if (found->is_suppressed)
        json_object_set_new(result, "suppressions", json_pack("[{ss}]", "kind", "external"));
    return result;
}

static bool is_first_of_title(const struct device *device, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (device->found[i].title == device->found[at].title)
            return false;
    return true;
}

/* 3.49: a rule for each kind that was found, once. */
static json_t *rules_of(const struct device *device)
{
    json_t *rules = json_array();
    for (size_t i = 0; i < device->found_count; i++) {
        const struct found *found = &device->found[i];
        char word[64];
        if (!is_first_of_title(device, i))
            continue;
        fault_word(found->kind, word, sizeof word);
        json_t *rule = json_pack("{ss s{so}}", "id", word, "shortDescription", "text",
                                 json_text(found->title));
        if (found->advice[0])
            json_object_set_new(rule, "help", json_pack("{so}", "text", json_text(found->advice)));
        json_array_append_new(rules, rule);
    }
    return rules;
}

/* 3.20: the run itself went well, even when the program did not. */
static json_t *invocation_of(const struct outcome *outcome)
{
    json_t *words = json_array();
    for (char **word = outcome->program + 1; *word; word++)
        json_array_append_new(words, json_text(*word));
    return json_pack("{sb so si}", "executionSuccessful", 1, "arguments", words, "exitCode",
                     outcome->status);
}

void profile_write_sarif(const struct profile *profile, FILE *stream)
{
    const struct device *device = profile->device;
    json_t *results = json_array();
    for (size_t i = 0; i < device->found_count; i++)
        json_array_append_new(results, result_of(&device->found[i]));
    json_t *log =
        json_pack("{ss ss s[{s{s{ss so}} s[o] so}]}", "$schema", SCHEMA, "version", "2.1.0", "runs",
                  "tool", "driver", "name", "simgpu", "rules", rules_of(device), "invocations",
                  invocation_of(&profile->outcome), "results", results);
    json_dumpf(log, stream, JSON_INDENT(1));
    fputc('\n', stream);
    json_decref(log);
}
