/* stray.c - see stray.h. */
#include "check/examine/stray.h"

#include <stdio.h>
#include <string.h>

/* Stretches are in the order of blocks. */
static void count_blocks(const struct simgpu_launch *launch, uint64_t address, struct stray *stray)
{
    const struct simgpu_stretch *last = NULL, *last_stray = NULL;
    for (size_t i = 0; i < launch->stretch_count; i++) {
        const struct simgpu_stretch *it = &launch->stretches[i];
        if (it->bytes == 0)
            continue;
        stray->all += !last || last->block != it->block;
        last = it;
        if (it->address != address || (last_stray && last_stray->block == it->block))
            continue;
        stray->block = stray->stray && stray->block < it->block ? stray->block : it->block;
        stray->stray++;
        last_stray = it;
    }
}

static struct simgpu_place only_store(const struct simgpu_launch *launch)
{
    struct simgpu_place place = {.file = ""};
    size_t count = 0;
    for (size_t i = 0; i < launch->line_count; i++)
        if (launch->lines[i].global_store.requests) {
            place = launch->lines[i].place;
            count++;
        }
    return count == 1 ? place : (struct simgpu_place){.file = ""};
}

bool stray_store(const struct simgpu_report *report, uint64_t address, struct stray *stray)
{
    for (size_t i = 0; i < report->launch_count; i++) {
        *stray = (struct stray){.place = only_store(&report->launches[i])};
        count_blocks(&report->launches[i], address, stray);
        if (stray->stray && 4 * stray->stray <= 3 * stray->all)
            return true;
    }
    return false;
}

bool stray_say(const struct stray *stray, const char *problem, const char *input,
               struct finding *finding)
{
    const char *base = strrchr(stray->place.file, '/');
    snprintf(finding->advice, sizeof finding->advice,
             "widen before you multiply: an offset past 2^31 elements does not fit 32 bits");
    snprintf(finding->file, sizeof finding->file, "%s", base ? base + 1 : stray->place.file);
    finding->line = stray->place.line;
    return finding_set(finding, VERDICT_OUT_OF_BOUNDS,
                       "case %s: %llu of the %llu blocks that ran store to the input %s, block "
                       "%llu first: an index has left its array and reached another",
                       problem, (unsigned long long)stray->stray, (unsigned long long)stray->all,
                       input, (unsigned long long)stray->block);
}
