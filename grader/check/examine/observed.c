/* observed.c - see observed.h. The outputs were right; here the device must have observed how they
 * came about. */
#include "check/examine/observed.h"

#include "check/examine/image.h"

#include <stdio.h>

/* The blocks that ran represent all, although some have less to do than others: of three that go
 * from tile to tile, one may have one tile fewer. Their outputs were compared with the truth one by
 * one. */
static const double SAMPLED_SHARE = 0.5;

/* Bytes of outputs that start as poison; an output that shares an input's memory may be right
 * unchanged. */
static double output_bytes(const struct judge *judge, const struct judge_case *problem)
{
    struct image image;
    double bytes = 0;
    image_layout(judge, problem, IMAGE_ALIGNMENT, &image);
    for (size_t i = 0; i < image.count; i++) {
        const struct image_part *part = &image.part[i];
        if (part->buffer.role == JUDGE_OUT && !part->buffer.optional && part->home == i)
            bytes += (double)part->size_bytes;
    }
    return bytes;
}

/* Bytes stored by kernels, copies and memsets; lanes with the same address count once in a
 * request. */
static double stored_bytes(const struct simgpu_report *report, bool *sampled)
{
    double bytes = (double)report->calls.moved_bytes;
    *sampled = false;
    for (size_t i = 0; i < report->launch_count; i++) {
        const struct simgpu_launch *launch = &report->launches[i];
        bytes += (double)launch->global_store.distinct_bytes +
                 (double)launch->global_atomic.distinct_bytes +
                 (double)launch->global_reduction.distinct_bytes;
        *sampled |= launch->blocks_run < launch->blocks;
    }
    return bytes;
}

/* Are as many bytes stored as the outputs have; where some blocks ran, about as many? What a
 * library stores is not counted. */
static bool stores_enough(const struct lab *lab, const struct judge_case *problem,
                          const struct simgpu_report *report, bool *sampled)
{
    double stored = stored_bytes(report, sampled);
    double needed = output_bytes(lab->judge, problem) * (*sampled ? SAMPLED_SHARE : 1);
    return (report->calls.library_products && lab->judge->libraries) || stored >= needed;
}

static bool impossible(struct finding *finding, const char *what)
{
    finding_set(finding, VERDICT_IMPOSSIBLE, "the outputs are right, but %s", what);
    snprintf(finding->advice, sizeof finding->advice,
             "kernels of a call must do that call's work, on the stream that it is given");
    return false;
}

bool observed_stand_for_all(const struct lab *lab, const struct judge_case *problem,
                            const struct simgpu_report *report)
{
    bool sampled, enough = stores_enough(lab, problem, report, &sampled);
    return enough || !sampled || !judge_has_work(lab->judge->work(problem));
}

bool observed(const struct lab *lab, const struct judge_case *problem,
              const struct simgpu_report *report, const struct figures *figures,
              struct finding *finding)
{
    const struct simgpu_calls *calls = &report->calls;
    bool sampled;
    const struct figure *waits = &figures->counter[JUDGE_SYNCHRONISATIONS];
    if (!judge_has_work(lab->judge->work(problem)))
        return true;
    if (calls->launches + calls->copies + calls->sets == 0)
        return impossible(finding, "the device has seen no kernel, no copy and no memset");
    if ((double)calls->launches < lab->judge->work(problem).launches)
        return impossible(finding, "the device has seen fewer kernels than the products that were "
                                   "asked for");
    if (!stores_enough(lab, problem, report, &sampled))
        return impossible(finding, "the device has seen fewer bytes stored than they have");
    if (!figure_is_number(waits) || waits->value < 0)
        return impossible(finding, "the device has not seen the runner wait for them");
    if (figures->sums.modelled_ns <= 0)
        return impossible(finding, "no time was spent on the device");
    return true;
}
