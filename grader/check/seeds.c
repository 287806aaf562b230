/* seeds.c - checks each file with each seed, several at a time, and counts the verdicts.
 *
 * Many seeds of many files take hours, so each verdict is kept as soon as it is there, under a name
 * that depends on the file's content and on the grader's version.
 */
#include "check/seeds.h"

#include "lib/crew.h"
#include "check/entries.h"
#include "lib/hash.h"
#include "lib/process.h"
#include "check/record.h"
#include "check/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 256, DEFAULT_SEEDS = 200, MOST_WORKERS = 64, INTERRUPTED = 130 };

struct seeds {
    const struct seeds_request *request;
    const struct terminal *terminal;
    struct path file[MOST_FILES];
    struct path kept[MOST_FILES];   /* a folder for each: its verdicts, one file a seed */
    size_t file_count, kept_count;  /* the latter: checks that were not run again */
    unsigned count, threads;        /* the latter: of each check's simulated device */
    unsigned verdicts[VERDICTS];    /* of the file that is being reported */
    char reason[CREW_REASON_BYTES]; /* of a verdict that is not the first seed's */
    enum verdict first;
    size_t unequal;
};

/* --- Which files ------------------------------------------------------------------------------ */

static bool add_named(struct seeds *seeds, const char *files)
{
    char *text = strdup(files), *rest = text, *word;
    bool there = text != NULL;
    while (there && (word = strsep(&rest, " \t\n"))) {
        if (!*word)
            continue;
        there = seeds->file_count < MOST_FILES && file_exists(word);
        if (there)
            seeds->file[seeds->file_count++] = path_of("%s", word);
        else
            fprintf(seeds->terminal->out, "%s: there is no such file, or there are more than %d\n",
                    word, MOST_FILES);
    }
    free(text);
    return there;
}

/* If no lesson is named, of all. */
static bool add_corpus(struct seeds *seeds)
{
    char reason[400] = "";
    size_t count = 0;
    struct entry *entries =
        entries_list(seeds->request->course, seeds->request->lesson, &count, reason, sizeof reason);
    if (!entries)
        fprintf(seeds->terminal->out, "%s\n", reason);
    for (size_t i = 0; entries && i < count && seeds->file_count < MOST_FILES; i++)
        if (strchr(entries[i].name, '/'))
            seeds->file[seeds->file_count++] = entries[i].path;
    free(entries);
    return entries != NULL;
}

/* --- Checking --------------------------------------------------------------------------------- */

static struct path kept_file(const struct seeds *seeds, size_t task)
{
    return path_of("%s/%zu.json", seeds->kept[task / seeds->count].text, 1 + task % seeds->count);
}

/* What a verdict depends on besides the seed: this file, this lesson, this device, this grader. */
static bool make_folder(struct seeds *seeds, size_t index)
{
    const struct seeds_request *request = seeds->request;
    struct hash hash;
    char key[HASH_TEXT];
    hash_init(&hash);
    hash_add_text(&hash, course_version(request->course));
    hash_add_text(&hash, request->lesson ? request->lesson : "");
    hash_add_text(&hash, (const char *[]){"auto", "sim", "gpu"}[request->device]);
    bool read = hash_add_file(&hash, seeds->file[index].text);
    hash_text(&hash, key);
    seeds->kept[index] = path_of("%s/seeds/%.16s", request->course->build.text, key);
    if (read && folder_make(seeds->kept[index].text))
        return true;
    fprintf(seeds->terminal->out, "%s: its verdicts cannot be kept in %s\n",
            seeds->file[index].text, seeds->kept[index].text);
    return false;
}

static void outcome_of(const json_t *record, struct crew_outcome *outcome)
{
    snprintf(outcome->reason, sizeof outcome->reason, "%s %s", verdict_name(record_verdict(record)),
             record_text(record, "reason"));
}

/* A verdict that says nothing about the file is not kept: the next run checks it again. */
static void keep(const struct seeds *seeds, size_t task, const json_t *record)
{
    json_t *kept = record_outcome(record_verdict(record), record_text(record, "reason"));
    if (verdict_points(record_verdict(record)) != POINTS_AGAIN)
        record_write(kept, kept_file(seeds, task).text); /* if it fails it is checked again */
    json_decref(kept);
}

/* In a worker. Neighbouring tasks are of one file, which is compiled once. */
static bool work(void *context, size_t task, struct crew_outcome *outcome)
{
    const struct seeds *seeds = context;
    struct check_request request = {.course = seeds->request->course,
                                    .lesson = seeds->request->lesson,
                                    .submission = seeds->file[task / seeds->count].text,
                                    .device = seeds->request->device,
                                    .threads = seeds->threads,
                                    .seed = 1 + task % seeds->count};
    json_t *record = json_load_file(kept_file(seeds, task).text, 0, NULL);
    outcome->holds = record != NULL; /* here: it was known */
    if (!record) {
        record = check_run(&request);
        if (!record || process_interrupted()) {
            json_decref(record);
            return false;
        }
        keep(seeds, task, record);
    }
    outcome_of(record, outcome);
    json_decref(record);
    return true;
}

/* "WRONG case n = ...": the first word. */
static enum verdict verdict_in(const char *text)
{
    char name[32];
    enum verdict verdict = VERDICT_INTERNAL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
    verdict_named(name, &verdict);
    return verdict;
}

static void tell_file(struct seeds *seeds, const char *path)
{
    bool equal = seeds->verdicts[seeds->first] == seeds->count;
    terminal_progress(NULL);
    terminal_print(seeds->terminal, equal ? STYLE_GOOD : STYLE_BAD, "  %-5s",
                   equal ? "ok" : "FAIL");
    fprintf(seeds->terminal->out, "%s:", path);
    for (int i = 0; i < VERDICTS; i++)
        if (seeds->verdicts[i])
            fprintf(seeds->terminal->out, " %s %u", verdict_name((enum verdict)i),
                    seeds->verdicts[i]);
    fprintf(seeds->terminal->out, " of %u seeds%s%s\n", seeds->count, equal ? "" : "; ",
            equal ? "" : seeds->reason);
    fflush(seeds->terminal->out);
    seeds->unequal += !equal;
}

static void tell(void *context, size_t task, const struct crew_outcome *outcome)
{
    struct seeds *seeds = context;
    size_t seed = task % seeds->count;
    enum verdict verdict = outcome->done ? verdict_in(outcome->reason) : VERDICT_INTERNAL;
    if (seed == 0) {
        memset(seeds->verdicts, 0, sizeof seeds->verdicts);
        seeds->first = verdict;
    }
    if (verdict != seeds->first)
        snprintf(seeds->reason, sizeof seeds->reason, "seed %zu: %.600s", seed + 1,
                 outcome->done ? outcome->reason : "the process that checked it died");
    seeds->verdicts[verdict]++;
    seeds->kept_count += outcome->done && outcome->holds;
    if (seed + 1 == seeds->count)
        tell_file(seeds, seeds->file[task / seeds->count].text);
    terminal_progress(path_of("%zu of %zu, %s", task + 1, seeds->file_count * seeds->count,
                              path_base(seeds->file[task / seeds->count].text))
                          .text);
}

/* On a GPU two checks at a time would disturb each other's times. */
static size_t workers(enum device_choice device)
{
    bool simulated = device == DEVICE_SIM || (device == DEVICE_AUTO && !run_sees_gpu());
    return simulated ? crew_workers(MOST_WORKERS) : 1;
}

static int check_all(struct seeds *seeds)
{
    size_t crew_size = workers(seeds->request->device);
    seeds->threads = crew_share(crew_size);
    struct crew crew = {.tasks = seeds->file_count * seeds->count,
                        .workers = crew_size,
                        .work = work,
                        .tell = tell,
                        .context = seeds};
    course_version(seeds->request->course); /* remembered, so that no worker hashes our programs */
    for (size_t i = 0; i < seeds->file_count; i++)
        if (!make_folder(seeds, i))
            return verdict_exit_code(VERDICT_REFUSED);
    if (!crew_run(&crew)) {
        terminal_progress(NULL);
        fprintf(seeds->terminal->out, "interrupted: verdicts are kept, and the same command "
                                      "resumes from here\n");
        return INTERRUPTED;
    }
    terminal_progress(NULL);
    fprintf(seeds->terminal->out,
            "%s: %zu of %zu files get one verdict for %u seeds (%zu of %zu "
            "checks from before)\n",
            seeds->unequal ? "FAIL" : "PASS", seeds->file_count - seeds->unequal, seeds->file_count,
            seeds->count, seeds->kept_count, crew.tasks);
    return seeds->unequal ? 1 : 0;
}

int seeds(const struct seeds_request *request, const struct terminal *terminal)
{
    struct seeds *seeds = calloc(1, sizeof *seeds);
    int status = verdict_exit_code(VERDICT_REFUSED);
    if (!seeds)
        return status;
    seeds->request = request;
    seeds->terminal = terminal;
    seeds->count = request->count ? request->count : DEFAULT_SEEDS;
    if (request->files ? add_named(seeds, request->files) : add_corpus(seeds))
        status = check_all(seeds);
    free(seeds);
    return status;
}
