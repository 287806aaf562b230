/* recorder.c - writes down what the warps of a kernel do, for the figures in the notes.
 *
 * The figures show real kernels, so what they show is recorded, not thought up: this program is
 * the simulated device itself, linked with two hooks. The linker's --wrap puts our function in the
 * place of the machine's and leaves us the original as __real_...:
 *
 *     observers_launch_init   a launch begins: from now on each instruction of its first block
 *                             passes through record_step on the way to its handler
 *     sectors_access,         an access: the lanes' addresses, which no counter keeps
 *     banks_access
 *
 * The file named by RECORD gets a row for each warp instruction that had lanes on:
 *
 *     launch,kernel,warp,level,line,mnemonic,lanes,space,bytes,addresses
 *
 * level counts the barriers the warp has passed; lanes is a mask in hexadecimal; addresses are
 * offsets in bytes, one for each of the 32 lanes ("-" for one that is off): of global memory from
 * the start of its allocation, of shared memory as they are. The order is the machine's own.
 *
 * What draws from it: lessons/site/filter/draw_*.lua.
 */
#include "machine_internal.h"
#include "opcode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 40000, MOST_LAUNCHES = 64, ROW_BYTES = 1200 };

/* The handlers that record_step stands in for, by op id; of one module after the other. */
static struct {
    const struct module *module;
    op_handler **handler;
} hooked[MOST_LAUNCHES];

static FILE *file;
static uint32_t launches, rows;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The access of the step under way, if it makes one. */
static _Thread_local char access_text[ROW_BYTES];

/* --- Rows ------------------------------------------------------------------------------------- */

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

static bool is_recorded(const struct warp *warp)
{
    return warp->block->number == 0 && rows < MOST_ROWS;
}

static unsigned barriers_passed(const struct warp *warp, const struct op *op, const char *mnemonic)
{
    static _Thread_local unsigned passed[MOST_WARPS];
    static _Thread_local uint32_t launch; /* that they belong to, by number */
    if (launch != launches)
        memset(passed, 0, sizeof passed);
    launch = launches;
    unsigned before = passed[warp->index];
    /* A barrier is run twice: to arrive, and once all are there. Only the second counts. */
    if (op->id && strncmp(mnemonic, "bar", 3) == 0 && warp->split->released)
        passed[warp->index]++;
    return before;
}

static op_handler *handler_of(const struct warp *warp, const struct op *op)
{
    const struct module *module = block_launch(warp)->function->module;
    for (int i = 0; i < MOST_LAUNCHES; i++)
        if (hooked[i].module == module)
            return hooked[i].handler[op->id];
    abort(); /* a hook without its module: cannot be */
}

/* Stands in for the handler of every op. */
static void record_step(struct warp *warp, const struct op *op, lane_mask active)
{
    op_handler *run = handler_of(warp, op);
    const struct function *function = block_launch(warp)->function;
    const char *mnemonic = opcode_at(function->module->ops[op->id].row)->mnemonic;
    unsigned line = fault_line(warp, op)->line, warp_index = warp->index;
    bool recorded = is_recorded(warp);
    unsigned level = recorded ? barriers_passed(warp, op, mnemonic) : 0;
    access_text[0] = 0;
    run(warp, op, active);
    if (!recorded || warp->again)
        return;
    pthread_mutex_lock(&lock);
    rows++;
    fprintf(file, "%u,%s,%u,%u,%u,%s,%08" PRIx32 ",%s\n", launches, function->name, warp_index,
            level, line, mnemonic, active, access_text[0] ? access_text : ",,");
    pthread_mutex_unlock(&lock);
}

static void keep_access(const struct access *access, const char *space, uint64_t start)
{
    if (!is_recorded(access->warp) || access_text[0])
        return;
    int used = snprintf(access_text, sizeof access_text, "%s,%" PRIu32 ",", space, access->bytes);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (access->active >> lane & 1)
            used += snprintf(access_text + used, sizeof access_text - (size_t)used, "%" PRIu64 " ",
                             access->base + (uint64_t)access->shape->delta[lane] - start);
        else
            used += snprintf(access_text + used, sizeof access_text - (size_t)used, "- ");
    access_text[used - 1] = 0;
}

/* --- Hooks ------------------------------------------------------------------------------------ */

void __real_sectors_access(const struct access *access, struct site *site);
void __real_banks_access(const struct access *access, struct site *site);
bool __real_observers_launch_init(struct launch *launch);

void __wrap_sectors_access(const struct access *access, struct site *site)
{
    __real_sectors_access(access, site);
    if (access->space == SPACE_GLOBAL && access->allocation)
        keep_access(access, "global", access->allocation->address);
}

void __wrap_banks_access(const struct access *access, struct site *site)
{
    __real_banks_access(access, site);
    if (access->space == SPACE_SHARED)
        keep_access(access, "shared", 0);
}

/* Matrix instructions find out what they are by their handler, so theirs stay as they are. */
static bool may_be_hooked(const struct module *module, const struct op *op)
{
    return strncmp(opcode_at(module->ops[op->id].row)->mnemonic, "wmma", 4) != 0;
}

static void hook(const struct module *module)
{
    int at = 0;
    while (at < MOST_LAUNCHES && hooked[at].module && hooked[at].module != module)
        at++;
    if (at == MOST_LAUNCHES || hooked[at].module == module)
        return;
    op_handler **handler = calloc(module->op_count + 1, sizeof *handler);
    if (!handler)
        return;
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < module->functions[f].op_count; i++) {
            struct op *op = &module->functions[f].ops[i];
            handler[op->id] = op->run;
            if (may_be_hooked(module, op))
                op->run = record_step;
        }
    hooked[at].handler = handler;
    hooked[at].module = module;
}

bool __wrap_observers_launch_init(struct launch *launch)
{
    if (!file)
        open_file();
    launches++;
    rows = 0;
    hook(launch->function->module);
    return __real_observers_launch_init(launch);
}
