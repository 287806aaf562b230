/* mutants_list.c - asks mutate what can be changed, makes the sources, and draws the sample.
 *
 * The draw sorts by a hash of seed and mutant: a larger sample contains the smaller one, and a
 * mutant that is added can only push out the last ones.
 */
#include "check/mutants.h"

#include "check/entries.h"
#include "lib/hash.h"
#include "lib/process.h"
#include "check/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { DEADLINE_MS = 60000, MOST_BYTES = 16 << 20 };

/* --- Keys ------------------------------------------------------------------------------------- */

static void add_headers(struct hash *hash, const char *folder)
{
    char **names;
    int count = folder_list(folder, ".h", &names);
    for (int i = 0; i < count; i++) {
        hash_add_file(hash, path_of("%s/%s", folder, names[i]).text);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

/* What all results of this run depend on: the grader, the headers that are given, the seed. */
static void name_run(const struct mutants *mutants, char text[HASH_TEXT])
{
    struct hash hash;
    char seed[32];
    const struct course *course = mutants->request->course;
    snprintf(seed, sizeof seed, "%llx", (unsigned long long)mutants->request->seed);
    hash_init(&hash);
    hash_add_text(&hash, course_version(course));
    hash_add_text(&hash, mutants->lesson.key);
    hash_add_text(&hash, seed);
    add_headers(&hash, path_of("%s/common", course->root.text).text);
    add_headers(&hash, path_of("%s/common/contracts", course->root.text).text);
    hash_text(&hash, text);
}

/* --- Making them ------------------------------------------------------------------------------ */

/* The mutations of a file, as mutate prints them; NULL with a sentence. */
static json_t *mutations_of(const struct mutants *mutants, const char *path, char *reason,
                            size_t reason_bytes)
{
    const struct course *course = mutants->request->course;
    struct path program = course_program(course, "mutate");
    struct path cuda = path_of("-isystem%s", course_setting(course, "CUDA_INCLUDE").text);
    struct path cccl = path_of("%s/cccl", cuda.text);
    struct path common = path_of("-I%s/common", course->root.text);
    struct path grader = path_of("-I%s/grader", course->root.text);
    struct path major =
        path_of("-D__CUDACC_VER_MAJOR__=%s", course_setting(course, "CUDART_SONAME_MAJOR").text);
    const char *words[] = {program.text, path,        cuda.text,  cccl.text,
                           common.text,  grader.text, major.text, "-D__CUDACC_VER_MINOR__=0",
                           NULL};
    struct process_job job = {
        .spec = {.argv = words}, .deadline_ms = DEADLINE_MS, .most_output_bytes = MOST_BYTES};
    struct process_result result;
    json_error_t error;
    process_run(&job, &result);
    json_t *list = result.status == 0 ? json_loads(result.output, 0, &error) : NULL;
    if (!list)
        snprintf(reason, reason_bytes, "%s: no mutants can be made of it: %.400s", path,
                 result.timed_out ? "mutate does not end" : result.output);
    process_result_free(&result);
    return list;
}

/* The source with its mutation in it. */
static char *mutated(const char *source, const json_t *mutation)
{
    char *text;
    int from = record_integer(mutation, "from"), to = record_integer(mutation, "to");
    if (asprintf(&text, "%.*s%s%s", from, source, record_text(mutation, "new"), source + to) < 0)
        abort(); /* a source is some kilobytes long */
    return text;
}

static bool add_mutants(struct mutants *mutants, const struct entry *entry, const char *run,
                        char *reason, size_t reason_bytes)
{
    char *source = file_read(entry->path.text, MOST_BYTES, NULL);
    json_t *list = source ? mutations_of(mutants, entry->path.text, reason, reason_bytes) : NULL;
    size_t count = json_array_size(list);
    if (!source)
        snprintf(reason, reason_bytes, "%s: %s", entry->path.text, strerror(errno));
    if (count > 0)
        mutants->list = reallocarray(mutants->list, mutants->count + count, sizeof *mutants->list);
    for (size_t i = 0; mutants->list && i < count; i++) {
        struct mutant *mutant = &mutants->list[mutants->count++];
        *mutant = (struct mutant){.mutation = json_incref(json_array_get(list, i))};
        snprintf(mutant->entry, sizeof mutant->entry, "%s", entry->name);
        mutant->original = strdup(entry->path.text);
        mutant->source = mutated(source, mutant->mutation);
        hash_two(run, mutant->source, mutant->key);
    }
    bool made = list != NULL;
    json_decref(list);
    free(source);
    return made;
}

/* --- The sample ------------------------------------------------------------------------------- */

struct draw {
    char lot[HASH_TEXT];
    struct mutant mutant;
};

static int by_lot(const void *a, const void *b)
{
    return strcmp(((const struct draw *)a)->lot, ((const struct draw *)b)->lot);
}

static void free_mutant(struct mutant *mutant)
{
    json_decref(mutant->mutation);
    free(mutant->original);
    free(mutant->source);
}

/* Drawn by the source alone, so that a new version of the grader judges the same sample. */
static void draw(struct mutants *mutants)
{
    size_t wanted = mutants->request->sample;
    char seed[32];
    struct draw *draws = calloc(mutants->count + 1, sizeof *draws);
    if (!draws || !wanted || wanted >= mutants->count) {
        free(draws);
        return;
    }
    snprintf(seed, sizeof seed, "%llx", (unsigned long long)mutants->request->seed);
    for (size_t i = 0; i < mutants->count; i++) {
        draws[i].mutant = mutants->list[i];
        hash_two(seed, mutants->list[i].source, draws[i].lot);
    }
    qsort(draws, mutants->count, sizeof *draws, by_lot);
    for (size_t i = 0; i < mutants->count; i++) {
        if (i < wanted)
            mutants->list[i] = draws[i].mutant;
        else
            free_mutant(&draws[i].mutant);
    }
    mutants->count = wanted;
    free(draws);
}

/* --- Equivalents ------------------------------------------------------------------------------ */

static bool read_equivalents(struct mutants *mutants, char *reason, size_t reason_bytes)
{
    static const char *const PARTS[] = {"entry", "kind", "line", "old", "new", "why"};
    struct path path = path_of("%s/equivalents.json", mutants->lesson.judge_folder.text);
    json_error_t error = {.text = "it is not an array"};
    const json_t *one;
    size_t index;
    bool sound = true;
    mutants->equivalents =
        file_exists(path.text) ? json_load_file(path.text, 0, &error) : json_array();
    if (!json_is_array(mutants->equivalents)) {
        snprintf(reason, reason_bytes, "%s: %s (line %d)", path.text, error.text, error.line);
        return false;
    }
    json_array_foreach (mutants->equivalents, index, one)
        for (size_t part = 0; part < sizeof PARTS / sizeof *PARTS && sound; part++) {
            bool is_reason = strcmp(PARTS[part], "why") == 0;
            sound = json_is_string(json_object_get(one, PARTS[part])) &&
                    (!is_reason || *record_text(one, PARTS[part]));
            if (!sound)
                snprintf(reason, reason_bytes, "%s: number %zu has no text \"%s\"", path.text,
                         index + 1, PARTS[part]);
        }
    return sound;
}

const json_t *mutants_equivalent(const json_t *equivalents, const char *entry,
                                 const json_t *mutation)
{
    static const char *const PARTS[] = {"kind", "line", "old", "new"};
    const json_t *one;
    size_t index;
    json_array_foreach (equivalents, index, one) {
        const json_t *nth = json_object_get(one, "nth");
        bool same = strcmp(record_text(one, "entry"), entry) == 0 &&
                    (!nth || json_equal(nth, json_object_get(mutation, "nth")));
        for (size_t part = 0; part < sizeof PARTS / sizeof *PARTS && same; part++)
            same = strcmp(record_text(one, PARTS[part]), record_text(mutation, PARTS[part])) == 0;
        if (same)
            return one;
    }
    return NULL;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* An equivalent that matches no mutant any more has outlived its source. */
static bool all_are_made(const struct mutants *mutants, char *reason, size_t reason_bytes)
{
    const json_t *one;
    size_t index;
    json_array_foreach (mutants->equivalents, index, one) {
        bool made = false;
        json_t *alone = json_pack("[O]", one);
        for (size_t i = 0; i < mutants->count && !made; i++)
            made = mutants_equivalent(alone, mutants->list[i].entry, mutants->list[i].mutation);
        json_decref(alone);
        if (!made) {
            snprintf(reason, reason_bytes,
                     "%s/equivalents.json: number %zu (%s, %s: %s) is no longer a mutant: remove "
                     "it, or write it again",
                     mutants->lesson.judge_folder.text, index + 1, record_text(one, "entry"),
                     record_text(one, "kind"), record_text(one, "line"));
            return false;
        }
    }
    return true;
}

bool mutants_list(struct mutants *mutants, char *reason, size_t reason_bytes)
{
    char run[HASH_TEXT];
    const struct mutants_request *request = mutants->request;
    if (!file_exists(course_program(request->course, "mutate").text)) {
        snprintf(reason, reason_bytes,
                 "mutants are made by build/bin/mutate, which is not there: "
                 "type `make mutants LESSON=%s`",
                 request->lesson);
        return false;
    }
    size_t count;
    struct entry *entries =
        entries_list(request->course, request->lesson, &count, reason, reason_bytes);
    bool sound = entries && read_equivalents(mutants, reason, reason_bytes);
    name_run(mutants, run);
    for (size_t i = 0; sound && i < count; i++) {
        const struct entry *entry = &entries[i];
        bool is_right =
            strcmp(entry->name, "solution") == 0 ||
            (strncmp(entry->name, "right/", 6) == 0 && entry->expectation.verdict == VERDICT_PASS);
        sound = !is_right || add_mutants(mutants, entry, run, reason, reason_bytes);
    }
    free(entries);
    sound = sound && all_are_made(mutants, reason, reason_bytes);
    mutants->all = mutants->count;
    draw(mutants);
    return sound;
}

void mutants_free(struct mutants *mutants)
{
    for (size_t i = 0; i < mutants->count; i++)
        free_mutant(&mutants->list[i]);
    free(mutants->list);
    json_decref(mutants->equivalents);
}
