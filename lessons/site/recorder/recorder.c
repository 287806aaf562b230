/* recorder.c - an observer that writes down what the warps of a kernel do, for the notes' figures.
 *
 * The figures show real kernels, so what they show is recorded, not thought up: this program is the
 * simulated device itself with one observer more (recorder.def). It follows the warps of each
 * launch's first block, and writes to the file named by RECORD a row for each warp instruction that
 * had lanes on:
 *
 *     launch,kernel,warp,level,line,mnemonic,lanes,space,bytes,addresses
 *
 * level counts the barriers the warp has passed; lanes is a mask in hexadecimal; addresses are
 * offsets in bytes, one for each of the 32 lanes ("-" for one that is off): of global memory from
 * the start of its allocation, of shared memory as they are. The order is the machine's own, of one
 * thread (simgpu run --threads 1).
 *
 * What draws from it: lessons/site/filter/draw_*.lua. How to watch a launch: observer.h.
 */
#include "machine_internal.h"
#include "opcode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROWS = 40000, ROW_BYTES = 1200 };

/* Of one launch. */
struct recording {
    uint32_t launch, rows;
    unsigned passed[MOST_WARPS]; /* barriers, by warp */
    bool passes;                 /* one more in the step under way */
    char access[ROW_BYTES];      /* that of the step under way; empty when it makes none */
};

static FILE *file;
static uint32_t launches;

static void open_file(void)
{
    const char *path = getenv("RECORD");
    file = path ? fopen(path, "w") : NULL;
    if (!file) {
        fprintf(stderr, "recorder: RECORD names no file that can be written\n");
        exit(EXIT_FAILURE);
    }
    fprintf(file, "launch,kernel,warp,level,line,mnemonic,lanes,space,bytes,addresses\n");
}

static struct recording *recording_of(const struct warp *warp)
{
    return block_launch(warp)->own[OBSERVER_recorder];
}

static bool launch_begin(struct launch *launch)
{
    if (!file)
        open_file();
    struct recording *recording = calloc(1, sizeof *recording);
    if (recording)
        recording->launch = ++launches;
    launch->own[OBSERVER_recorder] = recording;
    return recording;
}

static void launch_free(struct launch *launch)
{
    free(launch->own[OBSERVER_recorder]);
}

static uint32_t follows(const struct block *block)
{
    return block->number == 0 ? UINT32_MAX : 0;
}

/* Of an instruction that makes several accesses the first one is shown. */
static void access(const struct access *access, struct site *site)
{
    struct recording *recording = recording_of(access->warp);
    bool is_global = access->space == SPACE_GLOBAL && access->allocation;
    uint64_t start = is_global ? access->allocation->address : 0;
    char *text = recording->access;
    (void)site;
    if (*text || (!is_global && access->space != SPACE_SHARED))
        return;
    int used = snprintf(text, ROW_BYTES, "%s,%" PRIu32 ",", is_global ? "global" : "shared",
                        access->bytes);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (access->active >> lane & 1)
            used += snprintf(text + used, ROW_BYTES - (size_t)used, "%" PRIu64 " ",
                             access->base + (uint64_t)access->shape->delta[lane] - start);
        else
            used += snprintf(text + used, ROW_BYTES - (size_t)used, "- ");
    text[used - 1] = 0;
}

static void passed(struct warp *warp, uint32_t id)
{
    (void)id;
    recording_of(warp)->passes = true;
}

/* It waits: the step under way was none. */
static void left(struct warp *warp, const struct basic_block *block)
{
    (void)block;
    recording_of(warp)->access[0] = 0;
}

static void step(struct warp *warp, const struct step *step)
{
    struct recording *recording = recording_of(warp);
    const struct function *function = block_launch(warp)->function;
    const struct op *op = step->op;
    if (recording->rows >= MOST_ROWS) {
        observer_leaves(warp, OBSERVER_recorder);
        return;
    }
    if (step->active)
        fprintf(file, "%u,%s,%u,%u,%u,%s,%08" PRIx32 ",%s\n", recording->launch, function->name,
                warp->index, recording->passed[warp->index], fault_line(warp, op)->line,
                opcode_at(function->module->ops[op->id].row)->mnemonic, step->active,
                recording->access[0] ? recording->access : ",,");
    recording->rows += step->active != 0;
    recording->passed[warp->index] += recording->passes;
    recording->passes = false;
    recording->access[0] = 0;
}

const struct observer observer_recorder = {.name = "recorder",
                                           .launch_begin = launch_begin,
                                           .launch_free = launch_free,
                                           .follows = follows,
                                           .access = access,
                                           .passed = passed,
                                           .left = left,
                                           .step = step};
