/* reference.c - counts the reference on a device of its own, which no submission has ever used. */
#include "check/examine/reference.h"

#include "check/examine/data.h"
#include "check/examine/regimes.h"
#include "check/examine/stages.h"
#include "check/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool reference_of(const json_t *kept, struct timed *timed, struct figures_reference *reference,
                  struct finding *finding)
{
    const json_t *of = json_object_get(kept, timed->problem->name);
    const char *unsampled = record_text(of, "unsampled");
    *reference =
        (struct figures_reference){.known = true,
                                   .warp_instructions = record_real(of, "warp_instructions"),
                                   .load_bytes = record_real(of, "load_bytes"),
                                   .asked_bytes = record_real(of, "asked_bytes"),
                                   .modelled_ns = record_real(of, "modelled_ns")};
    snprintf(timed->unsampled, sizeof timed->unsampled, "%s", unsampled);
    timed->reference_is_whole = *unsampled;
    timed->reference_is_timed = *unsampled && reference->modelled_ns > 0;
    if (*unsampled)
        return false;
    double all = reference->warp_instructions + reference->load_bytes + reference->asked_bytes;
    return (isfinite(all) && reference->modelled_ns > 0) ||
           finding_set(finding, VERDICT_INTERNAL, "the reference was not counted in the case %s",
                       timed->problem->name);
}

/* {"warp_instructions", ...}, or {"unsampled": why}; both where only times are known. NULL with a
 * finding. */
static json_t *count(struct lab *lab, struct link *link, struct timed *timed,
                     struct finding *finding)
{
    const struct figures_reference unknown = {.known = false};
    struct measured measured = {.report = NULL};
    const struct figures_reference *sums = &measured.figures.sums;
    json_t *counted = NULL;
    bool is_counted = false;
    measure_options(lab, timed, false, 0);
    if (link->pid || lab_start(lab, link, lab->reference, finding))
        is_counted = measure(lab, link, timed, &unknown, &measured, finding);
    if (is_counted || timed->timed_alone)
        counted = json_pack("{s:f, s:f, s:f, s:f}", "warp_instructions", sums->warp_instructions,
                            "load_bytes", sums->load_bytes, "asked_bytes", sums->asked_bytes,
                            "modelled_ns", sums->modelled_ns);
    else if (timed->unsampled[0])
        counted = json_object();
    if (timed->unsampled[0])
        json_object_set_new(counted, "unsampled", json_string(timed->unsampled));
    measure_forget(lab, &measured);
    return counted;
}

static bool add(struct lab *lab, struct link *link, struct timed timed, json_t *references,
                struct finding *finding)
{
    lab_progress("counting the reference");
    json_t *counted = count(lab, link, &timed, finding);
    if (counted)
        json_object_set_new(references, timed.problem->name, counted);
    return counted;
}

static bool add_regimes(struct lab *lab, struct link *link, const struct judge_case *large,
                        json_t *references, struct finding *finding)
{
    const struct judge_regimes *regimes = lab->judge->regimes;
    bool known = true;
    for (size_t i = 0; regimes && i < regimes->count && known; i++) {
        const struct judge_regime *regime = &regimes->rows[i];
        struct judge_case its;
        if (regimes_case(lab, regime, large, &its))
            known = add(lab, link, regimes_timed(lab, regime, &its), references, finding);
    }
    return known;
}

/* Both sizes of each launcher's case, since the submission decides which of them it is compared in;
 * and its regimes. */
json_t *reference_stage(struct lab *lab)
{
    struct judge_case cases[MOST_TIMED_CASES], real[MOST_TIMED_CASES];
    struct finding finding = {.verdict = VERDICT_PASS};
    struct link *link = calloc(1, sizeof *link);
    json_t *references = json_object();
    size_t cases_count = judged_cases(lab, cases, MOST_TIMED_CASES);
    bool known = link != NULL;
    for (size_t i = 0; i < cases_count && known; i++) {
        uint64_t seed = data_seed(lab->seed, lab->judge->case_count + i);
        const struct judge_case *large = measure_real_size(lab, &cases[i], real);
        known = add(lab, link, (struct timed){.problem = &cases[i], .seed = seed}, references,
                    &finding) &&
                (!large || add(lab, link, (struct timed){large, seed, .sampled = true}, references,
                               &finding)) &&
                add_regimes(lab, link, regimes_are_whole(lab) ? &cases[i] : large, references,
                            &finding);
    }
    if (link)
        lab_stop(lab, link);
    free(link);
    json_t *result = finding_json(&finding);
    json_object_set_new(result, "reference", references);
    return result;
}
