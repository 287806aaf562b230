/* undefined_ranges.h - what is known of the result when bits of an integer are undefined.
 *
 * An integer of which some bits are undefined may be any from the one that has them all 0 to the
 * one that has them all 1 (the sign bit, where there is one, the other way round). A result that is
 * monotonic in its operands lies between the results for those two; and all numbers between two
 * bounds share the bits above the highest one in which the bounds differ. Sums and differences keep
 * more: the tristate numbers of Vishwanathan et al., "Sound, precise, and fast abstract
 * interpretation with tristate numbers" (2022).
 *
 * Every function returns the undefined bits of the result, and never too few; or whether it is
 * undefined at all. Bits above the integer's width are of no meaning.
 */
#ifndef SIM_UNDEFINED_RANGES_H
#define SIM_UNDEFINED_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* An integer with undefined bits. Those above its width are 0 in both. */
struct partly {
    uint64_t value, undefined;
};

/* How integers are read. */
struct reading {
    unsigned bits; /* 16, 32 or 64 */
    bool is_signed;
};

uint64_t undefined_of_sum(struct partly a, struct partly b);
uint64_t undefined_of_difference(struct partly a, struct partly b);
/* min(a, b), or max(a, b) */
uint64_t undefined_of_choice(struct partly a, struct partly b, struct reading reading,
                             bool is_largest);
/* The place of the highest 1, counted from either end. */
uint64_t undefined_of_leading(struct partly a);
/* May a < b (if or_equal: a <= b) hold, and may it not? */
bool is_less_undefined(struct partly a, struct partly b, struct reading reading, bool or_equal);

#endif
