/* warpquest.c - the command that everything people type ends in; the Makefile's targets call it.
 *
 * It links no CUDA: whatever touches a device is a process of its own (run.h). Exit statuses of a
 * check are the verdicts' (verdict.def).
 */
#include "check/calibrate.h"
#include "check/check.h"
#include "check/clauses.h"
#include "check/distances.h"
#include "check/mutants.h"
#include "check/noise.h"
#include "check/parts.h"
#include "lib/process.h"
#include "check/record.h"
#include "check/report.h"
#include "check/seeds.h"
#include "check/show_entry.h"
#include "check/verdicts.h"
#include "check/verify.h"
#include "quest/quest.h"
#include "quest/watching.h"

#include <getopt.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: warpquest check LESSON [--submission FILE] [--only LAUNCHER]\n"
    "                 [--device sim|gpu|auto] [--seed N] [--json]\n"
    "       warpquest profile LESSON [--submission FILE]\n"
    "       warpquest hint LESSON [LEVEL] | diff LESSON [--giveup] | reset LESSON\n"
    "       warpquest submit LESSON | status | quest | log [LESSON]\n"
    "       warpquest quest-export FILE | quest-import FILE\n"
    "       warpquest watch [LESSON] [--device sim|gpu|auto]\n"
    "       warpquest verify-course|verify-exercises|corpus [LESSON] [--device sim|gpu|auto]\n"
    "                 [--seed N] [--sample N]   (of the corpus, N of a kind)\n"
    "       warpquest entry LESSON/FOLDER/NAME [--moved]   (of the corpus: its whole text)\n"
    "       warpquest distances [LESSON] --out FOLDER   (of a run of verdicts)\n"
    "       warpquest verdicts [LESSON] [--out FOLDER] [--known TABLE] [--seed N]\n"
    "                 [--device sim|auto]\n"
    "       warpquest clauses [LESSON]\n"
    "       warpquest seeds [LESSON] [--files \"FILE ...\"] [--seeds N] [--device sim|auto]\n"
    "       warpquest mutants LESSON [--sample N] [--seed N]\n"
    "       warpquest calibrate LESSON [--bar X] [--times N]\n"
    "       warpquest noise [PART] [--out FOLDER] [--verdicts N] [--block-us N]\n"
    "                 [--seconds N]\n"
    "\n"
    "A lesson is named by its number, or by its folder (01_coalescing).\n";

struct arguments {
    const char *verb;
    const char *words[2]; /* what comes after the verb */
    const char *course, *build;
    const char *submission, *only, *out, *known, *files;
    uint64_t seeds, verdicts, block_us, times, seconds;
    double bar;
    enum device_choice device;
    uint64_t seed;
    uint64_t sample;
    bool json, give_up, no_ipc, moved;
};

static bool read_device(const char *text, enum device_choice *device)
{
    static const char *const NAMES[] = {"auto", "sim", "gpu"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, NAMES[i]) == 0) {
            *device = (enum device_choice)i;
            return true;
        }
    fprintf(stderr, "warpquest: --device is sim, gpu or auto, not \"%s\"\n", text);
    return false;
}

static bool read_number(const char *option, const char *text, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 0);
    if (*text && !*end && !strchr(text, '-'))
        return true;
    fprintf(stderr, "warpquest: --%s is a number, not \"%s\"\n", option, text);
    return false;
}

static bool read_bar(const char *text, double *bar)
{
    char *end;
    *bar = strtod(text, &end);
    if (*text && !*end && *bar > 0 && *bar <= 2)
        return true;
    fprintf(stderr, "warpquest: --bar is a ratio above 0 and up to 2, not \"%s\"\n", text);
    return false;
}

static bool read_option(int option, struct arguments *arguments)
{
    switch (option) {
    case 'c': arguments->course = optarg; return true;
    case 'b': arguments->build = optarg; return true;
    case 's': arguments->submission = optarg; return true;
    case 'y': arguments->only = optarg; return true;
    case 'o': arguments->out = optarg; return true;
    case 'k': arguments->known = optarg; return true;
    case 'f': arguments->files = optarg; return true;
    case 'm': return read_number("seeds", optarg, &arguments->seeds);
    case 'v': return read_number("verdicts", optarg, &arguments->verdicts);
    case 'z': return read_number("seconds", optarg, &arguments->seconds);
    case 'u': return read_number("block-us", optarg, &arguments->block_us);
    case 't': return read_number("times", optarg, &arguments->times);
    case 'p': return read_bar(optarg, &arguments->bar);
    case 'j': arguments->json = true; return true;
    case 'g': arguments->give_up = true; return true;
    case 'n': arguments->no_ipc = true; return true;
    case 'e': arguments->moved = true; return true;
    case 'd': return read_device(optarg, &arguments->device);
    case 'r': return read_number("seed", optarg, &arguments->seed);
    case 'a': return read_number("sample", optarg, &arguments->sample);
    default: return false;
    }
}

/* --course, --build and --no-ipc are for tests: another course, and a device without CUDA IPC. */
static bool read_arguments(int count, char **words, struct arguments *arguments)
{
    static const struct option OPTIONS[] = {
        {"course", required_argument, NULL, 'c'},
        {"build", required_argument, NULL, 'b'},
        {"submission", required_argument, NULL, 's'},
        {"out", required_argument, NULL, 'o'},
        {"only", required_argument, NULL, 'y'},
        {"device", required_argument, NULL, 'd'},
        {"seed", required_argument, NULL, 'r'},
        {"json", no_argument, NULL, 'j'},
        {"known", required_argument, NULL, 'k'},
        {"files", required_argument, NULL, 'f'},
        {"seeds", required_argument, NULL, 'm'},
        {"sample", required_argument, NULL, 'a'},
        {"verdicts", required_argument, NULL, 'v'},
        {"block-us", required_argument, NULL, 'u'},
        {"seconds", required_argument, NULL, 'z'},
        {"times", required_argument, NULL, 't'},
        {"bar", required_argument, NULL, 'p'},
        {"giveup", no_argument, NULL, 'g'},
        {"moved", no_argument, NULL, 'e'},
        {"no-ipc", no_argument, NULL, 'n'},
        {0},
    };
    for (int option; (option = getopt_long(count, words, "", OPTIONS, NULL)) != -1;)
        if (!read_option(option, arguments))
            return false;
    if (optind == count || count - optind > 3)
        return false;
    arguments->verb = words[optind];
    for (int i = optind + 1; i < count; i++)
        arguments->words[i - optind - 1] = words[i];
    return true;
}

/* --- Verbs ------------------------------------------------------------------------------------ */

static int usage(void)
{
    fputs(USAGE, stderr);
    return EXIT_USAGE;
}

/* The lesson as typed, and the launcher if only one is to be checked. False with a sentence. */
static bool name_check(const struct course *course, const struct arguments *arguments,
                       struct check_request *request)
{
    struct lesson lesson;
    char reason[400] = "with ONLY= the lesson is to be named as well";
    bool named = request->lesson
                     ? course_lesson(course, request->lesson, &lesson, reason, sizeof reason)
                     : !arguments->only;
    if (named && arguments->only) {
        request->only = parts_named(&lesson, arguments->only, reason, sizeof reason);
        named = request->only != NULL;
        if (json_array_size(json_object_get(lesson.judge, "parts")) == 1)
            request->only = NULL; /* the lesson has no other */
    }
    if (!named)
        fprintf(stderr, "warpquest: %s\n", reason);
    return named;
}

static int run_check(const struct course *course, const struct arguments *arguments,
                     const struct terminal *terminal)
{
    struct check_request request = {.course = course,
                                    .lesson = arguments->words[0],
                                    .submission = arguments->submission,
                                    .device = arguments->device,
                                    .seed = arguments->seed,
                                    .no_ipc = arguments->no_ipc,
                                    .tell_others = true,
                                    .progress = terminal_progress};
    if (!request.lesson && !request.submission)
        return usage();
    if (!name_check(course, arguments, &request))
        return EXIT_USAGE;
    json_t *record = check_run(&request);
    terminal_progress(NULL);
    if (!record) {
        fprintf(stderr, "interrupted: no process and no file is left\n");
        return EXIT_INTERRUPTED;
    }
    char reason[600];
    bool noted = quest_note(course, record, reason, sizeof reason);
    if (!noted)
        fprintf(stderr, "this check is not kept: %s\n", reason);
    if (!arguments->json) {
        report_print(record, terminal);
        if (noted)
            quest_tell_earned(course, record, terminal);
    } else if (json_dumpf(record, terminal->out, JSON_INDENT(1)) == 0) {
        putc('\n', terminal->out);
    }
    int status = verdict_exit_code(check_verdict(record));
    json_decref(record);
    return status;
}

/* A page about what the timed cases' kernels did; or the report, if the check did not get that
 * far. */
static int run_profile(const struct course *course, const struct arguments *arguments,
                       const struct lesson *lesson, const struct terminal *terminal)
{
    struct path folder = path_of("%s/profile", course->build.text);
    struct path page = path_of("%s/%s.html", folder.text, lesson->key);
    struct path timeline = path_of("%s/%s-timeline.json", folder.text, lesson->key);
    bool has_timeline = json_is_true(json_object_get(lesson->judge, "by_time_line"));
    struct check_request request = {.course = course,
                                    .lesson = arguments->words[0],
                                    .submission = arguments->submission,
                                    .device = DEVICE_SIM,
                                    .page = page.text,
                                    .timeline = has_timeline ? timeline.text : NULL,
                                    .progress = terminal_progress};
    unlink(page.text);
    json_t *record = folder_make(folder.text) ? check_run(&request) : NULL;
    terminal_progress(NULL);
    int status = EXIT_INTERRUPTED;
    if (record && access(page.text, R_OK) == 0) {
        fprintf(terminal->out,
                "open %s in a browser:\n"
                "your source line by line, what each line costs, and drawings of its accesses\n",
                page.text);
        if (has_timeline)
            fprintf(terminal->out, "and %s.html: when its copies and kernels run\n", timeline.text);
        status = 0;
    } else if (record) {
        report_print(record, terminal);
        status = verdict_exit_code(check_verdict(record));
    }
    json_decref(record);
    return status;
}

/* -1, which is no level, if it is not a number. */
static int read_level(const char *text)
{
    char *end;
    long level = strtol(text, &end, 10);
    return *text && !*end && level > 0 && level < 100 ? (int)level : -1;
}

/* Verbs about one lesson. */
static int run_lesson_verb(const struct course *course, const struct arguments *arguments,
                           const struct terminal *terminal)
{
    char reason[300];
    struct lesson lesson;
    const char *verb = arguments->verb, *level = arguments->words[1];
    if (!arguments->words[0])
        return usage();
    if (!course_lesson(course, arguments->words[0], &lesson, reason, sizeof reason)) {
        fprintf(stderr, "warpquest: %s\n", reason);
        return EXIT_USAGE;
    }
    if (strcmp(verb, "hint") == 0)
        return quest_hint(course, &lesson, arguments->submission, level ? read_level(level) : 0,
                          terminal);
    if (strcmp(verb, "diff") == 0)
        return quest_diff(course, &lesson, arguments->give_up, terminal);
    if (strcmp(verb, "profile") == 0)
        return run_profile(course, arguments, &lesson, terminal);
    if (strcmp(verb, "reset") == 0)
        return quest_reset(course, &lesson, terminal);
    if (strcmp(verb, "submit") == 0)
        return quest_submit(course, &lesson, terminal);
    return usage();
}

static int run_log(const struct course *course, const struct arguments *arguments,
                   const struct terminal *terminal)
{
    struct lesson lesson;
    char reason[300];
    if (!arguments->words[0])
        return quest_log(course, NULL, terminal);
    if (course_lesson(course, arguments->words[0], &lesson, reason, sizeof reason))
        return quest_log(course, &lesson, terminal);
    fprintf(stderr, "warpquest: %s\n", reason);
    return EXIT_USAGE;
}

static int run_carry(const struct course *course, const struct arguments *arguments,
                     const struct terminal *terminal)
{
    const char *path = arguments->words[0];
    if (!path || !*path) {
        fprintf(stderr, "warpquest: name the file: make %s FILE=checks.db\n", arguments->verb);
        return EXIT_USAGE;
    }
    return strcmp(arguments->verb, "quest-export") == 0 ? quest_export(course, path, terminal)
                                                        : quest_import(course, path, terminal);
}

static int run_watch(const struct course *course, const struct arguments *arguments,
                     const struct terminal *terminal)
{
    static const char *const DEVICES[] = {
        [DEVICE_AUTO] = "auto", [DEVICE_SIM] = "sim", [DEVICE_GPU] = "gpu"};
    struct watch_request request = {
        .course = course, .lesson = arguments->words[0], .device = DEVICES[arguments->device]};
    return quest_watch(&request, terminal);
}

static int run_verdicts(const struct course *course, const struct arguments *arguments,
                        const struct terminal *terminal)
{
    struct verdicts_request request = {.course = course,
                                       .lesson = arguments->words[0],
                                       .out = arguments->out,
                                       .known = arguments->known,
                                       .device = arguments->device,
                                       .seed = arguments->seed};
    return verdicts(&request, terminal);
}

static int run_seeds(const struct course *course, const struct arguments *arguments,
                     const struct terminal *terminal)
{
    enum { MOST_SEEDS = 100000 };
    struct seeds_request request = {.course = course,
                                    .lesson = arguments->words[0],
                                    .files = arguments->files,
                                    .count = (unsigned)arguments->seeds,
                                    .device = arguments->device};
    if (arguments->seeds > MOST_SEEDS) {
        fprintf(stderr, "warpquest: --seeds is at most %d\n", MOST_SEEDS);
        return EXIT_USAGE;
    }
    return seeds(&request, terminal);
}

/* The same seed each time; otherwise no result could be kept from one run to the next. */
static int run_mutants(const struct course *course, const struct arguments *arguments,
                       const struct terminal *terminal)
{
    enum { SEED = 20 };
    struct mutants_request request = {.course = course,
                                      .lesson = arguments->words[0],
                                      .sample = arguments->sample,
                                      .seed = arguments->seed ? arguments->seed : SEED};
    return request.lesson ? mutants(&request, terminal) : usage();
}

static int run_entry(const struct course *course, const struct arguments *arguments,
                     const struct terminal *terminal)
{
    return arguments->words[0] ? show_entry(course, arguments->words[0],
                                            arguments->moved ? PATCH_MOVED : PATCH_EXACT, terminal)
                               : usage();
}

static int run_noise(const struct course *course, const struct arguments *arguments,
                     const struct terminal *terminal)
{
    struct noise_request request = {.course = course,
                                    .part = arguments->words[0],
                                    .out = arguments->out,
                                    .verdicts = arguments->verdicts,
                                    .block_us = arguments->block_us,
                                    .seconds = arguments->seconds};
    return noise(&request, terminal);
}

static int run_calibrate(const struct course *course, const struct arguments *arguments,
                         const struct terminal *terminal)
{
    struct calibrate_request request = {.course = course,
                                        .lesson = arguments->words[0],
                                        .bar = arguments->bar,
                                        .times = arguments->times,
                                        .device = arguments->device};
    return request.lesson ? calibrate(&request, terminal) : usage();
}

static int run_verb(const struct course *course, const struct arguments *arguments,
                    const struct terminal *terminal)
{
    const char *verb = arguments->verb;
    struct verify_request of_course = {.course = course,
                                       .lesson = arguments->words[0],
                                       .device = arguments->device,
                                       .seed = arguments->seed,
                                       .sample = arguments->sample};
    if (strcmp(verb, "check") == 0)
        return run_check(course, arguments, terminal);
    if (strcmp(verb, "status") == 0)
        return quest_status(course, terminal);
    if (strcmp(verb, "quest") == 0)
        return quest_map(course, terminal);
    if (strcmp(verb, "quest-export") == 0 || strcmp(verb, "quest-import") == 0)
        return run_carry(course, arguments, terminal);
    if (strcmp(verb, "log") == 0)
        return run_log(course, arguments, terminal);
    if (strcmp(verb, "watch") == 0)
        return run_watch(course, arguments, terminal);
    if (strcmp(verb, "verify-course") == 0)
        return verify_course(&of_course, terminal);
    if (strcmp(verb, "verify-exercises") == 0)
        return verify_exercises(&of_course, terminal);
    if (strcmp(verb, "corpus") == 0)
        return verify_corpus(&of_course, terminal);
    if (strcmp(verb, "clauses") == 0)
        return clauses(course, arguments->words[0], terminal);
    if (strcmp(verb, "entry") == 0)
        return run_entry(course, arguments, terminal);
    if (strcmp(verb, "seeds") == 0)
        return run_seeds(course, arguments, terminal);
    if (strcmp(verb, "distances") == 0)
        return distances(course, arguments->words[0],
                         path_of("%s/records", arguments->out ? arguments->out : "").text,
                         terminal);
    if (strcmp(verb, "verdicts") == 0)
        return run_verdicts(course, arguments, terminal);
    if (strcmp(verb, "calibrate") == 0)
        return run_calibrate(course, arguments, terminal);
    if (strcmp(verb, "noise") == 0)
        return run_noise(course, arguments, terminal);
    if (strcmp(verb, "mutants") == 0)
        return run_mutants(course, arguments, terminal);
    return run_lesson_verb(course, arguments, terminal);
}

int main(int count, char **words)
{
    struct arguments arguments = {.device = DEVICE_AUTO};
    struct course course;
    char reason[PATH_MAX + 300];
    setlocale(LC_CTYPE, "");
    if (!read_arguments(count, words, &arguments))
        return usage();
    if (!course_open(&course, arguments.course, arguments.build, reason, sizeof reason)) {
        fprintf(stderr, "warpquest: %s\n", reason);
        return EXIT_USAGE;
    }
    process_adopt_orphans();
    struct terminal terminal = terminal_of(stdout);
    int status = run_verb(&course, &arguments, &terminal);
    course_close(&course);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "warpquest: the output cannot be written\n");
        return verdict_exit_code(VERDICT_INTERNAL);
    }
    return status;
}
