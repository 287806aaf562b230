/* gradebook.c - the instructor's program: the targets grade, regrade, override, reproduce and
 * export of the Makefile call it. Exit statuses are the verdicts' (check/verdict.def).
 */
#include "class/collect.h"
#include "class/grade.h"
#include "class/judge_chunk.h"
#include "class/task_list.h"

#include "lib/process.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 64 };

static const char USAGE[] =
    "usage: gradebook grade FOLDER --out FOLDER [--roster FILE] [--lesson LESSON]\n"
    "                 [--device sim|gpu|auto] [--seed N]\n"
    "                 [--engine local|slurm] [--chunk N] [--most N] [--sbatch OPTIONS]\n"
    "       gradebook regrade --out FOLDER --student ID --lesson LESSON\n"
    "       gradebook override --out FOLDER --student ID --lesson LESSON --points N|none\n"
    "                 --reason TEXT\n"
    "       gradebook reproduce ATTEMPT --out FOLDER\n"
    "       gradebook export --out FOLDER --format NAME [--lesson LESSON]\n"
    "jobs of Slurm call: gradebook judge CHUNK --out FOLDER; gradebook collect --out FOLDER\n";

struct arguments {
    const char *course, *build;
    const char *verb, *word;
    struct grade_request grade;
    struct mark_request mark;
};

/* What is said of one option is enough: the usage does not follow. */
static bool is_told;

static bool wrong(const char *option, const char *rule, const char *text)
{
    fprintf(stderr, "gradebook: %s %s, not \"%s\"\n", option, rule, text);
    is_told = true;
    return false;
}

static bool read_device(const char *text, enum device_choice *device)
{
    static const char *const NAMES[] = {"auto", "sim", "gpu"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, NAMES[i]) == 0) {
            *device = (enum device_choice)i;
            return true;
        }
    return wrong("DEVICE", "is sim, gpu or auto", text);
}

/* Decimal, or hexadecimal with 0x, as records have it. */
static bool read_seed(const char *text, uint64_t *seed)
{
    char *end;
    bool hexadecimal = strncmp(text, "0x", 2) == 0;
    errno = 0;
    *seed = strtoull(text, &end, hexadecimal ? 16 : 10);
    return (isdigit((unsigned char)*text) && !*end && errno == 0 && *seed != 0) ||
           wrong("SEED", "is a whole number from 1 to 2^64 - 1", text);
}

static bool read_engine(const char *text, bool *slurm)
{
    *slurm = strcmp(text, "slurm") == 0;
    return *slurm || strcmp(text, "local") == 0 || wrong("ENGINE", "is local or slurm", text);
}

static bool read_count(const char *option, const char *text, unsigned *count)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *count = (unsigned)number;
    return (*text && !*end && !strchr(text, '-') && number >= 1 && number <= CHUNK_MOST) ||
           wrong(option, "is a whole number from 1 to 1000", text);
}

static bool read_option(int option, struct arguments *arguments)
{
    switch (option) {
    case 'c': arguments->course = optarg; return true;
    case 'b': arguments->build = optarg; return true;
    case 'o': arguments->grade.out = arguments->mark.out = optarg; return true;
    case 'R': arguments->grade.roster = optarg; return true;
    case 'l': arguments->grade.lesson = arguments->mark.lesson = optarg; return true;
    case 'd': return read_device(optarg, &arguments->grade.device);
    case 'r': return read_seed(optarg, &arguments->grade.seed);
    case 'n': arguments->grade.no_ipc = true; return true;
    case 'e': return read_engine(optarg, &arguments->grade.slurm);
    case 'k': return read_count("CHUNK", optarg, &arguments->grade.chunk);
    case 'm': return read_count("MOST", optarg, &arguments->grade.most);
    case 'S': arguments->grade.job_options = optarg; return true;
    case 's': arguments->mark.student = optarg; return true;
    case 'p': arguments->mark.points = optarg; return true;
    case 'w': arguments->mark.reason = optarg; return true;
    case 'f': arguments->mark.format = optarg; return true;
    default: return false;
    }
}

/* --course, --build and --no-ipc are for tests. */
static bool read_arguments(int count, char **words, struct arguments *arguments)
{
    static const struct option OPTIONS[] = {{"course", required_argument, NULL, 'c'},
                                            {"build", required_argument, NULL, 'b'},
                                            {"out", required_argument, NULL, 'o'},
                                            {"roster", required_argument, NULL, 'R'},
                                            {"lesson", required_argument, NULL, 'l'},
                                            {"device", required_argument, NULL, 'd'},
                                            {"seed", required_argument, NULL, 'r'},
                                            {"no-ipc", no_argument, NULL, 'n'},
                                            {"student", required_argument, NULL, 's'},
                                            {"points", required_argument, NULL, 'p'},
                                            {"reason", required_argument, NULL, 'w'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"engine", required_argument, NULL, 'e'},
                                            {"chunk", required_argument, NULL, 'k'},
                                            {"most", required_argument, NULL, 'm'},
                                            {"sbatch", required_argument, NULL, 'S'},
                                            {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(count, words, "", OPTIONS, NULL)) != -1)
        if (!read_option(option, arguments))
            return false;
    if (optind < count)
        arguments->verb = words[optind++];
    if (optind < count)
        arguments->word = words[optind++];
    return optind == count && arguments->verb;
}

static int usage(void)
{
    if (!is_told)
        fputs(USAGE, stderr);
    return EXIT_USAGE;
}

static int run_verb(const struct course *course, struct arguments *arguments,
                    const struct terminal *terminal)
{
    const char *verb = arguments->verb, *out = arguments->grade.out;
    arguments->grade.course = arguments->mark.course = course;
    arguments->grade.submissions = arguments->mark.attempt = arguments->word;
    if (strcmp(verb, "override") == 0)
        return grade_override(&arguments->mark, terminal);
    if (strcmp(verb, "regrade") == 0)
        return grade_again(&arguments->mark, terminal);
    if (strcmp(verb, "export") == 0)
        return grade_export(&arguments->mark, terminal);
    if (strcmp(verb, "reproduce") == 0)
        return grade_reproduce(&arguments->mark, terminal);
    if (strcmp(verb, "judge") == 0 && arguments->word && out)
        return judge_chunk(course, out, arguments->word, terminal);
    if (strcmp(verb, "collect") == 0 && out)
        return grade_collect(course, out, terminal);
    if (strcmp(verb, "grade") != 0)
        return usage();
    if (arguments->word && *arguments->word && out && *out)
        return grade(&arguments->grade, terminal);
    fputs("grade needs two folders: make grade SUBMISSIONS=folder OUT=folder\n", stderr);
    return EXIT_USAGE;
}

int main(int count, char **words)
{
    struct arguments arguments = {.grade = {.device = DEVICE_AUTO}};
    struct course course;
    char reason[PATH_MAX + 300];
    setlocale(LC_CTYPE, "");
    if (!read_arguments(count, words, &arguments))
        return usage();
    if (!course_open(&course, arguments.course, arguments.build, reason, sizeof reason)) {
        fprintf(stderr, "gradebook: %s\n", reason);
        return EXIT_USAGE;
    }
    process_adopt_orphans();
    struct terminal terminal = terminal_of(stdout);
    int status = run_verb(&course, &arguments, &terminal);
    course_close(&course);
    return status;
}
