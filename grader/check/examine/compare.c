/* compare.c - compares an output with the truth, and finds the pattern in what is wrong. */
#include "check/examine/compare.h"

#include <math.h>
#include <string.h>

uint32_t compare_float_bits(double value)
{
    uint32_t bits;
    uint64_t wide;
    float narrow = (float)value;
    memcpy(&bits, &narrow, sizeof bits);
    memcpy(&wide, &value, sizeof wide);
    return isnan(value) ? (uint32_t)(wide >> 63) << 31 | 0x7F800000 | (wide >> 29 & 0x7FFFFF)
                        : bits;
}

static bool same_float(double got, double expected)
{
    return compare_float_bits(got) == compare_float_bits(expected);
}

bool compare_equal(double got, double expected, double allowed)
{
    if (allowed == JUDGE_SAME_BITS)
        return same_float(got, expected);
    if (isnan(expected))
        return isnan(got);
    if (allowed < 0) /* JUDGE_WITH_SIGN */
        return got == expected && !signbit(got) == !signbit(expected);
    if (isinf(expected) || isinf(got))
        return got == expected;
    return fabs(got - expected) <= allowed;
}

static bool is_poison(const void *output, enum judge_type type, uint64_t i, const void *poison)
{
    size_t bytes = judge_type_bytes(type);
    return poison && memcmp((const unsigned char *)output + i * bytes,
                            (const unsigned char *)poison + i * bytes, bytes) == 0;
}

static void note_right(struct comparison *result, uint64_t i, double got, double expected,
                       double allowed)
{
    result->first_right =
        result->looked_at == result->wrong || i < result->first_right ? i : result->first_right;
    result->last_right = i > result->last_right ? i : result->last_right;
    double share = allowed > 0 && isfinite(expected) ? fabs(got - expected) / allowed : 0;
    if (share > result->worst_share) {
        result->worst_share = share;
        result->worst_at = i;
    }
}

static void note_wrong(struct comparison *result, uint64_t i, double got, double expected,
                       double allowed)
{
    if (result->wrong == 1)
        result->stride = i - result->first_wrong;
    else if (i - result->last_wrong != result->stride)
        result->stride = 0;
    if (result->wrong == 0 || i < result->first_wrong) {
        result->first_wrong = i;
        result->got = got;
        result->want = expected;
        result->allowed = allowed;
    }
    double error = fabs(got - expected);
    result->largest_error = fmax(result->largest_error, isfinite(error) ? error : INFINITY);
    result->last_wrong = i > result->last_wrong ? i : result->last_wrong;
    result->wrong++;
    result->looked_at++;
    result->zeros += got == 0;
}

void compare_note(struct comparison *result, uint64_t i, double got, double expected,
                  double allowed, bool is_unwritten)
{
    if (compare_equal(got, expected, allowed)) {
        note_right(result, i, got, expected, allowed);
        result->looked_at++;
        return;
    }
    note_wrong(result, i, got, expected, allowed);
    result->unwritten += is_unwritten;
}

enum compare_pattern compare_pattern_of(const struct comparison *result)
{
    if (result->wrong == result->looked_at)
        return result->wrong == result->total ? COMPARE_ALL : COMPARE_SCATTERED;
    if (result->first_wrong > result->last_right)
        return COMPARE_TAIL;
    if (result->last_wrong < result->first_right)
        return COMPARE_HEAD;
    if (result->wrong > 2 && result->stride > 1 && result->looked_at == result->total)
        return COMPARE_STRIDED;
    return COMPARE_SCATTERED;
}

void compare_output(const void *output, enum judge_type type, const struct judge_host *host,
                    const void *poison, struct comparison *result)
{
    memset(result, 0, sizeof *result);
    result->total = host->count;
    for (uint64_t i = 0; i < host->count; i++) {
        double got = judge_element(output, type, i);
        if (host->same_bits && compare_equal(got, host->expected[i], 0) &&
            !same_float(got, host->expected[i])) {
            note_wrong(result, i, got, host->expected[i], 0);
            continue;
        }
        compare_note(result, i, got, host->expected[i], host->allowed[i],
                     is_poison(output, type, i, poison));
    }
    if (result->wrong)
        result->pattern = compare_pattern_of(result);
}
