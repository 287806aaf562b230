/* steps.c - a warp step by step: each instruction, and which of the 32 lanes it runs for.
 *
 *     diverge.cu:28  v = expf(v);
 *         14  ex2.approx.ftz.f32 %f4, %f3        .#...#...#...#...#...#...#...#..  1
 *
 * The machine reports each step of the warp; the requested ones are kept, and printed when the
 * launch is over.
 */
#include "steps.h"

#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, COLUMNS = 80, PTX_COLUMNS = 34, MOST_KERNELS_NAMED = 6 };

struct steps {
    struct step_options options;
    struct device *device; /* its lock guards what follows, and names */
    bool taken, told;      /* a launch is watched; and it has taken steps */
    struct sim_step *kept;
    uint64_t count;
    uint64_t all;   /* reported, up to the last one requested */
    char seen[256]; /* kernels that were launched, for the complaint */
    unsigned seen_count;
};

struct steps *steps_new(const struct step_options *options, struct device *device)
{
    struct steps *steps = calloc(1, sizeof *steps);
    if (!steps)
        return NULL;
    steps->options = *options;
    steps->device = device;
    steps->kept = calloc(options->count, sizeof *steps->kept);
    if (steps->kept)
        return steps;
    free(steps);
    return NULL;
}

/* --- Watching --------------------------------------------------------------------------------- */

static bool keep(void *context, const struct sim_step *step)
{
    struct steps *steps = context;
    const struct step_options *options = &steps->options;
    steps->all = step->number + 1;
    if (step->number >= options->first && steps->count < options->count)
        steps->kept[steps->count++] = *step;
    return step->number + 1 < options->first + options->count;
}

/* "conflicts" and "conflicts<32>" both mean conflicts<32>. */
static bool is_called(const char *name, const char *asked)
{
    size_t length = strlen(asked);
    return strncmp(name, asked, length) == 0 && (name[length] == 0 || name[length] == '<');
}

static void note_name(struct steps *steps, const char *name)
{
    size_t used = strlen(steps->seen), room = sizeof steps->seen - used;
    if (strstr(steps->seen, name) || steps->seen_count == MOST_KERNELS_NAMED)
        return;
    snprintf(steps->seen + used, room, "%s%s", steps->seen_count ? ", " : "", name);
    steps->seen_count++;
}

void steps_begin(struct steps *steps, const char *kernel, struct sim_launch_config *config)
{
    if (!steps)
        return;
    pthread_mutex_lock(&steps->device->lock);
    const char *name = profile_name(steps->device->history, kernel);
    bool asked =
        strcmp(kernel, steps->options.kernel) == 0 || is_called(name, steps->options.kernel);
    note_name(steps, name);
    if (asked && !steps->taken) {
        steps->taken = true;
        config->watch =
            (struct sim_watch){.step = keep, .context = steps, .warp = steps->options.warp};
        memcpy(config->watch.block, steps->options.block, sizeof config->watch.block);
    }
    pthread_mutex_unlock(&steps->device->lock);
}

/* --- Showing ---------------------------------------------------------------------------------- */

/* One character per lane: it runs, a guard switched it off, it waits on another path, it has
 * exited. */
static void draw_lanes(const struct sim_step *step, char *text)
{
    for (int lane = 0; lane < LANES; lane++) {
        uint32_t bit = UINT32_C(1) << lane;
        text[lane] = step->active & bit ? '#'
                     : step->mask & bit ? 'o'
                     : step->live & bit ? '.'
                                        : ' ';
    }
    text[LANES] = 0;
}

static void print_place(const struct profile *sources, const struct sim_line *line, FILE *stream)
{
    size_t length = 0;
    const char *text = profile_source_line(sources, line->file, line->line, &length);
    while (length && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    int used = fprintf(stream, "  %s:%u  ", profile_base_name(line->file), line->line);
    int room = COLUMNS - used;
    fprintf(stream, "%.*s\n",
            room < 0             ? 0
            : (int)length < room ? (int)length
                                 : room,
            text ? text : "");
}

/* What happened to the paths of the warp between two steps. */
static void print_change(const struct sim_step *before, const struct sim_step *now, FILE *stream)
{
    unsigned running = (unsigned)__builtin_popcount(now->mask);
    if (now->depth > before->depth)
        fprintf(stream, "        -- lanes part: %u go on, the others wait (depth %u to %u)\n",
                running, before->depth, now->depth);
    else if (now->depth < before->depth)
        fprintf(stream, "        -- lanes meet: %u go on together (depth %u to %u)\n", running,
                before->depth, now->depth);
    else if (now->mask & ~before->mask)
        fprintf(stream, "        -- the other path: %u lanes (depth %u)\n", running, now->depth);
}

static void print_step(const struct sim_step *step, const struct function *kernel, FILE *stream)
{
    char ptx[128], lanes[LANES + 1];
    sim_kernel_ptx(kernel, step->ptx_line, ptx, sizeof ptx);
    draw_lanes(step, lanes);
    if (strlen(ptx) > PTX_COLUMNS)
        strcpy(ptx + PTX_COLUMNS - 2, "..");
    fprintf(stream, "%6" PRIu64 "  %-*s  %s  %u\n", step->number, PTX_COLUMNS, ptx, lanes,
            step->depth);
}

static void print_steps(const struct steps *steps, const struct function *kernel, FILE *stream)
{
    const struct sim_step *before = NULL;
    struct profile sources = {0};
    for (uint64_t i = 0; i < steps->count; i++) {
        const struct sim_step *step = &steps->kept[i];
        bool new_line = !before || before->line.line != step->line.line ||
                        strcmp(before->line.file, step->line.file) != 0;
        if (before)
            print_change(before, step, stream);
        if (new_line && step->line.line) {
            profile_source_read(&sources, step->line.file);
            print_place(&sources, &step->line, stream);
        }
        print_step(step, kernel, stream);
        before = step;
    }
    profile_sources_free(sources.sources);
}

void steps_end(const struct sim_launch_config *config, const struct function *kernel, FILE *stream)
{
    struct steps *steps = config->watch.context;
    struct sim_kernel_info info;
    if (!steps || steps->all == 0)
        return;
    const struct step_options *options = &steps->options;
    sim_kernel_info(NULL, kernel, &info);
    steps->told = true;
    pthread_mutex_lock(&steps->device->lock);
    const char *name = profile_name(steps->device->history, info.name);
    pthread_mutex_unlock(&steps->device->lock);
    fprintf(stream,
            "\n  %s, block (%u,%u,%u), warp %u: a character a lane, 0 to 31\n"
            "  # runs   o switched off by @%%p   . waits on another path   (blank) has exited\n"
            "\n%6s  %-*s  %-*s%s\n",
            name, options->block[0], options->block[1], options->block[2], options->warp, "step",
            PTX_COLUMNS, "PTX", LANES - 2, "lanes", "depth");
    print_steps(steps, kernel, stream);
    if (steps->all < options->first + options->count)
        fprintf(stream, "  the warp ends here, after %" PRIu64 " steps\n", steps->all);
    else
        fprintf(stream, "  ... --steps %" PRIu64 "-%" PRIu64 " shows what comes next\n", steps->all,
                steps->all + options->count - 1);
}

bool steps_finish(struct steps *steps, char *complaint, size_t bytes)
{
    bool told = steps->told;
    if (steps->taken && !told)
        snprintf(complaint, bytes, "--trace shows nothing: %s has no warp %u in block (%u,%u,%u)",
                 steps->options.kernel, steps->options.warp, steps->options.block[0],
                 steps->options.block[1], steps->options.block[2]);
    else if (!told)
        snprintf(complaint, bytes, "--trace shows nothing: no kernel %.60s was launched%s%s",
                 steps->options.kernel, steps->seen_count ? "; there were " : "", steps->seen);
    free(steps->kept);
    free(steps);
    return told;
}
