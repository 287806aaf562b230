/* numerics.c - the small cases against the truth, on whichever device is at hand.
 *
 * Every case runs at least twice, over different poison: both runs must be right, and must give
 * the same bits unless the lesson allows otherwise. A case's buffers lie in one image between
 * guards (image.h), which goes to the device and back whole.
 */
#include "check/examine/data.h"
#include "check/examine/every_case.h"
#include "check/examine/large.h"
#include "check/examine/stages.h"

#include <stdlib.h>
#include <string.h>

#define STEP_BUDGET UINT64_C(1000000000)

enum { LEAST_REPEATS = 2 };

struct numerics {
    struct lab *lab;
    struct room room;          /* large enough for the largest case */
    unsigned char *after, *first; /* images as they came back: of this run, of the first one */
    struct finding finding;
    json_t *wrong;             /* the comparison that failed, or NULL */
    double worst_share;        /* of what is allowed, over all cases */
    const char *worst_case;
    bool pretend_zeros;
};

static uint64_t largest_image(const struct judge *judge)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < judge->case_count; i++) {
        struct image image;
        image_layout(judge, &judge->cases[i], IMAGE_ALIGNMENT, &image);
        largest = image.total_bytes > largest ? image.total_bytes : largest;
    }
    return largest;
}

/* What the device would hold if the submission had done nothing but write zeros. */
static void write_zeros(struct numerics *numerics, const struct image *image)
{
    memcpy(numerics->after, image->bytes, image->total_bytes);
    for (size_t i = 0; i < image->count; i++)
        if (image_is_output(&image->part[i]) && !image->part[i].buffer.optional)
            memset(numerics->after + image->part[i].offset, 0, image->part[i].size_bytes);
}

static bool launch(struct numerics *numerics, struct prepared *prepared)
{
    struct lab *lab = numerics->lab;
    struct image *image = &prepared->image;
    struct runner_command command = {
        .launch = {.problem = *prepared->problem, .sets = 1, .launches = 1}};
    struct runner_answer answer;
    if (numerics->pretend_zeros) {
        write_zeros(numerics, image);
        return true;
    }
    lab_places(image, numerics->room.slot, &command.launch.set[0]);
    if (!room_write(lab, &numerics->room, image->bytes, image->total_bytes))
        return finding_set(&numerics->finding, VERDICT_DEVICE, "the device does not take a copy");
    if (!lab_launch(lab, &lab->link, &command, &answer, &numerics->finding))
        return false;
    if (!room_read(lab, &numerics->room, numerics->after, image->total_bytes))
        return finding_set(&numerics->finding, VERDICT_DEVICE, "the device does not give a copy");
    return true;
}

/* The first output element whose bits are not those of the first run. */
static bool same_bits(struct numerics *numerics, const struct prepared *prepared)
{
    for (size_t i = 0; i < prepared->image.count; i++) {
        const struct image_part *part = &prepared->image.part[i];
        if (!image_is_output(part) || part->buffer.optional ||
            memcmp(numerics->after + part->offset, numerics->first + part->offset,
                   part->size_bytes) == 0)
            continue;
        return finding_set(&numerics->finding, VERDICT_NONDETERMINISTIC,
                           "case %s: %s differs between two runs on the same input",
                           prepared->problem->name, part->buffer.name);
    }
    return true;
}

/* What was refused was not written to either. */
static bool is_untouched(struct numerics *numerics, const struct prepared *prepared)
{
    const struct image *image = &prepared->image;
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        if (!part->buffer.optional && memcmp(numerics->after + part->offset,
                                             image->bytes + part->offset, part->size_bytes) != 0)
            return finding_set(&numerics->finding, VERDICT_ARGUMENTS,
                               "case %s: %s was written, though the arguments were refused",
                               prepared->problem->name, part->buffer.name);
    }
    return true;
}

static bool check_run(struct numerics *numerics, struct prepared *prepared, unsigned run)
{
    enum image_poison poison = run % 2 ? IMAGE_POISON_LARGE : IMAGE_POISON_NAN;
    struct comparison comparison = {.total = 0};
    size_t buffer = 0;
    image_poison(&prepared->image, poison);
    if (!launch(numerics, prepared))
        return false;
    if (prepared->problem->refused_with)
        return is_untouched(numerics, prepared);
    if (!verify(prepared, numerics->after, poison, &comparison, &buffer, &numerics->finding)) {
        numerics->wrong = comparison.wrong ? comparison_json(&prepared->image.part[buffer],
                                                             &comparison)
                                           : NULL;
        return false;
    }
    if (comparison.worst_share > numerics->worst_share) {
        numerics->worst_share = comparison.worst_share;
        numerics->worst_case = prepared->problem->name;
    }
    if (!numerics->pretend_zeros && prepared->problem->processes <= 1)
        every_case_note(numerics->lab, prepared->problem);
    if (run == 0)
        memcpy(numerics->first, numerics->after, prepared->image.total_bytes);
    return run == 0 || prepared->problem->nondeterministic || same_bits(numerics, prepared);
}

static bool check_case(struct numerics *numerics, size_t index)
{
    struct lab *lab = numerics->lab;
    const struct judge_case *problem = &lab->judge->cases[index];
    unsigned repeats = problem->repeats ? problem->repeats : LEAST_REPEATS;
    struct prepared prepared;
    if (problem->refused_with && numerics->pretend_zeros)
        return true;
    bool right = prepare(lab, problem, data_seed(lab->seed, index), &prepared, &numerics->finding);
    for (unsigned run = 0; right && run < repeats; run++) {
        if (lab->simgpu) { /* another order of warps in every run */
            struct simgpu_options options = {.step_budget = STEP_BUDGET, .seed = run,
                                             .approximation_seed = lab->seed};
            lab->simgpu->set_options(&options);
        }
        right = check_run(numerics, &prepared, run);
    }
    prepared_free(&prepared);
    return right;
}

static bool get_ready(struct numerics *numerics)
{
    struct lab *lab = numerics->lab;
    uint64_t bytes = largest_image(lab->judge);
    numerics->after = malloc(bytes);
    numerics->first = malloc(bytes);
    if (!numerics->after || !numerics->first)
        return finding_set(&numerics->finding, VERDICT_DEVICE, "this machine is out of memory");
    if (numerics->pretend_zeros)
        return true;
    return (lab->link.pid ||
            lab_start(lab, &lab->link, lab->submission, &numerics->finding)) &&
           room_open(lab, 0, bytes, &numerics->room, &numerics->finding) &&
           (link_open(&lab->link, 0, &numerics->room.open), true);
}

/* The cases that only some blocks of are run, or only windows read. Returns how many passed. */
static size_t check_large(struct numerics *numerics, json_t **cases, size_t *unjudged)
{
    struct large large = {.done = 0};
    large_judge(numerics->lab, &large, &numerics->finding);
    *cases = large.cases;
    *unjudged = large.unjudged;
    numerics->wrong = large.wrong;
    if (large.worst_share > numerics->worst_share) {
        numerics->worst_share = large.worst_share;
        numerics->worst_case = large.worst_case;
    }
    return large.done;
}

static const char *case_name(const struct judge *judge, size_t index)
{
    return index < judge->case_count ? judge->cases[index].name
                                     : judge->large[index - judge->case_count].name;
}

json_t *numerics_stage(struct lab *lab, bool pretend_zeros)
{
    struct numerics numerics = {.lab = lab, .pretend_zeros = pretend_zeros};
    size_t done = 0, small = lab->judge->case_count;
    size_t count = small + (pretend_zeros ? 0 : lab->judge->large_count);
    size_t unjudged = 0;
    json_t *large = NULL;
    if (get_ready(&numerics))
        for (; done < small; done++) {
            lab_progress("numerics %zu of %zu", done + 1, small);
            if (!check_case(&numerics, done))
                break;
        }
    if (numerics.room.size_bytes && lab->link.pid)
        link_close(&lab->link, 0);
    room_close(lab, &numerics.room);
    free(numerics.after);
    free(numerics.first);
    if (done == small && done < count)
        done += check_large(&numerics, &large, &unjudged);
    json_t *result = finding_json(&numerics.finding);
    json_object_set_new(result, "cases", json_integer((json_int_t)count));
    json_object_set_new(result, "done", json_integer((json_int_t)(done - unjudged)));
    json_object_set_new(result, "worst_share", json_real(numerics.worst_share));
    if (numerics.worst_case)
        json_object_set_new(result, "worst_case", json_string(numerics.worst_case));
    if (done < count)
        json_object_set_new(result, "case", json_string(case_name(lab->judge, done)));
    if (large)
        json_object_set_new(result, "large", large);
    if (numerics.wrong)
        json_object_set_new(result, "wrong", numerics.wrong);
    return result;
}
