/* prepare.c - a case with its inputs and its truth, and the proof that a launch did it right. */
#include "check/examine/drawn.h"
#include "check/examine/stages.h"
#include "lib/large_pages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *make_numbers(uint64_t count)
{
    return in_large_pages(calloc(count + 1, sizeof(double)), (count + 1) * sizeof(double));
}

static bool make_hosts(const struct judge *judge, const struct judge_case *problem, bool judged,
                       struct prepared *prepared)
{
    struct image *image = &prepared->image;
    for (size_t i = 0; i < image->count; i++) {
        struct image_part *part = &image->part[i];
        struct judge_host *host = &prepared->hosts[i];
        host->count = part->buffer.optional ? 0 : part->buffer.count;
        if (part->buffer.role != JUDGE_OUT && !part->buffer.optional)
            host->input = image->bytes + part->offset;
        if (!image_is_output(part))
            continue;
        host->expected = make_numbers(host->count);
        host->allowed = make_numbers(host->count);
        if (!host->expected || !host->allowed)
            return false;
    }
    if (judged && !problem->refused_with)
        judge->truth(problem, prepared->hosts);
    return true;
}

static bool say_no_memory(const struct judge_case *problem, struct finding *finding)
{
    return finding_set(finding, VERDICT_DEVICE, "this machine has no memory for the case \"%s\"",
                       problem->name);
}

static bool make(const struct lab *lab, const struct judge_case *problem, uint64_t seed,
                 bool judged, struct prepared *prepared, struct finding *finding)
{
    memset(prepared, 0, sizeof *prepared);
    prepared->problem = problem;
    return (image_make(lab->judge, problem, seed, &prepared->image) &&
            make_hosts(lab->judge, problem, judged, prepared)) ||
           say_no_memory(problem, finding);
}

bool prepare_of(const struct lab *lab, const struct judge_case *problem, struct image *image,
                struct prepared *prepared, struct finding *finding)
{
    memset(prepared, 0, sizeof *prepared);
    prepared->problem = problem;
    prepared->image = *image;
    return make_hosts(lab->judge, problem, true, prepared) || say_no_memory(problem, finding);
}

bool prepare(const struct lab *lab, const struct judge_case *problem, uint64_t seed,
             struct prepared *prepared, struct finding *finding)
{
    return make(lab, problem, seed, true, prepared, finding);
}

bool prepare_unjudged(const struct lab *lab, const struct judge_case *problem, uint64_t seed,
                      struct prepared *prepared, struct finding *finding)
{
    return make(lab, problem, seed, false, prepared, finding);
}

bool prepared_asks(const struct prepared *prepared, const struct image_part *part)
{
    const struct judge_buffer *buffer = &part->buffer;
    return image_is_output(part) && !buffer->optional &&
           (!buffer->process || !prepared->process || buffer->process == prepared->process);
}

void prepared_free(struct prepared *prepared)
{
    for (size_t i = 0; i < JUDGE_MOST_BUFFERS; i++) {
        free(prepared->hosts[i].expected);
        free(prepared->hosts[i].allowed);
    }
    image_free(&prepared->image);
    memset(prepared, 0, sizeof *prepared);
}

/* --- What is wrong, in words ------------------------------------------------------------------ */

/* "out[7]", or "C[3][5]" for a matrix. */
static void name_element(const struct judge_buffer *buffer, uint64_t i, char *text, size_t bytes)
{
    if (buffer->columns)
        snprintf(text, bytes, "%s[%llu][%llu]", buffer->name,
                 (unsigned long long)(i / buffer->columns),
                 (unsigned long long)(i % buffer->columns));
    else
        snprintf(text, bytes, "%s[%llu]", buffer->name, (unsigned long long)i);
}

static void say_damage(const struct image *image, const struct image_damage *damage,
                       struct finding *finding)
{
    char element[80];
    if (damage->part >= image->count) {
        finding_set(finding, VERDICT_GUARD, "memory that belongs to no buffer was written");
        return;
    }
    const struct judge_buffer *buffer = &image->part[damage->part].buffer;
    uint64_t bytes = judge_type_bytes(buffer->type);
    if (damage->kind == IMAGE_INPUT_CHANGED) {
        name_element(buffer, damage->distance_bytes / bytes, element, sizeof element);
        finding_set(finding, VERDICT_INPUT_MODIFIED, "the input %s was changed", element);
        return;
    }
    finding_set(finding, VERDICT_GUARD, "memory %llu bytes %s %s (%llu elements) was written",
                (unsigned long long)damage->distance_bytes,
                damage->before ? "before the start of" : "past the end of", buffer->name,
                (unsigned long long)buffer->count);
}

static void say_pattern(const struct comparison *result, const char *name, char *text, size_t bytes)
{
    bool unwritten = result->unwritten == result->wrong;
    bool zeros = result->zeros == result->wrong && result->want != 0;
    const char *is = unwritten ? "was never written" : zeros ? "is zero" : "is wrong";
    const char *are = unwritten ? "were never written" : zeros ? "are zero" : "are wrong";
    unsigned long long first = result->first_wrong, last = result->last_wrong;
    unsigned long long wrong = result->wrong;
    bool is_sample = result->looked_at < result->total;
    const char *of = zeros ? "wrong elements" : "elements"; /* others may be zero and right */
    const char *all = is_sample ? "all that was checked" : "everything";
    if (result->total == 1)
        snprintf(text, bytes, "the only element %s", is);
    else if (result->pattern == COMPARE_ALL)
        snprintf(text, bytes, "%s of %s %s", unwritten ? "no element" : "every element", name,
                 unwritten ? "was ever written" : is);
    else if (wrong == 1) /* a single one may be the end of any pattern */
        snprintf(text, bytes, "%s%selement %llu of %llu %s",
                 is_sample ? "of the elements that were checked, " : "", unwritten ? "" : "only ",
                 first, (unsigned long long)result->total, zeros ? "is wrong: it is zero" : is);
    else if (result->pattern == COMPARE_TAIL)
        snprintf(text, bytes, "%s from element %llu on %s", all, first, is);
    else if (result->pattern == COMPARE_HEAD)
        snprintf(text, bytes, "%s up to element %llu %s", all, last, is);
    else if (result->pattern == COMPARE_STRIDED)
        snprintf(text, bytes, "one element in %llu, from element %llu on, %s",
                 (unsigned long long)result->stride, first, is);
    else
        snprintf(text, bytes, "%llu %s%s %s: the first is %llu, the last %llu", wrong, of,
                 is_sample ? " of those that were checked" : "", are, first, last);
}

/* The sign and bits of a NaN mean nothing, unless the bits are compared. */
static const char *value_text(double value, double other, char text[32])
{
    if (isnan(value) && isnan(other))
        snprintf(text, 32, "NaN 0x%08X", compare_float_bits(value));
    else
        snprintf(text, 32, "%.9g", value);
    return isnan(value) && !isnan(other) ? "NaN" : text;
}

/* The allowed error of the element; nothing if a NaN or an infinity is expected. */
static const char *say_allowed(const struct comparison *result, char *text, size_t bytes)
{
    if (!isfinite(result->want))
        return "";
    if (result->allowed <= 0)
        return " to the last bit";
    snprintf(text, bytes, " (may be off by %.2g)", result->allowed);
    return text;
}

bool say_wrong(const struct judge_case *problem, const struct comparison *result,
               const struct judge_buffer *buffer, struct finding *finding)
{
    char element[80], pattern[120], got[32], want[32], allowed[48], of[64];
    bool is_sample = result->looked_at < result->total;
    const char *means = buffer->wrong_means && result->first_wrong < buffer->count
                            ? buffer->wrong_means[result->first_wrong]
                            : NULL;
    if (means) {
        finding_set(finding, VERDICT_WRONG, "case %s: %s", problem->name, means);
        finding_wrong(finding, buffer->name, result);
        return false;
    }
    name_element(buffer, result->first_wrong, element, sizeof element);
    say_pattern(result, buffer->name, pattern, sizeof pattern);
    snprintf(of, sizeof of, is_sample ? "%llu of the %llu checked are" : "%llu of %llu",
             (unsigned long long)result->wrong, (unsigned long long)result->looked_at);
    finding_set(finding, VERDICT_WRONG, "case %s: %s wrong, first %s: got %s, want %s%s",
                problem->name, of, element, value_text(result->got, result->want, got),
                value_text(result->want, result->got, want),
                say_allowed(result, allowed, sizeof allowed));
    snprintf(finding->advice, sizeof finding->advice, "%s", pattern);
    finding_wrong(finding, buffer->name, result);
    return false;
}

bool verify(const struct prepared *prepared, const unsigned char *after,
            struct comparison *comparison, size_t *buffer, struct finding *finding)
{
    const struct image *image = &prepared->image;
    struct image_damage damage;
    double worst_share = 0;
    image_find_damage(image, after, &damage);
    if (damage.kind != IMAGE_INTACT) {
        say_damage(image, &damage, finding);
        return false;
    }
    for (size_t i = 0; i < image->count; i++) {
        const struct image_part *part = &image->part[i];
        if (!prepared_asks(prepared, part))
            continue;
        compare_output(
            after + part->offset, part->buffer.type, &prepared->hosts[i],
            part->buffer.role == JUDGE_OUT && part->home == i ? image->bytes + part->offset : NULL,
            comparison);
        *buffer = i;
        if (comparison->wrong)
            return say_wrong(prepared->problem, comparison, &part->buffer, finding);
        worst_share = fmax(worst_share, comparison->worst_share);
    }
    comparison->worst_share = worst_share;
    return true;
}

size_t judged_cases(const struct lab *lab, struct judge_case *cases, size_t room)
{
    size_t count = lab->judge->timed(&lab->device, cases, room), kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        while (same < kept && cases[same].launcher != cases[i].launcher)
            same++;
        if (same == kept)
            cases[kept++] = cases[i];
    }
    for (size_t i = 0; i < kept; i++)
        drawn_anew(lab->judge, lab->seed, &cases[i]);
    return kept;
}
