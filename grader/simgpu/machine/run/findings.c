/* findings.c - what a launch that goes on has found: each pair of lines once, and how often.
 *
 * A fault that a device does not notice by itself (a race, an undefined value, a barrier or a mask
 * that lanes disagree about) need not end the launch. Which thread of which block is named must not
 * depend on the number of workers: it is the first one of the lowest block. Next: fault.c.
 */
#include "findings.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FINDINGS = 1024, MOST_PAIRS = 8 * MOST_FINDINGS };

struct kept {
    struct sim_finding finding;
    uint64_t block; /* where it was found, by number */
};

struct known { /* ops that stand at a finding's lines */
    struct finding_pair pair;
    uint32_t at;
};

struct findings {
    struct kept kept[MOST_FINDINGS];
    struct known known[MOST_PAIRS];
    uint32_t count, known_count;
    struct sim_finding sorted[MOST_FINDINGS];
};

/* NULL without memory: then the fault ends the launch. */
static struct findings *findings_of(struct launch *launch)
{
    if (!launch->findings)
        launch->findings = calloc(1, sizeof *launch->findings);
    return launch->findings;
}

static bool same_pair(const struct finding_pair *one, const struct finding_pair *other)
{
    return one->kind == other->kind && one->op == other->op && one->other == other->other;
}

bool findings_again(struct launch *launch, const struct finding_pair *pair, uint64_t block)
{
    bool told = false;
    pthread_mutex_lock(&launch->lock);
    const struct findings *findings = launch->findings;
    for (uint32_t i = 0; findings && i < findings->known_count && !told; i++)
        if (same_pair(&findings->known[i].pair, pair)) {
            struct kept *kept = &launch->findings->kept[findings->known[i].at];
            told = kept->block <= block;
            kept->finding.count += told;
        }
    pthread_mutex_unlock(&launch->lock);
    return told;
}

static bool same_place(const struct sim_line *one, const struct sim_line *other)
{
    bool same_file = one->file == other->file ||
                     (one->file && other->file && strcmp(one->file, other->file) == 0);
    return same_file && one->line == other->line;
}

/* Which side of a race comes second is chance. */
static bool same_fault(const struct sim_fault *one, const struct sim_fault *other)
{
    bool alike = same_place(&one->line, &other->line) && same_place(&one->other, &other->other);
    bool turned = one->kind == SIM_FAULT_RACE && same_place(&one->line, &other->other) &&
                  same_place(&one->other, &other->line);
    return one->kind == other->kind && (alike || turned);
}

static bool add(struct findings *findings, const struct finding_pair *pair, uint64_t block,
                const struct sim_fault *fault)
{
    uint32_t at = 0;
    while (at < findings->count && !same_fault(&findings->kept[at].finding.fault, fault))
        at++;
    if (at == MOST_FINDINGS)
        return false;
    struct kept *kept = &findings->kept[at];
    if (at == findings->count) {
        findings->count++;
        *kept = (struct kept){.block = UINT64_MAX};
    }
    kept->finding.count++;
    if (block < kept->block) {
        kept->finding.fault = *fault;
        kept->block = block;
    }
    if (findings->known_count < MOST_PAIRS)
        findings->known[findings->known_count++] = (struct known){*pair, at};
    return true;
}

bool findings_add(struct launch *launch, const struct finding_pair *pair, uint64_t block,
                  const struct sim_fault *fault)
{
    pthread_mutex_lock(&launch->lock);
    struct findings *findings = findings_of(launch);
    bool ok = findings && add(findings, pair, block, fault);
    pthread_mutex_unlock(&launch->lock);
    return ok;
}

static int by_place(const void *one, const void *other)
{
    const struct sim_fault *a = &((const struct sim_finding *)one)->fault;
    const struct sim_fault *b = &((const struct sim_finding *)other)->fault;
    int files = a->line.file && b->line.file ? strcmp(a->line.file, b->line.file) : 0;
    if (files)
        return files;
    if (a->line.line != b->line.line)
        return a->line.line < b->line.line ? -1 : 1;
    if (a->other.line != b->other.line)
        return a->other.line < b->other.line ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

/* A thread that, for want of a barrier, reads shared memory before another has written it reads
 * unwritten memory, too: of the two faults, the race is the one to report. */
static bool comes_of_race(const struct findings *findings, const struct sim_fault *fault)
{
    bool found = false;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct sim_fault *race = &findings->kept[i].finding.fault;
        found |= race->kind == SIM_FAULT_RACE &&
                 (same_place(&race->line, &fault->line) || same_place(&race->other, &fault->line));
    }
    return found && fault->kind == SIM_FAULT_UNINITIALISED && fault->of_shared;
}

const struct sim_finding *sim_launch_findings(struct launch *launch, size_t *count)
{
    struct findings *findings = launch->findings;
    *count = 0;
    if (!findings)
        return NULL;
    for (uint32_t i = 0; i < findings->count; i++)
        if (!comes_of_race(findings, &findings->kept[i].finding.fault))
            findings->sorted[(*count)++] = findings->kept[i].finding;
    qsort(findings->sorted, *count, sizeof *findings->sorted, by_place);
    return findings->sorted;
}
