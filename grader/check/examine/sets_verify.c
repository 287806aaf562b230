/* sets_verify.c - compares what the submission left in a block's sets with what the reference
 * left. */
#include "check/examine/data.h"
#include "check/examine/device.h"
#include "check/examine/sets.h"

#include <math.h>

enum { TRUTH_EVERY = 8 };                      /* blocks */
static const double TRUTH_OPERATIONS = 0x1p22; /* some milliseconds */

/* Two honest results of one formula differ by rounding; a result of another input does not agree to
 * a thousandth. The tolerance is between the two: what the judge allows, if elements were compared
 * with the truth; otherwise by type. */
static double share_allowed(const struct sets *sets, size_t part, enum judge_type type)
{
    if (sets->is_held)
        return 2 * sets->held.share[part];
    switch (type) {
    case JUDGE_F32: return 0x1p-16;
    case JUDGE_F16: return 0x1p-8;
    case JUDGE_BF16: return 0x1p-5;
    default: return 0;
    }
}

/* Over a few thousand of its elements, which are read one by one. */
static bool root_mean_square(const unsigned char *output, const struct judge_buffer *buffer,
                             double *rms)
{
    enum { MOST = 4096 };
    unsigned char some[MOST * sizeof(uint64_t)];
    uint64_t step = buffer->count / MOST + 1, count = (buffer->count + step - 1) / step;
    size_t element = judge_type_bytes(buffer->type);
    double sum = 0;
    uint64_t counted = 0;
    if (cudaMemcpy2D(some, element, output, step * element, element, count,
                     cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        double value = judge_element(some, buffer->type, i);
        if (isfinite(value)) {
            sum += value * value;
            counted++;
        }
    }
    *rms = counted ? sqrt(sum / (double)counted) : 0;
    return true;
}

static double element_at(const unsigned char *output, enum judge_type type, uint64_t at)
{
    unsigned char element[sizeof(uint64_t)] = {0};
    size_t bytes = judge_type_bytes(type);
    cudaMemcpy(element, output + at * bytes, bytes, cudaMemcpyDeviceToHost);
    return judge_element(element, type, 0);
}

static bool say_unreadable(struct finding *finding)
{
    return finding_set(finding, VERDICT_DEVICE, "the device does not compare its own memory");
}

/* Where one side's set is on the device. */
static unsigned char *image_of(const struct lab *lab, const struct sets *sets, enum sets_side side,
                               size_t set)
{
    unsigned char *at = sets_image(lab, sets, side, set);
    if (!lab->shared)
        return at;
    return cudaMemcpy(sets->brought[side], at, sets->image.total_bytes, cudaMemcpyHostToDevice) ==
                   cudaSuccess
               ? sets->brought[side]
               : NULL;
}

/* The scale of outputs is the same for every block, and taken from the reference's. */
static bool find_scales(struct sets *sets, const unsigned char *wanted)
{
    for (size_t i = 0; i < sets->image.count && !sets->scaled; i++) {
        const struct image_part *part = &sets->image.part[i];
        if (image_is_output(part) && !part->buffer.optional && part->buffer.count &&
            !root_mean_square(wanted + part->offset, &part->buffer, &sets->scale[i]))
            return false;
    }
    return sets->scaled = true;
}

/* Compare outputs within the bounds of their type; compare an input to the last bit, as words if
 * its address allows. */
static bool queue_part(const struct sets *sets, size_t i, size_t search, const unsigned char *got,
                       const unsigned char *wanted)
{
    const struct image_part *part = &sets->image.part[i];
    const struct judge_buffer *buffer = &part->buffer;
    bool output = image_is_output(part);
    bool words = part->size_bytes % 4 == 0 && part->offset % 4 == 0;
    enum judge_type type = output ? buffer->type : words ? JUDGE_U32 : JUDGE_U8;
    uint64_t count = output ? buffer->count : part->size_bytes / judge_type_bytes(type);
    return count == 0 ||
           device_search_unlike(search, got + part->offset, wanted + part->offset, type, count,
                                output ? share_allowed(sets, i, type) : 0, sets->scale[i]);
}

static bool say_unlike(const struct sets *sets, size_t i, const struct device_found *unlike,
                       const unsigned char *got, const unsigned char *wanted,
                       struct finding *finding)
{
    const struct image_part *part = &sets->image.part[i];
    const struct judge_buffer *buffer = &part->buffer;
    if (!image_is_output(part))
        return finding_set(finding, VERDICT_INPUT_MODIFIED,
                           "a timed launch: the input %s was changed", buffer->name);
    return finding_set(finding, VERDICT_WRONG,
                       "a timed launch: %s[%llu] is %.9g, the reference gives %.9g", buffer->name,
                       (unsigned long long)unlike->first,
                       element_at(got + part->offset, buffer->type, unlike->first),
                       element_at(wanted + part->offset, buffer->type, unlike->first));
}

/* One set: its outputs, and its inputs if asked. */
static bool verify_set(struct lab *lab, struct sets *sets, size_t set, bool inputs,
                       struct finding *finding)
{
    struct device_found unlike[JUDGE_MOST_BUFFERS];
    const unsigned char *got = image_of(lab, sets, SETS_OF_SUBMISSION, set);
    const unsigned char *wanted = image_of(lab, sets, SETS_OF_REFERENCE, set);
    bool done = got && wanted && find_scales(sets, wanted) && device_search_begin();
    for (size_t i = 0; i < sets->image.count && done; i++)
        if (!sets->image.part[i].buffer.optional &&
            (inputs || image_is_output(&sets->image.part[i])))
            done = queue_part(sets, i, i, got, wanted);
    if (!done || !device_search_end(sets->image.count, unlike))
        return say_unreadable(finding);
    for (size_t i = 0; i < sets->image.count; i++)
        if (unlike[i].count)
            return say_unlike(sets, i, &unlike[i], got, wanted, finding);
    return true;
}

/* Elements of one set, by the bounds for the simulated device's outputs. */
static bool hold_to_truth(struct lab *lab, struct sets *sets, size_t set, struct finding *finding)
{
    const struct judge *judge = lab->judge;
    const unsigned char *image = sets_image(lab, sets, SETS_OF_SUBMISSION, set);
    uint64_t seed = data_seed(~sets->key, sets->blocks);
    struct truth_inputs inputs;
    if (!truth_inputs(&sets->image, image, lab->shared != NULL, &inputs))
        return finding_set(finding, VERDICT_DEVICE, "this machine is out of memory");
    bool right = truth_hold(judge, sets->problem, &inputs,
                            truth_elements(judge, sets->problem, TRUTH_OPERATIONS), seed,
                            &sets->held, finding);
    truth_forget(&inputs);
    sets->is_held |= right;
    return right;
}

bool sets_verify(struct lab *lab, struct sets *sets, uint32_t launches, struct finding *finding)
{
    size_t used = launches < sets->count ? launches : sets->count;
    uint64_t seed = data_seed(~sets->key, sets->blocks);
    size_t with_inputs = data_word(seed, 1) % used;
    bool with_truth = truth_is_known(lab->judge) && !image_is_in_place(&sets->image) &&
                      (!sets->is_held || data_word(seed, 2) % TRUTH_EVERY == 0);
    if (with_truth && !hold_to_truth(lab, sets, sets_of_launch(sets, with_inputs), finding))
        return false;
    for (size_t launch = 0; launch < used; launch++)
        if (!verify_set(lab, sets, sets_of_launch(sets, launch), launch == with_inputs, finding))
            return false;
    return true;
}
