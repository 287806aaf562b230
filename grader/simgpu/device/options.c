/* options.c - reads the command line of `simgpu run`; a mistake in it gets one sentence. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORKERS = 1024,
    SCREENFUL = 24,
    MOST_STEPS = 100000,
    MOST_WARP = 31,
    MOST_MEBIBYTES = 1 << 30
};

/* clang-format off */
enum { OPTION_QUIET = 256, OPTION_HELP, OPTION_CHECK, OPTION_SEED, OPTION_BUDGET, OPTION_THREADS,
       OPTION_TRACE, OPTION_STEPS, OPTION_BLOCK, OPTION_WARP, OPTION_CONTROL,
       OPTION_MEMORY, OPTION_TEST, OPTION_SUPPRESSIONS, OPTION_FILE };
/* clang-format on */

static const struct option OPTIONS[] = {
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, OPTION_HELP},
    {"check", optional_argument, NULL, OPTION_CHECK},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"block", required_argument, NULL, OPTION_BLOCK},
    {"warp", required_argument, NULL, OPTION_WARP},
    {"test", no_argument, NULL, OPTION_TEST},
    {"suppressions", required_argument, NULL, OPTION_SUPPRESSIONS},
    {"control", no_argument, NULL, OPTION_CONTROL},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"csv", required_argument, NULL, OPTION_FILE + OUTPUT_CSV},
    {"json", required_argument, NULL, OPTION_FILE + OUTPUT_JSON},
    {"html", required_argument, NULL, OPTION_FILE + OUTPUT_HTML},
    {"junit", required_argument, NULL, OPTION_FILE + OUTPUT_JUNIT},
    {"sarif", required_argument, NULL, OPTION_FILE + OUTPUT_SARIF},
    {"timeline", required_argument, NULL, OPTION_FILE + OUTPUT_TIMELINE},
    {0},
};

static const char HELP[] =
    "usage: simgpu run [options] -- program [arguments...]\n"
    "       simgpu devices | opcodes\n"
    "\n"
    "  --quiet        print neither faults nor the profile\n"
    "  --check        look for races, in shared and global memory and between launches and\n"
    "                 copies, for uninitialised reads and for divergent barriers, too; the\n"
    "                 first fault ends its launch\n"
    "  --check=continue  report each pair of lines once and go on; exit status 3 if faults\n"
    "                 were found and the program ended well. Out-of-bounds accesses and\n"
    "                 other errors that stop a device still end the launch\n"
    "  --test         for ctest and make: the exit status says what was found (below)\n"
    "  --suppressions FILE  leave out of what --check=continue finds what FILE names, in\n"
    "                 lines such as: shared-memory-race reduce.cu:41\n"
    "  --seed N       do independent work in an order drawn from N, and draw the errors of\n"
    "                 approximate instructions (ex2.approx, __expf) from it\n"
    "  --budget N     stop a kernel that runs more than N thread instructions\n"
    "  --threads N    use N threads (default: SIMGPU_THREADS, or one for each processor)\n"
    "  --csv FILE     write a row a launch; in the name of a FILE %n is the program's name and\n"
    "                 %p simgpu's process\n"
    "  --json FILE    write all counters, for other programs\n"
    "  --html FILE    write a page: the source with counters, and drawings of its accesses\n"
    "  --junit FILE   write a test's result for CI services: a case for each kernel\n"
    "  --sarif FILE   write what was found, a result for each pair of lines, for tools that\n"
    "                 show it next to the source (SARIF 2.1.0)\n"
    "  --timeline FILE  write when streams, copies and kernels would run on the device: a trace\n"
    "                 for ui.perfetto.dev and chrome://tracing, and a page, FILE.html\n"
    "  --memory N     end programs that fill more than N MiB of this machine's memory\n"
    "                 (default: no limit; with --control 70 % of what is free)\n"
    "  --control      let the program, which has to be the CUDA program itself, control\n"
    "                 the device (grader/simgpu/simgpu.h): for graders\n"
    "\n"
    "  --trace KERNEL show a warp of the kernel's first launch stepping, lanes and all\n"
    "  --steps N      show its first N steps (default: 24), or A-B: from step A to B\n"
    "  --block X,Y,Z  of this block (default: 0,0,0)\n"
    "  --warp N       and this warp in it (default: 0)\n"
    "\n"
    "It ends with the program's exit status, or with 70 if that is 0 but the program called\n"
    "something that is not simulated (it says what). With --test, the first that applies:\n"
    "  81   a bad address: out of bounds, use after free, null pointer, misaligned address,\n"
    "       a wrong address space, a texture or surface that is misused, shared memory of an\n"
    "       exited block\n"
    "  82   a race, or a missing cp.async wait\n"
    "  83   an uninitialised read\n"
    "  84   a divergent barrier, a wrong member mask, a misused barrier or mbarrier\n"
    "  85   the kernel does not end: deadlock, endless wait, too many steps\n"
    "  86   the kernel stopped itself: failed assertion, trap\n"
    "  87   another misuse, such as a stack overflow\n"
    "  70   the program used something that is not simulated\n"
    "  else the program's exit status, or 128 and the number of the signal that ended it\n"
    "64 stands for a bad option, 127 for a program that cannot be started.\n"
    "SIMGPU_DEVICE chooses the GPU that is simulated (simgpu devices lists them).\n";

const char *options_help(void)
{
    return HELP;
}

struct reading {
    struct options *options;
    char *complaint;
    size_t complaint_bytes;
};

static bool complain(const struct reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(const struct reading *reading, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reading->complaint, reading->complaint_bytes, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_number(const struct reading *reading, const char *name, uint64_t least,
                        uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(optarg, &end, 10);
    if (*optarg >= '0' && *optarg <= '9' && !*end && errno == 0 && *number >= least &&
        *number <= most)
        return true;
    if (most == UINT64_MAX)
        return complain(reading, "--%s takes a whole number, not \"%.60s\"", name, optarg);
    return complain(reading, "--%s takes a number from %llu to %llu, not \"%.60s\"", name,
                    (unsigned long long)least, (unsigned long long)most, optarg);
}

/* "40" or "100-140" */
static bool read_steps(const struct reading *reading)
{
    unsigned long long first = 0, last, count;
    int used = 0;
    if (sscanf(optarg, "%12llu-%12llu%n", &first, &last, &used) == 2 && !optarg[used] &&
        first <= last)
        count = last - first + 1;
    else if (sscanf(optarg, "%12llu%n", &count, &used) == 1 && !optarg[used])
        first = 0;
    else
        return complain(reading, "--steps takes a number, or two: --steps 40, --steps 100-140");
    if (count < 1 || count > MOST_STEPS || *optarg == '-')
        return complain(reading, "--steps shows from 1 to %d steps", MOST_STEPS);
    reading->options->steps.first = first;
    reading->options->steps.count = count;
    return true;
}

/* "3" or "3,1" or "3,1,0" */
static bool read_block(const struct reading *reading)
{
    uint32_t *block = reading->options->steps.block;
    int used[3] = {0};
    int numbers = sscanf(optarg, "%10u%n,%10u%n,%10u%n", &block[0], &used[0], &block[1], &used[1],
                         &block[2], &used[2]);
    if (numbers >= 1 && *optarg >= '0' && *optarg <= '9' && !optarg[used[numbers - 1]])
        return true;
    return complain(reading, "--block takes a block's index, as 3 or 3,1 or 3,1,0");
}

static bool set_output(const struct reading *reading, int output, const char *path)
{
    for (int i = 0; i < OUTPUTS; i++)
        if (i != output && reading->options->outputs[i].path &&
            strcmp(reading->options->outputs[i].path, path) == 0)
            return complain(reading, "two outputs cannot both be written to %.120s", path);
    reading->options->outputs[output].path = path;
    return true;
}

static bool read_file(const struct reading *reading, int output, const char *name)
{
    if (!*optarg)
        return complain(reading, "--%s takes the name of a file to write", name);
    if (output != OUTPUT_TIMELINE)
        return set_output(reading, output, optarg);
    char *lanes = reading->options->lanes.text;
    int length = snprintf(lanes, sizeof reading->options->lanes.text, "%s.html", optarg);
    if (length >= (int)sizeof reading->options->lanes.text)
        return complain(reading, "the name of the file for --%s is too long", name);
    return set_output(reading, OUTPUT_TIMELINE, optarg) && set_output(reading, OUTPUT_LANES, lanes);
}

static bool read_option(const struct reading *reading, int option, const char *name)
{
    struct options *options = reading->options;
    uint64_t number;
    switch (option) {
    case OPTION_QUIET: return options->quiet = true;
    case OPTION_HELP: return options->help = true;
    case OPTION_TEST: return options->test = true;
    case OPTION_SUPPRESSIONS: options->suppressions = optarg; return true;
    case OPTION_CONTROL: return options->control = true;
    case OPTION_MEMORY:
        if (!read_number(reading, name, 1, MOST_MEBIBYTES, &number))
            return false;
        options->memory_bytes = number << 20;
        return true;
    case OPTION_CHECK:
        options->checks = SIMGPU_CHECK_ALL;
        options->keep_going = optarg != NULL;
        return !optarg || strcmp(optarg, "continue") == 0 ||
               complain(reading, "--check takes nothing or =continue, not \"%.60s\"", optarg);
    case OPTION_SEED: return read_number(reading, name, 0, UINT64_MAX, &options->seed);
    case OPTION_BUDGET: return read_number(reading, name, 1, UINT64_MAX, &options->step_budget);
    case OPTION_THREADS:
        if (!read_number(reading, name, 1, MOST_WORKERS, &number))
            return false;
        options->workers = (unsigned)number;
        return true;
    case OPTION_TRACE: options->steps.kernel = optarg; return true;
    case OPTION_STEPS: return read_steps(reading);
    case OPTION_BLOCK: return read_block(reading);
    case OPTION_WARP:
        if (!read_number(reading, name, 0, MOST_WARP, &number))
            return false;
        options->steps.warp = (uint32_t)number;
        return true;
    default: return read_file(reading, option - OPTION_FILE, name);
    }
}

/* An option that getopt does not accept. */
static bool refuse(const struct reading *reading, int option, const char *word)
{
    if (option == ':')
        return complain(reading, "%.60s needs a value (simgpu run --help lists the options)", word);
    return complain(reading, "there is no option %.60s (simgpu run --help lists them)", word);
}

bool options_read(int count, char **words, struct options *options, char *complaint,
                  size_t complaint_bytes)
{
    const struct reading reading = {options, complaint, complaint_bytes};
    int index = 0;
    *options = (struct options){.steps.count = SCREENFUL};
    opterr = 0;
    for (;;) {
        const char *word = words[optind < count ? optind : count - 1];
        int option = getopt_long(count, words, "+:", OPTIONS, &index);
        if (option == -1)
            break;
        if (option == '?' || option == ':')
            return refuse(&reading, option, word);
        if (!read_option(&reading, option, OPTIONS[index].name))
            return false;
        if (options->help)
            return true;
    }
    if (options->suppressions && !options->keep_going)
        return complain(&reading, "--suppressions goes with --check=continue: otherwise what is "
                                  "found ends its launch");
    options->program = words + optind;
    if (!options->program[0])
        return complain(&reading, "name the program to run: simgpu run [options] -- program");
    return true;
}
