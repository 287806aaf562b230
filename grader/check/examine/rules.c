/* rules.c - see rules.h. */
#include "check/examine/rules.h"

#include "check/examine/bars.h"

#include <stdio.h>

static bool walk(struct lab *lab, const struct sets *sets, enum sets_side side, struct link *link,
                 struct runner_nodes *nodes, struct finding *finding)
{
    struct runner_command command;
    struct runner_answer answer;
    sets_command(sets, side, 1, &command);
    command.launch.walk = 1;
    if (!lab_launch(lab, link, &command, &answer, finding))
        return false;
    *nodes = answer.nodes;
    return true;
}

/* The count for a bar, if a graph shows it; otherwise NULL. */
static const uint32_t *count_of(const struct runner_nodes *nodes, enum judge_counter counter)
{
    return counter == JUDGE_LAUNCHES      ? &nodes->kernels
           : counter == JUDGE_COPIES      ? &nodes->copies
           : counter == JUDGE_ALLOCATIONS ? &nodes->allocations
                                          : NULL;
}

static bool is_held(const struct judge_bar *bar, uint32_t launcher)
{
    return bar->launchers == 0 || bar->launchers >> launcher & 1;
}

/* A wait or an allocation ends a capture. Is there a rule against both? */
static bool must_be_captured(const struct judge *judge, uint32_t launcher)
{
    unsigned forbidden = 0;
    for (size_t i = 0; i < judge->bar_count; i++) {
        const struct judge_bar *bar = &judge->bars[i];
        if (is_held(bar, launcher) && bar->at_most == 0)
            forbidden |=
                (bar->counter == JUDGE_ALLOCATIONS) | (bar->counter == JUDGE_SYNCHRONISATIONS) << 1;
    }
    return forbidden == 3;
}

static bool counts_hold(const struct judge *judge, uint32_t launcher,
                        const struct runner_nodes *nodes, struct finding *finding)
{
    for (size_t i = 0; i < judge->bar_count; i++) {
        const struct judge_bar *bar = &judge->bars[i];
        const uint32_t *count = count_of(nodes, bar->counter);
        if (!count || !is_held(bar, launcher) || bar->at_least > 0 || *count <= bar->at_most)
            continue;
        finding_set(finding, VERDICT_SLOW, "%s: %u on this GPU, at most %g", bar->message, *count,
                    bar->at_most);
        snprintf(finding->advice, sizeof finding->advice, "%s", bar->look_at);
        return false;
    }
    return true;
}

/* The graph does the work of a captured call, each time that it is launched. */
static bool is_in_graph(uint32_t of_reference, const struct runner_nodes *nodes,
                        struct finding *finding)
{
    if (of_reference == 0 || nodes->kernels > 0)
        return true;
    finding_set(finding, VERDICT_STREAM, "on this GPU a captured call adds no kernel to the graph");
    snprintf(finding->advice, sizeof finding->advice,
             "launch on the given stream, whether it is being captured or not");
    return false;
}

bool rules_hold(struct lab *lab, const struct sets *sets, struct link *reference,
                struct finding *finding)
{
    struct runner_nodes nodes;
    uint32_t launcher = sets->problem->launcher;
    if (sets->problem->script) /* several calls, some of which may do more than one alone */
        return true;
    if (!walk(lab, sets, SETS_OF_REFERENCE, reference, &nodes, finding))
        return false;
    if (nodes.error != cudaSuccess)
        return true;
    uint32_t kernels = nodes.kernels;
    if (!walk(lab, sets, SETS_OF_SUBMISSION, &lab->link, &nodes, finding))
        return false;
    if (nodes.error == cudaSuccess)
        return is_in_graph(kernels, &nodes, finding) &&
               counts_hold(lab->judge, launcher, &nodes, finding);
    if (!must_be_captured(lab->judge, launcher))
        return true;
    finding_set(finding, VERDICT_SLOW, "on this GPU a call cannot become part of a graph: %s",
                cudaGetErrorString((cudaError_t)nodes.error));
    snprintf(finding->advice, sizeof finding->advice,
             "a call cannot be captured if it waits, allocates memory, or uses another stream "
             "without joining it to the given one by events");
    return false;
}
