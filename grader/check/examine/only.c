/* only.c - copies a judge, and the cases of one launcher with it. */
#include "check/examine/only.h"

#include "check/examine/stages.h"

#include <stdlib.h>
#include <string.h>

static struct {
    const struct judge *whole;
    uint32_t launcher;
    struct judge judge;
    struct judge_case *cases, *large;
} one;

static size_t keep(const struct judge_case *cases, size_t count, uint32_t launcher,
                   struct judge_case *kept)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (cases[i].launcher == launcher) {
            kept[found] = cases[i];
            for (uint32_t back = 1; back < cases[i].after; back++) /* those between are not kept */
                kept[found].after -= cases[i - back].launcher != launcher;
            found++;
        }
    return found;
}

static bool has_cases(const struct judge *judge, uint32_t launcher)
{
    for (size_t i = 0; i < judge->case_count; i++)
        if (judge->cases[i].launcher == launcher)
            return true;
    return false;
}

static size_t timed_of_one(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    struct judge_case all[MOST_TIMED_CASES];
    size_t count = one.whole->timed(device, all, MOST_TIMED_CASES);
    count = keep(all, count, one.launcher, all);
    count = count < room ? count : room;
    memcpy(cases, all, count * sizeof *cases);
    return count;
}

json_t *only_parts(const struct judge *judge)
{
    json_t *parts = json_array();
    for (uint32_t i = 0; judge->launchers[i]; i++)
        if (has_cases(judge, i))
            json_array_append_new(parts, json_string(judge->launchers[i]));
    return parts;
}

const struct judge *only_judge(const struct judge *judge, const char *launcher)
{
    uint32_t index = 0;
    while (judge->launchers[index] && strcmp(judge->launchers[index], launcher) != 0)
        index++;
    if (!judge->launchers[index] || !has_cases(judge, index))
        return NULL;
    free(one.cases);
    free(one.large);
    one.cases = calloc(judge->case_count, sizeof *one.cases);
    one.large = calloc(judge->large_count + 1, sizeof *one.large);
    if (!one.cases || !one.large)
        return NULL;
    one.whole = judge;
    one.launcher = index;
    one.judge = *judge;
    one.judge.cases = one.cases;
    one.judge.case_count = keep(judge->cases, judge->case_count, index, one.cases);
    one.judge.large = one.large;
    one.judge.large_count = keep(judge->large, judge->large_count, index, one.large);
    one.judge.timed = timed_of_one;
    return &one.judge;
}

bool only_is_timed(const struct judge *judge, const struct judge_device *device)
{
    struct judge_case cases[MOST_TIMED_CASES];
    return judge->timed(device, cases, MOST_TIMED_CASES) > 0;
}
