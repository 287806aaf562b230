/* seeds.c - checks each file with each seed, several at a time, and counts the verdicts. */
#include "check/seeds.h"

#include "check/crew.h"
#include "check/entries.h"
#include "check/record.h"
#include "check/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 256, DEFAULT_SEEDS = 200, MOST_WORKERS = 8, INTERRUPTED = 130 };

struct seeds {
    const struct seeds_request *request;
    const struct terminal *terminal;
    struct path file[MOST_FILES];
    size_t file_count;
    unsigned count;
    unsigned verdicts[VERDICTS];   /* of the file that is being told */
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

/* Of no lesson in particular: of all. */
static bool add_corpus(struct seeds *seeds)
{
    char reason[400] = "";
    size_t count = 0;
    struct entry *entries = entries_list(seeds->request->course, seeds->request->lesson, &count,
                                         reason, sizeof reason);
    if (!entries)
        fprintf(seeds->terminal->out, "%s\n", reason);
    for (size_t i = 0; entries && i < count && seeds->file_count < MOST_FILES; i++)
        if (strchr(entries[i].name, '/'))
            seeds->file[seeds->file_count++] = entries[i].path;
    free(entries);
    return entries != NULL;
}

/* --- Checking --------------------------------------------------------------------------------- */

/* In a worker. Neighbouring tasks are of one file, which is compiled once. */
static bool work(void *context, size_t task, struct crew_outcome *outcome)
{
    const struct seeds *seeds = context;
    struct check_request request = {.course = seeds->request->course,
                                    .lesson = seeds->request->lesson,
                                    .submission = seeds->file[task / seeds->count].text,
                                    .device = seeds->request->device,
                                    .seed = 1 + task % seeds->count};
    json_t *record = check_run(&request);
    if (!record)
        return false;
    snprintf(outcome->reason, sizeof outcome->reason, "%s %s",
             verdict_name(record_verdict(record)), record_text(record, "reason"));
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
    if (seed + 1 == seeds->count)
        tell_file(seeds, seeds->file[task / seeds->count].text);
    terminal_progress(path_of("%zu of %zu", task + 1, seeds->file_count * seeds->count).text);
}

/* On a GPU two checks at a time would disturb each other's times. */
static size_t workers(enum device_choice device)
{
    bool simulated = device == DEVICE_SIM || (device == DEVICE_AUTO && !run_sees_gpu());
    return simulated ? crew_workers(MOST_WORKERS) : 1;
}

static int check_all(struct seeds *seeds)
{
    struct crew crew = {.tasks = seeds->file_count * seeds->count,
                        .workers = workers(seeds->request->device),
                        .work = work, .tell = tell, .context = seeds};
    course_version(seeds->request->course); /* remembered, so that no worker hashes our programs */
    if (!crew_run(&crew))
        return INTERRUPTED;
    terminal_progress(NULL);
    fprintf(seeds->terminal->out, "%s: %zu of %zu files get one verdict for %u seeds\n",
            seeds->unequal ? "FAIL" : "PASS", seeds->file_count - seeds->unequal,
            seeds->file_count, seeds->count);
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
