/* probes.c - times every timed case of one submission, alone: so lesson 0's probes measure what
 * this device can reach.
 *
 * On a GPU the launches of a case repeat over the same memory, so that small cases show the caches
 * and large ones the DRAM; the median of a few blocks counts. On the simulated device the modelled
 * time of one launch counts, with the same sizes if some blocks can represent all.
 */
#include "check/examine/data.h"
#include "check/examine/large.h"
#include "check/examine/sets.h"
#include "check/examine/spread.h"
#include "check/examine/stages.h"
#include "check/examine/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 5, WARM_UPS = 3, MOST_LAUNCHES = 256 };

#define BLOCK_NS 2e6

static bool launch(struct lab *lab, struct link *link, const struct sets *sets, uint32_t launches,
                   double *time_ns, struct finding *finding)
{
    struct runner_command command;
    struct runner_answer answer;
    sets_command(sets, SETS_OF_SUBMISSION, launches, &command);
    if (!lab_launch(lab, link, &command, &answer, finding))
        return false;
    *time_ns = (double)answer.milliseconds * 1e6 / launches;
    return true;
}

static bool time_on_gpu(struct lab *lab, struct link *link, const struct judge_case *problem,
                        double *time_ns, struct finding *finding)
{
    struct sets sets;
    double once_ns = 0, times[BLOCKS];
    bool timed = sets_open(lab, problem, 1, 1, &sets, finding) && sets_refresh(lab, &sets);
    if (timed) {
        sets_show(&sets, SETS_OF_SUBMISSION, link);
        timed = launch(lab, link, &sets, WARM_UPS, &once_ns, finding) &&
                launch(lab, link, &sets, WARM_UPS, &once_ns, finding);
    }
    uint32_t launches = (uint32_t)fmin(fmax(BLOCK_NS / fmax(once_ns, 1), 1), MOST_LAUNCHES);
    for (size_t i = 0; i < BLOCKS && timed; i++)
        timed = launch(lab, link, &sets, launches, &times[i], finding);
    if (timed)
        *time_ns = statistics_median(times, BLOCKS);
    if (link->pid)
        link_close(link, 0);
    sets_close(lab, &sets);
    return timed;
}

static bool modelled_time(struct lab *lab, double *time_ns)
{
    struct simgpu_report *report = NULL;
    if (lab->simgpu->report(&report) != SIMGPU_OK)
        return false;
    *time_ns = report->calls.modelled_ns;
    if (lab->shared) { /* then the time line has the runner's copies on it */
        *time_ns = 0;
        for (size_t i = 0; i < report->launch_count; i++)
            *time_ns += report->launches[i].modelled_ns;
    }
    lab->simgpu->report_free(report);
    return true;
}

static bool model(struct lab *lab, struct link *link, const struct judge_case *problem,
                  double *time_ns, struct finding *finding)
{
    struct image image;
    struct room room = {0};
    struct runner_command command = {.launch = {.problem = *problem, .sets = 1, .launches = 1}};
    struct runner_answer answer;
    bool done = image_make(lab->judge, problem, lab->seed, &image) &&
                room_open(lab, 0, image.total_bytes, &room, finding) &&
                room_write(lab, &room, image.bytes, image.total_bytes);
    if (done) {
        lab_places(&image, 0, &command.launch.set[0]);
        done = link_open(link, 0, &room.open) &&
               lab_launch(lab, link, &command, &answer, finding) && modelled_time(lab, time_ns);
    }
    lab_resume(lab);
    if (link->pid)
        link_close(link, 0);
    room_close(lab, &room);
    image_free(&image);
    return done;
}

/* The same for a GPU's case, with some of its blocks. */
static bool model_some(struct lab *lab, struct link *link, const struct judge_case *problem,
                       double *time_ns, struct finding *finding)
{
    struct spread spread;
    struct runner_command command;
    struct runner_answer answer;
    struct simgpu_options options = {.count = true,
                                     .sampling = large_options(lab, problem, lab->seed).sampling};
    lab->simgpu->set_options(&options);
    bool done = spread_open(lab, problem, lab->seed, &spread, finding);
    if (done) {
        spread_command(link, &spread, &command);
        done = lab_run(lab, link, &command, &(struct lab_fill){spread_fill, &spread}, &answer,
                       finding) &&
               modelled_time(lab, time_ns);
    }
    spread_close(lab, link, &spread);
    return done;
}

/* The cases that a GPU is measured with, if they can be sampled, which requires their truth element
 * by element. */
static size_t probe_cases(const struct lab *lab, struct judge_case *cases, bool *sampled)
{
    struct judge_device device = lab->device;
    *sampled = lab->simgpu && !lab->shared && lab->judge->truth_at;
    device.simulated = device.simulated && !*sampled;
    return lab->judge->timed(&device, cases, MOST_TIMED_CASES);
}

static json_t *probe_json(const struct judge *judge, const struct judge_case *problem,
                          double time_ns)
{
    struct judge_work work = judge->work(problem);
    return json_pack("{s:s, s:f, s:f, s:f}", "case", problem->name, "time_ns", time_ns, "bytes",
                     work.bytes, "flop", work.flop);
}

json_t *probes_stage(struct lab *lab)
{
    struct judge_case cases[MOST_TIMED_CASES];
    struct finding finding = {.verdict = VERDICT_PASS};
    struct link *link = calloc(1, sizeof *link);
    bool sampled;
    turn_alone(&lab->turn);
    lab_look_at_memory(lab);
    size_t count = probe_cases(lab, cases, &sampled);
    json_t *list = json_array();
    if (lab->simgpu)
        lab->simgpu->set_options(&(struct simgpu_options){.count = true});
    bool well = lab_start(lab, link, lab->reference, &finding);
    for (size_t i = 0; i < count && well; i++) {
        double time_ns = 0;
        lab_progress("measuring %s", cases[i].name);
        well = (sampled       ? model_some
                : lab->simgpu ? model
                              : time_on_gpu)(lab, link, &cases[i], &time_ns, &finding);
        if (well && time_ns > 0)
            json_array_append_new(list, probe_json(lab->judge, &cases[i], time_ns));
        else if (well) /* an infinite ceiling would spoil every verdict */
            finding_set(&finding, VERDICT_DEVICE, "the device gave no time for \"%s\"",
                        cases[i].name);
        well = well && time_ns > 0;
    }
    if (!well && finding.verdict == VERDICT_PASS)
        finding_set(&finding, VERDICT_DEVICE, "the device stopped answering");
    link_stop(link);
    free(link);
    json_t *result = finding_json(&finding);
    json_object_set_new(result, "probes", list);
    return result;
}
